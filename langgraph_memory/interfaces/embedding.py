"""LangGraph's index configuration, as our embedder and the texts to index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langgraph.store.base import IndexConfig, get_text_at_path, tokenize_path

from langgraph_memory.domain.json import JsonObject
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.interfaces.langchain_embedder import LangChainEmbedder
from langgraph_memory.ports import Embedder
from langgraph_memory.text.spoken import spoken

WHOLE = "$"

Fields = tuple[str, ...]


def fields_of(index: IndexConfig | None) -> Fields:
    """Return the paths to index where a put does not say; the whole value by default."""
    fields: Any = (index or {}).get("fields") or [WHOLE]
    return (fields,) if isinstance(fields, str) else tuple(fields)


def embedder_of(index: IndexConfig | None) -> Embedder | None:
    """Return the embedder an index configuration brings, None for the shipped one.

    Raises:
        InvalidInputError: ``embed`` without ``dims``.
    """
    if not index or index.get("embed") is None:
        return None
    dims = index.get("dims")
    if not isinstance(dims, int) or dims <= 0:
        raise InvalidInputError('index["embed"] needs index["dims"], its number of dimensions.')
    return LangChainEmbedder(index["embed"], dims)


def texts_of(
    value: JsonObject, index: Literal[False] | Sequence[str] | None, fields: Fields
) -> tuple[str, ...]:
    """Return the texts of a value that search is told of; none for ``index=False``."""
    if index is False:
        return ()
    paths = fields if index is None else _paths(index)
    texts = []
    for path in paths:
        texts += [spoken(value)] if path == WHOLE else get_text_at_path(value, _steps(path))
    return tuple(text for text in texts if text.strip())


def _steps(path: str) -> Any:
    return tokenize_path(path)


def _paths(index: Any) -> Fields:
    """Return the paths of an ``index=``; a single text is one path."""
    paths = (index,) if isinstance(index, str) else index
    if not isinstance(paths, list | tuple) or not all(isinstance(each, str) for each in paths):
        raise InvalidInputError(
            f"index is {index!r}; give a list of field paths, False to leave it out of search, "
            "or nothing."
        )
    return tuple(paths)
