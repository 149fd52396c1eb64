"""Between rows and domain objects: instants, versions, vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from pydantic_core import from_json

from langgraph_memory.domain.interval import Interval
from langgraph_memory.domain.json import JsonObject, dumps, loads
from langgraph_memory.domain.namespace import Namespace, from_path
from langgraph_memory.domain.provenance import PLAIN, Provenance, Source, SourceKind, Verification
from langgraph_memory.domain.record import Record, Status, Version
from langgraph_memory.ports import Lifetime, Shown, Stored, Vectors
from langgraph_memory.storage.sqlite.hashes import version_seal
from langgraph_memory.storage.sqlite.problems import sensible

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_STATUS = {each.value: each for each in Status}
_ALWAYS, _PERMANENT = Interval(), Lifetime()

VERSION_COLUMNS = """number, value, recorded_at, superseded_at, valid_from, valid_until,
    status, provenance"""


def to_micros(instant: datetime) -> int:
    """Return an instant as whole microseconds since 1970, exactly."""
    return (instant - _EPOCH) // _MICROSECOND


LAST_MICROS = to_micros(datetime.max.replace(tzinfo=UTC))


def from_micros(micros: int) -> datetime:
    """Return the instant of a stored number."""
    return _EPOCH + _MICROSECOND * micros


def maybe_micros(instant: datetime | None) -> int | None:
    """Return None for None."""
    return None if instant is None else to_micros(instant)


def maybe_instant(micros: int | None) -> datetime | None:
    """Return None for None."""
    return None if micros is None else from_micros(micros)


def version_row(version: Version) -> tuple[Any, ...]:
    """Return a version in the order of ``VERSION_COLUMNS``."""
    return (
        version.number,
        None if version.value is None else dumps(version.value),
        to_micros(version.recorded_at),
        maybe_micros(version.superseded_at),
        maybe_micros(version.valid.start),
        maybe_micros(version.valid.end),
        version.status.value,
        _provenance_text(version.provenance),
    )


def sealed(cells: Sequence[Any]) -> bytes:
    """Return the seal of a version: of its record's row and ``version_row``."""
    row, number, value, recorded_at, _, valid_from, valid_until, status, provenance = cells
    return version_seal(
        row, number, value, recorded_at, valid_from, valid_until, status, provenance
    )


@sensible
def version_from(row: Sequence[Any]) -> Version:
    """Return the version of a row in the order of ``VERSION_COLUMNS``."""
    return _version_from(row)


def _version_from(row: Sequence[Any]) -> Version:
    number, value, recorded_at, superseded_at, start, end, status, provenance = row
    return Version(
        number,
        None if value is None else object_from(value),
        from_micros(recorded_at),
        None if superseded_at is None else from_micros(superseded_at),
        _ALWAYS if start is None and end is None else _interval_from(start, end),
        _STATUS[status],
        PLAIN if provenance == _PLAIN else _provenance_from(provenance),
    )


def _interval_from(start: int | None, end: int | None) -> Interval:
    return Interval(maybe_instant(start), maybe_instant(end))


@sensible
def record_from(row: Sequence[Any], chain: Iterable[Sequence[Any]]) -> Record:
    """Return a record of ``(id, path, key, created_at)`` and its versions, oldest first."""
    record_id, path, key, created_at = row
    versions = tuple(map(version_from, chain))
    if not versions:
        raise ValueError("a record without a version")
    since = None if versions[0].number == 1 else from_micros(created_at)
    return Record(record_id, from_path(path), key, versions, since)


STORED_COLUMNS = """records.row, id, path, key, created_at, ttl_minutes, expires_at, protected,
    number, value, recorded_at, superseded_at, valid_from, valid_until, status, provenance"""
_RECORDED = STORED_COLUMNS.replace(",", "").split().index("recorded_at")


@sensible
def stored_from(rows: Iterable[Sequence[Any]]) -> list[Stored]:
    """Return the stored heads of rows in the order of ``STORED_COLUMNS``."""
    return [_stored_from(row) for row in rows]


def _stored_from(row: Sequence[Any]) -> Stored:
    number, record_id, path, key, created_at, ttl_minutes, expires_at, protected = row[:8]
    head = _version_from(row[8:])
    return Stored(
        number,
        record_id,
        from_path(path),
        key,
        head.recorded_at if created_at == row[_RECORDED] else from_micros(created_at),
        head,
        _PERMANENT
        if ttl_minutes is None and expires_at is None and not protected
        else lifetime_from(ttl_minutes, expires_at, protected),
    )


SHOWN_COLUMNS = """records.row, path, key, created_at, updated_at, head, value, ttl_minutes,
    expires_at, unsettled"""


@sensible
def shown_from(rows: Iterable[Sequence[Any]], alone: str | None = None) -> list[Shown]:
    """Return what rows in the order of ``SHOWN_COLUMNS`` show.

    Args:
        rows: The rows.
        alone: The path of all of them, where they have NULL for it.
    """
    places: dict[str | None, Namespace] = {} if alone is None else {None: from_path(alone)}
    found = []
    for row, path, key, created, updated, head, value, minutes, expires_at, unsettled in rows:
        place = places.get(path)
        if place is None:
            place = places[path] = from_path(path)
        recorded = _EPOCH + _MICROSECOND * updated  # as from_micros, without a call
        found.append(
            Shown._make((
                row, place, key,
                recorded if created == updated else from_micros(created), recorded, head,
                None if value is None else object_from(value),
                minutes, None if expires_at is None else from_micros(expires_at), not unsettled,
            ))
        )  # fmt: skip
    return found


@sensible
def lifetime_from(ttl_minutes: float | None, expires_at: int | None, protected: int) -> Lifetime:
    """Return how long a record stays."""
    return Lifetime(ttl_minutes, maybe_instant(expires_at), bool(protected))


def vector_blob(vector: Vectors) -> bytes:
    """Return one vector as little-endian float32."""
    return vector.astype("<f4").tobytes()


@sensible
def vectors_from(blobs: Sequence[bytes]) -> Vectors | None:
    """Return ``(n, dims)`` of stored blobs, None for none."""
    if not blobs:
        return None
    if len({len(blob) for blob in blobs}) != 1:
        raise ValueError("vectors of several lengths")
    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1)


def object_from(text: str) -> JsonObject:
    """Return the value of a version.

    The reader is pydantic's: as exact as Python's, and a page waits for it half as long. It keeps
    no strings: they are users' words.
    """
    try:
        value = from_json(text, cache_strings="none")
    except ValueError:
        value = loads(text)  # foreign JSON may hold what this reader refuses
    if type(value) is not dict:
        raise TypeError("a value that is no dictionary")
    return value


def _provenance_text(papers: Provenance) -> str:
    fields = {
        "source": [papers.source.kind.value, papers.source.name],
        "events": list(papers.event_ids),
        "from": list(papers.derived_from),
        "verification": papers.verification.value,
        "purpose": papers.purpose,
        "policy": papers.policy,
        "reason": papers.reason,
        "approved_by": papers.approved_by,
        "author": papers.author,
    }
    return dumps({name: part for name, part in fields.items() if part})


def _provenance_from(text: str) -> Provenance:
    fields = loads(text)
    kind, name = fields["source"]
    return Provenance(
        source=Source(SourceKind(kind), name),
        event_ids=tuple(fields.get("events", ())),
        derived_from=tuple(fields.get("from", ())),
        verification=Verification(fields["verification"]),
        purpose=fields.get("purpose", ""),
        policy=fields.get("policy", ""),
        reason=fields.get("reason", ""),
        approved_by=fields.get("approved_by", ""),
        author=fields.get("author", ""),
    )


_PLAIN = _provenance_text(PLAIN)
"""What most items have: recognised, not read."""
