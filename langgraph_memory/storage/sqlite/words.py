"""Full text: FTS5 matches, and only matches.

Its ``bm25()`` is not used: it weighs a term by the whole table, so other tenants' writes
would change, and leak into, a score. What is returned here comes from the scope's own rows.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import Namespace, path_range, to_path
from langgraph_memory.ports import WordMatches
from langgraph_memory.storage.sqlite import namespaces
from langgraph_memory.storage.sqlite.legible import as_bytes, place_of
from langgraph_memory.storage.sqlite.problems import sensible
from langgraph_memory.storage.sqlite.standing import once

_CHUNK = 500
_LISTED = "(SELECT value FROM json_each(?))"
_ONLY = f"AND rowid IN (SELECT row FROM records WHERE path IN {_LISTED})"
_BODY = "CAST(body AS BLOB)"
"""A bad byte costs one word until it is mended, and no search."""


class SqliteWords:
    """``ports.Words`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def match(
        self, prefix: Namespace, terms: Sequence[str], *,
        only: Collection[Namespace] | None = None,
    ) -> WordMatches:  # fmt: skip
        paths = None if only is None else dumps([to_path(each) for each in only])
        documents, average_length = self._statistics(prefix, paths)
        wanted = frozenset(filter(_can_be_stored, terms))
        if not documents or not wanted:
            return WordMatches(documents, average_length, {})
        found = self._sql.execute(
            f"SELECT rowid, {_BODY} FROM words WHERE words MATCH ? {'' if only is None else _ONLY}",
            (self._expression(prefix, wanted), *filter(None, (paths,))),
        )
        counts = {row: _counted(body, wanted) for row, body in found}
        # FTS5 folds case and splits at invisible characters: it may match too much.
        counts = {row: counted for row, counted in counts.items() if counted[1]}
        return WordMatches(documents, average_length, counts)

    def namespaces(self, prefix: Namespace) -> tuple[Namespace, ...]:
        return once(self._sql, ("namespaces", prefix), self._namespaces, prefix)

    def _namespaces(self, prefix: Namespace) -> tuple[Namespace, ...]:
        span = path_range(prefix)
        where = "WHERE path >= ? AND path < ?" if span else ""
        found = self._sql.execute(f"SELECT {as_bytes('path')} FROM namespaces {where}", span or ())
        places = [place_of(path) for (path,) in found]
        return tuple(each for each in places if each is not None)

    def under(self, namespace: Namespace) -> dict[int, list[str]]:
        found = self._sql.execute(
            f"""
            SELECT words.rowid, {_BODY}
            FROM records JOIN words ON words.rowid = records.row
            WHERE path = ? AND live = 1 AND tokens > 0
            """,
            (to_path(namespace),),
        )
        return {row: _split(body) for row, body in found}

    def bodies(self, rows: Sequence[int]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            for row, body in self._sql.execute(
                f"SELECT rowid, {_BODY} FROM words WHERE rowid IN ({marks})", chunk
            ):
                found[row] = _split(body)
        return found

    def tidy(self) -> None:
        # FTS5 only marks a row as gone; merging all segments into one drops its words.
        self._sql.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _expression(self, prefix: Namespace, terms: Iterable[str]) -> str:
        asked = "body : (" + " OR ".join(map(_quoted, terms)) + ")"
        if not prefix:
            return asked
        circle = namespaces.number(self._sql, prefix)
        return f'circles : "{circle or 0}" AND {asked}'

    def _statistics(self, prefix: Namespace, paths: str | None) -> tuple[int, float]:
        span = path_range(prefix)
        where = "AND path >= ? AND path < ?" if span else ""
        values = span or ()
        if paths is not None:
            where, values = f"{where} AND path IN {_LISTED}", (*values, paths)
        count, total = self._sql.execute(
            f"SELECT count(*), sum(tokens) FROM records WHERE live = 1 AND tokens > 0 {where}",
            values,
        ).fetchone()
        return count, (total / count if count else 0.0)


@sensible
def _split(body: bytes) -> list[str]:
    return body.decode("utf-8", "replace").split(" ")


@sensible
def _counted(body: bytes, wanted: frozenset[str]) -> tuple[int, Counter[str]]:
    """Return the length of a full text in tokens, and how often the wanted ones stand in it."""
    tokens = _split(body)
    return len(tokens), Counter(each for each in tokens if each in wanted)


def _can_be_stored(term: str) -> bool:
    """Tell whether a token can be spelled like this; FTS5 reads a query up to its first NUL."""
    return "\0" not in term and not any("\ud800" <= each <= "\udfff" for each in term)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
