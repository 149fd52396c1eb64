"""The default token counter against exact counts of the o200k tokenizer."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.models import counting
from langgraph_memory.models.counting import count_tokens
from langgraph_memory.ports import TokenCounter

SAMPLES = {
    "English": (
        (
            "Our monthly infrastructure budget is $150, and Lina owns the deployment "
            "until the launch."
        ),
        17,
    ),
    "chat": (
        (
            "Hey! I can't make it on Friday, sorry :( Could we move the call to "
            "Monday at 3pm instead?"
        ),
        24,
    ),
    "German": (
        (
            "Die Bereitstellung gehört Lina, und der Produktstart wurde auf kommenden "
            "Montag verschoben."
        ),
        18,
    ),
    "French": (
        ("L'équipe préfère travailler le matin, mais la réunion aura lieu jeudi après-midi."),
        16,
    ),
    "Russian": ("Пользователь любит суши, но не ест сырую рыбу и живёт в Москве.", 22),
    "Chinese": ("用户喜欢寿司，但是不喜欢生鱼片。他住在上海，每天早上喝一杯绿茶。", 24),
    "Chinese, traditional": ("這個月的預算是一百五十美元，產品發布日期改到下星期一。", 21),
    "Japanese": (
        "彼はコーヒーが好きですが、紅茶は飲みません。来週の月曜日に東京で会議があります。",
        29,
    ),
    "Korean": (
        "그는 커피를 좋아하지만 차는 마시지 않습니다. 다음 주 월요일에 회의가 있습니다.",
        24,
    ),
    "Arabic": ("يحب المستخدم السوشي لكنه لا يأكل السمك النيء، ويعيش في القاهرة.", 20),
    "Hindi": (("उपयोगकर्ता को सुशी पसंद है लेकिन वह कच्ची मछली नहीं खाता और दिल्ली में रहता है।"), 26),
    "Python": (
        (
            "def total(rows: list[Row]) -> int:\n    return sum(row.price * row.count "
            "for row in rows if row.is_open)\n"
        ),
        28,
    ),
    "JSON": (
        (
            '{"id": 4711, "owner": {"name": "Lina", "role": "deploy"}, "tags": '
            '["launch", "q3"], "score": 0.8341}'
        ),
        42,
    ),
    "hex": ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43),
    "UUIDs": ("550e8400-e29b-41d4-a716-446655440000 7d444840-9dc0-11d1-b245-5ffdce74fad2", 40),
    "base64": (
        ("TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsuIFBsZWFzZSBzZW5kIHRoZSByZXBvcnQgYnkgRnJpZGF5Lg=="),
        54,
    ),
    "emoji": ("Shipped it 🎉🚀 the team is so happy 😀👍🏽 dinner tonight? 🍣🍵 👩\u200d💻❤️", 29),
    "log": (
        (
            "2026-03-14T09:26:53.589Z WARN [worker-3] request_id=8c1f0a9be2d4 "
            "status=503 path=/api/v1/orders/90210 took=1204.77ms"
        ),
        54,
    ),
    "table": (
        (
            "| item | price | owner |\n| --- | ---: | --- |\n| disk | 12.50 | Lina |\n| "
            "network | 7.25 | Omar |\n"
        ),
        35,
    ),
    "URL": (("https://shop.example.com/orders/90210?ref=mail&utm_source=spring-sale#details"), 20),
}


@pytest.mark.parametrize(("text", "exact"), SAMPLES.values(), ids=SAMPLES)
def test_a_count_is_never_much_too_low_nor_far_too_high(text: str, exact: int) -> None:
    """R31: a hard cap holds in any language and for any kind of text."""
    assert 0.95 * exact <= count_tokens(text) <= 1.8 * exact


def test_an_empty_text_has_no_tokens() -> None:
    assert count_tokens("") == 0


def test_the_function_keeps_the_contract_of_a_token_counter() -> None:
    counter: TokenCounter = count_tokens
    assert counter("launch") >= 1


@given(st.text(st.characters()))
def test_any_text_counts_one_token_at_least_and_five_a_character_at_most(text: str) -> None:
    assert bool(text) <= count_tokens(text) <= 5 * len(text) + 1


@given(st.text(), st.text())
def test_counting_depends_on_the_text_alone(left: str, right: str) -> None:
    first = count_tokens(left)
    count_tokens(right)
    assert count_tokens(left) == first


@pytest.mark.parametrize(
    "unit",
    [
        SAMPLES["English"][0] + " ",
        SAMPLES["Chinese"][0],
        SAMPLES["base64"][0],
        "a",
        "a1",
        " ",
        "_",
        "\n \t",
    ],
    ids=["English", "Chinese", "base64", "one word", "code", "spaces", "underscores", "blank"],
)
def test_a_megabyte_is_counted_fast(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode()))
    began = time.perf_counter()
    count_tokens(text)
    assert time.perf_counter() - began < 2.0  # 0.01 to 0.4 s on an idle machine


def test_what_was_counted_before_is_known_and_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "_known", {})
    monkeypatch.setattr(counting, "MOST_KNOWN", 3)
    sizes = [counting.count_tokens(f"word {'more ' * n}") for n in range(8)]
    assert sizes == [counting.count_tokens(f"word {'more ' * n}") for n in range(8)]
    assert sorted(set(sizes)) == sizes
    assert len(counting._known) <= 3
    assert all(isinstance(each, int) for pair in counting._known.items() for each in pair)
