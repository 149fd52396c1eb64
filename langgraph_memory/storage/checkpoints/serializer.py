"""Run state as bytes: only types that will come back as they were, and no credentials.

LangGraph names a value's class in the stored bytes and imports it when it reads them back.
By default any class is imported, so whoever can write the file can run code; in its strict
setting an unknown class quietly comes back as a plain dictionary. Here an unknown class is
refused, with its name: when it is written, while the program that knows it is still running,
and again when a file from elsewhere is read.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS, SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from langgraph_memory.errors import (
    InvalidSettingError,
    InvalidValueError,
    StorageDamagedError,
    StorageError,
)
from langgraph_memory.storage.checkpoints import wire
from langgraph_memory.storage.checkpoints.redaction import CHANNELS, Redactor, is_checkpoint

_STATE = "run state"


class StrictSerializer(JsonPlusSerializer):
    """LangGraph's own format, limited to its safe types and the ones named here.

    Args:
        path: The file the bytes belong to, for messages.
        allowed_types: Classes of the application that may be part of run state.
        redactor: Takes credentials out; None keeps them.

    Raises:
        InvalidSettingError: A class is not at the top of its module, where it could be found.
    """

    def __init__(
        self,
        path: Path,
        *,
        allowed_types: Collection[type] = (),
        redactor: Redactor | None = None,
    ) -> None:
        for each in allowed_types:
            _check_importable(each)
        super().__init__(allowed_msgpack_modules=tuple(allowed_types) or None)
        self._path = path
        self.redactor = redactor

    def allowing(self, *types: type) -> JsonPlusSerializer:
        """Return a serializer that also takes these classes."""
        for each in types:
            _check_importable(each)
        return self.with_msgpack_allowlist(types)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the format and bytes of a checkpoint, or of a value without a name.

        Raises:
            InvalidValueError: Part of it cannot be written at all; the message says which.
            InvalidSettingError: It holds a class that could not be read back.
        """
        return self._dumps(obj, None)

    def dumps_named(self, channel: str, value: Any) -> tuple[str, bytes]:
        """Return the format and bytes of a channel's value. Raises as :meth:`dumps_typed`."""
        return self._dumps(value, channel)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value.

        Raises:
            InvalidSettingError: It holds a class that is not allowed here.
            StorageDamagedError: The bytes are not what was written.
            StorageError: Another serializer wrote them.
        """
        try:
            if data[0] == "msgpack" and (unknown := self._unknown(wire.read(data[1]).names)):
                raise _not_allowed(unknown, "")
            return super().loads_typed(data)
        except NotImplementedError as exc:
            problem = f"unknown format {data[0]!r}. Read it with the program that wrote it."
            raise StorageError(self._path, problem) from exc
        except (InvalidSettingError, StorageError):
            raise
        except (TypeError, ValueError, LookupError) as exc:
            raise StorageDamagedError(self._path, f"run state: {exc}") from exc

    def _dumps(self, obj: Any, channel: str | None) -> tuple[str, bytes]:
        try:
            kind, data = super().dumps_typed(obj)
        except (TypeError, ValueError) as exc:
            where, culprit = self._culprit(obj, f"{_STATE} / {channel}" if channel else _STATE)
            problem = f"is a {type(culprit).__name__}, which cannot be kept ({exc})"
            raise InvalidValueError(where, problem) from exc
        if kind != "msgpack":
            return kind, data
        redact = self.redactor
        if redact is not None and channel is None and is_checkpoint(obj):
            names = self._clean(redact, obj)
            if names is not None and not self._unknown(names):
                return kind, data
        root, names = wire.read(data, known=redact.clean) if redact else wire.read(data)
        if unknown := self._unknown(names):
            raise _not_allowed(unknown, channel or self._channel_with(unknown, obj))
        if redact is None:
            return kind, data
        redacted = redact.state(root) if channel is None else redact.named(channel, root)
        return kind, data if redacted is root else wire.write(redacted)

    def _clean(self, redact: Redactor, checkpoint: Mapping[str, Any]) -> wire.Names | None:
        """Return the classes that a checkpoint names, None if it holds a credential.

        Channel by channel, since most are what they were at the step before.
        """
        frame = {name: each for name, each in checkpoint.items() if name != CHANNELS}
        names = wire.read(super().dumps_typed(frame)[1]).names
        for channel, value in checkpoint[CHANNELS].items():
            data = super().dumps_typed({channel: value})[1]
            held = redact.names_in(data)
            if held is None:
                return None
            names |= held
        return names

    def _unknown(self, names: Collection[wire.Named]) -> set[wire.Named]:
        return {name for name in names if not self._allows(name)}

    def _allows(self, name: wire.Named) -> bool:
        if name.method:
            return name in SAFE_MSGPACK_METHODS
        allowed = self._allowed_msgpack_modules
        if name[:2] in SAFE_MSGPACK_TYPES or allowed is True:
            return True
        return allowed is not None and name[:2] in allowed

    def _channel_with(self, unknown: set[wire.Named], obj: Any) -> str:
        """Return the channels of a checkpoint that hold one of the classes."""
        channels = obj.get("channel_values") if isinstance(obj, Mapping) else None
        if not isinstance(channels, Mapping):
            return ""
        return ", ".join(
            str(channel) for channel, value in channels.items() if unknown & self._named_in(value)
        )

    def _named_in(self, value: Any) -> frozenset[wire.Named]:
        return wire.read(super().dumps_typed([value])[1]).names

    def _culprit(self, obj: Any, where: str) -> tuple[str, Any]:
        """Return the deepest part, by dictionary key, that alone cannot be written."""
        parts = obj.items() if isinstance(obj, dict) else ()
        for key, part in parts:
            if self._fails(part):
                return self._culprit(part, f"{where} / {key}")
        return where, obj

    def _fails(self, part: Any) -> bool:
        try:
            super().dumps_typed(part)
        except (TypeError, ValueError):
            return True
        return False


def _check_importable(each: type) -> None:
    # LangGraph would hand back a dictionary in its place, and say so only in a log.
    if getattr(sys.modules.get(each.__module__), each.__name__, None) is not each:
        raise InvalidSettingError(
            "allowed_types",
            f"names {each.__module__}.{each.__qualname__}, which cannot be imported by that name. "
            "Define the class at the top of a module.",
        )


def _not_allowed(unknown: set[wire.Named], channel: str) -> InvalidSettingError:
    names = ", ".join(sorted(f"{module}.{name}" for module, name, _ in unknown))
    where = f" (channel {channel})" if channel else ""
    return InvalidSettingError(
        "allowed_types",
        f"does not name {names}, which is part of the run state{where}. Add the class to "
        "allowed_types when opening, or keep plain values in the state.",
    )
