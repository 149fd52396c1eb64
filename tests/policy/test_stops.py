"""What a closed subject keeps out of memory, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.policy.stops import Stop, closing, stop_in
from langgraph_memory.policy.topics import sorts_named
from langgraph_memory.ports import Vectors
from langgraph_memory.wiring import Settings, write_policy

SORTS = write_policy(Settings()).sensitive.phrases

CHOSEN_ON = {
    "my health": (
        [
            "I was diagnosed with diabetes last year and take insulin daily.",
            "I have a doctor's appointment on Tuesday",
            "My back hurts since the accident",
            "I am allergic to penicillin",
            "I had surgery in May",
            "My blood pressure is high",
            "I suffer from migraines",
            "I started therapy for depression",
        ],
        [
            "I really like hiking in the mountains",
            "The launch is on Monday",
            "My budget is $200",
            "I live at 12 Elm Street",
            "My sister is a teacher",
            "I drive a red car",
            "We use PostgreSQL",
            "I run every morning",
        ],
    ),
    "my address": (
        [
            "I live at 12 Elm Street",
            "I moved to Berlin last week",
            "My flat is on the third floor of Rue Cler 9",
            "I live in Munich",
        ],
        [
            "My budget is $200",
            "I like green tea",
            "The launch is on Monday",
            "My sister is a teacher",
            "I work at Acme",
        ],
    ),
    "my family": (
        [
            "My sister is a teacher",
            "My son starts school in September",
            "My wife's name is Anna",
            "Mom lives in Lisbon",
        ],
        [
            "My boss is Peter",
            "I like tea",
            "My flight leaves at nine",
            "The launch moved to Monday",
        ],
    ),
}
OTHERS = {
    "my salary": (
        [
            "I earn 5,000 euros a month",
            "My pay was raised by ten percent",
            "My bonus this year was 10,000 dollars",
        ],
        ["I like tea", "My flight leaves at nine", "I work nights", "The door code is 42"],
    ),
    "my religion": (
        ["I am Catholic", "I pray five times a day", "We go to church on Sundays"],
        ["I like tea", "We deploy on Fridays", "My budget is $200"],
    ),
    "my girlfriend": (
        ["My girlfriend's birthday is in June", "I am dating Maria from accounting"],
        ["The tests run on two cores", "I prefer window seats", "We use PostgreSQL"],
    ),
}


@pytest.fixture(scope="module")
def model() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def left(model: MiniLmEmbedder, sentences: list[str], *subjects: str) -> list[str]:
    by = closing(
        sentences, subjects, sorts=SORTS, vectors_of=model.embed_documents, reads=model.reads
    )
    return [each for each, subject in zip(sentences, by, strict=True) if not subject]


def shares(
    model: MiniLmEmbedder, cases: dict[str, tuple[list[str], list[str]]]
) -> tuple[float, float]:
    """Return the share of what is about a subject that is held back, and of the rest that is."""
    about = [(each, subject) for subject, (inside, _) in cases.items() for each in inside]
    other = [(each, subject) for subject, (_, outside) in cases.items() for each in outside]
    held, lost = (
        [not left(model, [each], subject) for each, subject in group] for group in (about, other)
    )
    return sum(held) / len(held), sum(lost) / len(lost)


@pytest.mark.parametrize("cases", [CHOSEN_ON, OTHERS], ids=["chosen on", "others"])
def test_what_is_about_a_closed_subject_is_held_back(
    model: MiniLmEmbedder, cases: dict[str, tuple[list[str], list[str]]]
) -> None:
    """R64: by words and by meaning; little else is lost."""
    held, lost = shares(model, cases)
    print(f"held back {held:.2f} of what is about the subject, {lost:.2f} of the rest")
    assert held >= 0.8
    assert lost <= 0.15


def test_words_of_the_subject_are_enough(model: MiniLmEmbedder) -> None:
    assert left(model, ["Project Kestrel is late", "I like tea"], "project Kestrel") == [
        "I like tea"
    ]


def test_what_no_model_reads_is_held_back(model: MiniLmEmbedder) -> None:
    """Nobody can tell what it is about."""
    assert left(model, ["我住在北京市朝阳区", "I like tea"], "my address") == ["I like tea"]
    assert left(model, ["I like tea"], "我的地址") == []
    blind = closing(
        ["I like tea"], ["my address"], sorts={}, vectors_of=lambda texts: None,
        reads=lambda text: False,
    )  # fmt: skip
    assert blind == ["my address"]
    deaf = closing(
        ["I like tea"], ["my address"], sorts={}, vectors_of=lambda texts: None,
        reads=lambda text: True,
    )  # fmt: skip
    assert deaf == ["my address"]


def test_each_sentence_is_closed_by_its_own_subject(model: MiniLmEmbedder) -> None:
    said = ["I have diabetes", "I like tea", "I live at 12 Elm Street", "I had surgery in May"]
    by = closing(
        said, ["my address", "my health"], sorts=SORTS, vectors_of=model.embed_documents,
        reads=model.reads,
    )  # fmt: skip
    assert by == ["my health", "", "my address", "my health"]


@pytest.mark.parametrize(
    ("subject", "named"),
    [
        ("my health", ["health"]),
        ("Anything about my medical history", ["health"]),
        ("my mental health issues", ["health"]),
        ("my religion", ["faith"]),
        ("my religious beliefs and my politics", ["faith", "politics"]),
        ("how I vote", []),  # says more than the topic
        ("my votes", ["politics"]),
        ("my sexual orientation", ["sexuality"]),
        ("my trade union membership", ["union"]),
        ("my criminal record", ["convictions"]),
        ("我的健康状况", ["health"]),
        ("我的宗教信仰", []),
        ("我的宗教和政治", ["faith", "politics"]),
        ("my debts", ["debts"]),
        ("my health insurance", []),
        ("the European Union", []),
        ("my conditions", []),
        ("my girlfriend", []),
        ("", []),
    ],
)
def test_a_topic_covers_the_sort_of_claims_that_it_names(subject: str, named: list[str]) -> None:
    """R64: a narrower subject is held to what it says."""
    assert sorts_named(subject, [*SORTS, "debts"]) == named


def test_what_the_policy_calls_health_is_closed_without_any_model() -> None:
    def without_meaning(texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 4), dtype=np.float32)

    said = ["My cousin has epilepsy", "I am on chemotherapy", "I am Catholic", "I like tea"]
    by = closing(
        said, ["my health", "my religion"], sorts=SORTS, vectors_of=without_meaning,
        reads=lambda text: True,
    )  # fmt: skip
    assert by == ["my health", "my health", "my religion", ""]


def test_nothing_is_held_back_without_a_rule(model: MiniLmEmbedder) -> None:
    assert left(model, ["我住在北京", "I like tea"]) == ["我住在北京", "I like tea"]


@pytest.mark.parametrize("rule", [Stop("my health"), Stop(thread_id="t-1")])
def test_a_rule_is_read_back_from_its_record(rule: Stop) -> None:
    assert stop_in({"content": rule.content, **rule.fields}) == rule
    assert stop_in({"content": "anything"}) is None
    assert stop_in(None) is None
