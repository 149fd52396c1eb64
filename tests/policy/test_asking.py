"""What only puts a question goes; what is asked stays, word for word."""

from __future__ import annotations

import time

import pytest

from langgraph_memory import Home
from langgraph_memory.policy.language.asking import bare_question

PUT = [
    ("Do you remember when the launch is?", "when the launch is?"),
    ("Do you remember who owns deployment?", "who owns deployment?"),
    ("Do you recall my sister's name?", "my sister's name?"),
    ("Do you still know who owns deployment?", "who owns deployment?"),
    ("Can you remind me who owns deployment?", "who owns deployment?"),
    ("Could you please tell me where the office is?", "where the office is?"),
    ("Could you look up who owns deployment?", "who owns deployment?"),
    ("Please tell me who owns deployment, thanks", "who owns deployment"),
    ("Remind me when the launch is.", "when the launch is."),
    ("Remind me of the code", "the code"),
    ("Tell me again what the code is", "what the code is"),
    ("What's the launch date again?", "What's the launch date?"),
    ("Who was the vet again?", "Who was the vet?"),
    ("Hey, when is the launch?", "when is the launch?"),
    ("Hi there! Who owns deployment?", "Who owns deployment?"),
    ("Good morning, who owns deployment?", "who owns deployment?"),
    ("Thanks. And who owns deployment?", "who owns deployment?"),
    ("Quick question: when is the launch?", "when is the launch?"),
    ("I was wondering when the launch is.", "when the launch is."),
    ("I forgot when the launch is.", "when the launch is."),
    ("I'd like to know who owns deployment", "who owns deployment"),
    ("What did I say about deployment?", "deployment?"),
    ("What did I tell you about the launch?", "the launch?"),
    ("What do you know about the launch?", "the launch?"),
    ("Have I told you my sister's name?", "my sister's name?"),
    ("When is the launch, please?", "When is the launch?"),
    ("Weißt du noch, wann der Launch ist?", "wann der Launch ist?"),
    ("Hallo, wer ist für das Budget zuständig?", "wer ist für das Budget zuständig?"),
    ("Kannst du mir bitte sagen, wo das Büro ist?", "wo das Büro ist?"),
    ("Tu te souviens quand est le lancement ?", "quand est le lancement ?"),
    ("Bonjour, où est le bureau ?", "où est le bureau ?"),
    ("¿Te acuerdas de cuándo es el lanzamiento?", "cuándo es el lanzamiento?"),
    ("Hola, ¿dónde está la oficina?", "¿dónde está la oficina?"),
    ("请问发布是什么时候？", "发布是什么时候？"),
    ("你还记得发布日期吗？", "发布日期？"),
    ("告诉我发布日期，谢谢", "发布日期"),
]  # fmt: skip
CONTENT = [
    "Who reminded me of the launch?", "Remind me to call Tom", "Hey Jude is whose song?",
    "What did Tom say about the launch?", "When did I tell you about the launch?",
    "Thanks to whom did we win?", "Do you remember me?", "Do you know Lina?",
    "When do we meet again?",
    "Why did it break again?", "What do you know about me?", "Who knows when the launch is?",
    "Does Lina remember when the launch is?", "Can Tom tell me the code?", "Tell me a joke",
    "Tell Lina when the launch is", "Who said please?", "When is Thanksgiving?",
    "What does okay mean in French?", "Which greeting is polite, hello or hi?", "Can you swim?",
    "Do you know?", "Who forgot the code?", "What did I say?", "When did I forget the keys?",
    "What is the thank you note about?", "And the budget?", "Is the launch on Friday?",
    "Wer erinnert sich an den Launch?", "Weißt du das?", "Qui se souvient du code ?",
    "¿Quién recuerda el código?", "谁记得发布日期？", "你记得我吗？", "Lina owns deployment",
    "", "?",
]  # fmt: skip


@pytest.mark.parametrize(("message", "asked"), PUT)
def test_what_only_puts_a_question_goes(message: str, asked: str) -> None:
    """R44: greeting, thanks, "do you remember" and "again" ask for nothing."""
    assert bare_question(message) == asked


@pytest.mark.parametrize("message", CONTENT)
def test_what_is_asked_stays(message: str) -> None:
    assert bare_question(message) == message


@pytest.mark.parametrize("part", ["hey, ", "thanks ", "again ", "do you know ", "你", " , "])
def test_a_long_message_is_taken_as_it_is_in_no_time(part: str) -> None:
    began = time.process_time()
    assert bare_question(part * 50_000) == part * 50_000
    bare_question((part * 500)[:500])
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you remember when the launch is?", "The launch is on Friday"),
        ("Hey, when is the launch?", "The launch is on Friday"),
        ("Thanks. And who owns deployment?", "Lina owns deployment"),
        ("What's the launch date again?", "The launch is on Friday"),
        ("What did I say about deployment?", "Lina owns deployment"),
    ],
)
def test_the_bare_question_is_answered_and_the_asked_one_told(
    home: Home, question: str, answer: str
) -> None:
    """R22, R44: what was asked stays in the trace as it was said."""
    me = home.memory.scope(tenant="t", user="u")
    me.remember("The launch is on Friday")
    me.remember("Lina owns deployment")
    found = me.recall(question)
    assert [hit.content for hit in found.evidence] == [answer]
    assert found.question == question
