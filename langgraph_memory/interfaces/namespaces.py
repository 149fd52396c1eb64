"""Listing namespaces: conditions with wildcards, depth, paging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.store.base import ListNamespacesOp, MatchCondition

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.record import check_limits
from langgraph_memory.errors import InvalidInputError

ANY = "*"


def check(op: ListNamespacesOp) -> None:
    """Refuse a listing that makes no sense, before anything is done.

    Raises:
        InvalidInputError: Negative paging or depth, or an unknown way to match.
    """
    check_limits(op.limit, op.offset)
    if op.max_depth is not None and (type(op.max_depth) is not int or op.max_depth < 0):
        raise InvalidInputError(f"max_depth is {op.max_depth!r}; give 0 or more, or None.")
    for condition in op.match_conditions or ():
        given: Any = condition.path
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise InvalidInputError(
                f"A condition on namespaces is a tuple of labels, not {given!r}."
            )
        if condition.match_type not in ("prefix", "suffix"):
            raise InvalidInputError(
                f"Unknown match type {condition.match_type!r}. Use prefix or suffix."
            )


def page(found: Sequence[Namespace], op: ListNamespacesOp) -> list[Namespace]:
    """Return one page of the namespaces that meet every condition, cut to the depth, sorted."""
    conditions = op.match_conditions or ()
    met = (each for each in found if all(_meets(each, condition) for condition in conditions))
    cut = {each if op.max_depth is None else each[: op.max_depth] for each in met}
    return sorted(cut)[op.offset : op.offset + op.limit]


def _meets(namespace: Namespace, condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    if condition.match_type == "prefix":
        part = namespace[: len(path)]
    else:
        part = namespace[len(namespace) - len(path) :]
    return all(wanted in (ANY, label) for wanted, label in zip(path, part, strict=True))
