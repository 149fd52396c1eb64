"""How far a source is believed: what may replace what.

======================================  =====================================================
source                                  what its statements may do
======================================  =====================================================
whatever a system of record vouches for replaces anything; only the like replaces it
a user, the program itself              replaces what is not verified
a system that does not vouch            replaces systems, tools, documents, pages, models
a tool                                  replaces tools, documents, pages, models
a document, a web page                  replaces documents, pages, models
a model                                 replaces models
======================================  =====================================================

What may not replace waits for review beside it, however often it is repeated. Tools, documents,
pages and models are *untrusted*: they state no way of working, all but tools vouch for nothing,
and what reads like an order to its reader is quarantined (:mod:`.quarantine`).
"""

from __future__ import annotations

from langgraph_memory.domain.provenance import Provenance, SourceKind, Verification
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError, RefusedError

UNTRUSTED = frozenset({SourceKind.TOOL, SourceKind.DOCUMENT, SourceKind.WEB, SourceKind.MODEL})
_VOUCH_FOR_NOTHING = UNTRUSTED - {SourceKind.TOOL}  # a tool may ask the system of record

NO_WAY_OF_WORKING = "no way of working from untrusted text"
"""The rule by which it is refused."""

_VERIFIED = 10
_TRUST = {
    SourceKind.USER: 5,
    SourceKind.APPLICATION: 5,
    SourceKind.SYSTEM: 4,
    SourceKind.TOOL: 3,
    SourceKind.DOCUMENT: 2,
    SourceKind.WEB: 2,
    SourceKind.MODEL: 1,
}


def trust(papers: Provenance) -> int:
    """Return how far a statement is believed; only the order of the numbers means anything."""
    if papers.verification is Verification.VERIFIED:
        return _VERIFIED
    return _TRUST[papers.source.kind]


def check_vouching(kind: SourceKind, verification: Verification) -> None:
    """Refuse a statement that nobody who may has verified.

    Raises:
        InvalidInputError: A document, a page or a model is said to have verified it.
    """
    if verification is Verification.VERIFIED and kind in _VOUCH_FOR_NOTHING:
        raise InvalidInputError(
            f"A {kind.value} cannot verify a statement. Name the system of record as the source, "
            "or leave verification out."
        )


def check_kind(papers: Provenance, kind: Kind) -> None:
    """Refuse a way of working that no person and no program of ours states.

    Raises:
        RefusedError: It came from a tool, a document, a page or a model.
    """
    if kind is Kind.PROCEDURAL and papers.source.kind in UNTRUSTED:
        raise RefusedError(
            NO_WAY_OF_WORKING,
            f"it comes from a {papers.source.kind.value}; a person may state it, or keep it as "
            "semantic: then it is quoted evidence",
        )
