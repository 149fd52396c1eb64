"""The ready graph for LangGraph's server and Studio: the server binds store and checkpointer.

Set ``MEMORY_HOME`` to the home's folder, and ``MEMORY_MODEL`` to let a model answer; without
it the offline responder quotes memory or abstains.
"""

from __future__ import annotations

from langgraph_memory.home import memory_graph

graph = memory_graph()
