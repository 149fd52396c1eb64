"""Messages between a home's process and the child that owns its Chroma folder.

A message is a JSON head and a raw body, each preceded by its length (two little-endian
uint32 before both). Numbers travel in the body: float32 vectors and cosines, int64 rows,
little-endian both.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

_LENGTHS = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class Message:
    """A request or a reply.

    Attributes:
        head: ``id`` and ``op`` in a request; ``id`` and the answer, or ``error``, in a reply.
        body: Raw numbers, laid out as the operation says.
    """

    head: dict[str, Any]
    body: bytes = b""


def write(stream: BinaryIO, message: Message) -> None:
    """Send a message whole."""
    head = json.dumps(message.head).encode()
    stream.write(b"".join((_LENGTHS.pack(len(head), len(message.body)), head, message.body)))
    stream.flush()


def read(stream: BinaryIO) -> Message | None:
    """Return the next message; None when the other side is gone, even in mid-message."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_size, body_size = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_size), stream.read(body_size)
    if len(head) < head_size or len(body) < body_size:
        return None
    return Message(json.loads(head), body)
