"""What is asked: the sets, their footing, and our own pairs that share hardly a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from langgraph_memory.domain.events import Turn
from langgraph_memory.evaluation.data import Conversation, Question, conversations

_HERE = Path(__file__).parent
DEVELOPMENT, HELD_OUT = "development", "held-out"


@dataclass(frozen=True, slots=True)
class Footing:
    """On what figures of a set stand.

    Attributes:
        name: As the table calls it.
        folder: Where its data lies, under the data folder.
        unit: What is found: ``turn`` or ``session``; a session stands where its best turn does.
        k: How many of them count.
    """

    name: str
    folder: str
    unit: str
    k: int


PARAPHRASES = Footing("paraphrases, our own", "", "turn", 5)
FOOTINGS = (
    Footing("LoCoMo, turns", "locomo", "turn", 10),
    Footing("LoCoMo, sessions", "locomo", "session", 5),
    Footing("Memora weekly, sessions", "memora_weekly", "session", 10),
    Footing("LongMemEval pool, sessions", "longmemeval_pool", "session", 5),
)


def hidden_pairs(half: str, among: Conversation | None) -> Conversation:
    """Return our own statements hidden among the turns of a conversation, with their questions."""
    turns, questions = [], []
    for number, (statement, question) in enumerate(_pairs(half)):
        turn = Turn(f"pair {number}", f"pair {number}", "user", "", statement, None)
        turns.append(turn)
        questions.append(Question(question, turns=frozenset({turn.turn_id})))
    around = among.turns if among else ()
    return Conversation(f"pairs, {half}", (*around, *turns), tuple(questions))


def never_mentioned() -> dict[str, tuple[Question, ...]]:
    """Return questions by LoCoMo conversation whose subject is never mentioned in it."""
    found: dict[str, tuple[Question, ...]] = {}
    for name, text in _rows("never.tsv"):
        found[name] = (*found.get(name, ()), Question(text, unanswerable=True))
    return found


def all_of(folder: Path, *, most: int | None = None) -> Iterator[Conversation]:
    """Return the conversations of a folder, cut to so many questions each."""
    for each in conversations(folder):
        yield replace(each, questions=each.questions[:most])


def _pairs(half: str) -> Iterator[tuple[str, str]]:
    for of, statement, question in _rows("paraphrases.tsv"):
        if of == half:
            yield statement, question


def _rows(name: str) -> Iterator[list[str]]:
    for line in (_HERE / name).read_text("utf-8").splitlines():
        yield line.split("\t")
