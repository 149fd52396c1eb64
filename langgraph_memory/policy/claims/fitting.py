"""Whether a text says what a statement says.

All hard parts must be there, nothing may speak against it, and enough of the words must be
the same. A record is compared whole and clause by clause: "Omar leads billing; Priya leads
platform" holds every word of "Priya leads billing" and does not say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langgraph_memory.policy.claims.claim_cues import tells_when
from langgraph_memory.policy.claims.coordination import unsaid_part
from langgraph_memory.policy.claims.grounds import Text, holds, stands
from langgraph_memory.policy.claims.roles import reversed_in
from langgraph_memory.policy.language.days import Day
from langgraph_memory.policy.language.hard_parts import Found, Part, held, others
from langgraph_memory.policy.language.manner import ended, of_the_past, otherwise
from langgraph_memory.policy.language.sentences import clauses
from langgraph_memory.policy.language.wording import Statement, read, rivals, shares

ENOUGH_WORDS = 0.6
"""Share of a statement's telling words that its ground must hold."""

ENOUGH_WORDS_CITED = 0.5
ENOUGH_HAN = 0.75
"""The same of a Chinese one's characters, cited or not."""

ENOUGH_PARTS = 3
"""Hard parts, all of them held by one ground, that need no words beside them."""

ENOUGH_PARTS_CITED = 2

_IT = re.compile(r"\b(?:it|there|them|him|her)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fit:
    """How a statement fits one text.

    Attributes:
        share: Share of its telling words that the text holds, in [0, 1].
        missing: Hard parts that the text does not hold.
        against: Why the text speaks against it, in words; empty where it does not.
        readable: Whether both are in one language, so that words can be compared.
        held: How many hard parts of the statement the text holds.
        kinds: Of how many kinds they are.
        left: Telling words that the text does not hold.
        han: Whether they are Chinese characters.
        pronoun: Whether "it" stands for what the text is about.
    """

    share: float
    missing: tuple[Found, ...] = ()
    against: str = ""
    readable: bool = True
    held: int = 0
    kinds: int = 0
    left: frozenset[str] = frozenset()
    han: bool = False
    pronoun: bool = False

    @property
    def allowed(self) -> bool:
        """Tell whether nothing speaks against it and no hard part is missing."""
        return not self.missing and not self.against

    def enough(self, *, cited: bool) -> bool:
        """Tell whether the text says it, by words alone."""
        words = ENOUGH_HAN if self.han else ENOUGH_WORDS_CITED if cited else ENOUGH_WORDS
        parts = ENOUGH_PARTS_CITED if cited else ENOUGH_PARTS
        words = 0.0 if self.pronoun and self.held and len(self.left) < 2 else words
        known = self.held >= parts and self.kinds > 1
        return self.allowed and (self.share >= words or known)


def fit(said: Statement, text: Text, days: Sequence[Day] = ()) -> Fit:
    """Compare a statement with a text.

    Args:
        said: The statement.
        text: What it may rest on.
        days: Days that count as said because the statement tells when it was said.
    """
    missing = tuple(e for e in said.parts if not holds(text, e.part, _told(said, e, days)))
    if said.every and said.tongue != text.whole.tongue:
        return Fit(1.0 if said.parts and not missing else 0.0, missing, "", readable=False)
    shared = [each for each in said.every if shares(each, text.whole.every)]
    share = len(shared) / len(said.every) if said.every else 1.0
    there = [each.part for each in said.parts if stands(text, each.part)]
    present, kinds = len(there), len({type(each) for each in there})
    alike = share >= 0.5 or present >= ENOUGH_PARTS_CITED
    against = _against(said, text, missing, days) if alike else ""
    if not against and (alike or present or shared):
        against = otherwise(said, text.clauses, replaced=text.replaced)
        against = against or reversed_in(said, text.clauses)
    if not against and not missing and (alike or shared) and (part := unsaid_part(said, text)):
        against = f"it does not say “{part}”"
    left = said.every - set(shared)
    return Fit(
        share,
        missing,
        against,
        held=present,
        kinds=kinds,
        left=left,
        han=said.tongue == "han",
        pronoun=bool(_IT.search(said.text)),
    )


def _against(said: Statement, text: Text, missing: Sequence[Found], days: Sequence[Day]) -> str:
    """Return why a text about the same thing speaks against a statement."""
    for each in missing:
        if rest := others(each.part, text.whole.parts):
            return f"it says {rest[0].text}, not {each.text}"
    pair = "" if of_the_past(said.text) and ended(text.whole.text) else _opposed(said, text.whole)
    if pair:
        return f"it says the opposite about {pair}"
    if two := paired(said, text.whole) or rivals(said, text.whole):
        return f"it says {two[1]}, not {two[0]}"
    pieces = [read(each) for each in clauses(said.text)]
    return next(filter(None, (_swapped(each, text, days) for each in [said, *pieces])), "")


def paired(said: Statement, text: Statement) -> tuple[str, str] | None:
    """Return what stands beside a shared word in each: tomatoes and mint, tomatoes and basil."""
    for one, other in said.pairs:
        for mine, shared in ((one, other), (other, one)):
            if shared not in text.every or shares(mine, text.every):
                continue
            beside = {word for pair in text.pairs if shared in pair for word in pair} - {shared}
            if beside and not any(shares(each, said.every) for each in beside):
                return mine, min(beside)
    return None


def _opposed(said: Statement, text: Statement) -> str:
    for word in sorted(said.every):
        mine, theirs = (said.words, said.denied), (text.words, text.denied)
        for here, there in (mine, theirs), (mine[::-1], theirs[::-1]):
            if word in here[0] - here[1] and shares(word, there[1]) and not shares(word, there[0]):
                return word
    affirmed = [each.part for each in text.parts]
    refused = [each.part for each in text.denied_parts]
    for each in said.denied_parts:
        contrast = others(each.part, said.parts)
        if held(each.part, affirmed) or not (contrast or held(each.part, refused)):
            return each.text
    return ""


def _told(said: Statement, part: Found, days: Sequence[Day]) -> Sequence[Day]:
    """Return the days on which something was said, for a part that may tell when it was."""
    return days if tells_when(said.text, part.span[0]) else ()


def _swapped(said: Statement, text: Text, days: Sequence[Day]) -> str:
    """Return how a clause of the text says just this with another value in its place."""
    if len(text.clauses) < 2 or not said.every:
        return ""
    about = [c for c in text.clauses if all(shares(each, c.every) for each in said.every)]
    for clause in about:
        theirs = [each.part for each in clause.parts]
        wrong = [e for e in said.parts if not held(e.part, [*theirs, *_told(said, e, days)])]
        for each in wrong:
            rest = [e for e in others(each.part, clause.parts) if not _said(e.part, said)]
            if rest and not any(c is not clause and _said(each.part, c) for c in about):
                return f"it says {rest[0].text}, not {each.text}"
    return ""


def _said(part: Part, by: Statement) -> bool:
    return held(part, [each.part for each in by.parts])
