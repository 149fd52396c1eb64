"""What is said of somebody else answers no question about oneself."""

from __future__ import annotations

import pytest

from langgraph_memory.policy.persons import of_another


@pytest.mark.parametrize(
    ("question", "content", "who"),
    [
        ("Do I like football?", "My friend hates football", "My friend"),
        ("Do I still like football?", "My friend Tom likes football.", "My friend Tom"),
        ("Where do I live?", "Bob lives in Paris", "Bob"),
        ("Where do I live?", "Bob: I live in Paris.", "Bob"),
        ("What is my favourite colour?", "Bob's favourite colour is red", "Bob"),
        ("Where do I work?", "She works at Google", "She"),
        ("我喜欢足球吗？", "我朋友讨厌足球", "我朋友"),
        ("我住在哪里？", "他住在上海", "他"),
    ],
)
def test_a_memory_of_somebody_else_is_no_answer(question: str, content: str, who: str) -> None:
    """R50: "My friend hates football" is not pinned on the user."""
    assert of_another(question, content) == who


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Does my friend like football?", "My friend hates football"),
        ("Do I like football?", "I hate football"),
        ("Do I like football?", "I hate football. My friend loves it"),
        ("Who do I ask about deployment?", "Lina owns deployment"),
        ("Where does Bob live?", "Bob lives in Paris"),
        ("What did Bob say about where I live?", "Bob: I live in Paris."),
        ("Who is my manager?", "My manager is Anna"),
        ("What do I need for the launch?", "The launch is on Monday"),
        ("When do I meet Anna?", "Anna comes on Monday"),
        ("What is my budget?", "The monthly budget is 150 dollars"),
        ("Where do I live?", "Berlin is where we live"),
        ("Do I have a meeting?", "The team has a meeting at ten"),
        ("What is my dog's name?", "My dog is called Rex"),
        ("我住在哪里？", "我现在住在北京"),
        ("我朋友喜欢足球吗？", "我朋友讨厌足球"),
        ("", "Bob lives in Paris"),
        ("Where do I live?", ""),
    ],
)
def test_what_answers_is_left(question: str, content: str) -> None:
    assert of_another(question, content) == ""
