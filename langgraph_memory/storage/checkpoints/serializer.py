"""Run state as bytes: only types that will come back as they were.

LangGraph names a value's class in the stored bytes and imports it when it reads them back.
By default any class is imported, so whoever can write the file can run code; in its strict
setting an unknown class quietly comes back as a plain dictionary. Here an unknown class is
refused, with its name: when it is written, while the program that knows it is still running,
and again when a file from elsewhere is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS, SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.jsonplus import (
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD_SINGLE_ARG,
    EXT_NUMPY_ARRAY,
    JsonPlusSerializer,
)

from langgraph_memory.errors import (
    InvalidSettingError,
    InvalidValueError,
    StorageDamagedError,
    StorageError,
)

_UNNAMED = (EXT_DELTA_SNAPSHOT, EXT_NUMPY_ARRAY)  # extensions that carry no class name


class StrictSerializer(JsonPlusSerializer):
    """LangGraph's own format, limited to its safe types and the ones named here.

    Args:
        path: The file the bytes belong to, for messages.
        allowed_types: Classes of the application that may be part of run state.
    """

    def __init__(self, path: Path, *, allowed_types: Collection[type] = ()) -> None:
        super().__init__(allowed_msgpack_modules=tuple(allowed_types) or None)
        self._path = path

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the value's format and bytes.

        Raises:
            InvalidValueError: Part of it cannot be written at all; the message says which.
            InvalidSettingError: It holds a class that could not be read back.
        """
        try:
            stored = super().dumps_typed(obj)
        except (TypeError, ValueError) as exc:
            where, culprit = self._culprit(obj)
            problem = f"is a {type(culprit).__name__}, which cannot be kept ({exc})"
            raise InvalidValueError(where, problem) from exc
        self._refuse_unknown(stored)
        return stored

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value.

        Raises:
            InvalidSettingError: It holds a class that is not allowed here.
            StorageDamagedError: The bytes are not what was written.
            StorageError: Another serializer wrote them.
        """
        try:
            self._refuse_unknown(data)
            return super().loads_typed(data)
        except NotImplementedError as exc:
            problem = f"unknown format {data[0]!r}. Read it with the program that wrote it."
            raise StorageError(self._path, problem) from exc
        except (InvalidSettingError, StorageError):
            raise
        except (TypeError, ValueError) as exc:
            raise StorageDamagedError(self._path, f"run state: {exc}") from exc

    def _refuse_unknown(self, data: tuple[str, bytes]) -> None:
        unknown = {name for name in _named(data) if not self._allows(name)}
        if unknown:
            names = ", ".join(sorted(f"{module}.{cls}" for module, cls, _ in unknown))
            raise InvalidSettingError(
                "allowed_types",
                f"does not name {names}, which is part of the run state. Add the class to "
                "allowed_types when opening, or keep plain values in the state.",
            )

    def _allows(self, name: tuple[str, str, str]) -> bool:
        module, cls, method = name
        if method:
            return name in SAFE_MSGPACK_METHODS
        allowed = self._allowed_msgpack_modules
        if (module, cls) in SAFE_MSGPACK_TYPES or allowed is True:
            return True
        return allowed is not None and (module, cls) in allowed

    def _culprit(self, obj: Any, where: str = "run state") -> tuple[str, Any]:
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


def _named(data: tuple[str, bytes]) -> set[tuple[str, str, str]]:
    """Return every (module, class, method) that the bytes name; no class is touched."""
    found: set[tuple[str, str, str]] = set()

    def look(code: int, payload: bytes) -> None:
        inner = reader.loads_typed(("msgpack", payload))
        if code not in _UNNAMED:
            method = str(inner[3]) if code == EXT_METHOD_SINGLE_ARG else ""
            found.add((str(inner[0]), str(inner[1]), method))

    reader = _reader(look)
    if data[0] == "msgpack":
        reader.loads_typed(data)
    return found


def _reader(hook: Callable[[int, bytes], Any]) -> JsonPlusSerializer:
    return JsonPlusSerializer(__unpack_ext_hook__=hook)
