"""R13: an exception, another scope and a weakened denial replace nothing."""

from __future__ import annotations

import pytest

from langgraph_memory.policy.updates.update import replaces

BOTH_STAND = [
    ("My manager is Karen", "My manager is sick"),
    ("My manager is Karen", "My manager is in Paris"),
    ("My manager is Karen", "My manager is very kind"),
    ("My boss is Tom", "My boss is on vacation"),
    ("My employer is Acme", "My employer is hiring"),
    ("My favourite band is Radiohead", "My favourite band is on tour"),
    ("Our database is PostgreSQL", "Our database is slow"),
    ("Our default branch is main", "Our default branch is protected"),
    ("My car is red", "My car is a Volvo"),
    ("My doctor is Dr. Weiss", "My doctor is great"),
    ("The standup is at 9:30", "The standup is at 11 today"),
    ("The meeting is on Mondays", "The meeting is on Tuesday this week"),
    ("The office is open", "The office is closed today"),
    ("I work from home", "I don't work from home today"),
    ("I eat meat", "I don't eat meat this month"),
    ("The timeout is 5 seconds on staging", "The timeout is 30 seconds on production"),
    ("The plan costs $10 per month", "The plan costs $100 per year"),
    ("The price is $10 in the US", "The price is 12 euros in Germany"),
    ("The limit is 100 per user", "The limit is 1000 per team"),
    ("I play tennis", "I don't play tennis well"),
    ("I speak French", "I don't speak French well"),
    ("I drink coffee", "I no longer drink coffee after 6 pm"),
]
REPLACED = [
    ("My manager is Karen", "My manager is Tom"),
    ("My manager is Karen", "My manager is Tom now"),
    ("Our database is PostgreSQL", "Our database is MySQL"),
    ("My favourite colour is red", "My favourite colour is blue"),
    ("The timeout is 5 seconds", "The timeout is 30 seconds"),
    ("The plan costs $10 per month", "The plan costs $12 per month"),
    ("The timeout is 5 seconds on staging", "The timeout is 9 seconds on staging"),
    ("I work at Google", "I joined Microsoft this week"),
    ("I drink coffee", "I no longer drink coffee"),
    ("The launch is on Friday", "The launch is on Monday"),
]


@pytest.mark.parametrize(("old", "new"), BOTH_STAND)
def test_both_stand(old: str, new: str) -> None:
    assert not replaces(new, old)


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_change_is_still_seen(old: str, new: str) -> None:
    assert replaces(new, old)
