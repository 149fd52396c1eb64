"""The command line: ``langgraph-memory``."""
