"""Whether what an answer says of the past rests on memory or the conversation."""
