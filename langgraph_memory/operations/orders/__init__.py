"""What a message asks of memory itself: carried out once, whatever is retried."""
