"""The results of tests of procedures, each sealed: what was found is not changed unseen."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.trial import Checked, Trial
from langgraph_memory.storage.sqlite.codec import from_micros, to_micros
from langgraph_memory.storage.sqlite.hashes import digest
from langgraph_memory.storage.sqlite.problems import sensible

_COLUMNS = "version, wording, task, input, passed, score, rule, detail, run_by, at"


class SqliteTrials:
    """``ports.Trials`` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def add(self, row: int, trial: Trial) -> None:
        said = trial.checked
        cells = (
            row, trial.version, trial.words, trial.task, trial.input, int(said.passed),
            None if said.score is None else float(said.score), said.rule, said.detail,
            trial.by, to_micros(trial.at),
        )  # fmt: skip
        self._sql.execute(
            f"INSERT INTO trials (row, {_COLUMNS}, own) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (*cells, digest(*cells)),
        )

    def of(self, row: int) -> list[Trial]:
        found = self._sql.execute(
            f"SELECT {_COLUMNS} FROM trials WHERE row = ? ORDER BY number", (row,)
        )
        return [_trial(each) for each in found]


def trials(sql: sqlite3.Connection) -> Check:
    """Compare every result with its seal."""
    findings = Findings("trials")
    for (number,) in sql.execute("SELECT number FROM trials ORDER BY number").fetchall():
        findings.counted += 1
        if not _is_whole(sql, number):
            findings.add("truth", f"trial {number}", "is not what was written")
    return findings.check()


def _is_whole(sql: sqlite3.Connection, number: int) -> bool:
    try:
        *cells, own = sql.execute(
            f"SELECT row, {_COLUMNS}, own FROM trials WHERE number = ?", (number,)
        ).fetchone()
        _trial(cells[1:])
    except sqlite3.DatabaseError:
        return False
    return bool(digest(*cells) == own)


@sensible
def _trial(row: Sequence[Any]) -> Trial:
    version, words, task, given, passed, score, rule, detail, run_by, at = row
    checked = Checked({0: False, 1: True}[passed], score, rule, detail)
    return Trial(version, words, task, given, checked, run_by, from_micros(at))
