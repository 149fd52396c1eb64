"""verify, reindex: look at everything a home holds, make derived things anew, change the model."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.embeddings import Embeddings

from langgraph_memory.cli.common import (
    Exit,
    HomeOption,
    JsonOption,
    out,
    progress,
    say,
    show_json,
)
from langgraph_memory.domain.findings import Check
from langgraph_memory.errors import EmbeddingError, HomeNotFoundError, InvalidInputError
from langgraph_memory.home import reindex as move
from langgraph_memory.interfaces.langchain_embedder import LangChainEmbedder
from langgraph_memory.memory import Memory
from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.rebuild import Rebuilt
from langgraph_memory.operations.reindex import Reindexed
from langgraph_memory.operations.verify import MODEL, Report
from langgraph_memory.ports import Embedder
from langgraph_memory.wiring import Settings, for_upkeep, has_home

SHIPPED = "default"
_PROBE = "dimensions"

EmbedderOption = Annotated[
    str | None,
    typer.Option(
        help="module:attribute, an Embeddings object of LangChain's or what makes one; "
        f"{SHIPPED} is the shipped model."
    ),
]
DimsOption = Annotated[
    int | None, typer.Option(min=1, help="Its dimensions.", show_default="asked of the model")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (verify, reindex):
        app.command()(command)


def verify(
    repair: Annotated[
        bool, typer.Option("--repair", help="Make anew what is derived and wrong.")
    ] = False,
    embedder: EmbedderOption = None,
    dims: DimsOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look at everything the home holds, of all owners; exit code 3 if something is wrong.

    What is derived (texts, words, vectors, tables, indexes) can be repaired; the truth is never
    changed. Vectors are compared with their texts by hashes: nothing is embedded for a look. A
    repair of vectors needs the home's model: name it with --embedder if it is not the shipped one.

    Example: langgraph-memory verify --repair
    """
    found = _verified(home, _embedder(embedder, dims), repair=repair)
    if any(check.name == MODEL and not check.well for check in found.before):
        # It was opened as the home of another model than it turned out to be of.
        again = _verified(home, _embedder(embedder, dims), repair=repair)
        found = Report(again.checks, before=found.before)
    if as_json:
        show_json({"whole": found.whole, "checks": found.checks, "before": found.before})
    else:
        _show(found)
    if not found.whole:
        raise typer.Exit(Exit.STORAGE)


def reindex(
    embedder: EmbedderOption = None,
    dims: DimsOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make words and indexes anew; with --embedder, move the home to another model.

    A move may be interrupted: the same command goes on. Until it is done, the old model
    answers.

    Example: langgraph-memory reindex --embedder my_models:embeddings --dims 1536
    """
    model = _embedder(embedder, dims)
    if model is None:
        rebuilt, left = _rebuild(home)
        show_json(rebuilt) if as_json else say(_rebuilt(rebuilt, left))
    else:
        with progress("Embedding") as report:
            done = move(_path(home), embedder=model, progress=report)
        show_json(done) if as_json else say(_moved(done))


def _rebuild(home: Path | None) -> tuple[Rebuilt, str]:
    """Rebuild, and return with it which move to another model is half done, if any is."""
    with _opened(home, None) as engine, progress("Rebuilding") as report:
        rebuilt = Memory(engine).rebuild(progress=report)
        with engine.database.read() as tx:
            goal = tx.reindexing.goal()
    return rebuilt, goal.model_id if goal else ""


def _verified(home: Path | None, model: Embedder | None, *, repair: bool) -> Report:
    with _opened(home, model) as engine, progress("Verifying") as report:
        return Memory(engine).verify(repair=repair, progress=report)


@contextmanager
def _opened(home: Path | None, model: Embedder | None) -> Iterator[Engine]:
    with for_upkeep(_path(home), Settings.load(), embedder=model) as engine:
        yield engine


def _path(home: Path | None) -> Path:
    path = home or Settings.load().home
    if not has_home(path):
        raise HomeNotFoundError(path)
    return path


def _embedder(name: str | None, dims: int | None) -> Embedder | None:
    """Return the embedder of the options, None if none is named.

    Raises:
        InvalidInputError: There is nothing of that name, or it is no embedder.
    """
    if name is None:
        return None
    if name == SHIPPED:
        return MiniLmEmbedder()
    found = _named(name)
    if isinstance(found, type) or (callable(found) and not isinstance(found, Embeddings)):
        found = _made(found, name)
    if all(hasattr(found, part) for part in ("model_id", "dims", "reads", "embed_query")):
        ours: Embedder = found
        return ours
    if not isinstance(found, Embeddings):
        raise InvalidInputError(
            f"--embedder {name} is no Embeddings object of LangChain's, but {found!r:.80}. Name "
            "one, or a class or function without arguments that makes one."
        )
    return LangChainEmbedder(found, dims or _dims_of(found, name))


def _made(factory: Callable[[], Any], name: str) -> Any:
    try:
        return factory()
    except Exception as exc:
        raise InvalidInputError(
            f"--embedder {name} could not be made: {type(exc).__name__}: {exc}. Name an "
            "Embeddings object, or a class or function without arguments that makes one."
        ) from exc


def _dims_of(model: Embeddings, name: str) -> int:
    try:
        return len(model.embed_query(_PROBE))
    except Exception as exc:
        raise EmbeddingError(
            f"--embedder {name} could not embed: {type(exc).__name__}: {exc}. Nothing was "
            "written; try again once it works, or give --dims."
        ) from exc


def _named(name: str) -> Any:
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise InvalidInputError(f"--embedder {name!r} is no module:attribute.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as exc:
        raise InvalidInputError(
            f"--embedder {name}: {exc}. Modules are looked for here and where Python finds them."
        ) from exc


def _show(report: Report) -> None:
    for check in report.checks:
        style = "green" if check.well else "bold red"
        out.print("ok   " if check.well else "WRONG", end=" ", markup=False, style=style)
        say(_line(check))
        for fault in check.faults:
            say(f"      {fault.place}: {fault.problem} ({fault.sort})")
    mended = sum(check.found for check in report.before)
    if report.before:
        left = sum(check.found for check in report.checks)
        say(f"{mended} faults before the repair, {left} after it.")
    if any(fault.sort == "truth" for fault in report.faults):
        say("Truth is never changed by a repair: restore it from a backup.")
    elif report.faults and not report.before:
        say("All of it can be made anew: langgraph-memory verify --repair")
    elif report.faults:
        say("Vectors are made anew by the home's own model: name it with --embedder.")


def _line(check: Check) -> str:
    wrong = "" if check.well else f", {check.found} faults"
    note = f" ({check.note})" if check.note else ""
    return f"{check.name}: {check.counted}{wrong}{note}"


def _rebuilt(rebuilt: Rebuilt, left: str) -> str:
    index = "filled" if rebuilt.index else "being filled; searches are exact meanwhile"
    gone = f"{rebuilt.records} records: words of {rebuilt.words} made anew, index {index}."
    said = f"{gone} Nothing was embedded."
    if left:
        said += f"\nA move to {left} is half done: name it with --embedder to go on."
    return said


def _moved(done: Reindexed) -> str:
    name = f"{done.model_id} ({done.dims} dimensions)"
    if done.before is None and not done.records:
        return f"The home is with {name}. Nothing was embedded."
    resumed = f", {done.resumed} before" if done.resumed else ""
    unread = f"; {done.unread} it cannot read are found by words" if done.unread else ""
    return f"Moved to {name}: {done.records} records embedded{resumed}{unread}."
