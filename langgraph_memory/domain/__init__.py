"""What the product talks about: records, versions, scopes, intervals. Pure; imports only errors."""
