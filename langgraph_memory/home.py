"""A memory home: one folder with the truth, the run state and the index, opened as one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import IndexConfig

from langgraph_memory.errors import ClosedError, HomeNotFoundError, InvalidInputError
from langgraph_memory.interfaces.closing import Closing
from langgraph_memory.interfaces.embedding import embedder_of
from langgraph_memory.interfaces.store import MemoryStore
from langgraph_memory.memory import Memory
from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.models.langchain import LangChainChat
from langgraph_memory.nodes.background import build_background
from langgraph_memory.nodes.builder import build
from langgraph_memory.nodes.graph import MemoryGraph
from langgraph_memory.operations.namesakes import ProvenEmbedder
from langgraph_memory.operations.reindex import Reindexed
from langgraph_memory.operations.reindex import reindex as move
from langgraph_memory.ports import ChatModel, Embedder
from langgraph_memory.storage.checkpoints.saver import CheckpointSaver
from langgraph_memory.storage.route import IndexStatus
from langgraph_memory.wiring import (
    Parts,
    Settings,
    acquire,
    choose_models,
    for_upkeep,
    has_home,
    release,
)


def open_memory(
    path: str | Path | None = None, *, embedder: Embedder | None = None,
    settings: Settings | None = None, allowed_types: Sequence[type] = (),
) -> Home:  # fmt: skip
    """Open the memory home at ``path``; made if absent.

    Use it in a ``with`` or an ``async with`` block, or call ``close()``. One process may
    open a path several times, several processes may open it at once.

    Args:
        path: The home's folder; ``MEMORY_HOME``, else ``./memory``, if omitted.
        embedder: Instead of the shipped one. A home stays with the one it began with.
        settings: Instead of those of the environment.
        allowed_types: Classes of your own that your graphs keep in their state; others are
            refused when a run is saved.

    Raises:
        NotAHomeError: Something else stands there; it was left as it is.
        HomeIncompleteError: Its database is gone, and the rest of it is there.
        HomeReadOnlyError: The folder cannot be written.
        EmbedderMismatchError: The home began with another embedder.
        StorageBusyError: Another program holds the database.

    Example:
        >>> with open_memory("memory") as home:  # doctest: +SKIP
        ...     me = home.memory.scope(tenant="acme", user="jane@example.com")
        ...     me.remember("Monthly budget is $150.", key="monthly_budget")
        ...     me.recall("What is our monthly budget?").evidence[0].content
        'Monthly budget is $150.'
    """
    chosen = settings or Settings.load()
    parts = acquire(Path(path or chosen.home), chosen, embedder=embedder)
    return Home(parts, chosen, allowed_types=allowed_types)


def reindex(
    path: str | Path | None = None, *, embedder: Embedder | Literal["default"] | None = None,
    index: IndexConfig | None = None, settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reindexed:  # fmt: skip
    """Move the home at ``path`` to another embedding model, with everything in it.

    Everybody may go on using the home with the old model meanwhile; once it is done, they are
    refused until they open it with the new one. After a crash, call it again: it goes on.

    Args:
        path: The home's folder; ``MEMORY_HOME``, else ``./memory``, if omitted.
        embedder: The new one, or ``"default"`` for the shipped one.
        index: Instead of ``embedder``: LangGraph's index configuration, with ``embed`` and
            ``dims``.
        settings: Instead of those of the environment.
        progress: Called with records done and records in all.

    Raises:
        InvalidInputError: No model was named, or ``embed`` without ``dims``.
        HomeNotFoundError: There is no home at the path.
        EmbedderNamesakeError: The home is at another function of the same name.
        EmbeddingError: The new model does not work; what it did so far is kept.
        ConflictError: Somebody else began to move the home to yet another model.
    """
    chosen = settings or Settings.load()
    place = Path(path or chosen.home)
    if not has_home(place):
        raise HomeNotFoundError(place)
    new = MiniLmEmbedder() if embedder == "default" else embedder or embedder_of(index)
    if new is None:
        raise InvalidInputError(
            'Name the new model: embedder=..., embedder="default" for the shipped one, or '
            'index={"embed": ..., "dims": ...}. To rebuild without one, use memory.rebuild().'
        )
    with for_upkeep(place, chosen, embedder=new) as engine:
        if isinstance(engine.embedder, ProvenEmbedder):
            engine.embedder.check_at_opening(None)
        return move(engine.database, new, progress=progress)


def memory_graph(settings: Settings | None = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the ready graph without store and checkpointer: a server binds its own.

    Raises:
        ModelSetupError: ``MEMORY_MODEL`` needs a key and there is none.
    """
    return MemoryGraph.of(build(choose_models(settings or Settings.load())).compile())


def background_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the graph that does background work, without a store: a server binds its own."""
    return build_background().compile()


class Home(Closing):
    """An open home. See :func:`open_memory`."""

    def __init__(
        self, parts: Parts, settings: Settings, *, allowed_types: Sequence[type] = ()
    ) -> None:
        self._parts = parts
        self._allowed = tuple(allowed_types)
        self._settings = settings
        self._closed = False

    @property
    def path(self) -> Path:
        """Return the home's real folder."""
        return self._parts.path

    @property
    def memory(self) -> Memory:
        """Return the memory: bind it with ``scope(tenant=..., user=...)``."""
        return self._open().memory

    @cached_property
    def store(self) -> MemoryStore:
        """Return the home as a LangGraph store."""
        return MemoryStore(self._open(), shares=True)

    @property
    def checkpointer(self) -> CheckpointSaver:
        """Return the home's checkpointer, for run state."""
        saver = self._open().saver
        return saver.allowing(*self._allowed) if self._allowed else saver

    def agent(
        self, model: ChatModel | BaseChatModel | None = None, **compile_options: Any
    ) -> CompiledStateGraph[Any, Any, Any, Any]:
        """Return the ready graph, bound to this home's store and checkpointer.

        Args:
            model: Who answers: any LangChain chat model. Without one, the model that
                ``MEMORY_MODEL`` names, else the offline responder.
            compile_options: Passed on to LangGraph's ``compile``.

        Raises:
            ModelSetupError: ``MEMORY_MODEL`` needs a key and there is none.
        """
        chat = LangChainChat(model) if isinstance(model, BaseChatModel) else model
        graph = build(choose_models(self._settings, default=chat))
        return MemoryGraph.of(
            graph.compile(checkpointer=self.checkpointer, store=self.store, **compile_options)
        )

    def background(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        """Return the graph that does background work on this home: one job a step."""
        return build_background().compile(store=self.store)

    def sync_index(self, *, timeout_seconds: float = 60.0) -> bool:
        """Wait until the Chroma index holds everything written so far; tell whether it does."""
        return self._open().follower.drain(timeout_seconds)

    def index_status(self) -> IndexStatus:
        """Return how the Chroma index is doing; what it lacks, searches find exactly."""
        return self._open().index.status()

    def close(self) -> None:
        """Finish background work and give the files back; a second call does nothing."""
        if not self._closed:
            self._closed = True
            release(self._parts)

    def _open(self) -> Parts:
        if self._closed:
            raise ClosedError(self.path)
        return self._parts
