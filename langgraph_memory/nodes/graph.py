"""The compiled graph, with its door: a thread is claimed before its checkpoint is touched.

LangGraph loads a thread's checkpoint, and saves the new input into it, before the first node
runs. A node that refuses a stranger comes too late: the stranger's stream has shown the
thread, and the stranger's message stands in it. So the claim is made where a run begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from langchain_core.messages import BaseMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from langgraph_memory.errors import InvalidInputError
from langgraph_memory.memory import Memory, ScopedMemory
from langgraph_memory.nodes.access import anybody, identified
from langgraph_memory.nodes.approve import DECISION
from langgraph_memory.nodes.context import MemoryContext, as_context
from langgraph_memory.wiring import new_id


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
        config = _with_decision(config, input)
        yield from super().stream(_named(input), config, context=context, **_lasting(options))

    async def astream(
        self, input: Any, config: RunnableConfig | None = None,  # noqa: A002 as LangGraph has it
        *, context: Any = None, **options: Any,
    ) -> AsyncIterator[Any]:  # fmt: skip
        """Run, once the thread is claimed. Raises as :meth:`stream`."""
        await self._aclaim(config, context)
        config, options = _with_decision(config, input), _lasting(options)
        async for chunk in super().astream(_named(input), config, context=context, **options):
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
            scope = identified(memory, MemoryContext(), configurable)
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
        if thread_id is None and isinstance(self.checkpointer, BaseCheckpointSaver):
            raise InvalidInputError(
                "The run names no thread, and its state is kept by thread: invoke(..., "
                'config={"configurable": {"thread_id": "..."}}).'
            )
        if thread_id is None or memory is None:
            return None, ""  # nothing is kept, or the first node says what store it needs
        given = as_context(context)
        scope = identified(memory, given or MemoryContext(), configurable)
        return memory.bound_to(scope), str(thread_id)

    def _may_be_a_copy(self, mine: ScopedMemory, thread_id: str) -> bool:
        return isinstance(self.checkpointer, BaseCheckpointSaver) and mine.is_unclaimed(thread_id)

    def _memory_and(self, config: RunnableConfig | None) -> tuple[Memory | None, dict[str, Any]]:
        memory = getattr(self.store, "memory", None)
        merged = merge_configs(self.config, config)
        found = memory if isinstance(memory, Memory) else None
        return found, dict(merged.get("configurable") or {})


def _named(given: Any) -> Any:
    """Return an input whose messages have ids before it is saved.

    LangGraph gives a message without one a new id each time the input is read, also when a
    thread goes back to it: every time it would be another message, with its orders in it.
    """
    if not isinstance(given, dict) or "messages" not in given:
        return given
    messages = _listed(given["messages"])
    if not all(map(_is_message, messages)):
        return given  # LangGraph says what is wrong with it
    named = convert_to_messages(messages)
    return {
        **given,
        "messages": [
            each if each.id else each.model_copy(update={"id": new_id()}) for each in named
        ],
    }


def _listed(given: Any) -> list[Any]:
    """Return the messages of an input; one alone will do, as everywhere in LangGraph.

    Raises:
        InvalidInputError: It is neither a message nor a list of them.
    """
    if isinstance(given, BaseMessage | str | dict):
        return [given]
    if isinstance(given, tuple):
        return [given] if len(given) == 2 and isinstance(given[0], str) else list(given)
    if isinstance(given, list):
        return given
    raise InvalidInputError(
        f'messages is {type(given).__name__}. Send a list: {{"messages": [("user", "...")]}}.'
    )


def _is_message(given: Any) -> bool:
    if isinstance(given, BaseMessage | str):
        return True
    if isinstance(given, dict):
        return "content" in given and ("role" in given or "type" in given)
    return isinstance(given, list | tuple) and len(given) == 2 and isinstance(given[0], str)


def _with_decision(config: RunnableConfig | None, given: Any) -> RunnableConfig | None:
    """Return the config of a run that brings a decision to a checkpoint, with the decision.

    Where one was made there before, LangGraph gives the node that one again and drops the new.
    """
    configurable = (config or {}).get("configurable") or {}
    if not isinstance(given, Command) or given.resume is None:
        return config
    if config is None or "checkpoint_id" not in configurable:
        return config
    return {**config, "configurable": {**configurable, DECISION: given.resume}}


def _lasting(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run that writes each step down before the next begins.

    A step that is written later may be lost with the process after the event was captured;
    then nothing would tell that the message sent again is the same.
    """
    chosen = options.get("durability") or options.get("checkpoint_during") is not None
    return options if chosen else {**options, "durability": "sync"}


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def _check_origin(mine: ScopedMemory, thread_id: str, kept: CheckpointTuple | None) -> None:
    """Refuse a copy of somebody else's thread: its state speaks of their message."""
    values = kept.checkpoint["channel_values"] if kept else {}
    event_id = (values.get("captured") or {}).get("event_id")
    if event_id:
        mine.check_event(thread_id, str(event_id))
