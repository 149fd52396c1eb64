"""Long-term memory for LangGraph agents that does not lie."""

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.home import Home, open_memory
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.memory import Memory, ScopedMemory
from langgraph_memory.wiring import Settings

__all__ = [
    "Home",
    "Interval",
    "Kind",
    "Memory",
    "MemoryStore",
    "Scope",
    "ScopedMemory",
    "Settings",
    "Source",
    "SourceKind",
    "Verification",
    "open_memory",
]
