"""``python -m langgraph_memory.evaluation.retrieval --data FOLDER``: what retrieval finds.

Prints one table: sets by configurations. Retrieval only, no model. The data folder holds
``locomo``, ``memora_weekly`` and ``longmemeval_pool``, or whichever of them there is; our own
pairs need none. What is found of each question, and all figures, go to ``--json``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from langgraph_memory.errors import MemoryLayerError
from langgraph_memory.evaluation.data import Conversation
from langgraph_memory.evaluation.measures import auroc
from langgraph_memory.evaluation.retrieval.asking import Order, Told
from langgraph_memory.evaluation.retrieval.configurations import CONFIGURATIONS, Configuration
from langgraph_memory.evaluation.retrieval.sets import (
    DEVELOPMENT,
    FOOTINGS,
    HELD_OUT,
    PARAPHRASES,
    Footing,
    all_of,
    hidden_pairs,
    never_mentioned,
)
from langgraph_memory.evaluation.retrieval.table import HEADING, Figures, as_line, figures
from langgraph_memory.home import open_memory
from langgraph_memory.memory import Memory

Found = dict[str, list[Order]]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and return 0; 2 where the data cannot be read."""
    options = _options(argv)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            open_memory(Path(folder) / "home") as home,
        ):
            measured = list(_measured(home.memory, options))
    except MemoryLayerError as exc:
        print(exc, file=sys.stderr)
        return 2
    if options.json:
        rows = [each.as_row() for each in measured]
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    return 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("langgraph_memory.evaluation.retrieval", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the sets lie")
    parser.add_argument("--sets", nargs="*", metavar="NAME", help="only these folders")
    parser.add_argument("--questions", type=int, metavar="N", help="so many a conversation")
    parser.add_argument("--default-only", action="store_true", help="only the default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    return parser.parse_args(argv)


def _measured(memory: Memory, options: argparse.Namespace) -> Iterator[Figures]:
    chosen = CONFIGURATIONS[-1:] if options.default_only else CONFIGURATIONS
    first: Conversation | None = None
    for name in dict.fromkeys(each.folder for each in FOOTINGS):
        folder = options.data / name if options.data else None
        if folder is None or not folder.is_dir() or (options.sets and name not in options.sets):
            print(f"\n{name}: left out{'' if folder else ', as no --data folder is named'}")
            continue
        told = list(all_of(folder, most=options.questions))
        first = first or told[0]
        found = _asked(memory, told, chosen)
        for footing in (each for each in FOOTINGS if each.folder == name):
            yield from _shown(footing, footing.name, found)
        if name == "locomo":
            _show_abstention(memory, told, found)
    for half in (DEVELOPMENT, HELD_OUT):
        pairs = hidden_pairs(half, first)
        found = _asked(memory, [pairs], chosen)
        yield from _shown(PARAPHRASES, f"{PARAPHRASES.name}, {half}", found)


def _asked(memory: Memory, told: Sequence[Conversation], chosen: Sequence[Configuration]) -> Found:
    """Ask every question of every conversation in every configuration."""
    found: Found = {each.name: [] for each in chosen}
    for conversation in told:
        for context in sorted({each.context for each in chosen}):
            there = Told(memory, conversation, context=context)
            for configuration in (each for each in chosen if each.context is context):
                found[configuration.name] += [
                    there.ask(question, configuration) for question in conversation.questions
                ]
    return found


def _shown(footing: Footing, title: str, found: Found) -> Iterator[Figures]:
    answerable = {
        name: [each for each in orders if not each.question.unanswerable]
        for name, orders in found.items()
    }
    told = [figures(footing, name, orders) for name, orders in answerable.items()]
    print(f"\n{title}: {told[0].questions} questions, k = {footing.k}\n{HEADING}")
    for each in told:
        print(as_line(each))
    yield from told


def _show_abstention(memory: Memory, told: Sequence[Conversation], found: Found) -> None:
    """Print how well the strength of the best tells what is answerable from what is not."""
    default = CONFIGURATIONS[-1]
    strange = never_mentioned()
    never = [
        Told(memory, each, context=True).ask(question, default).strength
        for each in told
        for question in strange.get(each.name, ())
    ]
    orders = found[default.name]
    answerable = [each.strength for each in orders if not each.question.unanswerable]
    adversarial = [each.strength for each in orders if each.question.unanswerable]
    print("\nLoCoMo, area under the curve of the best one's strength, answerable against")
    for what, negative in (("adversarial", adversarial), ("never mentioned", never)):
        print(f"  {what:16} {len(negative):4} {auroc(answerable, negative):.3f}")


if __name__ == "__main__":
    sys.exit(main())
