"""What a look at a home finds: checks, and the faults they met.

A fault is of one of two sorts, and the difference decides what may be done about it. What is
*derived* can be made again from something else that is kept: words, vectors, indexes. What
is *truth* cannot, and is never changed by a repair.

Nothing here may hold a user's text: a report is shown, logged and sent to strangers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

MOST_FAULTS = 20
"""Faults told one by one; the rest is counted."""

Sort = Literal["truth", "derived"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be.

    Attributes:
        sort: ``derived`` if it can be made again, ``truth`` if not.
        place: Where: a record's id, a row of a table, an index.
        problem: What is wrong there.
    """

    sort: Sort
    place: str
    problem: str


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What.
        counted: How many of it.
        found: How many faults there are.
        faults: The first of them.
        note: What is worth knowing and no fault; empty if nothing is.
    """

    name: str
    counted: int = 0
    found: int = 0
    faults: tuple[Fault, ...] = ()
    note: str = ""

    @property
    def well(self) -> bool:
        """Whether no fault was found."""
        return self.found == 0


@dataclass(slots=True)
class Findings:
    """A check that is under way."""

    name: str
    counted: int = 0
    found: int = 0
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, sort: Sort, place: str, problem: str) -> None:
        """Note a fault."""
        self.found += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(sort, place, problem))

    def check(self) -> Check:
        """Return what was found so far."""
        return Check(self.name, self.counted, self.found, tuple(self.faults), "; ".join(self.notes))
