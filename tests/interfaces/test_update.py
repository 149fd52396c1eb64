"""Changing part of an item, safely against others (R25, B25)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import MemoryStore
from langgraph_memory.domain.merge import patch
from langgraph_memory.errors import InvalidInputError, InvalidValueError, VersionConflictError
from langgraph_memory.testing import HashingEmbedder
from langgraph_memory.testing.store_contract.door import Door

PLACE = ("plans",)
WHOLE = {"text": "ship", "category": "work", "source": {"thread": "t1", "n": 1}}


def update(ours: Door, key: str, change: Mapping[str, Any], **options: Any) -> Any:
    return ours._call("update", PLACE, key, change, **options)


def test_what_is_not_named_is_kept(ours: Door) -> None:
    """B25: an update of the text does not wipe the rest."""
    ours.put(PLACE, "plan", WHOLE)
    written = update(ours, "plan", {"text": "ship on Monday", "source": {"n": 2}})
    assert written == ours.value(PLACE, "plan")
    assert written == {
        "text": "ship on Monday", "category": "work", "source": {"thread": "t1", "n": 2}
    }  # fmt: skip
    assert ours.keys(PLACE, query="Monday") == ["plan"]


def test_none_removes_a_field(ours: Door) -> None:
    ours.put(PLACE, "plan", WHOLE)
    assert update(ours, "plan", {"category": None, "nobody": None}) == {
        "text": "ship", "source": {"thread": "t1", "n": 1}
    }  # fmt: skip


def test_what_is_not_there_is_made(ours: Door) -> None:
    assert update(ours, "plan", {"a": {"b": 1, "c": None}}) == {"a": {"b": 1}}
    ours.delete(PLACE, "plan")
    assert update(ours, "plan", {"x": 1}) == {"x": 1}


def test_other_rules(ours: Door) -> None:
    ours.put(PLACE, "plan", WHOLE)
    assert update(ours, "plan", {"text": "new"}, merge="keep") == WHOLE
    assert update(ours, "plan", {"text": "new"}, merge="replace") == {"text": "new"}

    def longest(present: dict[str, Any] | None, change: Mapping[str, Any]) -> Mapping[str, Any]:
        return max(present or {}, change, key=lambda each: len(each["text"]))

    assert update(ours, "plan", {"text": "newer"}, merge=longest) == {"text": "newer"}
    assert update(ours, "plan", {"text": "old"}, merge=longest) == {"text": "newer"}


def test_an_unknown_rule_and_an_impossible_value_are_refused(ours: Door) -> None:
    ours.put(PLACE, "plan", WHOLE)
    with pytest.raises(InvalidInputError, match="patch, replace, keep"):
        update(ours, "plan", {"text": "new"}, merge="newest")
    with pytest.raises(InvalidValueError, match=r"\$\.at"):
        update(ours, "plan", {"at": object()})
    assert ours.value(PLACE, "plan") == WHOLE


def test_what_agents_add_at_once_is_all_there(tmp_path: Path) -> None:
    """R25, R93: two agents never overwrite each other's part of a plan."""
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder()) as store:
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda n: store.update(PLACE, "plan", {f"step{n}": n}), range(30)))
        item = store.get(PLACE, "plan")
        assert item is not None
        assert item.value == {f"step{n}": n for n in range(30)}

        async def many() -> None:
            await asyncio.gather(
                *(store.aupdate(PLACE, "plan", {f"more{n}": n}) for n in range(10))
            )

        asyncio.run(many())
        item = store.get(PLACE, "plan")
        assert item is not None
        assert len(item.value) == 40


def test_a_rule_that_others_always_overtake_ends_with_the_conflict(ours: Door) -> None:
    store: Any = ours.store

    def overtaken(present: dict[str, Any] | None, change: Mapping[str, Any]) -> Mapping[str, Any]:
        store.put(PLACE, "plan", {"n": (present or {"n": 0})["n"] + 1})
        return change

    with pytest.raises(VersionConflictError):
        update(ours, "plan", {"n": -1}, merge=overtaken)
    assert ours.value(PLACE, "plan") != {"n": -1}


@pytest.mark.parametrize(
    ("present", "change", "merged"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"a": "foo"}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        (None, {"a": 1}, {"a": 1}),
    ],
)
def test_patches_follow_the_standard(
    present: dict[str, Any] | None, change: dict[str, Any], merged: dict[str, Any]
) -> None:
    """The examples of RFC 7396 that concern objects."""
    before = repr(present)
    assert patch(present, change) == merged
    assert repr(present) == before


@pytest.mark.opened_with(max_items=3)
def test_an_update_keeps_protection_and_stays_out_of_search(ours: Door) -> None:
    """R24: what is protected is never evicted, whoever changes a field of it."""
    ours._call("put", PLACE, "rule", {"text": "never on Friday"}, False, protected=True)
    update(ours, "rule", {"note": "really"})
    assert ours.search(PLACE, query="Friday")[0].score is None
    for number in range(4):
        ours.put(PLACE, f"k{number}", {"n": number})
    assert ours.value(PLACE, "rule") == {"text": "never on Friday", "note": "really"}
    update(ours, "rule", {}, index=["text"], protected=False)
    assert ours.search(PLACE, query="Friday")[0].score is not None
    for number in range(4):
        ours.put(PLACE, f"l{number}", {"n": number})
    assert ours.value(PLACE, "rule") is None


def test_an_update_of_what_is_only_announced_takes_its_place(ours: Door) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    ours._call("put", PLACE, "plan", {"text": "later"}, valid_from=later)
    assert ours.value(PLACE, "plan") is None
    assert update(ours, "plan", {"text": "now"}) == {"text": "now"}
    assert ours.value(PLACE, "plan") == {"text": "now"}
