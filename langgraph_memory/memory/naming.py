"""Kinds and verifications by their names."""

from __future__ import annotations

from langgraph_memory.domain.provenance import Verification
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidInputError


def as_kind(kind: Kind | str) -> Kind:
    """Return the kind of a name.

    Raises:
        InvalidInputError: There is no such kind.
    """
    try:
        return Kind(kind)
    except ValueError:
        names = ", ".join(each.value for each in Kind)
        raise InvalidInputError(f"There is no kind {kind!r}. Use one of {names}.") from None


def as_verification(verification: Verification | str) -> Verification:
    """Return the verification of a name.

    Raises:
        InvalidInputError: There is no such verification.
    """
    try:
        return Verification(verification)
    except ValueError:
        names = ", ".join(each.value for each in Verification)
        raise InvalidInputError(
            f"There is no verification {verification!r}. Use one of {names}."
        ) from None
