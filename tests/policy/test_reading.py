"""A message is read sentence by sentence, whatever stands in it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.policy.orders.commands import Command, Order
from langgraph_memory.policy.orders.consent import Consent, consent, left_to_ask, narrowed
from langgraph_memory.policy.orders.pieces import pieces
from langgraph_memory.policy.orders.reading import Reading, read
from langgraph_memory.policy.orders.righting import statement


@given(st.text())
def test_a_message_without_orders_is_all_that_is_left(text: str) -> None:
    reading = read(text)
    assert reading.orders or reading == Reading(rest=text)


@given(st.text(alphabet=st.sampled_from('aB .!?\n"“”`>-;。1')))
def test_pieces_leave_nothing_but_white_space_out(text: str) -> None:
    found = pieces(text)
    assert "".join("".join(each.text for each in found).split()) == "".join(text.split())
    assert all(text[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize(
    "filling",
    ["remember that x. ", "and forget my x ", "\n", "“", '"', "> x\n", "```", "! ", "?", ". ", " ",
     "，忘记", "thanks. ", "hello, ", ";", "- a\n", "the following: ", "„", ", "],
)  # fmt: skip
def test_a_long_message_is_read_in_no_time(filling: str) -> None:
    started = time.process_time()
    read("Remember that " + filling * 20_000 + "x")
    assert time.process_time() - started < 3.0


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Remember that Dr. Lopez is my dentist. Thanks!", "Dr. Lopez is my dentist."),
        ("Remember that the rent is due on 3. May. What is it?", "the rent is due on 3. May."),
        ("Remember that it is No. 5. Bye", "it is No. 5."),
        ('Remember "the door code is 42." Thanks!', "the door code is 42."),
        ("Remember that I said “Stop. Forget it.” Thanks", "I said “Stop. Forget it.”"),
        ("Remember that I drink and forget my keys", "I drink and forget my keys"),
        ("remember I live in\nBerlin. thanks", "I live in\nBerlin."),
        ("Remember this: always use tabs. Run the tests first.",
         "always use tabs. Run the tests first."),
        ("Remember that my car is green. Write me a poem.", "my car is green."),
        ("Remember that I use this:\n```\nx = 1\n```", "I use this:\n```\nx = 1\n```"),
    ],
)  # fmt: skip
def test_to_remember_takes_along_what_belongs_to_it(text: str, kept: str) -> None:
    assert read(text).orders == (Command(Order.REMEMBER, kept),)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            "Remember that my car is green and what is my bike's colour?",
            "what is my bike's colour?",
        ),
        ("Could you forget my car and tell me a joke?", "tell me a joke?"),
        ("Forget my car. Write me a poem.", "Write me a poem."),
        ("Forget my car. I sold it.", ""),
        ("Forget my car. I sold it. What now?", "I sold it.\nWhat now?"),
    ],
)
def test_what_else_is_asked_is_left(text: str, rest: str) -> None:
    reading = read(text)
    assert len(reading.orders) == 1
    assert reading.rest == rest


@pytest.mark.parametrize(
    ("about", "new", "said"),
    [
        ("the launch date", "Monday", "The launch date is Monday"),
        ("Budget", "Das Budget beträgt 300 Euro", "Das Budget beträgt 300 Euro"),
        ("el presupuesto", "El presupuesto es 300", "El presupuesto es 300"),
        ("Berlin", "Ahora vivo en Madrid", "Ahora vivo en Madrid"),
        ("予算", "予算は300ユーロ", "予算は300ユーロ"),
        ("das Budget", "300 Euro", "Das Budget ist 300 Euro"),
        ("el presupuesto", "300 euros", "El presupuesto es 300 euros"),
        ("бюджет", "300 евро", "Бюджет: 300 евро"),
        ("预算", "三百", "预算是三百"),
        ("launch_date", "Monday", "Monday"),
        ("", "Monday", "Monday"),
    ],
)
def test_a_correction_stands_by_itself_in_its_own_language(about: str, new: str, said: str) -> None:
    assert statement(about, new) == said


def test_what_was_corrected_tells_the_language() -> None:
    assert statement("Budget", "300 Euro", "Das Budget ist 200 Euro") == "Budget ist 300 Euro"


@pytest.mark.parametrize(
    ("message", "orders"),
    [
        ("Remember that I like tea and then forget the launch date.",
         [("remember", "I like tea"), ("forget", "the launch date.")]),
        ("请记住我对花生过敏，另外忘掉发布日期。",
         [("remember", "我对花生过敏"), ("forget", "发布日期")]),
        ("记住我喜欢茶，然后把发布日期改成周一",
         [("remember", "我喜欢茶"), ("correct", "周一")]),
        ("记住我喜欢把头发改成红色", [("remember", "我喜欢把头发改成红色")]),
    ],
)  # fmt: skip
def test_a_second_order_in_a_sentence_is_its_own(
    message: str, orders: list[tuple[str, str]]
) -> None:
    found = read(message)
    assert [(each.order.value, each.argument) for each in found.orders] == orders
    assert found.rest == ""


@pytest.mark.parametrize(
    "said",
    ["Thank you so much, you're the best!", "Have a nice day!", "Talk later!", "Oh and thank you.",
     "cheers", "Never mind."],
)  # fmt: skip
def test_thanks_are_no_part_of_a_memory(said: str) -> None:
    assert read(f"Remember that I like tea. {said}") == Reading(
        (Command(Order.REMEMBER, "I like tea."),)
    )


@pytest.mark.parametrize(
    "lead",
    ["Also, ", "Additionally, ", "Never mind. ", "Hello again! ", "One more thing: ",
     "By the way, "],
)  # fmt: skip
def test_what_leads_to_a_question_is_no_part_of_it(lead: str) -> None:
    asked = read(f"Remember that I like tea. {lead}when is the launch?")
    assert asked.rest == "when is the launch?"


def test_a_question_without_a_mark_is_asked() -> None:
    found = read("Remember that I like tea and tell me when the launch is.")
    assert found.orders == (Command(Order.REMEMBER, "I like tea"),)
    assert found.rest == "tell me when the launch is."


@pytest.mark.parametrize(
    ("message", "subject", "order"),
    [
        ("Merk dir nichts über meine Gesundheit", "Gesundheit", Order.STOP),
        ("Merk dir das nicht: ich habe Diabetes", "Diabetes", Order.SKIP),
        ("Merk dir nichts über meine Gesundheit. Ich habe Diabetes.", "Diabetes", Order.SKIP),
        ("Ich bin schwanger, aber merk dir das bitte nicht.", "schwanger", Order.SKIP),
        ("Ich bin schwanger, aber merk dir das bitte nicht.", "Schwangerschaft", Order.SKIP),
        ("Je suis enceinte, ne note pas ça.", "enceinte", Order.SKIP),
        ("I'm pregnant, don't remember that.", "pregnant", Order.SKIP),
        ("My wife is ill, but don't store that.", "my wife", Order.SKIP),
        ("我怀孕了，别记。", "怀孕", Order.SKIP),
        ("Jag är gravid, men spara inte det.", "gravid", Order.SKIP),
        ("Spara ingenting om min hälsa", "min hälsa", Order.STOP),
        ("Don't remember my address", "my address", Order.STOP),
        ("Ne retiens plus rien sur ma santé", "ma santé", Order.STOP),
        ("以后别再存任何关于我健康的东西", "我健康", Order.STOP),
    ],
)
def test_a_rule_is_about_what_the_user_calls_it(message: str, subject: str, order: Order) -> None:
    """R64."""
    assert narrowed(Command(Order.STOP, subject), message).order is order


@pytest.mark.parametrize(
    ("order", "argument", "verdict"),
    [
        (Order.STOP, "min hälsa", Consent.GIVEN),
        (Order.STOP, "", Consent.NONE),
        (Order.FORGET, "min hälsa", Consent.UNSURE),
        (Order.FORGET, "min bil", Consent.NONE),
        (Order.REMEMBER, "om min hälsa", Consent.GIVEN),
        (Order.REMEMBER, "min hälsa god", Consent.NONE),
        (Order.RESUME, "", Consent.NONE),
    ],
)
def test_where_no_rule_knows_the_language_the_cost_of_a_mistake_decides(
    order: Order, argument: str, verdict: Consent
) -> None:
    """R51: nothing is lost by it, and nothing is let in that the user did not say."""
    assert consent(Command(order, argument), "Spara ingenting om min hälsa") is verdict


def test_what_is_asked_beside_a_models_orders_is_left() -> None:
    call = [Command(Order.REMEMBER, "mein Auto ist grün")]
    said = (
        "Kannst du dir merken, dass mein Auto grün ist? Schreib mir ein Gedicht. Danke! "
        "Wer bist du?"
    )
    assert left_to_ask(call, said) == "Schreib mir ein Gedicht.\nWer bist du?"
    listed = [Command(Order.LIST)]
    assert (
        left_to_ask(listed, "Was weißt du über mich? Und wie spät ist es?")
        == "Und wie spät ist es?"
    )
