"""How much a value must look like a credential, by how plainly it is called one: each bound."""

from __future__ import annotations

import pytest

from langgraph_memory.text.secrets import find, redact_named, words

RULES = [
    # in quotes
    ('password="abcd"', "abcd"), ('password="abc"', None), ('password="ab\ncd"', None),
    ('pass="abcd1"', "abcd1"), ('pass="abcd"', None), ('password="changeme"', None),
    ('token="a1b2c3d4"', "a1b2c3d4"), ('token="a1b2c3d"', None), ('token="abcdefgh"', None),
    ('api_key="abcdef"', "abcdef"), ('api_key="abcde"', None),
    ('my password is "abc"', "abc"), ('my password is "ab"', None),
    ('my password is "a b c"', None), ('my password is "changeme"', None),
    ('my api key is "abc12d"', "abc12d"), ('my api key is "abc12"', None),
    ('my api key is "abcdefg"', None),
    ('password="one\ntwo\nthree"', None), ('password="one two three"', "one two three"),
    # without quotes and spaces
    ("password=abcd", "abcd"), ("password=abc", None), ("password=raw_password", None),
    ("password=get_it(x)", None), ("password=<yours>", None),
    ("pass=abc123", "abc123"), ("pass=abc12", None), ("pass=abcdef", None),
    ("token=abcdef123456", "abcdef123456"), ("token=abcdef12345", None),
    ("token=abcdefghijkl", None),
    ("api_key=abc123", "abc123"), ("api_key=abc12", None), ("api_key=abcdefgh", "abcdefgh"),
    ("api_key=abcdefg", None), ("api_key:abcdefgh", None), ("api_key:12345678", None),
    ("api_key:abc123", "abc123"), ("api_key=12345678", "12345678"),
    # with a space
    ("password: ab12", "ab12"), ("password: ab1", None), ("password: sesame", "sesame"),
    ("password: sesame, they say", None), ("we ask for a password: sesame", None),
    ("password: 8-16", None), ("password: SHA256", None), ("password: changeme", None),
    ("pass: sesame", None), ('"password": 12345678', None), ("password: 12345678", "12345678"),
    ("token: abcdef123456", "abcdef123456"), ("token: abcdef12345", None),
    ("api key: abcd1234", "abcd1234"), ("api key: abcd123", None), ("api key: abcdefgh", None),
    # told in a sentence
    ("my password is ab12", "ab12"), ("my password is ab1", None),
    ("my password is 1234", "1234"), ("my password is 123", None),
    ("my password is 1234 characters long", None), ("my password is 1234.", "1234"),
    ("my password is swordfish", "swordfish"), ("my password is swordfish!", "swordfish!"),
    ("my password is swordfish today", None), ("my password is fish", None),
    ("my password is encrypted", None), ("my password is changeme", None),
    ("my password is 90-days", None), ("my password is OAuth2", None),
    ("my api key is abcd1234", "abcd1234"), ("my api key is abcd123", None),
    ("my token is 12345678", None), ("我的密码是abcde", "abcde"), ("我的密码是abcd", None),
    # with nothing between
    ("user bob, password ab12cd", "ab12cd"), ("user bob, password ab12c", None),
    ("user bob, password abcdef", None), ("user bob, password SHA256", None),
    ("bob reset his password ab12cd", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "secret"), RULES, ids=[text for text, _ in RULES])
def test_the_bound_of_each_rule(text: str, secret: str | None) -> None:
    """R50."""
    assert [text[each.start : each.end] for each in find(text)] == ([secret] if secret else [])


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("password", "abcd", True), ("password", "abc", False), ("password", "ab" * 256, True),
        ("password", "ab" * 256 + "c", False), ("n" * 56 + "password", "abcd", True),
        ("n" * 57 + "password", "abcd", False), ("passwords", "abcd", True),
        ("keys", "ab12cd34", False),
        ("api_keys", "abcdef", True), ("tokens", "a1b2c3d4", False), ("password_at", "abcd", False),
    ],
)  # fmt: skip
def test_the_bounds_of_a_field(name: str, value: str, hidden: bool) -> None:
    assert (redact_named(name, value) != value) is hidden


@pytest.mark.parametrize(
    ("tell", "yes", "no"),
    [
        (words.mixed, "a1 a@b1 1@234 ab#cd", "abcd 1234 a@b @@@@@ a-b _____ ab-cd-ef"),
        (words.is_word, "abc ab-cd don't ab_cd", "a1 12 a@b"),
        (
            words.is_said_of_one,
            "forgotten Forgotten well-kept don't encrypted leaving secure",
            "swordfish sesame fish hunter",
        ),
        (
            words.is_placeholder,
            "changeme <x> ${X} your-key my_password aaaa axxxxb ******",
            "aaab 1111 hunter2x yourself keymaster",
        ),
        (words.is_identifier, "raw_password settings.token _a_b", "password a1_b settings."),
        (words.is_technical, "SHA256 OAuth2 TLS1.3 2fa", "Saml hunter2 abc"),
        (words.is_measure, "8-16 90-days 12chars 3 123", "1234 12345678 abc 12zz45 a8"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_a_value_looks_like(tell: object, yes: str, no: str) -> None:
    assert callable(tell)
    assert [each for each in yes.split() if not tell(each)] == []
    assert [each for each in no.split() if tell(each)] == []


def test_several_words_that_are_no_sentence_are_a_passphrase() -> None:
    for value in ("correct horse battery", " ".join(["horse"] * 24)):
        assert words.is_passphrase(value)
    for value in (
        "correct horse", "Correct horse battery", "enter the password", " ".join(["horse"] * 25),
    ):  # fmt: skip
        assert not words.is_passphrase(value)
