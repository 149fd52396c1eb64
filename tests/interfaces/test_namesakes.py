"""Embedding functions are told apart by what they do: many have one name (R27, B88)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from langgraph_memory import MemoryStore, open_memory, reindex
from langgraph_memory.errors import EmbedderMismatchError, EmbedderNamesakeError
from langgraph_memory.interfaces.langchain_embedder import LangChainEmbedder
from langgraph_memory.ports import Space
from langgraph_memory.testing import HashingEmbedder

PLACE = ("notes",)
DIMS = 64
hashing = HashingEmbedder(DIMS)
Function = Callable[[Sequence[str]], Any]


def model(turn: int, *, noise: float = 0.0, calls: list[list[str]] | None = None) -> Function:
    """Return a function of a model; two of other turns are two models of one name."""

    def embed(texts: Sequence[str]) -> list[list[float]]:
        if calls is not None:
            calls.append(list(texts))
        rows = np.roll(hashing.embed_documents(texts), turn, axis=1)
        rows = rows + noise * np.random.default_rng().standard_normal(rows.shape) / 8
        return [list(map(float, row)) for row in rows]

    return embed


def opened(path: Path, embed: Any) -> MemoryStore:
    return MemoryStore.from_path(path, index={"embed": embed, "dims": DIMS})


def fill(path: Path, embed: Any) -> None:
    with opened(path, embed) as store:
        for text in ("sushi from Kyoto", "a long walk", "the launch is on Monday", "tea"):
            store.put(PLACE, text, {"text": text})


def test_two_functions_of_one_name_do_not_mix(tmp_path: Path) -> None:
    fill(tmp_path, model(0))
    with pytest.raises(EmbedderNamesakeError) as caught:
        opened(tmp_path, model(1))
    for part in ("function:", "embed", "64 dimensions", "embed.model_id", "reindex"):
        assert part in str(caught.value)
    assert isinstance(caught.value, EmbedderMismatchError)
    fill(tmp_path, model(0))


def test_two_lambdas_do_not_mix(tmp_path: Path) -> None:
    fill(tmp_path, lambda texts: model(0)(texts))
    with pytest.raises(EmbedderNamesakeError):
        opened(tmp_path, lambda texts: model(1)(texts))


def test_the_digits_that_a_server_rounds_are_no_other_model(tmp_path: Path) -> None:
    fill(tmp_path, model(0))
    fill(tmp_path, model(0, noise=0.02))


def test_an_opening_costs_one_call_and_an_empty_home_none(tmp_path: Path) -> None:
    calls: list[list[str]] = []
    with opened(tmp_path, model(0, calls=calls)) as store:
        assert calls == []
        store.put(PLACE, "k", {"text": "sushi"})
        store.put(PLACE, "l", {"text": "tea"})
        assert calls == [["sushi"], ["tea"]]
    calls.clear()
    with opened(tmp_path, model(0, calls=calls)) as store:
        assert len(calls) == 1
        store.put(PLACE, "k", {"text": "walk"})
        assert len(calls) == 2


def test_a_function_with_a_models_name_is_taken_at_its_word(tmp_path: Path) -> None:
    calls: list[list[str]] = []
    embed: Any = None
    for _ in range(2):
        embed = model(0, calls=calls)
        embed.model_id = "small-3"
        assert LangChainEmbedder(embed, DIMS).model_id == "function:small-3"
        calls.clear()
        with opened(tmp_path, embed) as store:
            assert calls == []
            store.put(PLACE, "k", {"text": "sushi"})
    embed.model_id = "small-4"
    with pytest.raises(EmbedderMismatchError, match=r"small-3.*small-4"):
        opened(tmp_path, embed)


def test_the_other_function_moves_the_home_under_a_name_of_its_own(tmp_path: Path) -> None:
    fill(tmp_path, model(0))
    new: Any = model(1)
    with pytest.raises(EmbedderNamesakeError):
        reindex(tmp_path, index={"embed": new, "dims": DIMS})
    new.model_id = "turned"
    assert reindex(tmp_path, index={"embed": new, "dims": DIMS}).records == 4
    with opened(tmp_path, new) as store:
        assert store.search(PLACE, query="sushi from Kyoto")[0].score == pytest.approx(1, abs=0.01)


def test_a_move_that_another_function_of_that_name_began_starts_over(tmp_path: Path) -> None:
    with MemoryStore.from_path(tmp_path, embedder=HashingEmbedder(16)) as store:
        store.put(PLACE, "k", {"text": "sushi"})
        other = LangChainEmbedder(model(1), DIMS)
        with store._parts.database.write() as tx:
            tx.reindexing.begin(Space(other.model_id, DIMS))
            tx.reindexing.prepare(1, 1, other.embed_documents(["sushi"]))
    assert reindex(tmp_path, index={"embed": model(0), "dims": DIMS}).resumed == 0
    fill(tmp_path, model(0))


def test_a_function_that_fails_just_now_is_no_reason_to_stay_shut(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is compared as soon as it works."""
    fill(tmp_path, model(0))
    down = True

    def embed(texts: Sequence[str]) -> Any:
        if down:
            raise ConnectionError("nobody listens there")
        return model(1)(texts)

    embed.__qualname__ = model(0).__qualname__
    with caplog.at_level(logging.WARNING), opened(tmp_path, embed) as store:
        assert "could not be compared" in caplog.text
        assert store.get(PLACE, "tea") is not None
        down = False
        with pytest.raises(EmbedderNamesakeError):
            store.put(PLACE, "k", {"text": "new"})
        with pytest.raises(EmbedderNamesakeError):
            store.search(PLACE, query="tea")
        assert store.get(PLACE, "k") is None
        store.put(PLACE, "k", {"text": "by words"}, index=False)


class TestWhileItIsOpen:
    def test_another_function_is_refused(self, tmp_path: Path) -> None:
        fill(tmp_path, model(0))
        with opened(tmp_path, model(0)) as store:
            with pytest.raises(EmbedderNamesakeError):
                opened(tmp_path, model(1))
            assert store.search(PLACE, query="tea")[0].key == "tea"

    def test_another_function_is_refused_in_an_empty_home_too(self, tmp_path: Path) -> None:
        with opened(tmp_path, model(0)), pytest.raises(EmbedderNamesakeError):
            opened(tmp_path, model(1))

    def test_the_same_function_made_anew_is_not_asked(self, tmp_path: Path) -> None:
        calls: list[list[str]] = []
        fill(tmp_path, model(0))
        with opened(tmp_path, model(0, calls=calls)):
            calls.clear()
            with opened(tmp_path, model(0, calls=calls)):
                assert calls == []


class TestAsynchronousFunctions:
    async def test_one_is_compared_on_its_callers_loop(self, tmp_path: Path) -> None:
        """B84: never on another one, not at the opening either."""
        fill(tmp_path, coroutine_of(model(0), []))
        loops: list[Any] = []
        async with MemoryStore.from_conn_string(
            tmp_path, index={"embed": coroutine_of(model(0), loops), "dims": DIMS}
        ) as store:
            assert loops == []
            assert (await store.asearch(PLACE, query="tea"))[0].key == "tea"
            await store.aput(PLACE, "k", {"text": "more"})
        assert set(loops) == {asyncio.get_running_loop()}

    async def test_another_one_is_refused_with_its_first_use(self, tmp_path: Path) -> None:
        fill(tmp_path, coroutine_of(model(0), []))
        with opened(tmp_path, coroutine_of(model(1), [])) as store:
            with pytest.raises(EmbedderNamesakeError):
                await store.aput(PLACE, "k", {"text": "more"})
            with pytest.raises(EmbedderNamesakeError):
                await store.asearch(PLACE, query="tea")
            assert await store.aget(PLACE, "k") is None


def coroutine_of(function: Function, loops: list[Any]) -> Any:
    async def embed(texts: Sequence[str]) -> Any:
        loops.append(asyncio.get_running_loop())
        return function(texts)

    return embed


def test_functions_that_know_only_their_own_texts_work(tmp_path: Path) -> None:
    """As in the tests of other stores: no text is asked of them that they were not given."""
    known = {"near": [1.0, 0.0], "far": [0.0, 1.0]}
    index: Any = {"dims": 2, "embed": lambda texts: [known[each] for each in texts],
                  "fields": ["text"]}  # fmt: skip
    for _ in range(2):
        with MemoryStore.from_path(tmp_path, index=index) as store:
            for text in known:
                store.put(PLACE, text, {"text": text})
            assert store.search(PLACE, query="near")[0].key == "near"


def test_a_function_that_makes_nothing_of_a_text_is_the_same_again(tmp_path: Path) -> None:
    for _ in range(2):
        with opened(tmp_path, lambda texts: [[0.0] * DIMS for _ in texts]) as store:
            store.put(PLACE, "k", {"text": "sushi"})


def test_a_home_is_verified_and_rebuilt_without_a_word_to_the_function(tmp_path: Path) -> None:
    fill(tmp_path, model(0))
    calls: list[list[str]] = []
    embedder = LangChainEmbedder(model(0, calls=calls), DIMS)
    with open_memory(tmp_path, embedder=embedder) as home:
        calls.clear()
        assert home.memory.verify().whole
        assert calls == []
