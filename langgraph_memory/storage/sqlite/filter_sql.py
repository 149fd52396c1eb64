"""A filter as SQL that every match meets; whether it is one, ``meets_filter`` judges.

What is said here may let too much through, never too little: it saves work and decides
nothing. That leaves room for what SQLite reads otherwise than Python does:

* ``json_extract`` may cut a text at its first NUL. What is cut is a beginning of the text:
  bounds on texts stay true if they include themselves, and a value with a NUL anywhere counts
  as one that has any part.
* A decimal may be read an ulp or more away from Python's reading, differently by each build,
  and an integer past 64 bits becomes a float: bounds on numbers are widened, and only
  integers up to 2^53 are compared exactly.
* ``true`` and ``false`` come as 1 and 0, lists and dictionaries as their JSON text.
* A name with ``"``, a backslash or a control character stands escaped in the JSON and cannot
  be looked up by path.

What cannot be said is :data:`ANYTHING`. ``$ne``, ``$nin`` and ``$not`` are among it: turning
round a condition that lets too much through would let too little through.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from langgraph_memory.domain.filters import is_operators
from langgraph_memory.domain.json import dumps

MOST_TERMS = 100
"""Comparisons in one condition; SQLite takes 32,766 values, and expressions 1,000 deep."""

MOST_DEPTH = 12
"""Brackets in brackets in one condition; SQLite's parser gives up at about 33."""

MOST_PLACES = 8
MOST_PATH_CHARACTERS = 500
MOST_OPERAND_CHARACTERS = 1_000_000

_LONG = 10**15
_EXACT = 2**53
_SLACK = 1e-14
"""Relative: some 45 ulps. SQLite without long doubles is at most about 20 off at 1e308."""

_PLAIN_NAME = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]+')
_UNSAYABLE = re.compile("[\x00\ud800-\udfff]")


class Field:
    """A field of the value of a version, as SQL expressions.

    Args:
        places: Where it can stand, the first that is there first.
        spelled: Its name as a filter has it.
    """

    __slots__ = ("_places", "_spelled")

    def __init__(self, places: Sequence[str], spelled: str) -> None:
        self._places = places
        self._spelled = spelled

    @property
    def value(self) -> str:
        """What stands there; NULL for None and for a missing field."""
        return _first(self._places, "json_extract(value, {})")

    @property
    def kind(self) -> str:
        """Its JSON type; NULL for a missing field."""
        return _first(self._places, "json_type(value, {})")

    @property
    def written(self) -> str:
        """Its JSON as it is written; NULL for a missing field."""
        return _first(self._places, "(value -> {})")

    @property
    def path(self) -> str | None:
        """The one place where it can stand; None if a dotted name leaves several."""
        return self._places[0] if len(self._places) == 1 else None

    @property
    def name(self) -> str | None:
        """Its name as JSON has it there; None like ``path``."""
        return dumps(self._spelled) if len(self._places) == 1 else None


class Term(NamedTuple):
    """A condition that every match meets.

    Attributes:
        size: How many comparisons it is made of.
        depth: How many brackets stand in brackets.
    """

    sql: str
    values: tuple[Any, ...] = ()
    size: int = 1
    depth: int = 0


ANYTHING = Term("1", size=0)
NOTHING = Term("0", size=0)


def condition(wanted: Mapping[str, Any]) -> Term:
    """Return what every value that meets a checked filter meets in SQL.

    The expressions name the column ``value`` without its table, as an index must.
    """
    return _filter(wanted, "$")


def field_of(name: str, base: str = "$") -> Field | None:
    """Return a field by its name in a filter, None where SQL cannot look it up.

    A dotted name is looked up as ``domain.filters`` does: as it is spelled, and only if
    nothing stands there, ``b`` inside ``a``.
    """
    parts = name.split(".")
    plain = all(map(_PLAIN_NAME.fullmatch, parts))
    if not plain or len(parts) > MOST_PLACES or len(base + name) > MOST_PATH_CHARACTERS:
        return None
    places = [
        base + "".join(f'."{part}"' for part in (*parts[:depth], ".".join(parts[depth:])))
        for depth in range(len(parts))
    ]
    return Field(places, name)


def is_sayable(operand: Any) -> bool:
    """Tell whether an operand is a text that SQL can be given and compares as Python does."""
    return (
        type(operand) is str
        and len(operand) <= MOST_OPERAND_CHARACTERS
        and not _UNSAYABLE.search(operand)
    )


def exact(operand: Any) -> int | str | None:
    """Return what the extracted value is whenever Python finds it equal; None if not known."""
    if isinstance(operand, bool):
        return int(operand)
    if is_sayable(operand):
        return str(operand)
    whole = type(operand) is int or (type(operand) is float and operand.is_integer())
    return int(operand) if whole and abs(operand) <= _EXACT else None


def span(operand: Any) -> tuple[float, float] | None:
    """Return bounds between which SQLite reads every number that equals this one."""
    if type(operand) is not int and type(operand) is not float:
        return None
    try:
        near = float(operand)
    except OverflowError:
        return None
    if not math.isfinite(near):
        return None
    slack = abs(near) * _SLACK + 1e-320
    return near - slack, near + slack


def _first(places: Sequence[str], expression: str) -> str:
    """Return the expression of the first place where something stands."""
    *earlier, last = ("'" + place.replace("'", "''") + "'" for place in places)
    if not earlier:
        return expression.format(last)
    cases = " ".join(
        f"WHEN json_type(value, {place}) IS NOT NULL THEN {expression.format(place)}"
        for place in earlier
    )
    return f"CASE {cases} ELSE {expression.format(last)} END"


def _filter(wanted: Mapping[str, Any], base: str) -> Term:
    return _all(_key(key, wish, base) for key, wish in wanted.items())


def _key(key: str, wish: Any, base: str) -> Term:
    match key:
        case "$and":
            return _all(_filter(each, base) for each in wish)
        case "$or":
            return _any([_filter(each, base) for each in wish])
        case "$not":
            return ANYTHING
    field = field_of(key, base)
    return _field(field, wish) if field else ANYTHING


def _field(field: Field, wish: Any) -> Term:
    if is_operators(wish):
        return _all(
            _OPERATORS[operator](field, operand)
            for operator, operand in wish.items()
            if operator in _OPERATORS
        )
    if isinstance(wish, Mapping) and wish and field.path:
        return _all((_equal(field, wish), _filter(wish, field.path)))
    return _equal(field, wish)


def _equal(field: Field, operand: Any) -> Term:
    if operand is None:
        return Term(f"{field.kind} = 'null'")
    if isinstance(operand, Mapping):
        return Term(f"{field.kind} = 'object'")
    if isinstance(operand, list | tuple):
        return Term(f"{field.kind} = 'array'")
    if (same := exact(operand)) is not None:
        return _same(field, operand, same)
    if (bounds := span(operand)) is not None:
        return Term(f"{field.value} BETWEEN ? AND ?", bounds)
    return ANYTHING


def _same(field: Field, operand: Any, same: int | str) -> Term:
    """Return equality with what is extracted, if it can be by the JSON as it is written.

    That nothing has to parse. Texts and truths have one spelling, which stands in no other place
    but in a deeper field of the same name. A whole number begins alike as a float, and as a
    longer one: it is read where it may stand. One that is long, or 0, has other spellings.
    """
    name = field.name
    if name is None:
        return Term(f"{field.value} = ?", (same,))
    if isinstance(operand, bool):
        return Term("instr(value, ?)", (f"{name}:{'true' if operand else 'false'}",))
    if isinstance(operand, str):
        spelled = f"{name}:{dumps(operand)}"
        if is_sayable(spelled):
            return Term("instr(value, ?)", (spelled,))
    elif 0 < abs(operand) < _LONG:
        spelled = f"{name}:{int(operand)}"
        return Term(f"(instr(value, ?) AND {field.value} = ?)", (spelled, same), 2, 1)
    return Term(f"{field.value} = ?", (same,))


def _one_of(field: Field, operands: Iterable[Any]) -> Term:
    known = {each: exact(each) for each in operands if exact(each) is not None}
    terms = [_equal(field, each) for each in operands if exact(each) is None]
    listed = dumps(list(known.values()))
    if len(listed) > MOST_OPERAND_CHARACTERS:
        return ANYTHING
    if known:
        # Inside the brackets `value` is the column of json_each, outside it the version's.
        terms.append(Term(f"{field.value} IN (SELECT value FROM json_each(?))", (listed,)))
    return _any(terms)


def _above(field: Field, operand: Any) -> Term:
    if is_sayable(operand):
        return Term(f"{field.value} >= ?", (operand,))
    if (bounds := span(operand)) is not None:
        return Term(f"{field.value} BETWEEN ? AND ?", (bounds[0], math.inf))
    return ANYTHING


def _below(field: Field, operand: Any) -> Term:
    if is_sayable(operand):
        return Term(f"{field.value} BETWEEN '' AND ?", (operand,))
    if (bounds := span(operand)) is not None:
        return Term(f"{field.value} <= ?", (bounds[1],))
    return ANYTHING


def _exists(field: Field, there: bool) -> Term:
    return Term(f"{field.kind} IS {'NOT ' if there else ''}NULL")


def _contains(field: Field, part: Any) -> Term:
    if type(part) is not str:
        return Term(f"{field.kind} = 'array'")
    spelled = dumps(part)[1:-1]
    if not is_sayable(spelled):
        return ANYTHING
    # First looked for in the JSON as it is written, which no NUL cuts and nothing has to parse:
    # each character has one spelling there, in a text and in an element of a list alike.
    return Term(
        f"(instr(value, ?) AND ({field.kind} = 'array' OR ({field.kind} = 'text' "
        f"AND (instr({field.value}, ?) OR instr(value, '\\u0000')))))",
        (spelled, part),
    )


_OPERATORS: dict[str, Callable[[Field, Any], Term]] = {
    "$eq": _equal,
    "$gt": _above,
    "$gte": _above,
    "$lt": _below,
    "$lte": _below,
    "$in": _one_of,
    "$exists": _exists,
    "$contains": _contains,
}


def _all(terms: Iterable[Term]) -> Term:
    """Return a condition that is met where all terms are; past the bounds, some are left out."""
    kept: list[Term] = []
    size = 0
    for each in terms:
        if each == NOTHING:
            return NOTHING
        if each != ANYTHING and size + each.size <= MOST_TERMS and each.depth < MOST_DEPTH:
            kept.append(each)
            size += each.size
    return _joined(kept, " AND ", size) if kept else ANYTHING


def _any(terms: list[Term]) -> Term:
    """Return a condition that is met where one term is; past the bounds, everywhere."""
    kept = [each for each in terms if each != NOTHING]
    size = sum(each.size for each in kept)
    if ANYTHING in kept or size > MOST_TERMS or any(each.depth >= MOST_DEPTH for each in kept):
        return ANYTHING
    return _joined(kept, " OR ", size) if kept else NOTHING


def _joined(terms: list[Term], word: str, size: int) -> Term:
    if len(terms) == 1:
        return terms[0]
    values = tuple(value for each in terms for value in each.values)
    depth = 1 + max(each.depth for each in terms)
    return Term(f"({word.join(each.sql for each in terms)})", values, size, depth)
