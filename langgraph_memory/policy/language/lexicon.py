"""Word lists behind the comparison of statements; data, no rules.

They are short on purpose: words that people put for one another when they speak of plans,
people and habits. What is not here is left to word overlap and to the embedder.
"""

from __future__ import annotations

from langgraph_memory.text.stems import stem

# One line, one meaning; the first word stands for all.
_SAME = """
like love enjoy favor favour favourite favorite prefer preference fond
own responsible charge owner handle
lead head leader run manage manager
choose pick select decide choice decision settle opt agree
move shift reschedule postpone push change
live reside based
work job employ
price cost
meet meeting
schedule plan
due deadline
supervise supervisor
call name
must have need
request ask
happen place
email e-mail mail
month monthly
year yearly annual
week weekly
day daily
most mostly usual usually
fly flight
wedding married marry
block blocker
write writing
begin start
allergy allergic
"""
_SAME_HAN = {"工作": "上班", "通常": "一般", "管": "负责", "以前": "之前", "喜爱": "喜欢",
             "每月": "月",
             "月度": "月", "每个月": "月", "用的是": "用", "使用": "用", "大约": "约"}  # fmt: skip

# One line, one question that has a single answer.
_RIVALS = """
red blue green yellow black white orange purple pink brown grey gray teal turquoise
morning afternoon evening night
window aisle
brother sister mother father son daughter wife husband uncle aunt cousin \
neighbour neighbor colleague coworker roommate boss
past present future
left right
cat dog rabbit hamster parrot
hot cold
dark light
early late
weekly monthly yearly daily annually quarterly
phone email
north south east west
increase decrease
raise lower
buy rent sell
spring summer autumn winter
approve reject
accept decline
public private
fixed hourly
basic premium
breakfast lunch dinner
vegan carnivore
"""

CANONICAL = {
    stem(word): stem(line.split()[0])
    for line in _SAME.strip().splitlines()
    for word in line.split()
}
CANONICAL_HAN = _SAME_HAN


def _canonical(word: str) -> str:
    return CANONICAL.get(stem(word), stem(word))


RIVALS = tuple(frozenset(map(stem, line.split())) for line in _RIVALS.strip().splitlines())
RIVALS_HAN = tuple(
    frozenset(line.split())
    for line in (
        "哥哥 弟弟 姐姐 妹妹 爸爸 妈妈 儿子 女儿 妻子 丈夫",
        "早上 上午 中午 下午 晚上",
        "猫 狗",
        "窗 过道",
    )
)

# What frames a statement without being part of it.
_FRAME = """
whether
tell told say said mention mentioned note noted remember recall record recorded state stated
share shared thank thanks glad great nice congratulations accord according base basis memory
conversation chat earlier previous previously last time ago moment currently now far ok okay yes
also still actually really well sure got confirm confirmed know user think believe originally
original initially formerly before used go goes went gone get gave give take took per every each
total new recently exactly instead only even both quite fyi hi hello hey correction differ store
stored customer want wanted takes run runs cover covers us he she they will today
"""
FRAME = frozenset(map(stem, _FRAME.split()))
FRAME_HAN = (
    "你告诉过我|你告诉我|你提到过|你提到|你说过|你说|您说过|我记得|根据记录|根据|记录|上次|上周|之前|以前"
    "|原来|本来|现在|目前|已经|用户|我们|你们|他们|你的|我的|你|我|您|他|她|它|的|了|是|在|和|也|都|就|由"
    "|日期|这|那|吗|呢|吧|会|要|到|为|定|而|把|被|个|可以|过(?!敏)|时间|大概|应该|好的|对的|其实|又|所以|因此|那么"
)

# Function words of German, French, Spanish, Italian and Portuguese that English does not have.
_FOREIGN = """
der das und ist nicht ein eine einen für mit auf ihr ihre dein deine sie ich wir haben hat sind
im zum zur wurde beträgt le les des est une vous votre vos pour avec dans sur nous notre el los
las una para con que su sus usted del por il della sono gli per di nel uma você seu sua não do
da em
"""
FOREIGN = frozenset(_FOREIGN.split()) - {"do", "per", "el"}

# Words written with a capital that name nobody.
_NO_NAMES = """
mr mrs ms dr prof professor sir madam i yes no ok okay sure thanks sorry previously note earlier
last since given based according currently originally before today tomorrow yesterday here noted
got great nice congratulations now then also every draft dear hi hello like order plan budget
never always your our my january february march april june july august september october
november december monday tuesday wednesday thursday friday saturday sunday most many people both
just recently
"""
NO_NAMES = frozenset(_NO_NAMES.split())

SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙朱马胡郭林何梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁董余苏叶吕魏蒋田杜丁沈姜范"
    "傅钟卢汪戴崔廖姚邱夏谭贾邹熊孟秦阎薛侯雷龙郝孔邵史毛顾赖武贺严尹钱施洪龚"
)

# For contradictions: words of change, which belong to no subject.
_NEUTRAL = """
move raise increase lower set slip update change begin start schedule place new due cover
currently overall altogether today late average renew
"""
NEUTRAL = frozenset(map(_canonical, _NEUTRAL.split())) | frozenset("改推迟提前今")

# Verbs and nouns of which a person or a thing has one.
FUNCTIONS = frozenset(map(_canonical, ("own", "lead", "live", "supervise", "name")))

# Rivals of which a preference or a property has one.
VALUES = tuple(
    frozenset(map(stem, line.split()))
    for line in _RIVALS.strip().splitlines()
    if line.split()[0] in ("red", "window", "dark", "weekly", "public", "fixed")
)
