"""The configurations of retrieval that are compared: one channel, both, and each further stage."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.retrieval.stages import EVERY, Stages

_FUSED = Stages(late=False, authority=False)


@dataclass(frozen=True, slots=True)
class Configuration:
    """A way to retrieve.

    Attributes:
        name: As the table calls it.
        stages: What takes part.
        context: Whether turns are found by their date and the end of the turn before, too.
    """

    name: str
    stages: Stages
    context: bool = True


CONFIGURATIONS = (
    Configuration("lexical", Stages(meaning=False, late=False, authority=False), context=False),
    Configuration("semantic", Stages(words=False, late=False, authority=False), context=False),
    Configuration("fused", _FUSED, context=False),
    Configuration("+ context", _FUSED),
    Configuration("+ late interaction", Stages(authority=False)),
    Configuration("+ authority (default)", EVERY),
)
"""Each is the one before it and one thing more, from the third on; the last is the product's."""
