"""The keys of memories: a name that somebody gave, or one made from the words."""

from __future__ import annotations

import hashlib
import re

from langgraph_memory.text.scripts import clean

_CONTENT_KEY = re.compile("c-[0-9a-f]{24}")


def content_key(content: str, *, to_the_letter: bool = False) -> str:
    """Return the key of a statement without a name: the same words are the same record.

    Args:
        content: The statement.
        to_the_letter: Whether other capitals are other words: for what finds its words taken
            by a statement that tells another thing, such as "the code is xK9p".
    """
    plain = " ".join((content if to_the_letter else clean(content).casefold()).split())
    told = plain.encode("utf-8", "replace")
    person = b"to the letter" if to_the_letter else b""
    return "c-" + hashlib.blake2b(told, digest_size=12, person=person).hexdigest()


def spoken_key(key: str) -> str:
    """Return what a key says in words; nothing where it was made from the statement's own."""
    return "" if _CONTENT_KEY.fullmatch(key) else key.replace("_", " ")
