"""Words and turns of phrase that say the same; data, no rules of what follows.

Short on purpose, and only what is the same in every statement: "love" and "like", "hurt" and
"ache", "holiday" and "vacation" are not here. The first word of a line stands for all.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.language.amounts import UNIT_WORDS
from langgraph_memory.text.stopwords import ENGLISH

_SAME = """
color colour
colors colours
favorite favourite
favorites favourites
flavor flavour
flavors flavours
neighbor neighbour
neighbors neighbours
neighborhood neighbourhood
behavior behaviour
labor labour
harbor harbour
honor honour
humor humour
center centre
theater theatre
liter litre
liters litres
kilometer kilometre
kilometers kilometres
license licence
defense defence
gray grey
tire tyre
tires tyres
pajamas pyjamas
jewelry jewellery
program programme
traveling travelling
traveler traveller
canceled cancelled
catalog catalogue
dialog dialogue
aluminum aluminium
color-blind colour-blind colorblind colourblind
mother mum mom mummy mommy
mothers mums moms
father dad daddy
fathers dads
grandmother grandma granny
grandfather grandpa granddad
child kid
children kids
film movie
films movies
flat apartment
flats apartments
television tv
bicycle bike
bicycles bikes
phone telephone
elevator lift
refrigerator fridge
colleague coworker co-worker
colleagues coworkers co-workers
email e-mail
emails e-mails
start begin
starts begins
starting beginning
buy purchase
buys purchases
often frequently
usually normally generally
approximately roughly
database db
databases dbs
repository repo
repositories repos
configuration config
production prod
postgresql postgres
kubernetes k8s
javascript js
detest loathe
first 1st
second 2nd
third 3rd
fourth 4th
fifth 5th
sixth 6th
seventh 7th
eighth 8th
ninth 9th
tenth 10th
"""
WORDS = {
    word: line.split()[0]
    for line in _SAME.strip().splitlines()
    for word in line.split()[1:]
}  # fmt: skip
"""A word, and the one that stands for it."""

ENDINGS = (
    (re.compile(r"\b([a-z]{4,})is(ations?|ing|es?|ed)\b(?<!promise)(?<!exercise)"), r"\1iz\2"),
    (re.compile(r"\b([a-z]{3,})lys(ing|es?|ed)\b"), r"\1lyz\2"),
)
"""organise, analyse. A word like "raise" is spelled oddly then, but in both statements."""


def _turn(pattern: str, instead: str) -> tuple[re.Pattern[str], str]:
    return re.compile(pattern), instead


SHORT = (
    _turn(r"\bcan't\b|\bcannot\b", "can not"),
    _turn(r"\bwon't\b", "will not"),
    _turn(r"\bshan't\b", "shall not"),
    _turn(r"n't\b", " not"),
    _turn(r"\bi'm\b", "i am"),
    _turn(r"(?<=\w)'re\b", " are"),
    _turn(r"(?<=\w)'ve\b", " have"),
    _turn(r"(?<=\w)'ll\b", " will"),
    _turn(r"\b(that|there|who|what|where)'s\b", r"\1 is"),
    _turn(r"(?<=\w)'s\b", " 's"),
)
"""Short forms, in lower case; "I'd" may be two things and stays."""

OPENING = re.compile(
    r"^(?:by the way|btw|fyi|for your information|just so you know|so you know|for the record"
    r"|as you (?:may )?know|please note(?: that)?|note that|actually|well|anyway|also)"
    r"(?:[,:]\s*|\s+)",
    re.IGNORECASE,
)
"""What opens a statement without being part of it."""

FILLERS = re.compile(
    r"\b(?:really|actually|also|currently|presently|nowadays|these days|right now"
    r"|at the moment|at present)\s"
    r"|(?<=\bi )now\s|(?<=\bwe )now\s|(?<=\bam )now\s|(?<=\bis )now\s|(?<=\bare )now\s"
    r"|(?<!\bfrom )(?<!\bby )(?<!\bfor )(?<!\btill )(?<!\buntil )(?<!\bto )\bnow(?=\s*$)"
)
"""What adds nothing to what is affirmed; beside a "not" each of them may say more."""

_MANY = r"(?:only|just|all|every\w*|each|both|any\w*|most|much|very|always|more|too|that|when)"
_UNIT = "(second|minute|hour|day|week|month|year)"
TURNS = (
    _turn(r"^the (?!most\b|few\b|same\b|other\b|best\b|worst\b|more\b|less\b|only\b|one\b)", ""),
    _turn(r"\bemail address\b", "email"),
    _turn(r"\beach (?=second|minute|hour|day|morning|evening|night|week|month|year|\w+day\b)",
          "every "),
    _turn(rf"(⟦[^ ]+(?: \w+)?|\bonce|\btwice) (?:a|per) {_UNIT}\b", r"\1 per \2"),
    _turn(r"\b(have|has) got\b", r"\1"),
    _turn(r"\bin charge of\b", "responsible for"),
    _turn(rf"\bdo not like\b(?!.*\b{_MANY}\b)", "dislike"),
    _turn(rf"\bdoes not like\b(?!.*\b{_MANY}\b)", "dislikes"),
    _turn(r"\bcan not stand (?!up\b|by\b|still\b|in\b|on\b|here\b|with\b|at\b|for\b)", "hate "),
    _turn(r"^(i|we) detest\b", r"\1 hate"),
    _turn(r"^(i|we) enjoy\b", r"\1 like"),
    _turn(r"^(i|we|you|they) (?:am|are) living in\b", r"\1 live in"),
    _turn(r"\bis living in\b", "lives in"),
    _turn(r"\bare living in\b", "live in"),
    _turn(r"\breside in\b", "live in"),
    _turn(r"\bresides in\b", "lives in"),
    _turn(r"\bis running on\b", "runs on"),
    _turn(r"\bare running on\b", "run on"),
    _turn(r"\bhave been (work|liv)ing\b(?=.*\bsince\b)", r"have \1ed"),
    _turn(r"\b(prefer|prefers) (\S+(?: \S+)?) over (\S+(?: \S+)?)$", r"\1 \2 to \3"),
    _turn(r"\blike (\S+) (?:more|better) than (\S+)$", r"prefer \1 to \2"),
    _turn(r"\blikes (\S+) (?:more|better) than (\S+)$", r"prefers \1 to \2"),
    _turn(r"\b(\w+)(?: that)? i like (?:the )?(?:best|most)\b", r"my favorite \1"),
    _turn(r"^(i|we) have an? (\w+) (?:called|named) (\w+)$", r"my \2 is called \3"),
    _turn(r"\bis named (?!after\b)", "is called "),
    _turn(r"^(\S+(?: \S+){0,3}) 's name is (?!not\b)", r"\1 is called "),
    _turn(r"^my name is (?!not\b)", "i am called "),
    _turn(r"\b(am|is|are) an? (vegetarian|vegan|pescatarian)$", r"\1 \2"),
    _turn(r"^i have an? (\w+?)s? allergy$", r"i am allergic to \1"),
    _turn(r"\ballergic to (\w+?)s?$", r"allergic to \1"),
    _turn(r"(?:(?<=\bmy )|(?<=\bour )|(?<=\b's ))boss\b", "manager"),
    _turn(r"^i report to (\w+)$", r"my manager is \1"),
    _turn(r"^deadline (?:for|of) (?:the )?(\S+(?: \S+)?) is (?:on )?(?=⟦day)",
          r"\1 's deadline is "),
    _turn(r"^(?!(?:i|we|she|baby)\b)(\S+(?: \S+)?) is due (?:on )?(?=⟦day)", r"\1 's deadline is "),
    _turn(r"\bis on (?=⟦day)", "is "),
    _turn(r"^(\w+(?: \w+)?) is where (i|we) live$", r"\2 live in \1"),
    _turn(r"^i am an? ((?:\w+ ){0,2}\w+) at (\w+)$", r"i work at \2 as a \1"),
    _turn(r"^(i work at \w+ as) an (?=\w)", r"\1 a "),
    _turn(r"^(i|my (?:mother|father|grandmother|grandfather|son|daughter|wife|husband|brother"
          r"|sister|child)) (am|is) ⟦(\d+)\|⟧$", r"\1 \2 ⟦\3|year⟧ old"),
)  # fmt: skip
"""Turns of phrase, in order, in lower case and one blank between words."""

FRONT = re.compile(
    r"^((?:every|in|on|at|for|since|during|after|before|with)"
    r" (?:(?!and\b|or\b|than\b|that\b|which\b|who\b|i\b|we\b|my\b|our\b)[^ ,]+ ?){1,4}?),?"
    r" ((?:i|we|my|our)\b.+)$"
)
"""What stands before who is spoken of; it may as well stand last."""

LAST = re.compile(r" ((?:at|on|since) ⟦[^ ]+|every \w+|in (?:morning|afternoon|evening))$")
"""When something is, at the end of a statement; the order of two of these says nothing."""

PASSIVE = {
    "managed": ("manages", "manage"), "owned": ("owns", "own"), "led": ("leads", "lead"),
    "maintained": ("maintains", "maintain"), "handled": ("handles", "handle"),
    "hosted": ("hosts", "host"), "taught": ("teaches", "teach"), "funded": ("funds", "fund"),
}  # fmt: skip
"""Verbs of how things are, as "is … by" has them, and as one and as many do it."""

RELATIVES = frozenset(
    ("wife", "husband", "partner", "fiancé", "fiancée", "girlfriend", "boyfriend")
)
"""Of whom there is one, so that whoever it is also is what they are called."""

_ATTRIBUTES = """
address age birthday budget capital capacity ceo color deadline email goal headquarters id
language landlord limit manager name office owner password phone port price priority rent size
status target timezone version
"""
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
"""Nouns with which "the … of the project" and "the project's …" are one thing."""

_VARYING = """
cannot doesn isn aren wasn weren hasn haven hadn wouldn couldn shouldn mustn needn don't
living live lives lived work works worked working mail worker noon midnight midday clock
january february march april june july august september october november december
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
thousand million dozen isn won don can not what who where
jan feb mar apr jun jul aug sep sept oct nov dec
"""
CHANGED = frozenset(
    word
    for text in (
        _SAME, _VARYING, UNIT_WORDS, OPENING.pattern, FILLERS.pattern,
        *(pattern.pattern for pattern, _ in (*SHORT, *TURNS)), *(i for _, i in (*SHORT, *TURNS)),
        *PASSIVE, *(verb for pair in PASSIVE.values() for verb in pair), *ENGLISH,
    )
    for word in re.findall(r"[a-z]{3,}", text)
)  # fmt: skip
"""Words that may be another word, or none, in a statement that says the same."""
