"""The conditions of a listing: which heads meet a filter, and which may hold at an instant.

SQLite knows no counts of rows. Left alone it goes by namespace wherever a prefix is given,
which reads a wide one in no order, all of it, for a page of ten; and it would use any index
over a field, however many rows that finds. So both are asked first, as far as it matters.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph_memory.domain.json import dumps
from langgraph_memory.domain.namespace import Namespace, path_range
from langgraph_memory.domain.record import Status
from langgraph_memory.storage.sqlite import filter_index
from langgraph_memory.storage.sqlite.codec import to_micros
from langgraph_memory.storage.sqlite.filter_sql import ANYTHING, condition
from langgraph_memory.storage.sqlite.standing import once

Conditions = tuple[list[str], list[Any]]

WIDE = 8
"""A prefix is wide that holds more than one in so many records: then going by time, past the
others, costs less than going by namespace, even where no page ends it early."""

NARROW = 500
"""Records under a prefix up to which no index over a field is asked: to look at all takes 1 ms."""


def narrowed(
    connection: sqlite3.Connection, prefix: Namespace, wanted: Mapping[str, Any] | None,
    holding: datetime | None, *, number: int, judged: bool = True,
    among: Sequence[int] | None = None,
) -> Conditions:  # fmt: skip
    """Return conditions on ``records`` joined with the ``versions`` of their heads.

    Args:
        connection: Inside a transaction.
        prefix: Where the listing looks.
        wanted: A checked filter on the value; None wants everything.
        holding: See ``ports.Records.live``.
        number: Under which the filter is lent to ``meets_filter``, until the listing is read.
        judged: Whether all that is found must meet the filter, rather than may.
        among: The only rows that are looked at, all of which may meet it.
    """
    if among is not None:
        wanted = wanted if judged else None
    where, values = _meeting(wanted, number, judged=judged)
    if holding is not None:
        where, values = _holding(where, values, holding)
    rows = among if among is not None else _proposed(connection, prefix, wanted, holding)
    place, ends = _under(connection, prefix, by_rows=rows is not None)
    if rows is not None:
        where.append("records.row IN (SELECT value FROM json_each(?))")
        values.append(dumps(list(rows)))
    return [*place, *where], [*ends, *values]


def _under(connection: sqlite3.Connection, prefix: Namespace, *, by_rows: bool) -> Conditions:
    """Return the condition on the path of a listing, so put that the better index is used."""
    ends = path_range(prefix)
    if ends is None:
        return [], []
    if by_rows:
        return ["+path >= ?", "+path < ?"], list(ends)
    if is_alone(connection, prefix):
        return ["path = ?"], [ends[0]]  # in which the index by path is in the order of time
    hidden = "+" if once(connection, ("wide", prefix), _is_wide, connection, ends) else ""
    return [f"{hidden}path >= ?", f"{hidden}path < ?"], list(ends)


def is_alone(connection: sqlite3.Connection, prefix: Namespace) -> bool:
    """Tell whether a prefix is at most one namespace, with none below it."""
    return once(connection, ("alone", prefix), _has_none_below, connection, prefix)


def met(wanted: Mapping[str, Any], number: int) -> Conditions:
    """Return the conditions under which a version may meet a checked filter, lent as ``number``."""
    return _meeting(wanted, number, judged=False)


def unsettled(at: datetime) -> tuple[str, list[Any]]:
    """Return the condition under which a head leaves it to an older statement what holds."""
    return "(status = ? OR valid_from > ?)", [Status.PENDING.value, to_micros(at)]


def _meeting(wanted: Mapping[str, Any] | None, number: int, *, judged: bool) -> Conditions:
    if not wanted:
        return [], []
    necessary = condition(wanted)
    if not judged and necessary != ANYTHING:
        return [necessary.sql], list(necessary.values)
    return [necessary.sql, "meets_filter(value, ?)"], [*necessary.values, number]


def _holding(where: list[str], values: list[Any], at: datetime) -> Conditions:
    passing, passed = unsettled(at)
    holds = ["status = ?", "(valid_until IS NULL OR valid_until > ?)", *where]
    return (
        [f"({passing} OR ({' AND '.join(holds)}))"],
        [*passed, Status.ACTIVE.value, to_micros(at), *values],
    )


def _proposed(
    connection: sqlite3.Connection, prefix: Namespace, wanted: Mapping[str, Any] | None,
    holding: datetime | None,
) -> list[int] | None:  # fmt: skip
    if not wanted or not filter_index.answers(connection, wanted):
        return None
    ends = path_range(prefix)
    if ends and not once(connection, ("broad", prefix), _holds_more, connection, ends, NARROW):
        return None
    return filter_index.proposed(connection, wanted, holding)


def _is_wide(connection: sqlite3.Connection, ends: tuple[str, str]) -> bool:
    records = connection.execute("SELECT max(row) FROM records").fetchone()[0] or 0
    return _holds_more(connection, ends, records // WIDE)


def _has_none_below(connection: sqlite3.Connection, prefix: Namespace) -> bool:
    ends = path_range(prefix)
    if ends is None:
        return False
    found = connection.execute("SELECT 1 FROM namespaces WHERE path > ? AND path < ? LIMIT 1", ends)
    return found.fetchone() is None


def _holds_more(connection: sqlite3.Connection, ends: tuple[str, str], count: int) -> bool:
    found = connection.execute(
        "SELECT 1 FROM records WHERE path >= ? AND path < ? AND live = 1 LIMIT 1 OFFSET ?",
        (*ends, count),
    )
    return found.fetchone() is not None
