"""Data by which a person is reached or recognised, where it stands in a text.

What has a checksum is known by it: IBANs (ISO 13616), Chinese identity numbers (GB 11643); a
social security number of the United States is one that is called so.
Numbers of orders, versions, dates and amounts stay what they are: a phone number is one that is
written as such, or called one. The numbers of payment cards are credentials (``text.secrets``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 100_000
"""Characters that are looked at; a longer text is a file, not a statement."""


class Data(StrEnum):
    """A sort of personal data."""

    EMAIL = "email"
    PHONE = "phone"
    IBAN = "iban"
    IDENTITY = "identity_number"


NAMES = {
    Data.EMAIL: "an e-mail address",
    Data.PHONE: "a phone number",
    Data.IBAN: "a bank account number",
    Data.IDENTITY: "an identity number",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A piece of personal data: from ``start`` to ``end``, exclusive, in characters."""

    start: int
    end: int
    data: Data


_EMAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z\u4e00-\u9fff]{2,24}(?![\w@-])"
)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ .-]?[A-Za-z0-9]{2,4}){3,8}(?![A-Za-z0-9])"
)
_LEAST_DIGITS = 8  # of an IBAN: a sentence has fewer
_SOCIAL_SECURITY = re.compile(
    r"\b(?:ssn|social security(?: number| no\.?| #)?)\b[^\d\n]{0,20}"
    r"(?P<n>(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\2(?!0000)\d{4})(?!\d)",
    re.IGNORECASE,
)
_IDENTITY = re.compile(r"(?<![\dA-Za-z])\d{17}[\dXx](?![\dA-Za-z])")
_PHONE = re.compile(
    r"(?<![\w+.,/=#-])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,5}\)?[ .-]?){2,5}\d{2,5}"
    r"|\(\d{2,5}\) ?\d{2,4}[ .-]?\d{2,5}(?:[ .-]?\d{2,5})?"
    r"|\d{3}-\d{3}-\d{4}|1[3-9]\d{9})(?![\w/]|[.-]\d)"
)
_CALLED = re.compile(
    r"(?:\b(?:phone|mobile|cell|tel(?:ephone)?|telefon|handy|whatsapp|call (?:me|us|him|her|them)"
    r"(?: (?:at|on|under))?)\b[^\d\n]{0,25}|(?:电话|手机|致电)[^\d\n]{0,8})"
    r"(?P<n>\+?\(?\d(?:[ ()./-]{0,2}\d){5,14})(?![\w])",
    re.IGNORECASE,
)


def find(text: str) -> tuple[Found, ...]:
    """Return the personal data in a text, in order; none overlaps another."""
    if len(text) > LONGEST or not any(char.isdigit() or char == "@" for char in text):
        return ()
    found: list[Found] = []
    for each in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return tuple(found)


def without(text: str, found: tuple[Found, ...]) -> str:
    """Return the text with ``[redacted: e-mail address]`` and the like in place of each piece."""
    parts, place = [], 0
    for each in found:
        parts += [text[place : each.start], f"[redacted: {NAMES[each.data].split(' ', 1)[1]}]"]
        place = each.end
    return "".join([*parts, text[place:]])


def _all(text: str) -> Iterator[Found]:
    for each in _EMAIL.finditer(text):
        yield Found(*each.span(), Data.EMAIL)
    for each in _IBAN.finditer(text):
        yield from _ibans(each)
    for each in _IDENTITY.finditer(text):
        if _is_identity_number(each[0].upper()):
            yield Found(*each.span(), Data.IDENTITY)
    for each in _SOCIAL_SECURITY.finditer(text):
        yield Found(*each.span("n"), Data.IDENTITY)
    for each in _PHONE.finditer(text):
        yield Found(*each.span(), Data.PHONE)
    for each in _CALLED.finditer(text):
        yield Found(*each.span("n"), Data.PHONE)


def _ibans(each: re.Match[str]) -> Iterator[Found]:
    """Yield the IBAN that a stretch begins with: what follows it may look like a part of it."""
    ends = [place for place in range(each.end(), each.start() + 14, -1) if _ends(each, place)]
    for end in ends:
        if _is_iban(_GAPS.sub("", each.string[each.start() : end])):
            yield Found(each.start(), end, Data.IBAN)
            return


_GAPS = re.compile(r"[ .-]")


def _ends(each: re.Match[str], place: int) -> bool:
    return not each.string[place : place + 1].isalnum() and each.string[place - 1].isalnum()


def _is_iban(iban: str) -> bool:
    """Tell whether a text has the check digits of ISO 13616."""
    if not 15 <= len(iban) <= 34 or sum(map(str.isdigit, iban)) < _LEAST_DIGITS:
        return False
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def _is_identity_number(number: str) -> bool:
    """Tell whether a number has the check character of GB 11643."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return number[-1] == "10X98765432"[total % 11]
