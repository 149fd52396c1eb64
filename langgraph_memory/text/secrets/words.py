"""What a value looks like: drawn by lot, a word of the language, a placeholder, code."""

from __future__ import annotations

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PLACEHOLDERS = _words(
    """
    none null nil true false yes no on off string str text varchar bool boolean int integer bytes
    any object optional required mandatory empty blank undefined unknown unset todo tbd na n/a
    hidden masked removed redacted password passwd passphrase pwd pass secret secrets token key
    apikey api_key api-key value values example sample placeholder dummy default input label field
    type name user username email here yours changeme change-me change_me protected invalid
    incorrect wrong missing expired correct valid reset ok okay enabled disabled set stored same
    below above attached forgotten case-sensitive credentials authentication authorization
    必填 必填项 可选 错误 正确 为空
    """
)
_FORM = re.compile(
    r"\$\{|\$\(|\$[a-z_]+$|\{|<|\[|\(|%[(s]|%[a-z_]{3,}%|\.{2,}|…|[*•●x·_-]{3,}$"
    r"|(?:os|process|env|self|config|settings|args|request|secrets)[.\[]|(?:sha\d+|md5)[:=-]"
)
_EXAMPLE = re.compile(
    r"(?:your|my|the|some|insert|enter|user|db|example|fake|dummy|placeholder)[a-z]*[_-][a-z_-]*"
    r"|[a-z_-]*[_-](?:here|password|secret|token|key|placeholder)"
)
CODE = re.compile(r"[A-Za-z_]\w{0,64}(?:\.[A-Za-z_]\w{0,64}){0,6}(?:[(\[]|\?\.|!\.)")
"""A call, or a look into something."""

_TECHNICAL = re.compile(
    r"(?:sha|md|base|aes|oauth|utf|rsa|bcrypt|pbkdf|argon|tls|ssl|http/?|hs|rs|es|ed|x|iso|ipv|v|rfc)"
    r"-?\d{1,5}(?:[-_.:/]|$)|\dpassword|\dfa\b|mfa\b|oidc|saml|ntlm|webauthn|fido\d",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\d{1,4}(?:[-–~.]\d{1,4})?[-–]?(?:char|day|week|month|year|hour|minute|min|sec|digit|letter|byte"
    r"|bit|time|word|item|x\b|st\b|nd\b|rd\b|th\b|%|k\b|$)",
    re.IGNORECASE,
)
_SAID_OF_ONE = _words(
    """
    about again almost already always another around based because before being below broken
    checked common complex correct crypto different double empty encrypted enough every exactly
    expired fine first forgotten found given going gone good hashed hidden incorrect invalid known
    leaked lost missing never needed often optional plain reset right safe salted secret secure
    sensitive shared short similar simple something still strong stored there tough under unique
    unknown valid visible weak where which wrong required mandatory obsolete public private
    """
)
_ENDINGS = re.compile(
    r".{2,}(?:ed|ing|able|ible|ful|less|ous|ive|ory|ary|ant|ent|ly|ical|ial|ional|ure|ated|est|ment"
    r"|tion|ness)"
)
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_UNUSUAL = re.compile(r"[@#$%^&*+=~|!?]")
_PROSE = re.compile(
    r"\b(?:the|your|my|a|an|is|are|must|should|please|enter|at|least|for|to|of|and|or|with|be|has|have"
    r"|not|new|old|this|that|in|on|it|you|we|characters?|password|reset|forgot|confirm)\b",
    re.IGNORECASE,
)


def mixed(value: str) -> bool:
    """Tell whether letters stand with digits or with signs that no word has."""
    if value.isalpha() or value.isdigit():
        return False
    letters = _LETTER.search(value) is not None
    digits = _DIGIT.search(value) is not None
    signs = _UNUSUAL.search(value) is not None
    return (letters and digits) or (signs and (letters or digits) and len(value) >= 5)


def is_word(value: str) -> bool:
    """Tell whether it is nothing but letters, with hyphens or apostrophes between."""
    return value.replace("-", "").replace("'", "").replace("_", "").isalpha()


def is_said_of_one(word: str) -> bool:
    """Tell whether a word can follow "the password is" in a sentence about passwords."""
    folded = word.lower().strip("-'")
    plain = "-" in folded or "'" in folded
    return plain or folded in _SAID_OF_ONE or bool(_ENDINGS.fullmatch(folded))


def is_placeholder(value: str) -> bool:
    """Tell whether it stands where a credential would: ``<password>``, ``your-api-key``."""
    folded = value.strip().lower()
    return (
        folded in _PLACEHOLDERS
        or _FORM.match(folded) is not None
        or (("_" in folded or "-" in folded) and _EXAMPLE.fullmatch(folded) is not None)
        or (len(set(folded)) == 1 and not folded.isdigit())
        or "xxxx" in folded
    )


def is_identifier(value: str) -> bool:
    """Tell whether it is a variable of a program: ``raw_password``, ``settings.token``."""
    return bool(re.fullmatch(r"_*[a-zA-Z]+(?:_[a-zA-Z]+)+|[a-zA-Z_]+(?:\.[a-zA-Z_]+)+", value))


def is_technical(value: str) -> bool:
    """Tell whether it is the name of a method or a norm: ``SHA256``, ``OAuth2``."""
    return not value.isalpha() and _TECHNICAL.match(value) is not None


def is_measure(value: str) -> bool:
    """Tell whether it is a number with a unit, or a short number: ``8-16``, ``90-days``."""
    found = _MEASURE.match(value) if value[:1].isdigit() else None
    return found is not None and not (value.isdigit() and len(value) >= 4)


def is_passphrase(value: str) -> bool:
    """Tell whether several words are no sentence."""
    parts = value.split()
    return 3 <= len(parts) <= 24 and value == value.lower() and not _PROSE.search(value)
