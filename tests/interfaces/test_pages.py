"""Every page of a search follows one order, whatever the way it was found (R22)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import PutOp

from langgraph_memory import MemoryStore

PLACE = ("u",)
WORDS = ("tea", "coffee", "car", "bike", "sushi", "rain")


def counted(texts: list[str]) -> list[list[float]]:
    """Embed by counting: many exact ties, and cosines of exactly 0."""
    return [[float(text.count(word)) + 1e-9 for word in WORDS] for text in texts]


def noisy(texts: list[str]) -> list[list[float]]:
    """Embed so that equal texts are equal, and others differ in every bit."""
    return [[random.Random(f"{text}{n}").gauss(0, 1) for n in range(32)] for text in texts]


@pytest.mark.parametrize("embed", [counted, noisy])
@pytest.mark.parametrize("count", [7, 300, 2600])
@pytest.mark.parametrize("wanted", [None, {"kind": "b"}, {"rare": 3}])
@pytest.mark.parametrize("query", ["tea", "sushi in the rain", "nothing of it"])
def test_pages_put_together_are_the_whole(
    tmp_path: Path, embed: Any, count: int, wanted: Any, query: str
) -> None:
    index: Any = {"dims": len(embed(["x"])[0]), "embed": embed, "fields": ["text", "more"]}
    chance = random.Random(count)
    with MemoryStore.from_path(tmp_path, index=index) as store:
        ops = []
        for number in range(count):
            value = {"text": chance.choice(WORDS), "kind": "ab"[number % 2], "rare": number % 90}
            if number % 5 == 0:
                value["more"] = " ".join(chance.choices(WORDS, k=2))
            ops.append(PutOp(PLACE, str(number), value, False if number % 7 == 0 else None))
        store.batch(ops)
        options: Any = {"query": query, "filter": wanted}
        whole = store.search(PLACE, limit=10 * count, **options)
        step = max(1, len(whole) // 7)
        paged = [
            item
            for start in range(0, len(whole), step)
            for item in store.search(PLACE, limit=step, offset=start, **options)
        ]
        assert [item.key for item in paged] == [item.key for item in whole]
        assert [item.score for item in paged] == [item.score for item in whole]
        hidden = {item.key for item in whole if item.score is None}
        assert all(int(key) % 7 == 0 for key in hidden)
