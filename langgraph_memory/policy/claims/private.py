"""Does a question ask of a world that only its people know, though it says neither "my" nor "our"?

"Who owns deployment?", "When does the contract end?" and "What is Lina's blood type?" do: nobody
but memory or the talk can know. "Who owns Twitter?", "What is the speed of light?" and "How do I
write a contract?" do not.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.claims.questions import asks_work, wants_advice
from langgraph_memory.policy.language.sentences import sentences

# What "the …" means among people who work or live together.
_NOUNS = (
    r"(?:launch|release|roll-?out|deployment|deploy|contract|budget|deadline|offsite|off-site|meeting"
    r"|stand-?up|retro(?:spective)?|sprint|kick-?off|workshop|project|product|roadmap|backlog|milestone"
    r"|invoice|refund|quote|offer|lease|rent|order|shipment|delivery|ticket|incident|outage|migration"
    r"|demo|beta|pilot|trial|client|customer|vendor|supplier|landlord|code|passcode|password|pin|key"
    r"|token|host|endpoint|server|staging|database|repo(?:sitory)?|branch|pipeline|build|backup|api"
    r"|team|squad|office|warehouse|venue|party|dinner|trip|flight|hotel|booking|reservation"
    r"|appointment|interview|review|presentation|report|proposal|agenda|minutes|decision|plan"
    r"|schedule|shift|rota|on-?call|limit|quota|salary|headcount|target|campaign|newsletter|website"
    r"|domain|logo|wifi|wi-fi|safe|locker|gate|alarm|car|dog|cat|plumber|dentist)"
)
_DUTY = (
    r"(?:owns?|leads?|runs?|manages?|maintains?|handles?|heads?|oversees?|reviews?|approves?|approved"
    r"|signs?|signed|(?:is|are|was) (?:responsible for|in charge of|on call|on duty|assigned to"
    r"|working on|the (?:owner|lead|contact|manager|head) (?:of|for)))"
)
_NAMES = (
    r"(?:Lina|Anna|Ana|Bob|Tom|Sarah|Sara|Jane|John|Jack|Omar|Priya|Alice|Emma|Maria|Marie|Peter|Paul"
    r"|Mark|Mike|Lisa|Laura|Julia|Nina|Nora|Eva|Ben|Max|Sam|Tim|Jim|Joe|Dan|Dave|Kate|Lucy|Amy|Mia"
    r"|Leo|Finn|Jonas|Felix|Hanna|Hannah|Sofia|Elena|Ivan|Olga|Ahmed|Ali|Fatima|Wei|Ming|Yuki|Kenji"
    r"|Raj|Amit|Carlos|Juan|Pedro|Luis|Pablo|Marco|Luca|Paolo|Pierre|Claire|Chloe|Hugo|Karl|Klaus"
    r"|Greta|Ingrid|Sven|Lars|Erik|Steve|Susan|Linda|Karen|Rachel|Rebecca|Oliver|Harry|Ella|Zoe|Ruth)"
)
_WHO = r"(?:what|who|whom|whose|where|when|which|how (?:much|many|long|often|old|big|high))"
_MINE = r"(?!\s+(?:of|for|in|on)\s+(?:an?\s|(?:the\s+)?(?-i:[A-Z])))"
_THING = rf"(?:[a-z][\w-]*\s+){{0,3}}?{_NOUNS}\b{_MINE}"
_OPEN = (
    r"^\W*(?:(?:and|so|but|hey|hi|hello|ok|okay|please|sorry|remind me|tell me|do you know)[,\s]+)*"
)
_ASKS = (
    re.compile(rf"{_OPEN}{_WHO}\b[^?.!]*\b(?:the|this|that)\s+{_THING}", re.IGNORECASE),
    re.compile(
        rf"{_OPEN}(?:has|have|is|are|was|were|did|does|do|will)\s+(?:the|this)\s+{_THING}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_OPEN}(?i:who)\s+(?i:{_DUTY})(?:\s+(?:the\s+)?(?![A-Z])\S|\W*$)"),
    re.compile(
        rf"(?:^\W*|\b[a-z][\w'’-]*[,:]?\s+){_NAMES}(?:['’]s)?\b(?!\s+[A-Z])(?=[^?]*\?)"
        rf"|\b(?:about|of|with|to|for) {_NAMES}\W*$"
    ),
    re.compile(
        r"\b(?:wer|wann|wo|wie hoch|was)\b.*\b(?:zuständig|verantwortlich|das (?:deployment|budget"
        r"|meeting|projekt|passwort)|der (?:vertrag|launch|start)"
        r"|die (?:deadline|miete|rechnung|frist))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:qui|quand|où|quel(?:le)?|combien)\b.*\b(?:responsable d|(?:le|du) (?:contrat|budget"
        r"|projet|lancement|code|mot de passe)|la (?:réunion|facture|livraison|date limite))",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:quién|cuándo|dónde|cuál|cuánto)\b.*\b(?:responsable de|encargad[oa] de|el (?:contrato"
        r"|presupuesto|proyecto|lanzamiento|código)|la (?:reunión|factura|entrega|contraseña))",
        re.IGNORECASE,
    ),
    re.compile(
        r"谁(?:来)?(?:负责|管|主管|批准|签)|(?:发布|部署|合同|会议|截止|密码|项目|客户|合约|上线|面试|预订)"
        r".*(?:谁|多少|几|何时|什么|哪|吗)"
    ),
)
_ASKS_WHAT = re.compile(
    rf"^\W*(?:which|what)\s+{_NOUNS}\b\s+[a-z]+s?\s+(?:the|our)\b"
    rf"|^\W*why\s+(?:was|were|did|has|is)\s+the\s+{_THING}",
    re.IGNORECASE,
)
_WORLD = re.compile(
    r"\b(?:world|history|in general|usually|typically|on average|mean(?:ing)?|definition|stand for"
    r"|invented|discovered|ancient|century|planet|country|countries|language|difference between"
    r"|example|kind of|type of|in (?:python|java|rust|sql|html|css|git|linux|bash|excel))\b"
    r"|\b(?:french|american|english|german|chinese|russian|us|uk|first|largest|biggest|best|highest"
    r"|oldest|fastest|most|longest)\b\s+\w+|(?:什么意思|怎么|如何|为什么|历史|世界)",
    re.IGNORECASE,
)


def asks_private(message: str) -> bool:
    """Tell whether a message ends in a question that memory alone, or the talk, can answer."""
    last = sentences(message.strip())[-1:]
    if last and _ASKS_WHAT.search(last[0]) and not _WORLD.search(last[0]):
        return True
    if not last or asks_work(last[0]) or wants_advice(last[0]) or _WORLD.search(last[0]):
        return False
    return any(each.search(last[0]) for each in _ASKS)
