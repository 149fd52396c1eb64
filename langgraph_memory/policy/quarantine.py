"""What comes from outside and reads like an order to its reader is set aside unread.

Rules in eleven languages, each a deed with what only a model has or does
(``policy.planted``): narrow ones, for documents are full of "must". They are a net and no proof:
what passes is still quoted evidence that replaces nothing of more trust. People are not
examined: "Ignore the earlier deadline" and "Always use HTTPS" are what a user may say.
"""

from __future__ import annotations

import re
import unicodedata

from langgraph_memory.domain.provenance import Provenance
from langgraph_memory.policy.planted.english import ENGLISH
from langgraph_memory.policy.planted.languages import LANGUAGES
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
from langgraph_memory.policy.planted.veiled import unveiled
from langgraph_memory.policy.trust import UNTRUSTED


def suspicion(content: str, papers: Provenance) -> str:
    """Return why a statement is to be quarantined, empty if it is not."""
    if papers.source.kind not in UNTRUSTED:
        return ""
    plain = content if unicodedata.is_normalized("NFKC", content) else _folded(content)
    read = "".join(char for char in plain if unicodedata.category(char) != "Cf")
    bare = _MARKS.sub(" ", read)
    texts = dict.fromkeys((read, bare, bare.replace("\n", " "), *unveiled(read)))
    orders = [*_ORDERS.items()]
    if _OTHER_SCRIPTS.search(read):
        orders += _IN_OTHER_SCRIPTS.items()
    return next((why for why, each in orders if any(map(each.search, texts))), "")


def _folded(content: str) -> str:
    """Return letters of other forms as plain ones; what would grow stays."""
    forms = {char: unicodedata.normalize("NFKC", char) for char in set(content)}
    return content.translate(
        {ord(char): form for char, form in forms.items() if len(form) == 1 and form != char}
    )


_MARKS = re.compile(r"(?:[^\S\n]|[*_`\"'“”‘’«»()\[\]{}<>|•–—,-]|:(?!/))+")
"""What may stand between the words of an order; as one space."""

_OPENS = r"(?:^|[.!?:;,\"'“”()\[\]>*#\n-]|\b(?:please|and|then|now|also|must|should|to))\s{0,4}"
_ADDRESS = r"(?:https?://|ftp://|www\.|[A-Za-z0-9_.+-]{1,64}@[\w-]{1,64}\.)"
_MODEL = r"(?:ai|assistants?|agents?|llms?|language models?|chatbots?)"
_MUCH = (
    r"(?:all|every|each|entire|full|customers?|users?|conversations?|history|files?|data"
    r"|credentials?|passwords?|secrets?|keys?|list|database)"
)
_SEND = r"(?:send|forward|e-?mail|post|upload|transfer|copy|transmit|leak|submit|wire)"

_WORDS: Words = {
    DISREGARD: (
        (_OPENS + r"(?:ignore|disregard|forget|override|bypass|overrule)\s(?:[\w']+\s){0,7}?"
        r"(?:instructions?|prompts?|guidelines|guardrails|system message|safety rules)\b"),
    ),
    KEEP: (
        _OPENS + r"(?:remember|memori[sz]e|store|save)\s(?:\w+\s){0,4}?"
        r"(?:rule|instruction|policy|directive|standing order)s?\b",
        _OPENS + r"(?:remember|store|save|add)\s(?:\w+\s){0,4}?(?:in|to)\syour\s"
        r"(?:long[- ]term\s)?memory\b",
        _OPENS + r"from now on,?\s(?:you|always|never|reply|answer|send|approve)\b",
        r"\bab (?:jetzt|sofort) (?:immer|musst|sollst)\b",
        r"à partir de maintenant,? (?:tu|vous)\b",
        r"\ba partir de ahora,? (?:siempre|nunca|debes)\b",
        r"(?:记住|記住|牢记|保存)(?:以下|下列|这条|這條|这个|下面的?|如下)(?:规则|規則|指令|政策)",
        r"(?:从现在|從現在)(?:开始|開始|起)[，,：: ]?(?:你|请|總是|总是|必须|必須|永远|一律)",
    ),
    MODEL: (
        r"<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|\[/?INST\]|<<SYS>>",
        (r"(?:^|\n)\s{0,4}(?:#{1,4}\s{0,2})?(?:system|developer)\s?"
        r"(?:(?:prompt|message)\s?:|:\s{0,3}(?:you|the user|ignore|always|never|from now|obey)\b)"),
        (r"\b(?:you are|act as|behave as|pretend to be)\s(?:now\s)?(?:an?|the|in)\s(?:\w+\s){0,3}?"
        r"(?:assistant|chatbot|agent|language model|llm|ai|dan|developer mode)\b"),
        r"\b(?:note|attention|message|instructions?|important)\s(?:to|for)\s(?:the\s|any\s|all\s)?"
        + _MODEL + r"\b",
        r"\b" + _MODEL + r"(?:,| (?:must|shall|should))\s"
        r"(?:always|never|now|please|ignore|send|say|reply|remember|approve|execute|run)\b",
        r"你(?:现在)?是(?:一个|一名)?[^。\n]{0,8}(?:助手|人工智能|语言模型|智能体)",
        r"(?:AI|人工智能|助手|智能体)[^。\n]{0,6}(?:必须(?!符合)|应当)",
    ),
    SECRECY: (
        (r"\b(?:do not|don[ '’ʼ]?t|never|without)\s(?:ever\s)?"
        r"(?:tell|mention|reveal|inform|show|ask|notify|warn)(?:ing)?\s(?:\w+\s){0,3}?"
        r"(?:the user|the human|the operator|your user)\b(?!\s(?:guide|manual|interface|id|name))"),
        r"(?:不要|别|不得)(?:告诉|告知|通知|提醒|向)[^。\n]{0,4}(?:用户|使用者)",
    ),
    SEND: (
        _OPENS + _SEND + r"\s(?:[^\n!?]{0,40}?\s)??" + _MUCH
        + r"\s(?:[^\n!?]{0,40}?\s)??(?:to|via|at)\s(?:\w{1,20}\s){0,2}?"
        + _ADDRESS,
        _OPENS + _SEND + r"\s(?:\w+\s){0,3}?invoices?\s(?:[^\n!?]{0,40}?\s)??(?:to|via|at)\s"
        r"(?:https?://|www\.)",
        r"(?:发送到|转发|上传|转给|发给|发到)[^。\n]{0,30}?" + _ADDRESS,
    ),
}  # fmt: skip
"""The plain forms; those by language are beside."""

_REASONS = (DISREGARD, KEEP, MODEL, ROLE, TOOL, SECRECY, SEND)
_OTHER_SCRIPTS = re.compile(r"[\u0400-\u06ff\u3040-\u9fff]")


def _compiled(*, latin: bool) -> dict[str, re.Pattern[str]]:
    """Return by reason what Latin letters, or letters of other scripts, are looked for."""
    found = {}
    for why in _REASONS:
        each = [part for words in (_WORDS, ENGLISH, LANGUAGES) for part in words.get(why, ())]
        chosen = [part for part in each if latin is not bool(_OTHER_SCRIPTS.search(part))]
        if chosen:
            found[why] = re.compile("|".join(chosen), re.IGNORECASE)
    return found


_ORDERS = _compiled(latin=True)
_IN_OTHER_SCRIPTS = _compiled(latin=False)
"""Why a statement is set aside, and by which words it is known."""
