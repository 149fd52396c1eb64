"""Declared filter fields: an index over each, asked before a listing looks at every value.

An index holds what SQLite computed when a row was written and expects to compute the same
when it goes; a build that reads the row otherwise takes the file for damaged. Builds differ
in two things, a text with NUL and a decimal. So the first, and any number written with an
exponent, stand in the index as one mark that every search looks at too, and other numbers
that are no 64-bit integers stand by their whole part, taken from the text of the JSON.

An index proposes rows. A search to which it would propose too many goes by namespace and
time as if it were not there.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from langgraph_memory.domain.filters import conjuncts, is_operators
from langgraph_memory.domain.json import dumps, loads
from langgraph_memory.domain.record import Status
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.storage.sqlite.codec import to_micros
from langgraph_memory.storage.sqlite.filter_sql import (
    MOST_OPERAND_CHARACTERS,
    Field,
    Term,
    exact,
    field_of,
    is_sayable,
    span,
)
from langgraph_memory.storage.sqlite.legible import setting
from langgraph_memory.storage.sqlite.problems import SenselessRowError, sensible
from langgraph_memory.storage.sqlite.standing import once

MOST_ROWS = 1_000
"""Rows an index may propose: to find so many takes 0.4 ms, to read them 3 ms."""

SETTING = "filter_fields"
_HEADS = "superseded_at IS NULL"
_MARK = "x''"
_PREFIX = "filter_"
_WHOLE = 9.2e18
"""From here on, whole parts may have been cut to 64 bits."""

_UNSETTLED = {
    "heads_to_begin": ("valid_from", f"{_HEADS} AND valid_from IS NOT NULL"),
    "heads_to_review": ("row", f"{_HEADS} AND status = '{Status.PENDING.value}'"),
}


def declared(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the fields that have an index; none where nobody can read which."""
    return once(connection, "filter fields", _declared, connection)


def _declared(connection: sqlite3.Connection) -> tuple[str, ...]:
    noted = setting(connection, SETTING)
    with suppress(SenselessRowError):
        return () if noted is None else _names(noted)
    return ()


def declare(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Give fields an index, beside those declared before.

    Raises:
        InvalidInputError: A field that cannot be looked up by path.
    """
    known = declared(connection)
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    fresh = [name for name in dict.fromkeys(names) if name not in known]
    for name, statement in _statements([*known, *fresh]).items():
        if name not in there:
            connection.execute(statement)
    connection.execute(
        "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
        (SETTING, dumps([*known, *fresh])),
    )


def indexes(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the indexes there should be, by name, and the statements that make them."""
    names = declared(connection)
    return _statements(names) if names else {}


def statements_for(setting: str) -> dict[str, str]:
    """Return the statements that make the indexes of a stored setting.

    Raises:
        SenselessRowError, InvalidInputError: It is damaged.
    """
    return _statements(_names(setting))


def is_ours(name: str) -> bool:
    """Tell whether an index of this name is, or was, over a declared field."""
    return name.startswith(_PREFIX)


def check(names: Iterable[str]) -> None:
    """Refuse a field that can have no index.

    Raises:
        InvalidInputError: It cannot be looked up by path.
    """
    for name in names:
        _field(name)


def answers(connection: sqlite3.Connection, wanted: Mapping[str, Any]) -> bool:
    """Tell whether an index may name the rows that meet a checked filter."""
    return bool(_asked(wanted, declared(connection)))


def proposed(
    connection: sqlite3.Connection, wanted: Mapping[str, Any], holding: datetime | None
) -> list[int] | None:
    """Return few rows among which all matches are, None where an index cannot name them.

    Args:
        connection: Inside a transaction.
        wanted: A checked filter.
        holding: Include rows whose head may leave another statement holding at this instant.
    """
    asked = _asked(wanted, declared(connection))
    found = (_found(connection, field, terms) for field, terms in asked)
    few = min((rows for rows in found if rows is not None), key=len, default=None)
    if few is None or holding is None:
        return few
    unsettled = _unsettled(connection, holding)
    return None if unsettled is None else [*few, *unsettled]


def _asked(wanted: Mapping[str, Any], names: Sequence[str]) -> list[tuple[Field, list[Term]]]:
    """Return the declared fields of which every match meets something an index can be asked."""
    if not names:
        return []
    terms: dict[str, list[Term]] = {name: [] for name in names}
    for key, wish in conjuncts(wanted):
        if key in terms:
            terms[key] += _terms(_key(_field(key)), wish)
    return [(_field(name), each) for name, each in terms.items() if each]


def _terms(key: str, wish: Any) -> list[Term]:
    """Return what an index over ``key`` can be asked of one wish."""
    operators = wish if is_operators(wish) else {"$eq": wish}
    terms = [
        _SEEKS[operator](key, operand)
        for operator, operand in operators.items()
        if operator in _SEEKS
    ]
    lows = [operators[each] for each in ("$gt", "$gte") if each in operators]
    highs = [operators[each] for each in ("$lt", "$lte") if each in operators]
    return [*filter(None, terms), *_ranges(key, lows, highs)]


def _equal(key: str, operand: Any) -> Term | None:
    if (same := exact(operand)) is not None:
        return Term(f"{key} = ?", (same,))
    if (bounds := _whole(operand)) is not None:
        return Term(f"{key} BETWEEN ? AND ?", bounds)
    return None


def _one_of(key: str, operands: Sequence[Any]) -> Term | None:
    listed = dumps([exact(each) for each in operands if exact(each) is not None])
    if any(exact(each) is None for each in operands) or len(listed) > MOST_OPERAND_CHARACTERS:
        return None
    return Term(f"{key} IN (SELECT value FROM json_each(?))", (listed,))


_SEEKS: dict[str, Callable[[str, Any], Term | None]] = {"$eq": _equal, "$in": _one_of}


def _ranges(key: str, lows: Sequence[Any], highs: Sequence[Any]) -> list[Term]:
    """Return one range a type: of two bounds on one side SQLite would seek by the first."""
    terms = []
    least = [bounds[0] for bounds in map(_whole, lows) if bounds]
    most = [bounds[1] for bounds in map(_whole, highs) if bounds]
    if least or most:
        between = (max(least, default=-math.inf), min(most, default=math.inf))
        terms.append(Term(f"{key} BETWEEN ? AND ?", between))
    first, last = list(filter(is_sayable, lows)), list(filter(is_sayable, highs))
    if last:
        terms.append(Term(f"{key} BETWEEN ? AND ?", (max(first, default=""), min(last))))
    elif first:
        # A BLOB is more than any text: the mark, which is looked at anyway.
        terms.append(Term(f"{key} BETWEEN ? AND x''", (max(first),)))
    return terms


def _whole(operand: Any) -> tuple[float, float] | None:
    """Return bounds between which the whole part of an equal number stands in an index."""
    if (bounds := span(operand)) is None:
        return None
    low, high = bounds
    return (
        -math.inf if low < -_WHOLE else min(low, _WHOLE) - 1,
        math.inf if high > _WHOLE else max(high, -_WHOLE) + 1,
    )


def _found(connection: sqlite3.Connection, field: Field, terms: Sequence[Term]) -> list[int] | None:
    """Return the rows an index finds, with those it cannot tell; None for too many."""
    key = _key(field)
    where = " AND ".join(each.sql for each in terms)
    values = [value for each in terms for value in each.values]
    return _few(
        connection,
        f"""
        SELECT row FROM versions WHERE {_HEADS} AND {where}
        UNION ALL SELECT row FROM versions WHERE {_HEADS} AND {key} = {_MARK}
        """,
        values,
    )


def _unsettled(connection: sqlite3.Connection, at: datetime) -> list[int] | None:
    """Return the rows whose head waits for review or has not begun."""
    (_, begin), (_, review) = _UNSETTLED.values()
    return _few(
        connection,
        f"""
        SELECT row FROM versions WHERE {begin} AND valid_from > ?
        UNION ALL SELECT row FROM versions WHERE {review}
        """,
        (to_micros(at),),
    )


def _few(connection: sqlite3.Connection, rows: str, values: Sequence[Any]) -> list[int] | None:
    found = connection.execute(f"{rows} LIMIT {MOST_ROWS + 1}", values).fetchall()
    return None if len(found) > MOST_ROWS else [row for (row,) in found]


def _key(field: Field) -> str:
    """Return the expression that is indexed; the search must spell it the same."""
    return f"""CASE
        WHEN {field.kind} IN ('array', 'object') THEN NULL
        WHEN {field.kind} = 'text' AND instr(value, '\\u0000') THEN {_MARK}
        WHEN typeof({field.value}) <> 'real' THEN {field.value}
        WHEN instr({field.written}, 'e') THEN {_MARK}
        ELSE CAST({field.written} AS INTEGER)
        END"""


def _field(name: str) -> Field:
    field = field_of(name)
    if field is None or name.startswith("$"):
        raise InvalidInputError(
            f"The filter field {name!r} can have no index. Name a field of the value: no more "
            'than 500 characters, up to seven dots with a name on each side, no ", no '
            'backslash, no control character, no "$" in front.'
        )
    return field


def _statements(names: Iterable[str]) -> dict[str, str]:
    found = {
        name: f"CREATE INDEX {name} ON versions ({columns}) WHERE {where}"
        for name, (columns, where) in _UNSETTLED.items()
    }
    for name in names:
        index, key = _index_name(name), _key(_field(name))
        found[index] = f"CREATE INDEX {index} ON versions ({key}) WHERE {_HEADS}"
    return found


def _index_name(name: str) -> str:
    """Return a name of its own for each field; SQLite folds the case of names."""
    return f"{_PREFIX}{hashlib.sha256(name.encode()).hexdigest()[:16]}"


@sensible
def _names(text: str) -> tuple[str, ...]:
    return tuple(map(str, loads(text)))
