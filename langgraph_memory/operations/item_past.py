"""Reads at another moment: what was believed then, or what held then.

Only the present statements have an index. A search of the past gathers the statements of
its moment from the chains and compares them on the spot, which takes longer: a statement
that has been superseded since is embedded anew for the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from langgraph_memory.domain.filters import matches
from langgraph_memory.domain.json import JsonObject
from langgraph_memory.domain.moment import Moment
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import check_limits
from langgraph_memory.operations.embedding import Wording, embedded
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.item_search import ItemHit, as_said
from langgraph_memory.ports import Shown, Transaction, Vectors, WordMatches
from langgraph_memory.retrieval.fusion import fuse
from langgraph_memory.retrieval.lexical import LexicalScore, score
from langgraph_memory.text.tokens import query_terms, tokens
from langgraph_memory.text.windows import windows

MOST_ROWS = 1_000_000
MOST_EMBEDDED = 256
"""Superseded statements embedded for one search, those that share words first."""


@dataclass(frozen=True, slots=True)
class SearchPast:
    """Find items under a prefix as they stood at another moment.

    Attributes:
        texts: Tells by which texts a value is found.
        wanted: A checked filter on the value.
        query: Text to rank by; None lists, latest statement first.
    """

    prefix: Namespace
    at: Moment
    texts: Callable[[JsonObject], tuple[str, ...]]
    query: str | None = None
    wanted: Mapping[str, Any] | None = None
    limit: int = 10
    offset: int = 0


def get_past(
    engine: Engine, namespace: Namespace, key: str, at: Moment, *, hide_expired: bool = True
) -> ItemHit | None:
    """Return one item as it stood at a moment, None if nothing stood there."""
    now = engine.clock()
    with engine.database.read() as tx:
        item = tx.records.shown_at(namespace, key)
        return _past(tx, item, at, now, hide_expired) if item else None


def search_past(engine: Engine, asked: SearchPast, *, hide_expired: bool = True) -> list[ItemHit]:
    """Return one page of items as they stood at a moment.

    Raises:
        InvalidInputError: Negative paging.
        EmbeddingError: The embedder does not work.
    """
    check_limits(asked.limit, asked.offset)
    now = engine.clock()
    with engine.database.read() as tx:
        if asked.query:
            engine.check_space(tx)
        rows = tx.records.rows(asked.prefix, limit=MOST_ROWS)
        stood = (_past(tx, each, asked.at, now, hide_expired) for each in tx.records.shown(rows))
        hits = [hit for hit in stood if hit and matches(hit.value, asked.wanted or {})]
        known = _stored_vectors(tx, hits) if asked.query else {}
        told = _told(tx, asked, hits) if asked.query else {}
    hits.sort(key=lambda hit: (hit.item.updated_at, hit.item.row), reverse=True)
    if asked.query and asked.query.strip():
        hits = _ranked(engine, asked, hits, known, told)
    return hits[asked.offset : asked.offset + asked.limit]


def _past(
    tx: Transaction, item: Shown, at: Moment, now: datetime, hide_expired: bool
) -> ItemHit | None:
    if hide_expired and item.expires_at is not None and item.expires_at <= now:
        return None
    record = tx.records.load_row(item.row)
    version = at.said(record, now) if record else None
    if record is None or version is None or version.value is None:
        return None
    known = record if at.as_of is None else record.known(at.as_of)
    created = known.created_at if known else item.created_at
    return ItemHit(as_said(item, version)._replace(created_at=created))


def _stored_vectors(tx: Transaction, hits: Sequence[ItemHit]) -> dict[int, Vectors]:
    """Return the vectors of those statements that are the present ones still."""
    found = {hit.item.row: hit.item.number for hit in hits}
    heads = tx.records.shown(list(found))
    return tx.records.vectors([each.row for each in heads if each.number == found[each.row]])


def _told(
    tx: Transaction, asked: SearchPast, hits: Sequence[ItemHit]
) -> dict[int, tuple[str, ...]]:
    """Return by which texts each statement is to be found.

    Those search was told of the present one; an older one goes by the fields of the store, but
    by nothing where the present one is kept out of search.
    """
    rows = [hit.item.row for hit in hits]
    heads = {each.row: each for each in tx.records.shown(rows)}
    texts = tx.records.texts(rows)
    found: dict[int, tuple[str, ...]] = {}
    for hit in hits:
        row, head = hit.item.row, heads[hit.item.row]
        if head.number == hit.item.number:
            found[row] = texts.get(row, ())
        elif row in texts or head.value is None:
            found[row] = asked.texts(hit.value)
        else:
            found[row] = ()
    return found


def _ranked(
    engine: Engine, asked: SearchPast, hits: list[ItemHit], known: Mapping[int, Vectors],
    told: Mapping[int, tuple[str, ...]],
) -> list[ItemHit]:  # fmt: skip
    assert asked.query is not None
    wordings = {row: Wording(texts) for row, texts in told.items()}
    words = _words(asked.query, wordings)
    query = engine.query_vector(asked.query)
    near = None if query is None else _meanings(engine, query, wordings, words, known)
    scores = {each.row: each.score for each in fuse(words, near, frozenset())}
    scored = [hit._replace(score=scores.get(hit.item.row)) for hit in hits]
    return sorted(scored, key=lambda hit: -1.0 if hit.score is None else hit.score, reverse=True)


def _words(query: str, wordings: Mapping[int, Wording]) -> dict[int, LexicalScore]:
    terms = query_terms(query)
    spoken = {row: tokens(each.words) for row, each in wordings.items() if each.texts}
    counts = {
        row: (len(said), Counter(each for each in said if each in terms))
        for row, said in spoken.items()
    }
    total = sum(map(len, spoken.values()))
    found = {row: each for row, each in counts.items() if each[1]}
    return score(terms, WordMatches(len(spoken), total / max(1, len(spoken)), found))


def _meanings(
    engine: Engine, query: Vectors, wordings: Mapping[int, Wording],
    words: Mapping[int, LexicalScore], known: Mapping[int, Vectors],
) -> dict[int, float]:  # fmt: skip
    """Return cosines; of superseded statements only for so many as can be embedded in time."""
    missing = [row for row in wordings if row not in known]
    missing.sort(key=lambda row: -words[row].coverage if row in words else 0.0)
    parts = {
        row: [part for text in wordings[row].texts for part in windows(text)]
        for row in missing[:MOST_EMBEDDED]
    }
    fresh = embedded(engine.embedder, [part for group in parts.values() for part in group])
    cosines = {row: float((vectors @ query).max()) for row, vectors in known.items()}
    for row, group in parts.items():
        if rows := [fresh[part] for part in group if part in fresh]:
            cosines[row] = float((np.stack(rows) @ query).max())
    return cosines
