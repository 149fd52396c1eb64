"""Where the days begin of which somebody speaks."""

from __future__ import annotations

from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from langgraph_memory.domain.events import Event
from langgraph_memory.errors import InvalidInputError
from langgraph_memory.operations.engine import Engine


def zone_named(name: str) -> tzinfo:
    """Return a time zone by its name in the IANA database, as ``Europe/Berlin``.

    Raises:
        InvalidInputError: There is none of this name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
        raise InvalidInputError(
            f"There is no time zone {name!r}. Give a name as in Europe/Berlin, or UTC."
        ) from exc


def zone_of(engine: Engine, event: Event) -> tzinfo:
    """Return the zone in which an event was said; the home's where it names none known here."""
    try:
        return zone_named(event.zone) if event.zone else engine.zone
    except InvalidInputError:
        return engine.zone
