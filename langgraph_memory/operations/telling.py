"""What the user just said, beside memory: what it contradicts, and whether it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from langgraph_memory.domain.scope import Scope
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.recall import judge_each
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.policy.updates.update import Known, Update, asked_by
from langgraph_memory.policy.validity import Verdict
from langgraph_memory.ports import Vectors
from langgraph_memory.retrieval.evidence import STRONG_ENOUGH, Hit
from langgraph_memory.retrieval.fusion import Candidate
from langgraph_memory.retrieval.support import (
    ENOUGH,
    ENOUGH_FOR_EPISODE,
    nearest_words,
    support,
    unanswered,
    weighty_words,
)
from langgraph_memory.text.tokens import query_terms, tokens

COMPARED = 8
"""Candidates that are held against what the user said, strongest first."""

MOST_STATEMENTS = 3
"""Statements that are asked whether they answer, the latest: each costs an embedding."""


_IS = re.compile(
    r"\b(?:is|are|am|was|were|has|have|called|named)\b|['’](?:s|m|re|ve)\b|[是叫在有为]",
    re.IGNORECASE,
)


def contradicted(
    engine: Engine, scope: Scope, told: Told, candidates: Sequence[Candidate]
) -> list[Hit]:
    """Return the valid memories among the candidates that say another thing than the user."""
    if not told.statements:
        return []
    with engine.database.read() as tx:
        hits = judge_each(engine, tx, scope, candidates[:COMPARED])
    found = [
        hit
        for hit in hits
        if hit.judgement.verdict is Verdict.VALID and told.contradicts(Known(hit.content))
    ]
    engine.usage.note([hit.candidate.row for hit in found], engine.clock())
    return found


def answering(engine: Engine, question: str, statements: Sequence[str]) -> list[int]:
    """Return the places of the statements that answer a question, as a fact would.

    What is asked by name or number must be in the statement: who leads the Paris team does not
    tell who leads the one in Berlin. And it must say how something is: who talked to their
    manager has not told who that is.
    """
    if not question.strip() or not statements:
        return []
    asked = Asked(engine, question)
    first = max(0, len(statements) - MOST_STATEMENTS)
    latest = enumerate(statements[first:], start=first)
    return [place for place, each in latest if asked.may_hold(each) and asked.fit(each)]


class Asked:
    """A question, embedded once where that is needed, that statements are held against.

    Args:
        engine: The ports.
        question: What is asked.
    """

    def __init__(self, engine: Engine, question: str) -> None:
        self._engine = engine
        self._question = question
        self._terms = query_terms(question)

    def may_hold(self, statement: str, *, fact: bool = True) -> bool:
        """Tell, by words alone, whether a statement may hold the answer.

        With ``fact`` it must say how something is; else it may also tell of what happened.
        """
        said = _said_by(statement)
        if _names(unanswered(self._question, said), self._question):
            return False
        if fact and not (_IS.search(statement) or Update(statement).is_fact):
            return False
        return any(each in said for each in self._terms)

    def fit(self, statement: str, *, fact: bool = True) -> float:
        """Return how well a statement answers, in (0, 1]; 0 where it does not. Embeds."""
        said = _said_by(statement)
        rest = unanswered(self._question, said)
        words = sum(each in said for each in self._terms) / max(1, len(self._terms))
        asked, told = self._vector, self._engine.query_vector(statement)
        cosine = None if asked is None or told is None else float(asked @ told)
        fit = Candidate(0, cosine, words).score
        if fit < STRONG_ENOUGH or not rest:
            return fit if fit >= STRONG_ENOUGH else 0.0
        enough = ENOUGH if fact else ENOUGH_FOR_EPISODE
        left = self._engine.query_vector(rest)
        if left is None or told is None:
            return fit if fit >= enough else 0.0
        near = _by_words(self._engine, rest, statement) if fact else None
        return fit if support(fit, float(told @ left), near) >= enough else 0.0

    @cached_property
    def _vector(self) -> Vectors | None:
        return self._engine.query_vector(self._question)


def _said_by(statement: str) -> frozenset[str]:
    return frozenset(tokens(f"{statement} {asked_by(statement)}"))


def _names(rest: str, question: str) -> bool:
    """Tell whether one of the unanswered words is a name or has a number in it."""
    return any(
        any(char.isdigit() for char in each)
        or (each[:1].isupper() and not question.startswith(each))
        for each in rest.split()
    )


def _by_words(engine: Engine, rest: str, statement: str) -> float | None:
    """Return how near a statement's words come to the unanswered ones."""
    asked = engine.word_vectors(rest.split())
    known = engine.word_vectors(weighty_words(statement))
    return None if asked is None or known is None else nearest_words(asked, known)
