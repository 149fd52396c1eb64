"""An English statement, rewritten to one of the ways of saying it; see ``paraphrase``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.policy.language.wording import tongue_of
from langgraph_memory.policy.paraphrases.values import marked
from langgraph_memory.policy.paraphrases.words import (
    ATTRIBUTES,
    ENDINGS,
    FILLERS,
    FRONT,
    LAST,
    OPENING,
    PASSIVE,
    RELATIVES,
    SHORT,
    TURNS,
    WORDS,
)
from langgraph_memory.policy.updates.attribute_words import ROLES
from langgraph_memory.text.stopwords import ENGLISH

_NOT_LATIN = re.compile(r"[^\x20-\x7e\u00a0-\u024f\u2010-\u2027\u20ac£¥]")
_NO_STATEMENT = re.compile(r"[?\"“”«»⟦⟧|<>]|\b(?:please|remember|remind)\b", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming|past) \w+|ago|recently|lately"
    r"|soon|later|earlier|again|so far|already|yet"
    r"|(?:^|(?<=, ))that|that(?:'s| is| was)"
    r"|in ⟦[\d.]+\|(?:second|minute|hour|day|week|month|year)⟧|that$"
    r"|he|she|it|they|him|them|his|her|hers|their|theirs|its|this|these|those|here|there|that one"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!⟧)",
    re.IGNORECASE,
)
"""What means another day, place or person each time it is said."""

_DATED = re.compile(r"⟦day_\d|\b(?:19|20)\d\d\b")
_PAST = re.compile(
    r"\b(?:was|were|did|had|went|came|saw|made|took|gave|got|said|told|left|met|bought|sold|paid"
    r"|sent|lost|found|felt|kept|began|broke|brought|built|caught|chose|drank|drove|ate|fell|flew"
    r"|forgot|held|heard|hid|hit|hurt|knew|lent|let|ran|rode|rose|sat|shot|slept|spent|spoke|stole"
    r"|stood|swam|taught|thought|threw|understood|wore|won|wrote|became|cut|put|led)(?![\w-])"
    r"|(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bnot )(?<![\w-])\w{2,}(?<!e)ed\b"
)
_TIMELESS = re.compile(r"\bborn\b|\b(?:is|am|are) (?:\w+ly )?(?:led|taught|held|kept|built|put)\b")
_MORE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|only|can|could|must|will|shall|should"
    r"|may|might)\b"
)
"""Beside one of these "now" and "really" may say something."""

_PAIR = re.compile(r"(?:^|(?<= ))([A-Z][a-z]+) and ([A-Z][a-z]+)(?=$|[.!]*$| (?![A-Z]))")
_UPPER = re.compile(r"⟦[^⟧]*⟧|\w+")
_COMPANY = re.compile(r"\b([Ww]ork(?:s|ed|ing)?) for (?=[A-Z])")
_TOKENS = re.compile(r"⟦[^⟧]*⟧|'s\b|[^\W_](?:[\w@/+#_-]|['.:](?=\w)(?!'s\b))*|\S")
_BY = re.compile(rf"^((?:\S+ ){{1,4}}?)(?:is|are) ({'|'.join(PASSIVE)}) by (\S+(?: \S+){{0,3}})$")
_DOES = re.compile(rf"\b({'|'.join(each for verb in PASSIVE.values() for each in verb)}) the ")
_OF = re.compile(
    rf"^({'|'.join(sorted(ATTRIBUTES))}|\w+ (?:limit|name|address|number|date)) of"
    r" (?:the )?((?:\S+ ){1,3}?)(is|are) "
)
_QUANTITY = re.compile(
    r"⟦|\b(?:an?|one|two|every\w*|each|all|some\w*|any\w*|most|many|few|both|only|no|none|nobody|and|or"
    r"|is|are|not|by)\b"
)
_NO_JOB = re.compile(r"\b(?:student|founder|president|partner|professor)$")
_IS = re.compile(r"^((?:\S+ ){1,6})is (\S+(?: \S+){0,5})$")
_OWNED = re.compile(r"^(?:my|our)\b|^\S+(?: \S+)? 's \w")
_NO_SIDE = re.compile(
    r"\b(?:an?|not|no|all|every|each|any|some|only|than|and|or|but|who|that|which|because|if|what"
    r"|am|is|are|was|were|what|where|when|why|how)\b"
    r"|^(?:in|on|at|near|from|with|for|to|like|as|by|called|due)\b"
)
_WHO = re.compile(r"^(\w+) is my (\w+)$")
_WORKS_AS = re.compile(r"^i work at \w+ as a (.+)$")
_ROLE = re.compile(rf"\b{ROLES}$")


def english_forms(said: str) -> frozenset[str]:
    """Return the forms of a clean text; none where it is not English, or states nothing."""
    if _NOT_LATIN.search(said) or _NO_STATEMENT.search(said) or "\n" in said:
        return frozenset()
    if tongue_of(said) != "english" or not (said.isascii() or _is_english(said)):
        return frozenset()
    said = OPENING.sub("", said.rstrip(" .!"))
    dated = marked(said)
    if _WHICH.search(dated):
        return frozenset()
    form = _rewritten(dated)
    timeless = _TIMELESS.sub("", form)
    if _PAST.search(timeless) and not _DATED.search(form):
        return frozenset()
    return frozenset(_turned(form))


def _is_english(said: str) -> bool:
    return any(word in ENGLISH for word in re.findall(r"[a-z]+", said.lower()))


def _rewritten(said: str) -> str:
    said = _COMPANY.sub(r"\1 at ", _paired(said))
    form = _UPPER.sub(lambda each: each[0] if each[0][0] == "⟦" else each[0].lower(), said)
    for pattern, instead in SHORT:
        form = pattern.sub(instead, form)
    form = " ".join(WORDS.get(word, word) for word in _TOKENS.findall(form))
    for pattern, instead in ENDINGS:
        form = pattern.sub(instead, form)
    if not _MORE.search(form):
        form = FILLERS.sub("", f"{form} ").strip()
    form = _moved(form)
    for pattern, instead in TURNS:
        form = pattern.sub(instead, form)
    return form


def _paired(said: str) -> str:
    """Put two names that open or close a statement in one order: "German and French"."""
    if len(re.findall(r"\band\b", said)) != 1 or "respectively" in said or said.count("⟦") > 1:
        return said
    found = _PAIR.search(said)
    if not found or (found.start() and found.end() < len(said.rstrip(".! "))):
        return said
    if re.search(r"[A-Z]\S* $", said[: found.start()]) and not re.search(
        r"\bI $", said[: found.start()]
    ):
        return said  # "Rome to Bern and Oslo", "Tom and Ann Miller"
    return f"{said[: found.start()]}{' and '.join(sorted(found.groups()))}{said[found.end() :]}"


def _moved(form: str) -> str:
    """Put what says when or where, and stands first, last; and two of these in one order."""
    if found := FRONT.search(form):
        form = f"{found[2]} {found[1].strip()}"
    form = re.sub(r"\bin the (?=(?:morning|afternoon|evening)\b)", "in ", form)
    last: list[str] = []
    while found := LAST.search(form):
        last.append(found[1])
        form = form[: found.start()]
    return " ".join([form, *sorted(last)])


def _turned(form: str) -> Iterator[str]:
    """Yield a form, or what it is where the same is said from the other end."""
    if found := _BY.search(form):
        who, what = found[3].removeprefix("the "), found[1].strip()
        if not _QUANTITY.search(f"{who} {what}"):
            many = re.search(r"^(?:i|we|you)$|(?<!s)s$", who) is not None
            form = f"{who} {PASSIVE[found[2]][many]} {what}"
    form = _DOES.sub(r"\1 ", form)
    form = _OF.sub(lambda each: f"{each[2].strip()} 's {each[1]} {each[3]} ", form)
    if (found := _WORKS_AS.search(form)) and (
        not _ROLE.search(found[1]) or _NO_JOB.search(found[1])
    ):
        return  # "I am a member at …", "I am a student at …" is no work
    if (found := _WHO.search(form)) and found[2] in RELATIVES:
        yield f"my {found[2]} is called {found[1]}"
    if found := _IS.search(form):
        one, other = found[1].strip(), found[2]
        sides = (one, other)
        if not any(map(_NO_SIDE.search, sides)) and any(map(_OWNED.search, sides)):
            form = " is ".join(sorted(sides))
    yield form
