"""What a statement in Chinese says of which attribute of whom; see ``attributes``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.policy.updates.attributes import Attribute

_HAN = re.compile(r"[\u3400-\u9fff]")
_WHO = r"(?P<s>我们全家|我们一家|我们团队|我们|我|咱们|[\u4e00-\u9fff]{2,4}?|[A-Z]\w+)"
_NOW = r"(?:现在|目前|刚刚|刚|已经|最近|上个月|上周|今年|今天|从现在起|现)*"
_LE = r"(?:了|啦)?[。.!！]?$"
_V = r"(?P<v>[^，。,!！]+?)"


def _rule(name: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return name, re.compile(pattern)


_RULES = (
    _rule("employer", rf"^{_WHO}{_NOW}(?:在|于){_V}(?:工作|上班|任职|就职|做[^，。]+?"
                 rf"|当[^，。]+?){_LE}"),
    _rule("employer", rf"^{_WHO}{_NOW}(?:加入|入职|跳槽到|跳槽去|跳到|去)(?:了)?{_V}{_LE}"),
    _rule("home", rf"^{_WHO}{_NOW}(?:住在|居住在|定居在|家在|住){_V}{_LE}"),
    _rule("home", rf"^{_WHO}{_NOW}(?:搬到|搬去|搬家到|搬进|移居到?|迁到)(?:了)?{_V}{_LE}"),
    _rule("owner", rf"^(?P<v>[\u4e00-\u9fff]{{2,4}}?|我|[A-Z]\w+){_NOW}(?:负责|接手|接管|主管"
              rf"|管理)(?:了)?(?P<s>[^，。]+?){_LE}"),
    _rule("owner", rf"^(?P<s>[^，。]+?){_NOW}(?:改由|由|交给"
              rf"|归)(?:了)?(?P<v>[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+)"
              rf"(?:来)?(?:负责|接手|管理|管|接管)?{_LE}"),
)  # fmt: skip
_OWN = re.compile(
    rf"^(?P<p>我|我们|我们的|公司|团队|项目)?的?(?:新|现任"
    rf"|最新)?的?(?P<a>[\u4e00-\u9fffA-Za-z]{{1,10}}?){_NOW}"
    rf"(?:是|叫|为|改成|改为|换成|变成|变为|调整为|调到|涨到|升到|降到|改到|搬到){_V}{_LE}"
)
_NOUNS = re.compile(
    r"(?:[组队班处部科店厂校院]长|负责人|经理|老板|上司|主管|房东|医生|牙医|律师|老师|导师"
    r"|电话|手机号|手机|号码|邮箱|地址|密码|名字|昵称|职位"
    r"|头衔|预算|价格|房租|工资|截止日期|期限|目标|优先级|状态|颜色|语言|编辑器|数据库|框架"
    r"|版本|端口|域名|办公室"
    r"|总部|学校|专业|健身房|车|车牌|会员|套餐|上限|限额|时间|地点)$"
    r"|^最?(?:喜欢|爱)的"
)
_HANDED = re.compile(
    rf"^(?:[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+)?{_NOW}(?:把|将)(?P<s>[^，。]+?)(?:交接给|移交给"
    rf"|交给|转给|转交给)(?:了)?"
    rf"(?P<v>[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+){_LE}"
)
_HOLDS = re.compile(
    rf"^(?P<a>[\u4e00-\u9fff]{{1,8}}?){_NOW}由(?P<v>[\u4e00-\u9fff]{{2,4}}?|[A-Z]\w+)(?:接任"
    rf"|担任|出任|继任){_LE}"
)
_SET = re.compile(
    rf"^(?:[^，。]*?(?:把|将))?(?P<s>[^，。把将]+?)(?:全部|都|已经|刚刚|刚|现在|被|又"
    rf"|从[^，。到]+?)*(?:升级到|升到|涨到|降到|砍到|压到|减到|加到|缩到|提高到"
    rf"|调整到|调到|调成|调整为|改成|改为|改到|迁到|迁移到|换成|换到|更新到|延到|延期到|推迟到"
    rf"|提前到|设为|缩短到|上调到|下调到)(?:了)?{_V}{_LE}"
)
_PARTED = re.compile(
    rf"^{_WHO}(?P<w>(?:和|跟|与)[^，。]+?){_NOW}(?:分手|离婚|绝交|散伙|分开)了?[。.!！]?$"
)
_GIVEN_UP = re.compile(
    rf"^{_WHO}{_NOW}把(?P<o>[^，。]+?)(?:戒|卖|退|停|扔|取消|注销|辞)(?:掉)?了[。.!！]?$"
)
_GONE = re.compile(
    rf"^(?P<o>[^，。]{{2,}}?){_NOW}(?:卖了|卖掉了|丢了|退了|取消了?|下线了?|注销了?|停用了?"
    rf"|废弃了?|没了|去世了|死了|过世了|倒闭了|关门了)[。.!！]?$"
)
_TASTE = re.compile(
    rf"^{_WHO}{_NOW}(?P<verb>不再喜欢|不喜欢|不爱|讨厌|很讨厌|最讨厌|受不了|喜欢|很喜欢|最喜欢"
    rf"|爱|热爱|超爱)(?P<o>[^，。]+?){_LE}"
)
_STATES = (
    (("允许", "可以", "准许", "开放"), ("不允许", "禁止", "不可以", "不准", "不能")),
    (("启用", "开启", "打开", "已启用"), ("禁用", "停用", "关闭", "已禁用")),
    (("单身", "未婚"), ("已婚", "结婚", "结婚了"), ("离婚", "离婚了")),
)
_STATE = re.compile(
    rf"^(?P<s>[^，。]*?){_NOW}(?P<v>不允许|禁止|不可以|不准|不能|允许|可以|准许|启用|开启|打开"
    rf"|禁用|停用|关闭|单身"
    rf"|未婚|已婚|结婚|离婚)(?:了|着)?(?P<w>[^，。]*?){_LE}"
)
_ENDED = re.compile(
    rf"^{_WHO}?{_NOW}(?:不再|戒了|戒掉了?|取消了|退订了|退掉了|卖掉了|卖了|停用了|弃用了"
    rf"|辞去了?|离开了"
    rf"|不用)(?P<o>[^，。]+?){_LE}"
)
_LEAST = 2
_NO_VALUES = {
    "employer": re.compile(
        r"家|晚上|早上|白天|公司里|[会房队群社党班团组部校吧网]$|俱乐部"
        r"|健身|年了?$|个月"
    ),
    "home": re.compile(r"[楼层房室区间栋套]|工位|公寓|酒店|宿舍|单位|办公|隔壁|学校|家里"),
}
"""What people join, live in or move to without a new employer or address."""

_FROM_NOW = re.compile(
    "^(?:从今天起|从现在起|今天起|从今往后|今后|以后|如今|其实|对了|顺便说一下)，?"
)


def han_attributes(clause: str) -> Iterator[Attribute]:
    """Yield what a clause in Chinese states of attributes that have one value at a time."""
    said = _plain(clause)
    if not _HAN.search(said):
        return
    for name, pattern in _RULES:
        if found := pattern.search(said):
            if name in _NO_VALUES and _NO_VALUES[name].search(found["v"]):
                continue
            who = re.sub("全家|一家", "", found["s"]) if name == "home" else found["s"]
            yield Attribute(name, _whole("我" if who == "我们" else who), _whole(found["v"]))
    if found := _HANDED.search(said):
        yield Attribute("owner", _whole(found["s"]), _whole(found["v"]))
    if found := _HOLDS.search(said):
        yield Attribute(f"own: {found['a']}", _whole("我"), _whole(found["v"]))
    if found := _OWN.search(said):
        whose, _, noun = f"{found['p'] or ''}{found['a']}".rpartition("的")
        if _NOUNS.search(noun):
            value = _whole(found["v"])
            yield Attribute(f"own: {noun}", _whole(whose or "我"), value, said=found["v"])
    if found := _TASTE.search(said):
        liked = "no" if re.search("不|讨厌", found["verb"]) else "yes"
        what = re.sub("^(?:吃|喝|看|玩)", "", found["o"])
        yield Attribute(f"taste: {what}", _whole(found["s"]), _whole(liked))
    if found := _STATE.search(said):
        for number, group in enumerate(_STATES):
            sides = [str(side) for side, names in enumerate(group) if found["v"] in names]
            if sides and found["s"] + found["w"]:
                about = _whole(found["s"] + found["w"])
                yield Attribute(f"han state {number}", about, _whole(sides[0]))


def han_ended(clause: str, old: str) -> bool:
    """Tell whether a clause says that what the old statement says has come to its end."""
    if parted := _PARTED.search(_plain(clause)):
        return _plain(old).startswith(parted["s"] + parted["w"])
    gone = _GONE.search(_plain(clause))
    if gone and gone["o"] in _plain(old) and not _GONE.search(_plain(old)):
        return True
    if _denied(_plain(clause), _plain(old)):
        return True
    if (given_up := _GIVEN_UP.search(_plain(clause))) and given_up["o"] in _plain(old):
        return _plain(old).startswith(given_up["s"])
    found = _ENDED.search(_plain(clause))
    if not found or _ENDED.search(_plain(old)):
        return False
    what = re.sub("(?:在|的|了)", "", found["o"])
    there = re.sub("(?:在|的|了)", "", _plain(old))
    about = found["s"] is None or _plain(old).startswith(found["s"])
    return about and len(what) >= _LEAST and what in there


def _denied(new: str, old: str) -> bool:
    """Tell whether one is the other with a "not" in it."""
    one, other = (re.sub(r"[，。！!.]|其实|并|又|再|也|了", "", each) for each in (new, old))
    return (
        one != other
        and re.sub("不|没有|没", "", one, count=1) == re.sub("不|没有|没", "", other) != ""
    )


def han_changed(clause: str, old: str) -> bool:
    """Tell whether a clause sets what the old statement speaks of to something else."""
    found, there = _SET.search(_plain(clause)), _plain(old)
    return bool(
        found
        and len(found["s"]) >= _LEAST
        and found["s"].rstrip("的") in there
        and found["v"] not in there
    )


def _plain(text: str) -> str:
    return _FROM_NOW.sub("", re.sub(r"\s+", "", text)) if _HAN.search(text) else text


def _whole(text: str) -> frozenset[str]:
    return frozenset((text,)) if text else frozenset()
