"""The write policy as it is read from its file, ``write_policy.toml``: rules, no decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from langgraph_memory.domain.provenance import SourceKind
from langgraph_memory.domain.scope import Kind
from langgraph_memory.errors import InvalidPolicyError
from langgraph_memory.text.complaints import complaint
from langgraph_memory.text.phrases import Phrases

MOST_DAYS = 1_000 * 365

Sources = Annotated[tuple[SourceKind, ...], AfterValidator(lambda given: tuple(sorted(set(given))))]
Days = Annotated[float, Field(gt=0, le=MOST_DAYS, allow_inf_nan=False)] | Literal["permanent"]


class Rule(StrEnum):
    """What becomes of personal data in a statement, or of a claim about a person."""

    KEEP = "keep"
    REDACT = "redact"
    ASKED = "asked"
    PURPOSE = "purpose"
    REVIEW = "review"
    REFUSE = "refuse"


DataRule = Literal["keep", "redact", "purpose", "review", "refuse"]
ClaimRule = Literal["keep", "asked", "purpose", "review", "refuse"]


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))


class KindRule(_Rules):
    """How long a kind of memory is kept, what for, and who may state it."""

    keep_days: Days
    purpose: str = Field(min_length=1)
    sources: Sources


class Domain(_Rules):
    """A field of facts with a lifetime of its own, known by its words or by its circle."""

    keep_days: Days
    purpose: str = Field(min_length=1)
    words: tuple[str, ...] = ()
    circle: Literal["project"] | None = None

    @cached_property
    def phrases(self) -> Phrases:
        """The words, as they are looked for."""
        return Phrases(self.words)


class PersonalRules(_Rules):
    """What becomes of data by which a person is reached or recognised."""

    email: DataRule
    phone: DataRule
    iban: DataRule
    identity_number: DataRule
    purpose: str = Field(min_length=1)


class SensitiveRules(_Rules):
    """What becomes of claims that may harm whom they are about."""

    own: ClaimRule
    others: ClaimRule
    words: Mapping[str, tuple[str, ...]]

    @cached_property
    def phrases(self) -> Mapping[str, Phrases]:
        """The words of each sort of claim, as they are looked for."""
        return {sort: Phrases(words) for sort, words in self.words.items()}


class Circles(_Rules):
    """Whose statements may be kept in which circle."""

    personal: Sources
    project: Sources
    organization: Sources


class ReviewRules(_Rules):
    """What counts only once somebody approved it."""

    sources: Sources
    in_passing: bool


class WritePolicy(_Rules):
    """Everything that is decided when something is written.

    Attributes:
        version: Its name, as its author gave it.
        kinds, circles, domains, personal, sensitive, review: As the file's comments say.
    """

    version: str = Field(min_length=1, max_length=60)
    kinds: Mapping[Kind, KindRule]
    circles: Circles
    domains: Mapping[str, Domain]
    personal: PersonalRules
    sensitive: SensitiveRules
    review: ReviewRules

    @model_validator(mode="after")
    def _whole(self) -> Self:
        missing = [each.value for each in Kind if each not in self.kinds]
        if missing:
            raise ValueError(f"kinds has no rules for {', '.join(missing)}")
        return self

    @classmethod
    def of(
        cls, tables: Mapping[str, Any], *, over: Mapping[str, Any] | None = None,
        file: str = "",
    ) -> Self:  # fmt: skip
        """Return the policy of a file's tables, with those of another file laid over them.

        Args:
            tables: The rules, every one of them.
            over: Those that differ.
            file: Where the latter are written.

        Raises:
            InvalidPolicyError: A rule is not known, or cannot be.
        """
        try:
            policy = cls.model_validate(_laid_over(tables, over or {}))
        except ValidationError as exc:
            wrong = complaint(exc, cls)
            where = ".".join(wrong.path)
            where = f"[{where}]" if wrong.table and where else where
            raise InvalidPolicyError(where, wrong.problem, file=file) from exc
        if over and policy.version == tables["version"]:
            return policy.model_copy(update={"version": f"{policy.version}+{policy.fingerprint}"})
        return policy

    @property
    def fingerprint(self) -> str:
        """Eight digits that another policy does not have."""
        rules = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(rules.encode()).hexdigest()[:8]


def minutes(days: float | Literal["permanent"]) -> float | None:
    """Return a lifetime in minutes; None for ever."""
    return None if days == "permanent" else days * 24 * 60


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables with others laid over them; what is no table replaces what stands there."""
    laid = dict(below)
    for name, value in above.items():
        known = laid.get(name)
        if isinstance(known, Mapping) and isinstance(value, Mapping):
            laid[name] = _laid_over(known, value)
        else:
            laid[name] = value
    return laid
