"""Namespaces: tuples of labels, compared label by label, never as joined text.

A label is any text a plain store accepts: not empty, no ``.``, no NUL. Because a label has
no dot, ``".".join(labels) + "."`` is a one-to-one text form, and a prefix of labels is a
prefix of that text. Comparison is binary: no wildcards, no case folding.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, unquote

from langgraph_memory.domain.json import check_text

Namespace = tuple[str, ...]

SEPARATOR = "."
AFTER_SEPARATOR = chr(ord(SEPARATOR) + 1)


def as_namespace(labels: Iterable[str]) -> Namespace:
    """Return the labels as a tuple, each checked to be storable text."""
    namespace = tuple(labels)
    check_text(SEPARATOR.join(namespace), "namespace")
    return namespace


def to_path(namespace: Namespace) -> str:
    """Return the text form; the empty namespace is the empty text."""
    return SEPARATOR.join(namespace) + SEPARATOR if namespace else ""


def from_path(path: str) -> Namespace:
    """Return the namespace of a text form."""
    return tuple(path.split(SEPARATOR)[:-1])


def path_range(prefix: Namespace) -> tuple[str, str] | None:
    """Return ``(first, end)`` so that ``first <= path < end`` are the prefix and its children.

    None for the empty prefix, which holds everything.
    """
    if not prefix:
        return None
    path = to_path(prefix)
    return path, path[:-1] + AFTER_SEPARATOR


def starts_with(namespace: Namespace, prefix: Namespace) -> bool:
    """Tell whether ``prefix`` is the namespace itself or one of its ancestors."""
    return namespace[: len(prefix)] == prefix


def ancestors(namespace: Namespace) -> list[Namespace]:
    """Return every prefix but the empty one, shortest first, the namespace itself last."""
    return [namespace[:depth] for depth in range(1, len(namespace) + 1)]


def encode_label(text: str) -> str:
    """Return a label for any text, reversibly: percent-encoding, the dot included."""
    return quote(check_text(text, "scope"), safe="@+ ").replace(".", "%2E")


def decode_label(label: str) -> str:
    """Return the text of an encoded label."""
    return unquote(label, errors="strict")
