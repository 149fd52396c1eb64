"""What a user asks of memory itself, by rule or as a model understood it."""
