"""Orders that name memory, all that it holds, or a statement to store.

"Delete the code" may mean a file; "erase the code from memory" cannot. English, and for
everything at once, which is never done on one sentence, German, French, Spanish and Chinese.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.orders.imperatives import DROP

LONGEST = 400
"""Characters of a sentence that names memory, or all of it."""

_S = re.IGNORECASE | re.DOTALL
_LEAD = (
    r"^\s*(?:please[,\s]+)?(?:(?:i(?:['’]d| would) like you to|i (?:want|need) you to"
    r"|(?:can|could|would|will) you(?: please| kindly)?|you (?:can|should|must|may))\s+"
    r"(?:please\s+)?)?"
)
_END = r"(?:[,\s]+(?:please|now|right now|at once|immediately|completely|entirely))*[\s.!?]*$"
_MEMORY = (
    r"(?:(?:your |my |the )?(?:long[- ]term )?(?:memory|memories)|your (?:mind|head|notes|records"
    r"|storage))"
)

_DROP_FROM = (
    re.compile(
        rf"{_LEAD}(?:{DROP}|take)\s+(?P<what>\S.{{0,200}}?)\s+(?:from|out of)\s+{_MEMORY}{_END}", _S
    ),
    re.compile(
        rf"{_LEAD}(?:{DROP})\s+(?:my|your|the|any|every|all)\s+memor(?:y|ies)\s+(?:of|about|on)"
        rf"\s+(?P<what>\S.{{0,200}}?){_END}",
        _S,
    ),
    re.compile(
        rf"{_LEAD}(?:{DROP})\s+what(?:ever)?\s+i(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:told\s+you|said"
        rf"|mentioned)\s+(?:to\s+you\s+)?(?:about|on|of)\s+(?P<what>\S.{{0,200}}?){_END}",
        _S,
    ),
)
"""What is to go from memory by name, or as what was told to it."""

_KNOWN = (
    r"(?:\s+(?:that\s+)?you(?:['’]ve|\s+have)?\s+(?:know|have|remember|stored?|saved?|kept|keep|hold"
    r"|learn\w*))"
)
_ME = r"(?:\s+(?:about|on|of|from)\s+me)"
_STOCK = (
    r"(?:(?:personal|stored|saved|entire|whole|own|user)\s+)?(?:data|memor(?:y|ies)|information|info"
    r"|records)"
)
_ALL = (
    re.compile(
        rf"{_LEAD}(?:{DROP}|destroy|reset|empty)\s+(?:"
        rf"(?:absolutely\s+)?(?:everything|all){_KNOWN}?{_ME}?"
        rf"|(?:all\s+(?:of\s+)?)?my\s+{_STOCK}{_KNOWN}?"
        rf"|(?:all\s+(?:of\s+)?)?your\s+(?:entire\s+|whole\s+)?memor(?:y|ies){_ME}?(?:\s+clean)?"
        rf"|all\s+(?:the\s+)?{_STOCK}{_KNOWN}?{_ME}?"
        rf"|(?:everything|all|me)\s+from\s+{_MEMORY}"
        rf"){_END}",
        _S,
    ),
    re.compile(
        r"^\s*(?:bitte\s+)?(?:vergiss|l[oö]sche?|l[oö]schen sie|entferne?)\s+(?:bitte\s+)?(?:alles"
        r"(?:,?\s+was du (?:[uü]ber mich )?(?:wei(?:ß|ss)t|gespeichert hast))?(?:\s+[uü]ber mich)?"
        r"|(?:alle\s+)?meine\s+daten|alle\s+(?:daten|erinnerungen)(?:\s+(?:[uü]ber mich|von mir))?)"
        r"[\s.!]*$"
        r"|^\s*(?:oublie[zr]?|efface[zr]?|supprime[zr]?)\s+(?:tout(?:\s+ce que (?:tu sais"
        r"|vous savez)(?:\s+(?:de|sur) moi)?)?|(?:toutes\s+)?mes\s+donn[eé]es"
        r"|tous\s+mes\s+souvenirs)[\s.!]*$"
        r"|^\s*(?:por favor[,\s]+)?(?:olvid[ae]|borr[ae]|elimin[ae])\s+(?:todo(?:\s+lo que sabes"
        r"(?:\s+(?:de|sobre) m[ií])?)?|(?:todos\s+)?mis\s+datos|todos\s+mis\s+recuerdos)[\s.!]*$"
        r"|^\s*(?:[请你]|麻烦|帮我)*(?:删除|删掉|清除|清空|忘记|忘掉|抹掉|忘了)(?:你?(?:关于)?我?的?)"
        r"(?:(?:所有|全部|一切)的?(?:数据|资料|信息|记忆|记录|内容)?|记忆)吧?[\s。.!！]*$"
        r"|^\s*(?:[请你]|麻烦|帮我)*把(?:关于)?我?的?(?:所有|全部|一切)的?(?:数据|资料|信息|记忆|记录"
        r"|内容)?(?:都|全)?(?:删除|删掉|清除|忘掉|忘了|抹掉)吧?[\s。.!！]*$",
        _S,
    ),
)

_THIS = (
    r"(?:\s+(?:this|that|it|the following))?(?:\s+down)?"
    r"(?:\s+(?:to|in|into|for)\s+(?:your\s+)?memory)?"
)
_VERB = r"(?:store|save|record|log|memori[sz]e|note(?:\s+down)?|write|jot|put|add)"
_NOTED = r"(?:(?:make|take)\s+(?:a\s+)?(?:mental\s+)?note(?:\s+of\s+(?:this|that|the following))?)"
_SAYS = (
    r"(?=(?:i|we|you|he|she|it|they|my|our|your|his|her|their|the|an?|this|there|(?-i:[A-Z])[\w'’-]*"
    r"|i['’]\w+|we['’]\w+|it['’]s)\s+\S+\s+\S|(?:i['’]m|we['’]re|it['’]s)\s+\S)"
)
KEEP = (
    re.compile(
        rf"{_LEAD}(?:{_VERB}(?=\s+(?:this|that|it|the following|down|to|in|into)\b){_THIS}|{_NOTED}"
        rf"|note\s+down|(?:write|jot)\s+down)\s*[:：]\s*(.+)$",
        _S,
    ),
    re.compile(
        rf"{_LEAD}(?:{_VERB}(?:\s+down)?(?:\s+(?:it\s+)?(?:to|in|into)\s+(?:your\s+)?memory)?"
        rf"|{_NOTED}|bear in mind)\s+that\s+{_SAYS}(.+)$",
        _S,
    ),
)
"""What is to be stored is a statement: behind "that", or a colon."""


def means_everything(text: str) -> bool:
    """Tell whether a sentence asks for all that memory holds of the user to go."""
    return len(text) <= LONGEST and any(each.match(text) for each in _ALL)


def gone_from_memory(text: str) -> str:
    """Return what a sentence asks to go from memory by that name; empty where it does not."""
    if len(text) > LONGEST:
        return ""
    found = next(filter(None, (each.match(text) for each in _DROP_FROM)), None)
    return found["what"] if found else ""
