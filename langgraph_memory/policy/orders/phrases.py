"""The plain forms of orders to memory, English and Chinese.

All are read from the start of a sentence, in time that grows with its length alone.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE
_S = re.IGNORECASE | re.DOTALL

_POLITE = r"^\s*(?:please[,\s]+|could you please\s+|can you please\s+)?"
_WISH = (
    r"^\s*(?:i(?:['’]d| would) like you to|i (?:want|need) you to|(?:can|could|would) you"
    r"(?: please| kindly)?)\s+"
)
"""Before an order that "that" or a subject makes plain: "Can you remember that …"."""

_YOU_KNOW = r"(?:that\s+)?you\s+(?:know|have|remember|stored|kept|saved)\s+(?:about|on|of)\s+"
_KNOWN = (
    r"(?:forget\s+(?:everything|anything|all|whatever|what)\s+(?:about\s+|" + _YOU_KNOW + r")"
    r"|(?:delete|erase|remove)\s+(?:everything|anything|all|whatever|what)\s+" + _YOU_KNOW + r"|"
    r"(?:forget|delete|erase|remove)\s+(?:all\s+)?(?:memories|records)\s+(?:about|of|on)\s+)"
)
_THAT = r"\s+that\b(?!\s*[,;.!—–-]+(?:\s|$))\s*"

REMEMBER = (
    re.compile(
        _POLITE + r"(?:remember|note|keep in mind|don['’]?t forget|do not forget)"
        r"(?:\s+(?:this|that|the following|to self)\s*[:：]\s*|" + _THAT + r"|\s*[:：,，]\s*|\s+"
        r"(?!(?:when|how|what|who|whom|whose|which|where|why|whether|if|me|us)\b))(.+)$",
        _S,
    ),
    re.compile(_WISH + r"(?:remember|note|keep in mind)" + _THAT + r"(.+)$", _S),
    re.compile(
        r"^\s*(?:请|麻烦)?你?(?:帮我|帮忙|给我|替我)?(?:记住|记得(?!关于我)|记下(?:来(?=[:：,，\s我]))?"
        r"|记一下|记着(?=[:：,，\s])|别忘了|别忘记|不要忘记)[:：,，\s]*(.+)$",
        re.DOTALL,
    ),
)
FORGET = (
    re.compile(_WISH + r"forget(?:\s+that|\s+about)?\s+((?:my|i)\b.+)$", _S),
    re.compile(rf"(?:{_POLITE}|{_WISH}){_KNOWN}(.+)$", _S),
    re.compile(r"^\s*请?你?(?:帮我)?(?:把)?(?P<what>[^，。]{1,60}?)(?:忘了|忘掉)吧[。.!！\s]*$"),
    re.compile(
        r"^\s*请?你?(?:帮我)?忘了(?!带|拿|买|说|做|把|要"
        r"|去)(?P<what>[^，。]{1,60}?)吧[。.!！\s]*$"
    ),
    re.compile(
        r"^\s*请?你?(?:帮我)?忘了(?!带|拿|买|说|做|把|要|去|告诉|关|锁|问|写|发(?!布)|给|吃|喝|和|跟|在|是|怎么|什么|谁"
        r"|时间|密码|钥匙|手机|钱包|账号|帐号|口令|验证码|作业|我(?:是|把|在|要|想|会|说|还|怎么))"
        r"(?P<what>[^，。,？?]{1,60}?)(?<!了)[。.!！\s]*$"
    ),
    re.compile(
        _POLITE + r"forget(?:" + _THAT + r"|\s+(?:all\s+)?about\b\s*|\s*[:：]\s*|\s+)(.+)$", _S
    ),
    re.compile(
        _POLITE + r"(?:delete|erase|wipe|remove|clear)\s+((?:everything|all|anything)\b"
        r"(?:\s+(?:that\s+)?(?:you|i)\b[^.!?]{0,60})?(?:\s+about\s+me)[\s.!]*)$",
        _S,
    ),
    re.compile(  # 忘记带钥匙了, "forgot the keys", tells of the past
        r"^\s*请?你?(?:帮我)?(?:忘记|忘掉|删除)[:：,，\s]*(.+?)(?<![了。.!！\s])[。.!！\s]*$",
        re.DOTALL,
    ),
    re.compile(  # a place that is not memory is another deed: 把它从日历里删掉
        r"^\s*(?:请|麻烦)?你?(?:帮我|帮忙)?把([^从在里上中，。,]{1,40}?)(?:删掉|删除|忘掉|忘记)(?:吧)?[。.!！\s]*$"
    ),
    re.compile(  # 把钥匙忘了, "forgot the keys", tells of the past; with a please it is an order
        r"^\s*(?:请|麻烦|帮我|帮忙)你?(?:帮我)?把([^从在里上中，。,]{1,40}?)(?:删了|忘了)(?:吧)?[。.!！\s]*$"
    ),
)

_MEMORY = r"(?:your|the)\s++memor(?:y|ies)"
_WRONG = r"(?:not\s++(?:true|right|correct)|wrong|incorrect|outdated|out of date)"

CORRECT_TO = (
    re.compile(_POLITE + r"correct\s++(?P<about>[^\n:：]{1,200}?)\s++to\s++(?P<new>.+)$", _S),
    re.compile(
        _POLITE + r"(?:correct|update|change|fix)\s++(?:" + _MEMORY + r"\s++(?:of|about)"
        r"|what\s++you\s++(?:know|remember|have)\s++about)\s++(?P<about>[^\n:：]{1,200}?)"
        r"(?:\s*+[:：]|\s++to\s)\s*+(?P<new>.+)$",
        _S,
    ),
    re.compile(
        _POLITE
        + r"correct\s++(?P<about>[0-9A-Za-z_-]{3,80}|[\"“][^\"”\n]{1,200}[\"”])\s*+[:：]\s*+"
        r"(?P<new>.+)$",
        _S,
    ),
    re.compile(
        r"^\s*+请?你?(?:帮我)?(?:把|将)(?:记忆|你的记忆|记录)(?:里|中)?的(?P<about>[^\n]{1,200}?)"
        r"(?:[修更]改[成为]|改成|改为|更正为|更新为)(?P<new>.+)$",
        re.DOTALL,
    ),
    re.compile(
        r"^\s*+请?你?(?:帮我)?(?:更正|纠正)(?P<about>[^\n:：,，]{1,200}?)(?:为|成)(?P<new>.+)$",
        re.DOTALL,
    ),
)
"""Which memory, and what it shall say."""

CHANGE_TO = re.compile(
    r"^\s*+请?你?(?:帮我)?(?:把|将)(?!.{0,12}(?:[这那它]|代码|函数|文章|文字|文本|文件|句子|段落|翻译|语气|格式"
    r"|字体|颜色|背景|灯|音量|变量|按钮|图片|照片|表格|网页|程序|脚本|作文|故事|诗))"
    r"(?P<about>[^\n，。,]{1,60}?)(?:[修更]改[成为]|改成|改为|更正为|更正成|更新为|更新成|纠正为|修正为)"
    r"(?P<new>(?!.{0,3}(?:英文|中文|日文|法文|德文|英语|中文|大写|小写|粗体|斜体)).+)$",
    re.DOTALL,
)
"""The same of a thing that is named, and is no text or device in hand."""

CORRECT = (
    re.compile(
        _POLITE + r"(?:correction|correct\s++(?:this|that|it|yourself)"
        r"|(?:update|correct|fix)\s++" + _MEMORY + r")\s*+[:：,—–-]\s*+(.+)$",
        _S,
    ),
    re.compile(
        r"^\s*+(?:no[,.]?\s++)?(?:that(?:['’]s| is)|you(?:['’]re| are)|your memory is)\s++"
        + _WRONG
        + r"\s*+(?:now\s*+)?[:：,;.!—–-]+\s*+(.+)$",
        _S,
    ),
    re.compile(
        r"^\s*+不对[,，。！!:：\s]+(?!这|那|它|你|他|她|不|应该|该|再|我不|我的意思|我是说|我说|我想|重|怎|为|"
        r"为什么|还|都|没|请)(.{1,60}?(?:是|在|为|有|叫|住|到|改|要|等于).{1,200})$"
    ),
    re.compile(
        r"^\s*+请?(?:更正|纠正|更正一下|纠正一下|你记错了|记错了|这是错的|那是错的)[:：,，。\s]+(.+)$",
        re.DOTALL,
    ),
)
"""What is so instead; which memory was meant, its words must tell."""

DENIES = re.compile(
    r"\s*+(?:no[,.]?\s++)?(?:that(?:['’]s| is)|you(?:['’]re| are)|your memory is)\s++"
    + _WRONG
    + r"(?:\s++now)?\s*+[.!]+|\s*+(?:更正|纠正|更正一下|纠正一下|你记错了|记错了|这是错的"
    r"|那是错的|不对)\s*+[。.!！]+",
    _I,
)
"""A sentence that only says that something is wrong: what is right comes in the next."""

FROM = re.compile(r"\s+from\s+\S.*$", _S)
"""What a correction says of the old value: "the launch date from Friday"."""

GOES = re.compile(
    r"\b(?:flight|trip|train|bus|ferry|boat|ride|journey|drive|ticket|visit|move|transfer|road"
    r"|route|way|walk|commute|key|door|link|invitation|access|letter|reply|transport|tour)s?\s*$",
    _I,
)
TO_WHERE = re.compile(r"(?P<where>[^\s,]+(?:\s[^\s,]+){0,3}?)\s+to\s+(?P<new>\S.*)$", _S)
"""What goes somewhere: the first "to" behind it belongs to its name."""

SECOND_ORDER = re.compile(
    r"\b(?:and|then|also)\s++(?:please\s++)?(?:remember|forget|correct|stop)\b"
    r"|(?:并且?|然后|还有)(?:请)?(?:记住|忘记|更正)",
    _I,
)
"""Another order behind the first: what it would take along is not what was corrected."""

ASKED_POLITELY = re.compile(r"^\s*(?:could|can|would) you (?:please|kindly)\b", _I)

VAGUE = re.compile(
    r"^\s*(?:it|that|this|me|us|him|her|them|he|she|they|(?:my|the|this|that|your|our)\s+"
    r"(?:code|text|grammar|spelling|sentence|essay|answer|translation|typo|mistake|error|bug)s?)\b"
    r"|^\W*$",
    _I,
)
"""What names no memory: a pronoun, or a text that somebody wants to have corrected."""

CODE = re.compile(r"\s*(?:my|the|this|that|your|our)\s+code\s*", _I)
NUMBER = re.compile(r"\W{0,3}\w*\d[\w.,:/-]*\W{0,3}")
"""A code that is corrected to a number is no program text."""

_KEEPING = r"(?:remember|memori[sz]e|retain)"
_STORING = r"(?:save|store|keep|record|log|track)"
_NOT = r"(?:don['’]?t|do\s++not|never)\s++"
_ABOUT = (
    r"\s++(?:(?:any\s++)?(?:anything|things?|everything|stuff|information|info|data|details?|facts?"
    r"|notes?|records?)\s++)?"
    r"(?:about|on|regarding|related\s++to)\s++(.+)"
)
_LATER = r"(?:\s++(?:from\s++now\s++on|any\s?more|please))*"
_THIS = r"(?:this|our|the)\s++(?:conversation|chat|thread|session|talk)"
_SAID = r"what\s++i\s++(?:just\s++)?(?:say|said|tell\s++you|told\s++you|write|wrote|type)"
_STORED = (
    r"\b(?:" + _ABOUT + r"|\s++(?:anything|" + _SAID + r"|(?:any\s++of\s++)?" + _THIS + r")"
    + _LATER + r"[\s.!]*+)$"
)  # fmt: skip
"""Files are stored, too: only what is said, or a subject, is taken for an order to memory."""

_TOPIC = (
    r"\b\s++(?:(?:any|all)\s++(?:of\s++)?)?((?:my|our|his|her|their)\s++[\w'’-]++(?:\s++[\w'’-]++){0,4}?)"
    + _LATER
    + r"[\s.!]*+$"
)
"""What is somebody's own, and nothing else, behind a verb that is used of files, too."""

STOP_TOPIC = (
    re.compile(
        _POLITE + r"stop\s++(?:storing|recording|saving|keeping|tracking|logging)" + _TOPIC, _S
    ),
    re.compile(_POLITE + _NOT + r"(?:save|store|keep|record|log|track)" + _TOPIC, _S),
)
"""The same, if what is named is no file, page or the like."""

STOP = (
    re.compile(
        _POLITE + r"stop\s++(?:remembering|memori[sz]ing|retaining)\b"
        r"(?:" + _ABOUT + r"|\s++(?!about\b)(.+))?$",
        _S,
    ),
    re.compile(
        _POLITE + r"stop\s++(?:storing|recording|saving|keeping|tracking|logging)" + _STORED, _S
    ),
    re.compile(
        _POLITE
        + _NOT
        + _KEEPING
        + r"\b(?:"
        + _ABOUT
        + r"|\s++(?!(?:where|when|how|who|whose|why|which|if|whether)\b"
        r"|what\b(?!\s++i\s++(?:just\s++)?(?:say|said|tell|told)\b))"
        r"(.+))?$",
        _S,
    ),
    re.compile(_POLITE + _NOT + _STORING + _STORED, _S),
    re.compile(_POLITE + _NOT + r"(?:store|keep|record|log)\s++(this|that)" + _LATER + "$", _S),
    re.compile(
        _POLITE + _NOT + _STORING + r"\s++((?:this|that|it|the\s++following)\s*+[:：—–-]\s*+\S.*)$",
        _S,
    ),
    re.compile(
        r"^\s*+请?你?(?:以后|从现在起)?(?:不要|别|请勿|停止|不许)再?(?:继续)?"
        r"(?:记住|记录|记忆|保存|储存|记(?![得错]))(?:任何)?(?:关于|有关)?(.*)$",
        re.DOTALL,
    ),
)

THIS_STATEMENT = re.compile(
    r"(?:this|that|it|the\s+following|这|这个|这件事|这些|das|dies(?:es)?|folgendes|[cç]a|ceci|cela"
    r"|esto|eso|questo|ci[oò]|isto|isso|dit|to|это|bunu|これ|이것)\s*+[:：,，—–-]+\s*+(?P<said>\S.*)"
    r"|(?:that|dass|que|che|dat|[zż]e|что|:|：)\s*+(?=(?:i|we|he|she|they|it|you|my|our|his|her|their"
    r"|the|there|ich|wir|mein\w*|je|j['’]|nous|mon|ma|mes|yo|tengo|soy|estoy|mi|ho|sono|io|eu|tenho"
    r"|sou|meu|minha|ik|mijn|mam|jestem|m[oó]j\w*|я|у|мо[йяёе])\b)(?P<said_so>\S.*)",
    _S,
)
STATES_ITSELF = re.compile(
    r"(?:i|we|he|she|they)(?:['’](?:m|re|s|ve|d)\b|\s+(?!say|said|tell|told|write|wrote|type|mention)"
    r"\w)|(?:my|our|his|her|the)\s+(?:[\w'’-]+\s+){1,3}(?:is|are|was|were|has|have|had)\b"
    r"|(?:ich|wir)\s+\w|j['’]\w|(?:je|nous)\s+\w|(?:yo\s|tengo|soy|estoy|ho|io\s|eu\s|tenho|sou"
    r"|estou|ik\s|mam|jestem|у меня|я\s)\b|(?:mein\w*|mon|ma|mi|il mio|la mia|meu|minha|mijn)\s+"
    r"(?:\S+\s+){1,3}(?:ist|sind|war|hat|est|sont|es|tiene|[eè]|ha|tem|is|heeft)\b"
    r"|我(?:有|是|患|得了|得的|叫|住|在|今年|喜欢|讨厌|被)|我的[^，。]{1,20}(?:是|有|在)"
    r"|私は|저는|나는|मैं\s|मुझे\s",
    _S,
)
"""What is not to be known, in the place of a subject."""

BEYOND_SUBJECT = re.compile(
    r"\s*[:：;；\n]|[.!?。！？](?:\s|(?<=[。！？]))|\s[—–-]\s|\s*\(|\s+(?=\S*\d{4})"
    r"|\s*[,，]\s*(?=(?:i|we|he|she|they|it|my|our|because|since|as|ich|wir|weil|je|j['’]|yo|io|eu|ik"
    r"|ja|я|tengo|soy|ho|sono|tenho|sou|mam|jestem)\b|['’]|我|因为)",
    _I,
)
"""What follows a subject that was named: a statement, or data."""

SUBJECT_END = re.compile(r"(?:的事情|的事|的内容|的信息)$")
LONGEST_SUBJECT = 300

CONVERSATION = re.compile(
    r"(?:(?:this|that|it|me|anything|everything|things?|all)?"
    r"(?:\s?(?:in|from|of)?\s?" + _THIS + r")?"
    r"(?:\s?" + _SAID + r")?" + _LATER
    + r"|任何(?:事|东西|内容)?|(?:这|本)(?:次|个)?(?:对话|聊天|谈话)?|我说的(?:话)?)",
    _I,
)  # fmt: skip
"""The subject of an order to stop that means the conversation, whatever is said in it."""

RESUME = re.compile(
    _POLITE + r"(?:(?:you\s+(?:may|can)\s+)?(?:start\s+|begin\s+to\s+)?remember(?:ing)?\s+"
    r"(?:things\s+|everything\s+|me\s+)?again|(?:resume|start)\s+remembering)\W*$"
    r"|^\s*(?:你?可以|请)?(?:重新|继续|再)(?:开始)?(?:记住|记忆|记录|记)(?:了|吧)?\W*$",
    _I,
)

LIST = re.compile(
    r"^\s*(?:what do you (?:know|remember) about me|what have you (?:remembered|stored) about me"
    r"|(?:please\s+)?(?:list|show)(?:\s+me)?(?:\s+all)?(?:\s+of)?\s+my\s+memories"
    r"|(?:please\s+)?(?:list|show me|tell me)\s+(?:everything|all|what)(?:\s+that)?\s+you\s+"
    r"(?:know|remember|have stored)(?:\s+about\s+me)?"
    r"|what(?:['’]s| is) (?:in your memory|stored|on record) about me"
    r"|你(?:都)?(?:记得|知道|了解)(?:关于)?我的?(?:些|哪些)?(?:什么|事情?|信息)|你知道我什么"
    r"|你对我(?:都)?(?:了解|知道|记得|有)(?:多少|什么|哪些|些什么|什么了解|哪些了解|什么记忆|哪些记忆)"
    r"|(?:关于|有关)我[，,]?你(?:都)?(?:知道|记得|了解|记住)(?:了|些)*(?:什么|多少|哪些)"
    r"|你(?:都)?(?:知道|记得|了解)(?:关于|有关)我的?(?:些|哪些)?(?:什么|多少|事)"
    r"|你了解我什么|你记得我什么|你都?记住?了我?(?:什么|哪些)"
    r"|请?(?:列出|告诉我)(?:所有)?你(?:都)?记(?:住|得)(?:了)?的(?:所有)?(?:内容|东西|事情))\W*$",
    _I,
)
# What names nothing: "remember that for me", or "forget it, I'll walk", which is talk.
NOTHING = re.compile(
    r"^(?:(?:it|this|that|me|us|everything|all|it all|all of (?:it|this|that))\b"
    r"(?:\s+(?:down|please|for (?:me|later|now)))?(?:\s*[,;.!—–-]+\s.*)?)?\W*$"
    r"|^(?:down|to self|please|for (?:me|later|now))\W*$"
    r"|^(?:它|这|那|这个|那个|这件事|那件事|这一点|一切|所有|全部|我)?(?:吧|了)?\W*$",
    _S,
)
WISH = re.compile(_WISH, _I)
ASKS = re.compile(r"(?:[?？]|[吗呢][。.!！]?)\s*$")
