"""One field of the values of one namespace, in memory: for each thing it says, who says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph_memory.domain.filters import MISSING, is_operators, look_up, matches
from langgraph_memory.domain.json import JsonObject, dumps

Key = tuple[str, Any]

MOST_JUDGED = 2_000
FEW_JUDGED = 32
"""Different things a field may say for a condition to be asked of each: few, or one for every
four records, and no more than the most. What is only compared for being equal is looked up."""

_SHARED = 4


class Column:
    """Rows by what their values say in a field. A condition is asked of each thing once.

    Args:
        name: The field, as a filter names it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows: dict[Key, set[int]] = {}
        self._said: dict[Key, Any] = {}
        self._keys: dict[int, Key] = {}
        self._kept: dict[Key, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def put(self, row: int, value: JsonObject) -> None:
        """Note what a row's value says."""
        self.remove(row)
        said = look_up(value, self._name)
        key = _key(said)
        if key not in self._rows:
            self._rows[key] = set()
            self._said[key] = said
        self._rows[key].add(row)
        self._keys[row] = key
        self._kept.pop(key, None)

    def remove(self, row: int) -> None:
        """Forget a row; one that is not here is no error."""
        key = self._keys.pop(row, None)
        if key is None:
            return
        self._kept.pop(key, None)
        self._rows[key].discard(row)
        if not self._rows[key]:
            del self._rows[key], self._said[key]

    def meeting(self, wish: Any) -> frozenset[int] | None:
        """Return the rows that meet a condition; None where asking would cost too much."""
        if (equal := _equal_to(wish)) is not None:
            keys = [key for key in equal if key in self._rows]
        elif self.is_diverse:
            return None
        else:
            keys = [key for key, said in self._said.items() if self._meets(said, wish)]
        if len(keys) == 1:
            return self._kept_rows(keys[0])
        return frozenset().union(*(self._rows[key] for key in keys))

    @property
    def is_diverse(self) -> bool:
        """Whether it says so many things that only equality can be asked of it."""
        things = len(self._rows)
        shared = things <= FEW_JUDGED or _SHARED * things <= len(self._keys)
        return things > MOST_JUDGED or not shared

    def contents(self) -> dict[int, Key]:
        """Return what each row says, as it is told apart here."""
        return self._keys

    def _kept_rows(self, key: Key) -> frozenset[int]:
        """Return the rows that say one thing: the same set as long as they are the same."""
        if key not in self._kept:
            self._kept[key] = frozenset(self._rows[key])
        return self._kept[key]

    def _meets(self, said: Any, wish: Any) -> bool:
        return matches({} if said is MISSING else {self._name: said}, {self._name: wish})


def _key(said: Any) -> Key:
    """Return what tells one thing from another, as a filter does: ``1`` is ``1.0``, not True."""
    if said is MISSING:
        return "missing", None
    if isinstance(said, list | dict):
        return "compound", dumps(said)
    return ("truth" if isinstance(said, bool) else "scalar"), said


def is_equality(wish: Any) -> bool:
    """Tell whether a condition is looked up, whatever else a field says."""
    return _equal_to(wish) is not None


def _equal_to(wish: Any) -> list[Key] | None:
    """Return the things that a condition of equality names, None for any other condition."""
    operands = [wish]
    if is_operators(wish):
        (operator, operand), *more = wish.items()
        if more or operator not in ("$eq", "$in"):
            return None
        operands = [operand] if operator == "$eq" else list(operand)
    if any(isinstance(each, list | tuple | Mapping) for each in operands):
        return None
    try:
        return list(dict.fromkeys(map(_key, operands)))
    except TypeError:  # nothing that a value can hold
        return None
