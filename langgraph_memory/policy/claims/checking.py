"""Does the answer say of the past only what memory or the conversation holds?

A statement is looked at alone where it can stand alone: first the stretch of claims that
shares its citations, then clause by clause. It is supported where one record, or one message
of the conversation, holds all its hard parts and enough of its words. By words alone the
rest of a paraphrase is lost; an embedder finds it, but decides only where no hard part is
missing and nothing speaks against the statement.

Figures: ``tests/policy/test_claims.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langgraph_memory.policy.claims.claim_cues import (
    Kind,
    conditional,
    credited,
    follows,
    general,
    kind,
    leads_to_claims,
)
from langgraph_memory.policy.claims.grounds import Ground, Talk, ground
from langgraph_memory.policy.claims.judging import Bench
from langgraph_memory.policy.claims.private import asks_private
from langgraph_memory.policy.claims.questions import asks_own, says_nothing
from langgraph_memory.policy.language.meaning import Embed, Meaning
from langgraph_memory.policy.language.sentences import Segment, asks, clauses, segments
from langgraph_memory.policy.language.wording import read
from langgraph_memory.ports import Citation

MOST_VISIBLE = 40
"""Messages of the conversation that are looked at, the latest ones."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A statement about the past that nothing supports, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What is wrong with an answer.

    Attributes:
        unsupported: Statements about the past without a ground, in order.
        miscited: Labels whose record does not say what they stand on, in order, each once.
    """

    unsupported: tuple[Unsupported, ...] = ()
    miscited: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Tell whether the answer may be given as it is."""
        return not self.unsupported and not self.miscited


def check(
    answer: str, evidence: Sequence[Citation], visible: Sequence[str], *,
    embed: Embed | None = None,
) -> ClaimCheck:  # fmt: skip
    """Find what an answer says of the past without a ground.

    Args:
        answer: The answer, with labels such as ``[m1]`` in it, those that no record has, too.
        evidence: What the answer may rest on.
        visible: Texts of the conversation, the user's latest message last.
        embed: Finds paraphrases; words decide alone where it is None.
    """
    seen = visible[-MOST_VISIBLE:]
    bench = Bench(
        tuple(ground(each) for each in evidence),
        Talk(seen),
        read(seen[-1] if seen else ""),
        Meaning(embed),
        asks_own(seen[-1] if seen else ""),
        asks_private(seen[-1] if seen else ""),
    )
    unsupported: list[Unsupported] = []
    miscited: list[str] = []
    opening, cited = True, False
    for segment in segments(answer):
        wrong, labels = _judged(segment, bench, opening=opening, beside=cited)
        cited = cited or bool(segment.labels)
        unsupported += wrong
        miscited += labels
        opening = opening and says_nothing(segment.text)
    return ClaimCheck(tuple(dict.fromkeys(unsupported)), tuple(dict.fromkeys(miscited)))


def _judged(
    segment: Segment, bench: Bench, *, opening: bool, beside: bool
) -> tuple[list[Unsupported], list[str]]:
    """Return what is wrong in one stretch of an answer.

    ``opening``: nothing was said before it; ``beside``: something was, and a record cited for it.
    """
    cited = tuple(each for each in bench.records if each.label in segment.labels)
    if asks(segment.text) or (segment.text.endswith((":", "：")) and not cited):
        return [], []
    groups = list(_claims(segment, bench, opening=opening, beside=beside))
    if not groups:
        return [], [each.label for each in cited if not bench.touches(segment.text, each)]
    wrong: list[Unsupported] = []
    used: set[str] = set()
    for group in groups:
        wrong += _unsupported(group, cited, used, bench)
    return wrong, [each.label for each in cited if each.label not in used]


def _claims(segment: Segment, bench: Bench, *, opening: bool, beside: bool) -> Iterator[list[str]]:
    """Return stretches of neighbouring clauses that are claims.

    What has a label is one, also where no record has that label.
    """
    group: list[str] = []
    before = Kind.OPEN
    pieces = clauses(segment.text)
    if segment.labels or leads_to_claims(segment.lead) or any(map(credited, pieces)):
        before = Kind.CLAIM
    answers = opening and not general(segment.text)
    dropped = False
    for clause in pieces:
        found = kind(clause, cited=bool(segment.labels))
        if found is Kind.OPEN:
            found = Kind.RULED_OUT if follows(clause) and group else before
        if found is Kind.OPEN and (
            bench.about_a_record(clause)
            or (answers and bench.answers(clause))
            or (beside and bench.adds(clause))
        ):
            found = Kind.CLAIM
        dropped = dropped or conditional(clause)
        if found is Kind.CLAIM and not dropped:
            group.append(clause)
        elif group:
            yield group
            group = []
        before = found
    if group:
        yield group


def _unsupported(
    group: list[str], cited: Sequence[Ground], used: set[str], bench: Bench
) -> Iterator[Unsupported]:
    """Judge a stretch whole, then in clauses; note in ``used`` the labels that hold."""
    whole = ", ".join(group)
    if bench.supported(whole, cited, used) or bench.together(whole, cited, used):
        return
    wrong = group
    if len(group) > 1 and not bench.mispaired(whole, cited):
        wrong = [each for each in group if not bench.supported(each, cited, used)]
    if wrong:
        yield Unsupported(", ".join(wrong), bench.reason(wrong[0], cited))
