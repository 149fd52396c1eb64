"""The graphs that LangGraph's server and Studio open."""
