"""What one model call is shown: rebuilt on every turn, gone after it."""
