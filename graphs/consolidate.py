"""Background work as a graph: run it by hand in Studio, by cron, or where no worker runs."""

from __future__ import annotations

from langgraph_memory.home import background_graph

graph = background_graph()
