"""What an author says about the store under test, and how a test opens it.

The class attributes are claims, and claims are checked: a door that is not listed is not
tried, a capability that is denied skips its tests by name, and a gap is run all the same and
must fail, so that no excuse outlives its reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

import pytest
from langgraph.store.base import IndexConfig, TTLConfig

from langgraph_memory.testing.store_contract.door import Door, Opened, Way
from langgraph_memory.testing.store_contract.embedding import text_index


class OpenDoor(Protocol):
    """Opens the store under test; it is closed when the test ends."""

    def __call__(
        self, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> Door: ...


class StoreHarness:
    """The claims about a store, and the fixtures that every area of the contract uses.

    Attributes:
        doors: The ways in that the store offers: ``"sync"`` (``put``), ``"async"`` (``aput``).
        gaps: Tests that the store is known to fail, with the reason. A key is the name of a
            test, or one of its cases as pytest prints it: ``"test_x"``, ``"test_x[sync]"``.
        supports_index: ``make_store`` accepts an ``index``.
        persistent: What was put is there when the store is opened again on ``tmp_path``.
        loop_bound: The async door works only in the event loop that the store was made in.
        lifetime: Seconds that the tests of expiry give an item. Make it many times the
            resolution of the store's clock, and of what a busy machine may oversleep.
    """

    doors: ClassVar[Sequence[Way]] = ("sync", "async")
    gaps: ClassVar[Mapping[str, str]] = {}
    supports_index: ClassVar[bool] = True
    persistent: ClassVar[bool] = True
    loop_bound: ClassVar[bool] = False
    lifetime: ClassVar[float] = 1.0

    def make_store(
        self, tmp_path: Path, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> Opened:
        """Return the store under test, or a context manager (sync or async) that yields it.

        An async context manager is entered in the event loop that the test then uses. A
        store that is a context manager itself is entered and left as well.

        Args:
            tmp_path: An empty directory of this test; a second call with the same directory
                opens the same store again.
            index: What to index; never given when ``supports_index`` is False.
            ttl: How items expire; may be ignored when ``store.supports_ttl`` is False.
        """
        raise NotImplementedError(f"{type(self).__name__} must define make_store()")

    def let_time_pass(self, seconds: float) -> None:
        """Wait; override where the store's clock can be moved instead."""
        time.sleep(seconds)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        unknown = [name for name in cls.gaps if not hasattr(cls, name.partition("[")[0])]
        if unknown:
            raise TypeError(f"{cls.__name__}.gaps names no test of the contract: {unknown}")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run each test that opens a store once through each door it is about."""
        if "way" in metafunc.fixturenames:
            only = {"sync_door": "sync", "async_door": "async"}
            wanted = {way for name, way in only.items() if name in metafunc.fixturenames}
            ways = [way for way in self.doors if way in (wanted or self.doors)]
            metafunc.parametrize("way", ways, indirect=True)

    @pytest.fixture(autouse=True)
    def _known_gap(self, request: pytest.FixtureRequest) -> None:
        name = request.node.name
        reason = self.gaps.get(name) or self.gaps.get(name.partition("[")[0])
        if reason is not None:
            mark = pytest.mark.xfail(strict=True, reason=f"{reason} (when fixed: drop the gap)")
            request.applymarker(mark)

    @pytest.fixture
    def way(self, request: pytest.FixtureRequest) -> Way:
        """Return the door under test."""
        way: Way = request.param
        return way

    @pytest.fixture
    def open_door(self, way: Way, tmp_path: Path) -> Iterator[OpenDoor]:
        """Open the store with the settings a test needs."""
        doors: list[Door] = []

        def open_it(*, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> Door:
            if index is not None and not self.supports_index:
                pytest.skip("supports_index is False")
            door = Door(lambda: self.make_store(tmp_path, index=index, ttl=ttl), way)
            doors.append(door)
            return door

        yield open_it
        for door in reversed(doors):
            door.close()

    @pytest.fixture
    def door(self, open_door: OpenDoor) -> Door:
        """Return a store without an index and without lifetimes."""
        return open_door()

    @pytest.fixture
    def sync_door(self, door: Door) -> Door:
        """Return ``door``, in the sync run only."""
        return door

    @pytest.fixture
    def async_door(self, door: Door) -> Door:
        """Return ``door``, in the async run only."""
        return door

    @pytest.fixture
    def indexed(self, open_door: OpenDoor) -> Door:
        """Return a store that indexes the field ``text``."""
        return open_door(index=text_index("text"))
