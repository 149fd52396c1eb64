"""Look at everything a home holds, and on demand make again what is derived.

The truth is never changed here. Where it is damaged, the report says where, and a backup is
the only help. What is derived is compared with what it was made from: texts with values, words
with texts, vectors with texts, indexes with vectors. Others may read and write meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from langgraph_memory.domain.findings import Check, Fault, Findings
from langgraph_memory.errors import StorageDamagedError
from langgraph_memory.operations.comparing import Derived
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.rebuild import retell
from langgraph_memory.operations.reindex import Progress
from langgraph_memory.ports import Space, Transaction

MODEL = "embedding model"
"""The check of the model's name. A home that fails it was opened as another model's."""

RECORDS = "records"
"""The check of chains of versions; a note in it says that some were never sealed."""

_NOT_COMPARED = "not compared: open the home again, which was opened as another model's"


@dataclass(frozen=True, slots=True)
class Report:
    """What a look at a home found.

    Attributes:
        checks: Everything that was looked at, as it is now.
        before: The same before the repair; empty if nothing was repaired.
    """

    checks: tuple[Check, ...]
    before: tuple[Check, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether there is no fault."""
        return all(check.well for check in self.checks)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The first faults of every check."""
        return tuple(fault for check in self.checks for fault in check.faults)


def verify(engine: Engine, *, repair: bool = False, progress: Progress | None = None) -> Report:
    """Look at everything; with ``repair``, make what is derived anew and look again.

    Without ``repair``, nothing is written.

    Args:
        engine: The ports. Without an embedder, vectors that are wrong are told and not made.
        repair: Whether to repair, and to embed and seal those of which nothing is known.
        progress: Called with records done and records in all, from the start for each pass.

    Raises:
        StorageBusyError: Another program holds the database.
        EmbeddingError: A repair needs the embedder, and it does not work.
    """
    look = _Look(engine, progress)
    found = look.checks()
    if not repair or (all(check.well for check in found) and not look.unknown(engine)):
        return Report(found)
    if look.beyond_repair:
        return Report(found, before=found)
    fits = _repair(engine, progress)
    again = _Look(engine, progress, indexes=fits or look.named)
    return Report(again.checks(), before=found)


def _repair(engine: Engine, progress: Progress | None) -> bool:
    """Repair; tell whether the engine's embedder is the one that the home is bound to now."""
    ours, fits = engine.embedder, False
    with suppress(StorageDamagedError):  # told by the look that follows
        with engine.database.write() as tx:
            tx.audit.mend()
        with engine.database.read() as tx:
            space = tx.space()
        fits = ours is not None and space in (None, Space(ours.model_id, ours.dims))
    with suppress(StorageDamagedError):
        retell(engine, ours if fits else None, progress=progress)
    return fits


class _Look:
    """One look at everything.

    Attributes:
        derived: Words and vectors, compared.
        named: Whether the home says rightly which model made its vectors.
        beyond_repair: Whether a table of the truth is gone: nothing can be made from it.
    """

    def __init__(self, engine: Engine, progress: Progress | None, *, indexes: bool = True) -> None:
        self._engine = engine
        self._indexes = indexes
        self._found: list[Check] = []
        self.derived = Derived(progress)
        self.named = self.beyond_repair = self._incomplete = False

    def checks(self) -> tuple[Check, ...]:
        """Look, and return what was found."""
        with self._damage_found("reading"), self._engine.database.read() as tx:
            tables = tx.audit.tables()
            self._incomplete = not tables.well
            self.beyond_repair = any(fault.sort == "truth" for fault in tables.faults)
            self._found += [tables, *tx.audit.truths()]
            if tables.well:
                self._look_at_derived(tx)
        if not self._incomplete:
            self._look_further()
        if self._engine.run_state is not None:
            self._found.append(self._engine.run_state.check())
        return tuple(self._found)

    def unknown(self, engine: Engine) -> bool:
        """Tell whether a repair would seal what is whole, as far as anybody knows."""
        vectors = self.derived.unknown if engine.embedder else 0
        return bool(vectors or any(each.note for each in self._found if each.name == RECORDS))

    def _look_at_derived(self, tx: Transaction) -> None:
        model = tx.audit.model()
        self.named = model.well
        self._found += [model, *tx.audit.derivations()]
        self.derived.look(tx, vectors=self.named)
        self._found.append(self._engine.word_index.check(tx))
        self._found.append(self._engine.field_index.check(tx))

    def _look_further(self) -> None:
        """Look at what takes an embedder, a write or a view of its own."""
        self.derived.judge_lacking(self._engine)
        self._found += self.derived.checks()
        with self._damage_found("writing"), self._engine.database.write() as tx:
            self._found.append(tx.audit.full_text())
        if self.named and self._indexes:
            self._found += self._engine.index.check()
        else:
            self._found.append(Check("exact index", note=_NOT_COMPARED))

    @contextmanager
    def _damage_found(self, name: str) -> Iterator[None]:
        """Let a transaction in a damaged file end badly; what was found in it counts."""
        try:
            yield
        except StorageDamagedError:
            findings = Findings(name)
            findings.add("truth", "database file", "is damaged")
            self._found.append(findings.check())
