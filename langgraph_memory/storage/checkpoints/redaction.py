"""Run state without credentials.

The checkpoint with a user's message is written before any node of the graph has run, so this
is the one place where a password can be kept out of the file. It works on what is about to
be written, never on the caller's objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph_memory.storage.checkpoints.wire import (
    Extension,
    Names,
    content_of,
    read,
    with_content,
)
from langgraph_memory.text import secrets

_SHORTEST = 7
_MOST_REMEMBERED = 65_536
_OF_A_CHECKPOINT = frozenset({"v", "id", "ts", "channel_versions", "versions_seen"})
CHANNELS = "channel_values"


def is_checkpoint(value: Any) -> bool:
    """Tell whether a value is a checkpoint, rather than what a channel holds."""
    return isinstance(value, dict) and CHANNELS in value and value.keys() >= _OF_A_CHECKPOINT


class Redactor:
    """Takes credentials out of plain values; what has none is handed back as the same object.

    A conversation is written again at every step. Messages and texts without a credential are
    therefore known again by their hash, which is salted by each process and tells nothing
    about them.

    Attributes:
        clean: Hashes of the bytes of messages, of any object and of whole channels, with the
            classes they name.
    """

    def __init__(self) -> None:
        self.clean: dict[int, Names] = {}
        self._clean: set[int] = set()
        self._plain_names: set[int] = set()

    @property
    def remembered(self) -> int:
        """How many hashes are known."""
        return len(self.clean) + len(self._clean) + len(self._plain_names)

    def state(self, root: Any) -> Any:
        """Return a checkpoint or a value of a channel; a checkpoint's own ids stay as they are."""
        if is_checkpoint(root):
            channels = self.value(root[CHANNELS])
            return root if channels is root[CHANNELS] else {**root, CHANNELS: channels}
        return self.value(root)

    def names_in(self, data: bytes) -> Names | None:
        """Return the classes that some bytes name, None if they hold a credential."""
        seen = hash(data)
        known = self.clean.get(seen)
        if known is not None:
            return known
        root, names = read(data, known=self.clean)
        if self.value(root) is not root:
            return None
        self._note(seen, names)
        return names

    def value(self, value: Any) -> Any:
        """Return a value, whatever it is made of."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self._dictionary(value)
        if isinstance(value, Extension):
            return self._extension(value)
        if isinstance(value, list | tuple):
            items = [self.value(item) for item in value]
            return items if _differ(items, value) else value
        return value

    def _extension(self, value: Extension) -> Extension:
        content = content_of(value)
        if not content:
            return value
        inner = tuple(map(self.value, content))
        if _differ(inner, content):
            return with_content(value, inner)
        if value.payload is not None:
            self._note(hash(value.payload), value.names)
        return value

    def _note(self, seen: int, names: Names) -> None:
        if len(self.clean) >= _MOST_REMEMBERED:
            self.clean.clear()
        self.clean[seen] = names

    def text(self, text: str) -> str:
        """Return a text."""
        if len(text) < _SHORTEST or (seen := hash(text)) in self._clean:
            return text
        redacted = secrets.redact(text)
        if redacted is text:
            _remember(self._clean, seen)
        return redacted

    def named(self, name: str, value: Any) -> Any:
        """Return a value that has a name: what is called a password is one, whatever it is."""
        if (seen := hash(name)) in self._plain_names:
            return self.value(value)
        if not secrets.is_name(name):
            _remember(self._plain_names, seen)
            return self.value(value)
        return self._under(name, value)

    def _under(self, name: str, value: Any) -> Any:
        """Return what stands under the name of a credential, in lists and dictionaries, too."""
        if isinstance(value, str):
            redacted = secrets.redact_named(name, value)
            return value if redacted == value else redacted
        if isinstance(value, list | tuple):
            items = [self._under(name, item) for item in value]
            return items if _differ(items, value) else value
        if isinstance(value, dict):
            fields = {key: self._under(name, item) for key, item in value.items()}
            same = not _differ(list(fields.values()), list(value.values()))
            return self._dictionary(value if same else fields)
        return self.value(value)

    def forget(self) -> None:
        """Forget the hashes."""
        self.clean.clear()
        self._clean.clear()
        self._plain_names.clear()

    def _key(self, name: Any) -> Any:
        """Return a key that is no text; a tuple may have texts in it."""
        if not isinstance(name, tuple):
            return name
        parts = tuple(self.text(each) if isinstance(each, str) else each for each in name)
        return parts if _differ(parts, name) else name

    def _dictionary(self, fields: Mapping[Any, Any]) -> Any:
        redacted = {}
        same = True
        for name, value in fields.items():
            if isinstance(name, str):
                new_name, new = self.text(name), self.named(name, value)
                while new_name is not name and new_name in redacted:
                    new_name += "*"  # two credentials of one kind are still two fields
            else:
                new_name, new = self._key(name), self.value(value)
            same = same and new is value and new_name is name
            redacted[new_name] = new
        return fields if same else redacted


def _remember(known: set[int], seen: int) -> None:
    if len(known) >= _MOST_REMEMBERED:
        known.clear()
    known.add(seen)


def _differ(new: Any, old: Any) -> bool:
    return any(one is not other for one, other in zip(new, old, strict=True))
