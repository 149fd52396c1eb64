"""Which clauses of an answer say something about the past: the user's, or the conversation's.

A clause is ruled out first (advice, offers, plans, conditions, abstentions), then looked at
for a cue ("you told me", "we agreed", "your budget is"). What has neither follows the
clause before it, or, where it names what a record is about, counts as a statement about it.
"""

from __future__ import annotations

import re
from enum import Enum

_LEAD = (
    r"^\W*(?:(?:and|but|so|while|since|because|as|given that|considering that|whereas|yes|no"
    r"|sure|right"
    r"|ok|okay|well|then|also|now|that|great that|glad that|nice that"
    r"|thanks for telling me that|only that"
    r"|which means|of course|indeed|currently|at the moment|again)[,\s]+)*"
)
_ADVERB = (
    r"(?:(?:also|just|once|already|previously|earlier|recently|actually|originally|now|still"
    r"|usually|often"
    r"|never|always|currently|first|then|both|both of you|all|really|mostly|generally|clearly"
    r"|specifically|explicitly|initially)\s+)*"
)
_IRREGULAR = (
    r"said|told|went|chose|took|gave|bought|met|wrote|made|had|got|left|saw|came|began|spoke"
    r"|ran|drove|flew|ate|drank|slept|kept|paid|sent|built|felt|thought|knew|found|lost|won|sold"
    r"|set|put|were|did|held|hired|taught|grew|forgot|hid|led|cut|quit|became|brought|fell"
)
_ED = r"(?!(?:need|feed|proceed|speed|exceed|succeed|embed|bleed|breed|indeed)\b)\w+ed"
_STATE = (
    r"like|love|hate|prefer|enjoy|live|work|own|use|speak|drive|eat|drink|have|run|fly|write"
    r"|dislike"
    r"|avoid|play|study|teach|lead|manage|meet|check|deploy|sleep|commute|stay|do|don't|never"
    r"|always|usually|say|mention|mentioned|want to|plan to|start|train|host|keep|pay"
)
_NO_YOUR = (
    r"(?:\w+\s+)?(?:option|choice|step|bet|move|question|message|request|best|next|safest|cheapest"
    r"|goal|own|welcome|time|help|convenience|understanding|patience)s?\b"
)
_MODAL = (
    r"(?:could|can|may|might|should|must|shall|need|needs|have to|would|'d|ought to"
    r"|want to make|can't)"
)

_RULED_OUT = [
    re.compile(each, re.IGNORECASE)
    for each in (
        _LEAD
        + r"(?:i|we)(?:'ll|'d| will| would| can| could| should| may| might|'m going to| suggest"
        r"| recommend| propose| am happy|'m happy| advise)\b",
        _LEAD + r"(?:let's|let us|let me|feel free|please|maybe|perhaps|how about|make sure)\b",
        _LEAD
        + r"(?:your|our)\s[^,]{1,40}?\b(?:could|can|(?-i:may)|might|should|must|shall|needs? to)\b",
        _LEAD + rf"you(?:\s+{_MODAL}|'d)\b",
        _LEAD + rf"(?:with|for|at|under|on|within)\b[^,]{{1,40}}?\byou\s+(?:{_MODAL}|will)\b",
        _LEAD + r"(?:try|consider|pick|use|go|take|start|check|pack|feed|read|make|keep|avoid|add"
        r"|wait|ask"
        r"|look|set|see|give|remember to|don't|do not|call|write|book|bring|plan|choose|visit"
        r"|draft)\b(?!\s+is\b)",
        (
            r"\byou(?:'re| are) (?:welcome|right|correct|absolutely|looking|asking|going to|all set"
            r"|free to)"
        ),
    )
]
_CONDITION = re.compile(
    r"^\W*(?:(?:so|and|but|then)\s+)?(?:if(?! i (?:remember|recall)| memory| i'm not)|whenever"
    r"|once you|unless|in case|suppose|assuming"
    r"|when you (?!told|said|mentioned|asked|decided))\b|^(?:如果|要是|假如)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\b(?:would|could|might)\b|^\W*(?:therefore|thus)\b", re.IGNORECASE)
_WILL = re.compile(_LEAD + r"you(?:'ll| will)\b", re.IGNORECASE)
_WE_WILL = re.compile(_LEAD + r"we(?:'ll|'re going to| will| are going to)\b", re.IGNORECASE)
_ABSTAINS = re.compile(
    r"\b(?:i|we)(?:'m| am)?(?: \w+)? (?:don't|do not|cannot|can't|couldn't|could not|didn't"
    r"|haven't|have no"
    r"|not sure|not certain|unsure|unable)\b(?! block)|\bno (?:record|memory|information|note"
    r"|mention)"
    r"|\bnothing (?:about|on|was|is|in)\b|\bnot (?:on|in) (?:my )?(?:record|memory)"
    r"|isn't (?:something|anything) i|\bis (?:unknown|not known|unclear)\b"
    r"|\byou(?:'ve| have|r)? ?(?:haven't|have not|didn't|did not|never|not) (?:yet )?(?:told"
    r"|tell|mention|say|said"
    r"|share|specif|given|give|state|provide|discuss|decide)|\bwe (?:haven't|have not|didn't"
    r"|never) (?:yet )?\w+"
    r"|不知道|不清楚|没有.{0,6}(?:记录|信息|找到)|没找到|没有找到|不确定|无法确定|没有提到"
    r"|没提到|没说过|没有说过|没告诉",
    re.IGNORECASE,
)
_CUES = [
    re.compile(each, re.IGNORECASE)
    for each in (
        rf"\byou(?:'ve| have| had|'d|r team)? {_ADVERB}(?:{_IRREGULAR}|{_ED})\b",
        (
            rf"\bwe(?:'ve| have| had|'d)? {_ADVERB}(?:{_IRREGULAR}|{_ED})\b|\bwe were\b"
            rf"|{_LEAD}we use\b"
        ),
        (
            r"\bi (?:also )?(?:remember|recall|had noted|noted|have (?:it )?noted|said|told"
            r"|mentioned|wrote"
            r"|have (?:it )?on record|had recorded)\b|\bi've (?:noted|recorded)\b"
        ),
        r"\bmy (?:notes|records|memory)\b|\baccording to (?:our|your|the) |\bfrom what you\b",
        (
            r"^\W*as (?:you|we|i) |\b(?:based on|per) (?:what you|our|your (?:notes|earlier"
            r"|previous|record))"
        ),
        r"\b(?:in|from|during) (?:our|your) (?:last|previous|earlier|prior)\b",
        _LEAD + rf"(?:your|our) (?!{_NO_YOUR})\w",
        _LEAD + rf"you(?:'re| are)(?: {_ADVERB.strip()})?\b",
        _LEAD + rf"(?:now |so )?you {_ADVERB}(?:{_STATE})\b",
        _LEAD + r"your team ",
        r"\b(?:given|considering|with|within|for|fits|about|of|on) your \S*\d",
        r"\byour (?:preference|allergy|love|dislike|decision|plan|habit)s? (?:for|to|of|not)\b",
        r"\byou say\b|\byou just\b",
    )
]
_CUES_HAN = re.compile(
    r"[你您](?:之前|曾经|曾|上次|上周|昨天|刚才|刚刚|已经|也|还)?(?:说|告诉|提到|提过|讲|要求"
    r"|决定|选|喜欢|住|在|有"
    r"|每|对|不|从不|是|叫|用|去|买|打算|明天|今天|\d)|[你您](?:的)|我们(?:之前|上次|曾|已经|也"
    r"|最后)?(?:决定|说好|约定|商量"
    r"|讨论|选|同意|用)|上次|上周.{0,4}[你我]|我记得|根据.{0,4}记录|如你所说|之前[你我]"
)
_RULED_OUT_HAN = re.compile(
    r"^(?:可以|建议|请|不妨|最好|试试|需要我|如果|要是|假如|我会|我可以|我来|让我|好的$|抱歉)"
    r"|(?:需要|请|麻烦|能不能).{0,2}[你您]|[你您](?:可以|应该|最好|不妨|需要|能)"
)
_FORMER = re.compile(
    r"\b(?:used to|originally|formerly|initially|at first|before that|until|before (?:the|you"
    r"|it|we)"
    r"|no longer|superseded|replaced|previous(?:ly)?|old|prior to)\b|\bbefore\W*$"
    r"|\bbefore\b.*\b(?:was|were|had)\b|\b(?:was|were|had)\b.*\bbefore\b"
    r"|原来|本来|原先|之前(?:是|定|说|的)|以前|曾经|最初|旧的",
    re.IGNORECASE,
)
_SO = re.compile(r"^\W*(?:so|therefore|thus|hence|then|which)\b|^(?:所以|因此|那么)", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(?:moved|changed|switched|raised|lowered|increased|reduced|bumped|cut|up"
    r"|down)\b.*\bfrom\b|\bearlier\b|\bhad\b|\bfirst (?:said|told)\b|\bonce\b|\blast time\b|之前",
    re.IGNORECASE,
)
_TOLD_ON = re.compile(
    r"\b(?:told|said|mentioned|noted|recorded|decided|moved|changed|agreed|chose|picked"
    r"|superseded|since"
    r"|until|asked|wrote|updated|switched|raised|lowered|increased|reduced|before|as of)\b"
    r"|\bthat was\b|[—–] ?\w|说|告诉|提到|决定|记录|改",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|be|been|being|will|would|has|have|had|can|could|may|must|should|due|that"
    r"|(?:start|begin|end|leave|arrive|depart|open|close|happen|expire|renew|launch|run|fall|land"
    r"|fly|go|take|meet|work|move|need|want|expect|plan|get|come|ship|finish|return|travel)s?"
    r"|begins|goes|lasts)\b|\b(?:to|for|by)\s*$|'(?:s|re|m|ll|d)\b(?=\s+(?:on|in|at|due|for|from)\b)"
    r"|[是为定到改有在于]",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"^\s*(?:to\s+)?(?:(?:me|us|this|that|it|so)\s+)+(?=(?:back\s+)?(?:on|in|at)?\s*$)|^[你您]?在$",
    re.IGNORECASE,
)
_BORDER = re.compile(r"[,;:(，；：（—–]|[.。!！?？]\s")
_ASKED = re.compile(
    r"\byou(?:'re| are)? (?:just )?(?:asking\b|asked (?:about|whether|if|how|what|when|where"
    r"|who|why|which)"
    r"|want(?:ed)? to know|wonder)|你(?:刚才|刚刚)?(?:问|想知道)",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:usually|typically|often|generally|commonly|most|many|some|(?-i:may)|in general"
    r"|typical|average|is an? |are an? |can|might)\b"
    r"|通常|一般来说|往往|大多",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    _LEAD + r"(?:before that[, ]+|previously[, ]+|originally[, ]+)?(?:it|that|this|he|she|they)"
    r"(?:'s|'re| is| are| was| were| used to)\b",
    re.IGNORECASE,
)
_CREDITS = re.compile(
    r"^\W*(?:just )?(?:as|like) (?:you|we|i|the team)(?:'ve|'d| have| had| all)? "
    rf"{_ADVERB}(?:said|told|mentioned|discussed|agreed|decided|noted|explained|shared|wrote|stated"
    r"|established|settled|pointed out|recalled?|remember(?:ed)?|talked|spoke|planned)\b"
    r"|^(?:如|正如|像)?(?:你|您|我们)(?:之前|上次|刚才|曾)?(?:所说|说过|提到|提过|讨论)",
    re.IGNORECASE,
)
_RECALLING = re.compile(
    r"\b(?:remember|recall|know about you|told me|shared|mentioned|said|noted|on record|have on"
    r"|so far|my notes|know)\b|记得|说过|告诉|记录|知道",
    re.IGNORECASE,
)
_THE = re.compile(_LEAD + r"(?:the|this|that|these|those)\s+(.*)$", re.IGNORECASE | re.DOTALL)
_VERB = re.compile(
    r"\s(?:is|are|was|were|isn't|aren't|has|have|had|will|moved|starts?|began|leads?|owns?"
    r"|takes|runs"
    r"|asked|said|lives|works|costs?|renews|expires|ends|falls|covers|needs|got|went|wants?|likes?"
    r"|prefers?|uses?|decided|\w+ed|\w+s)\s",
    re.IGNORECASE,
)


class Kind(Enum):
    """What a clause is."""

    RULED_OUT = "no claim"
    CLAIM = "claim"
    OPEN = "follows what stands around it"


def kind(clause: str, *, cited: bool) -> Kind:
    """Return what a clause is by its own words; with a label, "we will" is no offer."""
    if cited and _WE_WILL.match(clause) and not _ABSTAINS.search(clause):
        return Kind.CLAIM
    if _ABSTAINS.search(clause) or any(each.search(clause) for each in _RULED_OUT):
        return Kind.RULED_OUT
    if _RULED_OUT_HAN.search(clause) or (not cited and _WILL.match(clause)):
        return Kind.RULED_OUT
    if not cited and follows(clause):
        return Kind.RULED_OUT
    if any(each.search(clause) for each in _CUES) or _CUES_HAN.search(clause):
        return Kind.CLAIM
    return Kind.RULED_OUT if _SUPPOSES.search(clause) else Kind.OPEN


def abstains(clause: str) -> bool:
    """Tell whether it says that nothing is known."""
    return bool(_ABSTAINS.search(clause))


def conditional(clause: str) -> bool:
    """Tell whether it makes what follows a mere possibility."""
    return bool(_CONDITION.match(clause))


def follows(clause: str) -> bool:
    """Tell whether it draws a conclusion rather than going on to tell."""
    return bool(_SO.match(clause))


def former(clause: str) -> bool:
    """Tell whether a clause speaks of what held before."""
    return bool(_FORMER.search(clause))


def once_said(clause: str) -> bool:
    """Tell whether it says that something was said earlier, true now or not."""
    return bool(_ONCE.search(clause))


def tells_when(clause: str, at: int) -> bool:
    """Tell whether the day that begins at ``at`` may be the day when something was said.

    It may beside the saying ("You told me on Monday that …"), never in what is said: "You told
    me the launch is on Monday".
    """
    if not _TOLD_ON.search(clause):
        return False
    before = clause[:at]
    saying = [each.end() for each in _TOLD_ON.finditer(before)]
    between = before[saying[-1] :] if saying else _BORDER.split(before)[-1]
    between = _BESIDE.sub("", between)
    return bool(re.search(r"[(（]\s*(?:on\s+)?$", before)) or not _STATES.search(between)


def asked_in(clause: str) -> str:
    """Return what the user asked, by a clause that says so; empty where it does not."""
    found = _ASKED.search(clause)
    return clause[found.end() :] if found else ""


def general(clause: str) -> bool:
    """Tell whether it speaks of what is usual."""
    return bool(_GENERAL.search(clause))


def elliptic(clause: str) -> bool:
    """Tell whether its subject is left to the question: "It's on Friday"."""
    return bool(_ELLIPTIC.match(clause))


def credited(clause: str) -> bool:
    """Tell whether it says that what stands beside it was said before: "as you mentioned"."""
    return bool(_CREDITS.search(clause))


def leads_to_claims(lead: str) -> bool:
    """Tell whether the items of a list under this line are said to be remembered."""
    return bool(_RECALLING.search(lead))


def subject(clause: str) -> tuple[str, bool]:
    """Return the words before the verb, and whether an article makes them definite."""
    the = _THE.match(clause)
    words = the[1] if the else re.sub(_LEAD, "", clause, flags=re.IGNORECASE)
    verb = _VERB.search(words + " ")
    return (words[: verb.start()] if verb else ""), the is not None
