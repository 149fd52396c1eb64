"""Is a memory about another person than a question that asks of oneself?

"Do I like football?" is not answered by "My friend hates football", nor "Where do I live?" by
"Bob: I live in Paris". Only where question and memory say the same thing of somebody: who owns
deployment is an answer to whom I should ask about it.
"""

from __future__ import annotations

import re

_ASKS_OF_ME = re.compile(
    r"\b(?:do|did|don['’]?t|am|was|have|can|could|should|will|would)\s+I\s+(?:still\s+|also\s+)?"
    r"(?P<deed>[a-z]+)|\bI\s+(?:still\s+|also\s+)?(?P<says>[a-z]+)"
    r"|\bmy\s+(?P<thing>[a-z][\w' -]{1,40})",
    re.IGNORECASE,
)
_RELATIVE = (
    r"(?:mother|mom|mum|father|dad|brother|sister|son|daughter|wife|husband|partner|girlfriend"
    r"|boyfriend|friend|colleague|coworker|co-worker|boss|manager|neighbou?r|roommate|flatmate"
    r"|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|teacher|teammate|landlord|nephew"
    r"|niece|child|kid|baby|ex|assistant|intern)s?"
)
_SUBJECT = re.compile(
    rf"\s*(?:(?P<relative>(?:[Mm]y|[Oo]ur)\s+(?:[\w-]+\s+)?{_RELATIVE}(?:\s+[A-Z][\w-]+)?)"
    r"|(?P<name>(?!I\b|My\b|Our\b|The\b|We\b|It\b|This\b|That\b|A\b|An\b)[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
    r"|(?P<pronoun>[Hh]e|[Ss]he|[Tt]hey))"
    r"(?:['’]s\s+(?P<thing>[a-z][\w-]*)|\s+(?:really\s+|also\s+|still\s+|always\s+)?(?P<deed>[a-z]+))"
)
_SAID_BY = re.compile(r"\s*(?P<who>[^\W\d_][\w .'’-]{0,60}?):\s+(?P<what>\S.*)", re.DOTALL)
_HEADING = re.compile(
    r"note(?: \d+)?|reminder|fact|update|info|fyi|news|remember|important|ps|btw", re.IGNORECASE
)
_LIKING = frozenset(
    {"like", "love", "hate", "enjoy", "prefer", "dislike", "want", "adore", "detest", "favour"}
)
_BEING = {"is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "has": "have",
          "had": "have", "does": "do", "did": "do", "goes": "go"}  # fmt: skip
_HAN = re.compile(
    r"\s*(?P<who>我(?:的)?(?:好)?(?:朋友|同事|妈妈|母亲|爸爸|父亲|哥哥|弟弟|姐姐|妹妹|儿子|女儿|妻子|老婆|丈夫|老公"
    r"|老板|经理|邻居|室友|同学|老师)[\u4e00-\u9fff]{0,3}?|[他她]们?|小[\u4e00-\u9fff])"
    r"(?:很|也|最|不|都|还)*(?P<deed>喜欢|讨厌|爱|住|工作|有|养|会|吃|喝|叫)"
)
_ASKS_OF_ME_HAN = re.compile(
    r"我(?:很|也|最|不|都|还)*(?P<deed>喜欢|讨厌|爱|住|工作|有|养|会|吃|喝|叫)"
)
_LIKING_HAN = frozenset({"喜欢", "讨厌", "爱"})


def of_another(question: str, content: str) -> str:
    """Return whom a memory is about, where that is another than who asks; empty if it is not."""
    said = _SAID_BY.fullmatch(content)
    if said and _speaks_of_itself(said["what"]) and _asks_of_me(question):
        return "" if _names(question, said["who"]) else said["who"]
    if found := _HAN.match(content):
        asked = _ASKS_OF_ME_HAN.search(question)
        if asked is None or found["who"] in question:
            return ""
        same = {asked["deed"], found["deed"]} <= _LIKING_HAN or asked["deed"] == found["deed"]
        return found["who"] if same else ""
    subject = _SUBJECT.match(content)
    if subject is None:
        return ""
    who = subject["relative"] or subject["name"] or subject["pronoun"]
    if _names(question, who):
        return ""
    return who if any(_same(each, subject) for each in _ASKS_OF_ME.finditer(question)) else ""


def speaks_of_themselves(content: str) -> bool:
    """Tell whether a memory is what a named person says of themselves: "Bob: I live in Paris"."""
    said = _SAID_BY.fullmatch(content)
    if said is None or _HEADING.fullmatch(said["who"]):
        return False
    return _speaks_of_itself(said["what"])


def _asks_of_me(question: str) -> bool:
    return bool(_ASKS_OF_ME.search(question) or "我" in question)


def _speaks_of_itself(text: str) -> bool:
    return bool(re.search(r"\b(?:I|[Mm]y|[Mm]e)\b|我", text))


def _names(question: str, who: str) -> bool:
    """Tell whether a question names whom a memory is about: by name, or by what they are to me."""
    asked = set(re.findall(r"\w+", question.casefold()))
    names = [word for word in re.findall(r"\w+", who.casefold()) if word not in ("my", "our")]
    return any(word in asked or word.rstrip("s") in asked for word in names)


def _same(asked: re.Match[str], subject: re.Match[str]) -> bool:
    """Tell whether a question asks of me what a memory says of somebody."""
    if subject["thing"]:
        return bool(asked["thing"]) and subject["thing"] in asked["thing"].split()
    mine = asked["deed"] or asked["says"]
    if not mine or not subject["deed"]:
        return False
    one, other = _plain(mine), _plain(subject["deed"])
    return one == other or {one, other} <= _LIKING


def _plain(verb: str) -> str:
    verb = verb.lower()
    if verb in _BEING:
        return _BEING[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
