"""Namespaces: which labels there are, that they never mix, and how they are listed."""

from __future__ import annotations

from typing import Any, cast

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    NamespaceMatchType,
    Op,
    PutOp,
    SearchOp,
)

from langgraph_memory.testing.store_contract.cases import filter_name
from langgraph_memory.testing.store_contract.door import Door, Namespace
from langgraph_memory.testing.store_contract.harness import StoreHarness

BAD_LABELS = ["a.b", ".", "", "a\x00b", 7, None]
BAD_IDS = ["dot", "only-dot", "empty", "nul", "number", "none"]
NEIGHBOURS: list[Namespace] = [
    *[("t", "acme"), ("t", "acme", "x"), ("t", "acme-corp"), ("t", "acmex"), ("t", "Acme")],
    *[("u", "john_doe"), ("u", "john-doe"), ("u", "johnXdoe"), ("u", "john%doe")],
    *[("foo",), ("FOO",), ("foo", "bar"), ("foobar",), ("foo bar",), ("foo-", "bar")],
    *[("a*",), ("ab",), ("a%",), ("a?",), ("[a]",), ("a",), ("a", "*", "b"), ("a", "x", "b")],
]
JOINABLE: list[Namespace] = [
    *[("a", "b", "c"), ("a", "bc"), ("ab", "c"), ("abc",)],
    *[("a", f"b{mark}c") for mark in (":", "/", "|", "\x1f", ",", "\\", " ", "\t", "\n", "::")],
    *[(f"a{mark}b", "c") for mark in (":", "/", "|", "\x1f", ",", "\\", " ", "\t", "\n", "::")],
]
TREE: list[Namespace] = [
    *[("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f")],
    *[("a", "c", "f"), ("b", "b", "c"), ("z",)],
]


class LabelContract(StoreHarness):
    """Which labels are refused, and where."""

    @pytest.mark.parametrize("label", BAD_LABELS, ids=BAD_IDS)
    def test_a_bad_label_is_refused_by_every_method(self, door: Door, label: Any) -> None:
        """Documented under ``Raises`` of each method."""
        for bad in [(label,), ("a", label)]:
            for call in (
                lambda bad=bad: door.put(bad, "k", {"n": 1}),
                lambda bad=bad: door.get(bad, "k"),
                lambda bad=bad: door.delete(bad, "k"),
                lambda bad=bad: door.search(bad),
                lambda bad=bad: door.list_namespaces(prefix=bad),
                lambda bad=bad: door.list_namespaces(suffix=bad),
            ):
                with pytest.raises(InvalidNamespaceError):
                    call()

    @pytest.mark.parametrize("label", BAD_LABELS, ids=BAD_IDS)
    def test_a_bad_label_is_refused_inside_a_batch(self, door: Door, label: Any) -> None:
        """Documented at ``validate_op_namespace``: ops skip the checks of the methods."""
        bad = ("a", label)
        ops: list[Op] = [
            PutOp(bad, "k", {"n": 1}),
            GetOp(bad, "k"),
            SearchOp(bad),
            ListNamespacesOp((MatchCondition("suffix", bad),)),
        ]
        for op in ops:
            with pytest.raises(InvalidNamespaceError):
                door.batch([op])

    def test_put_refuses_the_empty_namespace(self, door: Door) -> None:
        with pytest.raises(InvalidNamespaceError):
            door.put((), "k", {"n": 1})

    def test_put_refuses_the_reserved_root(self, door: Door) -> None:
        with pytest.raises(InvalidNamespaceError):
            door.put(("langgraph", "x"), "k", {"n": 1})

    def test_reading_and_deleting_below_the_reserved_root_is_allowed(self, door: Door) -> None:
        """Documented: only ``put`` names the root among its errors."""
        assert door.list_namespaces(prefix=("langgraph",)) == []
        assert door.search(("langgraph",)) == []
        assert door.get(("langgraph",), "k") is None
        door.delete(("langgraph",), "k")

    def test_the_reserved_word_is_free_further_down(self, door: Door) -> None:
        door.put(("app", "langgraph"), "k", {"n": 1})
        assert door.value(("app", "langgraph"), "k") == {"n": 1}

    def test_any_other_text_is_a_label_of_its_own(self, door: Door) -> None:
        labels = [*("a", "A", " a", "a ", "'", '"', "--", "null", "*", "**", "%2E", "…")]
        labels += ["用户", "пользователь", "مستخدم", "🍣", "caf\u00e9", "cafe\u0301", "l" * 300]
        for label in labels:
            door.put(("n", label), "k", {"label": label})
        assert {label: door.value(("n", label), "k") for label in labels} == {
            label: {"label": label} for label in labels
        }
        assert {ns[1] for ns in door.list_namespaces(limit=100)} == set(labels)

    def test_a_namespace_may_be_deep(self, door: Door) -> None:
        deep = tuple(f"level{n}" for n in range(30))
        door.put(deep, "k", {"n": 1})
        assert door.value(deep, "k") == {"n": 1}
        assert door.keys(deep[:15]) == ["k"]
        assert door.list_namespaces(prefix=deep[:29]) == [deep]


class IsolationContract(StoreHarness):
    """A prefix is labels, never text."""

    def test_a_prefix_search_sees_the_namespace_and_its_children_only(self, door: Door) -> None:
        """B1."""
        _fill(door, NEIGHBOURS)
        for prefix in NEIGHBOURS:
            found = [item.namespace for item in door.search(prefix, limit=100)]
            assert sorted(found) == _below(prefix, NEIGHBOURS), prefix

    def test_a_prefix_listing_sees_the_namespace_and_its_children_only(self, door: Door) -> None:
        """B1. A label that is exactly ``*`` is a wildcard here, any other is itself."""
        _fill(door, NEIGHBOURS)
        for prefix in NEIGHBOURS:
            if "*" not in prefix:
                found = door.list_namespaces(prefix=prefix, limit=100)
                assert sorted(found) == _below(prefix, NEIGHBOURS), prefix

    def test_a_filter_does_not_widen_a_prefix(self, door: Door) -> None:
        """B1."""
        _fill(door, NEIGHBOURS)
        found = door.search(("t", "acme"), filter={"k": "v"}, limit=100)
        assert sorted(item.namespace for item in found) == [("t", "acme"), ("t", "acme", "x")]

    def test_labels_do_not_collide_when_joined(self, door: Door) -> None:
        """B2."""
        for number, namespace in enumerate(JOINABLE):
            door.put(namespace, "k", {"n": number})
        values = [door.value(namespace, "k") for namespace in JOINABLE]
        assert values == [{"n": number} for number in range(len(JOINABLE))]
        assert sorted(door.list_namespaces(limit=100)) == sorted(JOINABLE)

    def test_deleting_in_one_namespace_leaves_its_neighbours(self, door: Door) -> None:
        _fill(door, NEIGHBOURS)
        door.delete(("foo",), "k")
        door.delete(("a*",), "k")
        left = {item.namespace for item in door.search((), limit=100)}
        assert left == set(NEIGHBOURS) - {("foo",), ("a*",)}


class NamespaceListingContract(StoreHarness):
    """``list_namespaces``."""

    def test_every_namespace_is_listed_once_and_sorted(self, door: Door) -> None:
        """LangGraph's stores agree on the order."""
        _grow(door)
        door.put(("z",), "another", {"n": 2})
        assert door.list_namespaces() == sorted(TREE)

    def test_the_documented_example_of_a_prefix_with_a_depth(self, door: Door) -> None:
        _grow(door)
        assert door.list_namespaces(prefix=("a", "b"), max_depth=3) == [
            ("a", "b", "c"),
            ("a", "b", "d"),
            ("a", "b", "f"),
        ]

    @pytest.mark.parametrize(
        ("conditions", "expected"),
        [
            ({"prefix": ("a", "c")}, [("a", "c", "f")]),
            ({"prefix": ("nothing",)}, []),
            ({"suffix": ("c",)}, [("a", "b", "c"), ("b", "b", "c")]),
            ({"suffix": ("b", "c")}, [("a", "b", "c"), ("b", "b", "c")]),
            ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
            ({"prefix": ("*", "b", "c")}, [("a", "b", "c"), ("b", "b", "c")]),
            ({"prefix": ("a", "*", "d")}, [("a", "b", "d", "e"), ("a", "b", "d", "i")]),
            ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
            ({"suffix": ("b", "*")}, [("a", "b", "c"), ("a", "b", "f"), ("b", "b", "c")]),
            ({"suffix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
            ({"prefix": ("z", "*")}, []),
            ({"suffix": ("*", "z")}, []),
            ({"prefix": ("a", "b", "c", "d", "e")}, []),
        ],
        ids=filter_name,
    )  # fmt: skip
    def test_conditions_match_label_by_label(
        self, door: Door, conditions: dict[str, Any], expected: list[Namespace]
    ) -> None:
        _grow(door)
        assert door.list_namespaces(**conditions) == expected

    def test_no_condition_and_an_empty_one_match_everything(self, door: Door) -> None:
        _grow(door)
        kinds = cast("list[NamespaceMatchType]", ["prefix", "suffix"])
        for conditions in [None, (), *((MatchCondition(kind, ()),) for kind in kinds)]:
            assert door.batch([ListNamespacesOp(conditions)]) == [sorted(TREE)]

    def test_depth_cuts_and_joins_what_became_equal(self, door: Door) -> None:
        _grow(door)
        assert door.list_namespaces(max_depth=1) == [("a",), ("b",), ("z",)]
        assert door.list_namespaces(max_depth=2) == [("a", "b"), ("a", "c"), ("b", "b"), ("z",)]
        assert door.list_namespaces(max_depth=9) == sorted(TREE)

    def test_a_suffix_is_compared_before_the_depth_cuts(self, door: Door) -> None:
        _grow(door)
        assert door.list_namespaces(suffix=("f",), max_depth=2) == [("a", "b"), ("a", "c")]

    def test_limit_and_offset_cut_pages_after_the_depth(self, door: Door) -> None:
        _grow(door)
        assert door.list_namespaces(max_depth=1, limit=2) == [("a",), ("b",)]
        assert door.list_namespaces(max_depth=1, limit=2, offset=2) == [("z",)]
        assert door.list_namespaces(max_depth=1, offset=3) == []
        assert door.list_namespaces(limit=0) == []

    def test_a_hundred_namespaces_are_a_page_unless_told_otherwise(self, door: Door) -> None:
        """Documented: ``limit: int = 100``."""
        door.batch([PutOp(("n", f"{n:03}"), "k", {}) for n in range(105)])
        assert len(door.list_namespaces()) == 100
        assert len(door.list_namespaces(limit=1000)) == 105

    def test_a_namespace_without_items_is_not_listed(self, door: Door) -> None:
        door.put(("a", "b"), "k", {"n": 1})
        door.put(("a", "c"), "k", {"n": 1})
        door.delete(("a", "b"), "k")
        assert door.list_namespaces() == [("a", "c")]

    def test_reading_a_namespace_does_not_create_it(self, door: Door) -> None:
        door.get(("never", "written"), "k")
        door.search(("never", "written"))
        door.delete(("never", "written"), "k")
        assert door.list_namespaces() == []


def _below(prefix: Namespace, namespaces: list[Namespace]) -> list[Namespace]:
    return sorted(ns for ns in namespaces if ns[: len(prefix)] == prefix)


def _fill(door: Door, namespaces: list[Namespace]) -> None:
    door.batch([PutOp(namespace, "k", {"k": "v"}) for namespace in namespaces])


def _grow(door: Door) -> None:
    door.batch([PutOp(namespace, "k", {"n": 1}) for namespace in TREE])
