"""The truth: one SQLite database per home, behind the Database port."""
