"""Answering and abstaining on short facts: how often each is right, held from below.

The questions were written for this test; the figures stand in ARCHITECTURE, decision 9.
Print them with ``pytest tests/operations/test_abstention.py -s``.
"""

from __future__ import annotations

import pytest

from langgraph_memory import Home

FACTS = (
    "The monthly infrastructure budget is $150.",
    "Lina owns deployment",
    "The launch moved to Monday",
    "Checkout failures must block the launch",
    "The team prefers compact deployment reports.",
    "I like sushi from Kyoto",
    "My dog is called Rex",
    "Jane was born in Lisbon",
    "I work at Microsoft as a data engineer",
    "We use PostgreSQL 16 in production",
    "My flight to Tokyo leaves on 3 May",
    "I am allergic to peanuts",
    "Bob prefers dark mode in his editor",
    "The API key rotates every 90 days",
    "Our office is in Berlin near the station",
)
ANSWERABLE = (
    "When is the launch?",
    "Who owns deployment?",
    "What blocks release?",
    "What blocks the release?",
    "What is our monthly infrastructure budget?",
    "How much can we spend on servers each month?",
    "How should you format the release update?",
    "What food do I like?",
    "What is my pet's name?",
    "Where was Jane born?",
    "Who is my employer?",
    "Which database do we run?",
    "When do I fly to Japan?",
    "What foods should I avoid?",
    "What theme does Bob like?",
    "How often is the key rotated?",
    "Where is our office?",
    "who is responsible for deployment",
    "what is my job",
    "what's the launch date",
)
UNANSWERABLE = (
    "What is the owner's blood type?",
    "What is Lina's blood type?",
    "What is Lina's phone number?",
    "What is my sister's name?",
    "When does the launch party start in Madrid?",
    "What is Jane's favourite colour?",
    "How old is Rex?",
    "What is Bob's salary?",
    "Who is our lawyer?",
    "What is the capital of France?",
    "Which cloud provider do we use?",
    "How tall is Jane?",
    "What is the deployment password?",
    "When is my dentist appointment?",
    "Who won the match yesterday?",
    "What is the office rent?",
    "What is my wife's birthday?",
    "Does Bob have children?",
    "What is the launch budget in euros for marketing?",
    "What car do I drive?",
)
LAUNCH = (
    "The monthly infrastructure budget is $150.",
    "Lina owns deployment",
    "The launch moved to Monday",
    "Checkout failures must block the launch",
)
LAUNCH_ANSWERABLE = (
    "What blocks release?",
    "What blocks the release?",
    "Who is responsible for deployment?",
    "When do we launch?",
    "how much can we spend on infrastructure per month",
    "what prevents the launch",
    "On which day is the launch?",
    "Who handles deployment?",
)
LAUNCH_UNANSWERABLE = (
    "What is the marketing budget?",
    "What is the yearly infrastructure budget?",
    "Where is the launch?",
    "What blocks deployment?",
    "What is Lina's phone number?",
    "Who is Lina's manager?",
    "What is the launch code?",
    "How old is Lina?",
    "Who approved the budget?",
    "What colour is the checkout page?",
)

CHINESE = (
    "发布推迟到星期一，负责人是丽娜",
    "用户喜欢寿司",
    "我们的办公室在柏林",
    "每月基础设施预算是150美元",
)


@pytest.mark.parametrize(
    ("facts", "answerable", "unanswerable", "answered", "abstained"),
    [
        (FACTS, ANSWERABLE, UNANSWERABLE, 17, 17),
        (LAUNCH, LAUNCH_ANSWERABLE, LAUNCH_UNANSWERABLE, 7, 8),
    ],
)
def test_facts_answer_what_they_answer_and_little_else(
    home: Home, facts: tuple[str, ...], answerable: tuple[str, ...],
    unanswerable: tuple[str, ...], answered: int, abstained: int,
) -> None:  # fmt: skip
    """R44, B56: without keys, in the facts' own words and in others."""
    me = home.memory.scope(tenant="t", user="u")
    for fact in facts:
        me.remember(fact)
    right = [question for question in answerable if me.recall(question).evidence]
    silent = [question for question in unanswerable if not me.recall(question).evidence]
    print(f"answered {len(right)} of {len(answerable)}, "
          f"abstained {len(silent)} of {len(unanswerable)}")  # fmt: skip
    assert len(right) >= answered
    assert len(silent) >= abstained


@pytest.mark.parametrize("key", ["blocker", "blockers", "k4", None])
def test_what_blocks_release_is_answered_whatever_the_key(home: Home, key: str | None) -> None:
    """R22: a paraphrase that shares one word, and a key that says nothing."""
    me = home.memory.scope(tenant="t", user="u")
    me.remember("Lina owns deployment")
    me.remember("The launch moved to Monday")
    me.remember("Checkout failures must block the launch", key=key)
    for question in ("What blocks release?", "What blocks the release?"):
        [first, *_] = me.recall(question).evidence
        assert first.content == "Checkout failures must block the launch"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("谁是负责人？", CHINESE[0]),
        ("发布在什么时候？", CHINESE[0]),
        ("用户喜欢什么？", CHINESE[1]),
        ("办公室在哪里？", CHINESE[2]),
        ("每月预算是多少？", CHINESE[3]),
        ("天气怎么样？", None),
        ("你会开车吗？", None),
    ],
)
def test_a_script_the_embedder_does_not_read_goes_by_words(
    home: Home, question: str, answer: str | None
) -> None:
    """R44, B34, B53: no similarity is made up between texts that only share a script."""
    me = home.memory.scope(tenant="t", user="u")
    for fact in CHINESE:
        me.remember(fact)
    found = me.recall(question).evidence
    assert (found[0].content if found else None) == answer
