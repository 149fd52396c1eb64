"""Find the evidence for a question, or say that there is none and why."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from langgraph_memory.domain.counts import What
from langgraph_memory.domain.json import as_text
from langgraph_memory.domain.namespace import Namespace
from langgraph_memory.domain.passing import Passing
from langgraph_memory.domain.scope import Kind, Scope
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.access import reach, readable
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.monitoring import note
from langgraph_memory.policy.access import Reach
from langgraph_memory.policy.language.asking import bare_question
from langgraph_memory.policy.persons import of_another
from langgraph_memory.policy.validity import Verdict
from langgraph_memory.ports import AskedPieces, Transaction, Vectors
from langgraph_memory.retrieval.candidates import WORDS_ALONE, Search
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit, judged, select, supported
from langgraph_memory.retrieval.fusion import RANKING, Candidate
from langgraph_memory.retrieval.ranking import RANKED, in_order, ranked
from langgraph_memory.retrieval.stages import EVERY, Stages
from langgraph_memory.retrieval.support import (
    CHECKED,
    is_fact,
    missing_words,
    nearest_words,
    said_by,
    support,
    unanswered,
    words_of,
)

JUDGED = 50
"""Candidates read back and judged, strongest first."""

LONGEST_QUESTION = 20_000
"""Characters of a question that are read."""


class Abstention(StrEnum):
    """Why there is no evidence."""

    NO_QUESTION = "no question was asked"
    NOTHING_STORED = "nothing is stored here yet"
    NOTHING_RELEVANT = "nothing stored here is about this"
    ONLY_INVALID = "what is stored about this no longer holds"


_NO_ANSWER_HERE = frozenset({Verdict.WEAK, Verdict.DUPLICATE, Verdict.ABOUT_ANOTHER})


@dataclass(frozen=True, slots=True)
class Recall:
    """The outcome of a recall.

    Attributes:
        question: What was asked.
        evidence: What may be used, strongest first.
        rejected: What was looked at and left out, each with its verdict.
        holding: Everything looked at that holds, in its order, before any was found too weak.
        abstained: Why there is no evidence; None when there is.
        missing: The words of the question that nothing stored here answers.
        passing: What the user said in passing, and is not kept yet, that answers or says otherwise
            than evidence does; latest first.
        stored: How many records stand in the asker's reach.
        milliseconds: Time taken, by stage.
        versions: Policy, ranking, embedding model and index that shaped it.
    """

    question: str
    evidence: tuple[Hit, ...] = ()
    rejected: tuple[Hit, ...] = ()
    holding: tuple[Hit, ...] = ()
    abstained: Abstention | None = None
    missing: tuple[str, ...] = ()
    passing: tuple[Passing, ...] = ()
    stored: int = 0
    milliseconds: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question turned up, before any verdict.

    Attributes:
        question: What was asked.
        candidates: Proposed rows, strongest first.
        stored: How many records stand in the asker's reach.
        milliseconds: Time taken, by stage.
        index: Which index proposed them by meaning, and of how many dimensions; or that words
            alone did.
    """

    question: str
    candidates: tuple[Candidate, ...] = ()
    stored: int = 0
    milliseconds: dict[str, float] = field(default_factory=dict)
    index: str = WORDS_ALONE


def recall(
    engine: Engine, scope: Scope, question: str, *, limit: int = 5,
    threshold: float = STRONG_ENOUGH, stages: Stages = EVERY,
) -> Recall:  # fmt: skip
    """Answer with evidence or an abstention; never with a guess.

    Args:
        engine: The ports.
        scope: Who asks; bounds what can be seen before anything is ranked.
        question: Any text.
        limit: At most so many pieces of evidence, at least 1.
        threshold: Fused strength in [0, 1] below which nothing counts as evidence.
        stages: Which stages take part.

    Raises:
        InvalidInputError: ``limit`` is below 1, or the question is no text.
    """
    found = seek(engine, scope, question, limit=limit, stages=stages)
    return validate(engine, scope, found, limit=limit, threshold=threshold, stages=stages)


def seek(
    engine: Engine, scope: Scope, question: str, *, limit: int = 5, stages: Stages = EVERY
) -> Sought:
    """Propose candidates: the retrieve step. Raises as :func:`recall`.

    What is looked for is the bare question; what was asked stays as it was said.
    """
    if not isinstance(question, str):
        raise InvalidInputError(f"A question is text, not {type(question).__name__}.")
    if limit < 1:
        raise InvalidInputError(f"limit is {limit}; ask for at least 1 piece of evidence.")
    question = as_text(question[:LONGEST_QUESTION])
    bare = bare_question(question)
    started = time.perf_counter()
    query, pieces = engine.asked(bare) if stages.meaning else (None, None)
    embedded = time.perf_counter()
    width = max(RANKED, 4 * limit)

    def looked_up(tx: Transaction) -> tuple[list[Candidate], int, str]:
        if query is not None:
            engine.check_space(tx)
        within = reach(engine, tx, scope)
        only = readable(tx, scope, within)
        search = Search(
            engine.index, engine.word_index, tx, bare, query, scope.circles,
            named_in=[each for each in _leaves(scope) if within.reads(each)], only=only,
            terms=None if stages.words else (),
        )  # fmt: skip
        found = _in_reach(tx, within, search.best(width).found)
        if query is not None and pieces is not None and stages.late:
            found = _ranked(tx, found, query, pieces)
        stored = sum(_stored(tx, each, only.get(each)) for each in scope.circles)
        return found, stored, search.index

    candidates, stored, index = engine.viewed(looked_up)
    spans = _spans(embed=embedded - started, search=time.perf_counter() - embedded)
    if query is not None and index != WORDS_ALONE:
        index = f"{index}, {len(query)} dimensions"
    return Sought(question, tuple(candidates[:JUDGED]), stored, spans, index)


def validate(
    engine: Engine, scope: Scope, sought: Sought, *, limit: int = 5,
    threshold: float = STRONG_ENOUGH, stages: Stages = EVERY,
) -> Recall:  # fmt: skip
    """Judge candidates and choose the evidence: the validate step."""
    started, bare = time.perf_counter(), bare_question(sought.question)
    with engine.database.read() as tx:
        hits = judge_each(engine, tx, scope, sought.candidates)
        hits = in_order(hits) if stages.authority else hits
        hits = [_of_whom(each, bare) for each in hits]
        vectors = tx.records.vectors(sorted(_to_measure(hits)))
    hits = _measured(engine, bare, hits, vectors, threshold)
    if any(hit.judgement.verdict is Verdict.WRONG_SCOPE for hit in hits):
        note(engine, What.DENIED, scope)
        hits = [hit for hit in hits if hit.judgement.verdict is not Verdict.WRONG_SCOPE]
    evidence, rejected = select(hits, limit=limit, threshold=threshold)
    engine.usage.note([hit.candidate.row for hit in evidence], engine.clock())
    return Recall(
        question=sought.question,
        evidence=tuple(evidence),
        rejected=tuple(rejected),
        holding=tuple(hit for hit in hits if hit.judgement.verdict is Verdict.VALID),
        abstained=None if evidence else _why_none(sought, rejected, threshold),
        missing=_missing(bare, evidence or hits[:CHECKED]),
        stored=sought.stored,
        milliseconds=sought.milliseconds | _spans(judge=time.perf_counter() - started),
        versions={**versions(engine), "index": sought.index},
    )


def versions(engine: Engine) -> dict[str, str]:
    """Return everything versioned that shapes a recall, but for the index: that is asked anew."""
    model = engine.embedder.model_id if engine.embedder else "none"
    return {"policy": engine.policy.version, "ranking": RANKING, "embedding": model}


def _of_whom(hit: Hit, question: str) -> Hit:
    """Set aside what is true of another person than who asks of themselves."""
    if hit.judgement.verdict is not Verdict.VALID:
        return hit
    who = of_another(question, hit.content)
    if not who:
        return hit
    judgement = replace(
        hit.judgement, verdict=Verdict.ABOUT_ANOTHER, reason=f"it is about another person: {who}"
    )
    return replace(hit, judgement=judgement)


def _in_reach(tx: Transaction, within: Reach, candidates: list[Candidate]) -> list[Candidate]:
    """Leave out what stands in a project or session that is not the asker's."""
    places = tx.records.places([each.row for each in candidates])
    return [each for each in candidates if each.row in places and within.reads(places[each.row])]


def _ranked(
    tx: Transaction, candidates: list[Candidate], query: Vectors, asked: AskedPieces
) -> list[Candidate]:
    rows = [each.row for each in candidates]
    known, first = tx.records.first_vectors(rows)
    wholes = dict(zip(known, (first @ query).tolist(), strict=True)) if known else {}
    return ranked(candidates, asked, wholes, tx.pieces.of(rows))


def _stored(tx: Transaction, circle: Namespace, only: Sequence[Namespace] | None) -> int:
    """Return how many live records stand in a circle, as far as it may be read."""
    if only is None:
        return tx.records.count(circle, living=True)
    return sum(tx.records.crowd(each, most=0) for each in only)


def _leaves(scope: Scope) -> list[Namespace]:
    return [circle.namespace(kind) for circle in (scope, Scope(scope.tenant)) for kind in Kind]


def judge_each(
    engine: Engine, tx: Transaction, scope: Scope, candidates: Sequence[Candidate]
) -> list[Hit]:
    """Return candidates that are still there, each with the verdict on its record."""
    now, within = engine.clock(), reach(engine, tx, scope)
    chains = tx.records.chains([each.row for each in candidates])
    return [
        judged(chain.record, each, asker=within, now=now, expires_at=chain.lifetime.expires_at)
        for each in candidates
        if (chain := chains.get(each.row))
    ]


def _to_measure(hits: Sequence[Hit]) -> dict[int, Hit]:
    """Return by row what support may be asked of: the strongest valid hits, then of all."""
    valid = [hit for hit in hits if hit.judgement.verdict is Verdict.VALID]
    return {hit.candidate.row: hit for hit in (*valid[:CHECKED], *hits[:CHECKED])}


def _measured(
    engine: Engine, question: str, hits: list[Hit], vectors: dict[int, Vectors], threshold: float
) -> list[Hit]:
    """Return the hits with the support of the strongest ones measured.

    One strong hit that answers makes the others evidence too (``select``): there it ends, since
    each measuring costs an embedding or more.
    """
    cosines: dict[str, Vectors | None] = {}
    measured: dict[int, Hit] = {}
    for row, hit in _to_measure(hits).items():
        measured[row] = replace(hit, support=_support(engine, question, hit, vectors, cosines))
        strong = hit.judgement.verdict is Verdict.VALID and hit.score >= threshold
        if strong and supported(measured[row]):
            break
    return [measured.get(hit.candidate.row, hit) for hit in hits]


def _support(
    engine: Engine, question: str, hit: Hit, vectors: dict[int, Vectors],
    cosines: dict[str, Vectors | None],
) -> float:  # fmt: skip
    """Return a hit's support; what was embedded before stands in ``cosines``."""
    if hit.candidate.structured:
        return 1.0
    rest = unanswered(question, said_by(hit.record, hit.version))
    if not rest:
        return support(hit.score, 1.0, 1.0 if is_fact(hit.record) else None)
    if rest not in cosines:
        cosines[rest] = engine.query_vector(rest)
    query, ours = cosines[rest], vectors.get(hit.candidate.row)
    if query is None or ours is None:
        return hit.score  # words alone: what they cover is all that is known
    return support(hit.score, float((ours @ query).max()), _by_words(engine, rest, hit))


def _by_words(engine: Engine, rest: str, hit: Hit) -> float | None:
    """Return how near a short fact's words come to the unanswered ones."""
    said = words_of(hit.version, hit.record.key) if is_fact(hit.record) else []
    asked, known = engine.word_vectors(rest.split()), engine.word_vectors(said)
    return None if asked is None or known is None else nearest_words(asked, known)


def _why_none(sought: Sought, rejected: list[Hit], threshold: float) -> Abstention:
    if not sought.question.strip():
        return Abstention.NO_QUESTION
    if not sought.stored:
        return Abstention.NOTHING_STORED
    fitting = [hit for hit in rejected if hit.score >= threshold and supported(hit)]
    invalid = [hit for hit in fitting if hit.judgement.verdict not in _NO_ANSWER_HERE]
    return Abstention.ONLY_INVALID if invalid else Abstention.NOTHING_RELEVANT


def _missing(question: str, hits: list[Hit]) -> tuple[str, ...]:
    said = frozenset(token for hit in hits for token in said_by(hit.record, hit.version))
    return missing_words(question, said)


def _spans(**seconds: float) -> dict[str, float]:
    return {stage: round(1000 * span, 3) for stage, span in seconds.items()}
