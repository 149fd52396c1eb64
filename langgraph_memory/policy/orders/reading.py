"""A message read sentence by sentence: the orders in it, and what else it asks.

Each order is one of the message's, in the order in which it stands there, so that its number
names it for good. To remember takes along the statements that follow; thanks belong to nothing.
What is quoted, is code, or is given to be translated or summed up, orders nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from langgraph_memory.policy.orders import phrases
from langgraph_memory.policy.orders.commands import Command, Order, parse
from langgraph_memory.policy.orders.doubtful import doubtful, each_change
from langgraph_memory.policy.orders.imperatives import is_imperative
from langgraph_memory.policy.orders.pieces import Piece, masked, pieces
from langgraph_memory.policy.orders.talk import (
    ANNOUNCES,
    LETTER,
    OPENER,
    TEXT_FOLLOWS,
    is_commanding,
    is_question,
    is_request,
    is_small_talk,
    without_lead_in,
    without_thanks,
)

MOST = 20
"""Orders taken from one message."""


LOOKED_AT = 200
"""Sentences of a message in which orders are looked for, the first ones."""

_LONGEST_LETTER = 20_000

_I = re.IGNORECASE
_NEXT = re.compile(
    r"(?:[,;]\s*(?:and|but|then|also|plus)?|\s(?:and|then|but|plus))\s+(?:then\s+|also\s+)?"
    r"(?=(?:please\s+|also\s+)?(?:remember|forget|correct|stop|don['’]?t|do not|delete|erase|keep"
    r"|note|never|change|update|set|replace|move|remove|drop|store|save)\b)"
    r"|[，,；;。]?(?:并且?|然后|还有|同时|另外|顺便|再)?(?:[，,]\s*)?(?=请?(?:记住|忘记|忘掉|忘了|更正"
    r"|别再?记|不要再?记|停止记|删除|[把将][^，。,]{1,60}?(?:改|更正|更新|修正|忘)))",
    _I,
)
_ASKING_NEXT = re.compile(
    r"(?:,\s*|\s)(?:and|but)\s+(?=(?:please\s+)?(?:(?:tell|show|give) me|(?:can|could|would) you"
    r"|(?:who|what|which|where|when|why|how)\b)|(?:is|are|do|does|did)\s)",
    _I,
)
_THEN = re.compile(r"\b(?:then|also|plus)\b|然后|还有|同时|另外|顺便", _I)
"""A joint that begins something new."""

_TELL_ME = re.compile(
    r"(?<!\s)[,;]?\s++(?:(?:and|then|also|but|plus)\s++){1,4}+(?:please\s++)?"
    r"(?=(?:tell|show|remind) me\s+(?:when|what|where|who|whose|which|how|why|whether)\b)",
    _I,
)
"""A question behind an order, without a question mark."""

_SURELY = re.compile(
    r"(?:please\s+)?(?:remember|forget)\s+(?:that|:)|.*\bplease\b|(?:stop|don['’]?t|do not|never)\b"
    r"|请|忘[记掉了]我|记住|更正|别|不要|停止",
    _I,
)
_LEADS = re.compile(
    r"\W*(?:please\s+)?(?:remember|note|keep in mind)[^:：.]{0,20}[:：]|.*[:：]\s*$"
    r"|.{0,8}记[^:：]{0,4}[:：]",
    _I | re.DOTALL,
)
"""A colon: what follows is to be remembered, whatever form it has."""

_AND_THAT = re.compile(
    r"\W*(?:and|also|plus)\s+(?:also\s+|about\s+)?((?:my|the)\s+(?:[\w'’-]+\s*){1,4})[.!]*", _I
)
_DOERS = re.compile(
    r"(?:(?:i|we|you|they|people|everyone|users|children|kids)\b|我|你|他|她|人)", _I
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message is to memory.

    Attributes:
        orders: In their order.
        rest: What it asks beside them, in its own words; the whole message if there are none,
            and empty if it asks nothing else.
    """

    orders: tuple[Command, ...] = ()
    rest: str = ""


Find = Callable[[str], Command | None]
"""Returns the order that a sentence is, or None."""


def read(message: str, counts: Callable[[Command], bool] | None = None) -> Reading:
    """Return the orders in a message, by rule, and what else it asks.

    Args:
        message: Whole, as it was said.
        counts: Tells whether a doubtful order is one; none of them is where this is omitted.
    """
    find = partial(_command, counts=counts)
    orders: list[Command] = []
    others: list[Piece] = []
    left = pieces(message)
    unread, left = left[LOOKED_AT:], left[:LOOKED_AT]
    while left and len(orders) < MOST:
        piece = left.pop(0)
        if _is_introduced(message, piece, find):
            others += [piece, *left]
            left = []
            break
        taken, count, asked = _ordered(message, piece, left, find)
        if not taken and orders and orders[-1].order is Order.FORGET:
            taken = _also_to_go(piece)
        orders += taken
        left = left[count:]
        others += [asked] if asked else [] if taken else [piece]
    if not orders:
        return Reading(rest=message)
    return Reading(tuple(orders[:MOST]), rest_of(message, [*others, *left, *unread]))


def rest_of(message: str, others: list[Piece]) -> str:
    """Return what is asked in the sentences that are no orders; empty where nothing is."""
    said = [each for each in others if not is_small_talk(each.text)]
    if not any(is_question(each.text) or is_request(each.text) for each in said):
        return ""
    return "\n".join(filter(None, (without_lead_in(each.text) for each in said)))


def _ordered(
    message: str, piece: Piece, following: list[Piece], find: Find
) -> tuple[list[Command], int, Piece | None]:
    """Return a sentence's orders, how many of the next it takes along, and what else it asks."""
    if not piece.own or piece.listed:
        return [], 0, None
    body, asked = _without_question(piece, find)
    parts = _parts(body, find)
    found = [each for each in map(find, parts) if each is not None]
    if len(found) == len(parts) and found:
        last, count = found[-1], 0
        if last.order is Order.REMEMBER and asked is None:
            count = _taken_along(following, find, leading=bool(_LEADS.match(body)))
        if count:
            end = following[count - 1].end
            longer = find(parts[-1] + message[piece.end : end])
            found[-1] = longer if longer is not None else last
        return found, count, asked
    if following and phrases.DENIES.fullmatch(body):  # "That's wrong." and then what is right
        whole = find(message[piece.start : following[0].end])
        if whole is not None and not _goes_its_own_way(following[0], find, leading=False):
            return [whole], 1, None
    if following and body.endswith((":", "：")):  # "Remember:" and what is meant below
        count = _taken_along(following, find, leading=True)
        whole = find(message[piece.start : following[count - 1].end]) if count else None
        if whole is not None and whole.order in (Order.REMEMBER, Order.SKIP):
            return [whole], count, None
    return [], 0, None


def _also_to_go(piece: Piece) -> list[Command]:
    """Return the order that goes on after one to forget: "And my phone number."."""
    found = _AND_THAT.fullmatch(piece.text)
    return [Command(Order.FORGET, found[1].strip())] if found else []


def _is_introduced(message: str, piece: Piece, find: Find) -> bool:
    """Tell whether a sentence, and what follows it, is a text that somebody wrote."""
    if piece.start == 0 and LETTER.search(message, 0, _LONGEST_LETTER):
        return True
    follows = TEXT_FOLLOWS.match(piece.text) and find(piece.text) is None
    return bool(follows or ANNOUNCES.match(piece.text))


def _command(text: str, *, counts: Callable[[Command], bool] | None) -> Command | None:
    text = without_thanks(text).rstrip(";； ")
    bare = OPENER.sub("", text, count=1)
    if sure := parse(text) or parse(bare):
        return sure
    perhaps = doubtful(bare) if counts else None
    return perhaps if counts and perhaps and counts(perhaps) else None


def _taken_along(following: list[Piece], find: Find, *, leading: bool) -> int:
    """Return how many of the next sentences belong to what is to be remembered."""
    for count, each in enumerate(following):
        if not (leading and each.listed) and _goes_its_own_way(each, find, leading=leading):
            return count
    return len(following)


def _goes_its_own_way(piece: Piece, find: Find, *, leading: bool) -> bool:
    text = piece.text
    if not piece.own:
        return not leading
    if is_small_talk(text) or is_question(text) or find(text) is not None:
        return True
    return is_request(text) or (not leading and (is_commanding(text) or is_imperative(text)))


def _parts(body: str, find: Find) -> list[str]:
    """Return the orders that one sentence joins by "and", as texts."""
    hidden = masked(body)
    parts: list[str] = []
    start = 0
    for joint in _NEXT.finditer(hidden):
        before, after = body[start : joint.start()], body[joint.end() :]
        if before.strip() and len(parts) < MOST and _joins(before, joint[0], after, find):
            parts.append(before)
            start = joint.end()
    return [one for part in (*parts, body[start:]) for one in _each_change(part, find)][:MOST]


def _each_change(part: str, find: Find) -> list[str]:
    """Return the corrections that share a verb, if each of them is one."""
    changes = each_change(part)
    found = list(map(find, changes))
    return changes if all(each and each.order is Order.CORRECT for each in found) else [part]


def _joins(before: str, joint: str, after: str, find: Find) -> bool:
    """Tell whether two orders meet, and not two verbs: "that I drink and forget my keys"."""
    first, second = find(before), find(after)
    if first is None or second is None or (second.doubtful and first.order is Order.REMEMBER):
        return False
    if first.order is not Order.REMEMBER or ";" in joint or "；" in joint or _THEN.search(joint):
        return True
    return bool(_SURELY.match(after)) or not _DOERS.match(first.argument)


def _without_question(piece: Piece, find: Find) -> tuple[str, Piece | None]:
    """Return a sentence without the question that "and" joins to its order, and that question."""
    if piece.text.endswith(("?", "？")):
        for joint in _ASKING_NEXT.finditer(masked(piece.text)):
            before = piece.text[: joint.start()]
            polite = find(before) or find(f"{before}?")
            if polite is not None:
                start = piece.start + joint.end()
                return before, Piece(start, piece.end, piece.text[joint.end() :])
    if told := _TELL_ME.search(masked(piece.text)):
        before, start = piece.text[: told.start()], piece.start + told.end()
        if find(before) is not None:
            return before, Piece(start, piece.end, piece.text[told.end() :])
    return piece.text, None
