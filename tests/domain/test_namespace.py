"""Namespaces: labels compared one by one, and text turned into labels and back."""

from __future__ import annotations

import sqlite3
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langgraph.store.base import GetOp, PutOp, SearchOp, validate_op_namespace

from langgraph_memory.domain.namespace import (
    Namespace,
    ancestors,
    as_namespace,
    decode_label,
    encode_label,
    from_path,
    path_range,
    starts_with,
    to_path,
)
from langgraph_memory.errors import InvalidInputError

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
LABELS = st.text(
    st.sampled_from("ab-_%*:/ |\x1f~!0AZ\x01\u00e9寿\U0001f363\uffff\U0010ffff") | st.characters(
        exclude_categories=["Cs"], exclude_characters=".\x00"
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip
NAMESPACES = st.lists(LABELS, max_size=4).map(tuple)
TRICKY = [
    "%2E", ".", "..", "a.b", "a_b", "a%2Eb", "a%252Eb", "%", "%%", "%2", "/", "|", "\x1f", "*", "?",
    " ", " u1 ", "u1", "U1", "jane.doe@x.com", "a+b@x", "a b", "a%20b", "u=x", "t=", "org", "寿司",
    "❤️🍣", "é", "e\u0301", "\u202e", "\ufeff", "~", "-", "\n", "\t", "\x7f", "\x00", "\uffff",
]  # fmt: skip


@given(TEXT)
@example("%2E")
@example(".")
@example("a/b|c\x1fd*")
def test_any_text_becomes_one_label_and_comes_back(text: str) -> None:
    """B3."""
    label = encode_label(text)
    assert decode_label(label) == text
    assert "." not in label
    assert label.isascii()


@given(TEXT, TEXT)
@example("a.b", "a%2Eb")
@example("U1", "u1")
@example(" u1", "u1")
@example("é", "e\u0301")
def test_two_texts_never_share_a_label(one: str, other: str) -> None:
    """B3: no case folding, no trimming, no normalization."""
    assert (encode_label(one) == encode_label(other)) == (one == other)


def test_tricky_texts_have_labels_that_differ_even_to_a_reader_who_ignores_nothing() -> None:
    labels = [encode_label(each) for each in TRICKY]
    assert len(set(labels)) == len(TRICKY)
    assert [decode_label(each) for each in labels] == TRICKY


def test_an_email_address_stays_readable() -> None:
    assert encode_label("jane+work@x.com") == "jane+work@x%2Ecom"


@given(TEXT.filter(bool))
@example("langgraph")
def test_langgraph_accepts_every_label_of_a_non_empty_text(text: str) -> None:
    """B3: LangGraph refuses empty labels and dots."""
    namespace = ("memory", encode_label(text))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for op in (GetOp(namespace, "k"), PutOp(namespace, "k", {}), SearchOp(namespace)):
            validate_op_namespace(op)


@pytest.mark.parametrize("text", ["\ud800", "jane\udcff", "\udfff@x"], ids=ascii)
def test_a_lone_surrogate_has_no_label_and_the_error_says_so(text: str) -> None:
    with pytest.raises(InvalidInputError, match="lone surrogate") as caught:
        encode_label(text)
    str(caught.value).encode()
    with pytest.raises(InvalidInputError, match="namespace holds a lone surrogate"):
        as_namespace(("ok", text))


@pytest.mark.parametrize("label", ["%FF", "%C3", "%E5%AF", "a%80"])
def test_a_label_that_encodes_no_text_is_refused_rather_than_mended(label: str) -> None:
    with pytest.raises(ValueError):
        decode_label(label)


def test_labels_from_anywhere_become_a_tuple() -> None:
    assert as_namespace(["a", "b"]) == ("a", "b")
    assert as_namespace(iter(())) == ()


@given(NAMESPACES)
def test_the_text_form_leads_back(namespace: Namespace) -> None:
    assert from_path(to_path(namespace)) == namespace


@given(NAMESPACES, NAMESPACES)
@example(("a", "b:c"), ("a", "b", "c"))
@example(("a", "b|c"), ("a", "b", "c"))
@example(("a", "b\x1fc"), ("a", "b", "c"))
@example(("a", "b/c"), ("a", "b", "c"))
@example((), ("a",))
def test_two_namespaces_never_share_a_text_form(one: Namespace, other: Namespace) -> None:
    """B2."""
    assert (to_path(one) == to_path(other)) == (one == other)


def _inside(namespace: Namespace, prefix: Namespace) -> bool:
    return len(prefix) <= len(namespace) and all(
        mine == theirs for mine, theirs in zip(namespace, prefix, strict=False)
    )


B1 = [
    ("t", "acme"), ("t", "acme-corp"), ("t", "acme", "x"), ("u", "john_doe"), ("u", "john-doe"),
    ("FOO",), ("foo",), ("a*",), ("ab",), ("a%",), ("a",), ("a/",), ("a/", "b"), ("a-",),
    ("a\x01",), ("a", "\U0010ffff"), ("a", "\x01"),
]  # fmt: skip


@pytest.mark.parametrize("prefix", B1, ids=repr)
def test_a_prefix_takes_in_itself_and_its_children_and_no_lookalike(prefix: Namespace) -> None:
    """B1."""
    inside = [each for each in B1 if _inside(each, prefix)]
    assert [each for each in B1 if starts_with(each, prefix)] == inside
    assert [each for each in B1 if _ranged(each, prefix)] == inside


@given(NAMESPACES, NAMESPACES, st.integers(0, 3))
def test_the_range_of_paths_agrees_with_the_labels(
    namespace: Namespace, other: Namespace, shared: int
) -> None:
    """B1."""
    for prefix in (other, namespace[:shared], (*namespace[:shared], *other)):
        assert starts_with(namespace, prefix) == _inside(namespace, prefix)
        assert _ranged(namespace, prefix) == _inside(namespace, prefix)


def _ranged(namespace: Namespace, prefix: Namespace) -> bool:
    bounds = path_range(prefix)
    return bounds is None or bounds[0] <= to_path(namespace) < bounds[1]


@given(st.lists(NAMESPACES, max_size=6), NAMESPACES)
def test_sqlite_orders_paths_as_python_does(stored: list[Namespace], prefix: Namespace) -> None:
    """B1: the range is used as a range of a binary index."""
    bounds = path_range(prefix)
    if bounds is None:
        return
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (path TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(to_path(each),) for each in stored])
        rows = connection.execute("SELECT path FROM t WHERE path >= ? AND path < ?", bounds)
        found = sorted(from_path(path) for (path,) in rows)
    connection.close()
    assert found == sorted(each for each in stored if _inside(each, prefix))


def test_the_empty_prefix_is_everywhere() -> None:
    assert path_range(()) is None
    assert starts_with((), ())
    assert starts_with(("a",), ())
    assert not starts_with((), ("a",))


def test_ancestors_come_shortest_first_with_the_namespace_last() -> None:
    assert ancestors(("a", "b", "c")) == [("a",), ("a", "b"), ("a", "b", "c")]
    assert ancestors(()) == []


@given(NAMESPACES)
def test_ancestors_are_exactly_the_non_empty_prefixes(namespace: Namespace) -> None:
    assert all(starts_with(namespace, each) for each in ancestors(namespace))
    assert len(set(ancestors(namespace))) == len(namespace)
