"""What a home keeps, where: every table, file and memory cache, and how each forgets.

Nothing may keep data without standing here: a test compares these lists with the tables and
files of a home after everything was done in it, and with the source, where anything that
grows while a program runs is found by its shape. ``docs/data.md`` shows the same to users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from langgraph_memory.storage.sqlite.schema import REGISTER, Holding

_PURGE_THREADS = "delete_thread of each of the owner's threads"
_NOTHING = Holding("nothing personal", "-", "-", "-")

TABLES = REGISTER
"""Our tables."""

CHECKPOINT_TABLES: dict[str, Holding] = {
    "checkpoints": Holding(
        "run state: the last messages of threads", "thread id, by way of threads",
        _PURGE_THREADS, "RunState.count is 0",
    ),
    "writes": Holding(
        "steps of runs under way", "thread id, by way of threads",
        _PURGE_THREADS, "RunState.count is 0",
    ),
}  # fmt: skip
"""LangGraph's tables, in the file beside."""

_VECTORS = "vectors and row numbers; no text, no key, no namespace"
_LOG = "pages of the file that were written last"

FILES: dict[str, Holding] = {
    "memory.sqlite": Holding(
        "the tables of the database", "as its tables say", "freed pages are overwritten",
        "verify: database file",
    ),
    "memory.sqlite-wal": Holding(
        _LOG, "as the tables say", "Database.fold ends a purge", "gone once the home is closed"
    ),
    "memory.sqlite-shm": _NOTHING,
    "checkpoints.sqlite": Holding(
        "the tables of run state", "as its tables say", "freed pages are overwritten",
        "verify: checkpoints file",
    ),
    "checkpoints.sqlite-wal": Holding(
        _LOG, "as the tables say", "delete_thread folds it", "gone once the home is closed"
    ),
    "checkpoints.sqlite-shm": _NOTHING,
    "policy.toml": _NOTHING,
    "chroma.lock": _NOTHING,
    "chroma/*/state.json*": _NOTHING,
    "chroma/*/chroma.sqlite3*": Holding(
        _VECTORS, "row of records", "VectorIndex.scrub: a new folder, the old one removed",
        "verify: chroma index",
    ),
    "chroma/*/*/*": Holding(
        _VECTORS, "row of records", "VectorIndex.scrub: a new folder, the old one removed",
        "verify: chroma index",
    ),
}  # fmt: skip
"""Files of a home, by pattern; folders hold nothing but files."""

CACHES: dict[str, Holding] = {
    "storage.exact.index.ExactIndex": Holding(
        "vectors and namespaces of live records", "row of records",
        "the next search or check reads the announcement", "verify: exact index",
    ),
    "storage.exact.leaf.Leaf": Holding(
        "vectors of one namespace", "row of records",
        "the next search or check reads the announcement", "verify: exact index",
    ),
    "storage.exact.words.ExactWords": Holding(
        "words and namespaces of live records", "row of records",
        "the next search or check reads the announcement", "verify: words in memory",
    ),
    "storage.exact.fields.ExactFields": Holding(
        "fields of live records that were filtered by", "row of records",
        "the next search or check reads the announcement", "verify: fields in memory",
    ),
    "storage.exact.columns.Column": Holding(
        "one field of the records of a namespace", "row of records",
        "the next search or check reads the announcement", "verify: fields in memory",
    ),
    "storage.exact.postings.Postings": Holding(
        "words of one namespace", "row of records",
        "a purge forgets all of this process; elsewhere with the next renumbering",
        "verify: words in memory",
    ),
    "storage.sqlite.standing.Reader": Holding(
        "namespaces of a home, numbers", "not: the answers of one state of the file",
        "a purge forgets all of this process; elsewhere the next read after any write",
        "empty after it; ends with the connection",
    ),
    "storage.chroma.collection.Collection": Holding(
        "row numbers with several vectors", "row of records", "the next batch of changes",
        "ends with the index process",
    ),
    "operations.engine.WordVectors": Holding(
        "words of questions, with vectors", "not: words have no owner",
        "a purge forgets all of this process", "empty after it; ends with the process",
    ),
    "operations.engine.Usage": Holding(
        "row numbers and times of use", "row of records", "written, then dropped, each second",
        "a row that is gone takes no use",
    ),
    "operations.tally.Tally": Holding(
        "counts of what was refused, by user and day", "tenant and user",
        "a purge forgets those of this process; another one may write its last second later",
        "empty after it; ends with the process",
    ),
    "storage.policy_file.shipped_policy": _NOTHING,
    "text.compounds._remembered": Holding(
        "words, and their parts", "not: words have no owner",
        "a purge forgets all of this process", "empty after it; ends with the process",
    ),
    "text.stems.stem": Holding(
        "words, and their stems", "not: words have no owner",
        "a purge forgets all of this process", "empty after it; ends with the process",
    ),
    "storage.checkpoints.redaction.Redactor": Holding(
        "salted hashes of texts without a credential", "not: a hash has no owner",
        "delete_thread forgets all of this process", "empty after it; ends with the process",
    ),
    "models.counting._known": Holding(
        "salted hashes of texts, with their tokens", "not: a hash has no owner",
        "not: it tells nothing about a text", "ends with the process",
    ),
    "models.embedder._models": _NOTHING,
    "models.embedder._abandoned": _NOTHING,
    "server._homes": _NOTHING,
    "policy.orders.cues.pattern": _NOTHING,
    "storage.sqlite.reindexing.space_from": _NOTHING,
    "wiring._open": _NOTHING,
    "storage.sqlite.connection.Connections": _NOTHING,
    "storage.sqlite.forks._watched": _NOTHING,
    "storage.sqlite.forks._severed": _NOTHING,
    "storage.exact.index._alive": _NOTHING,
    "storage.exact.mirror._alive": _NOTHING,
}  # fmt: skip
"""What lives in memory longer than a call, by module and class or name."""

PASSING: dict[str, str] = {
    "storage.sqlite.functions._lent": "a filter, while its statement runs",
    "storage.chroma.client.Child": "requests, until the index process has answered",
    "storage.checkpoints.lineage.Lineage": "one pruning",
    "storage.checkpoints.lineage._Contents": "one pruning",
    "storage.checkpoints.pruning.Pruning": "one pruning",
    "storage.following.Audited": "one verify; numbers only",
    "domain.findings.Findings": "one verify; ids only",
    "operations.comparing.Derived": "one verify",
    "policy.access.Reach": "one recall",
    "policy.language.meaning.Meaning": "one answer",
    "policy.claims.grounds.Talk": "one answer",
    "retrieval.candidates.Search": "one search",
    "models.choosing.Models": "names of models, and the models; nothing personal",
    "operations.verify._Look": "one verify",
    "operations.item_groups._Batch": "one batch",
    "interfaces.turns.Turns": "calls, until they are answered",
    "interfaces.turns._Line": "calls, until they are answered",
    "cli.talk.Talk": "one chat on a terminal",
    "cli.demo.checks.Checks": "one demo",
}
"""What grows and is gone with the call it belongs to."""


def rows() -> Iterator[tuple[str, Holding]]:
    """Yield every place and what it holds, tables first, then files, then memory."""
    groups: tuple[tuple[str, Mapping[str, Holding]], ...] = (
        ("table", TABLES), ("run state table", CHECKPOINT_TABLES), ("file", FILES),
        ("memory", CACHES),
    )  # fmt: skip
    for kind, places in groups:
        for name, holding in places.items():
            yield f"{kind} `{name}`", holding


def markdown() -> str:
    """Return the register as a table, as ``docs/data.md`` shows it."""
    lines = ["| place | holds | found by | erased by | verified by |", "| --- " * 5 + "|"]
    for place, each in rows():
        cells = (place, each.holds, each.found_by, each.erased_by, each.verified_by)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def registered_file(relative_path: str) -> Holding | None:
    """Return what is registered for a file of a home; None if nothing is."""
    found = (each for pattern, each in FILES.items() if fnmatchcase(relative_path, pattern))
    return next(found, None)


if __name__ == "__main__":
    print(markdown(), end="")
