"""Run state between objects and bytes: the tree of plain values that the bytes spell.

LangGraph writes MessagePack. An object stands in it as an extension that holds the name of
its class and what it is made of. Here such a thing stays what it is, an extension, and no
class is looked up; so a look at the tree, or a change in it, is the same for a message, a
dataclass or a class that this program does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import (
    EXT_DELTA_SNAPSHOT,
    EXT_METHOD_SINGLE_ARG,
    EXT_NUMPY_ARRAY,
)

_OPTION = ormsgpack.OPT_NON_STR_KEYS
_PARTS = 2  # of an extension that come before its content: the module and the class


class Named(NamedTuple):
    """What an extension will call when it is read: a class, or a method of one."""

    module: str
    name: str
    method: str


Names = frozenset[Named]


class Extension(NamedTuple):
    """An object in the tree.

    Attributes:
        code: The kind of extension.
        content: What it holds; None where its bytes were known and not looked into.
        payload: Its bytes; None where its content is new.
        names: Every class that is named in it.
    """

    code: int
    content: Any
    payload: bytes | None = None
    names: Names = frozenset()


class Tree(NamedTuple):
    """The plain values that some bytes spell, and every class that they name."""

    root: Any
    names: Names


def read(data: bytes, *, known: Mapping[int, Names] = MappingProxyType({})) -> Tree:
    """Return the tree of some bytes.

    Args:
        data: The bytes.
        known: Hashes of the bytes of extensions that nobody needs to look into, with the
            classes they name.

    Raises:
        ValueError, TypeError: They are no MessagePack.
    """
    open_sets: list[set[Named]] = [set()]

    def extension(code: int, payload: bytes) -> Any:
        if code == EXT_NUMPY_ARRAY:
            return Extension(code, payload, payload)
        if (names := known.get(hash(payload))) is None:
            open_sets.append(set())
            content = ormsgpack.unpackb(payload, ext_hook=extension, option=_OPTION)
            if code != EXT_DELTA_SNAPSHOT:
                method = str(content[3]) if code == EXT_METHOD_SINGLE_ARG else ""
                open_sets[-1].add(Named(str(content[0]), str(content[1]), method))
            names = frozenset(open_sets.pop())
        else:
            content = None
        open_sets[-1].update(names)
        return Extension(code, content, payload, names)

    root = ormsgpack.unpackb(data, ext_hook=extension, option=_OPTION)
    return Tree(root, frozenset(open_sets[0]))


def write(root: Any) -> bytes:
    """Return the bytes of a tree."""
    return ormsgpack.packb(root, default=_extension, option=_OPTION)


def content_of(extension: Extension) -> tuple[Any, ...] | None:
    """Return what an extension holds besides names; None if that is no tree, or well known."""
    if extension.code == EXT_NUMPY_ARRAY or extension.content is None:
        return None
    if extension.code == EXT_DELTA_SNAPSHOT:
        return (extension.content,)
    return tuple(extension.content[_PARTS : _PARTS + 1])


def with_content(extension: Extension, content: Iterator[Any] | tuple[Any, ...]) -> Extension:
    """Return the extension with other things in it than names."""
    if extension.code == EXT_DELTA_SNAPSHOT:
        (whole,) = content
        return Extension(extension.code, whole)
    before, after = extension.content[:_PARTS], extension.content[_PARTS + 1 :]
    return Extension(extension.code, [*before, *content, *after])


def _extension(extension: Any) -> ormsgpack.Ext:
    payload = extension.payload
    return ormsgpack.Ext(extension.code, write(extension.content) if payload is None else payload)
