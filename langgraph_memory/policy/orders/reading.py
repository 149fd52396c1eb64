"""A message read sentence by sentence: the orders in it, and what else it asks.

Each order is one of the message's, in the order in which it stands there, so that its number
names it for good. To remember takes along the statements that follow; thanks belong to nothing.
What is quoted, is code, or is given to be translated or summed up, orders nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langgraph_memory.policy.orders import phrases
from langgraph_memory.policy.orders.commands import Command, Order, parse
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
    r"|note|never)\b)"
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


def read(message: str) -> Reading:
    """Return the orders in a message, by rule, and what else it asks."""
    orders: list[Command] = []
    others: list[Piece] = []
    left = pieces(message)
    unread, left = left[LOOKED_AT:], left[:LOOKED_AT]
    while left and len(orders) < MOST:
        piece = left.pop(0)
        if _is_introduced(message, piece):
            others += [piece, *left]
            left = []
            break
        taken, count, asked = _ordered(message, piece, left)
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
    message: str, piece: Piece, following: list[Piece]
) -> tuple[list[Command], int, Piece | None]:
    """Return a sentence's orders, how many of the next it takes along, and what else it asks."""
    if not piece.own or piece.listed:
        return [], 0, None
    body, asked = _without_question(piece)
    parts = _parts(body)
    found = [each for each in map(_command, parts) if each is not None]
    if len(found) == len(parts) and found:
        last, count = found[-1], 0
        if last.order is Order.REMEMBER and asked is None:
            count = _taken_along(following, leading=bool(_LEADS.match(body)))
        if count:
            end = following[count - 1].end
            longer = _command(parts[-1] + message[piece.end : end])
            found[-1] = longer if longer is not None else last
        return found, count, asked
    if following and phrases.DENIES.fullmatch(body):  # "That's wrong." and then what is right
        whole = _command(message[piece.start : following[0].end])
        if whole is not None and not _goes_its_own_way(following[0], leading=False):
            return [whole], 1, None
    if following and body.endswith((":", "：")):  # "Remember:" and what is meant below
        count = _taken_along(following, leading=True)
        whole = _command(message[piece.start : following[count - 1].end]) if count else None
        if whole is not None and whole.order in (Order.REMEMBER, Order.SKIP):
            return [whole], count, None
    return [], 0, None


def _also_to_go(piece: Piece) -> list[Command]:
    """Return the order that goes on after one to forget: "And my phone number."."""
    found = _AND_THAT.fullmatch(piece.text)
    return [Command(Order.FORGET, found[1].strip())] if found else []


def _is_introduced(message: str, piece: Piece) -> bool:
    """Tell whether a sentence, and what follows it, is a text that somebody wrote."""
    if piece.start == 0 and LETTER.search(message, 0, _LONGEST_LETTER):
        return True
    follows = TEXT_FOLLOWS.match(piece.text) and _command(piece.text) is None
    return bool(follows or ANNOUNCES.match(piece.text))


def _command(text: str) -> Command | None:
    text = without_thanks(text).rstrip(";； ")
    return parse(text) or parse(OPENER.sub("", text, count=1))


def _taken_along(following: list[Piece], *, leading: bool) -> int:
    """Return how many of the next sentences belong to what is to be remembered."""
    for count, each in enumerate(following):
        if not (leading and each.listed) and _goes_its_own_way(each, leading=leading):
            return count
    return len(following)


def _goes_its_own_way(piece: Piece, *, leading: bool) -> bool:
    text = piece.text
    if not piece.own:
        return not leading
    if is_small_talk(text) or is_question(text) or _command(text) is not None:
        return True
    return is_request(text) or (is_commanding(text) and not leading)


def _parts(body: str) -> list[str]:
    """Return the orders that one sentence joins by "and", as texts."""
    hidden = masked(body)
    parts: list[str] = []
    start = 0
    for joint in _NEXT.finditer(hidden):
        before, after = body[start : joint.start()], body[joint.end() :]
        if before.strip() and len(parts) < MOST and _joins(before, joint[0], after):
            parts.append(before)
            start = joint.end()
    return [*parts, body[start:]]


def _joins(before: str, joint: str, after: str) -> bool:
    """Tell whether two orders meet, and not two verbs: "that I drink and forget my keys"."""
    first = _command(before)
    if first is None or _command(after) is None:
        return False
    if first.order is not Order.REMEMBER or ";" in joint or "；" in joint or _THEN.search(joint):
        return True
    return bool(_SURELY.match(after)) or not _DOERS.match(first.argument)


def _without_question(piece: Piece) -> tuple[str, Piece | None]:
    """Return a sentence without the question that "and" joins to its order, and that question."""
    if piece.text.endswith(("?", "？")):
        for joint in _ASKING_NEXT.finditer(masked(piece.text)):
            before = piece.text[: joint.start()]
            polite = _command(before) or _command(f"{before}?")
            if polite is not None:
                start = piece.start + joint.end()
                return before, Piece(start, piece.end, piece.text[joint.end() :])
    if told := _TELL_ME.search(masked(piece.text)):
        before, start = piece.text[: told.start()], piece.start + told.end()
        if _command(before) is not None:
            return before, Piece(start, piece.end, piece.text[told.end() :])
    return piece.text, None
