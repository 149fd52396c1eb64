"""Settings that go together, by the sort of work an agent does.

A preset fills what a run does not say. The figures are starting values: how many pieces of
evidence an answer needs, how much one model request may hold, and how much of the
conversation stays in sight before it is left to memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PresetName(StrEnum):
    """The workloads there are settings for."""

    SHORT = "short conversations"
    SUPPORT = "support assistant"
    PERSONAL = "personal assistant"
    RESEARCH = "research agent"
    CODING = "coding agent"
    ENTERPRISE = "enterprise workflow"


@dataclass(frozen=True, slots=True)
class Preset:
    """What a workload needs.

    Attributes:
        top_k: Pieces of evidence an answer may use.
        budget_tokens: What one model request may hold.
        tail: Messages of the conversation that are kept in sight.
        approval: Whether a change that a message asks of memory waits for a review.
    """

    top_k: int
    budget_tokens: int
    tail: int
    approval: bool = False


PRESETS: dict[PresetName, Preset] = {
    PresetName.SHORT: Preset(top_k=3, budget_tokens=8_000, tail=20),
    PresetName.SUPPORT: Preset(top_k=5, budget_tokens=16_000, tail=30),
    PresetName.PERSONAL: Preset(top_k=5, budget_tokens=16_000, tail=40),
    PresetName.RESEARCH: Preset(top_k=12, budget_tokens=64_000, tail=40),
    PresetName.CODING: Preset(top_k=8, budget_tokens=64_000, tail=60),
    PresetName.ENTERPRISE: Preset(top_k=5, budget_tokens=32_000, tail=40, approval=True),
}
