"""Several operations in one call: order, visibility, and all or nothing."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import pytest
from langgraph.store.base import (
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)

from langgraph_memory.testing.store_contract.door import Door
from langgraph_memory.testing.store_contract.harness import StoreHarness

NS = ("docs",)


class UnknownOp(NamedTuple):
    """An operation that no store knows."""

    namespace: tuple[str, ...] = NS


class BatchContract(StoreHarness):
    """``batch`` and ``abatch``."""

    def test_an_empty_batch_has_no_results(self, door: Door) -> None:
        assert door.batch([]) == []

    def test_results_come_in_the_order_of_the_operations(self, door: Door) -> None:
        """Documented: each result corresponds to an operation, in the order of the input."""
        door.put(NS, "a", {"n": 1})
        door.put(("other",), "b", {"n": 2})
        got_b, put, found, got_a, listed, missing = door.batch(
            [
                GetOp(("other",), "b"),
                PutOp(NS, "c", {"n": 3}),
                SearchOp(NS),
                GetOp(NS, "a"),
                ListNamespacesOp((MatchCondition("prefix", ("other",)),)),
                GetOp(NS, "nothing"),
            ]
        )
        assert (got_b.value, got_a.value) == ({"n": 2}, {"n": 1})
        assert put is None
        assert [item.key for item in found] == ["a"]
        assert listed == [("other",)]
        assert missing is None

    def test_operations_may_come_from_a_generator(self, door: Door) -> None:
        """Documented: ``ops: Iterable[Op]``."""
        assert door.batch(PutOp(NS, str(n), {"n": n}) for n in range(3)) == [None] * 3
        results = door.batch(GetOp(NS, str(n)) for n in range(3))
        assert [item.value["n"] for item in results] == [0, 1, 2]

    def test_an_operation_that_stands_twice_is_answered_twice(self, door: Door) -> None:
        door.put(NS, "a", {"n": 1})
        first, search, second, again = door.batch(
            [GetOp(NS, "a"), SearchOp(NS), GetOp(NS, "a"), SearchOp(NS)]
        )
        assert first.value == second.value == {"n": 1}
        assert [item.key for item in search] == [item.key for item in again] == ["a"]

    def test_reads_see_the_state_before_the_batch(self, door: Door) -> None:
        """LangGraph's stores agree: reads first, whatever their place among the writes."""
        door.put(NS, "old", {"n": 1})
        *_, old, new, found, listed = door.batch(
            [
                PutOp(NS, "old", {"n": 2}),
                PutOp(NS, "new", {"n": 3}),
                PutOp(("more",), "x", {"n": 4}),
                GetOp(NS, "old"),
                GetOp(NS, "new"),
                SearchOp(()),
                ListNamespacesOp(),
            ]
        )
        assert old.value == {"n": 1}
        assert new is None
        assert [item.value for item in found] == [{"n": 1}]
        assert listed == [NS]
        assert door.value(NS, "old") == {"n": 2}

    def test_the_last_put_of_a_key_wins(self, door: Door) -> None:
        door.batch([PutOp(NS, "k", {"n": n}) for n in range(3)] + [PutOp(NS, "x", {"n": 9})])
        assert door.value(NS, "k") == {"n": 2}
        assert door.value(NS, "x") == {"n": 9}

    def test_deletions_take_their_place_among_the_puts_of_a_key(self, door: Door) -> None:
        door.put(NS, "here", {"n": 1})
        door.batch(
            [
                PutOp(NS, "gone", {"n": 2}),
                PutOp(NS, "gone", None),
                PutOp(NS, "here", None),
                PutOp(NS, "here", {"n": 3}),
            ]
        )
        assert door.get(NS, "gone") is None
        assert door.value(NS, "here") == {"n": 3}

    def test_one_batch_writes_to_many_namespaces(self, door: Door) -> None:
        spaces = [("n", str(number)) for number in range(20)]
        door.batch([PutOp(space, "k", {"in": space[1]}) for space in spaces])
        results = door.batch([GetOp(space, "k") for space in spaces])
        assert [(item.namespace, item.value["in"]) for item in results] == [
            (space, space[1]) for space in spaces
        ]

    def test_an_unknown_operation_is_refused(self, door: Door) -> None:
        unknown = cast("Op", UnknownOp())
        _refused(door, [PutOp(NS, "k", {"n": 1}), unknown])

    def test_a_bad_namespace_anywhere_stops_the_whole_batch(self, door: Door) -> None:
        _refused(door, [PutOp(NS, "k", {"n": 1}), PutOp(("a.b",), "k", {"n": 2})])

    def test_a_bad_read_stops_the_whole_batch(self, door: Door) -> None:
        _refused(door, [PutOp(NS, "k", {"n": 1}), GetOp(("a.b",), "k")])

    def test_a_bad_filter_stops_the_whole_batch(self, door: Door) -> None:
        door.put(("other",), "x", {"a": 1})
        bad = SearchOp(("other",), filter={"a": {"$nonsense": 1}})
        _refused(door, [PutOp(NS, "k", {"n": 1}), bad])

    @pytest.mark.parametrize("value", [{"x": object()}, {"x": {1, 2}}], ids=["object", "set"])
    def test_a_value_that_is_not_json_stops_the_whole_batch(
        self, door: Door, value: dict[str, Any]
    ) -> None:
        """Documented: "JSON-serializable values". What cannot be kept must not half succeed."""
        _refused(door, [PutOp(NS, "k", {"n": 1}), PutOp(NS, "bad", value)])

    def test_a_batch_that_failed_leaves_the_store_usable(self, door: Door) -> None:
        door.put(NS, "before", {"n": 1})
        bad = SearchOp(NS, filter={"n": {"$nonsense": 1}})
        _refused(door, [PutOp(NS, "k", {"n": 1}), bad])
        door.put(NS, "after", {"n": 2})
        assert sorted(door.keys(NS)) == ["after", "before"]


def _refused(door: Door, ops: list[Op]) -> None:
    with pytest.raises(Exception) as refusal:  # noqa: PT011 - the class is the store's
        door.batch(ops)
    assert isinstance(refusal.value, (ValueError, TypeError)), refusal.value
    assert door.get(NS, "k") is None
