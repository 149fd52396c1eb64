"""The keys of memories: a name that somebody gave, or one made from the words."""

from __future__ import annotations

import hashlib
import re

from langgraph_memory.text.scripts import clean

_CONTENT_KEY = re.compile("c-[0-9a-f]{24}")


def content_key(content: str) -> str:
    """Return the key of a statement without a name: the same words are the same record."""
    plain = " ".join(clean(content).casefold().split())
    return "c-" + hashlib.blake2b(plain.encode(), digest_size=12).hexdigest()


def spoken_key(key: str) -> str:
    """Return what a key says in words; nothing where it was made from the statement's own."""
    return "" if _CONTENT_KEY.fullmatch(key) else key.replace("_", " ")
