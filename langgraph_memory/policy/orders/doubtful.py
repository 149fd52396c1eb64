"""Orders that may mean something else than memory: they count where memory holds what they name.

"Change the launch to Monday" may be said of a calendar, and "delete the code" of a file. Whether
memory says anything of the launch, or the code, decides. English; Chinese has such forms among
the plain ones.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.languages import NAMING
from langgraph_memory.policy.orders import phrases
from langgraph_memory.policy.orders.addressed import is_elsewhere
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.imperatives import CHANGE, DROP
from langgraph_memory.policy.orders.unclear import without_pleasantries
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.tokens import query_terms

LONGEST = 300
"""Characters of a sentence that is looked at."""

_S = re.IGNORECASE | re.DOTALL
_LEAD = (
    r"\s*(?:please[,\s]+)?(?:(?:i(?:['’]d| would) like you to|i (?:want|need) you to"
    r"|(?:can|could|would|will) you(?: please| kindly)?|you (?:can|should|must|may|need to))\s+"
    r"(?:please\s+)?)?"
)
_ABOUT = r"(?P<about>[^\n:：,;.]{1,80}?)"
_VALUE = r"(?:(?:it|that)(?:['’]s|\s+(?:is|should be))(?:\s+now)?\s+)?(?P<new>\S.*)"
_CHANGES = (
    re.compile(rf"{_LEAD}(?:{CHANGE})\s+{_ABOUT}\s+(?:to|into|as)(?:\s+be)?\s+{_VALUE}$", _S),
    re.compile(
        rf"{_LEAD}(?:{CHANGE})\s+{_ABOUT}\s*(?:[:：=]|[,;—–]\s(?=it['’]?s?\b))\s*{_VALUE}$", _S
    ),
    re.compile(rf"{_LEAD}(?:replace|substitute|swap)\s+{_ABOUT}\s+(?:with|by|for)\s+{_VALUE}$", _S),
)
_DROPS = re.compile(
    rf"{_LEAD}(?!forget\b)(?:{DROP})\s+(?:(?:everything|anything|all|whatever|what)\s+"
    r"(?:(?:that\s+)?(?:you|i)\s+\w+\s+)?(?:about|on|of)\s+)?(?P<what>[^\n:：,;.]{1,80}?)[\s.!]*$",
    _S,
)
_SHARED = re.compile(
    rf"(?P<verb>{_LEAD}(?:{CHANGE}))\s+(?P<first>(?:(?!\sto\s).)+?\sto\s(?:(?!\sto\s).)+?)"
    r"(?:\s*,\s*and|\s*,|\s+and)\s+(?P<rest>(?:the|my|our|his|her|their)\s.{1,200}?\sto\s.+)",
    _S,
)


def doubtful(text: str) -> Command | None:
    """Return the order that a sentence is if memory holds what it names, marked as doubtful."""
    if len(text) > LONGEST:
        return None
    if phrases.ASKS.search(text) and not phrases.WISH.match(text):
        return None
    text = text.rstrip("?？ \t\r\n")
    for pattern in _CHANGES:
        if (found := pattern.match(text)) and _names_something(found["about"]):
            about = phrases.FROM.sub("", found["about"]).strip()
            new = without_pleasantries(found["new"]).strip(' \t\r\n.!"“”')
            if not new or _is_elsewhere(f"{about} {new}"):
                return None
            return Command(Order.CORRECT, new, about, doubtful=True)
    if _is_elsewhere(text):
        return None
    if (found := _DROPS.match(text)) and _names_something(found["what"]):
        return Command(Order.FORGET, found["what"].strip(' "“”'), doubtful=True)
    return None


def subject_terms(subject: str) -> set[str]:
    """Return the words by which a subject is known: "my", "the" and the like are none."""
    return {each for each in query_terms(subject) if each not in NAMING}


def each_change(text: str) -> list[str]:
    """Return the corrections that share one verb: "Correct the code to 43 and my name to Kim"."""
    found = _SHARED.match(text)
    if found is None:
        return [text]
    verb = found["verb"]
    return [f"{verb} {found['first']}", *each_change(f"{verb} {found['rest']}")]


def _is_elsewhere(text: str) -> bool:
    return is_elsewhere(fold(clean(text)))


def _names_something(subject: str) -> bool:
    return bool(subject_terms(subject))
