"""Amounts, days, times, codes and names: the same in every spelling, and nothing else."""

from __future__ import annotations

import pytest

from langgraph_memory.policy.language.hard_parts import agree, hard_parts
from langgraph_memory.policy.language.wording import read
from langgraph_memory.text.scripts import clean

SAME = [
    ("$150", "150 dollars"),
    ("$150", "150美元"),
    ("$150", "a hundred and fifty dollars"),
    ("$1,500", "1.5k dollars"),
    ("1,250 euros", "€1250"),
    ("一百五十元", "150元"),
    ("50%", "50 percent"),
    ("four years", "4 years"),
    ("twenty-four people", "24 people"),
    ("三次", "3 times"),
    ("March 5", "2026-03-05"),
    ("5 March 2026", "March 5th, 2026"),
    ("Thursday", "2026-03-05"),
    ("3月5日", "2026-03-05"),
    ("三月五号", "March 5"),
    ("周四", "Thursdays"),
    ("星期日", "Sunday"),
    ("in September", "September 2026"),
    ("2019年", "in 2019"),
    ("15:00", "3 pm"),
    ("下午三点", "3 pm"),
    ("10:00", "10 am"),
    ("noon", "12:00"),
    ("order A-10442", "A-10442"),
    ("KIM.lee@example.com", "kim.lee@example.com"),
    ("with Postgres", "in PostgreSQL"),
]
OTHER = [
    ("$150", "$200"),
    ("$150", "€150"),
    ("3 days", "3 weeks"),
    ("March 5", "March 15"),
    ("2026-03-05", "2025-03-05"),
    ("Friday", "2026-03-05"),
    ("March 5", "in March"),
    ("3 pm", "3 am"),
    ("9:30", "10 am"),
    ("TP1357", "TP1375"),
    ("stage-2.acme.io", "stage-3.acme.io"),
    ("with Lina", "with Lisa"),
    ("周四", "周五"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value_agrees_in_every_spelling(one: str, other: str) -> None:
    [mine], [theirs] = hard_parts(clean(one)), hard_parts(clean(other))
    assert agree(mine.part, theirs.part)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_value_does_not_agree(one: str, other: str) -> None:
    [mine], [theirs] = hard_parts(clean(one)), hard_parts(clean(other))
    assert not agree(mine.part, theirs.part)


@pytest.mark.parametrize(
    "text",
    ["one of them", "You may leave", "The launch is near", "march on", "一般", "一下", "no later"],
)
def test_ordinary_words_are_no_hard_parts(text: str) -> None:
    assert hard_parts(text) == []


def test_what_is_read_once_is_not_read_again() -> None:
    found = hard_parts("Flight TP1357 on 2026-03-05 at 15:00 for $150 with Ana")
    assert [each.text for each in found] == ["TP1357", "2026-03-05", "15:00", "$150", "Ana"]


@pytest.mark.parametrize(
    ("text", "words", "denied"),
    [
        ("Failures block it", {"failur", "block"}, set()),
        ("Failures do not block it", {"failur"}, {"block"}),
        ("I hate broccoli", set(), {"broccoli"}),
        ("no later than lunch", {"later", "lunch"}, set()),
        ("我不吃辣", set(), {"吃", "辣"}),
    ],
)
def test_a_denial_reaches_to_the_end_of_its_clause(
    text: str, words: set[str], denied: set[str]
) -> None:
    found = read(text)
    assert (set(found.words) - {"than"}, set(found.denied)) == (words, denied)


def test_the_denied_value_of_a_contrast_is_told_apart() -> None:
    found = read("It is on Monday, not Friday.")
    assert [each.text for each in found.parts] == ["Monday"]
    assert [each.text for each in found.denied_parts] == ["Friday"]
