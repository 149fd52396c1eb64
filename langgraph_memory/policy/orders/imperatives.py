"""Sentences that bid somebody change, delete or store something: they state nothing.

What is bidden is no fact, whoever it is said to: "Change the code to 43" is never kept as a
memory, and never quoted as evidence. The forms are known in English, German, French, Spanish and
Chinese. To remember, put in German, French or Spanish, is none of them: its words are what the
user wants kept.
"""

from __future__ import annotations

import re

from langgraph_memory.text.scripts import clean, fold

_LONGEST = 2_000

_EN_LEAD = (
    r"\W*(?:(?:please|kindly|pls|and|then|so|also|but|now|ok|okay|hey|hi|hello|just|next|finally"
    r"|first|no|yes|actually|you (?:can|should|must|may|need to|have to|could))\b[\s,:;!.—–-]*)*"
)
CHANGE = (
    r"change|update|set|switch|move|reschedule|postpone|shift|adjust|edit|amend|revise|modify"
    r"|alter|fix|correct|rectify"
)
DROP = (
    r"delete|erase|remove|drop|wipe|purge|clear|discard|scratch|strike|scrub|get rid of"
    r"|throw (?:away|out)|take out|forget"
)
_STORE = (
    r"store|save|record|log|keep|retain|memori[sz]e|note(?: down)?|write down|jot down"
    r"|(?:make|take) (?:a )?(?:mental )?note|add|put"
)
_WHAT = (
    r"(?:the|my|our|your|his|her|their|its|this|that|these|those|it|me|all|everything|anything|any"
    r"|every|what|whatever|an?|some|both)\b|\S+'s\b|[\"“]"
)
_EN = re.compile(
    rf"{_EN_LEAD}(?:(?:{CHANGE}|{DROP}|replace|substitute|swap|{_STORE})"
    rf"\s+(?:down\s+|out\s+)?(?:(?:from|in|to|into) (?:your )?memory\b|{_WHAT})"
    rf"|(?:{CHANGE})\s+(?:\S+\s+){{1,6}}?(?:to|into)\s|(?:replace|substitute|swap)\s+"
    r"(?:\S+\s+){1,6}?(?:with|by|for)\s|(?:make|take) (?:a )?(?:mental )?note\b"
    rf"|(?:{DROP})\s+(?:\S+\s+){{1,6}}?(?:from|out of) (?:your |the )?(?:memory|memories|mind)\b)"
)
_DE_THING = (
    r"(?:den|die|das|dem|der|mein\w*|unser\w*|dein\w*|ihre?\w*|alles?|ein\w*|diese\w*|es|mich"
    r"|was)\b"
)
_DE = re.compile(
    r"\W*(?:(?:bitte|und|dann|also|auch|jetzt|nun|ok|okay|hallo|ja|nein|mal)\b[\s,!]*)*"
    r"(?:ande?re?|korrigiere?|berichtige?|aktualisiere?|setze?|stelle?|verschiebe?|ersetze?|tausche?"
    r"|losche?|entferne?|streiche?|vergiss|tilge?|wirf|(?:andern|korrigieren|aktualisieren|setzen"
    rf"|verschieben|ersetzen|loschen|entfernen|streichen|vergessen) sie)\s+(?:bitte\s+)?{_DE_THING}"
)
_FR = re.compile(
    r"\W*(?:(?:s'il (?:te|vous) plait|et|puis|alors|aussi|bon|bonjour|oui|non|maintenant)\b"
    r"[\s,!]*)*(?:change[zr]?|modifie[zr]?|corrige[zr]?|rectifie[zr]?|mets|mettez|remplace[zr]?|deplace[zr]?"
    r"|efface[zr]?|supprime[zr]?|enleve[zr]?|retire[zr]?|oublie[zr]?)\s*(?:(?:l[ea]s?|mon|ma|mes"
    r"|notre|nos|ton|ta|tes|votre|vos|ce|cette|ces|tou\w*|ca|cela|a jour)\b|l'|-l[ea]s?\b)"
)
_ES = re.compile(
    r"\W*(?:(?:por favor|y|luego|tambien|ahora|ok|vale|hola|no|bueno)\b[\s,!]*)*"
    r"(?:cambi[ae]|modifi(?:ca|que)|corri(?:ge|ja)|actuali(?:za|ce)|pon(?:ga)?|reempla(?:za|ce)"
    r"|sustitu(?:ye|ya)|mueve|borr[ae]|elimin[ae]|quit[ae]|olvid[ae]|suprim[ae])"
    r"(?:l[oa]s?\b|\s+(?:el|la|los|las|mis?|nuestr\w*|tus?|este|esta|es[oa]|esto|tod[oa]s?|lo|que)\b)"
)
_ZH = re.compile(
    r"\W*(?:[请你您]|麻烦|帮我|帮忙|那就?|现在|然后|还有|另外|[，,\s])*"
    r"(?:[把将].{1,60}?(?:改|换|更新|更正|修正|调整?|移|设|删|清除|抹|忘|替换|保存|存|记)"
    r"(?!.{0,3}了(?!吧))"
    r"|(?:删除|删掉|清除|清空|抹掉|移除|忘掉|更改|更新|更正|纠正|修正|替换|保存|存下|存储"
    r")(?!了|的|后|是|和|在|时))"
)
_FORMS = (_EN, _DE, _FR, _ES, _ZH)


def is_imperative(sentence: str) -> bool:
    """Tell whether a sentence bids somebody change, delete or store something."""
    folded = fold(clean(sentence[:_LONGEST]))
    return any(each.match(folded) for each in _FORMS)
