"""What a rule not to keep something may be about: a subject that the user named as one.

A rule is written down, so it never says what is not to be known: no predicate ("pregnant"), and
nothing that only stands in the statement beside the request.
"""

from __future__ import annotations

import re

from langgraph_memory.text.scripts import clean, fold

ARTICLE = re.compile(
    r"^(?:the|my|our|your|an?|der|die|das|den|dem|mein\w{0,2}|unser\w{0,2}|les?|la|mon|ma|mes|el|los"
    r"|las|mis?|il|lo|gli|mio|mia|os?|meu|minha|de|het|mijn|m[oó]j|moja|moje|мо[йяёеи])\s+|^l['’]|^我的?",
    re.IGNORECASE,
)
"""What stands before the name of a thing."""

ABOUT_BEFORE = re.compile(
    r"\b(?:about|on|regarding|related\s+to)\s*$|(?:关于|有关)\s*$", re.IGNORECASE
)
NOUN_PHRASE = re.compile(
    r"(?:my|our|his|her|their|the|your|any|these|those)\s+\w"
    r"|(?:我们?|他们?|她们?|你们?)的(?!.*[是有了])",
    re.IGNORECASE,
)
"""What is a subject without "about" before it."""

PREDICATE = re.compile(
    r"(?:(?:me|my|us|our)\s+)?(?:being|having|getting)\b|the\s+fact\b|(?:how|why|when|where)\s+(?:i|we)\b"
    r"|(?:i|we)(?:['’]|\s)"
    r"|\s*我们?(?!的).{0,30}了[。.!！\s]*$"
    r"|\s*我们?(?:怀孕|怀了|离婚|失业|欠|生病|抽|吸|喝|吃|被|没|不|会|要|想|去|做|当|辞|出轨|结婚|分手|堕胎|流产"
    r"|自杀|犯|坐|破产|用|赚|挣|得|患|病|很|正|已|刚|曾)",
    re.IGNORECASE,
)
"""What states something of the user in the place of a subject."""

_BEFORE = (
    r"about|on|of|regarding|concerning|to|uber|von|zu|bezuglich|wegen|sur|de|du|des|concernant"
    r"|propos|sobre|acerca|del|su|sul|sui|sulla|sulle|di|della|dello|dei|delle|riguardo|da|do|das"
    r"|dos|over|van|o|temat|об|о|про|насчет|عن|حول|om|για|σχετικα"
)
_BEHIND = r"hakkinda|ilgili|konusunda|के बारे|के विषय|से जुड़"
_UNSPACED = re.compile(
    r"关于|關於|有关|有關|对于|について|のこと|に関|に關|に対し|에\s?대|에\s?관|관한|관련|เกี่ยวกับ"
)
_MINE = (
    r"my|our|his|her|their|mein\w*|unser\w*|mon|ma|mes|nos|notre|mis?|nuestr\w*|mi[ao]|miei|mie"
    r"|minhas?|meus?|mijn|onze?|moj\w*|moim|мо\w+|मेर\S*|min|mitt|mina"
)
_MINE_UNSPACED = re.compile(r"(?:我们?的|私の|僕の|내\s|제\s|우리\s)")
_CLAUSES = re.compile(r"[,;:，；：、،]|\b(?:but|and|aber|und|mais|pero|ma|mas|maar|ale|но)\b|但")
_SPACED = re.compile(r"[^\W_]+")
_SHORTEST = 3


def is_named(argument: str, sentence: str, stop: re.Pattern[str]) -> bool:
    """Tell whether a sentence that asks to keep no more names a subject as such.

    Args:
        argument: The subject, in a model's words.
        sentence: As the user said it.
        stop: Finds the request in folded text.
    """
    said, words = fold(clean(sentence)), _SPACED.findall(fold(clean(argument)))
    if _UNSPACED.search(said) and any(each in said for each in words):
        return True
    stems = [re.escape(each[: max(_SHORTEST, len(each) - 2)]) for each in words]
    if not stems:
        return False
    stem = rf"(?:{'|'.join(stems)})"
    about = (
        rf"\b(?:{_BEFORE})\s+(?:\S+\s+){{0,2}}?\S{{0,3}}{stem}|{stem}\S*\s+(?:\S+\s+)?(?:{_BEHIND})"
    )
    if re.search(about, said):
        return True
    mine = rf"\b(?:{_MINE})\s+(?:\S+\s+)?{stem}"
    return any(
        (re.search(mine, each) or (_MINE_UNSPACED.search(each) and re.search(stem, each)))
        for each in _CLAUSES.split(said)
        if stop.search(each)
    )
