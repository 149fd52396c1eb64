"""Fixtures that many rooms share: a home in a temporary folder, and two owners in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from langgraph_memory import Home, MemoryStore, ScopedMemory, Settings, open_memory
from langgraph_memory.testing import HashingEmbedder
from langgraph_memory.testing.store_contract.door import Door

# A machine that is busy with something else is no failure of ours.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's key is used, and requests to loopback pass no proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a machine where nobody has set anything."""
    for name in ("MEMORY_HOME", "MEMORY_MODEL", "MEMORY_MODELS", "MEMORY_TENANT", "MEMORY_USER",
                 "MEMORY_INDEX", "MEMORY_DURABILITY", "MEMORY_TTL_MINUTES", "MEMORY_FILTER_FIELDS",
                 "MEMORY_TIMEZONE", "MEMORY_ORGANIZATION",
                 "MEMORY_KEEP_WITHIN_SECONDS", "MEMORY_MAX_ITEMS", "MEMORY_KEEP_VERSIONS",
                 "OPENAI_API_KEY", "OPENAI_BASE_URL"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    return Settings.load()


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Iterator[Home]:
    """An open, empty home."""
    with open_memory(tmp_path / "home", settings=settings) as opened:
        yield opened


@pytest.fixture
def me(home: Home) -> ScopedMemory:
    """The memory of one user, whose id is an e-mail address."""
    return home.memory.scope(tenant="acme", user="jane.doe@example.com")


@pytest.fixture
def stranger(home: Home) -> ScopedMemory:
    """The memory of another user of the same tenant."""
    return home.memory.scope(tenant="acme", user="jane_doe@example.com")


@pytest.fixture(params=["sync", "async"])
def ours(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Door]:
    """An empty store, seen through its sync or its async door.

    ``@pytest.mark.opened_with(max_items=3)`` gives options to ``MemoryStore.from_path``.
    """
    marked = request.node.get_closest_marker("opened_with")
    options = marked.kwargs if marked else {}
    door = Door(
        lambda: MemoryStore.from_path(
            tmp_path / "home", **{"embedder": HashingEmbedder(), **options}
        ),
        request.param,
    )
    yield door
    door.close()


@pytest.fixture
def bench() -> Path:
    """The public evaluation data, where it is laid beside the project."""
    if not BENCH.is_dir():
        pytest.skip(f"no evaluation data at {BENCH}")
    return BENCH
