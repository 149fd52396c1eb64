"""What a user asks of memory itself, told from ordinary talk by rule.

Only the start of a message is looked at, and only plain forms: a sentence that merely
mentions remembering is not an order to remember.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Order(StrEnum):
    """What memory is asked to do."""

    REMEMBER = "remember"
    FORGET = "forget"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Command:
    """An order, and what it is about."""

    order: Order
    argument: str = ""


_POLITE = r"^\s*(?:please[,\s]+|could you please\s+|can you please\s+)?"
_THAT = r"\s+that\b(?!\s*[,;.!—–-]+(?:\s|$))\s*"
_REMEMBER = re.compile(
    _POLITE + r"(?:remember|note|keep in mind|don['’]?t forget|do not forget)"
    r"(?:\s+(?:this|that|the following|to self)\s*[:：]\s*|" + _THAT + r"|\s*[:：,，]\s*|\s+"
    r"(?!(?:when|how|what|who|whom|whose|which|where|why|whether|if|me|us)\b))(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REMEMBER_ZH = re.compile(
    r"^\s*请?你?(?:帮我)?(?:记住|记得|记下|别忘了|别忘记|不要忘记)[:：,，\s]*(.+)$", re.DOTALL
)
_FORGET = re.compile(
    _POLITE + r"forget(?:" + _THAT + r"|\s+(?:all\s+)?about\b\s*|\s*[:：]\s*|\s+)(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_FORGET_ZH = re.compile(  # 忘记带钥匙了, "forgot the keys", tells of the past
    r"^\s*请?你?(?:帮我)?(?:忘记|忘掉|删除)[:：,，\s]*(.+?)(?<![了。.!！\s])[。.!！\s]*$",
    re.DOTALL,
)
_LIST = re.compile(
    r"^\s*(?:what do you (?:know|remember) about me|what have you (?:remembered|stored) about me"
    r"|你知道我什么|你记得我什么)\W*$",
    re.IGNORECASE,
)
# What names nothing: "remember that for me", or "forget it, I'll walk", which is talk.
_NOTHING = re.compile(
    r"^(?:(?:it|this|that|me|us|everything|all|it all|all of (?:it|this|that))\b"
    r"(?:\s+(?:down|please|for (?:me|later|now)))?(?:\s*[,;.!—–-]+\s.*)?)?\W*$"
    r"|^(?:down|to self|please|for (?:me|later|now))\W*$"
    r"|^(?:它|这|那|这个|那个|这件事|那件事|这一点|一切|所有|全部|我)?(?:吧|了)?\W*$",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = re.compile(r"(?:[?？]|[吗呢][。.!！]?)\s*$")


def parse(text: str) -> Command | None:
    """Return the command a message is, or None for ordinary talk."""
    if _LIST.match(text):
        return Command(Order.LIST)
    if _ASKS.search(text):
        return None
    for order, patterns in (
        (Order.REMEMBER, (_REMEMBER, _REMEMBER_ZH)),
        (Order.FORGET, (_FORGET, _FORGET_ZH)),
    ):
        for pattern in patterns:
            found = pattern.match(text)
            if found and not _NOTHING.match(found.group(1)):
                return Command(order, found.group(1).strip().strip('"“”').strip())
    return None
