"""Notice what was refused, and tell it to whoever runs this memory.

Noticing changes nothing: an operation that is refused is refused as it would be, and one that is
done takes no longer. Attempts are counted, also those of a write that came to nothing in the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta

from langgraph_memory.domain.counts import Count, What
from langgraph_memory.domain.roles import Permission
from langgraph_memory.domain.scope import Scope
from langgraph_memory.errors import (
    AccessDeniedError,
    HomeReadOnlyError,
    RefusedError,
    StorageBusyError,
    StorageFullError,
    ThreadOwnershipError,
    UnsupportedActionError,
)
from langgraph_memory.operations.engine import READS_WAIT_SECONDS, Engine
from langgraph_memory.policy.trust import NO_WAY_OF_WORKING
from langgraph_memory.text.secrets import find

KEPT = timedelta(days=400)
"""How long a count is kept."""

_READS = (Permission.READ.value,)


def note(engine: Engine, what: What, scope: Scope | None) -> None:
    """Count what somebody did; None where nobody could be told, or not without a credential."""
    named = scope and (scope.tenant, scope.acting or scope.user or "")
    engine.tally.note(what, None if any(map(find, named or ())) else scope, engine.clock())


@contextmanager
def noticing(engine: Engine, scope: Scope, *, writes: bool = False) -> Iterator[None]:
    """Count what is refused inside.

    Args:
        engine: The ports.
        scope: Who does it.
        writes: Whether somebody who is denied wanted to write.
    """
    try:
        yield
    except UnsupportedActionError:
        note(engine, What.REFUSED, scope)
        raise
    except (AccessDeniedError, ThreadOwnershipError) as exc:
        note(engine, What.DENIED, scope)
        if writes or exc.facts.get("permission", "read") not in _READS:
            note(engine, What.UNEXPECTED_WRITER, scope)
        raise
    except RefusedError as exc:
        note(engine, What.REFUSED, scope)
        if exc.facts.get("rule") == NO_WAY_OF_WORKING:
            note(engine, What.UNEXPECTED_WRITER, scope)
        raise


def counts(engine: Engine, *, tenant: str | None = None, since: date | None = None) -> list[Count]:
    """Return the counts by day, latest first, what was counted a moment ago included.

    Args:
        engine: The ports.
        tenant: Of one tenant only.
        since: From this day on, UTC.
    """
    with suppress(StorageBusyError, StorageFullError, HomeReadOnlyError):
        engine.flush_usage(wait_seconds=READS_WAIT_SECONDS)
    with engine.database.read() as tx:
        written = tx.counts.since(since)
    summed: Counter[tuple[str, str | None, date, What]] = Counter()
    for each in (*written, *engine.tally.waiting()):
        if tenant in (None, each.tenant) and (since is None or each.day >= since):
            summed[each.tenant, each.user, each.day, each.what] += each.times
    found = [Count(*key, times) for key, times in summed.items()]
    return sorted(found, key=lambda each: (-each.day.toordinal(), each.tenant, each.user or "",
                                           each.what))  # fmt: skip
