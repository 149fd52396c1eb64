"""The embedding space a home is bound to: one setting, and what the vectors themselves say.

The name of the model stands once in the settings, and again in the seal of every record with
vectors. A setting that is lost or cannot be read is told by the seals, if all of them agree;
one that no seal agrees with is wrong.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from langgraph_memory.domain.findings import Check, Findings
from langgraph_memory.domain.json import dumps
from langgraph_memory.ports import Space
from langgraph_memory.storage.sqlite.legible import setting
from langgraph_memory.storage.sqlite.problems import SenselessRowError
from langgraph_memory.storage.sqlite.reindexing import SPACE, space_from
from langgraph_memory.storage.sqlite.sealing import INTACT
from langgraph_memory.storage.sqlite.standing import once

NAME = "embedding model"
_REINDEX = "name the model: langgraph-memory reindex --embedder"


def bound_space(sql: sqlite3.Connection) -> Space | None:
    """Return the space of a home, told by its vectors where the setting is lost."""
    return once(sql, "space", lambda: noted_space(sql) or sealed_space(sql))


def noted_space(sql: sqlite3.Connection) -> Space | None:
    """Return the space of the setting, None where there is none that can be read."""
    noted = setting(sql, SPACE)
    with suppress(SenselessRowError):
        return None if noted is None else space_from(noted)
    return None


def sealed_space(sql: sqlite3.Connection) -> Space | None:
    """Return the one space that all seals name, None if they name none or several."""
    spaces = _sealed_spaces(sql)
    return spaces[0] if len(spaces) == 1 else None


def model(sql: sqlite3.Connection) -> Check:
    """Compare the name of the model with what the vectors say of themselves."""
    findings = Findings(NAME, 1)
    if problem := _problem(sql):
        told = sealed_space(sql)
        findings.add(
            "derived", NAME, f"{problem}; they were made by {_named(told)}" if told else
            f"{problem}, and they do not all name one model: {_REINDEX}",
        )  # fmt: skip
    return findings.check()


def mend_model(sql: sqlite3.Connection) -> bool:
    """Bind the home to the space that its vectors tell of; False if nothing is wrong, or told."""
    told = sealed_space(sql)
    if told is None or not _problem(sql):
        return False
    sql.execute(
        "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
        (SPACE, dumps([told.model_id, told.dims])),
    )
    return True


def _problem(sql: sqlite3.Connection) -> str:
    noted, told = noted_space(sql), _sealed_spaces(sql)
    lengths = _lengths(sql)
    if noted is None:
        return "the home does not say which model made its vectors" if lengths else ""
    if told and noted not in told:
        return f"the home says that {_named(noted)} made its vectors"
    if not told and lengths and 4 * noted.dims not in lengths:
        return f"no vector has the length of those that {_named(noted)} makes"
    return ""


def _sealed_spaces(sql: sqlite3.Connection) -> list[Space]:
    found = sql.execute(
        f"SELECT DISTINCT space FROM seals WHERE space IS NOT NULL AND {INTACT}"
    ).fetchall()
    spaces = []
    for (text,) in found:
        with suppress(SenselessRowError):
            spaces.append(space_from(text))
    return spaces


def _lengths(sql: sqlite3.Connection) -> set[int]:
    return {each for (each,) in sql.execute("SELECT DISTINCT length(vector) FROM vectors")}


def _named(space: Space) -> str:
    return f"{space.model_id} ({space.dims} dimensions)"
