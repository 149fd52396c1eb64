"""Whether a user asserts what a correction would write, or denies, reports or supposes it.

"It would be wrong to say the launch is on Monday" has the words of a correction, and says the
opposite. All texts are in folded spelling; English, German, French, Spanish and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WRONG = (
    r"(?:wrong|false|incorrect|untrue|inaccurate|mistaken|a mistake|a lie|not (?:true|right|correct"
    r"|the case)|falsch|unwahr|gelogen|ein irrtum|nicht (?:wahr|richtig|korrekt)|faux|fausse?"
    r"|inexact|incorrecte?|une erreur|pas (?:vrai|exact|juste|correct)|falso|falsa|mentira"
    r"|un error|incorrecto|no es (?:cierto|verdad|correcto|asi))"
)
_DENIES = re.compile(
    rf"\b{_WRONG}\b\s*(?:,?\s*(?:that|to|when|if|in|about|dass|wenn|zu|que|qu'|de|cuando|decir"
    rf"|(?:is|ist|est|es)\b,? (?:that|dass|que)"
    r"|quand|si)\b)"
    rf"|\b(?:stimmt (?:gar |so )?nicht,? dass|never said|didn't say|did not say|nie gesagt"
    r"|jamais dit|nunca dije|don't (?:think|believe|say)|doubt|rumou?r|myth|not a fact|no creo"
    r"|crois pas|pense pas"
    r"|glaube nicht|denke nicht|bezweif\w+|doute|dudo)\b"
    rf"|\b(?:no longer|not any ?more) (?:true|the case) that\b"
    rf"|说.{{1,60}}(?:是|就|都)?(?:错|不对|假|不正确|不是真)|是(?:错的|不对的|假的|错误的|不正确的)"
    r"|(?:没说过?|不认为|不相信|并非|不是说)"
)
_SUPPOSES = re.compile(
    r"\b(?:if|whether|suppos(?:e|ing)|imagine|i wish|maybe|perhaps|might|in case|pretend|wenn|falls"
    r"|ob|vielleicht|angenommen|peut-etre|suppos(?:ons|e)|quizas?|tal vez|ojala|imagina)\b"
    r"|如果|假如|假设|要是|也许|可能|是否"
)
_SAYS = re.compile(
    r"(?<!\byou )\b(?:says?|said|claims?|claimed|writes?|wrote|thinks?|thought|believes?|believed"
    r"|told (?:me|us)|states?|stated|reads|changed the \w+)\b(?!\s+you\b)"
    r"|\b(?:sagt|sagte|behauptet|meint|glaubt|schreibt|steht|hat gesagt)\b"
    r"|\b(?:il|elle|on|\w+) (?:dit|pretend|affirme|croit|a dit)\b|\b(?:dice|dijo|decia|afirma|cree"
    r"|disait|disaient)\b"
    r"|(?<![你您我])(?<!应该)(?:说|写着|认为|以为|声称)"
)
_ENDS_WRONG = re.compile(rf"\b{_WRONG}\W*$|\bstimmt (?:so )?nicht\W*$|(?:不对|错了?|错的)\W*$")


def is_asserted(sentences: Sequence[str]) -> bool:
    """Tell whether sentences, in which something is said to be wrong, say what is right.

    Args:
        sentences: The user's own, in folded spelling and in order.
    """
    held = any(each.search(one) for each in (_DENIES, _SUPPOSES, _SAYS) for one in sentences)
    return not held and not (sentences and _ENDS_WRONG.search(sentences[-1]))
