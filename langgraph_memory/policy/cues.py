"""The words of each order in fifteen languages, as people put them.

Cues are read in folded spelling, of the languages a message may be in. To forget in the negative
is to remember ("don't forget"), to remember in the negative is to stop, so both are read before
the plain verbs; that is all the grammar there is here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

_ANY = r"(?:\s+\S+){0,%d}?\s+"


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's patterns.

    Attributes:
        keep: To keep something.
        stop: To keep something no more.
        drop: To forget.
        spare: Not to forget.
        change: That something is wrong, or has changed.
        again: To keep again; ``keep`` must stand beside it.
        polite: How a question is put that is a request.
    """

    keep: str
    stop: str
    drop: str
    spare: str
    change: str
    again: str
    polite: str


def _negated(before: str, keep: str, words: int) -> str:
    """Return a negation with a verb of keeping some words behind it."""
    return rf"\b(?:{before}){_ANY % words}\b(?:{keep})"


_EN = (
    r"remember\w*|memori[sz]\w*|note|noting|save|saving|stor(?:e|ing)|record(?:ing)?|keep(?:ing)?"
    r"|retain\w*|log|know that|you know|mind|write down|jot down"
)
_DE = (
    r"merk\w*|notier\w*|speicher\w*|behalt\w*|aufschreib\w*|schreib\w*(?:\s+\w+){0,4}?\s+auf"
    r"|festhalt\w*|halt\w*(?:\s+\w+){0,4}?\s+fest|denk\w*(?:\s+\w+){0,2}?\s+dar\w*|erinner\w* dich"
    r"|aufzeichn\w*|einpraeg\w*|beacht\w*"
)
_DE_NO = r"nicht|nichts|nie|niemals|kein\w*"
_FR = (
    r"souv\w*|retien\w*|reten\w*|note[zrs]?|rappel\w*|gard\w*|enregistr\w*|memoris\w*|sauvegard\w*"
    r"|conserv\w*|stock\w*"
)
_ES = (
    r"recuerd\w*|record\w*|guard\w*|apunt\w*|anot\w*|memori[zc]\w*|ten(?:lo|ga)?(?: \w+)? en cuenta"
    r"|ten presente|registr\w*|almacen\w*|conserv\w*|reteng\w*"
)
_IT = (
    r"ricord\w*|memorizz\w*|annot\w*|segn\w*|salv\w*|conserv\w*|tien\w* (?:a mente|presente|conto)"
    r"|registr\w*|appunt\w*|tener\w* (?:a mente|conto)|prendi nota"
)
_PT = (
    r"lembr\w*|memoriz\w*|guard\w*|anot\w*|salv\w*|registr\w*|grav\w*|ten\w* em mente|record\w*"
    r"|tome nota|armazen\w*|fix[ae]\w*"
)
_NL = (
    r"onthoud\w*|noteer\w*|noteren|bewaar\w*|bewaren|opslaan|opslaat|opsla|sla(?:\s+\w+){0,6}?\s+op"
    r"|schrijf(?:\s+\w+){0,4}?\s+op|herinner\w*|vastleg\w*|leg(?:\s+\w+){0,4}?\s+vast|denk eraan"
)
_NL_NO = r"niet|niets|niks|nooit|geen"
_PL = r"zapami\w*|pami\w*|zapis\w*|zapisz\w*|zanotuj\w*|notuj\w*|zachow\w*|przechow\w*|odnotuj\w*"
_RU = (
    r"запомн\w*|запомин\w*|помни\w*|запиш\w*|запис\w*|сохран\w*|отмет\w*|учти\w*|имей\w* в виду"
    r"|фиксир\w*|зафиксир\w*|храни\w*"
)
_TR = (
    r"hatirla\w*|aklinda tut\w*|kaydet\w*|kaydet|sakla\w*|ezberle\w*|not (?:et|al)\w*|aklina yaz\w*"
)
_AR = (
    r"[اتين]?تذكر\w*|[اتي]?حفظ\w*|[اتي]?سجل\w*|تسجيل|[اتي]?خزن\w*|تخزين|[اتي]حتفظ\w*"
    r"|[اتي]?دون\w*|ضع في"
)
_HI_VERBS = r"याद|ध्यान|नोट|सहेज|सेव|दर्ज|स्टोर|लिख"
_ZH = r"记(?!得)|記(?!得)|存|备注|备忘|牢记"
_JA = r"覚え|記憶|記録|メモ|保存|心に留め"
_KO = r"기억|외워|외우|메모|저장|적어|기록"

CUES = {
    "en": Cues(
        keep=rf"\b(?:{_EN})\b",
        stop=_negated(r"stop|quit|don't|dont|do not|never|not|no longer|without|avoid"
            r"|refrain", _EN, 5)
        + rf"\b|\b(?:{_EN})\b{_ANY % 4}(?:nothing|none)\b|\b(?:keep|remember|save"
            rf"|store) (?:nothing|none)"
        r"|off the record|\bno more (?:notes|memories)",
        drop=r"\b(?:forget\w*|delet\w*|eras\w*|remov\w*|wip(?:e|ing)\w*|drop|clear|discard"
            r"|get rid|purge"
        r"|scratch|strike)\b",
        spare=r"\b(?:don't|dont|do not|never|not|mustn't|without)(?:\s+\w+){0,2}\s+forget\w*",
        change=r"\b(?:correct\w*|wrong|incorrect|not|no longer|actually|chang\w*|updat\w*|moved?"
            r"|now"
        r"|instead|fix|mistake\w*|outdated|any ?more|rather|false|untrue)\b|^\W*no\b",
        again=r"\b(?:again|resume\w*|restart\w*|once more)\b",
        polite=r"^\W*(?:(?:and|so|also|but|then)\W+)?(?:(?:could|can|would|will) (?:you|we)"
            r"|please|kindly"
        r"|make sure|may i ask|do you mind|is it possible|would it be)",
    ),
    "de": Cues(
        keep=rf"\b(?:{_DE})\b",
        stop=rf"\b(?:{_DE})(?:\s+(?!dass\b|ich\b|wir\b|er\b)\w+){{0,5}}?\s+(?:{_DE_NO})\b"
        rf"|\b(?:{_DE_NO})(?:\s+\w+){{0,8}}?\s+(?:zu\s+)?(?:{_DE})\b"
        rf"|\bhor\w*\s+(?:\w+\s+){{0,2}}?auf\b.{{0,80}}?\b(?:{_DE})|\baufhor\w*.{{0,80}}?\b(?:{_DE})",
        drop=r"\b(?:vergiss|vergesst|vergess\w*|losch\w*|entfern\w*|streich\w*|verwirf|tilg\w*|radier\w*)\b",
        spare=r"\bverg[ei]ss\w*(?:\s+\w+){0,2}?\s+(?:nicht|nie|niemals)\b"
        r"|\b(?:nicht|nie|niemals)(?:\s+\w+){0,1}?\s+(?:zu )?vergess\w*",
        change=r"\b(?:falsch|stimmt|nicht (?:richtig|korrekt|wahr|mehr)|korrigier\w*|korrektur"
            r"|ander[en]?"
        r"|bericht\w*|aktualisier\w*|statt\w*|sondern|irr\w*|geirrt|jetzt|inzwischen|mittlerweile"
        r"|verwechsel\w*|neu\w*|eigentlich|unrichtig|veraltet)\b|^\W*(?:nein|doch|ne)\b",
        again=r"\b(?:wieder|erneut|weiter\w*|abermals)\b",
        polite=r"^\W*(?:(?:und|also|dann)\W+)?(?:(?:kannst|konntest|wurdest|willst|magst) du"
        r"|(?:konnen|konnten|wurden|wollen) sie|konntet ihr|bitte|ware es moglich"
        r"|ist es moglich)\b",
    ),
    "fr": Cues(
        keep=rf"\b(?:{_FR})\b",
        stop=rf"\bn(?:e\b|')(?:\s*\S+){{0,4}}?\s*\b(?:{_FR})|\b(?:arret\w*|cess\w*)\b.{{0,30}}?\b(?:{_FR})"
        rf"|\b(?:{_FR})\s+(?:pas|plus|rien|jamais)\b|\bsans\s+(?:{_FR})",
        drop=r"\b(?:oubli\w*|effac\w*|supprim\w*|enlev\w*|retir\w*)\b",
        spare=r"\bn(?:e\b|')\s*(?:\S+\s+)?oubli\w*|\boubli\w*\s+(?:pas|jamais)\b",
        change=r"\b(?:faux|fausse|incorrect\w*|(?:pas|plus) (?:vrai|exact|correct|juste|bon)"
            r"|corrig\w*"
        r"|modif\w*|chang\w*|rectif\w*|jour|maintenant|desormais|plutot|en fait|erreur|tromp\w*"
        r"|lieu)\b|^\W*non\b",
        again=r"\b(?:de nouveau|a nouveau|encore|recommenc\w*|reprend\w*)\b",
        polite=r"^\W*(?:et\W+)?(?:peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous"
            r"|tu (?:peux"
        r"|pourrais)|vous (?:pouvez|pourriez)|veux[- ]tu|voudrais[- ]tu|est-ce que tu (?:peux"
        r"|pourrais)"
        r"|s'il (?:te|vous) plait|merci de)",
    ),
    "es": Cues(
        keep=rf"\b(?:{_ES})\b",
        stop=_negated("no|nunca|jamas|sin", _ES, 4)
        + rf"|\b(?:dej\w*|par\w*|evit\w*)(?:\s+\w+)?\s+(?:de\s+)?(?:{_ES})",
        drop=r"\b(?:olvid\w*|borr\w*|elimin\w*|quit[ae]\w*|suprim\w*|descart\w*)\b",
        spare=r"\b(?:no|nunca)(?:\s+\w+){0,2}\s+olvid\w*",
        change=r"\b(?:incorrect\w*|fals\w*|equivoc\w*|corrig\w*|correg\w*|correct[oa]|cambi\w*|actuali\w*"
        r"|modific\w*|ya no|no es|ahora|en realidad|error|vez|lugar|sino)\b|^\W*no\b",
        again=r"\b(?:otra vez|de nuevo|nuevamente|vuelv\w* a|volver a)\b",
        polite=r"^\W*(?:y\W+)?(?:puedes?|podrias?|puede usted|quieres|podeis|pueden|por favor"
            r"|te importa)\b",
    ),
    "it": Cues(
        keep=rf"\b(?:{_IT})\b",
        stop=_negated("non|mai|senza", _IT, 4) + rf"|\b(?:smett\w*|evit\w*"
            rf"|basta)(?:\s+di)?\s+(?:{_IT})",
        drop=r"\b(?:dimentic\w*|scord\w*|cancell\w*|elimin\w*|rimuov\w*|togli\w*)\b",
        spare=r"\bnon(?:\s+\w+){0,2}\s+(?:dimentic|scord)\w*",
        change=r"\b(?:sbagliat\w*|errat\w*|fals[oa]|corregg\w*|cambi\w*|aggiorn\w*|modific\w*"
            r"|non (?:e"
        r"|piu)|ora|adesso|invece|in realta|errore|bensi|anziche)\b|^\W*no\b",
        again=r"\b(?:di nuovo|ancora|nuovamente|ricominci\w*)\b",
        polite=r"^\W*(?:e\W+)?(?:puoi|potresti|puo|potrebbe|potete|vuoi|per favore|ti dispiace)\b",
    ),
    "pt": Cues(
        keep=rf"\b(?:{_PT})\b",
        stop=_negated("nao|nunca|jamais|sem", _PT, 4)
        + rf"|\b(?:par[ae]|deix[ae]|evit[ae]|pare)\w*(?:\s+de)?(?:\s+te)?\s+(?:{_PT})",
        drop=r"\b(?:esque[cç]\w*|apag\w*|delet\w*|remov\w*|exclu\w*|elimin\w*)\b",
        spare=r"\b(?:nao|nunca)(?:\s+\w+){0,2}\s+(?:\w+-)?esque\w*",
        change=r"\b(?:errad\w*|incorret\w*|fals[oa]|engan\w*|corrij\w*|corrig\w*|mud\w*|atualiz\w*"
        r"|alter\w*|troc\w*|ja nao|nao e|agora|na verdade|erro|vez)\b|^\W*nao\b",
        again=r"\b(?:de novo|novamente|outra vez|volt\w* a)\b",
        polite=r"^\W*(?:e\W+)?(?:podes?|podias?|poderias?|voce (?:pode|poderia)|pode|consegues"
            r"|por favor)\b",
    ),
    "nl": Cues(
        keep=rf"\b(?:{_NL})\b",
        stop=rf"\b(?:onthoud\w*|noteer\w*|bewaar\w*|sla|schrijf|leg)(?:\s+(?!dat\b|ik\b|we\b)\w+){{0,5}}?\s+"
        rf"(?:{_NL_NO})\b|\b(?:{_NL_NO})(?:\s+\w+){{0,8}}?\s+(?:te\s+)?(?:{_NL})\b"
        rf"|\b(?:stop\w*|hou\w*)\b.{{0,40}}?\b(?:{_NL})",
        drop=r"\b(?:verge(?:et|ten)\w*|wis|wist|wissen|verwijder\w*|schrap\w*)\b",
        spare=r"\bvergeet(?:\s+\w+){0,3}?\s+(?:niet|nooit)\b|\b(?:niet|nooit)(?:\s+te)?\s+vergeten",
        change=r"\b(?:fout|verkeerd|onjuist|klopt|niet (?:juist|waar|meer|correct|goed)|corrige\w*"
        r"|verbeter\w*|wijzig\w*|verander\w*|aanpas\w*|pas|bijwerk\w*|werk|nu|vergis\w*|plaats"
        r"|maar)\b|^\W*nee\b",
        again=r"\b(?:weer|opnieuw|verder)\b",
        polite=r"^\W*(?:en\W+)?(?:(?:kun|kan|zou|wil) je|kunt u|zou u|wilt u|alsjeblieft"
            r"|alstublieft)\b",
    ),
    "pl": Cues(
        keep=rf"\b(?:{_PL})\b",
        stop=rf"\b(?:nie|nigdy|przesta\w*)(?:\s+\w+){{0,4}}?\s+(?:{_PL})"
        rf"|\bnie chc\w*.{{0,40}}?\b(?:{_PL})",
        drop=r"\b(?:zapomn\w*|usun\w*|usuw\w*|skasuj\w*|wymaz\w*|wykresl\w*)\b",
        spare=r"\bnie(?:\s+\w+){0,1}\s+zapom\w*",
        change=r"\b(?:bled\w*|blad|nieprawd\w*|zle|pomyl\w*|popraw\w*|zmien\w*|zaktualiz\w*|skoryg\w*"
        r"|juz nie|nieaktual\w*|teraz|wlasciwie|zamiast|sprost\w*|mylisz)\b|^\W*nie\b",
        again=r"\b(?:znowu|znow|ponownie|dalej)\b",
        polite=r"^\W*(?:i\W+)?(?:czy\s+)?(?:mozesz|moglbys|moglabys|mozecie|moze pan\w*|prosze)\b",
    ),
    "ru": Cues(
        keep=rf"\b(?:{_RU})\b",
        stop=rf"\b(?:не|никогда|ничего|перестан\w*|прекрат\w*|хватит|без)(?:\s+\w+){{0,4}}?\s+(?:{_RU})"
        rf"|\bне хо\w+.{{0,40}}?\b(?:{_RU})",
        drop=r"\b(?:забуд\w*|забы\w*|удал\w*|сотри\w*|стереть|убери\w*|убрать|вычеркн\w*)\b",
        spare=r"\bне(?:\s+\w+){0,1}\s+заб\w*",
        change=r"\b(?:неправ\w*|неверн\w*|ошиб\w*|исправ\w*|поправ\w*|измен\w*|поменя\w*"
            r"|обнов\w*|уже не"
        r"|больше не|не так|теперь|сейчас|на самом деле|вместо|устарел\w*)\b|^\W*нет\b|,\s*а не\b",
        again=r"\b(?:снова|опять|вновь|продолж\w*)\b",
        polite=r"^\W*(?:и\W+)?(?:не\s+)?(?:можешь|можете|мог бы|могла бы|могли бы|пожалуйста"
            r"|ты можешь)\b",
    ),
    "tr": Cues(
        keep=rf"\b(?:{_TR})\b",
        stop=r"\b(?:hatirlama|kaydetme|saklama|ezberleme|tutma|not (?:etme|alma))(?:yin\w*)?\b"
        r"|\b(?:kaydet|hatirla|sakla|not al|not et|tut)\w*\s+(?:istemiyorum|birak\w*|kes\w*"
        r"|durdur\w*)",
        drop=r"\b(?:unut(?!ma\b|mayin|tu)\w*|sil|silin\w*|siler|silebil\w*|silme\w*|kaldir\w*)\b",
        spare=r"\bunutma(?:yin\w*)?\b",
        change=r"\b(?:yanlis\w*|dogru degil|hata\w*|duzelt\w*|degis\w*|guncelle\w*|artik|simdi"
            r"|aslinda"
        r"|yerine|degil)\b|^\W*hayir\b",
        again=r"\b(?:tekrar|yeniden|yine)\b",
        polite=r"\b\w+[iu]r m[iu]s[iu]n\w*|\blutfen\b|\bmumkun mu",
    ),
    "ar": Cues(
        keep=rf"\b(?:{_AR})",
        stop=rf"\b(?:لا|الا|عدم|لن|دون)\s+(?:\w+\s+){{0,3}}?(?:{_AR})|\b(?:توقف\w*|كف)\s+عن\s+(?:\w+\s+)?(?:{_AR})",
        drop=r"\b(?:انس\w*|ا?نسي|امسح\w*|احذف\w*|ازل|امح\w*|[تي]نس\w*|[تي]مسح\w*|[تي]حذف\w*|نسيان|حذف|مسح)\b",
        spare=r"\bلا\s+تنس\w*",
        change=r"\b(?:خطا|خاطئ\w*|صحيح\w*|صحح\w*|تصحيح|عدل\w*|غير\w*|تغير\w*|حدث|الان|بل|لم يعد"
            r"|الواقع|بدلا)\b"
        r"|^\W*(?:لا|كلا)\b",
        again=r"\b(?:مجددا|ثانية|مرة اخرى|من جديد)\b",
        polite=r"^\W*(?:هل\s+(?:يمكن\w*|تستطيع\w*|ب?امكان\w*|لك)|ممكن|ايمكن\w*|من فضلك|رجاء)",
    ),
    "hi": Cues(
        keep=rf"(?:{_HI_VERBS})",
        stop=rf"(?:{_HI_VERBS})\S*\s+(?:में\s+)?(?:मत|न|नहीं)(?!\S)|(?<!\S)(?:मत|न)\s+(?:{_HI_VERBS})"
        rf"|(?:{_HI_VERBS})\S*\s+(?:\S+\s+)?बंद",
        drop=r"भूल|भुला|हटा|मिटा|डिलीट",
        spare=r"(?<!\S)(?:मत|न|नहीं)\s+भूल\S*|भूल\S*\s+(?:मत|नहीं)",
        change=r"गलत|ग़लत|सही नहीं|ठीक नहीं|सुधार|बदल|अपडेट|(?<!\S)अब|^\W*नहीं|दरअसल|बजाय",
        again=r"फिर से|दोबारा|वापस",
        polite=r"^\W*(?:कृपया|क्या\s+(?:आप|तुम|तू)(?!\S).*सक)",
    ),
    "zh": Cues(
        keep=rf"(?:{_ZH})",
        stop=rf"(?:别|不要|不用|不许|不必|请勿|勿|停止|不再|不准)(?:再|继续)?.{{0,8}}?(?:{_ZH})|記錄?下?不|不要.{{0,6}}记录",
        drop=r"忘(?!不)|删|刪|清除|抹|移除|去掉",
        spare=r"(?:别|不要|勿|不能|不可|不许|不准)(?:再)?.{0,2}?忘[了记記掉]?",
        change=r"不对|不對|错|錯|改|更正|更新|纠正|修正|现在|不再|应该是|其实|不是|^\W*不[,，]",
        again=r"重新|再|继续|可以.{0,4}记",
        polite=r"^\W*(?:请|麻烦|能|可以|可不可以|帮|拜托|劳驾)",
    ),
    "ja": Cues(
        keep=rf"(?:{_JA})",
        stop=rf"(?:{_JA})(?:し|て|る|ておか)?(?:ない|なく|るな|ません|な(?:い)?で)|(?:{_JA})(?:する|る)?(?:の|こと)?を?(?:やめ|止め)",
        drop=r"忘れ|削除|消して|消去|消せ",
        spare=r"忘れ(?:ない|るな|ず|ません|ちゃ(?:だめ|ダメ))",
        change=r"違|間違|訂正|修正|変更|直し|正しくは|いいえ|今は|ではなく|じゃなく|更新|変わ",
        again=r"また|再び|もう一度|再開",
        polite=r"(?:くれ|もらえ|いただけ|ください|ほしい|欲しい|くださ)",
    ),
    "ko": Cues(
        keep=rf"(?:{_KO})",
        stop=rf"(?:{_KO})(?:을|를|해|하)?\s?(?:지|두지|놓지)?\s?(?:마|말|않)|(?:{_KO})(?:을|를"
            rf"|하는 (?:것|걸))?\s?(?:그만|중지|멈)",
        drop=r"잊어|잊|지워|삭제|없애",
        spare=r"잊(?:지|으면|어버리지)\s?(?:마|말|않|안)",
        change=r"틀렸|틀린|아니|잘못|수정|정정|바꿔|바뀌|변경|고쳐|이제|지금|업데이트|맞지 않",
        again=r"다시|또",
        polite=r"(?:줄래|줄 수|주실|주시|주겠|주세요|해\s?줘|줘)",
    ),
}  # fmt: skip


@cache
def pattern(part: str, spoken: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of one part of :class:`Cues` in several languages."""
    return re.compile("|".join(f"(?:{getattr(CUES[each], part)})" for each in spoken) or r"(?!)")


def without(part: str, spoken: Iterable[str], text: str) -> str:
    """Return a text without what a part of the cues finds in it."""
    return pattern(part, tuple(spoken)).sub(" ", text)
