"""Recall: the right evidence with reasons, or an abstention with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from langgraph_memory import Home, ScopedMemory, Settings, open_memory
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.recall import Abstention
from langgraph_memory.policy.keys import content_key
from langgraph_memory.ports import Vectors
from langgraph_memory.retrieval.support import CHECKED
from langgraph_memory.testing.hashing import HashingEmbedder


def _tell_launch(me: ScopedMemory) -> None:
    me.remember("The monthly infrastructure budget is $150.", key="monthly_budget")
    me.remember("Lina owns deployment", key="deployment_owner")
    me.remember("The launch is scheduled for Friday", key="launch_date")
    me.remember("Checkout failures must block the launch", key="release_blockers")
    me.remember("The launch moved to Monday", key="launch_date")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is the launch?", "The launch moved to Monday"),
        ("What is the launch date?", "The launch moved to Monday"),
        ("Who owns deployment?", "Lina owns deployment"),
        ("who is responsible for deployment", "Lina owns deployment"),
        ("What blocks release?", "Checkout failures must block the launch"),
        ("What is our monthly infrastructure budget?",
         "The monthly infrastructure budget is $150."),
        ("How much can we spend on servers each month?",
         "The monthly infrastructure budget is $150."),
    ],
)  # fmt: skip
def test_the_launch_story_is_answered(me: ScopedMemory, question: str, answer: str) -> None:
    """R22, R40: paraphrases and exact words alike."""
    _tell_launch(me)
    found = me.recall(question)
    assert found.evidence[0].content == answer
    assert found.abstained is None


def test_a_superseded_statement_is_history_and_not_evidence(me: ScopedMemory) -> None:
    """R42, R91: Friday is shown as replaced, never as an answer."""
    _tell_launch(me)
    [hit, *_] = me.recall("When is the launch?").evidence
    assert [version.value for version in hit.replaced] == [
        {"content": "The launch is scheduled for Friday"}
    ]
    assert all("Friday" not in each.content for each in me.recall("Is it Friday?").evidence)


@pytest.mark.parametrize(
    "question",
    ["What is the owner's blood type?", "What is Lina's blood type?",
     "What is Lina's phone number?", "Who is our lawyer?", "What is the capital of France?"],
)  # fmt: skip
def test_what_was_never_said_is_not_answered(me: ScopedMemory, question: str) -> None:
    """R44, B56: a shared name or subject is no answer; the abstention says what is missing."""
    _tell_launch(me)
    found = me.recall(question)
    assert not found.evidence
    assert found.abstained is Abstention.NOTHING_RELEVANT
    assert found.missing


def test_the_kinds_of_nothing_are_told_apart(me: ScopedMemory) -> None:
    """R44, B55: an empty scope, an empty question, nothing relevant."""
    assert me.recall("When is the launch?").abstained is Abstention.NOTHING_STORED
    me.remember("I like tea")
    assert me.recall("  ").abstained is Abstention.NO_QUESTION
    assert me.recall("Who won the 1998 cup?").abstained is Abstention.NOTHING_RELEVANT


def test_another_user_sees_no_candidate_at_all(
    me: ScopedMemory, stranger: ScopedMemory, home: Home
) -> None:
    """R41, B5: not as evidence, not as a rejected candidate, not as a count."""
    _tell_launch(me)
    outsider = home.memory.scope(tenant="acme-corp", user="jane.doe@example.com")
    for other in (stranger, outsider):
        found = other.recall("When is the launch?")
        assert (found.evidence, found.rejected, found.stored) == ((), (), 0)


def test_another_users_writes_do_not_change_my_scores(
    me: ScopedMemory, stranger: ScopedMemory
) -> None:
    """R41: scores come from the scope's own statistics, so they leak nothing."""
    _tell_launch(me)
    before = [(hit.content, hit.score) for hit in me.recall("When is the launch?").evidence]
    for number in range(30):
        stranger.remember(f"Launch {number} of the launch of launches")
    after = [(hit.content, hit.score) for hit in me.recall("When is the launch?").evidence]
    assert after == before


def test_organization_knowledge_is_read_and_named_as_such(home: Home, me: ScopedMemory) -> None:
    """R54: the answer can say whose knowledge it used."""
    home.memory.scope(tenant="acme").remember("Deployments are frozen in December")
    [hit] = me.recall("When are deployments frozen?").evidence
    assert hit.record.namespace[2] == "org"
    assert not home.memory.scope(tenant="other", user="x").recall("deployments frozen?").evidence


def test_a_project_sees_itself_and_what_stands_outside_projects(home: Home) -> None:
    """R54, B9: projects of one user are apart; forgetting in one leaves the other."""
    alfa = home.memory.scope(tenant="t", user="u", project="alfa")
    beta = home.memory.scope(tenant="t", user="u", project="beta")
    for project in (alfa, beta):
        project.remember("The database is PostgreSQL", key="database")
    home.memory.scope(tenant="t", user="u").remember("I prefer short answers", key="style")
    alfa.forget("database")
    assert not alfa.recall("Which database?").evidence
    assert beta.recall("Which database?").evidence
    assert alfa.recall("Do I prefer short answers?").evidence


def test_a_key_names_its_record(me: ScopedMemory) -> None:
    me.remember("a blue one, size 42", key="k-17")
    [hit] = me.recall("k-17").evidence
    assert (hit.score, hit.candidate.reason) == (1.0, "is named by its key")


@pytest.mark.parametrize(
    "question",
    ["multi-agent", "Bob's", "GB/s", "@nasa", "why?", "50%", "C++", '"', "AND", "a:b", "NEAR(", "",
     "*", "\x00", "\ud800", "x" * 100_000, "寿司"],
)  # fmt: skip
def test_no_question_is_an_error(me: ScopedMemory, question: str) -> None:
    """B52, B53: any text may be asked; a literal match is found."""
    me.remember(
        "multi-agent work of Bob's team moves 50% of 9 GB/s for @nasa in C++, a:b; 用户喜欢寿司"
    )
    found = me.recall(question)
    if question in ("multi-agent", "Bob's", "GB/s", "@nasa", "50%", "C++", "a:b", "寿司"):
        assert found.evidence


def test_every_hit_says_why(me: ScopedMemory) -> None:
    """R16: score by part, reason, validity, versions."""
    _tell_launch(me)
    found = me.recall("When is the launch?")
    hit = found.evidence[0]
    assert set(hit.candidate.parts) == {"semantic", "lexical", "structured", "late", "rank"}
    assert "launch" in hit.candidate.reason
    assert hit.judgement.reason == "the latest of 2 statements"
    assert set(found.versions) == {"policy", "ranking", "embedding", "index"}
    assert set(found.milliseconds) == {"embed", "search", "judge"}


def test_hits_are_counted_without_slowing_the_read(home: Home, me: ScopedMemory) -> None:
    """R10: the count is written later, in one go."""
    me.remember("I like tea")
    for _ in range(3):
        me.recall("Do I like tea?")
    home._parts.engine.flush_usage()
    row = home._parts.database
    with row.read() as tx:
        [stored] = tx.records.live((), now=None)
        hits = tx._sql.execute("SELECT hits FROM records WHERE row = ?", (stored.row,))
        assert hits.fetchone()[0] == 3


class Counting(HashingEmbedder):
    """Keeps what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(64)
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vectors:
        self.asked.append(text)
        return super().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed_documents(texts)


@pytest.fixture
def counting(tmp_path: Path, settings: Settings) -> Iterator[tuple[ScopedMemory, Counting]]:
    embedder = Counting()
    with open_memory(tmp_path, settings=settings, embedder=embedder) as home:
        yield home.memory.scope(tenant="acme", user="jane"), embedder


def test_a_question_that_its_first_hit_answers_embeds_nothing_for_the_others(
    counting: tuple[ScopedMemory, Counting],
) -> None:
    me, embedder = counting
    for name in ("Lina", "Omar", "Ada"):
        me.remember(f"{name} painted the red boat")
    embedder.asked.clear()
    found = me.recall("Lina painted the red boat?")
    assert found.evidence[0].support is not None
    assert [hit.support for hit in found.evidence[1:]] == [None] * len(found.evidence[1:])
    assert embedder.asked == ["Lina painted the red boat?"]


def test_where_nothing_answers_the_strongest_are_all_measured(
    counting: tuple[ScopedMemory, Counting],
) -> None:
    me, _ = counting
    for name in ("Lina", "Omar", "Ada", "Tim"):
        me.remember(f"{name} painted the red boat")
    found = me.recall("Which insurance covers the red boat of Zed in Peru?", limit=5)
    assert not found.evidence
    assert sum(hit.support is not None for hit in found.rejected) == CHECKED


def test_a_key_made_from_the_words_is_never_embedded(
    counting: tuple[ScopedMemory, Counting],
) -> None:
    me, embedder = counting
    me.remember("Lina owns the red boat")
    me.remember("The blue car needs new tyres", key="car_tyres")
    me.recall("Who insured the red boat?")
    me.recall("Who sold the blue car?")
    assert "tyres" in " ".join(embedder.asked)
    assert not any(content_key("Lina owns the red boat") in text for text in embedder.asked)


def test_a_limit_below_one_is_refused(me: ScopedMemory) -> None:
    with pytest.raises(InvalidInputError, match="at least 1"):
        me.recall("x", limit=0)


def test_projects_of_the_organization_are_apart(home: Home) -> None:
    """R54: a user in one project does not read the organization's records of another.

    To name a project is not enough to read what the organization keeps in it.
    """
    for project in ("merger", "canteen"):
        home.memory.grant("acme", "zoe", "reader", project=project, by="ops")
    home.memory.scope(tenant="acme", project="merger").remember("The merger price is 9 billion")
    merger = home.memory.scope(tenant="acme", user="zoe", project="merger")
    canteen = home.memory.scope(tenant="acme", user="zoe", project="canteen")
    assert merger.recall("What is the merger price?").evidence
    found = canteen.recall("What is the merger price?")
    assert (found.evidence, found.rejected) == ((), ())


def test_everything_forgotten_is_nothing_stored(me: ScopedMemory) -> None:
    me.remember("I like tea", key="drink")
    me.forget("drink")
    assert me.recall("Do I like tea?").abstained is Abstention.NOTHING_STORED


def test_a_filter_is_applied_to_what_is_returned(home: Home, me: ScopedMemory) -> None:
    """R42: not to the statement that starts next month."""
    start = datetime.now(UTC) + timedelta(days=30)
    me.remember("The plan is basic", key="plan", metadata={"tier": "basic"})
    me.remember("The plan is gold", key="plan", metadata={"tier": "gold"}, valid_from=start)
    root = me.bound.root
    assert home.store.search(root, filter={"tier": "gold"}) == []
    [item] = home.store.search(root, filter={"tier": "basic"})
    assert item.value["content"] == "The plan is basic"


def test_pages_of_a_query_are_one_order_cut_up(home: Home) -> None:
    """R22, B54: nothing is shown twice, nothing is left out, the best comes first."""
    topics = ("oven", "bread", "flour", "launch", "garden")
    for n in range(220):
        text = f"note {n} about {topics[n % 5]} and {topics[n * 7 % 5]}"
        home.store.put(("notes",), str(n), {"text": text})
    whole = home.store.search(("notes",), query="bread in the oven", limit=220)
    pages = []
    for start in range(0, 220, 30):
        pages += home.store.search(("notes",), query="bread in the oven", limit=30, offset=start)
    assert [item.key for item in pages] == [item.key for item in whole]
    assert len({item.key for item in pages}) == 220
    scores = [item.score for item in whole if item.score is not None]
    assert scores == sorted(scores, reverse=True)
