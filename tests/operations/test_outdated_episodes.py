"""Episodes that a later statement contradicts are evidence with a mark, never as current."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph_memory import Home, ScopedMemory
from langgraph_memory.context.prompt import render
from langgraph_memory.domain.events import Turn

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def told(me: ScopedMemory, *texts: str) -> None:
    turns = [
        Turn(f"s{n}", f"t{n}", "user", "Jane", text, DAY + timedelta(days=n))
        for n, text in enumerate(texts)
    ]
    me.import_conversation("calls", turns)


def test_an_older_turn_is_marked_by_the_newer_one(home: Home, me: ScopedMemory) -> None:
    """R17: both are shown, the newer as current; offline, the newer is quoted first."""
    told(me, "I work at Google in Zurich", "I had lunch", "I just joined Microsoft")
    found = me.recall("Where does Jane work at, Google or Microsoft?")
    cited = me.cite([hit.record.id for hit in found.evidence])
    by_text = {each.content: each for each in cited}
    old, new = (
        next(each for text, each in by_text.items() if word in text)
        for word in ("Google", "Microsoft")
    )
    assert old.outdated_by == new.label
    assert new.outdated_by == ""
    assert f"out of date: see [{new.label}]" in render(cited, "")
    config: Any = {"configurable": {"thread_id": "t"}}
    question = {"messages": [("user", "Where does Jane work at, Google or Microsoft?")]}
    answer = str(home.agent().invoke(question, config, context=me.context())["messages"][-1].text)
    assert answer.index("Microsoft") < answer.index("Google")
    assert "out of date since" in answer
