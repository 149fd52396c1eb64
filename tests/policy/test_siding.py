"""An answer decides between the user's latest words and a record, or leaves both standing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from langgraph_memory.policy.claims.repeating import repeated
from langgraph_memory.policy.updates.contradiction import Told
from langgraph_memory.ports import Citation

LAUNCH = ("The launch is on Monday.", "The launch is on Friday")
OWNER = ("Bob owns deployment.", "Lina owns deployment")
BUDGET = ("The budget is $700.", "The budget is $500")
MANAGER = ("My manager is Tom.", "My manager is Anna")
HOME = ("I live in Porto now.", "I live in Lisbon")
FLIGHT = ("The flight leaves at 9:30.", "The flight leaves at 9:00")
PHONE = ("My phone number is 555-9999.", "My phone number is 555-1234")
DIET = ("I'm not vegetarian any more.", "I am vegetarian")
HAN = ("发布日期是周一。", "发布日期是周五")
WORK = ("I work at Bosch now.", "I work at Siemens")

AGAINST_THE_USER = [
    (LAUNCH, "Still Friday [m1], not Monday."),
    (LAUNCH, "It remains on Friday [m1]."),
    (LAUNCH, "Monday is incorrect; it is Friday [m1]."),
    (LAUNCH, "You may say Monday, yet the launch is on Friday [m1]."),
    (LAUNCH, "Although you say Monday, it's Friday [m1]."),
    (LAUNCH, "Friday [m1]. You are mistaken about Monday."),
    (LAUNCH, "Sorry, that's incorrect: Friday [m1]."),
    (LAUNCH, "The launch is on Friday [m1] rather than Monday."),
    (LAUNCH, "Memory has Friday [m1], so the launch is on Friday."),
    (LAUNCH, "I know you said Monday, but it is scheduled for Friday [m1]."),
    (LAUNCH, "The launch date is Friday [m1], whatever you say about Monday."),
    (LAUNCH, "Definitely Friday [m1]."),
    (OWNER, "Talk to Lina about it [m1]."),
    (OWNER, "Reach out to Lina, since she owns deployment [m1]."),
    (OWNER, "Bob does not own deployment; Lina does [m1]."),
    (OWNER, "It's Lina, never Bob [m1]."),
    (OWNER, "Deployment belongs to Lina [m1]."),
    (OWNER, "Bob isn't the owner, Lina is [m1]."),
    (BUDGET, "$500 [m1], instead of $700."),
    (BUDGET, "You have $500 to spend [m1]."),
    (BUDGET, "Your budget isn't $700, it's $500 [m1]."),
    (MANAGER, "Tom isn't your manager. Anna is [m1]."),
    (MANAGER, "Anna is your manager [m1]."),
    (HOME, "You live in Lisbon [m1], not in Porto."),
    (HOME, "In Lisbon [m1]."),
    (FLIGHT, "It leaves at 9:00 [m1] (9:30 is wrong)."),
    (PHONE, "Your phone number is 555-1234 [m1], not 555-9999."),
    (DIET, "You are vegetarian [m1], so try tofu."),
    (HAN, "发布在周五，不是周一 [m1]。"),
    (HAN, "你记错了，发布日期是周五 [m1]。"),
    (HAN, "是周五，而不是周一。"),
    (WORK, "You are employed by Siemens [m1]."),
    (WORK, "Your employer is Siemens [m1], not Bosch."),
]
BY_THE_USER = [
    (LAUNCH, "The launch is on Monday, not Friday [m1]."),
    (LAUNCH, "On Monday. Memory has Friday [m1]."),
    (LAUNCH, "You say Monday; my notes say Friday [m1]."),
    (LAUNCH, "My notes say the launch is on Friday [m1], but you now say Monday."),
    (LAUNCH, "Monday (memory: Friday [m1])."),
    (LAUNCH, "It moved from Friday [m1] to Monday."),
    (LAUNCH, "The launch, previously on Friday [m1], is now on Monday."),
    (LAUNCH, "I have Friday on record [m1], but I go by your Monday."),
    (LAUNCH, "There is a conflict: Friday [m1] versus Monday."),
    (LAUNCH, "Lina told you Friday [m1]; now it is Monday."),
    (LAUNCH, "Monday instead of Friday [m1]."),
    (LAUNCH, "According to memory, the launch is on Friday [m1]; you now say Monday."),
    (LAUNCH, "The launch is on Monday, no longer on Friday [m1]."),
    (LAUNCH, "Understood, Monday. Should I have Friday [m1] corrected?"),
    (LAUNCH, "It is not on Friday [m1] any more; it is on Monday."),
    (LAUNCH, "That is Monday, as you say; the record has Friday [m1]."),
    (LAUNCH, "The launch is on Monday. Note that the stored record still lists Friday [m1]."),
    (OWNER, "Bob owns deployment, taking over from Lina [m1]."),
    (OWNER, "Ask Bob. Lina was listed before [m1]."),
    (OWNER, "Ask Bob rather than Lina [m1]."),
    (OWNER, "Bob. In memory: Lina [m1]."),
    (OWNER, "Lina [m1] (according to memory), Bob (according to you)."),
    (OWNER, "Bob, and not Lina as stored [m1]."),
    (OWNER, "Bob does not need Lina's help."),
    (OWNER, "Bob, who does not work on Fridays, owns deployment."),
    (BUDGET, "With $700 you have $200 more than the $500 on record [m1]."),
    (BUDGET, "Your budget is $700, up from $500 [m1]."),
    (BUDGET, "$700. It is not just $500 [m1] any more."),
    (BUDGET, "It is $700; that is not below $700."),
    (MANAGER, "Tom is your manager; Anna was, according to my notes [m1]."),
    (MANAGER, "Your manager is Tom, not Anna [m1]."),
    (HOME, "You live in Porto. Memory still says Lisbon [m1]."),
    (HOME, "Porto. You moved from Lisbon [m1], it seems."),
    (FLIGHT, "At 9:30; I had 9:00 stored [m1]."),
    (PHONE, "555-9999. Memory has 555-1234 [m1]."),
    (DIET, "Since you are no longer vegetarian, try steak. Memory said otherwise [m1]."),
    (DIET, "How about steak?"),
    (HAN, "发布日期是周一，不是周五 [m1]。"),
    (HAN, "你说周一，记忆中是周五 [m1]。"),
    (WORK, "You work at Bosch; earlier it was Siemens [m1]."),
    (WORK, "Bosch. I will go by that instead of Siemens [m1]."),
    (LAUNCH, "Not until Monday. Memory says Friday [m1]."),
    (LAUNCH, "If it were on Friday [m1], you would have less time; on Monday you have more."),
]


def stale(row: tuple[str, str], answer: str) -> bool:
    said, known = row
    evidence = [Citation("m1", "id-1", known, "you", datetime(2026, 5, 1, tzinfo=UTC))]
    told = Told(said)
    assert told.against(evidence)
    return bool(repeated(answer, told, told.against(evidence), evidence))


@pytest.mark.parametrize(("row", "answer"), AGAINST_THE_USER)
def test_an_answer_that_decides_for_the_record_is_stale(row: tuple[str, str], answer: str) -> None:
    """R39: naming both values does not make it right."""
    assert stale(row, answer)


@pytest.mark.parametrize(("row", "answer"), BY_THE_USER)
def test_an_answer_by_the_user_or_without_a_decision_is_fine(
    row: tuple[str, str], answer: str
) -> None:
    """R39."""
    assert not stale(row, answer)
