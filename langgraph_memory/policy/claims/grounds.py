"""What a statement may rest on: records as they are and were, and the conversation.

What a record said before is kept apart from what it says now, and only a clause that speaks
of before may rest on it. A question of the user's states nothing: "Is the budget $200?" is no
ground for "your budget is $200".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from langgraph_memory.policy.claims.claim_cues import former, once_said
from langgraph_memory.policy.language.days import Day
from langgraph_memory.policy.language.hard_parts import Name, Part, held
from langgraph_memory.policy.language.sentences import clauses, sentences, stated
from langgraph_memory.policy.language.wording import Statement, read, shares
from langgraph_memory.ports import Citation
from langgraph_memory.text.scripts import fold
from langgraph_memory.text.stems import stem

LONGEST = 20_000
"""Characters of a record that are read."""

_FROM_TO = re.compile(r"\bfrom\s+(.+?)\s+to\s+(.+)|从(.+?)(?:改|换|移|调)(?:到|成|为)?(.+)")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|replaced|replaces)\b|而不是")
_FOLDED = re.compile(r"[a-z0-9à-ɏ'’-]+")


class Text:
    """Something that was said, whole; its clauses are read when they are asked for.

    Attributes:
        whole: All of it as one statement.
        spelled: Its Latin words, folded.
        replaced: Whether another statement took its place: it tells what was.
    """

    def __init__(self, said: str, source: str, *, replaced: bool = False) -> None:
        self._said = said
        self.replaced = replaced
        whole = said if source in ("", "you") else f"{said}\n{source}"
        self.whole = read(whole)
        self.spelled = frozenset(_FOLDED.findall(fold(whole)))

    @cached_property
    def clauses(self) -> tuple[Statement, ...]:
        """Its clauses, without who said it."""
        return tuple(read(part) for each in sentences(self._said) for part in clauses(each))


@dataclass(frozen=True, slots=True)
class Ground:
    """A record or a message of the conversation.

    Attributes:
        label: What a record is cited by; empty for the conversation.
        now: What it says.
        past: What it said before, newest first.
        days: When it was said, and when earlier statements ended.
    """

    label: str
    now: Text
    past: tuple[Text, ...] = ()
    days: tuple[Day, ...] = ()


def ground(citation: Citation) -> Ground:
    """Return a record as a ground."""
    ended = [each for _, each in citation.history]
    return Ground(
        citation.label,
        text_of(citation.content, citation.source),
        tuple(text_of(each, replaced=True) for each, _ in citation.history),
        tuple(_day(each) for each in (citation.said_at, *ended)),
    )


def text_of(said: str, source: str = "", *, replaced: bool = False) -> Text:
    """Return a text, read; who said it counts as said with it."""
    return Text(said[:LONGEST], source, replaced=replaced)


def texts(clause: str, on: Ground) -> list[Text]:
    """Return what of a ground a clause may rest on: what holds, what held, or both."""
    if not on.past:
        return [on.now]
    if _FROM_TO.search(clause) or _INSTEAD.search(clause):
        return [_joined(on)] if _right_way(clause, on) else []
    if former(clause):
        return list(on.past)
    return [on.now, *on.past] if once_said(clause) else [on.now]


def message(said: str, *, asked: bool = False) -> Ground:
    """Return a message of the conversation as a ground: what it states, or all of it."""
    return Ground("", text_of(said if asked else "\n".join(stated(said))))


class Talk:
    """The messages of the conversation, each read when it is first needed, latest first."""

    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = messages
        self._read: dict[tuple[int, bool], Ground] = {}

    def stated(self) -> Iterator[Ground]:
        """Return what the messages state."""
        return self._grounds(asked=False)

    def whole(self) -> Iterator[Ground]:
        """Return the messages with their questions."""
        return self._grounds(asked=True)

    def _grounds(self, *, asked: bool) -> Iterator[Ground]:
        for number in reversed(range(len(self._messages))):
            if (number, asked) not in self._read:
                self._read[number, asked] = message(self._messages[number], asked=asked)
            yield self._read[number, asked]


def holds(text: Text, part: Part, told: Iterable[Day]) -> bool:
    """Tell whether a text, or the days that count as told, holds a hard part."""
    if held(part, [each.part for each in text.whole.parts]) or held(part, told):
        return True
    if not isinstance(part, Name):
        return False
    if part.text in text.spelled or part.sort == "han":
        return part.text in text.spelled or part.text in text.whole.text
    if part.sort != "opening":
        return False
    if shares(stem(part.text), text.whole.every):
        return True
    return not text.whole.names  # any word may open a sentence with a capital


def stands(text: Text, part: Part) -> bool:
    """Tell whether a text has a hard part in it; a word that may be a name is one here."""
    if isinstance(part, Name) and part.sort == "opening":
        told = part.text in text.spelled or shares(stem(part.text), text.whole.every)
        return told or held(part, [each.part for each in text.whole.parts])
    return holds(text, part, ())


def _joined(on: Ground) -> Text:
    joined = "\n".join(each.whole.text for each in (on.now, *on.past))
    return text_of(joined, replaced=True)


def _right_way(clause: str, on: Ground) -> bool:
    """Tell whether "from A to B" names what held before and what holds now in that order."""
    found = _FROM_TO.search(clause)
    if not found:
        return True
    before, after = read(found[1] or found[3]), read(found[2] or found[4])
    past = [each.part for text in on.past for each in text.whole.parts]
    was = all(held(each.part, past) for each in before.parts)
    return was and all(holds(on.now, each.part, on.days) for each in after.parts)


def _day(instant: datetime) -> Day:
    return Day(instant.year, instant.month, instant.day)
