"""Did the user ask for what a model understood?

A model can be talked into a call by a text that was recalled or quoted. So a call counts only
where the user's own message, without what it quotes, asks for that sort of thing, says what is
to be kept with the same numbers and the same yes or no, and names what is to go or change.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.commands import Command, Order
from langgraph_memory.text.tokens import query_terms, tokens

_I = re.IGNORECASE
_QUOTED = re.compile(r"[\"“«「『][^\"”»」』\n]{0,2000}[\"”»」』]|^\s*>[^\n]*", re.MULTILINE)
_KEEP = re.compile(
    r"\b(?:remember|memori[sz]e|note|keep|save|store|record|know that|you know|mind|forget"
    r"|souviens|retiens|note[zr]?|recuerda|guarda|merk|merke|behalte|speicher\w*|ricorda|lembr\w*)\b"
    r"|记|存|别忘|不要忘|覚え|기억",
    _I,
)
_CHANGE = re.compile(
    r"\b(?:correct\w*|wrong|incorrect|not (?:right|true|any ?more|\w+ any ?more)|no longer|actually"
    r"|chang\w*|updat\w*|moved?|now|instead|fix|mistake\w*|outdated|falsch|faux|corrig\w*|errado"
    r"|equivoc\w*|sbagliat\w*|maintenant|jetzt|ahora)\b|不对|错|改|更|现在|不再|違|変|아니",
    _I,
)
_DROP = re.compile(
    r"\b(?:forget|delet\w*|eras\w*|remov\w*|wip\w*|drop|clear|discard|get rid|purge|oubli\w*"
    r"|olvid\w*|borr\w*|vergiss|vergessen|lösch\w*|dimentic\w*|cancell\w*|esque\w*|apag\w*)\b"
    r"|忘|删|清除|抹|忘れ|消|잊|지워",
    _I,
)
_STOP = re.compile(
    r"\b(?:stop|don['’]?t|do not|never|no more|without|not (?:to )?(?:keep|remember|store|save)"
    r"|off the record|arrête|ne \w+ pas|deja|nicht|non|não)\b|别|不要|停|勿|しない|마",
    _I,
)
_AGAIN = re.compile(
    r"\b(?:again|resume|start|may|can|allow\w*|encore|wieder|otra vez|de nuevo)\b"
    r"|重新|再|继续|可以|また|다시",
    _I,
)
_CUES = {
    Order.REMEMBER: _KEEP,
    Order.CORRECT: _CHANGE,
    Order.FORGET: _DROP,
    Order.STOP: _STOP,
    Order.RESUME: _AGAIN,
}
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NOT = re.compile(r"\b(?:not|no|never|without|nor|none|neither)\b|n['’]t\b|[不没無非]", _I)
_ASKS = re.compile(r"[?？]\s*$")
_PLEASE = re.compile(r"^\W*(?:could|can|would|will|please|kindly|make sure|请|能)", _I)

OWN_WORDS = 0.75
"""The share of a statement's words that the user's message has to have, at least."""


def asked_for(command: Command, message: str) -> bool:
    """Tell whether a message asks for what a model understood it to ask.

    Args:
        command: What the model called for.
        message: The user's message.
    """
    if command.order is Order.LIST:
        return True  # it changes nothing, and shows nobody anything but their own
    own = _QUOTED.sub(" ", message)
    if not _CUES[command.order].search(own) or (_ASKS.search(own) and not _PLEASE.match(own)):
        return False
    spoken = set(tokens(own))
    if command.order in (Order.REMEMBER, Order.CORRECT):
        return _says(command.argument, own, spoken) and _names(command.about, spoken)
    return _names(command.argument, spoken)


def _says(statement: str, message: str, spoken: set[str]) -> bool:
    asked = query_terms(statement)
    if sum(each in spoken for each in asked) < OWN_WORDS * len(asked):
        return False
    if not set(_NUMBER.findall(statement)) <= set(_NUMBER.findall(message)):
        return False
    return bool(_NOT.search(statement)) or not _denied(statement, message)


def _denied(statement: str, message: str) -> bool:
    """Tell whether the message says no where the statement says yes."""
    words = set(tokens(statement))
    for clause in re.split(r"[,;.!?。，；！？]|\b(?:and|but|that|know|remember)\b", message):
        shared = words & set(tokens(clause))
        if len(shared) >= max(2, len(words) // 2) and _NOT.search(clause):
            return True
    return False


def _names(reference: str, spoken: set[str]) -> bool:
    """Tell whether most of what a reference names stands in the message."""
    asked = query_terms(reference)
    return sum(each in spoken for each in asked) * 2 >= len(asked)
