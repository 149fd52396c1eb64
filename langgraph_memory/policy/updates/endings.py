"""What a statement brings to an end: a habit, a tie, the having of a thing, a plan.

That a clause says "I left", "closed" or "sold" of words that an old statement has is not enough:
who leaves Berlin was born there for good, who closes a garage door still owns it, who sells a
book has read it. So each kind of ending names the relation that it ends, which the old
statement must state of how it is now.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from langgraph_memory.policy.updates.attribute_words import ROLES
from langgraph_memory.policy.updates.attributes import plain, without_times, words
from langgraph_memory.policy.updates.changes import HAVE, STOP, SUBJECT, content, is_about
from langgraph_memory.text.scripts import clean
from langgraph_memory.text.stems import stem

_ENDS = (
    re.compile(
        rf"^{SUBJECT}{HAVE} (?P<verb>no longer|stopped|quit|gave up|given up|cancell?ed"
        r"|unsubscribed from|resigned from|broke up with|broken up with|ditched|discontinued"
        rf"|got rid of|retired from) (?P<o>.+?){STOP}"
    ),
    re.compile(
        rf"^{SUBJECT} (?:do not|does not|don't|doesn't|am not|is not|isn't|are not|aren't|'m"
        rf" not|can not|cannot|can't|will not|won't) (?P<o>.+?) (?:any ?more|any longer){STOP}"
    ),
    re.compile(rf"^{SUBJECT}(?: is| are| am|'m|'re|'s) no longer (?P<o>.+?){STOP}"),
)
"""Words that say of themselves that something was so."""

_CLOSABLE_WORDS = """
account shop store business company cafe restaurant office branch profile channel blog site website
page server cluster service practice studio bakery bar club group subscription membership contract
lease trial relationship
"""
_COURSE_WORDS = "course class plan idea feature requirement support project"
_CLOSABLE = frozenset(map(stem, _CLOSABLE_WORDS.split()))
_COURSES = frozenset(map(stem, _COURSE_WORDS.split()))
_IT = r"(?P<o>[^,;]+)"
_NOW = r"(?: (?:currently|now|still|also|really|both|always|usually))*"
_ANYBODY = r"^(?:[\w'-]+ ){1,4}?"
_AT = r"(?:at|for|in|by|with|of|to|near|on)"
_BELONGS = re.compile(
    rf"{_ANYBODY}(?:(?:works?|lives?|resides?|stud(?:y|ies)|volunteers?|belongs?)"
    r"|(?:am|is|are)" + _NOW + r" (?:working|living|studying|employed|enrolled|based|settled)"
    r"|(?:have|has) (?:been )?(?:lived|worked|living|working|studied|studying)"
    rf"|(?:am|is|are) (?:an? |the )?(?:[\w-]+ ){{0,3}}(?:member|{ROLES})){_NOW} {_AT} {_IT}",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"{_ANYBODY}(?:have|has|own|owns|drive|drives|ride|rides|use|uses|keep|keeps|run|runs"
    rf"|operate|operates) {_IT}"
    rf"|^(?:my|our) [\w' -]+? (?:is|are) (?P<p>[^,;]+)",
    re.IGNORECASE,
)
_DOES = re.compile(
    rf"{_ANYBODY}(?:use|uses|support|supports|offer|offers|take|takes|run|runs|study|studies"
    rf"|(?:am|is|are) (?:using|taking|studying|building|planning|supporting)) {_IT}",
    re.IGNORECASE,
)
_IS_AT = re.compile(
    rf"{_ANYBODY}(?:am|is|are){_NOW} (?:reading|writing|watching|working on|doing|studying|taking"
    r"|building|planning|preparing|drafting|making|playing|learning|attending) " + _IT,
    re.IGNORECASE,
)
_WED = re.compile(
    rf"{_ANYBODY}(?:am|is|are) married to {_IT}"
    r"|^(?:my|our) (?:wife|husband|spouse|partner) (?:is|are) (?:called )?(?P<p>[^,;]+)"
    r"|^(?P<q>[\w' -]+) is my (?:wife|husband|spouse|partner)",
    re.IGNORECASE,
)
_SUBJECT_NOW = re.compile(
    r"^(?:the |my |our |this )?(?P<o>(?:[\w'-]+ ){0,4}?[\w'-]+) (?:is|are|has|have|costs?|starts?"
    r"|ends?|takes?|happens?|runs?|works?|lives?|likes?|loves?|needs?|meets?|opens?|covers?)\b"
    r"(?! (?:was|were|born))",
    re.IGNORECASE,
)
_PHRASE_ENDS = re.compile(
    r" (?:from|at|in|on|with|to|for|of|as|near|by|since|because|which|that|who|called|named|and"
    r"|but|open|so)\b.*$",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(?:an?|the|my|our|his|her|their|some|\d+|two|three)\s+", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:called|named) (?P<n>[\w' -]+)")
_THINGS = re.compile(r"[A-Z0-9]")


class _Ending(NamedTuple):
    """A way in which something ends.

    Attributes:
        clause: What says so; ``o`` is what ends, ``s`` who ends it.
        relation: What the old statement must state; ``o``, ``p`` or ``q`` is the thing in it.
        only: Words one of which the thing must have; any, where it is empty.
        bare: Whether a thing with "the" or "my" counts only with these words.
        whole: Whether the old thing is to be named in full.
    """

    clause: re.Pattern[str]
    relation: tuple[re.Pattern[str], ...]
    only: frozenset[str] = frozenset()
    bare: bool = False
    whole: bool = False


def _does(verbs: str) -> re.Pattern[str]:
    return re.compile(rf"^{SUBJECT}{HAVE} (?P<verb>{verbs}) (?P<o>.+?){STOP}")


def _happens(verbs: str) -> re.Pattern[str]:
    return re.compile(rf"^(?P<o>.+?)(?: has| have)? (?P<verb>{verbs}){STOP}")


_DONE_TO = r"(?:was|were|is|are|been|got|has been|have been)"
_SURELY = (
    _Ending(_does("left"), (_BELONGS,), whole=True),
    _Ending(_does("sold|gave away|returned|lost"), (_HAS,)),
    _Ending(_does("closed|ended|deleted|shut down"), (_HAS,), _CLOSABLE),
    _Ending(_does("dropped|abandoned|removed"), (_DOES,), _COURSES, bare=True),
    _Ending(_does("finished"), (_IS_AT,)),
    _Ending(_does("scrapped|abandoned|called off"), (_IS_AT, _SUBJECT_NOW)),
    _Ending(_does("divorced"), (_WED,)),
    _Ending(_happens("died|passed away"), (_HAS, _SUBJECT_NOW)),
    _Ending(
        _happens(
            rf"{_DONE_TO} (?:cancell?ed|discontinued|scrapped|called off|sold|stolen|deleted"
            r"|shut down|retired|abandoned)|expired|closed down|shut down|is over|broke up"
            r"|split up|separated|got divorced"
        ),
        (_HAS, _SUBJECT_NOW),
    ),
)


def ended(clause: str, old: str) -> bool:
    """Tell whether a clause says that what the old statement says has come to its end."""
    there = clean(old).strip()
    if any(pattern.search(there) for pattern in _ENDS):
        return False
    said = without_times(clause)
    for pattern in _ENDS:
        found = pattern.search(said)
        if found and is_about(found.groupdict().get("s"), old, found.groupdict().get("verb")):
            what = content(found["o"])
            if what and what <= words(old):
                return True
    return any(_ends_by(each, said, there) for each in _SURELY)


def _ends_by(ending: _Ending, said: str, old: str) -> bool:
    found = ending.clause.search(said)
    if not found or not is_about(found.groupdict().get("s"), old, found["verb"]):
        return False
    what = content(found["o"])
    telling = len(what) > 1 or _THINGS.search(found["o"])
    if not what or not telling or not what <= words(old):
        return False
    if (
        ending.only
        and not what & ending.only
        and not (ending.bare and not _DETERMINER.match(found["o"]))
    ):
        return False
    return any(_states(each, old, what, whole=ending.whole) for each in ending.relation)


def _states(relation: re.Pattern[str], old: str, what: frozenset[str], *, whole: bool) -> bool:
    """Tell whether an old statement states a relation to the very thing."""
    found = relation.search(plain(old))
    if not found:
        return False
    thing = next(each for each in found.groupdict().values() if each)
    named = _NAMED.search(old)
    if named and words(named["n"]) & what:
        return True
    phrase = _DETERMINER.sub("", _PHRASE_ENDS.sub("", f" {thing}").strip())
    if not phrase:
        return False
    if whole:
        return all(word[0].isupper() or words(word) <= what for word in phrase.split()) and bool(
            words(phrase) & what
        )
    return bool(words(phrase.split()[-1]) & what)
