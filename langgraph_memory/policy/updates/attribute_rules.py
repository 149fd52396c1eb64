"""The shapes of English clauses that state an attribute; data, no rules of what follows.

In every shape ``s`` is whose attribute it is and ``v`` its value. A clause has no short forms
and no words of time in it when it is held against them (``attributes.plain``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from langgraph_memory.policy.updates.attribute_words import (
    DISLIKES,
    LIKES,
    OWNS,
    ROLES,
    TEAM,
)

_PERSON = r"(?P<s>[Ii]|[Ww]e|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?|(?:[Mm]y|[Oo]ur) [a-z-]+(?: [A-Z]\w+)?)"
_ANY = r"(?P<s>[\w'-]+(?: [\w'-]+){0,7}?)"
_THING = (
    r"(?:(?:[Mm]y|[Oo]ur|[Tt]he|[Tt]his|[Tt]hat|[Tt]he whole) )?(?P<s>[\w'-]+(?: [\w'-]+){0,4}?)"
)
_END = r"(?=,(?!\d)|[;!]|\.(?!\w)| (?:as|and|but|because|so|since|where|which|who|when)\b|$)"
_V = rf"(?P<v>.+?){_END}"
_PROPER = rf"(?P<v>(?:the )?[A-Z].*?){_END}"
_IS = r"(?:is|are|was|were|am)"
_BECAME = (
    r"(?:(?:has|have) (?:been )?|was |were |got |is being )?(?:changed|moved|switched|raised"
    r"|increased|lowered|reduced|cut|set|bumped|updated|pushed|extended|renamed|upgraded) to"
)


class Rule(NamedTuple):
    """A shape, the attribute it states, and whether it tells of a change."""

    name: str
    pattern: re.Pattern[str]
    change: bool = False


def _rule(name: str, pattern: str, *, change: bool = False) -> Rule:
    return Rule(name, re.compile(rf"^{pattern}", re.DOTALL), change)


_HAS = r"(?:have |has |had )?"
RULES = (
    _rule("employer", rf"{_PERSON} (?:works?|am employed|is employed|"
          rf"have been working|has been working) (?:at|for|by) {_PROPER}"),
    _rule("employer", rf"{_PERSON} {_HAS}(?:join|joins|joined|joining) (?!.*\b{TEAM}){_PROPER}",
          change=True),
    _rule("employer", rf"{_PERSON} {_HAS}(?:start|starts|started|begin|began|begun) (?:working"
                      rf" |work "
          rf"|(?:a|my) (?:new )?(?:\w+ )?(?:job|role|position) )?(?:at|for|with)"
          rf" {_PROPER}", change=True),
    _rule("employer", rf"{_PERSON} (?:am|is) (?:an? |the )?(?:[\w-]+ ){{0,3}}{ROLES} (?:at|for"
                      rf"|with) "
          rf"{_PROPER}"),
    _rule("employer", rf"{_PERSON} {_HAS}(?:got|took|taken|accepted|landed|found|have|has)"
                      rf" (?:a|an|my) "
          rf"(?:new )?(?:\w+ )?(?:job|role|position|offer)(?: offer)? (?:at|with|from) {_PROPER}",
          change=True),
    _rule("employer", rf"{_PERSON} {_HAS}(?:left|quit|leave|leaving) [^,]*? (?:for|to join|to work "
          rf"(?:at|for)|and joined) {_PROPER}", change=True),
    _rule("employer", rf"{_PERSON} (?:was|were|got|have been|has been) hired (?:by|at) {_PROPER}",
          change=True),
    _rule("home", rf"{_PERSON} (?:lives?|living|am living|is living|resides?|am based|is based|am "
          rf"located|is located) (?:in|at|on|near) {_V}"),
    _rule("home", rf"{_PERSON} {_HAS}(?:am |is |are )?(?:moved|relocated|moving|relocating|settled|"
          rf"moved back|moved house)(?: back| over| out| down| up)?(?: from [^,]*?)? (?:to|in"
          rf"|into) "
          rf"(?!.*\b{TEAM})(?!.*\b(?:project|role|\w+day)\b){_V}", change=True),
    _rule("team", rf"{_PERSON} (?:am|is|are|works?|am working|is working|belongs?) (?:on|in|to"
                  rf"|part of|a "
          rf"member of) (?:the )?(?P<v>[\w '-]*?\b{TEAM})"),
    _rule("team", rf"{_PERSON} (?:works?|am working|is working|am assigned|is assigned|am|is)"
                  rf" (?:on|to)"
          rf" (?P<v>(?:the )?(?:project [\w-]+|[\w '-]+? project)){_END}"),
    _rule("team", rf"{_PERSON} {_HAS}(?:was |were |been |got |am |is |being )*(?:reassigned"
                  rf"|transferred|rotated)"
          rf" to (?:the )?{_V}", change=True),
    _rule("team", rf"{_PERSON} {_HAS}(?:was |were |been |got |am |is )*(?:moved|switched"
                  rf"|transferred|"
          rf"reassigned|assigned|rotated|joined|joining|moving)(?: over| from [^,]*?)?(?: to|"
          rf" onto| into)? "
          rf"(?:the )?(?P<v>[\w '-]*?\b(?:{TEAM}|project)\b[\w -]*){_END}", change=True),
    _rule("title", rf"{_PERSON} (?:am|is|works? as|am working as|is working as) (?:an? |the |our )"
          rf"?(?P<v>(?:[\w-]+ ){{0,3}}{ROLES})(?= at | for | in | on | of |[,;.!]|$)"),
    _rule("title", rf"{_PERSON} {_HAS}(?:am |is |was |got |been |being )*(?:promoted to"
                   rf"|appointed(?: as| "
          rf"to)?|became|become|made|hired as|elected) (?:an? |the |our )?(?P<v>[\w -]*?{ROLES})",
          change=True),
    _rule("chief", rf"{_PERSON} (?:reports?|reporting|am reporting|is reporting)(?: directly)?"
                   rf" to {_PROPER}"),
    _rule("place", rf"{_THING} (?:is|are|sits?|stays?)(?: located| based| situated| still)?"
                   rf" (?:at|in) {_V}"),
    _rule("place", rf"{_THING} {_HAS}(?:been |is |are |was |were )*(?:moved|relocated"
                   rf"|relocating|moving) (?:from "
          rf"[^,]*? )?(?:to|into) (?!.*\b\w+day\b){_V}", change=True),
    _rule("venue", rf"{_THING} (?:is held|are held|takes? place|happens?|is being held) (?:at"
                   rf"|in|on) {_V}"),
    _rule("runs", rf"{_THING} (?:runs?|is running|is hosted|is deployed|is built|is written"
                  rf"|are written|lives?) (?:on|"
          rf"with|in) {_PROPER}", change=True),
    _rule("runs", rf"{_THING} (?:stores? (?:its |their |our |all )?(?:data|everything|files"
                  rf"|state) in|relies on|depends on|"
          rf"is backed by|sits on|is powered by) {_PROPER}"),
    _rule("runs", rf"{_THING} (?:was|were|has been|have been|is being|got) (?:migrated|moved"
                  rf"|switched|ported|rewritten|"
          rf"converted) (?:to|in|into|onto) {_PROPER}", change=True),
    _rule("runs", rf"(?:[Ww]e|[Tt]he team|[A-Z]\w+) (?:uses?|runs?|picked|chose|are using)"
                  rf" (?P<v>[A-Z][\w .+#-]*?) for "
          rf"(?P<s>[\w' -]+?){_END}"),
    _rule("spouse", rf"(?P<s>[Mm]y|[Oo]ur|[A-Z]\w+'s) (?P<w>wife|husband|spouse|partner|girlfriend"
          rf"|boyfriend|fianc[eé]e?) is {_PROPER}"),
)  # fmt: skip

OWNER = re.compile(
    rf"^(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?|I|We|[Mm]y \w+|[Tt]he [\w ]+? team)"
    rf" {_HAS}(?P<verb>{OWNS}) "
    rf"(?P<s>.+?)(?: from [^,]*)?{_END}"
)
OWNED = re.compile(
    rf"^(?P<s>.+?) (?:is|are|was|were|has been|will be) (?:being )?(?:owned|led|run|managed"
    rf"|maintained"
    rf"|handled|headed|taken over|overseen) by {_PROPER}"
)
IS_OWNER = re.compile(
    r"^(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?:is|became|was made) (?:the |our |a )?(?:new )?"
    r"(?:owner|lead|leader|head|manager|maintainer|director) (?:of|for) (?P<s>.+?)" + _END
)
BELONGS = re.compile(rf"^(?P<s>.+?) (?:belongs?|was handed(?: over)?|went) to {_PROPER}")
HANDED = re.compile(
    r"^(?:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?|I|We) (?:has |have )?"
    r"(?:(?:handed|turned|signed) over (?!to\b)"
    r"|(?:handed|turned|signed|passed) (?=(?:[\w'-]+ ){1,5}(?:over|on) to )"
    r"|transferred (?:the )?(?:ownership|responsibility) (?:of|for) )"
    rf"(?P<s>.+?)(?: over| on)? to {_PROPER}"
)
HOLDS = re.compile(
    r"^(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?:(?:is|became|becomes|serves as) (?:the|our)"
    r"|(?:was|got|has "
    r"been|is) (?:elected|named|appointed|made|chosen as|voted)(?: as)?(?: the| our)?) (?:new "
    r"|next )?"
    rf"(?P<s>[\w-]+(?: [\w-]+)? (?:of|for) .+?){_END}"
)
ACTS = re.compile(
    r"^(?P<s>.+?) (?:have |has |was |were |got )?(?P<v>turned on|turned off|switched on"
    r"|switched off"
    r"|enabled|disabled|activated|deactivated|approved|rejected|closed|reopened|opened"
    r"|cancell?ed|banned"
    rf"|allowed|permitted|prohibited|forbade|locked|unlocked|published|paused|resumed)"
    rf" (?P<o>.+?){_END}"
)
HAVE_NEW = re.compile(
    r"^(?P<p>I|[Ww]e|[A-Z]\w+) (?:have|has|got|took|chose|picked|changed to|was given"
    r"|received) (?:a|an|my|our) "
    rf"new (?P<a>[\w -]+?)(?:,| is|:| -|,? called) {_V}"
)
OWN = re.compile(
    rf"^(?P<p>[Mm]y|[Oo]ur|[Tt]he|[Tt]heir|[A-Z]\w+'s) (?:new |current |latest )?(?P<a>[\w' -]+?)"
    rf"(?P<of> (?:of|for|in|on|at) [\w' -]+?)? (?:{_IS}(?: called)?|{_BECAME}|became|becomes) {_V}"
)
OWN_BACK = re.compile(
    rf"^(?P<v>[^,]+?) {_IS} (?P<p>my|our|the|[A-Z]\w+'s) (?:new |current )?(?P<a>[\w -]+?){_END}"
)
STATE = re.compile(
    rf"^{_ANY} (?:{_IS}|(?:has|have)(?: been)?|got|went|goes|stays?|turned|remains?|became)"
    rf" (?P<not>not |no "
    rf"longer )?(?P<v>[a-z -]+?)(?P<w> (?:in|on|for|at|to|by|with) .+?)?{_END}"
)
MODAL = re.compile(
    rf"^(?P<s>[\w' -]+?) (?P<m>can no longer|may no longer|can not|cannot|can|may not|may|must"
    rf" not|must|have to|has to|"
    r"(?:are|is|am) (?:no longer |not )?(?:allowed|permitted|able|free|required|obliged) to"
    r"|(?:are|is|am) (?:banned|"
    rf"forbidden|prohibited) (?:from|to)|(?:do|does) not (?:have|need) to|need to|needs to)"
    rf" (?P<o>.+?){_END}"
)
TASTE = re.compile(
    rf"^{_PERSON} (?:really |absolutely |truly )?(?P<verb>{LIKES}|{DISLIKES}) (?P<o>.+?){_END}"
)
