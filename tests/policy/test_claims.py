"""The evidence check on labelled answers: precision and recall, printed with ``-s``.

``claims_cases.jsonl`` holds answers about the records of ``claims_worlds.json``; ``marks`` are
words of the unsupported statement, or the labels that are cited wrongly. The held-out half
was never tuned on: its floors lie a little below what was measured once.

``claims_kinds.jsonl`` holds the hard kinds: units and periods, what used to be, swapped relations,
mere plans, earlier statements that nobody made, short answers about the asker's own affairs. Its
held-out half was looked at once, late (0.87 and 0.90 until then), its fresh part never.

``claims_private.jsonl`` asks with nothing in memory: half of the answers are what only memory could
know, half are knowledge of the world, advice, stories and small talk. Its held-out half was looked
at once (0.78 and 0.90 until then), its fresh part never.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.policy.claims.checking import ClaimCheck, check
from langgraph_memory.policy.language.meaning import Embed
from langgraph_memory.ports import Citation, Request, Vectors

HERE = Path(__file__).parent


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


CASES = cases("claims_cases.jsonl")
KINDS = cases("claims_kinds.jsonl")
PRIVATE = cases("claims_private.jsonl")
WORLDS = json.loads((HERE / "claims_worlds.json").read_text("utf-8"))
FLOORS = {  # half, embedder: precision and recall of unsupported statements
    ("development", True): (0.97, 0.97),
    ("development", False): (0.92, 0.97),
    ("held-out", True): (0.90, 0.92),
    ("held-out", False): (0.90, 0.92),
}
FLOORS_OF_KINDS = {"development": (0.97, 0.97), "held-out": (0.93, 0.95), "fresh": (0.8, 0.78)}
FLOORS_OF_PRIVATE = {"development": (0.97, 0.97), "held-out": (0.93, 0.97), "fresh": (0.85, 0.78)}
RIGHT = {"development": 0.95, "held-out": 0.92}
"""Share of answers of which everything was told rightly, labels too."""


@dataclass
class Score:
    hits: int = 0
    false_alarms: int = 0
    misses: int = 0
    right: int = 0
    answers: int = 0

    @property
    def precision(self) -> float:
        return self.hits / max(1, self.hits + self.false_alarms)

    @property
    def recall(self) -> float:
        return self.hits / max(1, self.hits + self.misses)


@pytest.fixture(scope="module")
def embed() -> Embed:
    return MiniLmEmbedder().embed_documents


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def evidence(world: str) -> list[Citation]:
    return [
        Citation(
            f"m{number}", f"id-{number}", each["content"], each["source"], day(each["said"]),
            tuple((text, day(ended)) for text, ended in each["history"]),
        )
        for number, each in enumerate(WORLDS[world], start=1)
    ]  # fmt: skip


def checked(case: dict[str, Any], embed: Embed | None) -> ClaimCheck:
    visible = [*case["tail"], case["asked"]]
    return check(case["answer"], evidence(case["world"]), visible, embed=embed)


def score(half: str, embed: Embed | None, among: list[dict[str, Any]] = CASES) -> Score:
    total = Score()
    for case in (each for each in among if each["half"] == half):
        found = checked(case, embed)
        wrong = case["marks"] if case["verdict"] == "unsupported" else []
        hit = [mark for mark in wrong if any(mark in each.text for each in found.unsupported)]
        false = [e for e in found.unsupported if not any(mark in e.text for mark in wrong)]
        labels = case["marks"] if case["verdict"] == "miscited" else []
        cited = case["verdict"] == "unsupported" or sorted(found.miscited) == sorted(labels)
        total.answers += 1
        total.hits += len(hit)
        total.misses += len(wrong) - len(hit)
        total.false_alarms += len(false)
        total.right += len(hit) == len(wrong) and not false and cited
    return total


@pytest.mark.parametrize("with_embedder", [True, False], ids=["embedder", "words"])
@pytest.mark.parametrize("half", ["development", "held-out"])
def test_precision_and_recall_stay_above_their_floors(
    half: str, with_embedder: bool, embed: Embed
) -> None:
    found = score(half, embed if with_embedder else None)
    precision, recall = FLOORS[half, with_embedder]
    print(
        f"\n{half}, {'embedder' if with_embedder else 'words alone'}: "
        f"{found.hits} found, {found.false_alarms} false, {found.misses} missed; "
        f"precision {found.precision:.3f}, recall {found.recall:.3f}; "
        f"{found.right} of {found.answers} answers right"
    )
    assert found.precision >= precision
    assert found.recall >= recall
    assert found.right >= RIGHT[half] * found.answers


@pytest.mark.parametrize("with_embedder", [True, False], ids=["embedder", "words"])
@pytest.mark.parametrize("half", list(FLOORS_OF_KINDS))
def test_statements_of_the_hard_kinds_are_caught(
    half: str, with_embedder: bool, embed: Embed
) -> None:
    """R44"""
    found = score(half, embed if with_embedder else None, KINDS)
    print(
        f"\nhard kinds, {half}, {'embedder' if with_embedder else 'words alone'}: "
        f"{found.hits} found, {found.false_alarms} false, {found.misses} missed; "
        f"precision {found.precision:.3f}, recall {found.recall:.3f}; "
        f"{found.right} of {found.answers} answers right"
    )
    precision, recall = FLOORS_OF_KINDS[half]
    assert found.precision >= precision
    assert found.recall >= recall


@pytest.mark.parametrize("half", list(FLOORS_OF_PRIVATE))
def test_what_only_memory_can_know_is_not_told_and_the_world_is(half: str, embed: Embed) -> None:
    """R44: with nothing in memory, and beside what a record was cited for."""
    found = score(half, embed, PRIVATE)
    print(
        f"\nprivate, {half}: {found.hits} found, {found.false_alarms} false, "
        f"{found.misses} missed; "
        f"precision {found.precision:.3f}, recall {found.recall:.3f}; "
        f"{found.right} of {found.answers} answers right"
    )
    precision, recall = FLOORS_OF_PRIVATE[half]
    assert found.precision >= precision
    assert found.recall >= recall


def test_the_cases_are_many_and_in_two_languages() -> None:
    assert len(CASES) >= 120
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in c["answer"]) for c in CASES) >= 25
    assert {each["verdict"] for each in CASES} == {"supported", "unsupported", "none", "miscited"}


def test_an_answer_is_checked_in_under_ten_milliseconds(embed: Embed) -> None:
    spent = []
    for case in CASES:
        started = time.perf_counter()
        checked(case, embed)
        spent.append(1000 * (time.perf_counter() - started))
    print(f"\nmedian {statistics.median(spent):.2f} ms, most {max(spent):.2f} ms")
    assert statistics.median(spent) < 10


@pytest.mark.parametrize("world", [each for each in WORLDS if each != "empty"])
async def test_the_offline_responder_always_passes(world: str) -> None:
    """R73: it quotes, with source, date and history."""
    cited = evidence(world)
    reply = OfflineResponder().answer(Request((), tuple(cited)))
    assert check(reply.text, cited, ["What do you know?"]).unsupported == ()


class TestReasons:
    def test_a_replaced_value_is_called_replaced(self) -> None:
        found = check("The launch is scheduled for Friday [m3].", evidence("launch"), ["When?"])
        assert found.unsupported[0].text == "The launch is scheduled for Friday"
        assert found.unsupported[0].reason == "[m3] said so earlier and was replaced since"
        assert found.miscited == ("m3",)
        assert not found.passed

    def test_another_value_is_named(self) -> None:
        found = check("Your budget is $200 a month [m1].", evidence("launch"), ["Budget?"])
        assert found.unsupported[0].reason == "[m1] speaks against it: it says $150, not $200"

    def test_what_nobody_said_is_called_unfounded(self) -> None:
        found = check("You told me that your cat is ill.", [], ["Hello"])
        assert found.unsupported[0].reason == "nothing in memory or in this conversation says so"

    def test_a_wrong_citation_of_a_true_statement_is_only_miscited(self) -> None:
        found = check("Lina owns deployment [m1].", evidence("launch"), ["Who?"])
        assert found.unsupported == ()
        assert found.miscited == ("m1",)

    def test_a_good_answer_passes(self) -> None:
        assert check("Lina owns deployment [m2].", evidence("launch"), ["Who?"]).passed


SAID_ON = datetime(2026, 11, 30, tzinfo=UTC)
"""A Monday."""


def of_one(said: str, answer: str) -> ClaimCheck:
    """Check an answer against one record, said on that Monday."""
    return check(answer, [Citation("m1", "r1", said, "you", SAID_ON)], ["What do you know?"])


class TestTheDayOfSaying:
    """It may tell when something was said, never what."""

    @pytest.mark.parametrize(
        ("said", "answer"),
        [
            ("The launch is on Friday", "You told me the launch is on Monday [m1]."),
            ("The launch is on Friday", "You told me that the launch is on Monday [m1]."),
            ("The launch is on Friday", "The launch is on Monday, as you told me [m1]."),
            ("The launch is on Friday", "You moved the launch to Monday [m1]."),
            ("The demo is on 3 May", "You told me the demo is on 30 November [m1]."),
            ("The demo is on 3 May", "You mentioned the demo is on 2026-11-30 [m1]."),
            ("The rent is due in May", "You said the rent is due in November [m1]."),
            ("发布日期是周五", "你说过发布日期是周一 [m1]。"),
        ],
    )
    def test_it_is_not_what_was_said(self, said: str, answer: str) -> None:
        assert of_one(said, answer).unsupported

    @pytest.mark.parametrize(
        "answer",
        [
            "You told me on Monday that the launch is on Friday [m1].",
            "On Monday you told me the launch is on Friday [m1].",
            "On 30 November 2026, you told me that the launch is on Friday [m1].",
            "The launch is on Friday, as you told me on Monday [m1].",
            "You mentioned on November 30 that the launch is on Friday [m1].",
            "The launch is on Friday [m1] — said on 30 November 2026.",
        ],
    )
    def test_when_it_was_said_may_be_told(self, answer: str) -> None:
        assert of_one("The launch is on Friday", answer).passed


class TestJoinedParts:
    """Each part that an answer joins must stand in memory."""

    @pytest.mark.parametrize(
        ("said", "answer"),
        [
            ("I am allergic to nuts", "You are allergic to nuts and eggs [m1]."),
            ("I am allergic to nuts", "You're allergic to nuts and shellfish [m1]."),
            ("I am allergic to nuts", "You are allergic to eggs and nuts [m1]."),
            ("I have a cat", "You have a cat and a dog [m1]."),
            ("I like tea", "You like tea, but you hate coffee [m1]."),
            ("I like tea", "You like tea but hate coffee [m1]."),
            ("I take ibuprofen", "You take ibuprofen and aspirin [m1]."),
            ("I take ibuprofen", "You take ibuprofen, aspirin and insulin [m1]."),
            ("我对花生过敏", "你对花生和鸡蛋过敏 [m1]。"),
        ],
    )
    def test_a_part_that_was_added_is_caught(self, said: str, answer: str) -> None:
        assert of_one(said, answer).unsupported

    @pytest.mark.parametrize(
        ("said", "answer"),
        [
            ("I like tea and coffee", "You enjoy coffee and tea [m1]."),
            ("I am allergic to nuts", "You are allergic to nuts and should avoid them [m1]."),
            ("I am allergic to nuts", "You are allergic to nuts, so eggs are fine [m1]."),
            ("I like tea", "You like tea, but I have nothing else on record [m1]."),
            ("I have a cat called Miso", "You have a cat and her name is Miso [m1]."),
            ("I prefer short, direct answers", "You prefer short and direct answers [m1]."),
            ("The launch moved to Monday", "The launch was moved and is now on Monday [m1]."),
            ("我喜欢茶和咖啡", "你喜欢茶和咖啡 [m1]。"),
        ],
    )
    def test_parts_that_were_said_pass(self, said: str, answer: str) -> None:
        assert of_one(said, answer).passed

    def test_two_records_may_hold_a_part_each(self) -> None:
        kept = [Citation(f"m{n}", f"r{n}", f"I have a {pet}", "you", SAID_ON)
                for n, pet in enumerate(("cat", "dog"), 1)]  # fmt: skip
        assert check("You have a cat and a dog [m1] [m2].", kept, ["Which pets?"]).passed


class TestTheConversation:
    def test_the_users_question_is_no_evidence(self) -> None:
        found = check("Yes, your budget is $200.", [], ["Is my budget $200?"])
        assert len(found.unsupported) == 1

    def test_what_the_question_states_in_passing_is(self) -> None:
        found = check("Your budget is $200.", [], ["My budget is $200, what can I buy?"])
        assert found.passed

    def test_what_was_asked_may_be_repeated(self) -> None:
        assert check("You asked whether the budget is $200.", [], ["Is the budget $200?"]).passed

    def test_an_earlier_message_is_evidence(self) -> None:
        visible = ["The code is 4471.", "Noted.", "What was the code?"]
        assert check("You told me that the code is 4471.", [], visible).passed
        assert not check("You told me that the code is 4417.", [], visible).passed


class TestOtherTongues:
    """Words of two languages cannot be compared: hard parts and the citation decide."""

    def test_a_cited_answer_in_german_passes_on_its_hard_parts(self) -> None:
        asked = ["Wie hoch ist unser Budget?"]
        good = "Das monatliche Budget für die Infrastruktur ist 150 $ [m1]."
        assert check(good, evidence("launch"), asked).passed
        assert not check(good.replace("150", "200"), evidence("launch"), asked).passed

    def test_a_cited_answer_in_chinese_passes_on_its_hard_parts(self) -> None:
        assert check("你的月预算是150美元 [m1]。", evidence("launch"), ["预算多少?"]).passed
        assert not check("你的月预算是200美元 [m1]。", evidence("launch"), ["预算多少?"]).passed


def test_words_alone_are_asked_first() -> None:
    """An embedder is asked only about what words leave open."""
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        raise AssertionError("words were enough")

    assert check("Lina owns deployment [m2].", evidence("launch"), ["Who?"], embed=embed).passed
    assert asked == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[m1]",
        "[m9] is unknown.",
        "…",
        "\x00 you said \ud800",
        "```\nyou said x\n```",
        "?",
        "。",
    ],
)
def test_odd_answers_are_no_trouble(text: str) -> None:
    assert check(text, evidence("launch"), []).unsupported == ()


@pytest.mark.parametrize(
    "piece",
    [
        "not ",
        "you ",
        "a-",
        "1 ",
        "and ",
        "[m1] ",
        "so, ",
        "不",
        "预算",
        "a@",
        "May ",
        "(",
        "Aa",
        "a.",
    ],
)
def test_long_answers_take_no_long_time(piece: str) -> None:
    text = piece * 2_000
    started = time.perf_counter()
    check(text, [Citation("m1", "id", text, "you", day("2026-05-01"))], [text])
    assert time.perf_counter() - started < 10
