"""Measures memory on data that the user supplies; nothing of that data is shipped."""
