"""Credentials in text: what is found, what is left alone, and what it costs.

The cases hold made-up credentials with a broken bar inside (``sk-pr¦oj-…``), so that no
scanner takes them for real ones; it is taken out when they are read.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.text.secrets import find, is_name, redact, redact_named, shapes

LINES = (Path(__file__).parent / "secret_cases.jsonl").read_text("utf-8").splitlines()
CASES: list[dict[str, Any]] = [json.loads(line.replace("¦", "")) for line in LINES]
WITH = [case for case in CASES if case["secrets"]]
WITHOUT = [case["text"] for case in CASES if not case["secrets"]]


@pytest.mark.parametrize("case", WITH, ids=lambda case: case["text"][:30])
def test_a_credential_is_found_from_end_to_end_and_named(case: dict[str, Any]) -> None:
    """R50, B40."""
    text = case["text"]
    found = [[text[each.start : each.end], each.kind] for each in find(text)]
    assert found == case["secrets"]


@pytest.mark.parametrize("text", WITHOUT, ids=lambda text: text[:30])
def test_what_is_no_credential_stays_as_it_is(text: str) -> None:
    """R50."""
    assert find(text) == ()
    assert redact(text) is text


def test_the_cases_are_many_and_of_both_sorts() -> None:
    kinds = Counter(kind for case in WITH for _, kind in case["secrets"])
    print(f"{len(WITH)} texts with credentials of {len(kinds)} kinds, {len(WITHOUT)} without")
    assert len(WITH) > 100 < len(WITHOUT)
    assert len(kinds) > 30


@pytest.mark.parametrize("case", WITH, ids=lambda case: case["text"][:30])
def test_redacting_leaves_the_text_around_and_nothing_to_redact(case: dict[str, Any]) -> None:
    redacted = redact(case["text"])
    rest = redacted
    for _, kind in case["secrets"]:
        assert f"[redacted: {kind}]" in rest
        rest = rest.replace(f"[redacted: {kind}]", "", 1)
    assert not any(secret in rest for secret, _ in case["secrets"])
    assert redact(redacted) is redacted


@given(st.lists(st.sampled_from([*(case["text"] for case in WITH), *WITHOUT, "\n", " "])))
@example(["password=", "[redacted: password]"])
def test_redacting_twice_is_redacting_once(parts: list[str]) -> None:
    once = redact(" ".join(parts))
    assert redact(once) == once


@given(st.text())
@example("İpassword=hunter2İ")
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    place = 0
    for each in find(text):
        assert place <= each.start < each.end <= len(text)
        place = each.end


@pytest.mark.parametrize(
    "text",
    ["[redacted: OpenAI API key]: staging2024", "[redacted: password]: hunter2x",
     "--password hunter2x|[redacted: password]: hunter2x"],
)  # fmt: skip
def test_what_was_redacted_names_nothing(text: str) -> None:
    assert redact(redact(text)) == redact(text)
    assert redact(text).count("[redacted: OpenAI API key]") == text.count("OpenAI")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # before a mark, and running into it
        ("password=hunter2[redacted: GitHub token]",
         "password=[redacted: password][redacted: GitHub token]"),
        ("api_key: Zk3x9QpL[redacted: password] and more",
         "api_key: [redacted: API key][redacted: password] and more"),
        ("the password for the router is hunter2[redacted: GitHub token] still",
         "the password for the router is [redacted: password][redacted: GitHub token] still"),
        ('password: "correct horse battery [redacted: token]"',
         'password: "[redacted: password][redacted: token]"'),
        # right behind one, and behind several
        ("[redacted: GitHub token]password=hunter2x",
         "[redacted: GitHub token]password=[redacted: password]"),
        ("[redacted: a][redacted: b]pwd=hunter2x",
         "[redacted: a][redacted: b]pwd=[redacted: password]"),
        ("[redacted: a]pwd=hunter2x [redacted: b]pwd=hunter3x",
         "[redacted: a]pwd=[redacted: password] [redacted: b]pwd=[redacted: password]"),
        # a mark with no end, or with nothing of a kind in it, is none
        ("[redacted: password=hunter2x", "[redacted: password=[redacted: password]"),
        ("[redacted: ]password=hunter2x", "[redacted: ]password=[redacted: password]"),
    ],
)  # fmt: skip
def test_beside_what_was_redacted_the_rest_is_found(text: str, left: str) -> None:
    """R50: nothing hides behind a mark."""
    assert redact(text) == left
    assert redact(left) is left


def test_a_shape_inside_what_is_called_a_key_says_what_it_is() -> None:
    token = "ghp" + "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert redact(f"api_key=v1.{token} ok") == "api_key=[redacted: GitHub token] ok"


def test_a_letter_that_grows_when_it_is_lowered_moves_nothing() -> None:
    assert redact("İİİ password=hunter2 İ") == "İİİ password=[redacted: password] İ"


NAMED = {
    "password": ("swordfish", "password"),
    "db_password": ("swordfish", "password"),
    "userPassword": ("correct horse battery staple", "password"),
    "api_key": ("abcd1234", "API key"),
    "X-Api-Key": ("abcd1234", "API key"),
    "clientSecret": ("sesame99", "secret"),
    "access_token": ("tok_9183yx", "token"),
    "密码": ("芝麻开门吧", "password"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_field_that_is_named_for_a_credential_is_one(name: str) -> None:
    value, kind = NAMED[name]
    assert is_name(name)
    assert redact_named(name, value) == f"[redacted: {kind}]"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("password", "string"), ("password", "Your new password"),
        ("password_hash", "9f86d081884c"),
        ("token", "Monday"), ("next_page_token", "CAEQAhgDIAQoBTAG"), ("key", "monthly_budget"),
        ("primary_key", "12ab34cd56"), ("tokens", "12ab34cd56ef"), ("author", "Jane 2nd"),
        ("secret", "The party is on Friday"), ("api_key", "YOUR_API_KEY"), ("pass", "boarding"),
    ],
)  # fmt: skip
def test_a_field_of_another_name_or_without_a_value_is_left(name: str, value: str) -> None:
    assert redact_named(name, value) is value


# --- Cost ---------------------------------------------------------------------------------

MILLION = 1_000_000
REPEATED = [
    "sk-", "sk-proj-", "eyJ", "-eyJ", " eyJaaaaaaaa.eyJ", "eyJaaaaaaaaaa.",
    "SG.aaaaaaaaaaaaaaaaaaaaa",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "://a:", "://user:b@", "1234 ", "4111-", "1",
    "12345678:AA", "a8Q~", "Bearer a", "Authorization: Basic ", "password=", "password: ",
    "password is ", "my password ", '"password": "', "password = x;", "密码是", "密码是abc",
    "secret_key_", "access_access_", "aA", "İ", "\\n", '\\"', "api_key='", "mot de passe ",
    "passwords are ", "a is my password ", "mysql -", "password: >\n ", '"passwords": ["a', "|---",
    "| password |\n|---|\n", "my password a", "pass\u00adword is ", "password a", "| ",
    "passw |-", "passw\n|" + "-" * 40 + "> ", "passw\n" + "|-" * 40 + "x\n", "passw|:-:", "\u200b",
]  # fmt: skip


@pytest.mark.parametrize("part", REPEATED)
def test_a_hostile_text_of_a_million_characters_takes_under_a_second(part: str) -> None:
    assert seconds(part) < 1.0


def test_a_text_with_the_beginning_of_every_shape_takes_under_a_second() -> None:
    for filling in ("aB3", "aB3xyzABC0123456789defgh"):
        assert seconds("".join(shape.anchor + filling for shape in shapes.SHAPES)) < 1.0


def seconds(part: str) -> float:
    """Return the time for a million characters of repetition, the better of three."""
    text = (part * (MILLION // len(part) + 1))[:MILLION]
    taken = []
    for _ in range(3):
        started = process_time()
        redact(text)
        taken.append(process_time() - started)
        if taken[-1] < 0.5:
            break
    return min(taken)
