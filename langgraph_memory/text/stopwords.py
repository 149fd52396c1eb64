"""Words that do not say what is asked: dropped from queries, kept in the index.

All are in folded form. Absent on purpose: negations ("not", "no", "never", "without",
"nicht", "kein"), which turn what is meant around; "before" and "after"; and words that are
also names or things ("may", "will", "us").
"""

from __future__ import annotations

import re
from collections.abc import Set

_ENGLISH = """
a about am an and any are as at be been being but by can could did do does doing done ever
for from had has have having he her hers herself him himself his how i if in into is it its
itself just know let me might mine my myself of on or our ours ourselves please shall she
should so some such tell than that the their theirs them themselves then there these they
this those to too up very was we were what whatever when where which while who whom whose
why with would you your yours yourself yourselves
"""

_GERMAN = """
aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den der
des dich die dir du ein eine einem einen einer eines er es euch euer fur fuer hab habe haben
hat hatte hier ich ihm ihn ihr ihre im in ist ja kann mein meine mich mir mit noch nun ob
oder sein seine sich sie sind so und uns unser unter vom von wann war waren warum was weil
welche welcher welches wem wen wenn wer werden wie wieso wir wird wo wurde zu zum zur
"""

# Many German ones are English words too (die, war, hat, was): they count only in company.
_SURELY_GERMAN = """
das deine eine einen einer habe haben ich ist meine sind und wann warum welche welcher welches
wem wer werden wieso wurde
"""

ENGLISH = frozenset(_ENGLISH.split())
GERMAN = frozenset(_GERMAN.split())
_MARKERS = frozenset(_SURELY_GERMAN.split())


_UNSPACED_FUNCTION_WORDS = re.compile(
    "为什么|怎么样|什么|怎么|怎样|多少|哪里|哪儿|哪个|哪些|我们|你们|他们|她们|请问|有没有|是不是"
    "|ですか|でしょうか|ますか|いつ|どこ|なに|だれ|何ですか|입니까|인가요"
    "|[的了吗呢吧啊是我你您他她它谁哪几在はがをにでとも]"
)


def without_function_words(text: str) -> str:
    """Return an unspaced text with its function words as gaps; it may come out empty."""
    return _UNSPACED_FUNCTION_WORDS.sub(" ", text)


def stop_words(query: Set[str]) -> frozenset[str]:
    """Return the stop words of the language that a query's folded words are in."""
    return ENGLISH if query.isdisjoint(_MARKERS) else ENGLISH | GERMAN
