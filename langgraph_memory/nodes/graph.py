"""The compiled graph, with its door: a thread is claimed before its checkpoint is touched.

LangGraph loads a thread's checkpoint, and saves the new input into it, before the first node
runs. A node that refuses a stranger comes too late: the stranger's stream has shown the
thread, and the stranger's message stands in it. So the claim is made where a run begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.graph.state import CompiledStateGraph

from langgraph_memory.memory import Memory, ScopedMemory
from langgraph_memory.nodes.access import anybody, identify
from langgraph_memory.nodes.context import MemoryContext


class MemoryGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph that lets nobody into somebody else's thread."""

    @classmethod
    def of(cls, compiled: CompiledStateGraph[Any, Any, Any, Any]) -> Self:
        """Return the same graph with the door in it."""
        parts = {name: part for name, part in vars(compiled).items() if name != "__orig_class__"}
        return cls(**parts)

    # Every way to run a graph, `invoke` and the event streams included, goes through these two.

    def stream(
        self, input: Any, config: RunnableConfig | None = None,  # noqa: A002 as LangGraph has it
        *, context: Any = None, **options: Any,
    ) -> Iterator[Any]:  # fmt: skip
        """Run, once the thread is claimed; ``ThreadOwnershipError`` before anything is read."""
        self._claim(config, context)
        yield from super().stream(input, config, context=context, **options)

    async def astream(
        self, input: Any, config: RunnableConfig | None = None,  # noqa: A002 as LangGraph has it
        *, context: Any = None, **options: Any,
    ) -> AsyncIterator[Any]:  # fmt: skip
        """Run, once the thread is claimed. Raises as :meth:`stream`."""
        await self._aclaim(config, context)
        async for chunk in super().astream(input, config, context=context, **options):
            yield chunk

    # A look at a thread, or a change of its state, is let in where it names its owner, or nobody:
    # then it is the program's own.

    def get_state(self, config: RunnableConfig, **options: Any) -> Any:
        """Return the state. Raises as :meth:`stream`."""
        self._check(config)
        return super().get_state(config, **options)

    async def aget_state(self, config: RunnableConfig, **options: Any) -> Any:
        """Return the state. Raises as :meth:`stream`."""
        await asyncio.to_thread(self._check, config)
        return await super().aget_state(config, **options)

    def get_state_history(self, config: RunnableConfig, **options: Any) -> Iterator[Any]:
        """Yield the states. Raises as :meth:`stream`."""
        self._check(config)
        yield from super().get_state_history(config, **options)

    async def aget_state_history(
        self, config: RunnableConfig, **options: Any
    ) -> AsyncIterator[Any]:
        """Yield the states. Raises as :meth:`stream`."""
        await asyncio.to_thread(self._check, config)
        async for state in super().aget_state_history(config, **options):
            yield state

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> Any:
        """Change the state, as ``update_state`` does, too. Raises as :meth:`stream`."""
        self._check(config)
        return super().bulk_update_state(config, supersteps)

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> Any:
        """Change the state, as ``aupdate_state`` does, too. Raises as :meth:`stream`."""
        await asyncio.to_thread(self._check, config)
        return await super().abulk_update_state(config, supersteps)

    def _check(self, config: RunnableConfig | None) -> None:
        memory, configurable = self._memory_and(config)
        thread_id = configurable.get("thread_id")
        if thread_id is not None and memory and not anybody(MemoryContext(), configurable):
            scope = identify(MemoryContext(), configurable)
            memory.bound_to(scope).check_thread(str(thread_id))

    def _claim(self, config: RunnableConfig | None, context: Any) -> None:
        mine, thread_id = self._asked_for(config, context)
        if mine is None:
            return
        if self._may_be_a_copy(mine, thread_id):
            assert isinstance(self.checkpointer, BaseCheckpointSaver)
            _check_origin(mine, thread_id, self.checkpointer.get_tuple(_thread(thread_id)))
        mine.claim(thread_id)

    async def _aclaim(self, config: RunnableConfig | None, context: Any) -> None:
        mine, thread_id = await asyncio.to_thread(self._asked_for, config, context)
        if mine is None:
            return
        if await asyncio.to_thread(self._may_be_a_copy, mine, thread_id):
            assert isinstance(self.checkpointer, BaseCheckpointSaver)
            kept = await self.checkpointer.aget_tuple(_thread(thread_id))
            await asyncio.to_thread(_check_origin, mine, thread_id, kept)
        await asyncio.to_thread(mine.claim, thread_id)

    def _asked_for(
        self, config: RunnableConfig | None, context: Any
    ) -> tuple[ScopedMemory | None, str]:
        memory, configurable = self._memory_and(config)
        thread_id = configurable.get("thread_id")
        if thread_id is None or memory is None:
            return None, ""  # nothing is kept, or the first node says what store it needs
        given = MemoryContext(**context) if isinstance(context, dict) else context
        scope = identify(given or MemoryContext(), configurable)
        return memory.bound_to(scope), str(thread_id)

    def _may_be_a_copy(self, mine: ScopedMemory, thread_id: str) -> bool:
        return isinstance(self.checkpointer, BaseCheckpointSaver) and mine.is_unclaimed(thread_id)

    def _memory_and(self, config: RunnableConfig | None) -> tuple[Memory | None, dict[str, Any]]:
        memory = getattr(self.store, "memory", None)
        merged = merge_configs(self.config, config)
        found = memory if isinstance(memory, Memory) else None
        return found, dict(merged.get("configurable") or {})


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def _check_origin(mine: ScopedMemory, thread_id: str, kept: CheckpointTuple | None) -> None:
    """Refuse a copy of somebody else's thread: its state speaks of their message."""
    values = kept.checkpoint["channel_values"] if kept else {}
    event_id = (values.get("captured") or {}).get("event_id")
    if event_id:
        mine.check_event(thread_id, str(event_id))
