"""What a correction says, as a sentence that stands by itself."""

from __future__ import annotations

import re

from langgraph_memory.policy.language.languages import languages
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.tokens import query_terms, tokens

_STATES = re.compile(
    r"\b(?:is|are|was|were|am|be|has|have|had|do|does|did|will|would|should|must|can|cannot|may"
    r"|need|needs|likes?|loves?|hates?|prefers?|wants?|lives?|works?|moved|costs?|owns?|uses?"
    r"|starts?|ends?|goes|went|gets?|got|means?|\w+n't|\w+'(?:s|m|re))\b|[是在有要会喜住搬改应需]"
    r"|\b(?:ist|sind|war|waren|bin|hat|habe|haben|hatte|betragt|heisst|heisse|wohn\w+|leb\w+|liegt"
    r"|kostet|beginnt|findet|arbeite\w*|mag|wird|gibt|est|sont|suis|etait|habite\w*|coute\w*|a lieu"
    r"|s'appelle|aime|travaille|es|esta|estoy|soy|tengo|tiene|cuesta|vivo|vive|llama|trabaj\w+"
    r"|gusta|sono|e di|vivo|abit\w+|costa|chiama|lavor\w+|sou|tenho|tem|mora|moro|chama|woon\w*"
    r"|heeft|heb|ben|heet|werk\w*|jest|jestem|sa|mam|mieszk\w+|kosztuje|nazywa|pracuj\w+)\b"
    r"|\b(?:живу|живет|зовут|работаю|стоит|равен|составляет|люблю|нравится|есть)\b"
    r"|(?:です|ます|だ|である)$|(?:이다|입니다|이야|예요|이에요|해요|합니다)[.]?$|(?<!\S)(?:है|हैं|हूँ)"
)
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LINKS = (
    (re.compile(r"(?:der|die|das|mein\w{0,2}|unser\w{0,2}|dein\w{0,2})\s"), "ist"),
    (re.compile(r"(?:le|ma|mon|notre|ton|ta)\s|l'"), "est"),
    (re.compile(r"(?:el|mi|tu|nuestr[oa])\s"), "es"),
    (re.compile(r"(?:il|lo|(?:il |la )?mi[oa])\s"), "è"),
    (re.compile(r"(?:[oa]\s+)?(?:meu|minha)\s|o\s"), "é"),
    (re.compile(r"(?:de|het|mijn|onze?)\s"), "is"),
)
"""By the article or possessive of the subject: how its language says that it is so."""

_OF = {"de": "ist", "fr": "est", "es": "es", "it": "è", "pt": "é", "nl": "is", "en": "is"}
_SHARED = re.compile(r"(?:la|les?|los|las|i|gli|os|as)\s")
"""Articles of several languages."""


def states(text: str) -> bool:
    """Tell whether a text has a verb of saying how it is, so that it stands by itself."""
    return bool(_STATES.search(fold(clean(text))))


def statement(about: str, new: str, old: str = "") -> str:
    """Return what is right now, with its subject.

    What holds the subject, or has a verb, stays as it was said. A bare value gets the subject
    before it: with the "is" of its language where an article tells which that is, else behind a
    colon.

    Args:
        about: Which memory was corrected, in the user's words; may be empty, an id or a key.
        new: What the user says instead.
        old: What the memory said, if there is one: it tells the language, too.
    """
    if not about or "_" in about or not _reads_as_subject(about) or _holds(new, about):
        return new
    if states(new):
        return new
    if _IDEOGRAPH.search(about):
        return f"{about}は{new}です" if _KANA.search(about + new) else f"{about}是{new}"
    subject, link = f"{about[0].upper()}{about[1:]}", _link(fold(clean(about)), fold(clean(old)))
    return f"{subject} {link} {new}" if link else f"{subject}: {new}"


def _link(about: str, old: str) -> str:
    """Return the "is" between a subject and its value; empty where no language is told."""
    for article, link in _LINKS:
        if article.match(about):
            return link
    spoken, sure = languages(old)
    if sure:
        return _OF.get(spoken[0], "") if len(spoken) == 1 or spoken[0] == "en" else ""
    return "" if _SHARED.match(about) or not about.isascii() else "is"


def _holds(new: str, about: str) -> bool:
    """Tell whether a statement has every word of the subject, and more."""
    subject, said = set(query_terms(about)), set(tokens(new))
    return bool(subject) and subject <= said and bool(set(query_terms(new)) - subject)


def _reads_as_subject(about: str) -> bool:
    """Tell a subject in words from an id or a code."""
    return bool(_IDEOGRAPH.search(about)) or not re.search(r"\d", about)
