"""Which of a user's own words are worth keeping without being asked to.

Conservative on purpose: a plain statement of the user's is kept as something they said on a
day; questions, greetings, thanks, requests and fragments are not. What an assistant, a tool
or a document says is never selected here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from langgraph_memory.domain.events import Event
from langgraph_memory.policy.orders.imperatives import is_imperative
from langgraph_memory.policy.updates.update import Update

MAX_CHARACTERS = 2_000
_FEWEST_WORDS = 4
_FEWEST_IDEOGRAPHS = 4

_ABBREVIATIONS = "".join(
    rf"(?<!\b{each}\.)"
    for each in ("[A-Z]", "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", r"[ap]\.m", r"e\.g", r"i\.e")
)
_SENTENCE_END = re.compile(rf"(?<=[.!?。！？]){_ABBREVIATIONS}\s+|(?<=[。！？])|\n+")
_NOT_THEIR_OWN = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE)
"""Code, and lines quoted from somebody else."""

_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUESTION = re.compile(
    r"[?？]\W*$|(?:[吗呢谁]|什么|什么时候|多少|哪里|哪儿|几点|怎么办|怎么样)[。.!！]*$"
    r"|^\W*(?:谁|什么|哪|为什么|为何|怎么|如何|多少|几点|几号|是否|能不能|可不可以|可以|你能)"
    r"|^\W*(?:who|whom|whose|what|when|where|which|why|how|is|are|am|was|were"
    r"|do|does|did|can|could|will|would|should|shall|may|have|has|had)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|thanks?|thank you|ok|okay"
    r"|yes|no|sure|great|nice|cool|bye|goodbye|lol|haha|done|got it|sounds good|never ?mind|hope)\b"
    r"|^\W*(?:谢谢|多谢|感谢|辛苦|你好|您好|大家好|嗨|早上好|早安|上午好|中午好|下午好|晚上好|晚安|再见|拜拜"
    r"|好的|好吧|好啊|行吧|可以的|没问题|没关系|没事|不客气|不用了|嗯|哦|哈哈|明白了|知道了|收到|懂了|是的|对的)",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|yes|no|你好|您好|是的|对)"
    r"(?: there| all| everyone)?\s*[,，;—–-]+\s*+(?!(?:that|this|it|so)\b)",
    re.IGNORECASE,
)
"""A greeting or a yes before a statement that stands by itself."""
_REQUEST = re.compile(
    r"^\W*(?:please|show|tell|give|list|write|explain|summari[sz]e|translate|draft|find|search"
    r"|remember|forget|delete|remove|stop|help|make|create|run|open|let['’]?s|try|don['’]?t|remind"
    r"|read|follow|send|add|fix|check|compare|generate|convert|calculate|suggest|recommend|rewrite"
    r"|continue|ignore|i(?:['’]d| would) like you to|i (?:want|need) you to)\b"
    r"|^\W*(?:请|帮我|帮忙|麻烦|告诉我|给我|替我|写一|翻译|解释|总结|列出|查一下|查找|搜索|继续|停止|打开"
    r"|记住|记得|记下|忘记|忘掉|删除|不要记|不要忘|不要保存|别记|别忘|别保存)",
    re.IGNORECASE,
)


def statements(event: Event, *, claims: Callable[[str], bool] | None = None) -> list[str]:
    """Return the sentences of an event that are worth keeping, word for word.

    Args:
        event: What was said.
        claims: Tells whether a sentence claims something of a person that the policy has a rule
            for: such a one is no fragment, however short it is.
    """
    if event.role != "user" or len(event.content) > MAX_CHARACTERS:
        return []
    own_words = _NOT_THEIR_OWN.sub("\n", event.content)
    sentences = (part.strip() for part in _SENTENCE_END.split(own_words))
    return [each for each in sentences if each and is_statement(each, claims=claims)]


def is_statement(sentence: str, *, claims: Callable[[str], bool] | None = None) -> bool:
    """Tell whether a sentence states something, as far as rules can tell."""
    if opener := _OPENER.match(sentence):
        return is_statement(sentence[opener.end() :], claims=claims)
    if requests(sentence) or _SMALL_TALK.match(sentence):
        return False
    if claims is not None and claims(sentence):
        return True
    if len(_IDEOGRAPH.findall(sentence)) >= _FEWEST_IDEOGRAPHS:
        return True
    return len(re.findall(r"\w+", sentence)) >= _FEWEST_WORDS or Update(sentence).is_fact


def is_small_talk(sentence: str) -> bool:
    """Tell whether a sentence greets, thanks or agrees, and says no more."""
    if opener := _OPENER.match(sentence):
        return is_small_talk(sentence[opener.end() :])
    return bool(_SMALL_TALK.match(sentence))


def requests(sentence: str) -> bool:
    """Tell whether a sentence asks, with a question mark or without, or wants something done."""
    asked = _QUESTION.search(sentence) or _REQUEST.match(sentence)
    return bool(asked) or is_imperative(sentence)
