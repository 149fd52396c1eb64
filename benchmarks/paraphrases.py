"""``python -m benchmarks.paraphrases``: how surely a fact is known again in other words.

Precision and recall of ``policy.paraphrases`` on the labelled pairs of ``tests/policy``: on the
half its rules were made with, on the half that was written before them and left alone, and on
pairs that differ in capitals and digits as codes, paths, units and versions do, each
with the middle 95 % of a bootstrap over pairs. With ``--real FOLDER``, what it joins in real
conversations: every pair of one speaker's sentences that would be kept, in files
``conversations.jsonl`` of ``sessions`` of ``turns`` with ``speaker`` and ``text``; to be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from langgraph_memory.domain.events import Event
from langgraph_memory.domain.scope import Scope
from langgraph_memory.policy.keys import content_key
from langgraph_memory.policy.paraphrases.paraphrase import forms, says_the_same
from langgraph_memory.policy.selection import statements
from langgraph_memory.policy.updates.update import Update

CASES = Path(__file__).parents[1] / "tests" / "policy" / "paraphrase_cases.jsonl"
HALVES = ("development", "held-out", "spelled")
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair: whether it says the same, and whether the rule says so."""

    same: bool
    found: bool


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.paraphrases", description=(__doc__ or "").strip())
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="FOLDER")
    chosen = parser.parse_args()
    print(f"{'half':12} {'pairs':>6} {'same':>5} {'found':>6} {'false':>6}  precision  recall")
    wrong = 0
    for half in HALVES:
        wrong += _reported(half)
    for folder in chosen.real:
        _read(folder)
    return min(wrong, 1)


def judged(half: str) -> list[Judged]:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    return [
        Judged(case["same"], says_the_same(case["one"], case["other"]))
        for case in cases
        if case["half"] == half
    ]


def _reported(half: str) -> int:
    pairs = judged(half)
    found = sum(each.same and each.found for each in pairs)
    false = sum(each.found and not each.same for each in pairs)
    print(
        f"{half:12} {len(pairs):6} {sum(each.same for each in pairs):5} {found:6} {false:6}"
        f"  {_interval(pairs, _precision)}  {_interval(pairs, _recall)}"
    )
    return false


def _precision(pairs: Sequence[Judged]) -> float:
    found = [each.same for each in pairs if each.found]
    return sum(found) / len(found) if found else 1.0


def _recall(pairs: Sequence[Judged]) -> float:
    same = [each.found for each in pairs if each.same]
    return sum(same) / len(same) if same else 1.0


def _interval(pairs: Sequence[Judged], figure: Callable[[Sequence[Judged]], float]) -> str:
    random = Random(0)
    drawn = sorted(figure(random.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    low, high = drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES)]
    return f"{figure(pairs):.3f} [{low:.3f}, {high:.3f}]"


def _read(folder: Path) -> None:
    kept, joined = 0, []
    for line in (folder / "conversations.jsonl").read_text("utf-8").splitlines():
        for said in _kept(json.loads(line)).values():
            kept += len(said)
            joined += list(_joined(said.values()))
    print(f"\n{folder.name}: {kept} different statements, {len(joined)} pairs joined")
    for one, other in joined:
        print(f"  {one}  |  {other}")


def _kept(conversation: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return each person's statements, by key, as background work would keep them."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for session in conversation["sessions"]:
        for turn in session["turns"]:
            if turn["speaker"] != "assistant":
                for text in statements(_event(turn["text"])):
                    said[turn["speaker"]].setdefault(content_key(text), text)
    return said


def _event(text: str) -> Event:
    return Event("e", "t", "m", Scope("bench"), "user", "", text, datetime(2026, 1, 1, tzinfo=UTC))


def _joined(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    alike: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        for form in forms(text) if Update(text).states else ():
            alike[form].append(text)
    for group in alike.values():
        yield from combinations(group, 2)


if __name__ == "__main__":
    sys.exit(main())
