"""What a search filter means. This is the reference; every other form is tested against it.

``{"a": 1, "b": {"$gt": 2}}`` asks for both. Truth table, for a field that is present:

* a bare value or ``$eq``: same type and equal; ``True`` is not ``1``, but ``1`` is ``1.0``;
  a dictionary without operators asks for each of its parts, deeper, and ``{}`` for ``{}``.
* ``$ne``: not ``$eq``. ``$gt $gte $lt $lte``: numbers with numbers, text with text;
  anything else is false.
* ``$in``: ``$eq`` to one of a list. ``$nin``: to none. ``$contains``: a list has an equal
  element, or a text has the part. ``$exists``: ``True`` or ``False``.

For a field that is missing: ``$exists: False``, ``$ne`` and ``$nin`` are true, all else is
false. None is a value, and present. ``$and``, ``$or`` take lists of filters, ``$not`` one;
``$not`` beside the operators of a field is true where its operand is false.
A key is looked up as it is spelled; only then is ``a.b`` taken as ``b`` inside ``a``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langgraph_memory.domain.json import MAX_DEPTH
from langgraph_memory.errors import InvalidFilterError

MISSING: Any = object()
"""What stands in a field that is not there."""

_LOGIC = ("$and", "$or", "$not")
_PLAIN = frozenset((str, bool, int, float, list, tuple, type(None), type(MISSING)))


def check(wanted: Mapping[str, Any]) -> None:
    """Refuse a filter that this module does not know, before anything is searched.

    Raises:
        InvalidFilterError: An unknown operator, an operand of the wrong shape, or a filter
            nested deeper than any value.
    """
    _check(wanted, 0)


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Tell whether ``value`` meets a filter that passed :func:`check`."""
    for key, condition in wanted.items():
        if key in _LOGIC:
            met = _meets_logic(value, key, condition)
        else:
            met = _meets(value[key] if key in value else look_up(value, key), condition)
        if not met:
            return False
    return True


def _check(wanted: Any, depth: int) -> None:
    if not isinstance(wanted, Mapping):
        raise InvalidFilterError(f"A filter is a dictionary, not {type(wanted).__name__}.")
    if depth > MAX_DEPTH:
        raise InvalidFilterError(f"The filter is nested deeper than {MAX_DEPTH} levels.")
    for key, condition in wanted.items():
        if not isinstance(key, str):
            raise InvalidFilterError(f"A field name is text, not {key!r}.")
        if key in _LOGIC:
            _check_logic(key, condition, depth + 1)
        elif key.startswith("$"):
            raise InvalidFilterError(f"Unknown operator {key} in place of a field.", operator=key)
        else:
            _check_condition(condition, depth + 1)


def _check_logic(key: str, condition: Any, depth: int) -> None:
    if key == "$not":
        _check(condition, depth)
        return
    if not isinstance(condition, list | tuple):
        raise InvalidFilterError(f"{key} takes a list of filters.", operator=key)
    for each in condition:
        _check(each, depth)


def _check_condition(condition: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InvalidFilterError(f"The filter is nested deeper than {MAX_DEPTH} levels.")
    if not is_operators(condition):
        if isinstance(condition, Mapping):
            _check(condition, depth)
        return
    for operator, operand in condition.items():
        if operator == "$not":
            _check_condition(operand, depth + 1)
        elif operator not in _OPERATORS:
            raise InvalidFilterError(f"Unknown operator {operator}.", operator=operator)
        elif operator in ("$in", "$nin") and not isinstance(operand, list | tuple):
            raise InvalidFilterError(f"{operator} takes a list of values.", operator=operator)
        elif operator == "$exists" and not isinstance(operand, bool):
            raise InvalidFilterError("$exists takes True or False.", operator=operator)


def conjuncts(wanted: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields and conditions that all have to be met, ``$or`` and ``$not`` among them."""
    for key, wish in wanted.items():
        if key == "$and":
            for each in wish:
                yield from conjuncts(each)
        else:
            yield key, wish


def is_operators(condition: Any) -> bool:
    """Tell whether a condition is made of operators, and is no value to compare with."""
    return _is_object(condition) and any(
        isinstance(key, str) and key.startswith("$") for key in condition
    )


def _is_object(thing: Any) -> bool:
    """Tell whether something is a mapping; of a plain value the class need not be asked."""
    kind = type(thing)
    return kind is dict or (kind not in _PLAIN and isinstance(thing, Mapping))


def _meets_logic(value: Mapping[str, Any], key: str, condition: Any) -> bool:
    if key == "$and":
        return all(matches(value, each) for each in condition)
    if key == "$or":
        return any(matches(value, each) for each in condition)
    return not matches(value, condition)


def look_up(value: Any, key: str) -> Any:
    """Return what stands in a field, ``MISSING`` if there is none."""
    if not _is_object(value):
        return MISSING
    if key in value:
        return value[key]
    head, dot, rest = key.partition(".")
    return look_up(value[head], rest) if dot and head in value else MISSING


def _meets(found: Any, condition: Any) -> bool:
    if not _is_object(condition) or not condition:
        return _equal(found, condition)
    if not is_operators(condition):
        return _is_object(found) and matches(found, condition)
    return all(
        not _meets(found, operand) if operator == "$not" else _OPERATORS[operator](found, operand)
        for operator, operand in condition.items()
    )


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b
    if _is_object(a) and _is_object(b):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    return type(a) is type(b) and bool(a == b)


def _comparable(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return False
    return (isinstance(a, int | float) and isinstance(b, int | float)) or (
        isinstance(a, str) and isinstance(b, str)
    )


def _contains(found: Any, part: Any) -> bool:
    if isinstance(found, str):
        return isinstance(part, str) and part in found
    return isinstance(found, list | tuple) and any(_equal(each, part) for each in found)


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": _equal,
    "$ne": lambda a, b: not _equal(a, b),
    "$gt": lambda a, b: _comparable(a, b) and a > b,
    "$gte": lambda a, b: _comparable(a, b) and a >= b,
    "$lt": lambda a, b: _comparable(a, b) and a < b,
    "$lte": lambda a, b: _comparable(a, b) and a <= b,
    "$in": lambda a, b: any(_equal(a, each) for each in b),
    "$nin": lambda a, b: not any(_equal(a, each) for each in b),
    "$exists": lambda a, wanted: (a is not MISSING) is wanted,
    "$contains": _contains,
}
