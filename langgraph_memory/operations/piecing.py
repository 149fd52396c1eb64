"""Keep the word pieces of statements that were written without them.

They are of an older release, or of a home that was moved to another model. Until they are kept,
such a statement is ranked by its vectors alone: nothing is lost meanwhile.
"""

from __future__ import annotations

from langgraph_memory.operations.embedding import LateParts, Wording, late_parts, pieces_of
from langgraph_memory.operations.engine import Engine
from langgraph_memory.ports import Signs, Told, is_late, no_pieces

BATCH = 50
"""Statements whose pieces are made together: between two batches, others write."""


def keep_owed(engine: Engine, *, limit: int = BATCH) -> int:
    """Make and keep what is owed, of so many statements at most; return of how many.

    Does nothing where the embedder cannot compare piece by piece, or fails.

    Raises:
        EmbedderMovedError: The home was moved to another embedder since it was opened.
    """
    if not is_late(engine.embedder):
        return 0
    with engine.database.read() as tx:
        engine.check_space(tx)
        owed = tx.pieces.owed(limit=limit)
    wordings = [_wording(each) for each in owed]
    made = late_parts(engine.embedder, wordings)
    if not owed or not made:
        return 0
    with engine.database.write() as tx:
        engine.check_space(tx)
        for told, wording in zip(owed, wordings, strict=True):
            tx.pieces.keep(told.row, told.head, _signs(wording, made, engine.embedder.dims))
    return len(owed)


def _wording(told: Told) -> Wording:
    return Wording(told.texts or (), told.spoken, late=True)


def _signs(wording: Wording, made: LateParts, dims: int) -> Signs:
    """Return the pieces of a wording; none of one that has none, so that it is owed no more."""
    found = pieces_of(wording, made)
    return no_pieces(dims) if found is None else found
