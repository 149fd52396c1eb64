"""The figures of a configuration on a footing, and the table of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from langgraph_memory.evaluation.measures import (
    all_at,
    any_at,
    contamination_at,
    forgetting_aware,
    fraction_at,
    mean,
    reciprocal_rank,
)
from langgraph_memory.evaluation.retrieval.asking import Order
from langgraph_memory.evaluation.retrieval.sets import Footing


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions that have gold, in [0, 1]; milliseconds are a median.

    Attributes:
        footing, configuration: Of what.
        k, questions: How many places count, and over how many questions.
        any, all, fraction: One of the gold items, all, and their share, in the first k.
        mrr: Mean reciprocal rank of the first gold item.
        contamination, fama: The share of stale items in the first k, and the forgetting-aware
            score; NaN where nothing is stale.
        milliseconds: A question, embedding included.
    """

    footing: str
    configuration: str
    k: int
    questions: int
    any: float
    all: float
    fraction: float
    mrr: float
    contamination: float
    fama: float
    milliseconds: float

    def as_row(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return asdict(self)


def figures(footing: Footing, configuration: str, orders: Sequence[Order]) -> Figures:
    """Return the figures of some orders; questions without gold are passed over."""
    k = footing.k
    pairs = [
        (each.turns, each.question.turns, frozenset[str]())
        if footing.unit == "turn"
        else (each.sessions, each.question.sessions, each.question.stale)
        for each in orders
    ]
    asked = [pair for pair in pairs if pair[1]]
    dated = [pair for pair in asked if pair[2]]
    return Figures(
        footing.name,
        configuration,
        k,
        len(asked),
        mean(any_at(k, found, gold) for found, gold, _ in asked),
        mean(all_at(k, found, gold) for found, gold, _ in asked),
        mean(fraction_at(k, found, gold) for found, gold, _ in asked),
        mean(reciprocal_rank(found, gold) for found, gold, _ in asked),
        mean(contamination_at(k, found, stale) for found, _, stale in dated),
        mean(forgetting_aware(k, *each) for each in asked) if dated else float("nan"),
        median(each.milliseconds for each in orders) if orders else float("nan"),
    )


HEADING = (
    f"{'configuration':24} {'any@k':>6} {'all@k':>6} {'frac@k':>6} {'MRR':>6} {'stale@k':>7} "
    f"{'FAMA_r':>6} {'ms':>6}"
)


def as_line(each: Figures) -> str:
    """Return a line of the table."""
    values = (each.any, each.all, each.fraction, each.mrr)
    told = " ".join(f"{value:6.3f}" for value in values)
    return (
        f"{each.configuration:24} {told} {_or_dash(each.contamination, 7)} "
        f"{_or_dash(each.fama, 6)} {each.milliseconds:6.1f}"
    )


def _or_dash(value: float, width: int) -> str:
    return f"{'-':>{width}}" if value != value else f"{value:{width}.3f}"
