"""Credentials that are known by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from langgraph_memory.text.secrets.services import SERVICES

Span = tuple[int, int, str]

_WORD = r"A-Za-z0-9_\-"
_ALNUM = "A-Za-z0-9"
_TELLING = 6
"""From so many characters on, a beginning that ends with "_" is no word's end by chance."""


class _Shape(NamedTuple):
    """A form: it can only stand where its anchor stands, which is quick to see."""

    kind: str
    anchor: str
    pattern: re.Pattern[str]
    by_chance: bool  # whether words can have this form; then it must look drawn by lot


def _shape(kind: str, anchor: str, tail: str, *, by_chance: bool = True) -> _Shape:
    # The anchor stands first, so that the engine leaps from one to the next, and only then is
    # the character before it looked at. A token begins where no token can be going on already:
    # each stretch of text is then tried once, and time stays in proportion to length. In JSON
    # inside JSON a line break is a backslash and an "n", which is no part of the token. What no
    # word ends with, such as "sk_live_", is a token's beginning wherever it stands.
    literal = re.escape(anchor)
    if len(anchor) >= _TELLING and anchor.endswith("_"):
        return _Shape(kind, anchor, re.compile(f"{literal}{tail}"), by_chance)
    alone = rf"(?:(?<![{_ALNUM}_]{literal})|(?<=\\[nrt]{literal}))"
    return _Shape(kind, anchor, re.compile(f"{literal}{alone}{tail}"), by_chance)


SHAPES: tuple[_Shape, ...] = (
    _shape("Anthropic API key", "sk-ant-", rf"[{_WORD}]{{16,300}}"),
    _shape("OpenRouter API key", "sk-or-", rf"[{_WORD}]{{16,300}}"),
    *(
        _shape("OpenAI API key", f"sk-{kind}-", rf"[{_WORD}]{{16,300}}")
        for kind in ("proj", "svcacct", "admin", "None")
    ),
    _shape("OpenAI API key", "sk-", rf"(?:[a-z]{{1,12}}-)?[{_ALNUM}]{{16,300}}(?![{_WORD}])"),
    *(
        _shape("AWS access key", start, rf"[A-Z0-9]{{16}}(?![{_ALNUM}_])", by_chance=False)
        for start in ("AKIA", "ASIA")
    ),
    *(_shape("GitHub token", f"gh{kind}_", rf"[{_ALNUM}]{{30,255}}") for kind in "pousr"),
    _shape("GitHub token", "github_pat_", rf"[{_ALNUM}_]{{22,255}}"),
    *(
        _shape("GitLab token", f"gl{kind}-", rf"[{_WORD}.]{{20,300}}")
        for kind in ("pat", "ptt", "dt", "rt", "cbt", "oas", "soat", "ft", "imt", "agent")
    ),
    _shape("Slack token", "xox", rf"[abeoprs][.-][{_WORD}.]{{10,300}}"),
    _shape("Slack token", "xapp-", rf"\d-[{_WORD}]{{16,300}}"),
    _shape("Slack webhook", "hooks.slack.com/services/", rf"T[{_ALNUM}/]{{30,100}}"),
    _shape("Discord webhook", "discord.com/api/webhooks/", rf"\d{{10,25}}/[{_WORD}]{{40,100}}"),
    _shape("Google API key", "AIza", rf"[{_WORD}]{{35}}(?![{_WORD}])"),
    _shape("Google access token", "ya29.", rf"[{_WORD}.]{{20,2000}}"),
    _shape("Google client secret", "GOCSPX-", rf"[{_WORD}]{{20,60}}"),
    *(
        _shape("Stripe key", f"{kind}_{mode}_", rf"[{_ALNUM}]{{16,255}}")
        for kind in ("sk", "rk")
        for mode in ("live", "test")
    ),
    _shape("Stripe webhook secret", "whsec_", rf"[{_ALNUM}+/]{{24,100}}={{0,2}}"),
    _shape("npm token", "npm_", rf"[{_ALNUM}]{{36}}(?![{_ALNUM}])"),
    _shape("PyPI token", "pypi-", rf"[{_WORD}]{{32,1000}}"),
    _shape("Hugging Face token", "hf_", rf"[{_ALNUM}]{{30,60}}"),
    _shape("Twilio API key", "SK", rf"[0-9a-f]{{32}}(?![{_ALNUM}])", by_chance=False),
    _shape("SendGrid API key", "SG.", rf"[{_WORD}]{{16,100}}\.[{_WORD}]{{16,100}}"),
    _shape("LangSmith API key", "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{6,20}"),
    _shape("Groq API key", "gsk_", rf"[{_ALNUM}]{{40,100}}"),
    _shape("xAI API key", "xai-", rf"[{_ALNUM}]{{40,120}}"),
    _shape("Perplexity API key", "pplx-", rf"[{_ALNUM}]{{40,100}}"),
    _shape("NVIDIA API key", "nvapi-", rf"[{_WORD}]{{40,120}}"),
    _shape("Tavily API key", "tvly-", rf"[{_WORD}]{{20,80}}"),
    _shape("Replicate API key", "r8_", rf"[{_ALNUM}]{{37,40}}"),
    _shape("DigitalOcean token", "dop_v1_", r"[0-9a-f]{64}"),
    _shape("Databricks token", "dapi", rf"[0-9a-f]{{32}}(?![{_ALNUM}])"),
    _shape("Docker token", "dckr_pat_", rf"[{_WORD}]{{20,60}}"),
    _shape("Shopify token", "shpat_", r"[0-9a-fA-F]{32}"),
    _shape("Linear API key", "lin_api_", rf"[{_ALNUM}]{{32,60}}"),
    _shape("Notion token", "ntn_", rf"[{_ALNUM}]{{40,60}}"),
    _shape("Grafana token", "glsa_", rf"[{_ALNUM}]{{32}}_[0-9a-f]{{8}}"),
    _shape("Vault token", "hvs.", rf"[{_WORD}]{{20,200}}"),
    _shape("Postman API key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _shape("age private key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    _shape("JSON Web Token", "eyJ",
           rf"(?<!-eyJ)[{_WORD}]{{8,4000}}\.[{_WORD}]{{8,16000}}\.[{_WORD}]{{8,4000}}"),
    *(_shape(*each) for each in SERVICES),
)  # fmt: skip

_SIGNS = "_-./"


def _gate(shape: _Shape) -> str:
    """Return a sign that stands in the anchor: most texts have no underscore."""
    return next((sign for sign in _SIGNS if sign in shape.anchor), "")


_GATES = {sign: [shape for shape in SHAPES if _gate(shape) == sign] for sign in ("", *_SIGNS)}


def find(text: str) -> Iterator[Span]:
    """Yield start, end and kind of each; they may overlap."""
    for gate, shapes in _GATES.items():
        if gate in text:
            for shape in shapes:
                if shape.anchor in text:
                    yield from _of_shape(shape, text)
    if ":" in text:
        yield from _with_colon(text)
    if "AKIA" in text or "ASIA" in text:
        yield from _beside_access_keys(text)
    if "-us" in text:
        yield from _all(_MAILCHIMP, text, "Mailchimp API key")
    if "sig=" in text:
        for signature in _SIGNATURE.finditer(text):
            yield *signature.span("secret"), "signature of an address"
    if "Q~" in text:
        yield from _all(_AZURE, text, "Azure client secret")
    if "-----BEGIN" in text:
        yield from _private_keys(text)
    if _DIGITS.search(text):
        yield from _cards(text)


def _of_shape(shape: _Shape, text: str) -> Iterator[Span]:
    for found in shape.pattern.finditer(text):
        if not shape.by_chance or drawn(found[0][len(shape.anchor) :]):
            yield found.start(), found.end(), shape.kind


def drawn(token: str) -> bool:
    """Tell whether a token looks drawn by lot rather than written by hand as an example."""
    if len(set(token)) < 8:
        return False
    folded = token.lower()
    if "xxxx" in folded or "your" in folded:
        return False
    digits = any(map(str.isdigit, token))
    return digits or (token != folded and token != token.upper() and not _CAMEL.fullmatch(token))


_CAMEL = re.compile(r"(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?:[-_]?[A-Z][a-z]{2,}|[-_][A-Z]{2,})*")


# --- Shapes with a sign in the middle ----------------------------------------------------

_AZURE = re.compile(rf"(?<![{_WORD}.~])[{_WORD}.~]{{3}}\dQ~[{_WORD}.~]{{31,34}}(?![{_WORD}.~])")
_MAILCHIMP = re.compile(rf"(?<![{_ALNUM}_])[0-9a-f]{{32}}-us[0-9]{{1,2}}(?![{_ALNUM}_])")
_SIGNATURE = re.compile(rf"[?&]sig=(?P<secret>[{_ALNUM}%+/_-]{{40,120}}={{0,2}})")
_TELEGRAM = re.compile(rf"(?<![0-9])[0-9]{{8,10}}:AA[{_WORD}]{{32,33}}(?![{_WORD}])")
_ADDRESS = re.compile(r"://(?P<user>[^\s/@:\"'<>`]{0,128}):(?P<secret>[^\s/\"'<>`]{1,256})@")
_VARIABLE = re.compile(r"\$|\{|%[(s]|%[A-Z_]{3,}%|\*+$|\.+$|[xX]{3,}$|\[redacted")


def _with_colon(text: str) -> Iterator[Span]:
    if ":AA" in text:
        yield from _all(_TELEGRAM, text, "Telegram bot token")
    if "://" in text and "@" in text:
        for found in _ADDRESS.finditer(text):
            if not _VARIABLE.match(found["secret"]):
                yield *found.span("secret"), "password"


def _all(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Span]:
    for found in pattern.finditer(text):
        yield found.start(), found.end(), kind


# --- What stands beside the id of an access key -------------------------------------------

_ACCESS_KEY = re.compile(rf"(?<![{_ALNUM}_])(?:AKIA|ASIA)[A-Z0-9]{{16}}(?![{_ALNUM}_])")
_SECRET_KEY = re.compile(rf"(?<![{_ALNUM}+/=_-])[{_ALNUM}+/]{{40}}(?![{_ALNUM}+/_-])")
_SENTENCE = re.compile(r"[.!?。！？](?=\s|$)|\n\s*\n")
_REACH = 200


def _beside_access_keys(text: str) -> Iterator[Span]:
    """Yield what an access key's id is followed by in its sentence, called a secret or not."""
    for key in _ACCESS_KEY.finditer(text):
        end = _SENTENCE.search(text, key.end(), key.end() + _REACH)
        last = end.start() if end else min(len(text), key.end() + _REACH)
        for found in _SECRET_KEY.finditer(text, key.end(), last + 1):
            if found.end() <= last and drawn(found[0]) and not _HEX.fullmatch(found[0]):
                yield *found.span(), "AWS secret key"


_HEX = re.compile(r"[0-9a-f]{40}|[0-9A-F]{40}")
"""A checksum, such as the name of a commit."""


# --- Private keys ------------------------------------------------------------------------

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"[A-Za-z0-9+/=\s\\]*")
_LONGEST_KEY = 40_000


def _private_keys(text: str) -> Iterator[Span]:
    place, closing = 0, 0
    while found := _BEGIN.search(text, place):
        if 0 <= closing < found.end():
            closing = text.find("-----END", found.end())
        if found.end() <= closing <= found.end() + _LONGEST_KEY:
            line = text.find("-----", closing + 8, closing + 60)
            place = closing + 8 if line < 0 else line + 5
        else:  # cut off: what looks like the key's text
            body = _BODY.match(text, found.end())
            place = body.end() if body else found.end()
        yield found.start(), place, "private key"


# --- Payment cards -----------------------------------------------------------------------

_DIGITS = re.compile(r"[0-9]{4}[ .-]?[0-9]{4,6}[ .-]?[0-9]{4,5}")  # quick; the next two are exact
_GROUPED = re.compile(
    r"(?<![0-9A-Za-z._-])(?:[0-9]{4}([ .-])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}"
    r"|3[0-9]{3}([ .-])[0-9]{6}\2[0-9]{5})(?![0-9A-Za-z_]|[-.][0-9A-Za-z])"
)
_PLAIN = re.compile(r"(?<![0-9A-Za-z._-])[0-9]{13,19}(?![0-9A-Za-z_]|[-.][0-9A-Za-z])")
_ISSUED = re.compile(
    r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01])|3[47]|6(?:011|5|4[4-9])|35(?:2[89]|[3-8])|62|3(?:0[0-5]|[68])"
)
_CARD_WORDS = re.compile(
    r"\b(?:card|visa|mastercard|amex|credit|debit|cc)\b|卡号|卡號|信用卡|银行卡|カード",
    re.IGNORECASE,
)
_NEAR = 40


def _cards(text: str) -> Iterator[Span]:
    for found in _GROUPED.finditer(text):
        if _is_card(found[0]):
            yield found.start(), found.end(), "card number"
    for found in _PLAIN.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        if _is_card(found[0]) and _CARD_WORDS.search(before):
            yield found.start(), found.end(), "card number"


def _is_card(written: str) -> bool:
    """Tell whether a number can be a card's: an issuer's range, and a check digit that fits."""
    digits = [int(sign) for sign in written if sign.isdigit()]
    number = "".join(map(str, digits))
    if not 13 <= len(digits) <= 19 or not _ISSUED.match(number):
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
