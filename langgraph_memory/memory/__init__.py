"""The one door: every way in and out of memory is one of these calls, and nothing else.

``Memory`` serves a whole home; ``ScopedMemory`` is the same memory bound to who is asking,
and cannot see or change anything outside that scope.
"""

from langgraph_memory.memory.scoped import ScopedMemory
from langgraph_memory.memory.whole import Memory

__all__ = ["Memory", "ScopedMemory"]
