"""Where the user's latest message says another thing than a record about the same subject.

The message outranks the record; what is found here is named in the answer. Only what the message
states counts (``stating``). Two clauses are at odds where they give one subject two values
(``differences``), and where the one would take the place of the other in memory (``updates``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from langgraph_memory.policy.language.wording import Statement, read
from langgraph_memory.policy.persons import speaks_of_themselves
from langgraph_memory.policy.updates.attribute_words import OWNS
from langgraph_memory.policy.updates.attributes import plain, words
from langgraph_memory.policy.updates.differences import agrees, differ
from langgraph_memory.policy.updates.stating import stating_clauses, stating_sentences
from langgraph_memory.policy.updates.swapping import Swap
from langgraph_memory.policy.updates.update import Known, Update
from langgraph_memory.ports import Citation
from langgraph_memory.text.stopwords import ENGLISH

LONGEST = 8_000
"""Characters of a message or a record that are read."""

MOST_CLAUSES = 64
"""Clauses of a message that are compared."""

MOST_SENTENCES = 24
"""Sentences of a message that are asked whether they take the place of a record."""

_HEADING = re.compile(r"^[\w ]{1,30}: ")


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement of the message against one of a record.

    Attributes:
        clause: What the message says.
        label: The record's label.
        said: The value in the message; all it says where the rules tell no value.
        recorded: The value in the record; all of it where the rules tell no value.
    """

    clause: str
    label: str
    said: str
    recorded: str


class Told:
    """What a message states, read once, to be held against records.

    Attributes:
        statements: Its sentences that state something.
    """

    def __init__(self, message: str) -> None:
        self.statements = [
            each
            for each in stating_sentences(message[:LONGEST])
            if next(stating_clauses(each, changes=True), None)
        ]
        told = islice((c for each in self.statements for c in stating_clauses(each)), MOST_CLAUSES)
        self._clauses = [(each, read(each), Swap(each)) for each in told]
        updates = [Update(each) for each in self.statements[:MOST_SENTENCES]]
        self._updates = [each for each in updates if each.states]

    def against(self, evidence: Sequence[Citation]) -> tuple[Conflict, ...]:
        """Return where it contradicts what memory holds, in the order of the evidence."""
        if not self.statements:
            return ()  # a question, mostly: what memory holds need not be read
        return tuple(
            Conflict(clause, each.label, said, recorded)
            for each in evidence
            for clause, said, recorded in self._against(Known(each.content[:LONGEST]))
        )

    def contradicts(self, known: Known) -> bool:
        """Tell whether it says another thing than what was said before."""
        return next(self._against(known), None) is not None

    def _against(self, known: Known) -> Iterator[tuple[str, str, str]]:
        if not self.statements or speaks_of_themselves(known.text):
            return
        found: list[str] = []
        for text, mine, swap in self._clauses:
            if values := _at_odds(text, mine, swap, known):
                found.append(text)
                yield (text, *values)
        for update in self._updates:
            if not any(each in update.new for each in found) and update.replaces(known):
                clause = _telling_clause(update, known)
                yield (clause, *_values(clause, known.text))


def conflicts(message: str, evidence: Sequence[Citation]) -> tuple[Conflict, ...]:
    """Return where a message contradicts what memory holds.

    Args:
        message: The user's latest message.
        evidence: The records that were recalled for it.
    """
    return Told(message).against(evidence)


def outdated_by(evidence: Sequence[Citation], newer: Mapping[str, str]) -> tuple[Citation, ...]:
    """Return evidence, each piece marked with the newer one that still says otherwise.

    Args:
        evidence: As it reads now.
        newer: By label, the label of what was found to say otherwise; one that is gone since, or
            whose words the older piece has taken over, marks nothing.
    """
    there = {each.label: each for each in evidence}
    return tuple(
        replace(each, outdated_by=by.label)
        if (by := there.get(newer.get(each.label, "")))
        and Told(by.content).contradicts(Known(each.content))
        else each
        for each in evidence
    )


def _at_odds(text: str, mine: Statement, swap: Swap, known: Known) -> tuple[str, str] | None:
    """Return the two values of a clause and a record; none where the record says so as well."""
    values = next((pair for each in known.clauses if (pair := differ(mine, each))), None)
    if values is None and swap.replaces(known.text):
        values = _values(text, known.text)
    return None if values and any(agrees(mine, each) for each in known.clauses) else values


def _telling_clause(update: Update, known: Known) -> str:
    """Return the clause that takes the record's place; all of it where it takes more than one."""
    told = stating_clauses(update.new, changes=True)
    return next((each for each in told if Update(each).replaces(known)), update.new)


def _values(clause: str, content: str) -> tuple[str, str]:
    """Return the words by which two statements differ; all of both where there are none."""
    mine, theirs = _own_words(clause, content), _own_words(content, clause)
    telling = mine and theirs and not re.fullmatch(OWNS, theirs)
    return (mine, theirs) if telling else (clause, content)


def _own_words(one: str, other: str) -> str:
    """Return the telling words of one statement that the other has not."""
    known = words(other)
    told = re.findall(r"[\w'’.@+-]*\w", plain(_HEADING.sub("", one)))
    own = [each for each in told if words(each).isdisjoint(known)]
    return " ".join(each for each in own if each.casefold() not in ENGLISH)
