"""Which sorts of sensitive claims a subject names: "my health" covers what the policy calls health.

Only a subject that is the topic itself does. "My health insurance" is narrower, and is held to
what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOPICS = {
    "health": "health medical illness illnesses sickness disease diseases diagnosis diagnoses"
    " 健康 身体 病情 疾病 病史",
    "faith": "faith religion religions religious creed 信仰 宗教",
    "politics": "politics political vote votes voting 政治 政治立场",
    "sexuality": "sexuality sexual sex 性取向",
    "union": "union unions 工会",
    "convictions": "conviction convictions criminal crime crimes prison 前科 犯罪记录",
}
_BESIDE = (
    "a an the my our me i any anything all everything about of on to own personal private "
    "mental physical general history histories data detail details information info issue "
    "issues problem problems matter matters condition conditions status state life record "
    "records view views belief beliefs opinion opinions affiliation orientation membership "
    "preference preferences past trade labor labour and or"
)
"""What may stand beside the topic's word without making the subject another."""

_WORD = re.compile(r"[^\W\d_]+(?:'s)?")
_BESIDE_HAN = re.compile(r"我的?|关于|有关|任何|一切|的|情况|状况|问题|信息|隐私|和|与|、")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


def sorts_named(subject: str, sorts: Iterable[str]) -> list[str]:
    """Return which of the policy's sorts of claims a subject names; none if it says more."""
    named = [each for each in _words(subject) if each not in _BESIDE.split()]
    words = {sort: {sort, *_TOPICS.get(sort, "").split()} for sort in sorts}
    found = [[sort for sort, known in words.items() if each in known] for each in named]
    return list(dict.fromkeys(sort for each in found for sort in each)) if all(found) else []


def _words(subject: str) -> list[str]:
    folded = _HAN.sub(lambda run: f" {_BESIDE_HAN.sub(' ', run[0])} ", subject.casefold())
    return [each.removesuffix("'s") for each in _WORD.findall(folded.replace("’", "'"))]
