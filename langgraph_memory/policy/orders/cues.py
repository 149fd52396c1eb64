"""The words of each order in fifteen languages, as people put them.

Cues are read in folded spelling, of the languages a message may be in. To forget in the negative
is to remember ("don't forget"), to remember in the negative is to stop, so both are read before
the plain verbs; that is all the grammar there is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from langgraph_memory.policy.orders.cue_forms import Cues
from langgraph_memory.policy.orders.cues_northern import NORTHERN
from langgraph_memory.policy.orders.cues_romance import ROMANCE
from langgraph_memory.policy.orders.cues_scripts import SCRIPTS

CUES: dict[str, Cues] = {**NORTHERN, **ROMANCE, **SCRIPTS}


@cache
def pattern(part: str, spoken: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of one part of :class:`Cues` in several languages."""
    return re.compile("|".join(f"(?:{getattr(CUES[each], part)})" for each in spoken) or r"(?!)")


def without(part: str, spoken: Iterable[str], text: str) -> str:
    """Return a text without what a part of the cues finds in it."""
    return pattern(part, tuple(spoken)).sub(" ", text)
