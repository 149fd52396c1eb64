"""What people and programs call a credential, and what stands between the name and it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

PASSWORD = "password"  # noqa: S105  a kind, in words
KEY = "API key"
TOKEN = "token"  # noqa: S105
SECRET = "secret"  # noqa: S105
KINDS = frozenset({PASSWORD, KEY, TOKEN, SECRET})


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_ANCHORS = (
    "pass", "pw", "secret", "token", "key", "credential", "kennwort", "contrase", "senha",
    "парол",
    "密码", "密碼", "口令", "密钥", "密鑰", "私钥", "私鑰", "令牌", "パスワード", "비밀번호",
)  # fmt: skip
"""One of these begins the last word of every name, in small letters."""

_LAST_WORD = re.compile(
    r"(?P<password>pass(?:[ _-]?(?:word|phrase|code)|wd|wort)|kennwort|contrase[ñn]a|senha|пароль"
    r"|密码|密碼|口令|パスワード|비밀번호)"
    r"|(?P<bare>passe?|pwd?)"
    r"|(?P<secret>secret(?:[ _-]?(?:access)?[ _-]?key)?|credentials?|私钥|私鑰)"
    r"|(?P<token>token|令牌)"
    r"|(?P<named>密钥|密鑰)"
    r"|(?P<key>key)",
    re.IGNORECASE,
)
_BEFORE_KEY = _words(
    """
    api access secret private encryption signing master account subscription license service auth
    """
)
_OTHERWISE = _words(
    """
    next prev previous page pagination continuation sync cancel cancellation cursor resume csrf xsrf
    pad eos bos unk sep cls mask special stop start end public first last num max min per input
    output total forgot reset change confirm
    """
)
"""What stands before a name that is called so and is none: a page's token, a lost password."""

_WORD_BEFORE = re.compile(r"(?:[A-Z]?[a-z]{1,16}|[A-Z]{1,16})(?=[ _-]?\Z)")

SIGN = re.compile(
    r"""
    (?P<close>(?:\\{0,3}["'`\]]|\*\*){0,2})                      # of a name in quotes, in JSON
    (?:
        (?P<space>[ \t]{0,4})(?P<sign>:=|=>|->|==?|[:：＝])(?:\*\*)?
      | [ ]{1,3}
        (?P<verb>is(?:[ ]now|[ ]set[ ]to|[ ]currently)?|was|will[ ]be|are|es|ist|lautet|est|é)
        (?=[ :]):?
      | (?P<cjk>\s?(?:[就也]?是|为|為|[改设設](?:置)?[成为為]|は|는|은))[ :：]?
    )
    (?P<after>[ \t]{0,4})
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand between a name and the credential."""


class Name(NamedTuple):
    """A name of a credential.

    Attributes:
        start: Where its last word begins, in characters.
        end: Where it ends, exclusive.
        kind: What it is the name of.
        bare: Whether the word also means something else: "pass".
    """

    start: int
    end: int
    kind: str
    bare: bool


def places(text: str) -> Iterator[int]:
    """Yield, in order, where a name may have its last word."""
    folded = text.replace("İ", "I").lower()  # the one letter that grows
    found: list[int] = []
    for anchor in _ANCHORS:
        place = folded.find(anchor)
        while place >= 0:
            found.append(place)
            place = folded.find(anchor, place + len(anchor))
    yield from sorted(found)


def end_of(text: str, place: int) -> re.Match[str] | None:
    """Return the last word of a name; whether it is the name of anything is not asked yet."""
    return _LAST_WORD.match(text, place)


def name_of(text: str, word: re.Match[str]) -> Name | None:
    """Return the name that ends with a word, None where it is no name of a credential."""
    start = word.start()
    sort = word.lastgroup or ""
    if sort in ("password", "named"):
        bounded = True
    else:
        bounded = _begins(text, start) or not word[0].isascii()
    before = None
    if text[start - 1 : start].isascii():
        before = _WORD_BEFORE.search(text, max(0, start - 17), start)
    qualifier = before[0].lower() if before else ""
    if not bounded or qualifier in _OTHERWISE:
        return None
    if sort == "key" and qualifier not in _BEFORE_KEY:
        return None
    kind = {"secret": SECRET, "token": TOKEN, "named": KEY}.get(sort, PASSWORD)
    if sort == "key":
        kind = KEY if qualifier == "api" else SECRET
    bare = sort == "bare" and word[0].lower() != "pwd" and not text.endswith("mot de ", 0, start)
    return Name(start, word.end(), kind, bare)


def _begins(text: str, start: int) -> bool:
    """Tell whether a word begins here: ``my_token``, ``accessToken``, a line break in JSON."""
    before = text[start - 1 : start]
    if not (before.isalnum() and before.isascii()):
        return True
    if text[start].isupper() and not before.isupper():
        return True
    return before in "nrt" and text[start - 2 : start - 1] == "\\"
