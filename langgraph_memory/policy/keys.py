"""The keys of memories: a name that somebody gave, or one made from the words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import dumps
from langgraph_memory.text.scripts import clean

_CONTENT_KEY = re.compile("c-[0-9a-f]{24}")


def content_key(content: str, *, to_the_letter: bool = False) -> str:
    """Return the key of a statement without a name: the same words are the same record.

    Args:
        content: The statement.
        to_the_letter: Whether other capitals are other words: for what finds its words taken
            by a statement that tells another thing, such as "the code is xK9p".
    """
    if to_the_letter:
        return _hashed(" ".join(content.split()), person=b"to the letter")
    return _hashed(_plain(content))


def episode_key(content: str, valid: Interval, fields: Mapping[str, Any]) -> str:
    """Return the key of an episode without a name: it holds the day, and what is beside the words.

    The same words of another day tell of another episode.
    """
    if valid == Interval() and not fields:
        return content_key(content)
    ends = [each.isoformat() if each else "" for each in (valid.start, valid.end)]
    return _hashed("\n".join((_plain(content), *ends, dumps(dict(fields)))))


def spoken_key(key: str) -> str:
    """Return what a key says in words; nothing where it was made from the statement's own."""
    return "" if _CONTENT_KEY.fullmatch(key) else key.replace("_", " ")


def _plain(content: str) -> str:
    return " ".join(clean(content).casefold().split())


def _hashed(plain: str, *, person: bytes = b"") -> str:
    told = plain.encode("utf-8", "replace")
    return "c-" + hashlib.blake2b(told, digest_size=12, person=person).hexdigest()
