"""Does a question ask of the asker's own affairs: of what only memory or the talk can know?

"Where do I live?" does; "Where should I live?" asks for advice, "What does my name mean?" for
knowledge. A request for work ("Plan my week") asks nothing.
"""

from __future__ import annotations

import re

_ADVICE = re.compile(
    r"\b(?:should|could|would|shall|must|might|need to|needs? for|have to|has to|had better|best"
    r"|better|worse|wrong|too|enough|mean|means|meaning|translat\w+|spell\w*|pronounce|correct|improve|fix"
    r"|recommend|suggest|advice|nearest|closest|in (?:english|german|french|spanish|chinese)"
    r"|years? if|backwards|options?|chances?|rights?)\b"
    r"|\bhow (?:do|can|to|does one)\b|\bcan i\b|\bcan we\b"
    r"|\bwhat do (?:i|we) (?:do|need|say|call)\b"
    r"|\bwhat happens\b|\bam i (?:right|wrong|correct|allowed)\b|\bwhy\b",
    re.IGNORECASE,
)
_WHAT = r"(?:what|who|whom|whose|where|when|which|how (?:old|tall|big|long|often|many|much|far))"
_DO = (
    r"live|work|pay|earn|like|prefer|love|take|own|drive|study|meet|start|begin|use|eat|drink|park"
    r"|keep|store|sleep|fly|leave|arrive|deploy|host|train|play|owe|rent|run|speak|go to|report to"
    r"|commute|teach|bank|stand on"
)
_ASKS = [
    re.compile(each, re.IGNORECASE)
    for each in (
        rf"\b{_WHAT}\b[^?.!]{{0,24}}?(?:'s|\b(?:is|are|was|were))\s+(?:\w+\s+){{0,2}}?(?:my|our)\b",
        rf"\b{_WHAT}(?:\s+[\w-]+){{0,3}}\s+(?:did|have|had|was|were|am)\s+(?:i|we)\b",
        rf"\b{_WHAT}(?:\s+[\w-]+){{0,2}}\s+(?:do|will)\s+(?:i|we)\s+(?:\w+ly\s+)?(?:{_DO})\b",
        rf"\b{_WHAT}(?:\s+[\w-]+){{0,2}}\s+(?:does|did|has|had)\s+(?:my|our)\s+\w+",
        (
            r"^\W*(?:and |so |but )?(?:did|have|has|had|was|were|am|do|does|is|are)\s+"
            r"(?:i|we|my|our)\b"
        ),
        (
            r"\b(?:do|did|can|could) you (?:still |happen to |even )?"
            r"(?:know|remember|recall|tell me)\b.{0,60}\b(?:my|our|i|we|mine|ours)\b"
        ),
        rf"\b{_WHAT}\b[^?.!]*\bagain\W*$",
        r"\bremind me\b.{0,60}\b(?:my|our|i|we)\b",
        (
            rf"\b(?:{_WHAT}|how|why)(?:\s+[\w-]+){{0,2}}\s+(?:did|has|had|was|were)\s+(?:the|our|my)\s+"
            r"(?:team|group|board|client|customer|boss|family|squad|crew|committee)\b"
        ),
        (
            r"\b(?:wo|wann|wer|was|wie|welche[rsnm]?|woher|wohin)\b"
            r"(?!.*\b(?:soll|kann|könnt|muss|müss|darf)\w*).*\b(?:ich|wir|mein\w*|unser\w*)\b"
        ),
        (
            r"\b(?:où|quand|qui|quel(?:le)?s?|combien|comment s'appelle)\b"
            r"(?!.*\b(?:dois|peux|puis|pourr)\w*).*\b(?:je|nous|mon|ma|mes|notre|nos)\b"
        ),
        (
            r"(?:dónde|cuándo|quién|cuál|cuánt\w*|cómo se llama)\b"
            r"(?!.*\b(?:debo|puedo|deber|podr)\w*).*\b(?:mi|mis|nuestr\w+|vivo|trabajo)\b"
        ),
    )
]
_ASKS_HAN = re.compile(
    r"^(?!.*(?:应该|怎么|如何|可以|能不能|能否|为什么|推荐|建议|适合|最好|帮我|请|给我|要不要|该))"
    r".*[我咱].*(?:什么|哪|谁|多少|几|吗|何时|多大|多久)"
)
_WORK = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|would you\s+|now\s+)*(?:plan|write|draft|translate"
    r"|make|suggest|recommend|create|explain|help|improve|fix|rewrite|compose|design|generate"
    r"|calculate|compute|convert|think of|come up|(?:give|show|tell|list)(?: me)? (?:an?|some|how"
    r"|ideas|ways)\b)\b|^(?:请|帮我)(?:写|翻译|设计|计划)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")

_NO_ANSWER = re.compile(
    r"\b(?:good|great|nice|question|happy|glad|course|hello|hi|hey|thanks?|sorry|absolutely"
    r"|certainly|definitely|depends?|moment|second|look|looking|check|see|exactly|indeed|welcome"
    r"|help|hmm|here|let|sure|yes|yeah|yep|no|nope|okay|ok|well|fine|correct|right|maybe|perhaps"
    r"|unknown|nothing|none|yet|ja|nein|oui|non|sí)\b|当然|好的|是的|没有|不",
    re.IGNORECASE,
)


def asks_own(message: str) -> bool:
    """Tell whether a message ends in a question about the asker's own affairs."""
    last = [each for each in _SENTENCE.split(message.strip()) if each][-1:]
    if not last or asks_work(last[0]) or _ADVICE.search(last[0]):
        return False
    return bool(_ASKS_HAN.search(last[0])) or any(each.search(last[0]) for each in _ASKS)


def wants_advice(message: str) -> bool:
    """Tell whether a message asks what is best, how it is done, or what words mean."""
    return bool(_ADVICE.search(message))


def asks_work(message: str) -> bool:
    """Tell whether a message wants something made or explained rather than told."""
    return bool(_WORK.match(message))


def says_nothing(clause: str) -> bool:
    """Tell whether a short clause is no answer by itself: "Good question"."""
    return bool(_NO_ANSWER.search(clause))
