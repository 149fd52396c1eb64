"""Does an answer side with a record against the user's latest words?

It does where it denies what the user says now ("not Monday", "Bob is wrong"), sends the user to
what the record names ("Ask Lina"), or cites the record for a value that it gives as the answer.
To have both values in it is not enough: "on Friday, not Monday" names both, and decides wrongly.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.wording import read
from langgraph_memory.policy.updates.attributes import plain, words
from langgraph_memory.policy.updates.contradiction import Conflict

_WRONG = (
    r"(?:wrong|incorrect|false|impossible|mistaken|a mistake|an error|inaccurate"
    r"|not (?:right|correct|true|possible|so))"
)
_YOU_ERR = re.compile(
    r"^\W*(?:no\W+|sorry\W+|but )*(?:that|this|it|you|what you (?:say|said))"
    r"(?:['’]s|['’]re| is| are)"
    rf"\s+(?:\w+\s+)?{_WRONG}\b|^\W*(?:你|您)(?:说|记|弄|搞)错了|^\W*(?:那|这)?(?:不对|是错的)",
    re.IGNORECASE,
)
_IS = r"(?:is|was|can(?:not|['’]t) be|seems|sounds)"
_NOT = (
    r"(?:\b(?:not|never|nor|no longer|isn['’]t|wasn['’]t|aren['’]t|instead of|rather than"
    r"|as opposed to)\s+(?:(?:on|in|at|by|to|the|an?|your|our|my|with|for|from)\s+){0,2}"
    r"|(?:不是|并非|而非|不在|不叫|不为)\s*)[\"“'‘]?"
)
_GO = (
    r"\b(?:ask|contact|call|e-?mail|message|ping|see|reach|talk to|speak (?:to|with)|check with"
    r"|get in touch with|reach out to|turn to|go to|write to"
    r"|(?:refer|direct|send)\w* [\w ]{1,20} to)\s+"
)
_FOR_IT = r"(?:\W*$|\W*\s+(?:about|instead|rather|since|as|because|who|for)\b)"
_GONE = re.compile(
    r"(?:\b(?:from|instead of|rather than|than|not|no longer|nor|replac\w+|formerly|before)"
    r"\s+(?:\w+\s+){0,2}|不是|而非)[\"“'‘]?$",
    re.IGNORECASE,
)
_FRAME = words("it that this one you your i my is are do does")


def value_pattern(value: str) -> re.Pattern[str]:
    """Return what finds a value as words of its own: "Hanna" has no "Anna", $500 no $50."""
    inner = r"[^\W\u3400-\u9fff]"  # Chinese words have no borders
    before = rf"(?<!{inner})(?<!\d[.,:])" if re.match(inner, value) else ""
    after = rf"(?!{inner})(?![.,:]\d)" if re.search(rf"{inner}$", value) else ""
    return re.compile(f"{before}{re.escape(value)}{after}", re.IGNORECASE)


def cites(sentence: str, conflict: Conflict) -> bool:
    """Tell whether a sentence has the label of the record in it."""
    return f"[{conflict.label}]" in sentence


def takes_back(sentence: str, conflict: Conflict, content: str) -> bool:
    """Tell whether a sentence denies what the user says now.

    Args:
        sentence: Without labels.
        conflict: What the user says, and what the record does.
        content: All of the record.
    """
    if _YOU_ERR.search(sentence):
        return True
    if conflict.said == conflict.clause:
        return False  # no value of its own
    said = value_pattern(conflict.said).pattern
    wrong = rf"{said}[\"”'’]?\s+{_IS}\s+(?:\w+\s+)?{_WRONG}\b"
    if re.search(rf"{_NOT}{said}|{wrong}", sentence, re.IGNORECASE):
        return True
    return any(_denies(each, conflict, content) for each in re.split(r"[,;，；。]\s*", sentence))


def sides(clause: str, conflict: Conflict, *, cited: bool) -> bool:
    """Tell whether a clause gives the record's value as what holds.

    Args:
        clause: Of an answer, without labels; one that says how it is.
        conflict: What the user says, and what the record does.
        cited: Whether the record is cited for it.
    """
    if conflict.said == conflict.clause or value_pattern(conflict.said).search(clause):
        return False
    recorded = value_pattern(conflict.recorded)
    if re.search(f"{_GO}{recorded.pattern}{_FOR_IT}", clause, re.IGNORECASE):
        return True
    found = recorded.search(clause)
    return bool(cited and found and not _GONE.search(clause[: found.start()]))


def _denies(clause: str, conflict: Conflict, content: str) -> bool:
    """Tell whether a clause says of the user's value that it is not what the record is about."""
    said = read(clause)
    if not (said.denied or said.denied_parts):
        return False
    if not value_pattern(conflict.said).search(clause):
        return False
    return words(plain(clause)) <= words(content) | words(conflict.said) | _FRAME
