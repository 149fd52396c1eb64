"""Short hashes of what is stored, for SQL to compute beside the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any
from zlib import crc32

from langgraph_memory.domain.json import loads

SIZE = 8
"""Bytes of a hash: two that differ look alike once in 2^64."""


def register(connection: sqlite3.Connection) -> None:
    """Make the hashes known to a connection."""
    connection.create_function("digest", -1, digest, deterministic=True)
    connection.create_function("told", 2, _told, deterministic=True)
    connection.create_function("version_seal", 8, version_seal, deterministic=True)
    connection.create_function("says", 9, _says, deterministic=True)
    connection.create_aggregate("together", 2, _Together)  # type: ignore[arg-type]


def digest(*values: Any) -> bytes:
    """Return the hash of values as SQLite holds them, each told from its neighbours."""
    return blake2b(b"".join(map(_fed, values)), digest_size=SIZE).digest()


def version_seal(
    row: int, number: int, value: Any, recorded_at: int, valid_from: int | None,
    valid_until: int | None, status: Any, provenance: Any,
) -> bytes:  # fmt: skip
    """Return the seal of a version: a hash of all that stays, and a sum by which it knows itself.

    A version that gives way is closed and superseded; that it was active before is what stays.
    """
    stays = _ACTIVE if status in _CLOSED else status
    whole = digest(row, number, value, recorded_at, valid_from, valid_until, stays, provenance)
    return whole + crc32(whole).to_bytes(_SUM, "big")


_SUM = 4
_ACTIVE = b"active"
_CLOSED = ("superseded", b"superseded")


def _says(own: Any, *version: Any) -> bool | None:
    """Tell whether a version says what was written; None where its seal is none, or broken."""
    if not isinstance(own, bytes) or own[SIZE:] != crc32(own[:SIZE]).to_bytes(_SUM, "big"):
        return None
    return own == version_seal(*version)


def told(texts: Sequence[str], spoken: str | None) -> bytes:
    """Return a hash for each text, the one for full text last, after a byte that says if it is."""
    if spoken is None:
        return b"\0" + b"".join(map(_hash, texts))
    return b"\1" + b"".join(map(_hash, (*texts, spoken)))


def together(bound_to: bytes, vectors: Iterable[bytes]) -> bytes:
    """Return the hash of the texts' hashes and their vectors, in the order they are given."""
    whole = _Together()
    for each in vectors:
        whole.step(bound_to, each)
    return whole.finalize()


def _told(embedded: bytes | None, spoken: bytes | None) -> bytes:
    try:
        texts = [] if embedded is None else loads(embedded.decode())
        return told(texts, None if spoken is None else spoken.decode())
    except (ValueError, TypeError, AttributeError, LookupError):  # what was never written
        return digest(embedded, spoken)


class _Together:
    """:func:`together`, for SQL."""

    def __init__(self) -> None:
        self._whole = blake2b(digest_size=SIZE)
        self._bound = False

    def step(self, bound_to: Any, vector: Any) -> None:
        if not self._bound:
            self._whole.update(_fed(bound_to))
            self._bound = True
        self._whole.update(_fed(vector))

    def finalize(self) -> bytes:
        return self._whole.digest()


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def _fed(value: Any) -> bytes:
    if value is None:
        return b"n"
    plain = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
    return len(plain).to_bytes(8, "big") + plain


def known_texts(told: bytes, texts: Sequence[str]) -> list[str] | None:
    """Return the texts a seal speaks of, found among these; None if one is not among them.

    The last may be the text for full text: see :func:`speaks_apart`.
    """
    found = {_hash(each): each for each in texts}
    hashes = [told[at : at + SIZE] for at in range(1, len(told), SIZE)]
    return [found[each] for each in hashes] if all(each in found for each in hashes) else None


def speaks_apart(told: bytes) -> bool:
    """Tell whether a sealed record has a text for full text of its own."""
    return told[:1] == b"\1"
