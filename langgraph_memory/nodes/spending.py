"""What a turn's model calls cost, wherever they happen, and how the state's ``usage`` tells it.

A call costs whatever comes of it: an answer, an order to memory, a draft that is written again,
a refusal. What a failed run spent is kept with its failure, and told by the run that succeeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_memory.context.prompt import PLACEMENT, PROMPT
from langgraph_memory.domain import run_state
from langgraph_memory.errors import ModelError
from langgraph_memory.nodes.checking import CLAIMS
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.ports import Reply


@dataclass(frozen=True, slots=True)
class Spent:
    """What some model calls cost together.

    Attributes:
        calls: How many there were.
        input_tokens, output_tokens: As the provider counted; None where it counts none.
        milliseconds: How long they took, one after another.
    """

    calls: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    milliseconds: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """Return the cost of both; what only one of two providers counted is what is known."""
        if not self.calls or not other.calls:
            return self if self.calls else other
        return Spent(
            self.calls + other.calls,
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            self.milliseconds + other.milliseconds,
        )

    def told(self) -> dict[str, Any]:
        """Return it as ``usage`` has it."""
        return {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "model_milliseconds": round(self.milliseconds, 3),
        }


NOTHING = Spent()


def read(told: Mapping[str, Any]) -> Spent:
    """Return what :meth:`Spent.told` told; nothing where it was not told."""
    if not told.get("calls"):
        return NOTHING
    return Spent(
        told["calls"], told["input_tokens"], told["output_tokens"], told["model_milliseconds"]
    )


def of_replies(replies: Iterable[Reply]) -> Spent:
    """Return what replies cost, one call each."""
    total = NOTHING
    for each in replies:
        total = total.plus(Spent(1, each.input_tokens, each.output_tokens, each.milliseconds))
    return total


def of_failure(exc: ModelError) -> Spent:
    """Return what a call cost that ended in an error, as far as it is known."""
    known = exc.facts.get("spent") or {}
    return Spent(
        1,
        known.get("input_tokens"),
        known.get("output_tokens"),
        known.get("milliseconds", 0.0),
    )


def of_failures(failures: Iterable[run_state.Failure]) -> Spent:
    """Return what failed runs of a turn cost."""
    total = NOTHING
    for each in failures:
        total = total.plus(read(each.get("spent", {})))
    return total


def used(state: PrivateState, spent: Spent, told: dict[str, Any], *, shown: bool) -> dict[str, Any]:
    """Return the turn's usage with more model calls in it.

    Args:
        state: The turn so far.
        spent: What the further calls cost.
        told: What else there is to say of the turn.
        shown: Whether a model was shown a request: its versions shaped the turn, too.
    """
    usage = state.get("usage") or {}
    shaped = {"placement": PLACEMENT, "prompt": PROMPT} if shown else {}
    if "check" in told:
        shaped["claims"] = CLAIMS
    return {
        **usage,
        **read(usage).plus(spent).told(),
        **told,
        "versions": {**usage.get("versions", {}), **shaped},
    }


def charged(state: PrivateState, spent: Spent) -> run_state.RunState:
    """Return the run state with model calls in its budgets."""
    return run_state.charged(
        state.get("run_state") or run_state.begun(None),
        input_tokens=spent.input_tokens or 0,
        output_tokens=spent.output_tokens or 0,
    )


def _sum(one: int | None, other: int | None) -> int | None:
    known = [each for each in (one, other) if each is not None]
    return sum(known) if known else None
