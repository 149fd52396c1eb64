"""The tables, as numbered migrations that only ever grow at the end.

Each table registers in :data:`REGISTER` what it holds of a person and how that is found;
a test fails for a table that is missing there, so nothing can be kept that purge forgets.
Files and memory stand in ``storage.register``.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

APPLICATION_ID = 0x4C474D31  # "LGM1"

_SETTINGS = """CREATE TABLE IF NOT EXISTS settings (
        name TEXT PRIMARY KEY,          -- 'space', ...
        value TEXT NOT NULL
    ) WITHOUT ROWID"""

MIGRATIONS: tuple[str, ...] = (
    f"""
    {_SETTINGS};

    CREATE TABLE namespaces (
        id INTEGER PRIMARY KEY,         -- stands for the path in full-text rows
        path TEXT NOT NULL UNIQUE       -- labels, each followed by '.'; ancestors have rows too
    );

    CREATE TABLE records (
        row INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        namespace INTEGER NOT NULL REFERENCES namespaces (id),
        path TEXT NOT NULL,             -- the namespace's path again: one range scan per prefix
        key TEXT NOT NULL,
        head INTEGER NOT NULL,          -- number of the last version
        live INTEGER NOT NULL,          -- 0 when the head is a tombstone
        created_at INTEGER NOT NULL,    -- microseconds since 1970, as all instants here
        updated_at INTEGER NOT NULL,
        tokens INTEGER NOT NULL,        -- length of the full text, 0 if it has none
        ttl_minutes REAL,               -- NULL: permanent
        expires_at INTEGER,
        hits INTEGER NOT NULL DEFAULT 0,
        last_access INTEGER,
        UNIQUE (namespace, key)
    );
    CREATE INDEX records_by_path ON records (path, live, updated_at);
    CREATE INDEX records_by_time ON records (updated_at, row) WHERE live = 1;
    CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE versions (
        row INTEGER NOT NULL REFERENCES records (row),
        number INTEGER NOT NULL,
        value TEXT,                     -- JSON; NULL in a tombstone
        recorded_at INTEGER NOT NULL,
        superseded_at INTEGER,
        valid_from INTEGER,
        valid_until INTEGER,
        status TEXT NOT NULL,
        provenance TEXT NOT NULL,       -- JSON
        PRIMARY KEY (row, number)
    ) WITHOUT ROWID;

    CREATE TABLE vectors (
        row INTEGER NOT NULL REFERENCES records (row),
        part INTEGER NOT NULL,          -- several vectors of one record
        vector BLOB NOT NULL,           -- float32, little endian, unit length
        PRIMARY KEY (row, part)
    ) WITHOUT ROWID;

    -- rowid is records.row; both columns hold tokens that are split at white space alone
    CREATE VIRTUAL TABLE words USING fts5 (
        circles,                        -- ids of the namespace and all its ancestors
        body,
        tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'"
    );

    CREATE TABLE outbox (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        row INTEGER NOT NULL
    );
    CREATE TABLE followers (
        name TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE threads (
        thread_id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        user TEXT,                      -- NULL: the organization
        opened_at INTEGER NOT NULL,
        consolidated INTEGER NOT NULL DEFAULT 0  -- sequence of the last event that was read
    ) WITHOUT ROWID;
    CREATE INDEX threads_by_owner ON threads (tenant, user);

    CREATE TABLE events (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        thread_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        tenant TEXT NOT NULL,
        user TEXT,
        scope TEXT NOT NULL,            -- JSON: project, agent, session
        role TEXT NOT NULL,
        speaker TEXT NOT NULL,
        content TEXT NOT NULL,
        at INTEGER NOT NULL,
        outcome TEXT,                   -- JSON: what came of an order in it, ids only
        UNIQUE (thread_id, message_id)
    );
    CREATE INDEX events_by_owner ON events (tenant, user);

    CREATE TABLE jobs (
        key TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        tenant TEXT NOT NULL,
        user TEXT,
        scope TEXT NOT NULL,
        thread_id TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        leased_until INTEGER,           -- held by a worker until then
        again INTEGER NOT NULL,         -- submitted again while held
        dead INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        error TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX jobs_by_due ON jobs (dead, due_at);
    CREATE INDEX jobs_by_owner ON jobs (tenant, user);
    """,
    """
    ALTER TABLE records ADD COLUMN protected INTEGER NOT NULL DEFAULT 0;  -- never evicted
    -- 1 where the head is not simply what holds: it is dated, waits, or is false
    ALTER TABLE records ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 0;
    UPDATE records SET unsettled = 1 WHERE row IN (
        SELECT versions.row FROM versions
        JOIN records ON records.row = versions.row AND records.head = versions.number
        WHERE valid_from IS NOT NULL OR valid_until IS NOT NULL
            OR status NOT IN ('active', 'deleted')
    );
    -- with all that a listing asks before it reads a version
    DROP INDEX records_by_path;
    CREATE INDEX records_by_path ON records (path, live, updated_at, row, head, expires_at);
    CREATE INDEX records_unsettled ON records (path) WHERE live = 1 AND unsettled = 1;

    CREATE TABLE texts (                -- what search was told, so that it can be told again
        row INTEGER PRIMARY KEY REFERENCES records (row),
        embedded TEXT NOT NULL,         -- JSON: the texts that were embedded
        words TEXT                      -- the text of the full text, where it is another
    );

    CREATE TABLE next_vectors (         -- filled while another embedder takes over
        row INTEGER NOT NULL REFERENCES records (row),
        part INTEGER NOT NULL,
        head INTEGER NOT NULL,          -- the version it was made from
        vector BLOB NOT NULL,
        PRIMARY KEY (row, part)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE seals (                -- what of a record was written together, hashed
        row INTEGER PRIMARY KEY REFERENCES records (row),
        head INTEGER NOT NULL,
        announced INTEGER,              -- its announcement in the outbox; 0 if that is long ago
        truth BLOB,                     -- path, key and value
        told BLOB,                      -- each text that search was told
        vectors BLOB,                   -- all vectors with their texts; NULL: nothing is known
        space TEXT,                     -- the embedding space they are of, as in settings
        next BLOB,                      -- what is prepared of it in next_vectors
        own BLOB                        -- the seal itself, but for what is prepared
    );
    -- Of what was written before there were seals nothing is known.
    INSERT INTO seals (row, head) SELECT row, head FROM records;
    UPDATE seals SET next = x'' WHERE row IN (SELECT row FROM next_vectors);
    """,
    """
    ALTER TABLE versions ADD COLUMN own BLOB;   -- its seal; NULL: nothing is known
    ALTER TABLE seals ADD COLUMN oldest INTEGER;  -- number of the oldest version that is kept
    ALTER TABLE seals ADD COLUMN papers BLOB;   -- id, time of creation, lifetime but its end
    """,
    """
    ALTER TABLE events ADD COLUMN zone TEXT NOT NULL DEFAULT '';  -- of who said it, by name
    """,
    """
    CREATE TABLE trials (               -- what a procedure came to on held-out tasks
        number INTEGER PRIMARY KEY,     -- the order of writing
        row INTEGER NOT NULL REFERENCES records (row),
        version INTEGER NOT NULL,
        wording TEXT NOT NULL,          -- digest of what the version says
        task TEXT NOT NULL,
        input TEXT NOT NULL,            -- digest of what the task gives
        passed INTEGER NOT NULL,
        score REAL,
        rule TEXT NOT NULL,             -- how the score was derived
        detail TEXT NOT NULL,
        run_by TEXT NOT NULL,
        at INTEGER NOT NULL,
        own BLOB NOT NULL               -- its seal
    );
    CREATE INDEX trials_by_row ON trials (row, number);
    """,
    """
    CREATE TABLE grants (               -- roles in shared scopes
        tenant TEXT NOT NULL,
        user TEXT NOT NULL,
        project TEXT NOT NULL,          -- '': the organization outside of its projects
        role TEXT NOT NULL,
        granted_by TEXT NOT NULL,
        granted_at INTEGER NOT NULL,
        PRIMARY KEY (tenant, user, project)
    ) WITHOUT ROWID;

    CREATE TABLE counts (               -- what was refused and noticed; no content
        tenant TEXT NOT NULL,           -- '': nobody could be told
        user TEXT NOT NULL,             -- '': the program itself, or nobody could be told
        day TEXT NOT NULL,              -- 2026-05-01, UTC
        what TEXT NOT NULL,
        times INTEGER NOT NULL,
        PRIMARY KEY (tenant, user, day, what)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE pieces (               -- word pieces of statements, for late interaction
        row INTEGER PRIMARY KEY REFERENCES records (row),
        width INTEGER NOT NULL,         -- bytes a piece
        signs BLOB NOT NULL             -- of each piece's vector, one bit each
    );
    """,
    """
    ALTER TABLE jobs ADD COLUMN latest_at INTEGER;  -- past it, new messages do not move due_at
    CREATE INDEX events_by_thread ON events (thread_id);  -- and by sequence within
    """,
)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a table holds of a person, how it is found, erased and verified."""

    holds: str
    found_by: str
    erased_by: str
    verified_by: str


_BY_PATH = "records.path under the owner's root"
_BY_ROW = "row of records"
_ROWS = "records.erase"
_COUNT = "records.count under the root is 0"
_LEFT = "verify: leftovers"

REGISTER: dict[str, Holding] = {
    "settings": Holding("nothing personal", "-", "-", "-"),
    "namespaces": Holding("the owner's ids", "path under the root", _ROWS, "verify: namespaces"),
    "records": Holding("keys, times", _BY_PATH, _ROWS, _COUNT),
    "versions": Holding(
        "every statement ever made; declared filter fields again, in indexes",
        _BY_ROW,
        _ROWS,
        "verify: records",
    ),
    "vectors": Holding("embeddings of statements", _BY_ROW, _ROWS, _LEFT),
    "pieces": Holding("embeddings of words of statements", _BY_ROW, _ROWS, _LEFT),
    "words": Holding("the words of statements", "rowid of records", _ROWS, _LEFT),
    "texts": Holding("the texts of statements", _BY_ROW, _ROWS, _LEFT),
    "next_vectors": Holding("embeddings of statements", _BY_ROW, _ROWS, _LEFT),
    "seals": Holding("hashes of statements", _BY_ROW, _ROWS, _LEFT),
    "trials": Holding(
        "results of procedures on held-out tasks, who ran them; digests of inputs",
        _BY_ROW,
        "records.erase; with the record's deletion",
        _LEFT,
    ),
    "outbox": Holding("row numbers only", "-", "-", "-"),
    "followers": Holding("nothing personal", "-", "-", "-"),
    "threads": Holding("thread ids, owner", "tenant and user", "events.erase", "no row of owner"),
    "events": Holding("everything said", "tenant and user", "events.erase", "events.count is 0"),
    "jobs": Holding("thread ids, errors", "tenant and user", "events.erase", "no row of owner"),
    "counts": Holding(
        "how often something was refused, by user and day",
        "tenant and user",
        "counts.erase",
        "no row of owner",
    ),
    "grants": Holding(
        "roles, who gave and took them", "tenant and user", "grants.erase", "no row of owner"
    ),
}


def migrate(connection: sqlite3.Connection, *, found: int) -> None:
    """Bring the schema from version ``found`` to the newest, inside the caller's transaction.

    A home whose settings are gone gets empty ones: nobody could open it to repair it.
    """
    if found:
        connection.execute(_SETTINGS)
    for number, script in enumerate(MIGRATIONS[found:], start=found + 1):
        for statement in _statements(script):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    if found == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _statements(script: str) -> list[str]:
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
