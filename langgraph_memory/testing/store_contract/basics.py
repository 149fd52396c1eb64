"""Get, put and delete: what an address is, and what it answers."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from langgraph.store.base import Item

from langgraph_memory.testing.store_contract.door import Door, Way
from langgraph_memory.testing.store_contract.harness import StoreHarness

NS = ("users", "u1")
OTHER_NS = ("users", "u2")
KEYS = [
    *("a", "A", " a", "a ", "a b", "a.b", "a/b", "a:b", "a|b", "a\\b", "a%", "a_", "a*", "a?"),
    *("[a]", "'", '"', "--", "null", "1", "1.0", "01", "ключ", "键", "مفتاح", "🔑", "k" * 500),
    *("caf\u00e9", "cafe\u0301"),
]  # fmt: skip


class BasicsContract(StoreHarness):
    """One item at a time."""

    def test_a_missing_item_is_none(self, door: Door) -> None:
        assert door.get(NS, "nothing") is None

    def test_an_item_carries_its_address_and_value(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        item = door.get(NS, "k")
        assert isinstance(item, Item)
        assert (item.namespace, item.key, item.value) == (NS, "k", {"a": 1})

    def test_put_replaces_the_whole_value(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1, "b": 2})
        door.put(NS, "k", {"a": 3})
        assert door.value(NS, "k") == {"a": 3}

    def test_an_empty_dictionary_is_a_value_and_not_a_deletion(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        door.put(NS, "k", {})
        assert door.value(NS, "k") == {}

    def test_a_mapping_that_is_no_dict_can_be_put(self, door: Door) -> None:
        """Documented: ``value: Mapping[str, Any]``."""
        door.put(NS, "k", MappingProxyType({"a": 1}))
        assert door.value(NS, "k") == {"a": 1}

    def test_delete_removes_the_item_from_get_and_search(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        door.put(NS, "kept", {"a": 2})
        door.delete(NS, "k")
        assert door.get(NS, "k") is None
        assert door.keys(NS) == ["kept"]

    def test_deleting_what_is_not_there_is_no_error(self, door: Door) -> None:
        door.delete(NS, "nothing")
        assert door.search(NS) == []

    def test_a_deleted_key_can_be_put_again(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        door.delete(NS, "k")
        door.put(NS, "k", {"a": 2})
        assert door.value(NS, "k") == {"a": 2}

    def test_one_key_in_two_namespaces_is_two_items(self, door: Door) -> None:
        door.put(NS, "k", {"a": 1})
        door.put(OTHER_NS, "k", {"a": 2})
        door.delete(NS, "k")
        assert door.get(NS, "k") is None
        assert door.value(OTHER_NS, "k") == {"a": 2}

    def test_get_asks_one_namespace_and_not_its_relatives(self, door: Door) -> None:
        door.put(("a", "b"), "k", {"n": 1})
        assert door.get(("a",), "k") is None
        assert door.get(("a", "b", "c"), "k") is None
        assert door.value(("a", "b"), "k") == {"n": 1}

    def test_a_key_of_another_type_is_its_text(self, door: Door) -> None:
        """``BaseStore`` sends ``str(key)`` from every method that takes a key."""
        door.put(NS, 7, {"n": 7})
        assert door.value(NS, "7") == {"n": 7}
        assert door.value(NS, 7) == {"n": 7}
        door.delete(NS, 7)
        assert door.get(NS, "7") is None

    def test_any_text_is_a_key_of_its_own(self, door: Door) -> None:
        for number, key in enumerate(KEYS):
            door.put(NS, key, {"n": number})
        found = {key: door.value(NS, key) for key in KEYS}
        assert found == {key: {"n": number} for number, key in enumerate(KEYS)}
        assert sorted(door.keys(NS, limit=100)) == sorted(KEYS)

    def test_what_one_door_writes_the_other_reads(self, door: Door) -> None:
        other: Way = "async" if door.way == "sync" else "sync"
        if other not in self.doors:
            pytest.skip(f"the store has no {other} door")
        door.put(NS, "k", {"a": 1})
        there = door.through(other)
        try:
            assert there.value(NS, "k") == {"a": 1}
            there.put(NS, "k", {"a": 2})
        finally:
            there.close()
        assert door.value(NS, "k") == {"a": 2}

    def test_items_are_there_when_the_store_is_opened_again(self, door: Door) -> None:
        if not self.persistent:
            pytest.skip("persistent is False")
        door.put(NS, "kept", {"a": "寿司"})
        door.put(NS, "gone", {"a": 2})
        door.delete(NS, "gone")
        before = door.get(NS, "kept")
        door.reopen()
        assert door.get(NS, "kept") == before
        assert door.keys(NS) == ["kept"]
