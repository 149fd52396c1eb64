"""Which of the languages that the rules of consent know a message is in.

By script where that tells, by its small words where it does not. Words are in folded spelling
(``text.scripts.fold``): without case and, in Latin letters, without accents.
"""

from __future__ import annotations

import re

_NAMING = """
what was that which who i me my you your about of the a an to please said say told tell know all
everything anything do not and is on for from it this with have has just now can could would
ce que qu j ai je tu te mon ma mes de du des le la les l un une sur sais dit moi plait s il vous
lo dije mi mis del el los las una sobre por favor todo sabes se quello che ho detto i gli mio mia
su di della per favore tutto sai ti o os as eu meu minha do da dos das tudo disse voce sabe
wat ik zei gezegd heb het een mijn over van alles weet je jij u alsjeblieft
co mowilem powiedzialem moj moja moje moim mojej wszystko wiesz prosze
что я сказал сказала говорил говорила о об про мои моя мое моем моего все это пожалуйста мне мой
benim hakkinda soyledigim soylediklerimi her seyi lutfen ne bir
bitte ich uber das der die den dem ein eine mein meine meinen meiner meines gesagt habe weisst
dir mir mal doch von zu kannst konntest wurdest wieder
ist sind est sont es son esta e sono sao jest sa to de auf a
"""
NAMING = frozenset(_NAMING.split())
"""What stands around the name of a thing, and names nothing: "what I said about"."""

_SMALL_WORDS = {
    "en": "the is are was i you my me we it this that of to and not what when who please don't do"
    " can could your about with for have",
    "de": "der die das den dem ist sind ich du dir mich mir mein meine meinen meiner nicht nichts"
    " und was wann uber bitte kannst dass auf von zu ein eine kein mit sich wieder",
    "fr": "le les du des est sont je tu mon ma mes ne pas que qu et quoi quand sur ce de un une"
    " rien plus pour vous toi ai suis",
    "es": "el los las es son yo mi mis tu no que y cuando sobre de un una nada por favor lo eso se"
    " soy tengo al del",
    "it": "il gli la le e sono io mio mia non che quando di un una nulla niente per favore su del"
    " della ho i alla sul",
    "pt": "o os as e sao eu meu minha nao que quando sobre de um uma nada por favor se te isso sou"
    " tenho da do na esta a",
    "nl": "de het is zijn ik je mijn niet niets en wat wanneer over dat van een alsjeblieft geen op"
    " voor kun u dit",
    "pl": "jest sa ja ty moj moja moje moim mojej nie ze i co kiedy o to na w mam prosze niczego"
    " sie czy jestem",
    "tr": "bir ve ben sen benim bu ne zaman hakkinda sey degil lutfen misin musun hic icin da de mi"
    " mu ki",
}
_WORDS = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\u1100-\u11ff\uac00-\ud7af]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
}
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]")
_OTHERS = re.compile(r"[іїєґўђћџљњќѓѕј\u067e\u0686\u0698\u06af\u0679\u0688\u0691\u06ba\u06d2]")
"""Letters of Ukrainian, Serbian, Persian, Urdu and their neighbours."""

LATIN = tuple(_WORDS)
FEWEST, SHARE = 2, 0.2


def languages(folded: str) -> tuple[tuple[str, ...], bool]:
    """Return the languages a text may be in, and whether it surely is in one of them.

    Args:
        folded: The text in folded spelling.
    """
    found = [name for name, script in _SCRIPTS.items() if script.search(folded)]
    if _HAN.search(folded) and "ja" not in found:
        found.append("zh")
    if found:
        return tuple(found), not _OTHERS.search(folded)
    if not _LATIN.search(folded):
        return (), False
    words = re.findall(r"[a-z][a-z']*", folded)
    hits = {name: sum(word in small for word in words) for name, small in _WORDS.items()}
    most = max(hits.values())
    if most < FEWEST and most < SHARE * len(words):
        return LATIN, False
    return tuple(name for name in LATIN if hits[name] >= max(1, most - 1)), True
