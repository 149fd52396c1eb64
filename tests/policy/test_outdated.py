"""What an episode says of how things are may have changed since."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from langgraph_memory.policy.updates.outdated import Told, outdated

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def told(*contents: str, by: str = "Ana", episode: bool = True) -> list[Told]:
    return [
        Told(each, by, DAY + timedelta(days=n), episode=episode) for n, each in enumerate(contents)
    ]


def test_the_later_statement_of_the_same_person_counts() -> None:
    """R17, R13."""
    said = told("I work at Google", "The weather was fine", "I just joined Microsoft")
    assert outdated(said) == {0: 2}
    assert outdated(list(reversed(said))) == {2: 0}


def test_of_several_changes_the_latest_is_named() -> None:
    assert outdated(told("I live in Paris", "I moved to Lyon", "I moved to Nice")) == {0: 2, 1: 2}


def test_somebody_elses_statement_and_a_fact_are_left() -> None:
    assert (
        outdated([*told("I work at Google"), told("", "I just joined Microsoft", by="Bob")[1]])
        == {}
    )
    assert outdated(told("I work at Google", "I just joined Microsoft", episode=False)) == {}
    assert outdated([]) == {}


def test_what_is_said_in_one_breath_is_one_statement() -> None:
    one, other = told("I work at Google")[0], told("I just joined Microsoft")[0]
    assert outdated([one, other]) == {}
