"""Which of several remembered statements is out of date because a later one says otherwise.

An episode was said on its day and is never replaced; what it says of how things are may have
changed since. Facts need no look: the newer takes the older one's place when it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.policy.updates.update import Update


@dataclass(frozen=True, slots=True)
class Told:
    """A statement as it was made.

    Attributes:
        content: Its words.
        by: Who made it.
        at: When.
        episode: Whether it tells of its day, rather than of how things are.
    """

    content: str
    by: str
    at: datetime
    episode: bool


def outdated(statements: Sequence[Told]) -> dict[int, int]:
    """Return which statement is out of date by which: place to place, the latest that says so."""
    if not any(each.episode for each in statements):
        return {}
    newest_first = sorted(enumerate(statements), key=lambda pair: pair[1].at, reverse=True)
    found: dict[int, int] = {}
    for rank, (new, said) in enumerate(newest_first):
        update = Update(said.content)
        for old, before in newest_first[rank + 1 :] if update.states else ():
            if not before.episode or old in found or before.at == said.at or before.by != said.by:
                continue
            if update.replaces(before.content):
                found[old] = new
    return found
