"""The words of "do not keep this" beyond an order's own, in the languages of the cues."""

from __future__ import annotations

import re

_BASE = (
    r"(?:keep|save|store|remember|record|note|retain|memori[sz]e|log|archive|persist|track|document"
    r"|capture|register|hold\s+(?:on\s+)?to|hang\s+on\s+to|write\s+(?:\S+\s+){0,6}?down|jot"
    r"|write\s+(?:that|this|it|any|anything|about)|take\s+(?:any\s+)?(?:notes?|down|this|that)"
    r"|make\s+(?:a|any)\s+(?:notes?|record)|commit\s+(?:\S+\s+){0,4}?to|learn|mention|repeat"
    r"|tell\s+(?:any|no|my|him|her|them|people)\w*|share|hold\s+(?:this|that|it)"
    r"|file\s+(?:this|that|it)"
    r"|(?:put|add|enter)\s+(?:\S+\s+){0,8}?(?:memory|memories|notes?|records?|file|profile|log))\b"
)
_DOING = (
    r"(?:keeping|saving|storing|remembering|recording|noting|retaining|memori[sz]ing|logging"
    r"|archiving|tracking|writing|jotting|mentioning|sharing|taking\s+notes?)\b"
)
_DONE = (
    r"(?:kept|saved|stored|remembered|recorded|noted|retained|memori[sz]ed|logged|archived|tracked"
    r"|written\s+down|persisted|shared|documented|on\s+(?:the\s+)?record|in\s+(?:your\s+)?memory)\b"
)
_WORDS = r"(?:\s*,?\s*(?:please|ever|under any circumstances)\s*,?|\s+[\w'-]+){0,6}?\s+"

NOT = re.compile(
    r"\b(?:do\s+not|don'?t|never|not|no\s+(?:need|reason|point)|(?:should|must|need|wo"
    r"|would|did|does)"
    r"n'?t|can'?t|cannot|(?:is|are)n't|without|stop|quit|cease|avoid|refrain)\b"
)
KEPT = re.compile(rf"{_WORDS}(?:(?P<base>{_BASE})|(?P<doing>{_DOING})|(?P<done>{_DONE}))")
"""A verb of keeping some words behind a negation."""

OPPOSITE = re.compile(
    r"\b(?:forget|hesitate|fail|only|worry|stop|mind|know|sure|think|let\s+me|afraid)\b"
    r"|(?<!make )\b(?:a|an|the|my|our|any|no)\s+(?:store|record|note|log|share)\b"
)
"""Between the two: then something is to be kept, or nothing is said of it."""

WISH = re.compile(
    r"\b(?:want\w*|wish|like|rather|prefer\w*|hope|allow\w*|consent|permi\w+|comfortable|ask\w*|beg"
    r"|trust|appreciate|expect|please|need\s+you|feel)\b"
)
TELLS = re.compile(
    r"(?:\b(?:i|we|they|he|she|who|which|people|users)(?:'(?:d|ll|ve|m|re|s))?"
    r"|\b(?:my|our|the|his|her|their)\s+(?:[\w'-]+\s+){0,3}[\w'-]+)"
    r"(?:\s+(?:do|does|did|can|could|will|would|have|has|had|am|is|are|was|were|just|really|also"
    r"|usually|still|simply|should|must))*\s*$"
)
"""Who does not keep something themselves."""
TEACHES = re.compile(r"\b(?:i|we|he|she|they|my|our|me|us)\b")
DUTY = re.compile(r"\b(?:should|must|shall|may|can|could|ought|needs?|to)\s*$")

_STORE = r"(?:notes?|memor(?:y|ies)|records?|mind|logs?|files?|storage|database|history|profile)"
_GONE = (
    r"(?:scrub|erase|delete|remove|clear|purge|wipe|strike|drop|discard|unlearn|expunge|get\s+rid)"
)

PLAIN = re.compile(
    r"\boff[-\s]the[-\s]record|\bbetween\s+(?:us|you\s+and\s+me|me\s+and\s+you|ourselves"
    r"|the\s+two\s+of\s+us)\b"
    r"|\b(?:in\s+(?:strict\s+)?confidence|confidential(?:ly)?|for\s+your\s+ears\s+only"
    r"|hush[-\s]hush)\b"
    r"|\bkeep\s+(?:\S+\s+){1,4}?(?:to\s+yourself|secret|private|quiet|off\s|out\s+of|between)"
    r"|\bforget\s+(?:that\s+)?(?:what\s+)?(?:i"
    r"|we)(?:'ve)?\s+(?:just\s+)?(?:ever\s+)?(?:said|told|mention|wrote|say|shared)"
    r"|\bforget\s+(?:what|everything|anything|all)\b|\bforget\s+(?:that|this"
    r"|it)\s*(?:[.!,;)]|please|$)"
    r"|(?<!i )(?<!we )(?<!to )\bforget\s+(?:that\s+)(?:i|we|my|our)\b"
    r"|\bpretend\s+(?:that\s+)?i\s+(?:never|didn't|did\s+not)|\b(?:you\s+(?:didn't|never)\s+hear\b)"
    r"|\b(?:disregard|ignore|strike|scratch|unsee|unhear)\s+(?:that|this|it|what\s+i)\b"
    rf"|(?<!i )(?<!we )\b{_GONE}\b[^.!?]{{0,100}}\b(?:your|the)\s+(?:own\s+"
    rf"|long-term\s+)?{_STORE}\b"
    rf"|(?<!i )(?<!we )\b{_GONE}\s+(?:everything|anything|all|whatever|what"
    rf"|any)\b[^.!?]{{0,20}}\b(?:about|on|regarding|i|you|my)\b"
    rf"|\b(?:not|n't|never|no|nothing|out\s+of|off|away\s+from)\b[^.!?]{{0,60}}?\byour\s+{_STORE}\b"
    r"|\bno\s+(?:more\s+)?(?:notes?|memor(?:y|ies)|records?|trace)\s+(?:of|about|on|please)\b"
    r"|(?<!i )(?<!we )\b(?:keep|remember|save|store|record|retain|log|note)\s+(?:nothing"
    r"|none|no\s+(?:notes?|record|trace))\b"
    r"|\bnot\s+(?:for|to\s+go\s+on)\s+(?:the\s+|your\s+)?(?:record|keeping|storage"
    r"|storing|memory|notes)\b"
    r"|\bnot\s+for\s+the\s+books\b|\bnone\s+of\s+(?:this|that|it)\b"
    r"|\bnothing\s+(?:of|about|i|from|in)\b[^.!?]{0,60}\b(?:kept|saved|stored|recorded"
    r"|remembered)\b"
    r"|\bprivately\b|\bunrecorded\b|\b(?:stays?|remains?)\s+(?:\S+\s+)?(?:private|secret)\b"
    r"|\b(?:skip|omit)\s+(?:saving|storing|keeping|recording|noting|remembering)\b"
    r"|(?<!i )(?<!we )(?<!to )\b(?:delete|erase|scrub|wipe|purge)\s+(?:that|this|it)\b"
    r"|\bkeep\s+(?:your\s+)?mum\b|\byou\s+did(?:n't| not)\s+hear\b"
)

_DE = (
    r"(?:merk\w*|notier\w*|speicher\w*|gespeichert|abspeicher\w*|abgespeichert|behalt\w*|behalten"
    r"|aufschreib\w*|aufgeschrieben|niederschreib\w*|vermerk\w*|festgehalten|aufgezeichnet|gemerkt"
    r"|protokollier\w*|erinner\w*|aufbewahr\w*|sicher[nt]|weitersag\w*|weitererzahl\w*)"
)
_FR = (
    r"(?:souven\w*|reten\w*|retien\w*|note[zrs]?|gard\w*|enregistr\w*|memoris\w*|sauvegard\w*"
    r"|conserv\w*|stock\w*|ecri\w*|inscri\w*|archiv\w*|retenu\w*|rappel\w*|consign\w*|repet\w*)"
)
_ES = (
    r"(?:recuerd\w*|recordar\w*|recordes|guard[ea]\w*|apunt\w*|anot\w*|memori[zc]\w*|registr\w*"
    r"|almacen\w*|conserv\w*|reteng\w*|retener\w*|escrib\w*|grab\w*|archiv\w*|cuent\w*)"
)
_IT = (
    r"(?:ricord\w*|memorizz\w*|annot\w*|segn\w*|salv\w*|conserv\w*|registr\w*|appunt\w*|scriv\w*"
    r"|ten\w*|prend\w*\s+nota|archivi\w*)"
)
_PT = (
    r"(?:lembr\w*|memoriz\w*|guard\w*|anot\w*|salv\w*|registr\w*|grav\w*|armazen\w*|escrev\w*"
    r"|arquiv\w*|mant\w*)"
)
_NL = (
    r"(?:onthoud\w*|onthouden|noteer\w*|noteren|bewaar\w*|bewaren|bewaard|opslaan"
    r"|opgeslagen|opslaat"
    r"|genoteerd|opschrijv\w*|opgeschreven|vastleg\w*|doorvertel\w*)"
)
_PLACE = (
    r"(?:notiz\w*|gedachtnis\w*|speicher\w*|erinnerung\w*|unterlagen|notes?|memoire\w*|memoria\w*"
    r"|notas|registr\w*|appunti|geheugen|notities|aantekeningen|pamieci|notat\w*|памят\w*|замет\w*"
    r"|запис\w*|bellegin\w*|hafiza\w*|notlar\w*)"
)
MORE = {
    "de": rf"\b(?:nicht|nichts|nie|niemals|kein\w*)(?:,?\s+\w+){{0,8}}?\s+(?:zu\s+)?{_DE}\b"
    rf"|\b{_DE}\b(?:\s+\w+){{0,5}}?\s+(?:nicht|nichts|nie|niemals|kein\w*)\b"
    rf"|\bohne\b.{{0,40}}\bzu {_DE}"
    r"|\bschreib\w*(?:\s+\w+){0,4}?\s+(?:nicht|nichts|nie)\b"
    r"|\b(?:losch\w*|streich\w*)\s+(?:das|es|dies\w*)\b"
    r"|\b(?:vergiss|vergesst|vergessen sie)\b|\bunter uns\b|\bvertraulich\w*|\bfur dich behalten"
    r"|\bbehalt\w*(?:\s+\w+){1,3}?\s+fur dich|\b(?:bleibt|bleib) (?:bitte )?(?:unter|zwischen)"
    rf"|\b(?:losch\w*|streich\w*|entfern\w*|tilg\w*)\b.{{0,80}}\b(?:deine\w*|dem|den)\s+{_PLACE}"
    r"|\b(?:losch\w*|streich\w*|entfern\w*) (?:alles|was)\b|\bim vertrauen\b",
    "fr": rf"\b(?:n(?:e\b|')|pas|rien|jamais|sans|inutile)(?:\s*\S+){{0,5}}?[\s']+\b{_FR}"
    r"|\b(?:efface|effacez|supprime|supprimez)(?:-le|-la|\s+(?:ca|cela))\b"
    rf"|\b{_FR}\s+(?:\S+\s+){{0,2}}?(?:pas|rien|jamais)\b|\boubli(?:e|es|ez|er|ons)\b"
    r"|\bentre nous\b|\bconfidentiel\w*|\bgard\w*(?:\s+\w+){0,3}?\s+pour (?:toi|vous)"
    rf"|\b(?:efface\w*|supprime\w*|enleve\w*|retire\w*)\b.{{0,80}}\b(?:tes|ta|vos|votre"
    rf"|la)\s+{_PLACE}"
    r"|\b(?:efface\w*|supprime\w*) tout\b",
    "es": rf"\b(?:no|nunca|jamas|sin|nada)(?:\s+\w+){{0,5}}?\s+{_ES}\b"
    r"|\bborra(?:lo|la|\s+eso|\s+esto)\b"
    r"|\b(?:olvida|olvide|olvidate|olvidalo|olvidad|olvidar|olvides?)\b"
    r"|\bentre (?:nosotros|tu y yo)\b"
    r"|\bconfidencial\w*|\bguardatelo\b|\bque quede entre\b|\ben confianza\b"
    rf"|\b(?:borra\w*|elimina\w*|quita\w*)\b.{{0,80}}\b(?:tus?|sus?|la)\s+{_PLACE}"
    rf"|\bborra\w* todo\b",
    "it": rf"\b(?:non|mai|senza|niente)(?:\s+\w+){{0,5}}?\s+{_IT}\b"
    r"|\bcancella(?:lo|la|\s+questo)\b"
    r"|\b(?:dimentica|dimenticalo|dimenticatelo|dimenticate|scorda|scordati|scordatelo)\b"
    r"|\b(?:tra|fra) (?:di )?noi\b|\bconfidenzial\w*|\btien\w*(?:\s+\w+){0,2}?\s+per te\b"
    r"|\btienilo per te"
    rf"|\b(?:cancell\w*|elimin\w*|rimuov\w*|togli\w*)\b.{{0,80}}\b(?:tu[aeo]i?|dalla|dai"
    rf"|dagli)\s+{_PLACE}"
    r"|\bcancella tutto\b|\bin confidenza\b",
    "pt": rf"\b(?:nao|nunca|jamais|sem|nada)(?:\s+[\w-]+){{0,5}}?\s+{_PT}\b"
    r"|\bapag(?:a|ue)(?:-o|\s+(?:isso|isto))\b"
    r"|\b(?:esquece|esqueca|esquecam|esqueca-se)\b|\bentre nos\b|\bconfidencial\w*|\bfica entre\b"
    rf"|\b(?:apag\w*|elimin\w*|remov\w*|delet\w*)\b.{{0,80}}\b(?:tuas?|suas?|da|das)\s+{_PLACE}"
    r"|\bapag\w* tudo\b|\bguarda isso para ti\b",
    "nl": rf"\b(?:niet|niets|niks|nooit|geen)(?:\s+\w+){{0,8}}?\s+(?:te\s+)?{_NL}\b"
    r"|\b(?:wis|verwijder)\s+(?:dat|dit|het)\b"
    rf"|\b{_NL}(?:\s+\w+){{0,5}}?\s+(?:niet|niets|niks|nooit|geen)\b"
    r"|\b(?:sla|schrijf|leg)(?:\s+\w+){0,5}?\s+(?:niet|niets|niks|nooit|geen)\b"
    r"|\bvergeet\b|\b(?:onder|tussen) ons\b|\bvertrouwelijk\w*|\bhou\w*(?:\s+\w+){1,2}?\s+voor je\b"
    rf"|\b(?:wis|verwijder\w*|schrap\w*)\b.{{0,80}}\b(?:je|uw|het)\s+{_PLACE}",
    "pl": r"\bzapomnij\w*|\bmiedzy nami\b|\bpoufn\w*"
    r"|\bnie (?:\w+\s+){0,4}?(?:zapisuj\w*|zapisz\w*|zapamietuj\w*|notuj\w*|zachowuj\w*)",
    "tr": r"\bunut(?:un|sana)?\b|\baramizda\b|\bgizli kalsin|\b(?:kaydetme|saklama|hatirlama|yazma"
    r"|not alma|not etme|tutma)(?:yin\w*)?\b",
    "ru": r"\bзабудь\w*|\bмежду нами\b|\bконфиденциально"
    r"|\b(?:удали|сотри)(?:те)?\s+это\b"
    r"|\bне (?:\w+\s+){0,4}?(?:запоминай\w*|запис\w+"
    r"|сохраня\w*|запомин\w*|храни\w*)|\bне для записи",
    "ar": r"(?<!لا )\bانس(?:ي|وا)?\b|\bبيننا\b|\bلا (?:\w+\s+){0,3}?(?:تكتب|تدون|تحفظ"
    r"|تسجل|تتذكر|تخزن)\w*",
    "hi": r"भूल (?:जा|जाओ|जाइए|जाना)|हमारे बीच|आपस की बात",
    "zh": r"(?:别|別|不要|不用|不必|请勿|請勿|切勿|勿|不许|不准|不能|不可以|无需|无须|甭"
    r"|莫|禁止|不想|不希望|不愿"
    r"|没必要|不需要).{0,10}?(?:记(?!得)|記(?!得)|存|写|寫|录|錄|留|备注|备忘|登记|外传"
    r"|说出去|告诉)"
    r"|(?:忘[了掉记記]|忘記).{0,4}(?:我.{0,6}(?:说|說|讲|提)|这|這|那|它|刚才)|当我没说|當我沒說"
    r"|保密|私下说|只有?(?:你我|我们).{0,6}知道|我们?之间(?:说|的)|(?:删|刪|清|抹"
    r"|擦)[^。！？]{0,20}(?:记忆|記憶|记录|紀錄|笔记)"
    r"|(?:删[了掉除]|刪[掉除])(?:这|那|它|吧|$)"
    r"|(?:把|将).{0,30}(?:忘[了掉]|删[了掉除]|抹[去掉])",
    "ja": r"(?:書か|残さ|記さ|書き留め|覚え|記憶し|記録し|メモし|保存し|控え)(?:ない|ず|なく|んで)"
    r"|(?:消し|削除し)て(?:ください|下さい|くれ|ほしい|ね)"
    r"|(?:覚え|記憶|記録|メモ|保存)[^。]{0,8}(?:不要|いらない|必要は?(?:ない|ありません))"
    r"|内緒|ここだけの話|オフレコ|秘密に|忘れて(?:ください|下さい|くれ|ほしい|欲しい|ね|$|。|、)",
    "ko": r"(?:적|쓰|남기|외우|말하|기억하|저장하|기록하|메모하|알리)지\s?(?:는\s?)?(?:마|말|않)"
    r"|(?:지워|삭제해)\s?(?:줘|주)"
    r"|(?:기억|저장|기록|메모)[^.]{0,6}(?:안 ?해|필요 ?(?:는|가)? ?없)|우리끼리|비밀로"
    r"|잊어\s?(?:줘|주|라|버려)",
}  # fmt: skip

NO_ORDER = re.compile(
    r"\b(?:ich|wir|er|man)\s+(?:\w+\s+){0,1}?(?:merke?|merken|notiere?n?|speicher\w*"
    r"|behalt\w*|schreib\w*"
    r"|bewahr\w*|erinner\w*|vergess\w*|vergiss\w*)\b[^.!?,;:]*"
    r"|\b(?:je|nous|on|il|elle|ils)\s+(?:n(?:e\s+|'))?(?:\w+\s+)?(?:gard|not|enregistr"
    r"|conserv|stock|souv"
    r"|rappel|ecri|oubli|retien)\w*[^.!?,;:]*|\bj'(?:oubli|enregistr|ecri)\w*"
    r"|\b(?:no|nunca)\s+(?:me\s+)?(?:recuerdo|guardo|guardamos|apunto|anoto|conservo"
    r"|escribo|recordamos)\b"
    r"|\b(?:non|mai)\s+(?:mi\s+)?(?:ricordo|conservo|annoto|scrivo|salvo|tengo|teniamo"
    r"|conserviamo)\b"
    r"|\b(?:nao|nunca)\s+(?:me\s+)?(?:lembro|guardo|guardamos|anoto|escrevo|gravo|mantenho)\b"
    r"|\b(?:ik|we|wij|hij|zij)\s+(?:bewaar|bewaren|onthoud|onthouden|noteer|schrijf"
    r"|vergeet|sla)\b[^.!?,;:]*"
    r"|\b(?:я|мы)\s+(?:никогда\s+)?не\s+(?:запомина|запис|храни|сохран)\w*|\bnie\s+pamietam\b"
    r"|(?:我们?|他们?|她们?)(?:从来?|都|一直|平时)?(?:不用|不要|不能|不必|不需要)(?!你|您|它)"
)
"""Somebody tells that they do not keep something themselves."""

NAMES = re.compile(
    r"\b(?:about|regarding|concerning|my|our|uber|mein\w*|sur|mon|ma|mes|sobre|mi|mis|su|della|del"
    r"|sul|sulla|mia|mio|minha|meu|over|mijn)\b|\b(?:that|dass|que|che|dat|ob)\s+(?:i|we"
    r"|he|she|they"
    r"|ich|wir|je|j'|yo|io|eu|ik)\b|关于|有关|我的|について|のこと|에 대해"
)
"""What is not to be kept is named, so that it need not be the message before."""
