"""Whether two statements say the same in other words.

A false alarm is worse than a miss: it hides a second fact behind the first, while a miss only
keeps one fact twice. So nothing is measured here. A statement is rewritten, step by step, by
turns of phrase that keep what it says whatever the words in it are; two statements say the
same where this leads both to the very same words in the same order. Any word that is left over
in one of them (a "not", a "maybe", another name, number, unit, person, tense, direction) makes
them two facts, and so does any difference that no rule knows, or a capital that may tell
something (``language.spelling``).

What cannot be told from the words alone is never a paraphrase: what happened on no named day
may have happened twice, "tomorrow" and "here" mean another day and place each time, "he" may be
somebody else. English, and Chinese by rules of its own; in other languages only a repeat in the
same words is known again, which is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.policy.language.spelling import spelled_alike
from langgraph_memory.policy.paraphrases.forms import english_forms
from langgraph_memory.policy.paraphrases.han import CHANGED_HAN, han_form
from langgraph_memory.policy.paraphrases.words import CHANGED
from langgraph_memory.text.scripts import clean

LONGEST = 240
"""Characters of a statement up to which it is rewritten: a longer one says many things."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[a-z]{3,}|[\u3400-\u9fff]")
_KEPT = CHANGED | CHANGED_HAN
_DIGITS = re.compile(r"\d+")
_OTHERWISE = re.compile(
    r"\d\s?(?:[ap]\.?m|:|[-/.]\d|\s?o'clock|st|nd|rd|th|k|m)|[\u3400-\u9fff]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred"
    r"|thousand|million|dozen|noon|midnight|midday|first|second|third|\w+th"
    r"|january|february|march|april|june|july|august|september|october|november|december)\b"
)
"""A value that may be written in other digits, or in none."""

_ANCHOR = 4
"""Letters of a word that its forms have in common."""


class Paraphrase:
    """A new statement, to be held against what is known.

    It is read when it is first asked, and once.
    """

    def __init__(self, new: str) -> None:
        self._text = new
        self._folded = new.lower() if len(new) <= LONGEST else ""
        self._anchors = list(_anchors(self._folded))
        self._forms: frozenset[str] | None = None

    def says(self, old: str) -> bool:
        """Tell whether it says what ``old`` says, and nothing else."""
        if not self._folded or len(old) > LONGEST or not self._may_say(old.lower()):
            return False
        if not self.comparable or self._read().isdisjoint(forms(old)):
            return False
        return spelled_alike(self._text, old)

    @property
    def comparable(self) -> bool:
        """Whether it may be known again in other words at all."""
        return bool(self._read())

    def _read(self) -> frozenset[str]:
        if self._forms is None:
            self._forms = forms(self._text)
        return self._forms

    def _may_say(self, old: str) -> bool:
        """Pass by where one lacks a word of the other that no rule changes: nearly always."""
        return (
            all(each in old for each in self._anchors)
            and all(each in self._folded for each in _anchors(old))
            and _digits_agree(self._folded, old)
        )


def forms(text: str) -> frozenset[str]:
    """Return what a statement is rewritten to, none where it cannot be compared.

    Each form is a whole statement; "Anna is my wife" has two, as it says what she is called.
    """
    said = clean(text).strip()
    if not said or len(said) > LONGEST:
        return frozenset()
    return han_form(said) if _HAN.search(said) else english_forms(said)


def _anchors(folded: str) -> Iterator[str]:
    """Yield the beginnings of the words that are in every statement that says the same."""
    return (word[:_ANCHOR] for word in _WORD.findall(folded) if word not in _KEPT)


def _digits_agree(one: str, other: str) -> bool:
    """Tell whether two folded texts have the same digits, or may write a number otherwise."""
    here, there = (_DIGITS.findall(each.replace(",", "")) for each in (one, other))
    if sorted(here) == sorted(there):
        return True
    return bool(_OTHERWISE.search(one) or _OTHERWISE.search(other))


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two statements say the same."""
    return Paraphrase(one).says(other)
