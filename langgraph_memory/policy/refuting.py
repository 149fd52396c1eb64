"""Whether a statement says again what was deleted, or marked as false or revoked.

Case, spacing, punctuation, a "still" or an "actually" make no difference, nor do other words that
say the same (``policy.paraphrases``). What was taken back of one time says nothing of another.
"""

from __future__ import annotations

from collections.abc import Iterator

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.provenance import SourceKind
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.paraphrases.paraphrase import Paraphrase
from langgraph_memory.policy.trust import UNTRUSTED
from langgraph_memory.text.scripts import clean

_AROUND = (
    ".,;:!?\u2026\"'()[]{}*_`\u201c\u201d\u201e\u00ab\u00bb\u3002\uff0c\uff01\uff1f\uff1b\u3001"
)
_FILLING = frozenset(
    [
        *("still", "again", "also", "actually", "just", "really", "currently", "well", "btw"),
        *("so", "yes", "and", "indeed", "仍然", "还是"),
    ]
)
_DEFINITE = frozenset(("the", "my", "our"))


class Again:
    """A statement that nobody makes on purpose, to be held against what was taken back.

    Args:
        content: What is said.
        valid: When it holds.
    """

    def __init__(self, content: str, valid: Interval) -> None:
        self._plain = frozenset(_ways_round(plain(content)))
        self._meant = Paraphrase(content)
        self._valid = valid

    def says(self, content: str, valid: Interval) -> bool:
        """Tell whether it says this, of the same time as far as both are dated."""
        if Interval() not in (valid, self._valid) and valid != self._valid:
            return False
        return plain(content) in self._plain or self._meant.says(content)

    def revives(self, record: Record) -> bool:
        """Tell whether it says what a record said that was deleted or invalidated since."""
        return any(self.says(str(told), valid) for told, valid in _taken_back(record))


def meant(kind: SourceKind, *, explicit: bool) -> bool:
    """Tell whether somebody who may bring back what was taken back says it on purpose."""
    return explicit and kind not in UNTRUSTED


def plain(content: str) -> tuple[str, ...]:
    """Return the words of a statement without what makes no difference."""
    words = (each.strip(_AROUND) for each in clean(content).casefold().split())
    return tuple(each for each in words if each and each not in _FILLING)


def _ways_round(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words, and with them "the host is x" for "x is the host"."""
    yield words
    for verb in ("is", "are"):
        if words.count(verb) == 1:
            place = words.index(verb)
            before, after = words[:place], words[place + 1 :]
            if _DEFINITE.intersection((*before[:1], *after[:1])):
                yield (*after, verb, *before)


def _taken_back(record: Record) -> Iterator[tuple[object, Interval]]:
    """Yield what is not to be said again: all of a deleted record, what an invalidated one said."""
    last = record.settled
    if last is None or not last.refutes:
        return
    for each in _life_before(record, last) if last.status is Status.DELETED else (last,):
        if each.value is not None:
            yield each.value.get(CONTENT), each.valid


def _life_before(record: Record, tomb: Version) -> Iterator[Version]:
    """Yield the versions of the life that a tombstone ended, latest first."""
    for each in reversed(record.versions[: record.versions.index(tomb)]):
        if each.status is Status.DELETED:
            return
        yield each
