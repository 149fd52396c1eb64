"""Windows: a long text is embedded in parts that the embedder sees whole."""

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from langgraph_memory.models.embedder import FOLDER, MOST_PIECES, TOKENIZER
from langgraph_memory.text.windows import MOST_WINDOWS, windows

SENTENCES = {
    "English": "Lina owns the deployment, and checkout failures must block the launch. ",
    "French": "L'équipe préfère travailler le matin, mais la réunion aura lieu jeudi. ",
    "Chinese": "用户喜欢寿司，但是不喜欢生鱼片。",
    "Japanese": "彼はコーヒーが好きですが、紅茶は飲みません。",
    "Korean": "그는 커피를 좋아하지만 차는 마시지 않습니다. ",
    "Russian": "Пользователь любит суши, но не ест сырую рыбу. ",
    "Arabic": "يحب المستخدم السوشي لكنه لا يأكل السمك النيء. ",
    "code": "    return sum(row.price * row.count for row in rows if row.is_open)\n",
    "JSON": '{"id": 4711, "owner": {"name": "Lina"}, "tags": ["launch"], "score": 0.8341}\n',
    "hex": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 ",
    "UUIDs": "550e8400-e29b-41d4-a716-446655440000 ",
    "numbers": "1204.77 90210 2026-03-14 09:26 ",
    "emoji": "dinner tonight? 🍣🍵 👩\u200d💻❤️ ",
}


@pytest.fixture(scope="module")
def pieces() -> Callable[[str], int]:
    tokenizer = Tokenizer.from_file(str(FOLDER / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: len(tokenizer.encode(text).ids)


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)
@pytest.mark.parametrize("times", [8, 30, 400])
def test_every_window_fits_the_embedder(
    sentence: str, times: int, pieces: Callable[[str], int]
) -> None:
    parts = windows(sentence * times)
    assert 1 <= len(parts) <= MOST_WINDOWS
    assert max(map(pieces, parts)) <= MOST_PIECES


def test_this_repository_in_windows_fits_the_embedder(pieces: Callable[[str], int]) -> None:
    here = Path(__file__)
    texts = [here.read_text("utf-8"), (FOLDER / "LICENSE").read_text("utf-8")]
    sizes = [pieces(part) for text in texts for part in windows(text)]
    assert max(sizes) <= MOST_PIECES
    assert sum(sizes) / len(sizes) > 0.6 * MOST_PIECES  # and is not wasted


def test_a_short_text_is_its_own_window_and_a_blank_one_has_none() -> None:
    assert windows("  The launch moved to Monday.\n") == ["The launch moved to Monday."]
    assert windows("") == windows(" \n\t") == []


def test_windows_end_with_sentences_and_hold_everything_in_order() -> None:
    text = " ".join(f"Sentence number {i} is about subject {i * 7}." for i in range(120))
    parts = windows(text)
    assert len(parts) > 2
    assert all(part.startswith("Sentence") and part.endswith(".") for part in parts)
    assert all(f"number {i} " in " ".join(parts) for i in range(120))
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_the_middle_and_the_end_of_a_long_text_are_in_some_window() -> None:
    """B36: what stands behind the first 256 pieces is findable."""
    filler = "The weather was mild and nothing much happened that day. " * 30
    text = f"{filler}The safe code is 4711. {filler}The owner is Lina."
    parts = windows(text)
    assert any("The safe code is 4711." in part for part in parts[1:-1])
    assert parts[-1].endswith("The owner is Lina.")


def test_a_text_too_long_is_sampled_from_beginning_to_end() -> None:
    text = " ".join(f"Fact {i} holds." for i in range(60_000))
    parts = windows(text)
    assert len(parts) == MOST_WINDOWS
    assert parts[0].startswith("Fact 0 holds.")
    assert parts[-1].endswith("Fact 59999 holds.")
    starts = [text.index(part) / len(text) for part in parts]
    assert all(later - earlier < 0.2 for earlier, later in pairwise(starts))


@pytest.mark.parametrize("unit", ["a", "word ", "用", ".", "\n", "x" + " " * 500, "a1"])
def test_a_megabyte_is_cut_fast(unit: str) -> None:
    began = time.perf_counter()
    parts = windows(unit * (1_000_000 // len(unit)))
    assert time.perf_counter() - began < 1.0  # 0.01 s on an idle machine
    assert len(parts) <= MOST_WINDOWS


@given(st.text(st.characters(), max_size=60), st.integers(1, 400))
def test_any_text_gives_few_windows_none_blank_and_all_its_own(text: str, times: int) -> None:
    whole = text * times
    parts = windows(whole)
    assert len(parts) <= MOST_WINDOWS
    assert all(part.strip() == part and part in whole for part in parts)
    assert bool(parts) == bool(whole.strip())
    assert all(part for part in parts)
