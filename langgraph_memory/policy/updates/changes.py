"""What a statement leaves behind for something else, and sets to another number."""

from __future__ import annotations

import re

from langgraph_memory.policy.language.hard_parts import Name, agree, comparable, hard_parts
from langgraph_memory.policy.language.lexicon import CANONICAL
from langgraph_memory.policy.updates.attributes import plain, without_times, words
from langgraph_memory.text.scripts import clean

_SELF = re.compile(r"^(?:i|we|my|our)\b", re.IGNORECASE)
STOP = r"(?=,(?!\d)|[;!]|\.(?!\w)| (?:and|but|because|so|since|when|after)\b|$)"
SUBJECT = r"(?P<s>[Ii]|[Ww]e|(?:[Mm]y|[Oo]ur|[Tt]he) [\w'-]+|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
HAVE = r"(?: have| has| had|'ve)?(?: (?:just|finally|recently|now|already|actually|also))*"

_CHANGED = (
    re.compile(
        rf"^{SUBJECT}{HAVE} (?:switched|migrated|changed|upgraded|converted|transitioned"
        rf"|moved|switch|"
        rf"migrate|move)(?: over)?(?: (?P<o>(?!from\b|to\b).+?))? from (?P<u>.+?) to"
        rf" (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?){HAVE} (?:finished |done |completed |are |is |am )?(?:migrat|switch|mov"
        rf"|transition|chang"
        rf")(?:ed|e|ing|ed over|ing over)? (?:off|away from|off of|out of) (?P<u>.+?) (?:and"
        rf" )?(?:on ?to|to|over "
        rf"to|in favou?r of) (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?) (?:made us |had to |decided to |have |has |had )*(?:rename|renamed"
        rf"|rebranded|relabell?ed) "
        rf"(?P<o>(?!from\b|to\b).+?)? ?from (?P<u>.+?) (?:to|as|into) (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^{SUBJECT}{HAVE} (?:renamed|rebranded) (?P<u>.+?) (?:to|as|into) (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^(?P<s>.+?){HAVE} (?:went(?: up| down)?|rose|fell|dropped|increased|grew|was"
        rf" (?:moved|changed"
        rf"|raised|lowered|cut)) from (?P<u>.+?) to (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^{SUBJECT}{HAVE} (?:replaced|swapped|traded(?: in)?|exchanged|ditched|dropped)"
        rf" (?P<u>.+?) "
        rf"(?:with|by|for|in favou?r of) (?P<v>.+?){STOP}"
    ),
    re.compile(
        rf"^{SUBJECT} (?:\w+ ){{1,2}}(?P<v>.+?) (?:instead of|rather than|in place of)"
        rf" (?P<u>.+?){STOP}"
    ),
    re.compile(
        r"^(?P<v>.+?)(?: has| have)? (?:replaced|replaces|is replacing|supersedes|superseded"
        r"|took over from"
        rf"|takes over from) (?P<u>.+?)(?: as .+?)?{STOP}"
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
    rf" (?P<v>.+?){STOP}"
)
_SOMEBODY = re.compile(
    r"^(?:my|our) (?:[\w-]+ )?(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?"
    r"|mother|mum|mom|father|dad|parents?|sisters?|brothers?|sons?|daughters?|kids?|child|children"
    r"|friends?|boss|manager|colleagues?|doctor|dentist|neighbou?rs?|uncle|aunt|cousins?|grand\w+"
    r"|roommates?|dog|cat)\b",
    re.IGNORECASE,
)
_TIES = frozenset(("divorced", "broke up with", "broken up with"))


def left_behind(clause: str, old: str) -> bool:
    """Tell whether a clause leaves what the old statement says for something else."""
    said, there = without_times(clause), words(old)
    for pattern in _CHANGED:
        found = pattern.search(said)
        if not found:
            continue
        parts = found.groupdict()
        moved = content(parts.get("o") or "")
        former, now = content(parts["u"]), content(parts["v"])
        if former and now and former <= there and moved <= there and not now <= there:
            return is_about(parts.get("s"), old)
    return False


def raised(clause: str, old: str) -> bool:
    """Tell whether a clause sets what the old statement gives a number to another number."""
    found = _SET.search(plain(clause))
    if not found:
        return False
    what = content(found["o"] or found["s"])
    new = [each.part for each in hard_parts(found["v"]) if not isinstance(each.part, Name)]
    known = [each.part for each in hard_parts(clean(old)) if not isinstance(each.part, Name)]
    rivals = [each for each in known if any(comparable(one, each) for one in new)]
    if not what or not new or not rivals or any(agree(a, b) for a in new for b in rivals):
        return False
    there, what = _canonical(words(old)), _canonical(what)
    beside = content(found["v"]) - frozenset().union(
        *(words(each.text) for each in hard_parts(found["v"]))
    )
    return what <= there and _canonical(beside) <= there


def _canonical(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(CANONICAL.get(each, each) for each in stems)


def is_about(subject: str | None, old: str, verb: str | None = None) -> bool:
    """Tell whether who speaks, or is spoken of, is whom the old statement is about.

    What I stop doing, my wife may do; whom I divorce is my wife.
    """
    if not subject:
        return True
    if subject.casefold() in ("i", "we"):
        if _SOMEBODY.match(old.strip()) and verb not in _TIES:
            return False
        return bool(_SELF.match(old.strip())) or old.strip().startswith("The ")
    return words(subject) <= words(old)


def content(text: str) -> frozenset[str]:
    """Return the telling words of what is spoken of, without whose it is."""
    return frozenset() if not text else words(text) - words("i we they my our your the a an to")
