"""An answer or a message in its sentences, what each cites, and its clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LABELS = re.compile(r"(?:[,\s]*(?:and\s+)?[\[［【]m\d+[\]］】])+")
_LABEL = re.compile(r"m\d+")
_LABELS_AFTER_END = re.compile(r"([.!?。！？]+[\"”’)）]*)\s*((?:[\[［【]m\d+[\]］】][,\s]*)+)")
_CODE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARKS = re.compile(r"\*\*|__|`|^\s*#+\s*|^\s*>\s*", re.MULTILINE)
_QUOTE = re.compile(r"^\s*>")
_DRAFT = re.compile(
    r"\b(?:draft|template|example|post|e-?mail|message|letter|caption|version|subject)\b|草稿"
    r"|模板|示例",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_JOINT = re.compile(r"^(?:and|but|so|while|而且|并且|但是?)(?:\s+|(?<=[\u3400-\u9fff]))")
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)、])\s+")
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|st|e\.g|i\.e|vs|approx|no|inc|ltd|etc)\.(?=\s)"
    r"|\b[ap]\.m\.(?=\s+[a-z])",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?<=[.!?…])[\"”’)]*\s+(?=[A-Z0-9ÀÖ\"“(\[\u3400-\u9fff])|(?<=[。！？；])[”」』）]?"
    r"|(?<=[\u3400-\u9fff][.!?;])(?=[\u3400-\u9fff])"
    r"|(?<=[.!?…])\s+(?=(?:who|whom|whose|what|where|when|why|which|how)\b)"
)
_DOT = "\ue000"
_NO_DATE = (
    r"(?!\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[A-Z]"
    r"|\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\s+\d|\s+(?:19|20)\d\d\b)"
)
_BREAK = re.compile(
    rf"(?:,{_NO_DATE}|;|(?<!\[redacted):(?!\d)|(?<![”\"])\s[—–-])\s+(?:(?:and|but|so|while)\s+)?"
    rf"|(?<!hundred)(?<!thousand)\s+(?:and|but|while|whereas|because)\s+"
    r"|\s\(|\)(?=\s|$)|(?:，|；|：|、(?=我|你)|(?<=[\u3400-\u9fff])[,;:](?=[\u3400-\u9fff]))"
    r"(?:而且|但是|但|而|所以|因此)?"
)
_OPENS = re.compile(
    r"^\W*(?:(?:and|but)\s+)?(?:before(?:\s+(?:that|this))?|prior to (?:that|this)"
    r"|previously|originally|initially|earlier|formerly|until then|at first"
    r"|(?:in|on|since|by|until)(?:\s+[\w'’-]+){1,3}|原来|本来|以前|之前"
    r"|最初)(?:, superseded on [\w -]+)?\W*$",
    re.IGNORECASE,
)
_PIECES = re.compile(r",\s+|;\s+|\s[—–-]\s|[，；]|(?<=[\u3400-\u9fff])[,;](?=[\u3400-\u9fff])")
_ASKING = re.compile(
    r"^\W*(?:(?:and|so|but|or|ok|okay|well|then|hey|please|now)[,\s]+)*(?:who|whom|whose|what"
    r"|when|where|why|"
    r"which|how|is|are|am|was|were|do|does|did|has|have|had|can|could|should|shall|will|would"
    r"|may|might|isn't|aren't|don't|doesn't|didn't|any)\b",
    re.IGNORECASE,
)
_ASKING_HAN = re.compile(r"什么|多少|吗|呢|怎么|怎样|如何|哪|几|谁|能不能|有没有|要不要|可以")
_TAG = re.compile(
    r"^\W*(?:right|correct|yes|no|ok|okay|true|isn't it|wasn't it|aren't (?:we|they|you)"
    r"|don't (?:we|you|i)|doesn't it|对吗|对吧|是吗|是吧|对不对|是不是)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Segment:
    """Part of a sentence, and the labels that stand on it.

    Attributes:
        text: Without labels and markup.
        labels: What it cites.
        first: Whether it begins its sentence.
        listed: Whether it belongs to a list whose lead-in is ``lead``.
        lead: The line above the list, ending in a colon; empty where there is none.
    """

    text: str
    labels: tuple[str, ...] = ()
    first: bool = True
    lead: str = ""


def segments(text: str) -> Iterator[Segment]:
    """Return an answer's sentences, cut where citations end."""
    lead, draft = "", False
    for line in _CODE_BLOCK.sub("\n", text).splitlines():
        bullet = _BULLET.match(line)
        said = _MARKS.sub("", _BULLET.sub("", line)).strip()
        if not said:
            continue
        if not bullet:
            lead = ""
        if (draft or _QUOTE.match(line)) and not _LABELS.search(said):
            continue
        for sentence in sentences(_LABELS_AFTER_END.sub(r" \2\1 ", said)):
            yield from _cited(sentence, lead)
        if said.endswith((":", "：")):
            lead = said
            draft = draft or bool(_DRAFT.search(said))


def sentences(text: str) -> list[str]:
    """Return the sentences of one line or message."""
    found = []
    for line in text.splitlines():
        hidden = _ABBREVIATION.sub(lambda each: each[0].replace(".", _DOT), line)
        found += [each.replace(_DOT, ".").strip() for each in _END.split(hidden)]
    return [each for each in found if each]


def clauses(sentence: str) -> list[str]:
    """Return the clauses of a sentence; "before that" stays with what it opens."""
    parts: list[str] = []
    start = 0
    for gap in _BREAK.finditer(sentence):
        parts.append(sentence[start : gap.start()])
        start = gap.start() if gap[0].strip(" ,;:，；：—–-()") else gap.end()
    parts.append(sentence[start:])
    found: list[str] = []
    for piece in (each.strip(" ,;:，；：()") for each in parts):
        if piece and found and _OPENS.match(found[-1]):
            found[-1] = f"{found[-1]}, {piece}"
        elif piece:
            found.append(piece)
    return found


def bare(text: str) -> str:
    """Return a text without labels and markup."""
    return _MARKS.sub("", _BULLET.sub("", _LABELS.sub("", text))).strip()


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question as a whole."""
    return sentence.rstrip('"”’)） ').endswith(("?", "？")) or bool(
        re.search(r"[吗呢]$", sentence.rstrip("。！ ”"))
    )


def stated(message: str) -> list[str]:
    """Return what a message states: its sentences, and the stating clauses of its questions.

    "The budget is $200 now, what can we buy?" states the budget; "Is the budget $200?" and
    "The budget is $200, right?" state nothing.
    """
    found = []
    for sentence in sentences(message):
        if not asks(sentence):
            found.append(sentence)
            continue
        *before, last = pieces(sentence)
        if _TAG.match(last) or not (_ASKING.match(last) or _ASKING_HAN.search(last)):
            continue
        found += [each.strip() for each in before if each.strip() and not _ASKING.match(each)]
    return found


def pieces(sentence: str) -> list[str]:
    """Return a question between its commas and dashes."""
    return _PIECES.split(sentence)


def together(parts: Sequence[str]) -> str:
    """Return clauses as one sentence again."""
    joint = "，" if any(_HAN.search(each) for each in parts) else ", and "
    return joint.join(_JOINT.sub("", each).strip(" .!。！") for each in parts)


def _cited(sentence: str, lead: str) -> Iterator[Segment]:
    start, first = 0, True
    waiting: tuple[str, ...] = ()
    for found in _LABELS.finditer(sentence):
        labels = tuple(dict.fromkeys(_LABEL.findall(found[0])))
        text = sentence[start : found.start()].strip(" ,;，；")
        start = found.end()
        if not _telling(text):  # "[m1] says …"
            waiting = labels
            continue
        yield Segment(text, waiting + labels, first, lead)
        waiting, first = (), False
    rest = sentence[start:].strip(" ,;，；")
    if _telling(rest):
        yield Segment(rest, waiting, first, lead)


def _telling(text: str) -> bool:
    return any(char.isalnum() for char in text)
