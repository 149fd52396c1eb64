"""What a statement brings to an end, and what it leaves behind for something else."""

from __future__ import annotations

import re

from langgraph_memory.policy.attributes import plain, without_times, words
from langgraph_memory.policy.hard_parts import Name, agree, comparable, hard_parts
from langgraph_memory.policy.lexicon import CANONICAL
from langgraph_memory.text.scripts import clean

_SELF = re.compile(r"^(?:i|we|my|our)\b", re.IGNORECASE)
_STOP = r"(?=,(?!\d)|[;!]|\.(?!\w)| (?:and|but|because|so|since|when|after)\b|$)"
_SUBJECT = r"(?P<s>[Ii]|[Ww]e|(?:[Mm]y|[Oo]ur|[Tt]he) [\w'-]+|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
_HAVE = r"(?: have| has| had|'ve)?(?: (?:just|finally|recently|now|already|actually|also))*"

# The end of a habit, a tie or a thing; the second kind needs more than one word to be sure of.
_ENDS = (
    re.compile(
        rf"^{_SUBJECT}{_HAVE} (?:no longer|(?:stopped|quit|gave up|given up|cancell?ed"
        rf"|unsubscribed from"
        rf"|resigned from|broke up with|broken up with|ditched|discontinued|got rid of|retired"
        rf" from)) "
        rf"(?P<o>.+?){_STOP}"
    ),
    re.compile(
        rf"^{_SUBJECT} (?:do not|does not|don't|doesn't|am not|is not|isn't|are not|aren't|'m"
        rf" not|can not"
        rf"|cannot|can't|will not|won't) (?P<o>.+?) (?:any ?more|any longer){_STOP}"
    ),
    re.compile(rf"^{_SUBJECT}(?: is| are| am|'m|'re|'s) no longer (?P<o>.+?){_STOP}"),
)
_ENDS_SURELY = (
    re.compile(
        rf"^{_SUBJECT}{_HAVE} (?:sold|dropped|left|lost|closed|ended|deleted|finished|removed"
        rf"|shut down"
        rf"|abandoned|scrapped|returned|gave away|divorced) (?P<o>.+?){_STOP}"
    ),
    re.compile(
        r"^(?P<o>.+?)(?: has| have)? (?:died|passed away|(?:was|were|is|been|got|has been|have"
        r" been) "
        r"(?:cancell?ed|discontinued|scrapped|called off|sold|stolen|deleted|shut down|retired"
        r"|abandoned)"
        rf"|expired|closed down|shut down|is over|broke up|split up|separated|got divorced){_STOP}"
    ),
)
_CHANGED = (
    re.compile(
        rf"^{_SUBJECT}{_HAVE} (?:switched|migrated|changed|upgraded|converted|transitioned"
        rf"|moved|switch|"
        rf"migrate|move)(?: over)?(?: (?P<o>(?!from\b|to\b).+?))? from (?P<u>.+?) to"
        rf" (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?){_HAVE} (?:finished |done |completed |are |is |am )?(?:migrat|switch|mov"
        rf"|transition|chang"
        rf")(?:ed|e|ing|ed over|ing over)? (?:off|away from|off of|out of) (?P<u>.+?) (?:and"
        rf" )?(?:on ?to|to|over "
        rf"to|in favou?r of) (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?) (?:made us |had to |decided to |have |has |had )*(?:rename|renamed"
        rf"|rebranded|relabell?ed) "
        rf"(?P<o>(?!from\b|to\b).+?)? ?from (?P<u>.+?) (?:to|as|into) (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^{_SUBJECT}{_HAVE} (?:renamed|rebranded) (?P<u>.+?) (?:to|as|into) (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?){_HAVE} (?:went(?: up| down)?|rose|fell|dropped|increased|grew|was"
        rf" (?:moved|changed"
        rf"|raised|lowered|cut)) from (?P<u>.+?) to (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^{_SUBJECT}{_HAVE} (?:replaced|swapped|traded(?: in)?|exchanged|ditched|dropped)"
        rf" (?P<u>.+?) "
        rf"(?:with|by|for|in favou?r of) (?P<v>.+?){_STOP}"
    ),
    re.compile(
        rf"^{_SUBJECT} (?:\w+ ){{1,2}}(?P<v>.+?) (?:instead of|rather than|in place of)"
        rf" (?P<u>.+?){_STOP}"
    ),
    re.compile(
        r"^(?P<v>.+?)(?: has| have)? (?:replaced|replaces|is replacing|supersedes|superseded"
        r"|took over from"
        rf"|takes over from) (?P<u>.+?)(?: as .+?)?{_STOP}"
    ),
)
_SET = re.compile(
    rf"^(?P<s>.+?) (?:(?:was|were|got|is|are|has been|have been|has|have|had) )?(?:upgraded"
    rf"|updated|bumped|moved"
    r"|migrated|switched|changed|raised|lowered|increased|reduced|cut|extended|pushed(?:"
    r" back)?|dropped|set"
    r"|adjusted|shortened|went up|went down|rose|fell|postponed|delayed|brought forward"
    r"|shifted|rescheduled)"
    rf"(?: (?P<o>(?!to\b|from\b).+?))?(?: down| up| back)?(?: from .+?)? (?:to|until|till|by)"
    rf" (?P<v>.+?){_STOP}"
)
_THINGS = re.compile(r"[A-Z0-9]")


def ended(clause: str, old: str) -> bool:
    """Tell whether a clause says that what the old statement says has come to its end."""
    said = without_times(clause)
    if _ends(clean(old).strip()):
        return False
    for sure, patterns in ((True, _ENDS), (False, _ENDS_SURELY)):
        for pattern in patterns:
            found = pattern.search(said)
            if found and _is_about(found.groupdict().get("s"), old):
                what = _content(found["o"])
                telling = sure or len(what) > 1 or _THINGS.search(found["o"])
                if what and telling and what <= words(old):
                    return True
    return False


def left_behind(clause: str, old: str) -> bool:
    """Tell whether a clause leaves what the old statement says for something else."""
    said, there = without_times(clause), words(old)
    for pattern in _CHANGED:
        found = pattern.search(said)
        if not found:
            continue
        parts = found.groupdict()
        moved = _content(parts.get("o") or "")
        former, now = _content(parts["u"]), _content(parts["v"])
        if former and now and former <= there and moved <= there and not now <= there:
            return _is_about(parts.get("s"), old)
    return False


def raised(clause: str, old: str) -> bool:
    """Tell whether a clause sets what the old statement gives a number to another number."""
    found = _SET.search(plain(clause))
    if not found:
        return False
    what = _content(found["o"] or found["s"])
    new = [each.part for each in hard_parts(found["v"]) if not isinstance(each.part, Name)]
    known = [each.part for each in hard_parts(clean(old)) if not isinstance(each.part, Name)]
    rivals = [each for each in known if any(comparable(one, each) for one in new)]
    if not what or not new or not rivals or any(agree(a, b) for a in new for b in rivals):
        return False
    there, what = _canonical(words(old)), _canonical(what)
    beside = _content(found["v"]) - frozenset().union(
        *(words(each.text) for each in hard_parts(found["v"]))
    )
    return what <= there and _canonical(beside) <= there


def _canonical(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(CANONICAL.get(each, each) for each in stems)


def _ends(old: str) -> bool:
    return any(pattern.search(old) for pattern in _ENDS)


def _is_about(subject: str | None, old: str) -> bool:
    """Tell whether who speaks, or is spoken of, is whom the old statement is about."""
    if not subject:
        return True
    if subject.casefold() in ("i", "we"):
        return bool(_SELF.match(old.strip())) or old.strip().startswith("The ")
    return words(subject) <= words(old)


def _content(text: str) -> frozenset[str]:
    """Return the telling words of what is spoken of, without whose it is."""
    return frozenset() if not text else words(text) - words("i we they my our your the a an to")
