"""What a user asks of memory itself, told from ordinary talk by rule.

Only the start of a sentence is looked at, and only plain forms: a sentence that merely
mentions remembering is not an order to remember. ``policy.orders.reading`` reads whole messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from langgraph_memory.policy.orders import naming_memory, phrases, subjects
from langgraph_memory.policy.orders.addressed import is_elsewhere
from langgraph_memory.policy.orders.unclear import without_pleasantries
from langgraph_memory.text.scripts import clean, fold


class Order(StrEnum):
    """What memory is asked to do."""

    REMEMBER = "remember"
    CORRECT = "correct"
    FORGET = "forget"
    STOP = "stop remembering"
    SKIP = "keep nothing of this"
    RESUME = "remember again"
    LIST = "list"

    @property
    def changes(self) -> bool:
        """Whether it changes what memory says or lets in, so that a reviewer may want to see it.

        To keep less is never held up; to keep again is.
        """
        return self in (Order.REMEMBER, Order.CORRECT, Order.FORGET, Order.RESUME)


@dataclass(frozen=True, slots=True)
class Command:
    """An order, and what it is about.

    Attributes:
        order: What to do.
        argument: The statement to keep, the memory to forget, or the subject to stop with,
            empty where the conversation itself is meant. In an order to keep nothing of the
            message itself, what it says: to look for, never to write down.
        about: In a correction, which memory is wrong; empty where the words must tell.
        doubtful: Whether it may be meant for something else than memory: then it counts only
            where memory holds what it names, and deletes nothing without being asked back.
        version: The version of the memory that was shown when this was approved: another one is
            left as it is. 0 where none was.
    """

    order: Order
    argument: str = ""
    about: str = ""
    doubtful: bool = False
    version: int = 0


def parse(text: str) -> Command | None:
    """Return the command a sentence is, or None for ordinary talk."""
    if phrases.LIST.match(text):
        return Command(Order.LIST)
    if phrases.RESUME.match(text):
        return Command(Order.RESUME)
    if naming_memory.means_everything(text):
        return Command(Order.FORGET, EVERYTHING)
    if gone := naming_memory.gone_from_memory(text):
        return Command(Order.FORGET, _unquoted(gone))
    if phrases.ASKS.search(text):
        wished = any(each.match(text) for _, patterns in _NAMED for each in patterns)
        if not phrases.ASKED_POLITELY.match(text) and not (wished and phrases.WISH.match(text)):
            return None
        text = text.rstrip("?？ \t\r\n")
    return _stop(text) or _correct(text) or _named(text)


def _stop(text: str) -> Command | None:
    for pattern in phrases.STOP_TOPIC:
        found = pattern.match(text.rstrip(_AROUND))
        if found and not is_elsewhere(fold(clean(found[1]))):
            return stopping(_STOCK.sub("", found[1].strip()), named=False)
    for pattern in phrases.STOP:
        if found := pattern.match(text.rstrip(_AROUND)):
            group = next((at for at, each in enumerate(found.groups(), 1) if each), 0)
            named = subjects.ABOUT_BEFORE.search(text[: found.start(group)])
            return stopping(found[group] if group else "", named=named is not None)
    return None


def stopping(what: str, *, named: bool = True) -> Command:
    """Return the order not to keep something, given what the user, or a model, calls it.

    A rule holds a subject ("my health"), never what is not to be known: of "this: I have
    diabetes" and "that I have diabetes" nothing is to be kept, and no rule is made; of "my
    health, I have diabetes" the subject is what stands before.

    Args:
        what: What they call it.
        named: Whether it stands behind "about". If not, only "my …" and the like are subjects:
            of "pregnant" nothing is to be kept.
    """
    subject = _subject(what)
    if phrases.CONVERSATION.fullmatch(subject):
        return Command(Order.STOP)
    if said := phrases.THIS_STATEMENT.match(subject):
        return Command(Order.SKIP, said["said"] or said["said_so"])
    if phrases.STATES_ITSELF.match(subject) or subjects.PREDICATE.match(what):
        return Command(Order.SKIP, subject)
    short = _subject(phrases.BEYOND_SUBJECT.split(subject, maxsplit=1)[0])
    if phrases.CONVERSATION.fullmatch(short) and short:
        return Command(Order.STOP)
    plain = named or subjects.NOUN_PHRASE.match(short)
    if not short or not plain or len(short) > phrases.LONGEST_SUBJECT:
        return Command(Order.SKIP, subject)
    return Command(Order.STOP, short)


def _subject(text: str) -> str:
    subject = " ".join(text.strip(_AROUND).rstrip(_AFTER).split())
    return phrases.SUBJECT_END.sub("", subject)


def _correct(text: str) -> Command | None:
    for pattern in (*phrases.CORRECT_TO, phrases.CHANGE_TO):
        found = pattern.match(text)
        if found and not _is_vague(found["about"], found["new"]):
            about, new = _whole_subject(found["about"], found["new"])
            about = phrases.FROM.sub("", _stripped(about))
            new = _stripped(without_pleasantries(new))
            both = about and new and not phrases.SECOND_ORDER.search(new)
            return Command(Order.CORRECT, new, about) if both else None
    for pattern in phrases.CORRECT:
        found = pattern.match(text)
        if (
            found
            and not phrases.VAGUE.match(found[1])
            and (new := _stripped(without_pleasantries(found[1])))
        ):
            return None if phrases.SECOND_ORDER.search(new) else Command(Order.CORRECT, new)
    return None


def _whole_subject(about: str, new: str) -> tuple[str, str]:
    """Return subject and value; the "to" of "my flight to Rome" belongs to the subject."""
    further = phrases.TO_WHERE.match(new) if phrases.GOES.search(about) else None
    return (f"{about} to {further['where']}", further["new"]) if further else (about, new)


def _is_vague(about: str, new: str) -> bool:
    """Tell whether what is to be corrected is no memory."""
    number = phrases.CODE.fullmatch(about) and phrases.NUMBER.fullmatch(new)
    return bool(phrases.VAGUE.match(about)) and not number


def _named(text: str) -> Command | None:
    for order, patterns in _NAMED:
        for pattern in patterns:
            found = pattern.match(text)
            if found and not phrases.NOTHING.match(found[1]):
                return Command(order, _unquoted(found[1]))
    return None


def _unquoted(text: str) -> str:
    text = text.strip()
    return text.strip(_QUOTES).strip() if text[:1] in _QUOTES else text


def _stripped(text: str) -> str:
    """Return a subject or statement without quotes around it and stops behind it."""
    return _unquoted(text).rstrip(_AROUND).strip()


EVERYTHING = "everything"
"""What an order to forget all of it names."""

_NAMED = (
    (Order.REMEMBER, (*phrases.REMEMBER, *naming_memory.KEEP)),
    (Order.FORGET, phrases.FORGET),
)
_STOCK = re.compile(
    r"(?<=\w)(?<!^my)(?<!^our)(?<!^his)(?<!^her)(?<!^their)(?<!personal)(?<!private)(?<!medical)"
    r"(?<!financial)\s+(?:data|information|info|details)$|\s+on file$",
    re.IGNORECASE,
)
"""What a subject is without: "my health data" is about health."""

_QUOTES = '"“”'
_AROUND = ' \t\r\n.!?。！,，;；:："“”'
_AFTER = _AROUND + "了吧"
