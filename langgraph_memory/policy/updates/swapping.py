"""Of what there is one at a time, although no noun names it.

What somebody prefers, drives or studies, and by what means a thing is done. Most of it needs a
word of change ("now", "these days", "instead"): who drives a Tesla may own a Volvo, too. A
preference needs none, but two values of one kind: tea and coffee, not tea and short answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from langgraph_memory.policy.language.hard_parts import Name, hard_parts
from langgraph_memory.policy.updates.attributes import plain, words
from langgraph_memory.text.scripts import clean
from langgraph_memory.text.stems import stem

# One line, one kind of thing.
_KINDS = """
tea coffee water juice beer wine cola milk mate cocoa espresso
email mail phone text sms chat slack teams telegram whatsapp signal fax letter post discord push
train bus car bike bicycle plane tram metro subway ferry foot flight truck van ship scooter taxi
light dark
window aisle
short long brief detailed concise
formal informal casual
morning afternoon evening night
hot cold
tabs spaces
metric imperial
cash card transfer invoice cheque check paypal
vim emacs vscode helix nano neovim pycharm intellij
python java rust golang javascript typescript ruby kotlin scala
chrome firefox safari edge brave
windows linux macos
meat fish
sweet savoury savory salty
beach mountains
city countryside
monthly weekly daily yearly quarterly
remote onsite
written spoken
red blue green yellow black white orange purple pink brown grey gray
"""
_KINDS_HAN = (
    "茶 咖啡 水 果汁 啤酒 红酒 可乐 牛奶 绿茶 红茶",
    "邮件 电子邮件 电话 短信 微信 钉钉 飞书 传真 信件",
    "火车 高铁 飞机 汽车 公交 公交车 地铁 自行车 出租车 开车 骑车 步行",
    "深色模式 浅色模式",
    "靠窗 靠过道",
    "现金 刷卡 支付宝 微信支付 信用卡 银行转账",
    "简短的回答 详细的回答 长回答 短回答",
    "甜食 咸食",
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_GROUPS = tuple(frozenset(map(stem, line.split())) for line in _KINDS.strip().splitlines())
_GROUPS_HAN = tuple(frozenset(line.split()) for line in _KINDS_HAN)

_CHANGE = re.compile(
    r"\b(?:now|these days|nowadays|from now on|from here on|instead|currently|any ?more)\b"
    r"|现在|如今|目前|改|从今",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:also|too|as well|another|second|sometimes|occasionally|either|both|besides|mostly|partly"
    r"|often|or)\b|也|还|有时|偶尔",
    re.IGNORECASE,
)
_WHO = r"(?P<s>[Ii]|[Ww]e|[Tt]hey|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?|(?:[Mm]y|[Oo]ur) [a-z-]+)"
_PREFERS = re.compile(
    rf"^{_WHO} (?:(?:would|'d) )?prefers? (?P<v>.+?)(?: (?:to|over|rather than) .+)?$"
)
_BE = r"(?:am |is |are )?"
_HABITS = tuple(
    re.compile(rf"^{_WHO} (?P<what>{verb}) (?P<v>{value})$")
    for verb, value in (
        (rf"{_BE}(?:drive|ride|driving|riding)s?", r"(?:an? |the |my )?\S+(?: \S+){0,3}"),
        (rf"{_BE}(?:study|studie|studying|major|majoring)s?(?: in)?", r"\S+(?: \S+){0,2}"),
        (rf"{_BE}(?:bank(?:ing|s)?|insured|signed up) with", r"[A-Z]\S*(?: \S+){0,2}"),
        (
            r"(?:commut(?:e|es|ing)|travels?|gets?|goe?s?)(?: to (?:work|school|the office))? by",
            r"\S+(?: \S+)?",
        ),
    )
)
_TAKES = re.compile(rf"^{_WHO} takes? (?P<v>.+)$")
_BY = r"(?P<how>by|via|through|with|using|over|in) (?P<v>\S+(?: \S+){0,2})"
_MEANS = (
    re.compile(rf"^(?P<s>[^,]+?) (?:is|are|gets?) (?P<what>[a-z]+) {_BY}$"),
    re.compile(rf"^{_WHO} (?P<what>(?!am\b|is\b|are\b)[a-z]+ [\w' -]+?) {_BY}$"),
)
_NO_OBJECT = re.compile(r"ly$|\b(?:at|in|on|for|to|with|from|when|by|during|because|if)\b")
_OBJECT = re.compile(r"^(?:an? |the |my |[A-Z])")
_PREFERS_HAN = re.compile(
    r"^(?P<s>我们|我|[\u4e00-\u9fff]{2,3}?)(?:现在|目前|其实|还是|一直)*(?:更喜欢|比较喜欢|更爱|偏好|偏爱)"
    r"(?:喝|吃|坐|用|乘)?(?P<v>[^，。,!！]+?)了?[。.!！]?$"
)
_HABIT_HAN = re.compile(
    r"^(?P<s>我们|我|[\u4e00-\u9fff]{2,3}?)(?:现在|如今|目前|改)*(?P<what>开|骑)的?(?:是|着)?"
    r"(?![始会心门放车去到])(?P<v>[^，。,!！]{2,8}?)了?[。.!！]?$"
)
_MEANS_HAN = re.compile(
    r"^(?P<s>[\u4e00-\u9fff]{2,10}?)(?:现在|如今|目前|都|改)*(?:通过|用|经由|以)"
    r"(?P<v>[^，。,!！]{1,8}?)(?P<what>发送|发|支付|付款|提交|处理|通知|寄|运输|运送)了?[。.!！]?$"
)
_AT_TIMES_HAN = re.compile("早上|晚上|中午|下午|周末|平时|的时候")


class Swap:
    """A clause, read once, to be held against what was said before."""

    def __init__(self, clause: str) -> None:
        self._han = bool(_HAN.search(clause))
        self._found = [] if _BESIDE.search(clause) else list(self._readings(clause))

    def replaces(self, old: str) -> bool:
        """Tell whether it gives something else than the old statement does."""
        if not self._found or _BESIDE.search(old):
            return False
        known = clean(old) if self._han else plain(old)
        return any(_other(reading, here, known) for reading, here in self._found)

    def _readings(self, clause: str) -> Iterator[tuple[_Reading, re.Match[str]]]:
        said = clean(clause) if self._han else plain(clause)
        for reading in _READINGS_HAN if self._han else _READINGS:
            if reading.alone or _CHANGE.search(clause):
                here = reading.shape.match(said)
                if here:
                    yield reading, here


def prefers(clause: str) -> bool:
    """Tell whether a clause says what somebody prefers."""
    said = plain(clause)
    return bool(_PREFERS.match(said) or _PREFERS_HAN.match(said))


class _Reading(NamedTuple):
    """A shape, whether two of its values are at odds, and whether that takes a word of change."""

    shape: re.Pattern[str]
    differ: Callable[[re.Match[str], re.Match[str]], bool]
    alone: bool = False


def _other(reading: _Reading, here: re.Match[str], old: str) -> bool:
    there = reading.shape.match(old)
    if there is None:
        return False
    named = [name for name in ("s", "what") if name in reading.shape.groupindex]
    same = all(words(here[name]) == words(there[name]) for name in named)
    return same and reading.differ(here, there)


def _things(here: re.Match[str], there: re.Match[str]) -> bool:
    """Tell whether both are things, and not the same ones."""
    pair = (here["v"], there["v"])
    if any(_NO_OBJECT.search(each) for each in pair):
        return False
    return all(_OBJECT.match(each) or " " not in each for each in pair) and _differ(*pair)


def _means(here: re.Match[str], there: re.Match[str]) -> bool:
    new, old = here["v"], there["v"]
    if (here["how"] == "in") != (there["how"] == "in"):
        return False
    if any(not isinstance(each.part, Name) for text in (new, old) for each in hard_parts(text)):
        return False
    alike = new[:1].isupper() == old[:1].isupper()
    return _differ(new, old) and (alike or _of_one_kind(here, there))


def _of_one_kind(here: re.Match[str], there: re.Match[str]) -> bool:
    """Tell whether two values are the same but for one word, of one kind in both."""
    one, other = words(here["v"]), words(there["v"])
    mine, theirs = one - other, other - one
    if len(mine) != 1 or len(theirs) != 1:
        return False
    return any(mine | theirs <= group for group in _GROUPS)


def _of_one_kind_han(here: re.Match[str], there: re.Match[str]) -> bool:
    pair = {here["v"], there["v"]}
    return len(pair) > 1 and any(pair <= group for group in _GROUPS_HAN)


def _things_han(here: re.Match[str], there: re.Match[str]) -> bool:
    if _AT_TIMES_HAN.search(here[0]) or _AT_TIMES_HAN.search(there[0]):
        return False
    return here["v"] not in there["v"] and there["v"] not in here["v"]


def _differ(new: str, old: str) -> bool:
    one, other = words(new), words(old)
    return not (one <= other or other <= one)


_READINGS = (
    _Reading(_PREFERS, _of_one_kind, alone=True),
    *(_Reading(each, _things) for each in _HABITS),
    *(_Reading(each, _means) for each in _MEANS),
    _Reading(_TAKES, _of_one_kind),
)
_READINGS_HAN = (
    _Reading(_PREFERS_HAN, _of_one_kind_han, alone=True),
    _Reading(_HABIT_HAN, _things_han),
    _Reading(_MEANS_HAN, _things_han),
)
