"""doctor: what is installed, where things are, and whether they fit together."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from langgraph_memory.cli.common import Exit, HomeOption, JsonOption, opened, out, say, show_json
from langgraph_memory.errors import InvalidPolicyError, MemoryLayerError
from langgraph_memory.home import Home
from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.storage.policy_file import policy_of_home
from langgraph_memory.wiring import (
    CHECKPOINTS,
    DATABASE,
    INDEX,
    Settings,
    check_place,
    choose_model,
    engine_version,
    has_home,
    write_policy,
)

DISTRIBUTION = "langgraph-memory-plugin"
NAMESAKE = "langgraph-memory"
_PACKAGES = (
    DISTRIBUTION, "langgraph", "langgraph-checkpoint", "langgraph-checkpoint-sqlite",
    "langchain-core", "langchain-openai", "chromadb", "onnxruntime", "tokenizers",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was looked at, whether it is well, and what to do if not."""

    name: str
    well: bool
    finding: str


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(doctor)


def doctor(
    sync: Annotated[bool, typer.Option(help="Bring the index up to date, and wait.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check versions, paths, policy, index, model and weights; exit code 3 if something is wrong.

    Example: langgraph-memory doctor --home memory
    """
    settings = Settings.load()
    path = home or settings.home
    checks = [_versions(), _namesake(), _weights(), _model(settings), _policy(settings, path)]
    checks += _home(path, sync=sync)
    if as_json:
        show_json({"well": all(each.well for each in checks), "checks": checks})
    else:
        for each in checks:
            out.print("ok   " if each.well else "WRONG", end=" ", markup=False,
                      style="green" if each.well else "bold red")  # fmt: skip
            say(f"{each.name}: {each.finding}")
    if not all(each.well for each in checks):
        raise typer.Exit(Exit.STORAGE)


def _versions() -> Check:
    found = [f"python {platform.python_version()}", f"sqlite {engine_version()}"]
    found += [f"{name} {version}" for name in _PACKAGES if (version := _version(name))]
    return Check("versions", well=True, finding=", ".join(found))


def _namesake() -> Check:
    """Look for the unrelated package that installs a module of the same name."""
    other = _version(NAMESAKE)
    if other is None:
        return Check("import name", well=True, finding="langgraph_memory is ours alone")
    return Check(
        "import name",
        well=False,
        finding=f"{NAMESAKE} {other}, another project, installs the same module: run "
        f"pip uninstall {NAMESAKE}, then pip install --force-reinstall {DISTRIBUTION}",
    )


def _weights() -> Check:
    try:
        embedder = MiniLmEmbedder()
        embedder.embed_query("ready")
    except MemoryLayerError as error:
        return Check("embedder", well=False, finding=error.commanded)
    return Check("embedder", well=True, finding=f"{embedder.model_id}, {embedder.dims} dimensions")


def _model(settings: Settings) -> Check:
    key = "a key is set" if settings.api_key else "no key is set"
    try:
        name = choose_model(settings).name
    except MemoryLayerError as error:
        return Check("model", well=False, finding=error.commanded)
    unused = "" if settings.model or not settings.api_key else "; MEMORY_MODEL would choose one"
    return Check("model", well=True, finding=f"{name} ({key}{unused})")


def _policy(settings: Settings, path: Path) -> Check:
    """Look at the write policy that counts, also where no home is made yet."""
    try:
        policy = write_policy(settings, path)
    except InvalidPolicyError as error:
        return Check("write policy", well=False, finding=error.commanded)
    named = settings.policy or policy_of_home(path)
    place = str(named) if named else "the shipped one"
    return Check("write policy", well=True, finding=f"{policy.version} ({place})")


def _home(path: Path, *, sync: bool) -> list[Check]:
    try:
        if not has_home(path):
            check_place(path)
            finding = f"none yet at {path.resolve()}; writing makes it"
            return [Check("home", well=True, finding=finding)]
        with opened(path) as home:
            if sync:
                home.sync_index()
            return [_files(home), _index(home), _jobs(home)]
    except InvalidPolicyError:
        return []  # said of the policy
    except MemoryLayerError as error:
        return [Check("home", well=False, finding=error.commanded)]


def _files(home: Home) -> Check:
    sizes = [
        f"{name} {_megabytes(home.path / name)}"
        for name in (DATABASE, CHECKPOINTS, INDEX)
        if (home.path / name).exists()
    ]
    return Check("home", well=True, finding=f"{home.path}: {', '.join(sizes)}")


def _index(home: Home) -> Check:
    status = home.index_status()
    if status.in_step:
        return Check("index", well=True, finding="in step with the database")
    finding = f"{status.behind} changes behind; searches find them exactly meanwhile"
    return Check("index", well=not status.problem, finding=f"{finding} {status.problem}".strip())


def _jobs(home: Home) -> Check:
    dead = [job for job in home.memory.jobs() if job.error]
    if not dead:
        return Check("background work", well=True, finding="nothing failed")
    return Check(
        "background work", well=False, finding=f"{len(dead)} failed, last: {dead[-1].error}"
    )


def _megabytes(path: Path) -> str:
    files: list[Any] = [path] if path.is_file() else list(path.rglob("*"))
    return f"{sum(each.stat().st_size for each in files if each.is_file()) / 1e6:.1f} MB"


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
