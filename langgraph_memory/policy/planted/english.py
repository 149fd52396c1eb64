"""Orders in English: a verb, what stands between, and what only a model has or does."""

from __future__ import annotations

from langgraph_memory.policy.planted.reasons import (
    DISREGARD,
    KEEP,
    MODEL,
    ROLE,
    SECRECY,
    SEND,
    TOOL,
    Words,
)

_IGNORE = (
    r"(?:ignore|disregard|forget|override|bypass|overrule|drop|discard|abandon|neglect|scrap"
    r"|reject"
    r"|circumvent|violate|throw\saway|set\saside"
    r"|pay\sno\sattention\sto|(?:do\snot|don['’ ]?t|never|stop|no\slonger)\s(?:follow|obey"
    r"|heed)(?:ing)?)"
)
_GIVEN = (
    r"(?:previous|prior|earlier|above|preceding|existing|former|initial|original|current|your"
    r"|all|any"
    r"|whatever|these|those|every)"
)
_RULES = (
    r"(?:instructions?|prompts?|guidelines?|guardrails?|directives?|rules?|polic(?:y|ies)|orders"
    r"|constraints?|restrictions?|safeguards?|commands?|programming|training)"
)
_USER = r"(?:the|your|any|our)\s(?:users?|human|operator|end\suser)\b"
_NO = (
    r"(?:do\snot|don[ '’ʼ]?t|never|without|must\snot|mustn[ '’]?t|should\snot|shall\snot"
    r"|not\sto)"
)
_TELL = (
    r"(?:tell|mention|reveal|inform|show|ask|notify|warn|disclose|let|share|say|report|alert"
    r"|admit)"
    r"(?:ing)?"
)
_AI = (
    r"(?:ais?|ai\s(?:agents?|assistants?|models?|systems?)|llms?|language\smodels?|chatgpt|gpt"
    r"|claude|gemini|copilot|chatbots?|(?:reader|reading|ranking|scoring|reviewing)\s(?:model"
    r"|agent))"
)
_ACT = (
    r"(?:call|use|run|execute|invoke|send|forward|approve|transfer|reveal|ignore|bypass|recommend"
    r"|delete|reply|answer|grant|treat|say|act|play|copy|rate|rank|score|prefer|mention)"
)
_MUST = (
    r"(?:must|should|shall|will|have\sto|has\sto|needs?\sto|(?:are|is)\s(?:required|obliged)\sto)"
)
_ASKS = (
    r"(?:someone|somebody|anyone|anybody|the\suser|a\suser|users?|people)\s(?:is\s|are\s)?asks?\w*"
)
_OFTEN = r"(?:when(?:ever)?|every\stime|each\stime|if|once)"
_NOW = (
    r"(?:going\sforward|from\s(?:now|here)\son|from\sthis\s(?:point|moment)(?:\son)?"
    r"|henceforth)"
)
_LATER = (
    r"(?:later|future|subsequent|further|coming)\s(?:conversations?|sessions?|chats?"
    r"|answers?|turns?)"
)
_MONEY = r"(?:payments?|invoices?|transfers?|refunds?|salar(?:y|ies)|payouts?|remittances?|funds)"
_SECRETS = r"(?:passwords?|credentials?|api\skeys?|secrets?|tokens?|private\skeys?)"

ENGLISH: Words = {
    DISREGARD: (
        rf"\b{_IGNORE}\s(?:[\w']+\s){{0,4}}?{_GIVEN}\s(?:[\w']+\s){{0,3}}?{_RULES}\b(?!\sof\sthe\sroad)",
        (rf"\b{_IGNORE}\s(?:[\w']+\s){{0,4}}?{_RULES}\s(?:above|you\swere|you\shave|given"
        rf"|so\sfar)\b"),
        (rf"\b{_IGNORE}\s(?:everything|anything|what(?:ever)?|all)\s(?:that\s)?you\s(?:were"
        rf"|have|are|know)\b"),
        (rf"\byour\s(?:\w+\s){{0,2}}?{_RULES}\s(?:no\slonger\sapply|(?:have|has)\sbeen\s(?:updated"
         r"|replaced|changed|lifted|suspended)|are\s(?:void|suspended|lifted|obsolete))\b"),
        (rf"\byour\s(?:\w+\s){{0,2}}?{_RULES}\s(?:do|does)\s(?:not|no\slonger)\s(?:apply|count"
        rf"|matter)"),
        (rf"\b{_IGNORE}\s(?:\w+\s){{0,3}}?{_RULES}\s(?:from|of|by)\s(?:your|the)\s(?:operators?"
         r"|developers?|creators?|makers?|system|provider)\b"),
        (r"\b(?:everything|anything|all|whatever)\syou\s(?:were|have\sbeen|had\sbeen)\s(?:told"
        r"|given"
         r"|taught|instructed)\b"),
        rf"\b{_NO}\s(?:follow|obey|honou?r|respect)\s(?:\w+\s){{0,2}}?users?\b",
        (r"\b(?:security|safety|authentication|permission|identity)\s(?:checks?|filters?"
        r"|controls?)\s"
         r"(?:are|is)\s(?:now\s)?(?:disabled|off|suspended|lifted)\b"),
        (r"\bbypass(?:es|ing)?\s(?:\w+\s){0,2}?(?:authentication|security|safety|permission"
        r"|approval)\b"),
        r"\bnew\s(?:instructions?|rule|directive|orders?)\s?:",
    ),
    KEEP: (
        (r"\b(?:add|save|commit|store|write|record|put)\s(?:(?:this|that|it|the\sfollowing)\s)?"
         r"(?:to|in|into)\s(?:your\s|the\s)?(?:(?:long[- ]?term|permanent|persistent)\s)?"
         r"memory\b(?!\s(?:card|stick|lane|bank|chip|module|address))"),
        (r"\b(?:save|store|record|keep|add)\s(?:\w+\s){0,4}?as\san?\s(?:permanent|standing"
        r"|lasting)\s"
         r"(?:preference|rule|fact|instruction|order|memory)\b"),
        (rf"\b(?:keep\sin\smind|remember|memori[sz]e|note|save|store"
        rf"|apply)\b[^.!?\n]{{0,60}}?{_LATER}\b"),
        r"\b(?:store|save|remember|record|memori[sz]e)\s(?:this\s)?permanently\b",
        (r"\bin\s(?:every|each|all)\s(?:of\syour\s)?(?:(?:future|later|following)\s)?(?:answers?"
         r"|repl(?:y|ies)|responses?)\b"),
        (r"\bwith\san?\s(?:ai|llm|chatbot)\s?:"),
        (r"\b(?:could|can|would|will)\syou\s(?:please\s)?(?:save|remember|store"
        r"|memori[sz]e)\sthat\b"),
        rf"\b{_NOW}\s?,?\s?(?:{_OFTEN}|you\s{_MUST}\s(?:always\s|never\s)?{_ACT}|you\s{_ACT})\b",
        (rf"\b{_OFTEN}\s{_ASKS}\b[^.!?\n]{{0,60}}?\b(?:reply|answer|respond|say|tell|double"
        rf"|recommend"
         r"|state|claim|quote)\b"),
        (r"\byou\smust\s(?:always\s)?treat\s(?:\w+\s){1,5}?as\s(?:approved|valid|authori[sz]ed"
        r"|true"
         r"|confirmed|paid)\b"),
        (r"\bthe\suser\shas\s(?:already\s)?(?:authori[sz]ed|approved|consented\sto|confirmed)\s"
         r"(?:all|every|any|each)\b"),
    ),
    MODEL: (
        (r"\b(?:dear|hey|hello|hi|attention|ok(?:ay)?)\s(?:chatgpt|assistant|ai|gpt|claude|llm"
        r"|chatbot)\b"),
        rf"\b(?:note|attention|message|memo)\s(?:to|for)\s(?:the\s|any\s|all\s)?{_AI}\b",
        (rf"\b{_AI}(?:\s(?:reading|processing|seeing)\sthis)?\s{_MUST}\s(?:always\s|never\s"
        rf"|now\s)?{_ACT}\b"),
        rf"\bas\san?\s(?:ai|llm|language\smodel|assistant)\b[^.!?\n]{{0,20}}?\byou\s{_MUST}\b",
        r"\bassistant\s?:\s?(?:always|never|please|you|ignore|remember|send|recommend|say)\b",
        (r"\b(?:message|notice|update|instructions?)\s(?:is\s|comes\s)?from\s(?:openai|anthropic"
         r"|your\s(?:developers?|creators?|provider|maker))\b"),
        (r"\bwhen(?:ever)?\s(?:you\s)?(?:summari[sz]|translat|answer|quot"
        r"|cit)\w*\s(?:\w+\s){0,4}?,?\s?"
         r"(?:also\s)?(?:tell|say|add|include|recommend|mention|claim)\b"),
        r"\btell\sthe\suser\s(?:to\s(?:visit|click|open|pay|send|call|install|go)|that)\b",
        r"\b(?:decode|decrypt)\s(?:\w+\s){0,3}?and\s(?:follow|obey|execute|run|do)\b",
    ),
    ROLE: (
        (r"\byou\sare\s(?:now|from\snow\son)\s(?:an?\s|the\s)?(?:\w*bot|dan"
        r"|(?:system\s)?administrator"
         r"|admin|root|unrestricted|uncensored|jailbroken|free\sof)\b"),
        (r"\byou\sare\s(?:now\s)?[^.!?\n]{1,40}?\b(?:without|with\sno"
        r"|free\sof)\s(?:any\s)?(?:rules"
         r"|restrictions|limits|filters|limitations|guardrails)\b"),
        (r"\b(?:pretend|imagine)\s(?:to\sbe|you\sare)\s(?:an?\s|the\s)?(?:system|administrator"
        r"|admin|root)\b"),
        (r"\b(?:act|behave|operate)\sas\s(?:an?\s|the\s)?(?:root|admin|superuser"
        r"|system\sadministrator)\b"),
        (r"\b(?:switch\s(?:in)?to|enter|enable|activate|go\sinto)\s(?:the\s)?(?:developer|god"
        r"|debug|admin"
         r"|jailbreak|unrestricted|maintenance)\smode\b"),
        r"\byou\splay\sthe\s(?:part|role)\sof\b",
    ),
    TOOL: (
        (r"\b(?:use|call|invoke|run|execute|trigger)\s(?:the\s)?[a-z]+(?:_[a-z]+)+\s"
         r"(?:tool|function|endpoint|action)\b"),
        (r"\b(?:use|call|invoke|run|execute|trigger)\s(?:the\s)?(?:\w+\s){1,3}?(?:tool|function)\s"
         r"(?:now\b|immediately|right\saway|at\sonce|with\s\w+\s?=|for\severy)"),
        r"\bmake\sa\scall\sto\sthe\s(?:\w+\s){1,3}?(?:tool|function|api)\b",
        (r"\b(?:delete|erase|wipe|clear|purge)\s(?:all|every|your)\s(?:\w+\s){0,2}?(?:memory"
        r"|memories)\b"),
        (r"\b(?:execute|run)\s(?:the\sfollowing|this|these)?\s?(?:shell\s)?(?:commands?|code"
        r"|script)\b"
         r"[^\n]{0,6}?(?:\brm\s|\bcurl\s|\bwget\s|\bsudo\s|drop\stable|bash\s|powershell)"),
    ),
    SECRECY: (
        (rf"\b{_NO}\s(?:ever\s)?{_TELL}\s(?:[\w']+\s){{0,5}}?{_USER}(?!\s(?:guide|manual"
        rf"|interface|id|name))"),
        rf"\b(?:no\sneed|not\snecessary|no\sreason)\sto\s{_TELL}\s(?:\w+\s){{0,3}}?{_USER}",
        (rf"\b(?:keep|hide|conceal|withhold)\s(?:\w+\s){{0,4}}?from\s{_USER}(?!\s(?:guide"
        rf"|manual|interface))"),
        (rf"\b{_USER}\s(?:must|should|may|shall|need)\s(?:not|never)\s(?:learn|know|see|find"
        rf"|notice|be\stold)"),
    ),
    SEND: (
        (rf"\b(?:all|every|any|each|future"
        rf"|later)\s(?:\w+\s){{0,3}}?{_MONEY}\s(?:\w+\s){{0,3}}?(?:go|goes"
         r"|wired|sent|paid|transferred|made|redirected|routed|rerouted)\s(?:\w+\s){0,2}?(?:to"
         r"|into)\s"
         r"(?:\w+\s){0,3}?(?:iban|account|wallet)\b"),
        (rf"\b(?:send|forward|e-?mail|post|upload|copy|transmit|submit"
        rf"|leak)\s(?:\w+\s){{0,4}}?{_SECRETS}\s"
         r"(?:\w+\s){0,3}?(?:to|at|via)\s(?:\w+\s){0,2}?(?:https?:|www\.|[\w.+-]{1,64}@)"),
        (r"\b(?:send|forward|copy)\s(?:\w+\s){0,2}?(?:copy\sof\s)?(?:each|every"
        r"|all)\s(?:your\s)?(?:answers?"
        r"|repl(?:y|ies)|messages?|conversations?|e-?mails?)\s(?:to|at)\b"),
        (rf"\b(?:redirect|reroute|divert)\s(?:all|every|any|the"
        rf"|future)\s(?:\w+\s){{0,2}}?{_MONEY}\s"
         r"(?:\w+\s){0,2}?(?:to|into)\b"),
        (r"\b(?:upload|send|print|reveal|show|output|repeat|leak"
        r"|quote)\s(?:me\s)?your\s(?:system\s)?"
         r"(?:prompt|instructions|memory|guidelines)\b"),
        r"\bbcc\s(?:to\s)?[\w.+-]{1,64}@",
        r"\bsend\sthe\s(?:conversation|chat|transcript|memory|system\sprompt)\s(?:to|at|via)\b",
        r"\b(?:reply|answer|respond)\swith\sthe\siban\b",
    ),
}  # fmt: skip
