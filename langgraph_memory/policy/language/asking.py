"""The bare question of a message, without the words that only put it.

"Hey, do you still remember when the launch is?" asks when the launch is. That no record answers
"hey" or "remember" is no lack. English, German, French, Spanish and Chinese; what is not surely
only a way of asking stays.
"""

from __future__ import annotations

import re

LONGEST = 500
"""Characters of a message that is read; a longer one is taken as it is."""

_I = re.IGNORECASE
_GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks(?: a lot| so much)?|thank you"
    r"(?: so much| very much)?|thx|ok|okay|great|quick question|one (?:more|last|quick) question"
    r"|just (?:wondering|curious)|by the way|btw|sorry|excuse me|please|hallo|guten (?:morgen|tag"
    r"|abend)|danke(?: sch[oö]n)?|vielen dank|bitte|ach|bonjour|salut|bonsoir|merci(?: beaucoup)?"
    r"|hola|buenos d[ií]as|gracias|muchas gracias|oye|por favor|s['’]il (?:te|vous) pla[iî]t)"
    r"(?:\s(?:there|again|all|everyone))?"
)
_STARTS = re.compile(rf"^\W*{_GREETING}\s*[,;:.!…—–-]+\s*(?=\S)", _I)
_JOINS = re.compile(r"^\W*(?:and|so|but|also|und|also|et|alors|y|entonces)[,\s]+(?=\S)", _I)
_ENDS = re.compile(
    r"\s*[,;.!—–-]\s*(?:please|thanks(?: a lot| so much| in advance)?|thank you|thx|bitte|danke"
    r"|merci(?: beaucoup| d['’]avance)?|s['’]il (?:te|vous) pla[iî]t|por favor|gracias)\s*[.!?]*$"
    r"|(?<!said)(?<!say)(?<!saying)\s+please\s*[.!?]*$|[,，\s]*(?:谢谢[你您]?|麻烦[你您]?了?|拜托了?)\s*[。.!！?？]*$",
    _I,
)
_WH = (
    r"(?:who|whom|whose|what|when|where|which|why|how|whether|if|wer|wen|wem|wessen|was|wann|wo"
    r"|wohin|welche[rsnm]?|warum|wie|ob|qui|que|quoi|quand|o[uù]|quel(?:le)?s?|pourquoi|comment"
    r"|combien|si|qui[eé]n(?:es)?|qu[eé]|cu[aá]ndo|d[oó]nde|cu[aá]l(?:es)?|por qu[eé]|c[oó]mo"
    r"|cu[aá]nt[oa]s?)(?:['’]s)?\b|qu['’]"
)
_THING = r"(?:my|our|the|his|her|their|\w+['’]s)\s"
_BEHIND = rf"(?={_WH}|{_THING})"
_PUTS = [
    re.compile(each, _I)
    for each in (
        (
            rf"^\W*(?:do|can|could) you (?:still |even |happen to )?(?:remember|recall|know)"
            rf"\s+{_BEHIND}"
        ),
        (
            rf"^\W*(?:can|could|would|will) you (?:please |kindly )?(?:tell me|remind me(?: of)?"
            rf"|look up|check|let me know)(?: again)?\s+{_BEHIND}"
        ),
        (
            r"^\W*(?:please )?(?:tell me|remind me(?: of)?|let me know|look up)(?: again)?"
            rf"\s+{_BEHIND}"
        ),
        rf"^\W*(?:i['’]m|i am|i was|i) (?:just )?(?:wondering|wonder|curious|not sure)\s+{_BEHIND}",
        (
            rf"^\W*i(?:['’]ve)? (?:forgot|forgotten"
            r"|(?:can['’]?t|don['’]?t) (?:remember|recall|know))"
            rf"\s+(?={_WH})"
        ),
        rf"^\W*i(?:['’]d| would) (?:like|love) to know\s+{_BEHIND}",
        rf"^\W*(?:have i|did i ever) (?:told|tell|mentioned|mention) (?:to )?(?:you )?{_BEHIND}",
        (
            r"^\W*what (?:did i|have i) (?:tell you|told you|say|said|mention(?:ed)?)(?: to you)?"
            r" about\s+(?=\S)"
        ),
        r"^\W*what do you (?:still )?(?:know|remember) about\s+(?!me\b|us\b)(?=\S)",
        (
            rf"^\W*(?:wei(?:ß|ss)t|kennst) du (?:noch|vielleicht)?[,\s]*"
            rf"(?={_WH}|mein|unser|d(?:er|ie|as|en)\s)"
        ),
        rf"^\W*erinnerst du dich(?: noch)?(?: daran)?[,\s]+(?={_WH})",
        rf"^\W*(?:kannst|k[oö]nntest) du mir (?:bitte )?sagen[,\s]+(?={_WH})",
        rf"^\W*sag(?:e)? mir(?: bitte)?[,\s]+(?={_WH})",
        (
            rf"^\W*(?:te (?:souviens|rappelles)-tu|tu te (?:souviens|rappelles)|sais-tu|tu sais)"
            rf"(?: encore)?\s+(?:de\s+)?(?={_WH})"
        ),
        (
            rf"^\W*(?:peux-tu|pourrais-tu|tu peux) me (?:dire|rappeler)\s+(?={_WH})"
            rf"|^\W*dis-moi\s+(?={_WH})"
        ),
        rf"^\W*(?:te acuerdas(?: todav[ií]a)?(?: de)?|recuerdas|sabes(?: todav[ií]a)?)\s+(?={_WH})",
        (
            rf"^\W*(?:me puedes|puedes|podr[ií]as)(?:me)? (?:decir|recordar)(?:me)?\s+(?={_WH})"
            rf"|^\W*dime\s+(?={_WH})"
        ),
        r"^\W*(?:你好|您好|嗨|请问|麻烦问一下|想问一下|我想知道|那么)[，,！!。\s]*(?=\S)",
        r"^\W*(?:[请你您]|麻烦|能不能|可以|能|可不可以)*告诉我(?=\S{2})",
        (
            r"^\W*[你您](?:还|是否)?记(?:不记)?得(?!我|吗|关于)(?=\S{2})"
            r"|^\W*[你您]还?知(?:不知)?道(?!我|吗)(?=\S{2})"
        ),
    )
]
_AGAIN = re.compile(r"^(.+?),?\s+again(\W*)$", _I)
_COPULA = re.compile(
    r"^\W*(?:what|who|when|where|which|how much)(?:['’]s|\s+(?:is|are|was|were))\s", _I
)
_MA = re.compile(r"吗([？?。\s]*)$")


def bare_question(message: str) -> str:
    """Return what a message asks, without greeting, thanks and the words that put the question.

    The message itself is returned where nothing surely can go. What is left is always a part of
    it, in its own words.
    """
    if len(message) > LONGEST or "\n" in message.strip():
        return message
    left = message.strip()
    for _ in range(6):
        shorter = _once(left)
        if shorter == left or not any(map(str.isalnum, shorter)):
            break
        left = shorter
    return left if left != message.strip() else message


def _once(text: str) -> str:
    ended = _ENDS.search(text)
    if ended and ended.start():
        return text[: ended.start()] + ("?" if "?" in ended[0] else "")
    for pattern in (_STARTS, *_PUTS):
        if found := pattern.match(text):
            rest = text[found.end() :]
            return _MA.sub(r"\1", rest) if pattern is _PUTS[-1] else rest
    if (found := _JOINS.match(text)) and re.match(_WH, text[found.end() :], _I):
        return text[found.end() :]
    if _COPULA.match(text) and (found := _AGAIN.match(text)):
        return f"{found[1]}{found[2]}"
    return text
