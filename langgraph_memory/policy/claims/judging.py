"""The bench: everything an answer may rest on, and whether a statement rests on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from langgraph_memory.policy.claims.claim_cues import asked_in, elliptic, general, subject
from langgraph_memory.policy.claims.coordination import joins_unsaid
from langgraph_memory.policy.claims.fitting import ENOUGH_PARTS_CITED, Fit, fit, paired
from langgraph_memory.policy.claims.grounds import (
    Ground,
    Talk,
    Text,
    holds,
    text_of,
    texts,
)
from langgraph_memory.policy.claims.questions import says_nothing
from langgraph_memory.policy.language.hard_parts import Found, Name
from langgraph_memory.policy.language.meaning import Meaning
from langgraph_memory.policy.language.wording import Statement, read, shares
from langgraph_memory.text.stems import stem

NEAR = 0.7
"""Cosine from which a statement and a record mean the same, where words leave it open."""

NEAR_CITED = 0.45
"""The same where the statement cites the record."""

LEAST_WORDS = 0.3
"""Share of its words that a statement without a citation must have in common all the same."""

MOST_PIECES = 8
"""Clauses of a record that are embedded beside the whole of it."""

MOST_WORDS = 3
"""Telling words of an answer that is a value and no more: "Blue", "A red bicycle"."""

MOST_CHARACTERS = 6
"""The same of a Chinese one."""

_ASIDE = re.compile(
    r"^\W*(?:(?:and|but|so)\s+)?(?:that|this|which|so|then|you|i|we|if|let|would|do|does|have|good"
    r"|best|enjoy|need|please|just|feel|maybe|perhaps|here|there|sorry|to|for|since|as|because"
    r"|in case|what|who|where|when|how|remember|ask|check|try)\b|^\W*[我你您请]",
    re.IGNORECASE,
)
"""What goes on from what was told rather than telling more."""

_BECAME = re.compile(
    r"^\W*(?:and\s+)?(?:it|he|she|they)\s+(?:was|were|had|has been|have been|\w+ed)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"^\W*(?:and\s+)?[A-Z][a-z]+ (?:has |had |will )?(?:\w+ed|owns|leads|runs|said|wrote|chose)\b"
)
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|said|says|agreed|decided|wants?|owns?|ist|sind|est|es"
    r"|\w+ed)\b|[是在了为负]",
    re.IGNORECASE,
)
_UNFOUNDED = "nothing in memory or in this conversation says so"


@dataclass(frozen=True, slots=True)
class Bench:
    """What one answer is judged by.

    Attributes:
        records: The evidence.
        talk: The conversation.
        asked: The user's latest message.
        meaning: How near texts are.
        own: Whether that message asks of the user's own affairs.
        private: Whether it asks of what only the people around the user can know.
    """

    records: tuple[Ground, ...]
    talk: Talk
    asked: Statement
    meaning: Meaning
    own: bool = False
    private: bool = False

    def supported(self, clause: str, cited: Sequence[Ground], used: set[str]) -> bool:
        """Tell whether one ground says it, a cited one first; note in ``used`` which labels."""
        said = read(clause)
        if not said.every and not said.parts and not said.denied_parts:
            return True
        holding = [each for each in cited if self._says(said, each, cited=True)]
        used.update(each.label for each in holding)
        if holding:
            return True
        if asked := asked_in(clause):
            question = read(asked)
            if any(self._says(question, each, cited=False) for each in self.talk.whole()):
                return True
        grounds = chain(self.records, self.talk.stated())
        return any(self._says(said, each, cited=False) for each in grounds)

    def together(self, clause: str, cited: Sequence[Ground], used: set[str]) -> bool:
        """Tell whether several cited records say it together, each of them its share."""
        if len(cited) < 2:
            return False
        said = read(clause)
        joined = text_of("\n".join(each.now.whole.text for each in cited))
        days = [day for each in cited for day in each.days]
        if not fit(said, joined, days).enough(cited=True):
            return False
        used.update(each.label for each in cited if self.touches(clause, each))
        return True

    def _says(self, said: Statement, on: Ground, *, cited: bool) -> bool:
        for text in texts(said.text, on):
            found = fit(said, text, on.days)
            if not found.readable:
                if found.allowed and (cited or found.share == 1.0):
                    return True
                continue
            if not found.allowed or (not cited and not self._in_context(said, text)):
                continue
            if self._elsewhere(found, on):
                continue
            if found.enough(cited=cited) or self._means(said, text, found, cited=cited):
                return True
        return False

    def _elsewhere(self, found: Fit, on: Ground) -> bool:
        """Tell whether what a ground lacks is what another says: Lina owns, the budget."""
        strays = sum(
            any(shares(word, each.now.whole.every) for each in self.records if each is not on)
            for word in found.left
        )
        if found.held >= ENOUGH_PARTS_CITED:
            return False
        kept = found.share * (len(found.left) / (1 - found.share)) if found.left else 1
        return strays > 0 and kept < 2 * strays

    def _means(self, said: Statement, text: Text, found: Fit, *, cited: bool) -> bool:
        if said.tongue != "english" or not said.every or (not cited and found.share < LEAST_WORDS):
            return False
        pieces = [each.bare for each in text.clauses[:MOST_PIECES]]
        near = self.meaning.near(said.bare, [text.whole.bare, *pieces])
        return near >= (NEAR_CITED if cited else NEAR)

    def _in_context(self, said: Statement, text: Text) -> bool:
        """Tell whether a bare value rests on a text that the question is about."""
        if said.every or not self.asked.every:
            return True
        asked = self.asked.every
        grounds = [each.now.whole.every for each in self.records]
        if not any(shares(word, words) for word in asked for words in grounds):
            return True
        return any(shares(word, text.whole.every) for word in asked)

    def mispaired(self, whole: str, cited: Sequence[Ground]) -> bool:
        """Tell whether a stretch that a record holds in pieces joins what it does not join."""
        said = read(whole)
        told = (each.now for each in chain(self.records, self.talk.stated()))
        return joins_unsaid(said, told) or any(
            paired(said, each.now.whole) for each in cited or self.records
        )

    def about_a_record(self, clause: str) -> bool:
        """Tell whether a clause without a cue states something of what memory is about."""
        said = read(clause)
        if general(clause) or not (said.parts or said.denied_parts):
            return False
        words, definite = subject(clause)
        values = [each for each in said.parts if not isinstance(each.part, Name)]
        if elliptic(clause) or (not words and len(said.every) < 2 + (said.tongue == "han")):
            return bool(values) and (self.own or self._asked_of_records())
        about = read(words)
        named = [each for each in said.names if each.text in words]
        if named and any(_names(named) <= _names(each.now.whole.names) for each in self.records):
            return True
        asked = any(shares(word, self.asked.every) for word in about.words)
        if not about.words or not (definite or (asked and not words.rstrip().endswith("s"))):
            return False
        return any(
            sum(shares(word, each.now.whole.every) for word in about.words)
            >= 0.6 * len(about.words)
            for each in self.records
        )

    def answers(self, clause: str) -> bool:
        """Tell whether a clause at the beginning answers what the world at large cannot know.

        It does with a value that stands in no ground and no message, or with a few words and no
        more, of which no ground knows any. Where memory has nothing at all for such a question,
        any word that the question has not is an answer.
        """
        if not (self.own or self.private):
            return False
        said = read(clause)
        if any(self._nowhere(each) for each in said.parts):
            return True
        if said.parts and (self.records or not self.private):
            return False
        if self.private and not self.records and _tells(clause):
            return not any(self._known(said, each) for each in self.talk.stated())
        few = len(said.every) <= (MOST_CHARACTERS if said.tongue == "han" else MOST_WORDS)
        if not said.every or not few or says_nothing(clause):
            return False
        return not any(self._known(said, each) for each in (*self.records, *self.talk.stated()))

    def adds(self, clause: str) -> bool:
        """Tell whether a clause adds to what a record was cited for, without a label of its own.

        It does with a name or a value that stands nowhere, or by telling what became of it.
        """
        if not (self.own or self.private) or general(clause) or _ASIDE.match(clause):
            return False
        return bool(_BECAME.match(clause) or _SOMEBODY.match(clause)) or any(
            map(self._nowhere, read(clause).parts)
        )

    def _nowhere(self, value: Found) -> bool:
        grounds = chain(self.records, self.talk.whole())
        return not any(
            holds(text, value.part, each.days)
            for each in grounds
            for text in (each.now, *each.past)
        )

    def _known(self, said: Statement, on: Ground) -> bool:
        """Tell whether a ground has any of a few words, or means about the same."""
        if said.tongue == "han":
            return any(word in on.now.whole.text for word in said.every)
        told = on.now.whole.every | {stem(word) for word in on.now.spelled}
        if any(shares(word, told) for word in said.every):
            return True
        return self.meaning.near(said.text, [on.now.whole.text]) >= NEAR_CITED

    def _asked_of_records(self) -> bool:
        known = [each.now.whole.every for each in self.records]
        return any(shares(word, words) for word in self.asked.every for words in known)

    def touches(self, clause: str, on: Ground) -> bool:
        """Tell whether a clause has anything in common with a record."""
        said = read(clause)
        for text in (on.now, *on.past):
            found = fit(said, text, on.days)
            if not found.readable or (said.every and found.share > 0):
                return True
            if len(found.missing) < len(said.parts):
                return True
        return self.meaning.near(clause, [on.now.whole.text]) >= NEAR_CITED

    def reason(self, clause: str, cited: Sequence[Ground]) -> str:
        """Say why, by the record that is nearest."""
        said = read(clause)
        fits = [(fit(said, each.now, each.days), each) for each in (cited or self.records)]
        near = max(fits, key=lambda pair: (pair[0].share, -len(pair[0].missing)), default=None)
        if near is None or near[0].share == 0.0:
            return _UNFOUNDED
        return _why(*near, said)


def _tells(clause: str) -> bool:
    """Tell whether a clause says something of somebody or something."""
    return bool(_TELLS.search(clause)) and not _ASIDE.match(clause)


def _names(found: Sequence[Found]) -> set[str]:
    return {each.part.text for each in found if isinstance(each.part, Name)}


def _why(found: Fit, on: Ground, said: Statement) -> str:
    if any(fit(said, each).allowed for each in on.past):
        return f"[{on.label}] said so earlier and was replaced since"
    if found.against:
        return f"[{on.label}] speaks against it: {found.against}"
    if found.missing:
        return f"[{on.label}] does not say “{found.missing[0].text}”"
    return _UNFOUNDED
