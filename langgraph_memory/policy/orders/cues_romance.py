"""The words of each order in French, Spanish, Italian and Portuguese."""

from __future__ import annotations

from langgraph_memory.policy.orders.cue_forms import Cues, negated

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

ROMANCE = {
    "fr": Cues(
        keep=rf"\b(?:{_FR})\b",
        stop=rf"\bn(?:e\b|')(?:\s*\S+){{0,4}}?\s*\b(?:{_FR})|\b(?:arret\w*"
        rf"|cess\w*)\b.{{0,30}}?\b(?:{_FR})"
        rf"|\b(?:{_FR})\s+(?:pas|plus|rien|jamais)\b|\bsans\s+(?:{_FR})",
        drop=r"\b(?:oubli\w*|effac\w*|supprim\w*|enlev\w*|retir\w*)\b",
        told=r"\b(?:ai|as|a|avons|avez|ont|avais|avait)\s+(?:\w+\s+)?(?:oublié|effacé|supprimé|retiré|enlevé)\w*|\b(?:je|il|elle|on|nous)\s+(?:l'|les?\s+|la\s+)?oubli\w*|\bj'oubli\w*",
        spare=r"\bn(?:e\b|')\s*(?:\S+\s+)?oubli\w*|\boubli\w*\s+(?:pas|jamais)\b",
        change=r"\b(?:pas (?:ca|cela)|melang\w*|confon\w*|faux|fausse|incorrect\w*|(?:pas"
        r"|plus) (?:vrai|exact|correct|juste|bon)"
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
        stop=negated("no|nunca|jamas|sin", _ES, 4)
        + rf"|\b(?:dej\w*|par\w*|evit\w*)(?:\s+\w+)?\s+(?:de\s+)?(?:{_ES})",
        drop=r"\b(?:olvid\w*|borr\w*|elimin\w*|quit[ae]\w*|suprim\w*|descart\w*)\b",
        told=r"\b(?:olvidé|borré|eliminé|olvidó|borró|olvidamos|se me olvid\w+|(?:he|has|ha"
            r"|había|hemos|han)\s+(?:olvidado|borrado|eliminado)|siempre olvido|me olvido)\b",
        spare=r"\b(?:no|nunca)(?:\s+\w+){0,2}\s+olvid\w*",
        change=r"\b(?:esta mal|confun\w*|incorrect\w*|fals\w*|equivoc\w*|corrig\w*|correg\w*"
        r"|correct[oa]|cambi\w*|actuali\w*"
        r"|modific\w*|ya no|no es|ahora|en realidad|error|vez|lugar|sino)\b|^\W*no\b",
        again=r"\b(?:otra vez|de nuevo|nuevamente|vuelv\w* a|volver a)\b",
        polite=r"^\W*(?:y\W+)?(?:puedes?|podrias?|puede usted|quieres|podeis|pueden|por favor"
            r"|te importa)\b",
    ),
    "it": Cues(
        keep=rf"\b(?:{_IT})\b",
        stop=negated("non|mai|senza", _IT, 4) + rf"|\b(?:smett\w*|evit\w*"
            rf"|basta)(?:\s+di)?\s+(?:{_IT})",
        drop=r"\b(?:dimentic\w*|scord\w*|cancell\w*|elimin\w*|rimuov\w*|togli\w*)\b",
        told=r"\b(?:ho|hai|ha|abbiamo|hanno|avevo)\s+(?:\w+\s+)?(?:dimenticat\w|scordat\w"
            r"|cancellat\w|eliminat\w)|\bmi sono (?:dimenticat|scordat)\w|\bdimentico\b",
        spare=r"\bnon(?:\s+\w+){0,2}\s+(?:dimentic|scord)\w*",
        change=r"\b(?:sbagliat\w*|errat\w*|fals[oa]|corregg\w*|cambi\w*|aggiorn\w*|modific\w*"
            r"|non (?:e"
        r"|piu)|ora|adesso|invece|in realta|errore|bensi|anziche)\b|^\W*no\b",
        again=r"\b(?:di nuovo|ancora|nuovamente|ricominci\w*)\b",
        polite=r"^\W*(?:e\W+)?(?:puoi|potresti|puo|potrebbe|potete|vuoi|per favore|ti dispiace)\b",
    ),
    "pt": Cues(
        keep=rf"\b(?:{_PT})\b",
        stop=negated("nao|nunca|jamais|sem", _PT, 4)
        + rf"|\b(?:par[ae]|deix[ae]|evit[ae]|pare)\w*(?:\s+de)?(?:\s+te)?\s+(?:{_PT})",
        drop=r"\b(?:esque[cç]\w*|apag\w*|delet\w*|remov\w*|exclu\w*|elimin\w*)\b",
        told=r"\b(?:esqueci|esqueceu|esqueço|esquecemos|apaguei|apagou|(?:tinha|tenho|tem|foi)\s+(?:\w+\s+)?(?:esquecido|apagado)\w*)\b",
        spare=r"\b(?:nao|nunca)(?:\s+\w+){0,2}\s+(?:\w+-)?esque\w*",
        change=r"\b(?:errad\w*|incorret\w*|fals[oa]|engan\w*|corrij\w*|corrig\w*|mud\w*|atualiz\w*"
        r"|alter\w*|troc\w*|ja nao|nao e|agora|na verdade|erro|vez)\b|^\W*nao\b",
        again=r"\b(?:de novo|novamente|outra vez|volt\w* a)\b",
        polite=r"^\W*(?:e\W+)?(?:podes?|podias?|poderias?|voce (?:pode|poderia)|pode|consegues"
            r"|por favor)\b",
    ),
}  # fmt: skip
