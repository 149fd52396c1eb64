"""Long-term memory for LangGraph agents that does not lie."""

from langgraph_memory.domain.diff import Difference
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import Source, SourceKind, Verification
from langgraph_memory.domain.record import Version
from langgraph_memory.domain.roles import Permission, Role
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.domain.trial import Checked
from langgraph_memory.home import Home, open_memory, reindex
from langgraph_memory.interfaces.conditions import VersionedPut
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.memory import Memory, ScopedMemory
from langgraph_memory.nodes.guard import guarded
from langgraph_memory.wiring import Settings

__all__ = [
    "Checked",
    "Difference",
    "Home",
    "Interval",
    "Kind",
    "Memory",
    "MemoryStore",
    "Permission",
    "Role",
    "Scope",
    "ScopedMemory",
    "Settings",
    "Source",
    "SourceKind",
    "Verification",
    "Version",
    "VersionedPut",
    "guarded",
    "open_memory",
    "reindex",
]
