"""What retrieval finds on evaluation sets, and what each stage is worth."""
