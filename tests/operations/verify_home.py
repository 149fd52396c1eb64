"""A home after everything was done in it, ways to damage it, and what a look at it found."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from langgraph_memory import Home, open_memory
from langgraph_memory.operations.verify import Report
from langgraph_memory.storage.sqlite.codec import VERSION_COLUMNS
from langgraph_memory.testing.hashing import HashingEmbedder

K1 = "(SELECT row FROM records WHERE key = 'k1')"
DEAD = "(SELECT row FROM records WHERE key = 'k2')"
UNIT = "x'" + "0000803f" + "00" * 252 + "'"

NO_TEXT = "CAST(x'5b2273757368a0225d' AS TEXT)"
"""A text of which one byte is none."""

SWAPPED = """
    CREATE TEMP TABLE kept AS SELECT row, vector FROM vectors
        WHERE row IN (SELECT row FROM records WHERE key IN ('k1', 'k4'));
    UPDATE vectors SET vector = (SELECT vector FROM kept WHERE kept.row != vectors.row)
        WHERE row IN (SELECT row FROM kept);
"""
"""The vectors of two records, exchanged."""

UNSEALED = """
    UPDATE seals SET announced = NULL, truth = NULL, told = NULL, vectors = NULL, space = NULL,
        oldest = NULL, papers = NULL, own = NULL;
    UPDATE versions SET own = NULL
"""
"""As if every record had last been written before there were seals."""

YOUNGER_THAN_SEALS = (
    "DROP TABLE trials",
    "DROP TABLE grants",
    "DROP TABLE counts",
    "DROP TABLE pieces",
    "DROP INDEX events_by_thread",
    "ALTER TABLE jobs DROP COLUMN latest_at",
    "ALTER TABLE events DROP COLUMN zone",
)
"""What homes of the releases around the seals do not have yet."""

PLACE = ("notes", "jane")
SAID = ("sushi", "launch", "Lina", "Kyoto", "jane", "acme")
"""Words of the user's: no report may quote one."""

TRUTH = ("records", "versions", "trials", "events", "threads", "jobs")


@contextmanager
def opened(path: Path, embedder: HashingEmbedder | None = None) -> Iterator[Home]:
    with open_memory(path, embedder=embedder or HashingEmbedder(64)) as home:
        yield home


def fill(home: Home) -> None:
    """Do everything once: items, memories, a conversation, a deletion, a life after it."""
    store = home.store
    for number in range(5):
        store.put(PLACE, f"k{number}", {"text": f"note {number} about sushi from Kyoto"})
    store.put(PLACE, "k1", {"text": "changed: sushi from Osaka"}, ttl=60)
    store.put(PLACE, "hidden", {"text": "nobody searches sushi"}, index=False)
    store.put(PLACE, "long", {"text": "".join(f"Chapter {n} of Kyoto. " for n in range(400))})
    store.put(("deep", "er", "place"), "k", {"a": 1, "b": ["x", None]})
    store.delete(PLACE, "k2")
    store.delete(PLACE, "k3")
    store.put(PLACE, "k3", {"text": "a second life with sushi"})
    home.memory.grant("acme", "jane", "member", by="ops")
    me = home.memory.scope(tenant="acme", user="jane")
    me.remember("The launch is on Friday", key="launch_date")
    me.remember("The launch moved to Monday", key="launch_date")
    me.procedures.propose("deploy", "Deploy by blue and green", by="Lina")
    me.procedures.test(
        "deploy", [("kyoto", {"city": "Kyoto"}, lambda done: done == "kept")],
        lambda text, given: "kept", by="Ann",
    )  # fmt: skip
    me.procedures.approve("deploy", by="Ann")
    agent = home.agent()
    config: Any = {"configurable": {"thread_id": "planning"}}
    agent.invoke({"messages": [("user", "Remember that Lina owns deployment")]}, config,
                 context=me.context())  # fmt: skip
    home.memory.work_off()
    agent.invoke({"messages": [("user", "Who owns deployment?")]}, config, context=me.context())


def damage(path: Path, *statements: str) -> None:
    """Change a closed home behind its back."""
    with closing(sqlite3.connect(path / "memory.sqlite", isolation_level=None)) as sql:
        for statement in statements:
            sql.executescript(statement)


def rows(path: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path / "memory.sqlite")) as sql:
        return sql.execute(question).fetchall()


def wrong(report: Report) -> dict[str, set[str]]:
    """Return the checks that found something, each with the sorts of its faults."""
    assert not any(word in str(report) for word in SAID), "a report quotes nobody"
    return {
        each.name: {fault.sort for fault in each.faults} for each in report.checks if each.found
    }


def truth_of(path: Path) -> list[Any]:
    """Return everything that no repair may change, without the counts that are derived."""
    derived = "tokens unsettled hits last_access expires_at namespace live updated_at created_at"
    with closing(sqlite3.connect(path / "memory.sqlite")) as sql:
        sql.text_factory = bytes
        names = [name for (name,) in rows(path, "SELECT name FROM pragma_table_info('records')")]
        kept = ", ".join(name for name in names if name not in derived.split())
        told = {table: f"SELECT * FROM {table}" for table in TRUTH}
        told["records"] = f"SELECT {kept} FROM records"
        told["versions"] = f"SELECT {VERSION_COLUMNS} FROM versions"
        return [sql.execute(question).fetchall() for question in told.values()]
