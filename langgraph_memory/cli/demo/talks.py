"""Part 2: a real conversation, imported and asked about."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from langgraph_memory.cli import views
from langgraph_memory.cli.common import progress, say
from langgraph_memory.cli.demo.checks import Checks, title
from langgraph_memory.domain.events import Turn
from langgraph_memory.home import Home
from langgraph_memory.text.conversations import parse

ASKED = 10
LIMIT = 10
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Material:
    """A conversation, questions about it, and where both come from."""

    origin: str
    name: str
    turns: list[Turn]
    questions: list[dict[str, Any]]


def run(home: Home, checks: Checks, bench: Path) -> None:
    """Import one conversation, ask ten questions, print the evidence and count what was found."""
    material = _bench(bench) or _shipped()
    title(f"2. A real conversation: {material.name} ({material.origin})")
    me = home.memory.scope(tenant="demo", user=material.name)
    started = time.perf_counter()
    with progress("  importing") as report:
        done = me.import_conversation(material.name, material.turns, progress=report)
    say(f"  {done.new} turns imported in {time.perf_counter() - started:.1f} s")
    found = wanted = 0
    for question in material.questions[:ASKED]:
        hits = me.recall(question["question"], limit=LIMIT)
        say(f"\n  > {question['question']}   (right: {question['answer']})")
        gold = set(question["evidence_turn_ids"])
        ids = [(hit.version.value or {}).get("turn") for hit in hits.evidence]
        for hit, turn in list(zip(hits.evidence, ids, strict=True))[:SHOWN]:
            mark = "*" if turn in gold else " "
            say(f"   {mark} {views.hit(hit, str(turn))}")
        if hits.abstained:
            say(f"     abstains: {hits.abstained.value}")
        found += len(gold.intersection(ids))
        wanted += len(gold)
    again = me.import_conversation(material.name, material.turns)
    say(f"\n  evidence turns found: {found} of {wanted} in the best {LIMIT} (* marks them)")
    checks.that(found >= wanted / 2, "at least half of the evidence turns were found")
    checks.that(again.new == 0, "importing the same conversation again adds nothing")


def _bench(folder: Path) -> Material | None:
    """Return one LoCoMo conversation, where its files lie in ``folder``."""
    conversations, questions = folder / "conversations.jsonl", folder / "questions.jsonl"
    if not conversations.is_file() or not questions.is_file():
        return None
    first = json.loads(conversations.open(encoding="utf-8").readline())["conversation_id"]
    name, turns = parse(
        conversations.read_text(encoding="utf-8"), where=folder.name, conversation=first
    )
    asked = [json.loads(line) for line in questions.open(encoding="utf-8")]
    about = [
        each for each in asked if each["conversation_id"] == first and each["evidence_turn_ids"]
    ]
    return Material("LoCoMo", name, turns, _spread(about))


def _shipped() -> Material:
    folder = resources.files("langgraph_memory.cli.demo")
    text = (folder / "conversation.json").read_text(encoding="utf-8")
    name, turns = parse(text, where="conversation.json")
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    return Material("shipped with the package", name, turns, questions)


def _spread(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return ten questions spread evenly over the list, so that no kind is chosen by hand."""
    step = max(1, len(questions) // ASKED)
    return questions[::step][:ASKED]
