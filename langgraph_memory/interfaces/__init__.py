"""LangGraph's ways in. They translate; every rule lives behind the memory."""
