"""SQLite files to break and to look into, as other programs see them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from database_cases import DIMS, NOW, born, entry, save

from langgraph_memory.domain.counts import Count, What
from langgraph_memory.domain.events import Event
from langgraph_memory.domain.roles import Grant, Role
from langgraph_memory.domain.scope import Scope
from langgraph_memory.domain.trial import Checked, Trial
from langgraph_memory.ports import Job, Space
from langgraph_memory.storage.sqlite.database import SqliteDatabase

JANE = Scope("acme", "jane")


def look(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as sql:
        return sql.execute(question).fetchall()


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def filled(path: Path, records: int = 40) -> None:
    """Make a database that has something in every table."""
    with closing(SqliteDatabase.open(path)) as database, database.write() as tx:
        tx.bind_space(Space("model", DIMS))
        tx.outbox.follow("index", 1)
        tx.events.bind("t", JANE, now=NOW)
        tx.counts.add([Count("acme", "jane", NOW.date(), What.REFUSED, 1)])
        tx.grants.put(Grant("acme", "merger", "jane", Role.MEMBER, "ops", NOW))
        for number in range(records):
            namespace = (*JANE.root, f"n{number % 5}")
            told = entry("word", f"w{number}", vectors=[[1, number, 0, 0], [0, 1, 0, 0]])
            record = born(f"r{number}", namespace, value={"n": number, "said": "x" * 150})
            save(tx, record, entry=told)
            stored = save(
                tx, record.supersede({"n": number, "ü": None}, now=NOW), known=1, entry=told
            )
            tx.trials.add(stored.row, Trial(2, "d", "task", "i", Checked(True), "Ann", NOW))
            name = f"e{number}"
            tx.events.add(Event(name, "t", name, JANE, "user", "Jane", "said " * 20, NOW))
            tx.jobs.submit(Job(f"j{number}", "k", JANE, "t"), due=NOW)


def foreign(path: Path, *statements: str) -> None:
    """Run statements in a file as another program would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        for statement in statements:
            sql.execute(statement)
