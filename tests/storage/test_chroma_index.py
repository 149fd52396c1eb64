"""Search through Chroma: right when it is in step, right when it is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from chroma_home import DIMS, PLACE, SLEEPY, IndexHome, eventually, near, vectors

from langgraph_memory.ports import Space
from langgraph_memory.storage.chroma.mirror import ChromaMirror
from langgraph_memory.storage.chroma.patience import Pace
from langgraph_memory.storage.follow import FOLLOWER, Follower
from langgraph_memory.storage.sqlite.database import SqliteDatabase

QUERY = vectors(1)[0]


@pytest.fixture(scope="module")
def eager_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexHome]:
    with IndexHome(tmp_path_factory.mktemp("eager")) as opened:
        yield opened


@pytest.fixture(scope="module")
def sleepy_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexHome]:
    with IndexHome(tmp_path_factory.mktemp("sleepy"), pace=SLEEPY) as opened:
        yield opened


@pytest.fixture
def home(eager_home: IndexHome) -> Iterator[IndexHome]:
    """An empty home that follows at once."""
    yield eager_home
    eager_home.empty()


@pytest.fixture
def late(sleepy_home: IndexHome) -> Iterator[IndexHome]:
    """An empty home that follows only on ``drain``, to be looked at while it is behind."""
    yield sleepy_home
    sleepy_home.empty()


def test_everything_written_is_in_the_index_after_a_drain(home: IndexHome) -> None:
    """R21"""
    rows = home.put_many(300, seed=2)
    home.drain()
    for row, vector in zip(rows[::50], vectors(2, 300)[::50], strict=True):
        assert home.search(vector)[0].row == row
        assert row in home.proposed(vector)
    home.put("later", near(QUERY, 0.99))
    home.drain()
    assert home.search(QUERY)[0].cosine == pytest.approx(0.99, abs=1e-5)


def test_the_owner_notes_how_far_the_index_has_come(home: IndexHome) -> None:
    home.put_many(20)
    home.drain()

    def noted() -> bool:
        with home.database.read() as tx:
            return tx.outbox.followed(FOLLOWER) == tx.outbox.last()

    assert eventually(noted)


def test_deleted_and_erased_records_do_not_come_back(tmp_path: Path) -> None:
    """B85"""
    with IndexHome(tmp_path) as home:
        home.put("deleted", near(QUERY, 0.9))
        erased = home.put("erased", near(QUERY, 0.8))
        kept = home.put("kept", near(QUERY, 0.1))
        home.drain()
        home.delete("deleted")
        home.erase(erased)
        home.drain()
        assert home.proposed(QUERY) == {kept}
    with IndexHome(tmp_path) as home:
        home.drain()
        assert home.proposed(QUERY) == {kept}
        assert [each.row for each in home.search(QUERY)] == [kept]


def test_a_record_written_again_is_found_by_its_new_vectors_only(home: IndexHome) -> None:
    """B47"""
    first, second = vectors(3, 2)
    row = home.put("k", first)
    home.drain()
    home.put("k", second)
    home.drain()
    assert home.search(second)[0].cosine == pytest.approx(1.0, abs=1e-5)
    assert home.search(first)[0].cosine == pytest.approx(float(first @ second), abs=1e-5)
    home.put("k")
    home.drain()
    assert row not in home.proposed(second)
    assert home.search(second) == []


def test_a_record_of_several_vectors_is_one_hit_with_its_best_cosine(home: IndexHome) -> None:
    row = home.put("k", near(QUERY, 0.2), near(QUERY, 0.9), near(QUERY, 0.5))
    home.drain()
    found = home.search(QUERY)
    assert [each.row for each in found] == [row]
    assert found[0].cosine == pytest.approx(0.9, abs=1e-5)


def test_surplus_vectors_go_when_a_record_gets_fewer(tmp_path: Path) -> None:
    """Also those that an earlier process has put there."""
    with IndexHome(tmp_path) as home:
        home.put("k", *vectors(3, 4))
        home.drain()
        home.put("k", near(QUERY, 0.2), near(QUERY, 0.9), near(QUERY, 0.5))
        home.drain()
        assert sorted(lines(home)) == pytest.approx([0.2, 0.5, 0.9], abs=1e-5)
    with IndexHome(tmp_path) as home:
        home.put("k", near(QUERY, 0.1))
        home.drain()
        assert lines(home) == pytest.approx([0.1], abs=1e-5)
        home.delete("k")
        home.drain()
        assert lines(home) == []


def lines(home: IndexHome) -> list[float]:
    """Return the cosines of all vectors that Chroma has near the query."""
    found = home.mirror.nearest(QUERY[np.newaxis], limit=10, timeout_seconds=60.0)
    return [each.cosine for each in found.lines[0]]


def test_a_deleted_record_is_gone_before_the_index_has_heard_of_it(late: IndexHome) -> None:
    """R21"""
    ghost = late.put("ghost", near(QUERY, 0.9))
    late.put("other", near(QUERY, 0.3))
    late.drain()
    late.delete("ghost")
    assert ghost in late.proposed(QUERY)
    assert ghost not in [each.row for each in late.search(QUERY)]


def test_a_nearer_ghost_does_not_eat_the_only_slot(late: IndexHome) -> None:
    """B76"""
    late.put("ghost", near(QUERY, 0.9))
    live = late.put("live", near(QUERY, 0.3))
    late.drain()
    late.delete("ghost")
    assert [each.row for each in late.search(QUERY, limit=1)] == [live]
    late.drain()
    assert [each.row for each in late.search(QUERY, limit=1)] == [live]


def test_more_ghosts_than_proposals_leave_the_live_record_findable(late: IndexHome) -> None:
    """B76"""
    ghosts = [late.put(f"ghost-{each}", near(QUERY, 0.9)) for each in range(100)]
    live = late.put("live", near(QUERY, 0.3))
    late.drain()
    late.erase(*ghosts)
    assert [each.row for each in late.search(QUERY, limit=1)] == [live]


def test_what_the_index_has_not_had_yet_is_found_and_scored_anew(late: IndexHome) -> None:
    moved = late.put("moved", near(QUERY, 0.9))
    stayed = late.put("stayed", near(QUERY, 0.5))
    late.drain()
    late.put("moved", near(QUERY, 0.1))
    new = late.put("new", near(QUERY, 0.7))
    assert new not in late.proposed(QUERY)
    assert [each.row for each in late.search(QUERY)] == [new, stayed, moved]


def test_an_index_that_is_far_behind_is_not_asked(late: IndexHome) -> None:
    late.put("first", near(QUERY, 0.9))
    late.drain()
    late.put_many(1500, seed=4)
    assert late.search(vectors(4, 1500)[1499])[0].cosine == pytest.approx(1.0, abs=1e-5)


def test_a_prefix_holds_its_namespace_and_children_only(home: IndexHome) -> None:
    """B1"""
    places = [("t", "acme"), ("t", "acme", "sub"), ("t", "acme-corp"), ("T", "acme"), ("t",)]
    rows = [home.put("k", near(QUERY, 0.5), namespace=place) for place in places]
    home.drain()
    found = home.search(QUERY, namespace=("t", "acme"))
    assert {each.row for each in found} == set(rows[:2])
    assert len(home.search(QUERY)) == len(places)


def test_a_scope_drowned_by_other_scopes_is_searched_exactly(home: IndexHome) -> None:
    """R41"""
    for each in range(300):
        home.put(f"{each}", near(QUERY, 0.9), namespace=("others",))
    mine = home.put("k", near(QUERY, 0.2), namespace=("mine",))
    home.drain()
    assert [each.row for each in home.search(QUERY, namespace=("mine",))] == [mine]


def test_nothing_is_found_for_a_limit_of_zero(home: IndexHome) -> None:
    home.put("k", QUERY)
    home.drain()
    assert home.search(QUERY, limit=0) == []


def test_an_empty_home_is_in_step_and_finds_nothing(home: IndexHome) -> None:
    home.drain()
    assert home.search(QUERY) == []


def test_a_home_without_an_embedding_space_is_in_step_without_an_index(tmp_path: Path) -> None:
    database = SqliteDatabase.open(tmp_path / "memory.sqlite")
    follower = Follower(database, ChromaMirror(tmp_path / "chroma"))
    assert follower.drain(10.0)
    assert not (tmp_path / "chroma").exists()
    with database.write() as tx:
        tx.bind_space(Space("hand", DIMS))
    assert follower.drain(60.0)
    assert eventually(lambda: (tmp_path / "chroma" / "1").is_dir())
    follower.close()
    database.close()


def test_searches_stay_right_while_writes_deletions_and_kills_go_on(tmp_path: Path) -> None:
    """R21: whatever the index has had by then, the answer is that of exact search."""
    chance = np.random.default_rng(7)
    with IndexHome(tmp_path, pace=Pace(gather=0.0, tick=0.05, back_off=(0.05,))) as home:
        home.drain()
        alive: dict[str, int] = {}
        for step in range(150):
            key = f"k{chance.integers(60)}"
            what = chance.integers(4)
            if what < 2 or key not in alive:
                parts = vectors(step, int(chance.integers(1, 4)))
                alive[key] = home.put(key, *parts, namespace=(*PLACE, key[-1]))
            elif what == 2:
                home.delete(key, namespace=(*PLACE, key[-1]))
            else:
                home.erase(alive.pop(key))
            if step == 75 and home.mirror.pid is not None:
                home.mirror.close(grace_seconds=0.0)
            home.search(vectors(step + 1)[0], limit=int(chance.integers(1, 8)))
        home.drain()
        for each in range(20):
            home.search(vectors(each)[0], limit=5)
