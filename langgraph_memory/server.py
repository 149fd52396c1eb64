"""Entry points for ``langgraph.json``: the home of ``MEMORY_HOME`` behind LangGraph's server.

Name them with dots: ``langgraph_memory.server.store``, ``langgraph_memory.server.checkpointer``.
The server calls each once per event loop; all of them share one set of engines.
"""

from __future__ import annotations

from langgraph.store.base import TTLConfig

from langgraph_memory.home import Home, open_memory
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.storage.checkpoints.saver import CheckpointSaver
from langgraph_memory.wiring import Settings

_homes: list[Home] = []


def store() -> MemoryStore:
    """Return the store of ``MEMORY_HOME``, with ``MEMORY_TTL_MINUTES`` as its default lifetime.

    The server says ``ttl=None`` where a client said nothing, and starts no sweeper for a
    store it does not know: the default is applied here, and expired items are swept here.
    """
    settings = Settings.load()
    ttl = TTLConfig(default_ttl=settings.ttl_minutes) if settings.ttl_minutes else None
    opened = MemoryStore.from_path(settings.home, settings=settings, ttl=ttl, none_is_default=True)
    opened.start_ttl_sweeper()
    return opened


def checkpointer() -> CheckpointSaver:
    """Return the checkpointer of ``MEMORY_HOME``."""
    home = open_memory()
    _homes.append(home)
    return home.checkpointer
