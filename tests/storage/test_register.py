"""Nothing keeps data without standing in the register: tables, files, and what grows in memory."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Settings, open_memory, reindex
from langgraph_memory.storage.register import (
    CACHES,
    CHECKPOINT_TABLES,
    FILES,
    PASSING,
    TABLES,
    markdown,
    registered_file,
    rows,
)
from langgraph_memory.testing import HashingEmbedder

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "langgraph_memory"

# --- Files and tables -------------------------------------------------------------------


def files(home: Path) -> set[str]:
    return {each.relative_to(home).as_posix() for each in home.rglob("*") if each.is_file()}


def work_out(path: Path, settings: Settings) -> set[str]:
    """Do everything in a home, and return every file that was there at any time."""
    seen: set[str] = set()
    with open_memory(path, settings=settings, embedder=HashingEmbedder(64)) as home:
        for number in range(3):
            home.store.put(("notes", "jane"), f"k{number}", {"text": f"note {number}"}, ttl=60)
        home.store.delete(("notes", "jane"), "k1")
        me = home.memory.scope(tenant="acme", user="jane")
        me.remember("The launch moved to Monday", key="launch_date")
        me.procedures.propose("deploy", "Deploy by blue and green", by="Lina")
        me.procedures.test("deploy", [("x", 1, bool)], lambda text, given: True, by="Ann")
        config: Any = {"configurable": {"thread_id": "planning"}}
        home.agent().invoke({"messages": [("user", "Remember that Lina owns deployment")]},
                            config, context=me.context())  # fmt: skip
        home.memory.work_off()
        assert home.sync_index()
        seen |= files(path)
        assert home.memory.verify(repair=True).whole
        home.memory.rebuild()
        seen |= files(path)
        reindex(path, embedder=HashingEmbedder(32))
    with open_memory(path, settings=settings, embedder=HashingEmbedder(32)) as home:
        assert home.sync_index()
        seen |= files(path)
        home.memory.scope(tenant="acme", user="jane").purge()
        seen |= files(path)
    return seen | files(path)


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    path = tmp_path_factory.mktemp("worked")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MEMORY_INDEX", raising=False)
        return path, work_out(path, Settings.load())


def test_every_file_that_ever_appears_in_a_home_is_registered(
    worked: tuple[Path, set[str]],
) -> None:
    _, seen = worked
    assert {name for name in seen if registered_file(name) is None} == set()
    assert {"memory.sqlite", "memory.sqlite-wal", "checkpoints.sqlite", "chroma.lock"} <= seen
    for pattern in FILES:
        assert any(registered_file(name) is FILES[pattern] for name in seen), pattern


@pytest.mark.parametrize("name", ["notes.txt", "chroma/index.bin", "memory.sqlite.bak", "a/b"])
def test_a_file_nobody_registered_is_noticed(name: str) -> None:
    assert registered_file(name) is None


def test_every_table_of_both_databases_is_registered(worked: tuple[Path, set[str]]) -> None:
    path, _ = worked
    for name, register in (("memory", TABLES), ("checkpoints", CHECKPOINT_TABLES)):
        with closing(sqlite3.connect(path / f"{name}.sqlite")) as sql:
            found = sql.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' "
                "AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
        assert {table for (table,) in found} == set(register)


# --- Memory -----------------------------------------------------------------------------

GROWING = {
    "dict", "list", "set", "OrderedDict", "defaultdict", "deque", "Counter", "WeakSet",
    "WeakKeyDictionary", "WeakValueDictionary", "SimpleQueue", "Queue",
}  # fmt: skip
REMEMBERING = {"lru_cache", "cache"}


def name_of(node: ast.AST) -> str:
    """Return the last name of a call, a name or an attribute."""
    match node:
        case ast.Call():
            return name_of(node.func)
        case ast.Subscript():
            return name_of(node.value)
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
    return ""


def grows(value: ast.expr | None) -> bool:
    """Whether a value begins empty and is made to grow, or remembers results."""
    match value:
        case ast.Dict():
            return not value.keys
        case ast.List() | ast.Set():
            return not value.elts
        case ast.Call():
            if any(each.arg == "default_factory" for each in value.keywords):
                return any(name_of(each.value) in GROWING for each in value.keywords)
            called = {name_of(each) for each in ast.walk(value.func)}
            return bool(called & REMEMBERING) or (name_of(value) in GROWING and not value.args)
    return False


def is_frozen(node: ast.ClassDef) -> bool:
    return any("frozen=True" in ast.unparse(each) for each in node.decorator_list)


def holders(tree: ast.Module) -> Iterator[str]:
    """Yield the classes and names of a module in which something grows."""
    for node in tree.body:
        match node:
            case ast.Assign() | ast.AnnAssign() if grows(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from map(name_of, targets)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if any(name_of(each) in REMEMBERING for each in node.decorator_list):
                    yield node.name
            case ast.ClassDef() if any(holds(each, node) for each in ast.walk(node)):
                yield node.name


def holds(node: ast.AST, owner: ast.ClassDef) -> bool:
    """Whether a part of a class makes something that grows with the class or an object of it."""
    if isinstance(node, ast.FunctionDef):
        return any(name_of(each) in REMEMBERING for each in node.decorator_list)
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not grows(node.value):
        return False
    if node in owner.body:
        return not is_frozen(owner)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(
        isinstance(each, ast.Attribute) and name_of(each.value) == "self" for each in targets
    )


def found_in_source() -> set[str]:
    """Return every holder in the package but the tools for tests, which no home uses."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] != "testing":
            tree = ast.parse(path.read_text("utf-8"))
            found |= {".".join((*parts, name)) for name in holders(tree)}
    return found


def test_everything_that_grows_in_memory_is_registered() -> None:
    """A cache that purge does not know is a leak."""
    assert found_in_source() - set(CACHES) - set(PASSING) == set()


def test_nothing_is_registered_that_is_gone() -> None:
    assert set(CACHES) | set(PASSING) == found_in_source()
    assert not set(CACHES) & set(PASSING)


@pytest.mark.parametrize(
    "code",
    [
        "_seen: dict[str, int] = {}",
        "_seen = WeakSet()",
        "_seen = OrderedDict()",
        "seen = functools.lru_cache(maxsize=5)(len)",
        "@cache\ndef seen(): ...",
        "@lru_cache(maxsize=5)\ndef seen(): ...",
        "class Seen:\n    known = {}",
        "class Seen:\n    def __init__(self):\n        self.known: list[str] = []",
        "class Seen:\n    @functools.cache\n    def known(self): ...",
        "@dataclass\nclass Seen:\n    known: dict[str, int] = field(default_factory=dict)",
    ],
)
def test_a_cache_nobody_registered_is_noticed(code: str) -> None:
    assert [each.strip("_").lower() for each in holders(ast.parse(code))] == ["seen"]


@pytest.mark.parametrize("code", ["NAMES = {'a': 1}", "KINDS = ['a']", "x = dict(a=1)[0]", "f()"])
def test_a_constant_is_no_cache(code: str) -> None:
    assert list(holders(ast.parse(code))) == []


# --- The page ---------------------------------------------------------------------------


def test_every_place_says_how_it_is_found_erased_and_verified() -> None:
    for place, each in rows():
        cells = (each.holds, each.found_by, each.erased_by, each.verified_by)
        assert all(cells), place
        assert (each.found_by == "-") == (each.erased_by == "-") == (each.verified_by == "-"), place
    assert all(PASSING.values())


def test_the_page_for_users_shows_the_register() -> None:
    """Run ``python -m langgraph_memory.storage.register`` and paste what it prints."""
    assert markdown() in (ROOT / "docs" / "data.md").read_text("utf-8")
