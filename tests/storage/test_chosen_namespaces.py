"""A search of chosen namespaces finds what it would if nothing else were there (R40, R41)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chroma_home import IndexHome
from chroma_home import vectors as home_vectors
from database_cases import DIMS, born, entry, save, units
from hypothesis import given, settings
from hypothesis import strategies as st

from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.ports import Database
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.exact.words import ExactWords
from langgraph_memory.storage.route import Mode, RoutedIndex
from langgraph_memory.storage.sqlite.database import SqliteDatabase

PLACES: tuple[Namespace, ...] = (
    ("org", "s"), ("org", "s", "p=a"), ("org", "s", "p=a", "a=x"), ("org", "s", "p=ab"),
    ("org", "e"), ("org", "e", "p=a"), ("u", "s"),
)  # fmt: skip
QUERY = units([1, 0, 0, 0])[0]
TERMS = ["launch", "party"]


def fill(database: Database, places: tuple[Namespace, ...]) -> dict[int, str]:
    """Write a few records in each place; return their names by row."""
    names = {}
    for place in PLACES:
        for number in range(3):
            name = f"{'/'.join(place)}-{number}"
            told = entry(
                "launch", *["party"] * number, *["filler"] * len(place),
                vectors=[[1, number, len(place), 0]],
            )  # fmt: skip
            if place in places:
                names[save(database, born(name, place), entry=told).row] = name
    return names


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, dict[int, str]]]:
    """A database with something in every place."""
    path = tmp_path_factory.mktemp("whole") / "memory.sqlite"
    with closing(SqliteDatabase.open(path)) as database:
        yield database, fill(database, PLACES)


def words_of(database: Database, names: dict[int, str], how: str, only: Any) -> Any:
    """Return the statistics and counts of a search by words, by name."""
    with database.read() as tx:
        if how == "database":
            found = tx.words.match(("org",), TERMS, only=only)
            return found.documents, found.average_length, {
                names[row]: counts for row, counts in found.counts.items()
            }  # fmt: skip
        index = ExactWords()
        if how == "in memory":
            for _ in range(2):
                index.match(tx, ("org",), TERMS, only=only)
        table = index.match(tx, ("org",), TERMS, only=only)
        held = {
            (term, names[int(table.rows[place])]): int(times)
            for term, each in table.holders.items()
            for place, times in zip(each.places.tolist(), each.times.tolist(), strict=True)
        }
        return table.documents, pytest.approx(table.average_length), held


CHOICES = st.sets(st.sampled_from(PLACES[:-1])).map(tuple)


@pytest.mark.parametrize("how", ["database", "asked once", "in memory"])
@settings(max_examples=15)
@given(only=CHOICES)
def test_words_are_matched_and_weighed_in_the_chosen_namespaces_alone(
    whole: tuple[Database, dict[int, str]], tmp_path_factory: pytest.TempPathFactory, how: str,
    only: tuple[Namespace, ...],
) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("part") / "memory.sqlite"
    with closing(SqliteDatabase.open(path)) as part:
        names = fill(part, only)
        assert words_of(*whole, how, only) == words_of(part, names, how, None)


@settings(max_examples=25)
@given(only=CHOICES, limit=st.integers(1, 30))
def test_vectors_are_compared_in_the_chosen_namespaces_alone(
    whole: tuple[Database, dict[int, str]], only: tuple[Namespace, ...], limit: int
) -> None:
    database, names = whole
    chosen = {row for row, name in names.items()
              if any(name.startswith(f"{'/'.join(place)}-") for place in only)}  # fmt: skip
    with closing(ExactIndex(database, DIMS)) as index:
        scan = index.scan(QUERY, ("org",), only=only)
        assert set(scan.rows.tolist()) == chosen
        near = index.nearest(QUERY, ("org",), limit=limit, only=only)
        assert len(near) == min(limit, len(chosen))
        assert set(near.rows.tolist()) <= chosen
        best = sorted(scan.cosines.tolist(), reverse=True)[:limit]
        assert np.allclose(near.cosines, best)


@pytest.mark.parametrize("mode", ["auto", "exact", "chroma"])
def test_every_way_to_search_keeps_to_the_choice(tmp_path: Path, mode: Mode) -> None:
    """The choice is never left to an index that knows no namespaces."""
    with IndexHome(tmp_path) as home:
        home.put_many(40, namespace=("org", "s", "p=a"))
        home.put_many(5, seed=1, namespace=("org", "s"))
        home.drain()
        query, only = home_vectors(0)[0], (("org", "s"),)
        right = {each.row for each in home.exact.nearest(query, (), limit=50, only=only)}
        assert len(right) == 5
        routed = RoutedIndex(home.exact, home.chroma, mode=mode, crossing=1)
        assert {each.row for each in routed.nearest(query, (), limit=50, only=only)} == right
        scan = routed.scan(query, (), only=only)
        assert scan is not None
        assert {each.row for each in scan} == right
        near = home.chroma.nearest(query, (), limit=50, only=only)
        assert {each.row for each in near} == right
