"""The words of each order in English, German, Dutch, Polish and Turkish."""

from __future__ import annotations

from langgraph_memory.policy.orders.cue_forms import Cues, negated, some

_EN = (
    r"remember\w*|memori[sz]\w*|note|noting|save|saving|stor(?:e|ing)|record(?:ing)?|keep(?:ing)?"
    r"|retain\w*|log|know that|you know|mind|write down|jot down"
    r"|don't (?:lose|let go of)"
)
_DE = (
    r"merk\w*|notier\w*|speicher\w*|behalt\w*|aufschreib\w*|schreib\w*(?:\s+\w+){0,4}?\s+auf"
    r"|festhalt\w*|halt\w*(?:\s+\w+){0,4}?\s+fest|denk\w*(?:\s+\w+){0,2}?\s+dar\w*|erinner\w* dich"
    r"|aufzeichn\w*|einpraeg\w*|beacht\w*"
)
_DE_NO = r"nicht|nichts|nie|niemals|kein\w*"
_NL = (
    r"onthoud\w*|noteer\w*|noteren|bewaar\w*|bewaren|opslaan|opslaat|opsla|sla(?:\s+\w+){0,6}?\s+op"
    r"|schrijf(?:\s+\w+){0,4}?\s+op|herinner\w*|vastleg\w*|leg(?:\s+\w+){0,4}?\s+vast|denk eraan"
)
_NL_NO = r"niet|niets|niks|nooit|geen"
_PL = r"zapami\w*|pami\w*|zapis\w*|zapisz\w*|zanotuj\w*|notuj\w*|zachow\w*|przechow\w*|odnotuj\w*"
_TR = (
    r"hatirla\w*|aklinda tut\w*|kaydet\w*|kaydet|sakla\w*|ezberle\w*|not (?:et|al)\w*|aklina yaz\w*"
)

NORTHERN = {
    "en": Cues(
        keep=rf"\b(?:{_EN})\b",
        stop=negated(r"stop|quit|don't|dont|do not|never|not|no longer|without|avoid"
            r"|refrain", _EN, 5)
        + rf"\b|\b(?:{_EN})\b{some(4)}(?:nothing|none)\b|\b(?:keep|remember|save"
            rf"|store) (?:nothing|none)"
        r"|off the record|\bno (?:more )?(?:notes|memories|records)\b",
        drop=r"\b(?:forget\w*|delet\w*|eras\w*|remov\w*|wip(?:e|ing)\w*|drop|clear|discard"
            r"|get rid|purge"
        r"|scratch|strike|throw (?:out|away))\b|\b(?:from|out of) your (?:memory|notes|mind)\b",
        told=r"\b(?:i|we|he|she|they|it|people|everyone)(?:'\w+)?\s+(?:\w+\s+)?(?:forgets?|deleted?|erased?|removed?|wiped?|dropp?e?d?)\b|\bforg(?:ot|otten)\b|\b(?:was|were|got|been)\s+(?:deleted|erased|removed)\b",
        spare=r"\b(?:don't|dont|do not|never|not|mustn't|without)(?:\s+\w+){0,2}\s+forget\w*",
        change=r"\b(?:correct\w*|wrong|incorrect|not|no longer|actually|chang\w*|updat\w*|moved?"
            r"|now"
        r"|instead|fix|mistake\w*|mixed up|mix up|confus\w*|not quite|outdated|any ?more|rather"
        r"|false|untrue)\b|^\W*no\b"
        r"|(?:^|[,;:.]\s*|\b(?:and|then|please|you|to)\s+)(?:set|replac(?:e|ing)|switch|reschedule"
        r"|adjust|amend|revise|swap|substitute)\b",
        again=r"\b(?:again|resume\w*|restart\w*|once more)\b",
        polite=r"^\W*(?:(?:and|so|also|but|then)\W+)?(?:(?:could|can|would|will) (?:you|we)"
            r"|please|kindly"
        r"|make sure|may i ask|do you mind|is it possible|would it be)",
    ),
    "de": Cues(
        keep=rf"\b(?:{_DE})\b",
        stop=rf"\bnicht,? dass du\b.{{0,80}}?\b(?:{_DE})|\b(?:{_DE})(?:\s+(?!dass\b|ich\b|wir\b"
            rf"|er\b)\w+){{0,5}}?\s+(?:{_DE_NO})\b"
        rf"|\b(?:{_DE_NO})(?:\s+\w+){{0,8}}?\s+(?:zu\s+)?(?:{_DE})\b"
        rf"|\bhor\w*\s+(?:\w+\s+){{0,2}}?auf\b.{{0,80}}?\b(?:{_DE})"
        rf"|\baufhor\w*.{{0,80}}?\b(?:{_DE})",
        drop=r"\b(?:vergiss\w*|vergesst|vergess\w*|losch\w*|entfern\w*|streich\w*|verwirf|tilg\w*"
        r"|radier\w*)\b"
        r"|\b(?:wirf|werfen|nimm)\b(?=.{0,80}\baus (?:deine|ihre)[mnr] )"
        r"|\baus (?:deinem|deinen|deiner|ihrem|ihren) (?:gedachtnis|speicher|notizen"
        r"|erinnerung\w*)\b",
        told=r"\b(?:ich|wir|er|man)\s+(?:\w+\s+){0,2}?(?:vergess\w*|lösch\w*|vergiss\w*)|\b(?:hab\w*|hat|hatten?|hast|wurden?|wird|bin|ist)\b(?:\s+\w+){0,8}?,?\s+(?:vergessen|gelöscht)\b",
        spare=r"\bverg[ei]ss\w*(?:\s+\w+){0,2}?\s+(?:nicht|nie|niemals)\b"
        r"|\b(?:nicht|nie|niemals)(?:\s+\w+){0,1}?\s+(?:zu )?vergess\w*",
        change=r"\b(?:falsch|daneben|vertan|verwechs\w*|vertausch\w*|stimmt|nicht (?:richtig"
        r"|korrekt|wahr|mehr)|korrigier\w*|korrektur"
            r"|ander[en]?"
        r"|bericht\w*|aktualisier\w*|statt\w*|sondern|irr\w*|geirrt|jetzt|inzwischen|mittlerweile"
        r"|verwechsel\w*|neu\w*|eigentlich|unrichtig|veraltet)\b|^\W*(?:nein|doch|ne)\b",
        again=r"\b(?:wieder|erneut|weiter\w*|abermals)\b",
        polite=r"^\W*(?:(?:und|also|dann)\W+)?(?:(?:kannst|konntest|wurdest|willst|magst) du"
        r"|(?:konnen|konnten|wurden|wollen) sie|konntet ihr|bitte|ware es moglich"
        r"|ist es moglich)\b",
    ),
    "nl": Cues(
        keep=rf"\b(?:{_NL})\b",
        stop=rf"\b(?:onthoud\w*|noteer\w*|bewaar\w*|sla|schrijf|leg)(?:\s+(?!dat\b|ik\b"
        rf"|we\b)\w+){{0,5}}?\s+"
        rf"(?:{_NL_NO})\b|\b(?:{_NL_NO})(?:\s+\w+){{0,8}}?\s+(?:te\s+)?(?:{_NL})\b"
        rf"|\b(?:stop\w*|hou\w*)\b.{{0,40}}?\b(?:{_NL})",
        drop=r"\b(?:verge(?:et|ten)\w*|wis|wist|wissen|verwijder\w*|schrap\w*)\b",
        told=r"\b(?:ben|heb|heeft|had|was|is|zijn|werd)\b(?:\s+\w+){0,8}?\s+(?:vergeten"
            r"|verwijderd|gewist)|\bik (?:\w+ )?vergeet\b|\bvergat\w*",
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
        told=r"\b(?:zapomnia\w+|zapomin(?:am|a|ają)|usun(?:ął|ęł)\w*)\b",
        spare=r"\bnie(?:\s+\w+){0,1}\s+zapom\w*",
        change=r"\b(?:bled\w*|blad|nieprawd\w*|zle|pomyl\w*|popraw\w*|zmien\w*|zaktualiz\w*"
        r"|skoryg\w*"
        r"|juz nie|nieaktual\w*|teraz|wlasciwie|zamiast|sprost\w*|mylisz)\b|^\W*nie\b",
        again=r"\b(?:znowu|znow|ponownie|dalej)\b",
        polite=r"^\W*(?:i\W+)?(?:czy\s+)?(?:mozesz|moglbys|moglabys|mozecie|moze pan\w*|prosze)\b",
    ),
    "tr": Cues(
        keep=rf"\b(?:{_TR})\b",
        stop=r"\b(?:hatirlama|kaydetme|saklama|ezberleme|tutma|not (?:etme|alma))(?:yin\w*)?\b"
        r"|\b(?:kaydet|hatirla|sakla|not al|not et|tut)\w*\s+(?:istemiyorum|birak\w*|kes\w*"
        r"|durdur\w*)",
        drop=r"\b(?:unut(?!ma\b|mayin|tu)\w*|sil|silin\w*|siler|silebil\w*|silme\w*|kaldir\w*)\b",
        told=r"\b(?:unut(?:tu|uyor|muş|ur(?:um|uz)?\b(?! m))\w*|sild[iı]\w*|siliyor\w*)",
        spare=r"\bunutma(?:yin\w*)?\b",
        change=r"\b(?:yanlis\w*|dogru degil|hata\w*|duzelt\w*|degis\w*|guncelle\w*|artik|simdi"
            r"|aslinda"
        r"|yerine|degil)\b|^\W*hayir\b",
        again=r"\b(?:tekrar|yeniden|yine)\b",
        polite=r"\b\w+r m[iu]s[iu]n\w*|\blutfen\b|\bmumkun mu",
    ),
}  # fmt: skip
