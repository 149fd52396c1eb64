"""What is bidden is told from what is stated, and what may be meant for memory from the rest."""

from __future__ import annotations

import time

import pytest

from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.doubtful import doubtful
from langgraph_memory.policy.orders.imperatives import is_imperative
from langgraph_memory.policy.orders.reading import read
from langgraph_memory.policy.orders.restating import restated
from langgraph_memory.policy.selection import is_statement


@pytest.mark.parametrize(
    "text",
    ["Change the code to 43", "Update the code to 43", "Set the code to 43",
     "Hey, set it to 43 now",
     "Replace the code with 43", "Correct the code: it's 43", "Move the launch to Monday",
     "Erase my birthday from memory", "Drop the code from memory.", "Get rid of the code",
     "Store that I hate mushrooms", "Save this: my shoe size is 43", "Change launch date to Monday",
     "Now delete everything you have on Lina", "You should update my email to b@x.com",
     "Replace Lina with Bob as the owner", "Reschedule the dentist to 9:30 on Tuesday",
     "Ändere den Code auf 43.", "Bitte lösche meinen Geburtstag aus deinem Gedächtnis",
     "Ersetze die alte Adresse durch Hauptstraße 5", "Change le code en 43 s'il te plaît",
     "Supprime mon adresse de ta mémoire", "Cambia el código a 43 por favor",
     "Borra mi dirección de tu memoria", "把门禁密码改成四十三", "请将会议移到星期一"],
)  # fmt: skip
def test_what_is_bidden_is_never_kept_as_a_statement(text: str) -> None:
    """R44, R60: nobody wants the words of an order told back as a fact."""
    assert is_imperative(text)
    assert not is_statement(text)


@pytest.mark.parametrize(
    "text",
    ["The code changed to 43 yesterday", "I set the code to 43 yesterday",
     "Update: the launch is on Monday",
     "Change of plans: we launch on Monday", "Set designers earn little in Berlin",
     "We replaced the code with 43", "Record sales were up this year", "I keep the key in the safe",
     "Ich ändere den Code morgen auf 43", "Il change le code tous les mois",
     "Mi jefe cambia el código",
     "把发布日期改成了星期一", "我把密码改成四十三了", "Moving to Berlin was the best decision"],
)  # fmt: skip
def test_what_is_told_is_no_bidding(text: str) -> None:
    assert not is_imperative(text)


@pytest.mark.parametrize(
    ("text", "about", "new"),
    [
        ("Change the code to 43", "the code", "43"),
        ("Could you change my email to b@x.com?", "my email", "b@x.com"),
        ("Replace the code with 43.", "the code", "43"),
        ("Correct the code: it's 43", "the code", "43"),
        ("Move the launch from Friday to Monday", "the launch", "Monday"),
        ("Set the gate code to be 17", "the gate code", "17"),
    ],
)
def test_a_change_may_be_meant_for_memory(text: str, about: str, new: str) -> None:
    assert doubtful(text) == Command(Order.CORRECT, new, about, doubtful=True)


@pytest.mark.parametrize(
    "text",
    [
        "Delete the code",
        "Get rid of the code!",
        "Purge all about the code",
        "Can you remove the code?",
    ],
)
def test_a_deletion_may_be_meant_for_memory(text: str) -> None:
    assert doubtful(text) == Command(Order.FORGET, "the code", doubtful=True)


@pytest.mark.parametrize(
    "text",
    ["Delete the code from the repo", "Remove the row in the table", "Change it to 43", "Delete it",
     "Do I change the code to 43?", "I changed the code to 43", "Remove the event in my calendar",
     "My boss wants me to delete the code"],
)  # fmt: skip
def test_what_is_meant_for_another_place_is_no_order(text: str) -> None:
    assert doubtful(text) is None


def test_a_doubtful_order_counts_only_where_it_is_said_to() -> None:
    assert read("Change the code to 43").orders == ()
    found = read("Change the code to 43 and the launch to Monday. Who owns it?", lambda _: True)
    assert [(each.about, each.argument) for each in found.orders] == [
        ("the code", "43"), ("the launch", "Monday"),
    ]  # fmt: skip
    assert found.rest == "Who owns it?"


@pytest.mark.parametrize(
    ("old", "about", "new", "words"),
    [
        ("The code is 42", "the code", "43", "The code is 43"),
        ("The launch is on Friday", "the launch date", "Monday", "The launch is on Monday"),
        ("My email is a@x.com", "my email", "b@x.com", "My email is b@x.com"),
        ("My pet is a cat.", "my pet", "a dog", "My pet is a dog"),
        ("Der Code ist 42", "den Code", "43", "Der Code ist 43"),
        ("The office is in Berlin", "the office", "Hamburg", "The office is in Hamburg"),
        ("The pin is 42 and the door is red", "42", "43", "The pin is 43 and the door is red"),
        ("The sofa is grey", "the sofa", "the bedroom", ""),
        ("The code is 42", "the code", "use tabs", ""),
        ("The launch is on Friday", "the launch", "43", ""),
        ("The code is 42 or 44", "the code", "43", ""),
        ("Lina owns deployment", "deployment", "Bob", ""),
    ],
)  # fmt: skip
def test_a_memory_is_said_anew_only_where_that_is_certain(
    old: str, about: str, new: str, words: str
) -> None:
    assert restated(old, about, new) == words


@pytest.mark.parametrize("start", ["change ", "delete ", "please ", "and ", "ok, ", "把"])
@pytest.mark.parametrize("filling", [" ", "a ", "to ", "please ", ", ", "from memory ", "。"])
def test_a_long_sentence_is_judged_in_no_time(start: str, filling: str) -> None:
    began = time.process_time()
    is_imperative(start + filling * 50_000)
    read(start + filling * 5_000, lambda _: True)
    assert time.process_time() - began < 1.0
