"""When the follower starts, what it waits for, and when it gives up."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic, process_time, sleep

import pytest
from chroma_home import IndexHome, eventually, near, vectors

from langgraph_memory.storage.chroma import patience
from langgraph_memory.storage.chroma.patience import Pace, Tally
from langgraph_memory.storage.follow import FOLLOWER
from langgraph_memory.storage.sqlite import outbox

QUERY = vectors(1)[0]


def test_nothing_is_started_until_somebody_needs_it(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.put("k", QUERY)
        home.follower.poke()
        assert home.follower.state.phase == "idle"
        assert home.mirror.pid is None
        assert not (tmp_path / "chroma").exists()


def test_a_command_that_is_over_before_the_delay_pays_nothing(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.follower.start(delay_seconds=3600.0)
        home.put("k", QUERY)
        started = monotonic()
    assert monotonic() - started < 1.0
    assert not (tmp_path / "chroma").exists()


def test_a_drain_ends_the_delay(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.follower.start(delay_seconds=3600.0)
        home.put("k", QUERY)
        home.drain()
        assert home.follower.state.phase == "following"


def test_the_first_search_that_wants_the_index_starts_it(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        row = home.put("k", QUERY)
        assert [each.row for each in home.search(QUERY)] == [row]
        assert eventually(lambda: home.follower.position() is not None)


def test_writes_of_other_connections_are_followed_without_a_poke(tmp_path: Path) -> None:
    with IndexHome(tmp_path, pace=Pace(tick=0.05)) as home:
        home.drain()
        (row,) = home.put_many(1)
        assert eventually(lambda: row in home.proposed(vectors(0)[0]))


def test_a_poke_is_followed_long_before_the_next_tick(tmp_path: Path) -> None:
    with IndexHome(tmp_path, pace=Pace(tick=3600.0, gather=0.01)) as home:
        home.drain()
        row = home.put("k", QUERY)
        assert eventually(lambda: row in home.proposed(QUERY))


def test_an_idle_follower_uses_no_processor(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.put("k", QUERY)
        home.drain()
        sleep(0.3)
        before = process_time()
        sleep(1.0)
        assert process_time() - before < 0.1


def test_a_drain_gives_up_at_its_time_limit(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.put("k", QUERY)
        started = monotonic()
        assert not home.follower.drain(0.0)
        assert monotonic() - started < 1.0


def test_what_is_followed_is_pruned_and_a_pruned_past_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "KEPT", 100)
    with IndexHome(tmp_path) as home:
        home.put_many(30)
        home.drain()
    with IndexHome(tmp_path) as home:
        home.put_many(300, seed=3)
        with home.database.write() as tx:  # as an owner elsewhere would have noted it
            tx.outbox.follow(FOLLOWER, tx.outbox.last())
            assert tx.outbox.floor() > 30
        home.drain()
        assert home.generations() == ["2"]
        assert home.search(vectors(3, 300)[77])[0].cosine == pytest.approx(1.0, abs=1e-5)


@pytest.mark.skipif(sys.platform == "win32", reason="file in place of a folder")
def test_it_gives_up_on_a_folder_that_cannot_be_made_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "MAX_REBUILDS", 1)
    (tmp_path / "chroma").write_text("a file of somebody else")
    with IndexHome(tmp_path, pace=Pace(back_off=(0.0,))) as home:
        row = home.put("k", near(QUERY, 0.9))
        assert not home.follower.drain(60.0)
        assert home.follower.state.phase == "failed"
        assert "chroma" in home.follower.state.problem
        assert [each.row for each in home.search(QUERY)] == [row]
        assert (tmp_path / "chroma").read_text() == "a file of somebody else"

        (tmp_path / "chroma").unlink()
        home.follower.rebuild()
        home.drain()
        assert home.proposed(QUERY) == {row}


def test_a_closed_follower_stays_closed(tmp_path: Path) -> None:
    with IndexHome(tmp_path) as home:
        home.put("k", QUERY)
        home.drain()
        home.follower.close()
        home.follower.start()
        home.follower.poke()
        assert not home.follower.drain(5.0)
        assert home.mirror.pid is None
        assert len(home.search(QUERY)) == 1


def test_a_generation_is_given_up_when_it_is_proven_wrong_or_keeps_failing() -> None:
    proven, opening, in_use = (Tally(Pace()) for _ in range(3))
    proven.failed(proven=True, in_use=True)
    assert proven.fresh
    assert failures_until_fresh(opening, in_use=False) == 2, "one kill at a bad moment is no proof"
    assert failures_until_fresh(in_use, in_use=True) == 3


def failures_until_fresh(tally: Tally, *, in_use: bool) -> int:
    """Return how many failures without proof it takes."""
    count = 0
    while not tally.fresh:
        tally.failed(proven=False, in_use=in_use)
        count += 1
    return count


def test_failures_long_ago_do_not_count() -> None:
    tally = Tally(Pace(healthy=60.0))
    for start in (0.0, 100.0, 200.0, 300.0):
        tally.failed(proven=False, in_use=True)
        tally.passed(start)
        tally.worked(start + 61.0)
    assert not tally.fresh


def test_attempts_come_ever_more_seldom_and_end() -> None:
    tally = Tally(Pace(back_off=(0.1, 2.0, 60.0)))
    assert [tally.failed(proven=True, in_use=False) for _ in range(5)] == [0.1, 2.0, 60, 60, 60]
    assert not tally.given_up()
    tally.failed(proven=True, in_use=False)
    assert tally.given_up()
    tally.forgive()
    assert not tally.given_up()
