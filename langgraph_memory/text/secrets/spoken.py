"""Credentials in further forms of speech and of files, each found by one bounded pattern.

"The password for the router is …", ``<password>…</password>``, ``--password …``, a PIN, a value
on the next line. What stands there must look drawn by lot, unless the form leaves no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from langgraph_memory.text.secrets import tables, words
from langgraph_memory.text.secrets.names import KEY, PASSWORD, SECRET, TOKEN

Span = tuple[int, int, str]

_WHOSE = (
    r"(?: (?:for|of|to|on|in)(?: (?:the|my|our|your))?(?: [\w.-]{1,24}){1,3}?"
    r"| (?:we|i|you|they) [a-z]{2,12}(?: [a-z]{2,10})?| ?\([^)\n]{1,40}\))"
)


_I = re.IGNORECASE


class _Form(NamedTuple):
    gate: str
    pattern: re.Pattern[str]
    kind: str
    holds: Callable[[str], bool]


def _mixed(value: str) -> bool:
    bare = value.rstrip(".,;!?")
    return len(bare) >= 5 and words.mixed(bare) and not words.is_technical(bare)


def _any(value: str) -> bool:
    return not words.is_placeholder(value)


def _word(value: str) -> bool:
    """Tell whether what is called a password may be one: no pronoun, no deed."""
    plain = value.isascii() and value.isalpha()
    said_of_one = re.fullmatch(r"(?:\w+(?:ing|thing|body)|whatever|password)", value, _I)
    return not words.is_placeholder(value) and not (plain and said_of_one)


def _han(value: str) -> bool:
    return not re.search(r"[的吗呢么不用要是在]", value)


def _form(
    gate: str, pattern: str, kind: str, holds: Callable[[str], bool] = _mixed, *, flags: int = 0
) -> _Form:
    return _Form(gate, re.compile(pattern, flags), kind, holds)


_FORMS = (
    _form("</", r"<[\w:-]{0,20}?(?:password|passwd)[\w-]{0,10}>(?P<v>[^<\s]{4,200})</", PASSWORD,
          _any, flags=_I),
    _form("</", r"<[\w:-]{0,20}?(?:secret|token|api[_-]?key)[\w-]{0,10}>(?P<v>[^<\s]{8,200})</",
          SECRET, flags=_I),
    _form("--", r"--(?:password|passwd)[ =](?P<v>[^\s'\"$<{-][^\s'\"]{3,200})", PASSWORD, _any),
    _form("--", r"--(?:token|api-key|secret|auth-token)[ =](?P<v>[^\s'\"$<{-][^\s'\"]{7,200})",
          TOKEN),
    _form("curl", r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)["
                  r" =][^\s:'\"]{1,64}:(?P<v>[^\s'\"$<{]{4,200})",
          PASSWORD, _any),
    _form("assw", rf"\b(?:password|passphrase){_WHOSE} is (?P<v>\S{{5,128}})", PASSWORD, flags=_I),
    _form("assw", r"\bpassw(?:ord|ort)\s?[:：][ \t]{0,4}\n[ \t]{0,4}(?P<v>\S{5,64})(?=["
                  r" \t]{0,4}(?:\n|\Z))",
          PASSWORD, flags=_I),
    _form("assw", r"\b(?:wi-?fi|router|admin|root|login|database|db|e?mail|server|guest)(?:['’]s)? "
          r"password (?P<v>\S{6,64})", PASSWORD, flags=_I),
    _form("assw", r"^(?:my |our |the )?(?:[\w-]{1,12} )?passw(?:ord|ort)[:：] "
          r"(?P<v>[a-z]{3,12}(?: [a-z]{3,12}){2,5})\.?$", PASSWORD, words.is_passphrase,
          flags=_I | re.MULTILINE),
    _form("assw", r"^(?:my |our |the )?password (?P<v>\S{6,64})[ \t]{0,4}$", PASSWORD,
          flags=_I | re.MULTILINE),
    _form("assw", r"\bpasswords are (?P<v>\S{5,128})", PASSWORD, flags=_I),
    _form("assw", r"\bpasswords are \S{5,128} (?:and|or) (?P<v>\S{5,128})", PASSWORD, flags=_I),
    _form("assw", r"\b(?:my|our) password (?!manager|policy|hint|reset)[a-z'’ ]{2,40}: "
                  r"(?P<v>\S{6,64})", PASSWORD, flags=_I),
    _form("assw", r"(?<!\S)(?P<v>[^\s\[\]]{6,64}) is (?:my|our) "
                  r"(?:[\w-]{1,12} ){0,2}passw(?:ord|ort)"
                  r"(?=[ \t]{0,2}(?:[.,;:!?)\n]|\Z)| (?:for|on|at|in|and|now|there)\b)",
          PASSWORD, _word, flags=_I),
    _form("assw", r"^[ \t]{0,40}[\w.-]{0,32}passw(?:ord|d):[ \t]{0,4}[>|][+-]?[ \t]{0,4}\n"
                  r"[ \t]{1,40}(?P<v>\S{4,200})[ \t]{0,4}$", PASSWORD, _any,
          flags=_I | re.MULTILINE),
    _form("sshpass", r"\bsshpass -p ?['\"]?(?P<v>[^\s'\"$<{]{3,200})", PASSWORD, _any),
    _form("mysql", r"\bmysql(?:dump|admin)?\b[^\n]{0,200}? -p['\"]?"
                   r"(?P<v>(?!rint-)[^\s'\"$<{]{4,200})",
          PASSWORD, _any),
    _form("ey", rf"\b(?:api|access) key{_WHOSE} is (?P<v>\S{{8,128}})", KEY, flags=_I),
    _form("PIN", r"\bPIN(?: (?:code|number))?(?: (?:for|of|to)(?: (?:the|my|our))?(?:"
                 r" [\w.-]{1,24}){1,2}?)?"
          r"(?: is |: ?|=)(?P<v>\d{4,8})\b", PASSWORD, _any),
    _form("码", r"密码\s?(?:是|为|：|:)\s?(?P<v>[\u4e00-\u9fff]{2,8}\d{2,8})(?=[，。!！\s]"
               r"|\Z)", PASSWORD,
          _han),
    _form("码", r"我的[\u4e00-\u9fffA-Za-z]{0,8}密码是(?P<v>[\u4e00-\u9fff]{4,8})"
          r"(?=[，。!！\s]|\Z)", PASSWORD, _han),
    _form(".", r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])",
          "Discord bot token", lambda value: any(map(str.isdigit, value))),
)  # fmt: skip


def find(text: str) -> Iterator[Span]:
    """Yield start, end and kind of each; they may overlap."""
    if "assw" in text or "ASSW" in text:
        yield from tables.find(text)
    for form in _FORMS:
        if form.gate not in text:
            continue
        for found in form.pattern.finditer(text):
            name = "v" if "v" in form.pattern.groupindex else 0
            value = found[name].rstrip(".,;!?)") if name else found[0]
            if value and form.holds(value):
                yield found.start(name), found.start(name) + len(value), form.kind
