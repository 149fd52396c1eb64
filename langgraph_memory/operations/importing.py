"""Bring a conversation into memory: every turn an event, and an episode that can be recalled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from langgraph_memory.domain.events import Turn
from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.namespace import encode_label
from langgraph_memory.domain.provenance import Provenance, Source, SourceKind
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.operations.capture import Captured, Utterance, capture
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import noticing
from langgraph_memory.operations.remember import remember_all
from langgraph_memory.operations.statements import Statement
from langgraph_memory.policy.conflict import Effect
from langgraph_memory.policy.credentials import check_named

BATCH = 50
LONGEST_PART = 120
BEFORE_CHARACTERS = 160
"""How much of the turn before goes into a turn's full text: answers rarely repeat the topic."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: turns read, turns new, turns without text."""

    turns: int
    new: int
    empty: int


def import_conversation(
    engine: Engine, scope: Scope, name: str, turns: Sequence[Turn], *, context: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:  # fmt: skip
    """Import turns in order; importing the same conversation again changes nothing.

    Args:
        engine: The ports.
        scope: Whose conversation it was.
        name: The conversation's name; part of the address of each turn.
        turns: What was said.
        context: Whether a turn is found by its date and the end of the turn before, too.
        progress: Called with turns done and turns in all.

    Raises:
        RefusedError: A name or an id holds a credential; nothing was written.
    """
    with noticing(engine, scope):
        check_named("the name of the conversation", name)
        for turn in turns:
            check_named("the id of a session", turn.session_id)
            check_named("the id of a turn", turn.turn_id)
    spoken = [turn for turn in turns if turn.text.strip()]
    before = [None, *spoken[:-1]] if context else [None] * len(spoken)
    pairs = list(zip(spoken, before, strict=True))
    new = 0
    for start in range(0, len(pairs), BATCH):
        chunk = pairs[start : start + BATCH]
        new += _import_chunk(engine, scope, name, chunk, dated=context)
        if progress is not None:
            progress(min(start + BATCH, len(pairs)), len(pairs))
    return Imported(len(turns), new, len(turns) - len(spoken))


def _import_chunk(
    engine: Engine, scope: Scope, name: str, chunk: list[tuple[Turn, Turn | None]], *, dated: bool
) -> int:
    captured = capture(engine, scope, [_utterance(scope, name, turn) for turn, _ in chunk])
    results = remember_all(
        engine,
        [
            _statement(scope, name, turn, before, event, dated=dated)
            for (turn, before), event in zip(chunk, captured, strict=True)
        ],
    )
    return sum(each.effect is Effect.BEGIN for each in results)


def address(*parts: str) -> str:
    """Return one text for several, none of which can run into the next.

    A part that is too long for an address is replaced by its hash.
    """
    return "/".join(
        encoded
        if len(encoded := encode_label(part)) <= LONGEST_PART
        else "h-" + blake2b(part.encode(), digest_size=16).hexdigest()
        for part in parts
    )


def _utterance(scope: Scope, name: str, turn: Turn) -> Utterance:
    owner = "/".join(encode_label(part) for part in (scope.tenant, scope.user) if part)
    return Utterance(
        thread_id=f"import/{owner}/{address(name, turn.session_id)}",
        message_id=turn.turn_id,
        role=turn.role,
        content=turn.text,
        speaker=turn.speaker,
        at=turn.at,
    )


def _statement(
    scope: Scope, name: str, turn: Turn, before: Turn | None, captured: Captured, *, dated: bool
) -> Statement:
    said = f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text
    date = f"{turn.at.day} {turn.at:%B %Y} " if turn.at and dated else ""
    tail = before.text[-BEFORE_CHARACTERS:] if before and _same_session(turn, before) else ""
    return Statement(
        content=turn.text,
        scope=scope,
        provenance=Provenance(
            Source(SourceKind.USER if turn.role == "user" else SourceKind.MODEL, turn.speaker),
            event_ids=(captured.event.id,),
        ),
        kind=Kind.EPISODIC,
        explicit=False,  # a file brought in again does not revive what was forgotten
        key=address(name, turn.session_id, turn.turn_id),
        valid=Interval(turn.at),
        metadata={"speaker": turn.speaker, "conversation": name, "turn": turn.turn_id},
        embed=said,
        words=f"{date}{tail} {said}",
    )


def _same_session(turn: Turn, before: Turn) -> bool:
    return turn.session_id == before.session_id
