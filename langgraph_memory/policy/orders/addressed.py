"""Whether a sentence that speaks of keeping or forgetting is said to the assistant.

"Forget the code" and "I'd like you to forget the code" are; "I keep forgetting the code" and "my
boss told me to delete the code" are not. A clause counts that begins as an order begins: with the
verb, after no more than a greeting or a please, or in the forms of asking somebody. What another
person says, or what names another place than memory, is no order to memory.

The forms are known in English, German, French, Spanish and Chinese. All texts are in folded
spelling; the verbs are those of ``cues``.
"""

from __future__ import annotations

import re

_EN = (
    r"\W*(?:(?:please|kindly|pls|and|then|so|also|but|now|ok|okay|hey|hi|hello|thanks|yes|no|nope"
    r"|sure|well|oh|just|next|finally|first|instead|always|go ahead and|feel free to|be sure to"
    r"|make sure (?:you|to)|make sure|assistant|from now on|for the record|don't|dont|do not|never"
    r"|you (?:can|may|should|must|need to|have to|could)|(?:can|could|would|will) you"
    r"|would you mind|do you mind|is it possible to|i(?:'d| would) (?:like|love) you to"
    r"|i(?:'d| would) rather you|i (?:want|need) you to|would it be possible to)\b\W*)*"
)
_EN_DROP = (
    r"(?:(?<=mind )(?:forgett|delet|eras|remov|wip|dropp)ing|forget|delete|erase|remove|wipe|drop"
    r"|clear|discard|get rid|purge|scratch|strike|throw|take (?!note))"
    r"\b(?!\s+(?:is|are|was|were)\b)"
)
_EN_KEEP = (
    r"(?:(?<=mind )(?:remember|not|memoris|memoriz|sav|stor|record|keep)ing|remember|memori[sz]e"
    r"|note|save|store|record|keep|retain|log|know|write down|jot down|bear"
    r"|make a (?:mental )?note|put (?:it )?(?:down|in)"
    r"|lose)\b(?!\s+(?:is|are|was|were)\b)"
)
_LAST = (
    r"(?:(?!\b(?:ich|wir|er|man|mochte\w*|woll\w+|will|wird|werd\w+|soll\w*|muss\w*|kann|konn\w+"
    r"|durf\w+|darf|hab\w*|hat|lass\w*|hatte\w*)\b).){{0,200}}?(?<!\bzu)\s(?:{})(?: bitte)?"
    r"\s*(?:$|[.,:!?])"
)
"""In German the verb may stand last: "den Code bitte vergessen"."""

_DE = (
    r"\W*(?:(?:bitte|und|dann|also|auch|jetzt|nun|ok|okay|hallo|hey|ja|nein|danke|gut|mal|doch"
    r"|(?:kannst|konntest|wurdest|willst|magst|sollst|darfst|musst) du|du (?:kannst|sollst|darfst"
    r"|musst)|(?:konnen|konnten|wurden) sie|ich (?:mochte|will|bitte dich)[\s,]+dass du"
    r"|ich bitte dich)\b\W*)*"
)
_DE_DROP = (
    r"(?:(?:vergiss|vergesst|vergessen sie|losch(?:e|t|en sie)?|entfern(?:e|t|en sie)?"
    r"|streich(?:e|en sie)?|verwirf|tilge?|radiere?|wirf|werfen sie|nimm)\b|"
    + _LAST.format("vergessen|loschen|entfernen|streichen|vergisst|loschst|werfen")
    + ")"
)
_DE_KEEP = (
    r"(?:(?:merke?|merken sie|notiere?|notieren sie|speich(?:er|ere|re)|speichern sie|behalte?"
    r"|behalten sie|schreibe?(?=.{0,60} auf\b)|halte?(?=.{0,60} fest\b)|denke? daran|erinnere? dich"
    r"|beachte?|vermerke?)\b|"
    + _LAST.format(
        "merken|notieren|speichern|behalten|aufschreiben|festhalten|merkst|speicherst|behaltst"
    )
    + ")"
)
_DE_SUBJECT = re.compile(
    r"\b(?:ich (?:muss|will|mochte(?!\W+dass du)|soll|werde|kann|wollte)|wir|er|man|mein chef)\b"
)
_FR = (
    r"\W*(?:(?:s'il (?:te|vous) plait|et|puis|alors|aussi|bon|bonjour|salut|oui|non|maintenant"
    r"|merci de|merci|(?:peux|pourrais|veux|voudrais)[- ]tu|(?:pouvez|pourriez)[- ]vous"
    r"|est-ce que tu (?:peux|pourrais)|tu (?:peux|pourrais|dois)|vous (?:pouvez|pourriez)"
    r"|je (?:veux|voudrais|souhaite) que tu|ne|me|bien)\b\W*|[nltmd]')*"
)
_FR_DROP = (
    r"(?:oubli(?:e|es|ez|er)|effac(?:e|es|ez|er)|supprim(?:e|es|ez|er)|enlev(?:e|es|ez|er)"
    r"|retir(?:e|es|ez|er))\b"
)
_FR_KEEP = (
    r"(?:souv(?:iens|enez|enir)|retiens|retenez|retenir|note[zr]?|rappel\w*"
    r"|gard(?:e|ez|er|es)|enregistr(?:e|ez|er|es)|memoris(?:e|ez|er|es)|sauvegard(?:e|ez|er)"
    r"|conserv(?:e|ez|er)|stock(?:e|ez|er))\b"
)
_ES = (
    r"\W*(?:(?:por favor|y|luego|tambien|ahora|ok|vale|hola|no|gracias|bueno|puedes|podrias"
    r"|puede usted|puede|podria|podeis|quieres|te importa|quiero que|me gustaria que|necesito que"
    r"|debes|tienes que|nunca|eh|oye)\b\W*)*"
)
_ES_DROP = (
    r"(?:olvid(?:a|ate|e|es|ar|en|alo|ala)|borr(?:a|e|es|ar|en|alo|ala)|elimin(?:a|e|es|ar|en|alo)"
    r"|quit(?:a|e|es|ar|alo)|quites|suprim(?:e|a|ir)|descart(?:a|e|ar))(?:\b|(?:lo|la|te|me)\b)"
)
_ES_KEEP = (
    r"(?:recuerd(?:a|e|es)|recordar|guard(?:a|e|es|ar)|apunt(?:a|e|es|ar)|anot(?:a|e|es|ar)"
    r"|memori[zc](?:a|e|es|ar)"
    r"|ten(?:ga|gas|er)?(?: \w+)? (?:en cuenta|presente)|registr(?:a|e|ar)|almacen(?:a|e|ar)"
    r"|conserv(?:a|e|ar)|reten)(?:\b|(?:lo|la|te|me)\b)"
)
_ZH = (
    r"\W*(?:请[你您]?|麻烦[你您]?|拜托[你您]?|劳驾|帮我|帮忙|给我|可不可以|能不能|可以|能|你要"
    r"|你得|你应该|您要|[你您](?=帮|可以|能|得|应该)|现在|以后|今后|务必"
    r"|一定要|千万|都|就|那么|那|好的?|嗯|不要|别|勿|我(?:想|要|希望)(?:让)?[你您])*"
    r"(?:(?:把|将)(?!.{0,30}(?:让|叫)我).{1,80}?)?(?:给|都|全部|彻底|从(?:你的?)?(?:记忆"
    r"|记录).{0,3})*"
)
_ZH_DROP = r"(?:忘|删|刪|清除|抹|移除|去掉)"
_ZH_KEEP = r"(?:记|记得|牢记|存|保存|备注|备忘)(?!得.{0,60}[吗么])"
_ZH_LATE = (
    r"^(?!.*(?:[他她它们我]|老板|同事|经理).{{0,6}}(?:请|麻烦|帮)).*(?:请|麻烦|帮我)"
    r"(?:[你您]|帮我|给我|都|立即|马上|务必|把.{{1,20}}?)*{0}|^\W*关于.{{1,40}}(?:请|{0})"
)

_PARTS = {
    "en": (_EN, _EN_DROP, _EN_KEEP),
    "de": (_DE, _DE_DROP, _DE_KEEP),
    "fr": (_FR, _FR_DROP, _FR_KEEP),
    "es": (_ES, _ES_DROP, _ES_KEEP),
    "zh": (_ZH, _ZH_DROP, _ZH_KEEP),
}
_DROPS = {name: re.compile(lead + drop) for name, (lead, drop, _) in _PARTS.items()}
_KEEPS = {name: re.compile(f"{lead}(?:{drop}|{keep})")
          for name, (lead, drop, keep) in _PARTS.items()}  # fmt: skip
_LATE = {True: re.compile(_ZH_LATE.format(_ZH_DROP)),
         False: re.compile(_ZH_LATE.format(f"(?:{_ZH_KEEP}|{_ZH_DROP})"))}  # fmt: skip
FORMED = frozenset(_PARTS)
"""The languages in which the forms of an order are known."""

_REPORTS = re.compile(
    r"\b(?:told|asks?|asked|advised?|advises|orders?|ordered|wants?|wanted|begged|reminded|said to"
    r"|says to|tells) (?!you\b)(?:me|us|him|her|them|that|\w+ to)\b|\b(?:he|she|they|it|who|someone"
    r"|somebody|everyone|\w+ (?:just )?)\s*(?:says?|said|wrote|writes|claims?|claimed)\b"
    r"|\b(?:says|said|wrote|writes|claims|claimed|reads)\b"
    r"|\b(?:sagt\w*|meint\w*|schrieb|schreibt|behauptet\w*|bat|bittet|rat|riet)\b"
    r"|\bhat (?:mir|mich|uns|gesagt|geschrieben)\b|\bsoll ich\b"
    r"|\b(?:steht|dit|disent|ecrit|ecrivent|dice|dicen|dijo|escribe|escribio|pone)\b"
    r"|\b(?:m'a|m'ont|nous a|nous ont|lui a|il|elle|on) (?:a )?(?:dit|demande|conseille|ecrit"
    r"|ordonne|pretend)\b|\b(?:me|nos|le|les) (?:dijo|dice|dijeron|pidio|pide|ha dicho|ha pedido"
    r"|aconsejo|escribio)\b|\b(?:dice|dijo|afirma|pretende) que\b"
    r"|(?:让|叫|要求|建议|嘱咐|告诉|提醒|请)我们?|(?<![你您])说(?!的)(?!过)"
)
_OWN_REPORT = re.compile(r"\bwhat (?:i|you) (?:just )?(?:said|told|wrote)\b|\bi (?:just )?said\b")
_MEMORY = re.compile(
    r"\b(?:from|in) memory\b|\b(?:your|the) (?:\w+ )?(?:memor(?:y|ies)|notes?|records?|mind|head"
    r"|storage)\b|\bwhat you"
    r" (?:know|remember)\b|\b(?:deinem?|ihrem?|deinen|ihren|dem|den|deine|deiner) (?:gedachtnis"
    r"|speicher|notizen|kopf|erinnerung\w*)\b|\b(?:ta|votre|tes|vos|la) (?:memoire|notes"
    r"|souvenirs)\b"
    r"|\b(?:tu|su|tus|sus|la) (?:memoria|notas|recuerdos|registros)\b|记忆|你的?(?:记录|脑|笔记)"
    r"|脑子"
)
_IN_MEMORY = re.compile(
    rf"(?:\b(?:from|aus|de|in|von|out of)\s+)?(?:{_MEMORY.pattern})|\bbitte\b|关于|有关"
)
_PLACES = re.compile(
    r"\bfrom (?!now\b|here\b|then\b|today\b|on\b)\S|\b(?:in|on|off|out of|of) (?:the|my|our|this"
    r"|that|his"
    r"|her|a|an|every) (?:\w+ ){0,3}?(?:wiki|calendar|e-?mails?|drafts?|files?|folder|sentence"
    r"|lists?"
    r"|tables?|pages?|scripts?|codebase|source code|document|docs?|slides?|sheet|spreadsheet"
    r"|database|text"
    r"|paragraph|whiteboard|board|repo\w*|ticket|fridge|site|website|app|phone|desk|drive|server)\b"
    r"|\b(?:aus|von|vom|im|in) (?:der|dem|den|meine[mnr]?|unsere[mnr]?"
    r"|diese[mnr]?)? ?(?:\w+ ){0,2}?"
    r"(?:kalender|wiki|datei\w*|liste|tabelle|e-?mail\w*|entwurf|satz|seite|skript|dokument|tafel"
    r"|text|ordner|quellcode)\b"
    r"|\b(?:du|de la|de l'|des|de mon|de ma|de ce|de cette|dans (?:le|la|mon|ma)) ?(?:\w+ ){0,2}?"
    r"(?:calendrier|wiki|fichier\w*|liste|tableau|e-?mail|courriel|brouillon|phrase|page|script"
    r"|document|texte|dossier|agenda)\b"
    r"|\b(?:del|de la|de mi|de este|de esta|de los|de las|en (?:el|la|mi)) ?(?:\w+ ){0,2}?"
    r"(?:calendario|wiki|archivo\w*|lista|tabla|correo|e-?mail|borrador|frase|pagina|script"
    r"|documento|texto|carpeta|agenda|pizarra)\b"
    r"|\bdrop\b.{1,60}?\b(?:at|by|into|over|off)\b"
    r"|从.{0,12}?(?:里|中|上|内|删|移)|(?:日历|维基|文件|邮件|草稿|句子|这句|列表|清单|表格|页面"
    r"|网页|脚本|代码"
    r"|文档|白板)(?:里|中|上|的)"
)
_THINGS = re.compile(
    r"\b(?:row|column|page|wiki|calendar|file|folder|draft|sentence|line|paragraph|word|slide"
    r"|script"
    r"|function|table|spreadsheet|document|branch|commit|comma|event|entry|entrie|log|attachment"
    r"|photo"
    r"|datei|seite|zeile|spalte|tabelle|termin|absatz|wort|fichier|ligne|page|colonne|paragraphe"
    r"|mot"
    r"|archivo|fila|pagina|columna|parrafo|palabra|linea)s?\b|文件|页面|网页|脚本|这行|这句|段落"
    r"|表格"
)
_FORGETS = re.compile(r"\b(?:forget\w*|verg[ei]ss\w*|oubli\w*|olvid\w*)|忘")
_KEPT = re.compile(
    r"\b(?:lembro|lembrei|lembramos|lembrou|anotei|ricordo|ricordi[ao]mo|ricordava|annotato|segnato"
    r"|ik (?:onthoud|onthield|herinner|noteer|bewaar)|wij? (?:onthouden|noteren)|pamietam|pamietamy"
    r"|zapamietal\w*|помню|помним|помнит|запомнил\w*|запомнила|записал\w*|hatirliyorum"
    r"|hatirladim|kaydettim)\b|覚えてい(?:る|ます)|覚えてる|기억나|기억해요?[.!]?$|أتذكر|اتذكر"
    r"|मुझे याद"
)
_NOT = re.compile(
    r"\b(?:don't|dont|do not|never|not|ne|no|nunca|nicht|nie|niemals|keine?\w?)\b|\bn'|不要|别|勿"
)
_NOT_BEHIND = re.compile(r"[^,;:.]{0,60}?\b(?:pas|jamais|nicht|nie|niemals)\b")
_SAID_BY = re.compile(
    r"[,，](?!\s*(?:as |like |what )?(?:i|you)\b)\s*(?:\w+\s+){0,3}?(?:said|says|told|tells|wrote"
    r"|writes"
    r"|sagt\w*|meint\w*|schrieb|schreibt|dit|disait|ecrit|dijo|dice|escribio|decia)\b|[,，].{0,6}说"
)
_IF = re.compile(
    r"\b(?:if|when|whenever|unless|before|after|once|until|as soon as|bevor|nachdem|avant|antes"
    r"|wenn|falls|sobald|si|quand|cuando)\b|如果|要是|时候?"
)
_WHOEVER = re.compile(
    r"\W*(?:[把将].{1,60}?)?[忘删](?:记|除|掉)?(?:了(?!吧)|.{1,40}(?:了\W*$|的(?:人|时候|话|是)))"
)
"""Chinese without a subject: "forgot the code" as well as "forget it"."""
_CLAUSE = re.compile(
    r"[,;:—–，；：、]\s*|\b(?:and|und|et|y|then|but|aber|mais|pero)\s+(?!\w+ing\b)"
)
_TO_YOU = re.compile(
    r"\b(?:you|your|du|dich|dir|deine?\w?|tu|te|toi|ton|ta|tes|vous|votre|usted|ti|tus?)\b|[你您]"
    r"|^\W*把"
)


def is_addressed(folded: str, spoken: str, *, to_drop: bool) -> bool:
    """Tell whether a clause of a sentence has the form of an order, and nobody else says it.

    Args:
        folded: The sentence, in folded spelling.
        spoken: Its language, one of :data:`FORMED`.
        to_drop: Whether it is to ask for something to go; else to be kept, or not be forgotten.
    """
    form = (_DROPS if to_drop else _KEEPS)[spoken]
    borders = [each for each in _CLAUSE.finditer(folded)
               if not (to_drop and each[0][0] in ":：")]  # fmt: skip
    starts = [0, *(each.end() for each in borders)]
    for start in starts:
        clause = folded[start:]
        subject = spoken == "de" and _DE_SUBJECT.match(clause.lstrip())
        found = None if subject or (to_drop and _WHOEVER.match(clause)) else form.match(clause)
        if found is None or is_reported(folded[:start] + found[0]):
            continue
        if to_drop and (_NOT.search(found[0]) or _NOT_BEHIND.match(clause, found.end())
                        or _SAID_BY.search(clause, found.end())
                        or _IF.search(folded[:start])):  # fmt: skip
            continue
        return True
    late = spoken == "zh" and _LATE[to_drop].search(folded) and not is_reported(folded)
    return bool(late and not (to_drop and _NOT.search(folded)))


def is_reported(folded: str) -> bool:
    """Tell whether a text says what somebody else says or wants."""
    return bool(_REPORTS.search(_OWN_REPORT.sub(" ", folded)))


def tells_of_keeping(folded: str) -> bool:
    """Tell whether somebody says, in another language, that they remember or wrote down."""
    return bool(_KEPT.search(folded))


def is_elsewhere(folded: str) -> bool:
    """Tell whether what is to go stands in another place than memory, or is no memory."""
    if _MEMORY.search(folded):
        return False
    return bool(_PLACES.search(folded) or (_THINGS.search(folded) and not _FORGETS.search(folded)))


def is_to_assistant(folded: str) -> bool:
    """Tell whether a sentence speaks to the assistant, or of its memory, in any form."""
    return bool(_TO_YOU.search(folded) or _MEMORY.search(folded))


def without_memory(folded: str) -> str:
    """Return a sentence without the words that name the assistant's memory."""
    return _IN_MEMORY.sub(" ", folded)
