"""Whose words are a message's, where messages carry names: the user's, or another participant's."""

from __future__ import annotations

from collections.abc import Iterable

_ANYBODY = frozenset({"", "user", "human", "me", "you"})
"""Names that frameworks give to whoever types."""


def is_users(speaker: str, user: str | None, speakers: Iterable[str]) -> bool:
    """Tell whether a message is the user's own.

    It is where it has no name or the user's: their id, or what stands before the ``@`` of it.
    Where no message of the conversation has one of these, ids are not names, and who spoke
    first is the user: a thread is theirs who opened it.

    Args:
        speaker: The name that the message carries.
        user: The user's id.
        speakers: Those of the user's messages of the conversation, in order.
    """
    if _fits(speaker, user):
        return True
    others = list(speakers)
    if any(_fits(each, user) for each in others):
        return False
    return not others or _plain(others[0]) == _plain(speaker)


def _fits(speaker: str, user: str | None) -> bool:
    name, own = _plain(speaker), _plain(user or "")
    return name in _ANYBODY or name in (own, own.partition("@")[0])


def _plain(name: str) -> str:
    return " ".join(name.replace(".", " ").replace("_", " ").casefold().split())
