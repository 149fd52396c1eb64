"""How something is said: as it is now or was, for sure or perhaps, done or planned, how often.

The words and the values of two statements may agree while these do not: "$200 a month" and
"$200 a year", "she used to own it" and "she owns it", "you will move" and "I might move".
Each function compares a statement with the clauses of a text that speak of the same, and
returns what the text says otherwise, in words; empty where nothing speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from langgraph_memory.policy.language.hard_parts import held
from langgraph_memory.policy.language.wording import Statement, shares
from langgraph_memory.text.stems import stem

_UNITS = {
    "second": "second", "minute": "minute", "hour": "hour", "day": "day", "morning": "day",
    "evening": "day", "afternoon": "day", "night": "day", "week": "week", "weekend": "week",
    "monday": "week", "tuesday": "week", "wednesday": "week", "thursday": "week",
    "friday": "week", "saturday": "week", "sunday": "week", "month": "month",
    "quarter": "quarter", "year": "year", "annum": "year", "decade": "decade",
    "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "monthly": "month",
    "quarterly": "quarter", "yearly": "year", "annual": "year", "annually": "year",
    "秒": "second", "分钟": "minute", "小时": "hour", "天": "day", "日": "day", "晚": "day",
    "周": "week", "星期": "week", "月": "month", "季度": "quarter", "年": "year",
}  # fmt: skip
_UNIT = "|".join(each for each in _UNITS if each.isascii() and not each.endswith("ly"))
_RATE = re.compile(
    rf"(?:\b(?:per|each|every)|/|(?<!for)(?<!in)(?<!within)(?<!after)(?<!\btake)(?<!was)(?<!is)"
    rf"\s\ba|\ban)\s?(?P<unit>{_UNIT})\b(?!\s+(?:ago|off|later|long|before|after|old|in|of))"
    r"|\b(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b"
    r"|每(?:个)?(?P<han>秒|分钟|小时|天|日|晚|周|星期|月|季度|年)",
    re.IGNORECASE,
)

_USED_TO = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bbe )(?<!\bget )(?<!'m )(?<!'re )\bused to\b"
    r"|\bformer(?:ly)?\b|\bin the past\b(?! (?:tense|perfect))|曾经",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:quit|stop(?:s|ped)?|gave up|given up|no longer|anymore|any more|left|until|ended|over"
    r"|retired|resigned|ex)\b|不再|戒",
    re.IGNORECASE,
)
_NO_PAST = r"(?!(?:need|feed|speed|bleed|breed|seed|based|located|called|named|red|bed)\b)"
PAST = re.compile(
    rf"\b(?:was|were|had|did|once|before|previous(?:ly)?|earlier|ago|last|{_NO_PAST}\w+ed|ran|led"
    r"|taught|went|came|kept|held|sold|bought|met|wrote|chose|took|left|drove|flew|sent|paid|won"
    r"|lost|made|gave|got|built|spoke|grew|knew|spent|slept|ate|drank|rode|began|wore|became)\b"
    r"|以前|之前|原来|过了?[。，]?$",
    re.IGNORECASE,
)

_HEDGE = re.compile(
    r"\b(?:might|(?-i:may)|maybe|perhaps|possibly|probably|likely|considering|consider"
    r"|think(?:ing)? (?:about|of)|not sure|unsure|undecided|tentative(?:ly)?|hop(?:e|es|ing) to)\b"
    r"|可能|也许|或许|大概|考虑",
    re.IGNORECASE,
)
_OPEN = re.compile(
    rf"{_HEDGE.pattern}|\b(?:could|would|want(?:s|ed)?|plan(?:s|ning|ned)?|intend(?:s|ing)?|idea"
    r"|option|whether|if|possible|possibility|potential(?:ly)?|chance|hop(?:e|es|ing)|not)\b|n't\b"
    r"|打算|计划|想",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:plan(?:s|ning|ned)? to|intend(?:s|ing)? to|going to|will|wants? to"
    r"|hop(?:e|es|ing) to|would like to|have to|has to|must|need to|'ll|about to)"
    r"\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_DONE = re.compile(rf"\b(?P<verb>{_NO_PAST}[a-z]+ed|[a-z]{{2,8}})\b", re.IGNORECASE)
_YET = re.compile(
    r"\b(?:will|'ll|plan|plans|planned|planning|intend|intended|want|wanted|going|should|might"
    r"|would|hope|hoped|scheduled|due|be|if|to)\b|n't\b|\bnot\b",
    re.IGNORECASE,
)
_LEMMAS = {
    "sold": "sell", "bought": "buy", "met": "meet", "wrote": "write", "chose": "choose",
    "took": "take", "went": "go", "left": "leave", "built": "build", "sent": "send",
    "paid": "pay", "began": "begin", "made": "make", "gave": "give", "got": "get", "flew": "fly",
    "drove": "drive", "won": "win", "quit": "quit", "ran": "run", "taught": "teach",
}  # fmt: skip

# What brings a thing to an end or turns it round: its forms, and the stems that say it, too.
_TURNS = """
sell sells selling sold | sell sold sale rid
lose loses losing lost | lose lost loss misplac
quit quits quitting resign resigns resigned | quit stop resign leav left longer gave end
reject rejects rejected refuse refuses refused deny denies denied | reject refus declin deni turn
cancel cancels cancelled canceled cancelling abandon abandons abandoned scrap scraps scrapped \
| cancel abandon scrap drop withdraw call off end
postpone postpones postponed defer defers deferred \
| postpon delay defer move resched push shift chang later slip
delete deletes deleted | delet remov erase drop
destroy destroys destroyed | destroy
divorce divorces divorced | divorc
steal steals stole stolen | steal stolen stole
dismiss dismissed fired sacked | dismiss fire sack laid let
"""
_TURNED = {
    verb: frozenset(known.split())
    for verbs, _, known in (line.partition("|") for line in _TURNS.strip().splitlines())
    for verb in verbs.split()
}
_WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)


def otherwise(said: Statement, clauses: Sequence[Statement], *, replaced: bool = False) -> str:
    """Return what the clauses of a text say otherwise than a statement.

    Args:
        said: The statement.
        clauses: All of them; compared are those that have most in common with it.
        replaced: They tell what was, in words of their own day.
    """
    about = _about(said, clauses)
    if not about:
        return ""
    return (
        _other_rate(said, about)
        or ("" if replaced else _of_another_time(said, about))
        or _less_sure(said, about)
        or _not_done(said, about)
        or _turned(said, clauses)
    )


def _about(said: Statement, clauses: Sequence[Statement]) -> list[Statement]:
    """Return the clauses that have most in common with a statement; none without anything."""
    shared = [_common(said, each) for each in clauses]
    most = max(shared, default=0)
    return [each for each, has in zip(clauses, shared, strict=True) if most and has == most]


def ended(text: str) -> bool:
    """Tell whether a text says that something came to an end: "I quit smoking"."""
    return bool(_ENDED.search(text))


def of_the_past(text: str) -> bool:
    """Tell whether a text says that something held and holds no more: "you used to smoke"."""
    return bool(_USED_TO.search(text))


def _past(text: str) -> bool:
    return bool(_USED_TO.search(text) or PAST.search(text))


def _common(said: Statement, clause: Statement) -> int:
    words = sum(shares(word, clause.every) for word in said.every)
    theirs = [each.part for each in (*clause.parts, *clause.denied_parts)]
    return words + sum(held(each.part, theirs) for each in (*said.parts, *said.denied_parts))


def _other_rate(said: Statement, about: Sequence[Statement]) -> str:
    mine, theirs = _rates(said.text), {rate for each in about for rate in _rates(each.text)}
    if not mine or not theirs or mine & theirs:
        return ""
    return f"it says per {min(theirs)}, not per {min(mine)}"


def _rates(text: str) -> set[str]:
    found = (each["unit"] or each["adverb"] or each["han"] for each in _RATE.finditer(text))
    return {_UNITS[each.lower()] for each in found}


def _of_another_time(said: Statement, about: Sequence[Statement]) -> str:
    if _USED_TO.search(said.text):
        if any(_past(each.text) or ended(each.text) for each in about):
            return ""
        return "it says so of now, not of before"
    if all(_USED_TO.search(each.text) for each in about) and not _past(said.text):
        return "it says so of before, not of now"
    return ""


def _less_sure(said: Statement, about: Sequence[Statement]) -> str:
    hedges = [_HEDGE.search(each.text) for each in about]
    if not all(hedges) or _OPEN.search(said.text):
        return ""
    return f"it says “{hedges[0][0]}”" if hedges[0] else ""


def _not_done(said: Statement, about: Sequence[Statement]) -> str:
    if _YET.search(said.text):
        return ""
    planned = {
        stem(found["verb"].lower()) for each in about for found in _PLANNED.finditer(each.text)
    }
    for found in _DONE.finditer(said.text) if planned else ():
        verb = found["verb"].lower()
        lemma = stem(_LEMMAS.get(verb, verb))
        if lemma in planned and (verb in _LEMMAS or verb.endswith("ed")):
            return "it says that it is planned, not done"
    return ""


def _turned(said: Statement, clauses: Sequence[Statement]) -> str:
    known = {stem(word.lower()) for each in clauses for word in _WORD.findall(each.text)}
    for word in _WORD.findall(said.text.lower()):
        if word in _TURNED and not _TURNED[word] & known:
            return f"it does not say “{word}”"
    return ""
