"""A statement in Chinese, rewritten to one of the ways in which it may be said.

See ``paraphrase``. Only turns that keep what is said whatever stands in them.
"""

from __future__ import annotations

import re

from langgraph_memory.policy.paraphrases.values import marked

_NO_STATEMENT = re.compile(
    r"[?？“”「」『』\"⟦⟧|]|[吗呢吧]|什么|多少|哪|谁|几点|请|记住|今天|明天|昨天|后天|前天|今年|明年"
    r"|去年|上周|下周|本周|上个?月|下个?月|这个?月|刚才|刚刚|最近|马上|他|她|它|这|那|又|再|了|过(?!敏)"
)
"""Questions and orders; what means another day or person each time; what happened."""

_WORDS = (
    ("上班", "工作"), ("小孩", "孩子"), ("妈妈", "母亲"), ("爸爸", "父亲"), ("太太", "妻子"),
    ("老婆", "妻子"), ("老公", "丈夫"), ("电子邮件", "邮箱"),
    ("手机号码", "手机号"), ("爷爷", "祖父"), ("奶奶", "祖母"),
)  # fmt: skip
_NOT = re.compile("[不没未无]|(?<!特)别|非(?!常)")
_TURNS = (
    (re.compile(r"[\s。.!！]+"), ""),
    (re.compile("我的(?=母亲|父亲|妻子|丈夫|孩子|女儿|儿子|哥哥|弟弟|姐姐|妹妹|祖父|祖母)"), "我"),
    (re.compile("^我(?:名叫|的名字叫|的名字是)"), "我叫"),
    (re.compile("(?<=[算租资价费])为(?=⟦)"), "是"),
    (re.compile("^((?:每天|每周|每月|每年)(?:早上|上午|中午|下午|晚上)?)，?我(?!们)"), r"我\1"),
    (re.compile("^我([\u4e00-\u9fff]{1,4})过敏$"), r"我对\1过敏"),
    (re.compile("^我对对"), "我对"),
    (re.compile("^我的?最喜欢的"), "我最喜欢的"),
)
_FEW = re.compile("(?<![\u4e00-\u9fff])[两三四五六七八九](?=个)|(?<=有)[两三四五六七八九](?=个)")
_FILLERS = re.compile("现在|目前")
_VERY = re.compile("^(我)(?:很|非常|特别|十分)(?=喜欢)")
_IS = re.compile("^(?P<one>[^是，]{1,16})是(?P<other>[^是，]{1,16})$")
_OWNED = re.compile("^我(?:的|最喜欢的)")
_NO_SIDE = re.compile("[不没都也只和或及]|一个|一名|一位")


def han_form(said: str) -> frozenset[str]:
    """Return the form of a clean text; none where it cannot be compared."""
    if _NO_STATEMENT.search(said):
        return frozenset()
    form = _FEW.sub(lambda each: f"⟦{'〇一两三四五六七八九'.index(each[0])}|⟧", marked(said))
    for word, instead in _WORDS:
        form = form.replace(word, instead)
    if not _NOT.search(form):
        form = _VERY.sub(r"\1", _FILLERS.sub("", form))
    for pattern, instead in _TURNS:
        form = pattern.sub(instead, form)
    if found := _IS.search(form):
        sides = (found["one"], found["other"])
        if not any(map(_NO_SIDE.search, sides)) and any(map(_OWNED.search, sides)):
            form = "是".join(sorted(sides))
    return frozenset((form,))


_VARYING = (
    "零〇一二两三四五六七八九十百千万亿年月日号点半上下午早晚中元块钱美个岁只现在目前很非常特别分"
)
CHANGED_HAN = frozenset(
    char
    for text in (_VARYING, *map("".join, _WORDS), *(each.pattern for each, _ in _TURNS))
    for char in text
)
"""Characters that may be others, or none, in a statement that says the same."""
