"""What the user's messages of a turn say: what they state, and what the latest one asks.

Only the user's own words count, and no orders: memory carried those out already.
"""

from __future__ import annotations

from dataclasses import dataclass

from langgraph_memory.nodes.access import latest_question, question_of, text_of, unanswered
from langgraph_memory.nodes.state import PrivateState
from langgraph_memory.policy.orders.discretion import asks_discretion
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.policy.updates.parting import parted
from langgraph_memory.text.secrets import redact


@dataclass(frozen=True, slots=True)
class Saying:
    """The words of a turn, without credentials.

    Attributes:
        whole: The latest message, after those before it that state something.
        states: What they state, sentence by sentence, in order.
        asks: What the latest message asks: all of it where it states nothing, and nothing
            where it only states.
        leans: Whether that may be understood only beside what is stated.
        discreet: Whether the latest message asks that nothing of it is kept.
    """

    whole: str
    states: tuple[str, ...] = ()
    asks: str = ""
    leans: bool = False
    discreet: bool = False

    @property
    def question(self) -> str:
        """What memory is asked first."""
        return self.asks or self.whole

    @property
    def does_both(self) -> bool:
        """Whether something is stated beside what is asked."""
        return bool(self.states and self.asks)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is stated where nothing is asked, and may be kept."""
        return () if self.asks or self.discreet else self.states

    def told(self) -> Told:
        """Return what is stated, to be held against memory."""
        return Told("\n".join(self.states))


def saying(state: PrivateState) -> Saying:
    """Return what the user's messages of this turn say."""
    latest = latest_question(state)
    others = set(state.get("captured", {}).get("others", ()))
    text = redact(question_of(state))
    if str(latest.id) in others:
        return Saying(text, asks=text)
    states: list[str] = []
    before: list[str] = []
    for message in unanswered(state, latest):
        if str(message.id) in others:
            continue
        earlier = redact(text_of(message))
        if (reading := read(earlier)).orders:
            earlier = reading.rest
        if told := parted(earlier).states:
            states += told
            before.append(earlier)
    own = parted(text)
    return Saying(
        "\n".join([*before, text]),
        (*states, *own.states),
        own.asks,
        own.leans,
        asks_discretion(text),
    )
