"""What several writers add to one item at once is all there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from langgraph_memory import Home

WRITERS, EACH = 6, 15


def test_every_change_of_many_writers_arrives(home: Home) -> None:
    """Nobody is told of a conflict that a merge settles."""

    def add(writer: int) -> None:
        for number in range(EACH):
            home.store.update(("plans",), "one", {f"{writer}.{number}": 1})

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(add, range(WRITERS)))
    item = home.store.get(("plans",), "one")
    assert item is not None
    assert len(item.value) == WRITERS * EACH
