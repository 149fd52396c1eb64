"""Part 1: a launch date that moves, a question nobody can answer, a neighbour who sees nothing."""

from __future__ import annotations

from langgraph_memory.cli.common import say
from langgraph_memory.cli.demo.checks import Checks, title
from langgraph_memory.cli.talk import Talk
from langgraph_memory.home import Home
from langgraph_memory.memory import ScopedMemory
from langgraph_memory.operations.capture import Utterance

TENANT = "acme"
USER = "shop1@example.com"


def run(home: Home, checks: Checks) -> None:
    """Tell the story, ask about it in a new session, and check every answer."""
    title("1. The launch story")
    me = home.memory.scope(tenant=TENANT, user=USER)
    _tell(me)
    talk = Talk(home, me, "launch-review")
    _ask(talk, checks, "When is the launch?", ["moved to Monday", "superseded", "Friday", "you,"])
    _ask(talk, checks, "Who owns deployment?", ["Lina owns deployment"])
    _ask(talk, checks, "What blocks release?", ["Checkout failures must block the launch"])
    _ask(talk, checks, "What is our monthly infrastructure budget?", ["$150"])
    _ask(talk, checks, "What is the owner's blood type?", ["I don't know", "blood"])
    stranger = home.memory.scope(tenant=TENANT, user="shop2@example.com")
    found = stranger.recall("When is the launch?")
    checks.that(
        not found.evidence and not found.rejected,
        "another user of the same tenant gets nothing, not even a rejected candidate",
    )


def _tell(me: ScopedMemory) -> None:
    _state(me, "The monthly infrastructure budget is $150.", monthly_budget=None)
    _state(
        me,
        "Lina owns deployment, and the launch is scheduled for Friday",
        deployment_owner="Lina owns deployment",
        launch_date="The launch is scheduled for Friday",
    )
    _state(me, "Checkout failures must block the launch", blockers=None)
    _state(me, "The launch moved to Monday", launch_date=None)


def _state(me: ScopedMemory, said: str, **facts: str | None) -> None:
    """Capture what was said, then remember each fact in it with the event as its source."""
    message = f"told-{len(me.transcript('launch-planning')) + 1}"
    [captured] = me.capture([Utterance("launch-planning", message, "user", said)])
    for key, fact in facts.items():
        me.remember(fact or said, key=key, events=[captured.event.id])
    say(f"  told: {said}")


def _ask(talk: Talk, checks: Checks, question: str, expected: list[str]) -> None:
    answer = talk.say(question)
    say(f"\n  > {question}")
    for line in answer.splitlines():
        say(f"    {line}")
    checks.that(all(part in answer for part in expected), f"says {', '.join(expected)}")
