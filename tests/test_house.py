"""The house: which rooms there are, who may call whom, and that each lock on a door locks.

A contract nobody has seen fail may be checking nothing. Each one is therefore run against a
copy of the package with one deliberate violation planted in it, and must be the one, and the
only one, that complains.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "langgraph_memory"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS = {c["id"]: c for c in CONFIG["tool"]["importlinter"]["contracts"]}
LAYERS = {name.strip(" ()") for layer in CONTRACTS["layers"]["layers"] for name in layer.split("|")}

VIOLATIONS = {
    "an upward import": ("layers", "domain/planted.py", "import langgraph_memory.memory"),
    "an upward import at the top": ("layers", "home.py", "import langgraph_memory.server"),
    "a detour through the public names": (
        "layers",
        "operations/planted.py",
        "import langgraph_memory",
    ),
    "siblings that meet": ("layers", "policy/planted.py", "import langgraph_memory.storage.exact"),
    "a folder nobody listed": ("layers", "helpers/__init__.py", "NAME = 'helpers'"),
    "a module nobody listed": ("layers", "utils.py", "NAME = 'utils'"),
    "a package that knows its graphs": ("graphs-on-top", "cli/planted.py", "import graphs"),
    "a graph with its hand in a drawer": (
        "graphs-use-public-names",
        "../graphs/planted.py",
        "import langgraph_memory.storage.sqlite",
    ),
    "a file opened in a pure layer": ("pure", "text/planted.py", "import pathlib"),
    "a clock in a pure layer": ("pure", "domain/planted.py", "import time"),
    "a use case that chose a database": (
        "concrete-classes",
        "operations/planted.py",
        "import langgraph_memory.storage.sqlite",
    ),
    "SQL in the domain": ("sqlite3", "domain/planted.py", "import sqlite3"),
    "SQL in a neighbour of storage.sqlite": (
        "sqlite3",
        "storage/exact/planted.py",
        "import sqlite3",
    ),
    "Chroma in the one door": ("chromadb", "memory/planted.py", "import chromadb"),
    "Chroma inside a function": (
        "chromadb",
        "storage/sqlite/planted.py",
        "def late() -> None:\n    import chromadb",
    ),
    "LangGraph in a use case": (
        "langgraph",
        "operations/planted.py",
        "from langgraph.store.base import Item",
    ),
    "LangChain messages in policy": (
        "langchain-core",
        "policy/planted.py",
        "from langchain_core.messages import HumanMessage",
    ),
    "LangChain in another model file": (
        "langchain-core",
        "models/planted.py",
        "import langchain_openai",
    ),
    "a model runtime in storage": ("onnx", "storage/exact/planted.py", "import onnxruntime"),
}

WORLD = {
    "the time of day": "import datetime\nNOW = datetime.datetime.now(datetime.UTC)\n",
    "seconds since the epoch": "from time import time\nNOW = time()\n",
    "a random id": "import uuid\nID = uuid.uuid4()\n",
    "a random number": "import random\nN = random.random()\n",
}


def sources(folder: Path) -> Iterator[Path]:
    """Every Python file below a folder."""
    return (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Each import of a file as (module, name); the name is empty for a plain import."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


def is_private(name: str) -> bool:
    """Whether a name is for its own folder only."""
    return name.startswith("_") and not name.startswith("__")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the house, without the model's weights, to plant violations in."""
    for name in ("langgraph_memory", "graphs"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("minilm", "__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(root: Path) -> set[str]:
    """Run import-linter on a tree and return the ids of the contracts that it found broken."""
    code = "from importlinter.cli import lint_imports_command as run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    broken = {key for key, c in CONTRACTS.items() if f"{c['name']} BROKEN" in done.stdout}
    assert (done.returncode != 0) == bool(broken), done.stdout + done.stderr
    return broken


def test_every_folder_and_module_is_a_listed_layer() -> None:
    """A room that is not in the list of layers is no room of this house."""
    found = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in sources(PACKAGE)}
    assert found - {"__init__"} <= LAYERS


def test_every_folder_with_code_is_a_package() -> None:
    """A folder without ``__init__.py`` would be invisible to the contracts."""
    folders = {path.parent for top in (PACKAGE, ROOT / "graphs") for path in sources(top)}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_private_names_stay_in_their_folder() -> None:
    """A name with a leading underscore is imported by nobody outside the folder it lives in."""
    crossings = []
    for path in sources(PACKAGE):
        here = ".".join(path.relative_to(ROOT).parent.parts)
        for module, name in imports(path):
            if module.split(".")[0] != "langgraph_memory" or module.rpartition(".")[0] == here:
                continue
            if any(is_private(part) for part in (*module.split("."), name)):
                crossings.append(f"{path.relative_to(ROOT)}: {module} {name}")
    assert crossings == []


def test_no_test_stands_in_a_mock() -> None:
    """Databases, files and HTTP are real in tests; the stand-ins that exist are shipped."""
    users = [
        path
        for path in sources(ROOT / "tests")
        if any(f"{module}.{name}".startswith("unittest.mock") for module, name in imports(path))
    ]
    assert users == []


def test_the_house_keeps_its_contracts(copy: Path) -> None:
    """The untouched copy passes, so what the planted ones report is the planted line."""
    assert broken_contracts(copy) == set()


def test_every_contract_has_been_seen_to_fail() -> None:
    """A contract without a planted violation may be checking nothing."""
    assert {contract for contract, _, _ in VIOLATIONS.values()} == set(CONTRACTS)


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_planted_violation_breaks_its_contract_and_no_other(violation: str, copy: Path) -> None:
    """Each contract fails on a deliberate violation, by name."""
    contract, place, line = VIOLATIONS[violation]
    file = copy / "langgraph_memory" / place
    file.parent.mkdir(exist_ok=True)
    before = file.read_text("utf-8") if file.exists() else ""
    file.write_text(f"{before}\n{line}\n", "utf-8")
    assert broken_contracts(copy) == {contract}


@pytest.mark.parametrize("source", WORLD)
@pytest.mark.parametrize(
    ("place", "allowed"), [("operations/planted.py", False), ("wiring.py", True)]
)
def test_time_ids_and_chance_enter_through_the_wiring_only(
    source: str, place: str, allowed: bool
) -> None:
    """The linter refuses a clock, an id factory or a random source anywhere else."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "TID251",
         "--stdin-filename", str(PACKAGE / place), "-"],
        cwd=ROOT, input=WORLD[source], capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ("TID251" in done.stdout) != allowed, done.stdout + done.stderr
