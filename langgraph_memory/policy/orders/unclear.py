"""Which orders are unclear: a correction without a value, another order in what is to be kept.

Nothing is changed then, and the user is asked back.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.orders.pieces import masked

_VALUE, _END = 400, 120
LONGEST = 2_000
"""Characters in which another order is looked for."""

_ORDER_BEHIND = re.compile(
    r"(?:[,;]\s*(?:and\s+)?(?:also|then|please)|\b(?:and|but)\s+(?:then|also|please))\s+"
    r"(?:(?:also|then|please)\s+)*(?:forget|remember|correct|delete|erase)\s+(?:that|about|what"
    r"|everything|the|my|our|this|it)\b"
    r"|(?:然后|另外|同时|还有|顺便)(?:[，,]\s*)?(?:请|再|帮我)*"
    r"(?:记住|忘[记掉]|更正|删[除掉]|[把将][^，。,]{1,60}?(?:改[成为]|更正|更新为|忘[记掉]|删))",
    re.IGNORECASE,
)
_TELLS_HOW = re.compile(
    r"\W*(?:to|when(?:ever)?|if|always|never|before|after|how|for|first|every|each|once)\b"
    r"|[^\n]*\n|如果|每次|当|先|要",
    re.IGNORECASE,
)
"""Steps to take, in which "then delete the cache" is no order."""

_NO_VALUE = re.compile(
    r"\b(?:i['’]?m|i am|we['’]?re|we are)\s+(?:\w+\s+)?(?:not (?:\w+\s+)?(?:sure|certain)|unsure"
    r"|uncertain)\b"
    r"|^\W*(?:not sure|no idea|unsure)\b|\b(?:have|had|got|['’]ve) no (?:idea|clue)\b"
    r"|\bi (?:really |still |just )?(?:don['’]?t|do not|can['’]?t|cannot|can not)"
    r" (?:\w+ )?(?:know|remember|recall|tell|say)\b|\bi(?:['’]ve| have)? forg[eo]t(?:ten)?\b"
    r"|^\W*(?:please\s+)?(?:check|look|verify|find out|ask|try|think|read|see|fix|correct|update)\b"
    r"|\bi['’]?(?:ll| will) (?:\w+ )?(?:tell|let|give|send|check|confirm|look|get back|come back)\b"
    r"|\b(?:something|anything|somewhere|someone|somebody) else\b|\ba different\b"
    r"|\b(?:the|a|an)\s+(?:right|correct|proper|true|real|actual|other|another|new|latest"
    r"|current)\s+(?:one|value|date|day|time|thing|answer|name|number|amount)\W*$|^\W*another\b"
    r"|^\W*(?:the (?:one|date|day|time|value)|what(?:ever)?|that which)\s+(?:that\s+)?"
    r"(?:i|we|you)\b"
    r"|不确定|不知道|不清楚|没把握|不记得|忘了|(?:再|重新)(?:查|确认|核实|检查|看)"
    r"|(?:明天|以后|之后|稍后|回头|晚点)再?(?:告诉|跟你说|说)|^(?:别的|其他的?|另一个)"
    r"|^(?:正确|对|准确|新)的(?:那个|日期|时间|值)?\W*$|我.{0,6}(?:给|告诉|说)(?:过?你?)?的(?:那个)?\W*$",
    re.IGNORECASE,
)
_POLITE = (
    r"(?:(?:i['’]?m |so |very )*sorry|apologies|my (?:bad|mistake|apologies|fault)|pardon|excuse me"
    r"|thanks|thank you|thx|cheers|no worries|no problem|不好意思|抱歉|对不起|谢谢[你您]?)"
)
_MORE = (
    r"(?:\s+(?:anyway|though|again|a lot|so much|very much|about that"
    r"|(?:for|about) (?:the|that|this|my|any|your)\b[^,.;!?\n]{0,40}))*"
)
_LEADING = re.compile(
    rf"^\W*{_POLITE}{_MORE}\s*(?:[,;:!.，。！]|\bbut\b)+\s*(?:but\s+)?", re.IGNORECASE
)
_TRAILING = re.compile(rf"\s*[,;—–，。.!！-]+\s*{_POLITE}{_MORE}[\s.!。！]*$", re.IGNORECASE)


def says_no_value(new: str) -> bool:
    """Tell whether what is said instead is nothing that a memory could say."""
    return bool(_NO_VALUE.search(new[:_VALUE]))


def without_pleasantries(new: str) -> str:
    """Return what is said instead, without the sorry or the thanks before and behind it."""
    begun = _LEADING.sub("", new)
    found = _TRAILING.search(begun, max(0, len(begun) - _END))
    return (begun[: found.start()] if found else begun).strip() or new


def holds_order(said: str) -> bool:
    """Tell whether what is to be kept may hold another order: nobody wants its words kept."""
    return not _TELLS_HOW.match(said) and bool(_ORDER_BEHIND.search(masked(said[:LONGEST])))
