"""How a model says, in fifteen languages, that it has changed memory; data, no rules."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_DONE = (
    r"(?:saved|stored|noted|recorded|remembered|memori[sz]ed|forgotten|forgot|deleted|erased"
    r"|removed|wiped|cleared|updated|corrected|changed|added|logged|purged|scrubbed"
    r"|(?:jotted|written|put|noted)(?: (?:it|that|this))? down)"
)
_WHERE = r"(?:memory|memories|records?|notes|what i (?:know|remember)|for (?:next time|later))"
_IN = r"(?:(?:been|now|all|just|already|successfully|safely|both|also)\s+)*"

CLAIMS = (
    re.compile(
        rf"\bi(?:['’]ve| have)?\s+(?:now |just |also |already )?{_DONE}\b"
        r"(?=[^.!?]*\b(?:that|it|this|your|the|you)\b)",
        _I,
    ),
    re.compile(rf"\bi(?:['’]ve| have)\s+(?:now |just |also |already )?{_DONE}\b", _I),
    re.compile(rf"^\W*(?:(?:done|ok|okay|sure|got it)\W+)?{_DONE}\s*:", _I),
    re.compile(
        r"\bi(?:['’]ll| will)\s+(?:always )?(?:remember|keep|note|forget)\s+(?:that|this|it)\b", _I
    ),
    re.compile(rf"\b(?:has|have) been {_DONE}\b[^.!?]*\b{_WHERE}\b", _I),
    re.compile(rf"\bconsider (?:it|that|this|them) {_IN}(?:done|gone|{_DONE})\b", _I),
    re.compile(
        rf"\b(?:memory|memories|record|note|entry)\s+(?:has |have |is |was |were )?{_IN}"
        rf"(?:gone|{_DONE})\W*$",
        _I,
    ),
    re.compile(
        r"\b(?:gone|deleted|erased|removed|wiped|cleared|purged)\s+from\s+(?:my |the |your )?"
        r"(?:long-term )?(?:memory|records?|notes|file)\b",
        _I,
    ),
    re.compile(r"\b(?:is|are)\s+now\s+(?:in|on)\s+(?:my |the )?(?:memory|file|record)\b", _I),
    re.compile(r"\bi no longer (?:know|have|remember|recall|keep|store)\b", _I),
    re.compile(
        r"(?:已经?|会)(?:为你|帮你|把.{0,8})?(?:记住|记下|保存|忘记|忘掉|删除|删掉|清除|移除|更新|更正)"
        r"|(?:记住|记下|记好|保存|存好|删除|删掉|忘掉|清除|移除|更新)了"
    ),
    re.compile(
        r"\bich habe?\b[^.!?]{0,60}\b(?:gelöscht|vergessen|gespeichert|gemerkt|notiert|entfernt"
        r"|geändert|aktualisiert|korrigiert|aufgenommen)\b"
        r"|\bich (?:merke|werde) (?:es )?mir\b|\bhabe? (?:ich )?(?:es |das |ihn )?mir gemerkt\b",
        _I,
    ),
    re.compile(
        r"\bj(?:e l)?(?:['’]|es )ai\b[^.!?]{0,20}?\b(?:oublié|effacé|supprimé|retiré|enregistré"
        r"|noté|mémorisé|sauvegardé|gardé|retenu|corrigé|modifié|mis à jour)\w*"
        r"|\bje (?:m['’]en souviendrai|le retiendrai|retiens)\b"
        r"|\bc['’]est (?:bien )?(?:enregistré|supprimé|effacé|oublié|retenu|corrigé)\b",
        _I,
    ),
    re.compile(
        r"\b(?:he|hemos) (?:olvidado|borrado|eliminado|guardado|anotado|registrado|memorizado"
        r"|actualizado|corregido|cambiado|apuntado)\b|\blo (?:recordaré|tendré en cuenta)\b",
        _I,
    ),
    re.compile(
        r"\b(?:l['’])?ho (?:già )?(?:memorizzato|salvato|annotato|registrato|dimenticato|cancellato"
        r"|eliminato|rimosso|aggiornato|corretto|segnato)\b|\bl[oa] ricorderò\b",
        _I,
    ),
    re.compile(
        r"\b(?:guardei|salvei|anotei|registrei|memorizei|esqueci|apaguei|removi|excluí|atualizei"
        r"|corrigi|eliminei)\b|\bvou (?:me )?lembrar\b",
        _I,
    ),
    re.compile(
        r"\bik heb\b[^.!?]{0,40}\b(?:opgeslagen|onthouden|genoteerd|verwijderd|vergeten|gewist"
        r"|bijgewerkt|gewijzigd)\b|\bik onthoud (?:het|dat)\b",
        _I,
    ),
    re.compile(
        r"\b(?:zapamięta|zapisa|usuną|zapomnia|zaktualizowa|skasowa)ł[ae]m\b|\busunęłam\b"
        r"|\b(?:zapisano|usunięto|zapamiętano|zaktualizowano)\b",
        _I,
    ),
    re.compile(
        r"(?:^|\bя\s+)(?:\W|хорошо|готово|уже)*(?:запомнил|сохранил|записал|удалил|забыл|ст[её]р"
        r"|обновил|исправил)а?\b|^\W*(?:запомнено|сохранено|записано|удалено|забыто|обновлено)\b",
        _I,
    ),
    re.compile(
        r"\b(?:kaydettim|sildim|unuttum|not ettim|güncelledim|hatırlayacağım|kaydedildi|silindi"
        r"|güncellendi)\b",
        _I,
    ),
    re.compile(
        r"(?:لقد\s+)?\b(?:حفظت|سجلت|حذفت|نسيت|مسحت|دونت)(?:ه|ها|\b)"
        r"|\bتم\s+(?:حفظ|حذف|تسجيل|مسح|تحديث|نسيان)"
    ),
    re.compile(r"(?:याद|सहेज|सेव|हटा|मिटा|भूल|नोट|अपडेट)[^।.!?]{0,12}(?:लिया|दिया|गया|रखूँगा|रखूंगा|रखूंगी)"),
    re.compile(
        r"(?:覚え|記憶し|保存し|記録し|メモし|削除し|消し|消去し|忘れ|更新し)ました|覚えておきます"
    ),
    re.compile(r"(?:기억|저장|기록|삭제|업데이트|메모)했|지웠|잊었|기억하겠|기억해 두"),
)
"""What is such a claim, whatever was asked."""

_OPENING = (
    r"^\W*(?:(?:ok|okay|done|sure|great|all set|all done|alright|understood|got it|yes|right"
    r"|perfect|gut|ja|alles klar|erledigt|d['’]accord|bien|voilà|oui|listo|hecho|vale|sí|fatto|ok"
    r"|va bene|pronto|feito|klaar|oké)\W+)*"
)
_PARTICIPLES = (
    rf"(?:{_DONE}|gone|gemerkt|gespeichert|notiert|gelöscht|vergessen|entfernt|geändert|aktualisiert"
    r"|korrigiert|noté|enregistré|supprimé|effacé|oublié|mémorisé|corrigé|modifié|retiré"
    r"|(?:guardad|anotad|borrad|eliminad|olvidad|registrad|memorizad|actualizad|corregid|cambiad"
    r"|salvad|apagad|esquecid|removid)[oa]s?"
    r"|(?:memorizzat|salvat|annotat|registrat|dimenticat|cancellat|eliminat|rimoss|aggiornat)[oaie]"
    r"|opgeslagen|onthouden|genoteerd|verwijderd|vergeten|gewist|bijgewerkt)"
)
TAKEN_UP = re.compile(
    r"^\W*(?:(?:ok|okay|d['’]accord|gut)\W+)?(?:c['’]est )?(?:noted|notiert|noté)\W*$", _I
)
"""No more than that something was heard."""

_ENDING = r"(?:\s+(?:now|successfully|for (?:you|later|next time)|as requested))*\W*$"
BARE = re.compile(
    rf"{_OPENING}(?:(?:it|that|this|they|everything)(?:['’]s|['’]re| is| are| has| have| was)?\s+)?"
    rf"{_IN}{_PARTICIPLES}(?:\s+and\s+{_PARTICIPLES})*{_ENDING}",
    _I,
)
"""A deed in a word or two: a claim in answer to anything but a question."""

OF_A_THING = re.compile(
    rf"{_OPENING}\S+(?:\s+\S+){{0,5}}?(?:\s+(?:is|are|was|were|(?:has|have)(?: now)? been|now"
    r"|wurden?|ist|sind|(?:a|ont) été|(?:ha|han) sido|fue|fueron|è stat[oa]|sono stat[ie]|foi"
    r"|foram|werd))?"
    rf"\s+{_IN}{_PARTICIPLES}{_ENDING}",
    _I,
)
ALL_DONE = re.compile(
    r"^\W*(?:(?:ok|okay|sure|alright)\W+)?(?:all )?(?:done|all set|erledigt|c['’]est fait|fait"
    r"|hecho|listo|fatto|feito|pronto|klaar|gedaan|zrobione|gotowe|готово|сделано|tamam|تم"
    r"|हो गया|完成|好了|搞定|完了|됐습니다|완료)(?:\W|$)",
    _I,
)
"""Claims where the user asked for such a deed."""

DENIED = re.compile(
    r"\b(?:not|never|nothing|cannot|nobody|no(?! longer)|nicht|kein\w*|nie|pas|jamais|rien|non|não"
    r"|niet|geen|не)\b|n['’]t\b|\bno (?:he|lo)\b"
    r"|没|未|不能|无法|ません|않|못|नहीं|\bلم\b|değil|madım",
    _I,
)
EARLIER = re.compile(
    r"\b(?:earlier|before|last|previously|on \w+day|when you|as (?:you|i|noted|recorded|stored))\b"
    r"|之前|上次",
    _I,
)
"""It tells of another time, or of nothing that was done."""
