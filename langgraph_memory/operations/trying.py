"""Try a procedure out on held-out tasks; each result is stored as soon as it is there.

What the caller's functions raise is the result of that task. A process that dies between two tasks
loses neither what was found before nor the procedure; what is run again is stored again, and the
last result of a task counts.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph_memory.domain.json import JsonValue, as_text, check_text, checked_copy
from langgraph_memory.domain.record import Version
from langgraph_memory.domain.scope import Scope
from langgraph_memory.domain.trial import Checked, Trial, digest
from langgraph_memory.errors import LIST_PROCEDURES, InvalidInputError, NotFoundError
from langgraph_memory.operations.amending import named
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.procedures import chosen, found, version_of
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.credentials import check_named
from langgraph_memory.text.secrets import redact

LONGEST_NAME = 512
LONGEST_DETAIL = 2_000
"""Characters kept of what a check or an error says."""

LONGEST_SHOWN = 80
"""Characters repeated of what was given wrongly."""

_PARTS = 3
_WANTED = (
    "Give a list of tasks, each of three parts: a name, an input that is JSON, and a check of what "
    'comes out, as in ("on a Tuesday", {"day": 2}, lambda answer: answer == "wait").'
)

Run = Callable[[str, Any], Any]
Check = Callable[[Any], bool | Checked]
Task = tuple[str, JsonValue, Check]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A task that can be run: its name, its input, the digest of that, and its check."""

    name: str
    given: JsonValue
    input: str
    check: Check


def try_out(
    engine: Engine, scope: Scope, name: str, tasks: Sequence[Task], run: Run, *, by: str,
    version: int | None = None,
) -> list[Trial]:  # fmt: skip
    """Run a procedure on tasks, in order, and store each result.

    Args:
        engine: The ports.
        scope: Whose procedure.
        name: Its name.
        tasks: Each a name, an input that is JSON, and a check of what comes out, which returns
            True, False or a ``Checked``.
        run: Does the task: is called with the procedure's text and the input.
        by: Who runs it.
        version: Which version; else the newest that waits, or what is in force where none does.

    Returns:
        The results, one a task.

    Raises:
        InvalidInputError: A task that cannot be run, or nobody is named; nothing was run.
        RefusedError: The name of a task holds a credential; nothing was run.
        NotFoundError: There is no such procedure or version, or it was forgotten meanwhile: then
            its results are, too.
    """
    tester, asked = named(by), _asked(tasks)
    if not callable(run):
        raise InvalidInputError(
            f"run is {_given(run)}. Give a function of the procedure's text and a task's input."
        )
    if inspect.iscoroutinefunction(run):
        raise InvalidInputError("run is asynchronous. Give a function that waits: asyncio.run(...)")
    with engine.database.read() as tx:
        _, record = found(engine, tx, scope, name)
    tested = chosen(record, version, engine.clock())
    text = str((tested.value or {}).get(CONTENT, ""))
    trials = []
    for each in asked:
        said = _checked(run, text, each)
        trials.append(_stored(engine, scope, name, record.id, tested, each, said, tester))
    return trials


def _asked(tasks: Sequence[Task]) -> list[_Asked]:
    if not isinstance(tasks, Iterable):
        raise InvalidInputError(f"The tasks are {_given(tasks)}. {_WANTED}")
    found_tasks = [_task(number, each) for number, each in enumerate(tasks, start=1)]
    if not found_tasks:
        raise InvalidInputError(f"There are no tasks. {_WANTED}")
    names = [each.name for each in found_tasks]
    if twice := sorted({each for each in names if names.count(each) > 1}):
        raise InvalidInputError(f"Two tasks are called {twice[0]!r}. Give each a name of its own.")
    return found_tasks


def _task(number: int, task: object) -> _Asked:
    if not isinstance(task, tuple | list):
        raise InvalidInputError(f"Task {number} is {_given(task)}. {_WANTED}")
    if len(task) != _PARTS:
        raise InvalidInputError(f"Task {number} has {len(task)} parts: {_given(task)}. {_WANTED}")
    name, given, check = task
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInputError(
            f"The name of task {number} is {_given(name)}. Give text of 1 to {LONGEST_NAME} "
            f"characters. {_WANTED}"
        )
    if not callable(check):
        raise InvalidInputError(f"The check of task {name!r} is {_given(check)}. {_WANTED}")
    if inspect.iscoroutinefunction(check):
        raise InvalidInputError(
            f"The check of task {name!r} is asynchronous. Give a function that waits: "
            "asyncio.run(...)"
        )
    copied = checked_copy({"input": given}, path=f"task {name!r}")["input"]
    check_named("the name of a task", name)
    return _Asked(check_text(name.strip(), "task"), copied, digest(copied), check)


def _given(what: object) -> str:
    """Return what was given, cut, and of which type it is."""
    shown = repr(what)
    cut = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    return f"{cut} ({type(what).__name__})"


def _checked(run: Run, text: str, asked: _Asked) -> Checked:
    """Return what became of a task; what is raised is a failure with its error."""
    try:
        said: object = asked.check(run(text, asked.given))
    except Exception as exc:  # noqa: BLE001 - a foreign function may raise anything
        error = "".join(traceback.format_exception_only(exc)).strip()
        return Checked(False, detail=_short(error))
    if isinstance(said, Checked):
        return Checked(said.passed, said.score, _short(said.rule), _short(said.detail))
    if isinstance(said, bool):
        return Checked(said)
    kind = type(said).__name__
    return Checked(False, detail=f"the check returned a {kind}: return True, False or a Checked")


def _short(text: str) -> str:
    return redact(as_text(str(text)))[:LONGEST_DETAIL]


def _stored(
    engine: Engine, scope: Scope, name: str, record_id: str, tested: Version, asked: _Asked,
    said: Checked, by: str,
) -> Trial:  # fmt: skip
    """Store one result; of what was forgotten meanwhile none is kept."""
    words = digest(tested.value)
    trial = Trial(tested.number, words, asked.name, asked.input, said, by, engine.clock())
    with engine.database.write() as tx:
        stored, record = found(engine, tx, scope, name)
        if stored.id != record_id or digest(version_of(record, tested.number).value) != words:
            raise NotFoundError("procedure", name, way=LIST_PROCEDURES)
        tx.trials.add(stored.row, trial)
    return trial
