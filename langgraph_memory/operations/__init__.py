"""What the memory does: one use case a file, each a function of an engine and its facts."""
