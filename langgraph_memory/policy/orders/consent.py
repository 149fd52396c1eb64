"""Did the user ask for what a model understood?

A model can be talked into a call by a text that was recalled or quoted. So a call counts only
where the user's own message, without what it quotes, asks for that sort of thing, says what is
to be kept with the same numbers and the same yes or no, and names what is to go or change.

The words of asking are known in fifteen languages (``cues``). In another one no rule can tell an
order from talk, and what a mistake would cost decides: to keep less is done where its
subject is named; to keep or correct, where the message says the statement word for word and
something else besides; to forget is asked back; to keep again is not done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from langgraph_memory.policy.language.languages import NAMING, languages
from langgraph_memory.policy.orders.addressed import (
    FORMED,
    is_addressed,
    is_elsewhere,
    is_reported,
    is_to_assistant,
    tells_of_keeping,
    without_memory,
)
from langgraph_memory.policy.orders.asserted import is_asserted
from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.cues import pattern, without
from langgraph_memory.policy.orders.matching import alike, holds, names, says
from langgraph_memory.policy.orders.pieces import Piece, pieces
from langgraph_memory.policy.orders.subjects import is_named
from langgraph_memory.policy.orders.talk import is_question, is_request, is_small_talk
from langgraph_memory.text.scripts import clean, fold
from langgraph_memory.text.tokens import query_terms, tokens

_QUOTED = re.compile(
    r"[\"“„«「『][^\"“”»」』\n]{0,2000}[\"“”»」』]|```.*?(?:```|\Z)|^\s*>[^\n]*",
    re.MULTILINE | re.DOTALL,
)
_OTHERS_DO = re.compile(r"\b(?:remembers|memori[sz]es|retains)\b")


class Consent(StrEnum):
    """Whether a message asks for a change."""

    GIVEN = "given"
    """It surely asks for this."""
    UNSURE = "unsure"
    """It may ask for something that cannot be undone at a glance: better asked back."""
    REFUSED = "refused"
    """It asks for such a thing, and not for this one."""
    NONE = "none"
    """It asks for no such thing."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the user's own.

    Attributes:
        text: As it was said.
        folded: In the spelling of the cues.
        asks: Whether it is a question, and no request put as one.
    """

    text: str
    folded: str
    asks: bool


def asked_for(command: Command, message: str) -> bool:
    """Tell whether a message asks for what a model understood it to ask.

    Args:
        command: What the model called for.
        message: The user's message.
    """
    return consent(command, message) is Consent.GIVEN


def consent(command: Command, message: str) -> Consent:
    """Return whether a message asks for it. Arguments as of :func:`asked_for`."""
    if command.order is Order.LIST:
        return Consent.GIVEN  # it changes nothing, and shows nobody anything but their own
    own = _QUOTED.sub(" ", message)
    spoken, sure = languages(fold(clean(own)))
    said = [each for each in _sentences(own, spoken) if not each.asks]
    heard = [each for each in said if _hears(command.order, each, spoken)]
    if not heard:
        return Consent.NONE if sure else _without_cues(command, said)
    orders = _orders(command.order, own, heard, spoken)
    if not orders:
        return _perhaps(command, heard, said, spoken)
    if _meant(command, orders, said, spoken):
        return Consent.GIVEN if _asserts(command, said) else Consent.UNSURE
    if command.order is Order.CORRECT:
        named = names(command.about, "\n".join(each.text for each in said))
        return Consent.UNSURE if command.about and named else Consent.NONE
    return Consent.UNSURE if command.order is Order.FORGET else Consent.REFUSED


def left_to_ask(commands: Sequence[Command], message: str) -> str:
    """Return what a message asks beside the orders that a model understood in it.

    Those are its questions, and requests for something else; empty where there are none.
    """
    own = _QUOTED.sub(" ", message)
    spoken, _ = languages(fold(clean(own)))
    orders = {each.order for each in commands}
    left = [
        each.text
        for each in _sentences(own, spoken)
        if each.asks
        or (is_request(each.text) and not any(_hears(one, each, spoken) for one in orders))
    ]
    return "\n".join(left[1:] if Order.LIST in orders else left)  # to ask for the list is one


def narrowed(command: Command, message: str) -> Command:
    """Return a model's order without what is not to be known.

    The subject of a rule is what the user calls it where they ask for the rule, behind "about" or
    "my". A word that only stands in the statement that is not to be kept is none.
    """
    if command.order is not Order.STOP or not command.argument:
        return command
    own = _QUOTED.sub(" ", message)
    spoken, sure = languages(fold(clean(own)))
    asking = [each.text for each in _sentences(own, spoken)
              if not sure or _hears(Order.STOP, each, spoken)]  # fmt: skip
    heads = [re.split(r"[:：]\s", each, maxsplit=1)[0] for each in asking]
    stop = pattern("stop", spoken)
    named = any(is_named(command.argument, each, stop) for each in heads)
    if named and names(command.argument, " ".join(heads)):
        return command
    return Command(Order.SKIP, command.argument)


def _sentences(own: str, spoken: tuple[str, ...]) -> list[Sentence]:
    found = []
    polite = pattern("polite", spoken)
    for each in pieces(own):
        folded = fold(clean(each.text))
        asks = is_question(each.text) and not polite.search(folded)
        found.append(Sentence(each.text, folded, asks))
    return found


def _hears(order: Order, said: Sentence, spoken: tuple[str, ...]) -> bool:
    """Tell whether a sentence has the words of an order."""
    folded = said.folded

    def has(part: str, text: str) -> bool:
        return bool(pattern(part, spoken).search(text))

    match order:
        case Order.REMEMBER:
            ways = (folded, without("polite", spoken, folded))  # "не мог бы ты" says no no
            kept = any(has("keep", without("stop", spoken, each)) for each in ways)
            return kept or has("spare", folded)
        case Order.FORGET:
            left = fold(without("told", spoken, clean(said.text).casefold()))
            return has("drop", without("spare", spoken, left))
        case Order.STOP | Order.SKIP:
            asked = without("polite", spoken, folded)
            return has("stop", without("spare", spoken, asked))
        case Order.CORRECT:
            return has("change", folded)
        case Order.RESUME:
            stopped = has("stop", folded) or has("drop", folded)
            return has("again", folded) and has("keep", folded) and not stopped
        case Order.LIST:
            return True


def _orders(
    order: Order, own: str, heard: Sequence[Sentence], spoken: tuple[str, ...]
) -> list[Sentence]:
    """Return the sentences that are said to the assistant, as an order."""
    if order not in (Order.REMEMBER, Order.FORGET, Order.STOP, Order.SKIP):
        return list(heard)
    quoted = {each.text for each in _introduced(own)}
    return [each for each in heard if each.text not in quoted and _orders_it(order, each, spoken)]


def _introduced(own: str) -> list[Piece]:
    """Return the sentences behind one that ends in a colon: somebody's words, if not the user's."""
    found = pieces(own)
    return [
        each
        for before, each in pairwise(found)
        if before.text.endswith((":", "：")) and is_reported(fold(clean(before.text)))
    ]


def _orders_it(order: Order, said: Sentence, spoken: tuple[str, ...]) -> bool:
    if order in (Order.STOP, Order.SKIP):
        return not is_reported(said.folded) and not _OTHERS_DO.search(said.folded)
    if order is Order.FORGET and is_elsewhere(said.folded):
        return False
    formed = [one for one in spoken if one in FORMED and _hears(order, said, (one,))]
    if formed:
        drop = order is Order.FORGET
        return any(is_addressed(said.folded, one, to_drop=drop) for one in formed)
    return not tells_of_keeping(said.folded)


def _perhaps(
    command: Command, heard: Sequence[Sentence], said: Sequence[Sentence], spoken: tuple[str, ...]
) -> Consent:
    """Return what counts where the words of an order stand in a sentence that is not one."""
    if command.order is not Order.FORGET:
        return Consent.NONE
    doubtful = [each for each in heard if is_to_assistant(each.folded)
                and not is_elsewhere(each.folded) and not is_reported(each.folded)]  # fmt: skip
    return Consent.UNSURE if doubtful and _meant(command, doubtful, said, spoken) else Consent.NONE


def _asserts(command: Command, said: Sequence[Sentence]) -> bool:
    """Tell whether the user says what is to be written, and not that it is wrong."""
    if command.order is not Order.CORRECT:
        return True
    spoken = [each.folded for each in said if not is_small_talk(each.text)]
    return is_asserted(spoken)


def _meant(
    command: Command, heard: Sequence[Sentence], said: Sequence[Sentence], spoken: tuple[str, ...]
) -> bool:
    """Tell whether what is asked for is what the command says."""
    match command.order:
        case Order.REMEMBER | Order.CORRECT:
            stops = {each.text for each in said if _hears(Order.STOP, each, spoken)}
            open_to = [each for each in said if each in heard or each.text not in stops]
            text = "\n".join(without("spare", spoken, each.folded) for each in open_to)
            words = "\n".join(each.text for each in open_to)
            right = command.order is Order.CORRECT
            return says(command.argument, words, text, right) and names(command.about, words)
        case Order.FORGET:
            words = "\n".join(each.text for each in said)
            return names(command.argument, words) or _covers(command.argument, heard, spoken)
        case Order.STOP:
            return names(command.argument, "\n".join(each.text for each in said))
        case _:
            return True


def _without_cues(command: Command, said: Sequence[Sentence]) -> Consent:
    """Return what counts in a language whose words of asking are not known."""
    words = "\n".join(each.text for each in said if not is_small_talk(each.text))
    match command.order:
        case Order.STOP | Order.SKIP:
            named = bool(command.argument) and names(command.argument, words, share=1.0)
            return Consent.GIVEN if named else Consent.NONE
        case Order.FORGET:
            return Consent.UNSURE if names(command.argument, words) else Consent.NONE
        case Order.REMEMBER | Order.CORRECT:
            whole = any(holds(each.folded, command.argument) for each in said)
            given = whole and names(command.about, words)
            return Consent.GIVEN if given else Consent.NONE
        case _:
            return Consent.NONE


def _covers(reference: str, heard: Sequence[Sentence], spoken: tuple[str, ...]) -> bool:
    """Tell whether a reference has every word by which the message names what is to go.

    "Forget the budget" names what a model calls "The budget is 200 euros".
    """
    known = set(tokens(reference))
    for each in heard:
        left = without_memory(without("drop", spoken, each.folded))
        named = set(query_terms(left)) - NAMING
        if named and all(one in known or any(alike(one, it) for it in known) for one in named):
            return True
    return False
