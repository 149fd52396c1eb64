"""What stands beside an order: thanks and greetings, questions, requests for something else."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_THANKS = (
    r"thanks?(?: you)?|thx|ty|cheers|much appreciated|(?:i )?appreciate it|danke|dankesch[oö]n"
    r"|vielen dank|merci|gracias|muchas gracias|grazie|mille grazie|obrigad[oa]|dank je(?: wel)?"
    r"|dank u(?: wel)?|bedankt|dzi[eę]ki|dzi[eę]kuj[eę]|спасибо|благодарю|te[sş]ekk[uü]rler"
    r"|te[sş]ekk[uü]r ederim|sa[gğ] ?ol|شكرا|شكراً|धन्यवाद|शुक्रिया|谢谢[你您]?|多谢|感谢|麻烦你?了"
    r"|辛苦了"
    r"|ありがとう(?:ございます)?|감사합니다|고마워요?"
)
_GREETING = (
    r"hi|hello|hey|how are you(?: (?:doing|today))*|how['’]s it going|what['’]s up"
    r"|good (?:morning|evening|afternoon|night|day)|bye|goodbye|see you|ok(?:ay)?|yes"
    r"|no|sure|great|perfect|nice|cool|awesome|wonderful|done|got it|sounds good|please|pls"
    r"|you(?:['’]re| are) (?:the best|great|awesome|amazing|wonderful|a star|a life-?saver)"
    r"|have (?:a|an) (?:nice|great|good|lovely|awesome) (?:day|one|evening|weekend|night|time)"
    r"|(?:talk|speak)(?: to you)? (?:later|soon|tomorrow)|take care|never ?mind"
    r"|one (?:more|last) thing|by the way|btw|oh"
    r"|that['’]s"
    r" (?:all|it)|hallo|guten (?:morgen|tag|abend)|bitte|tsch[uü]ss|bonjour|salut|bonsoir|s['’]il"
    r" (?:te|vous) pla[iî]t|hola|por favor|adi[oó]s|ciao|buongiorno|per favore|ol[aá]|bom dia|hoi"
    r"|alsjeblieft|alstublieft|cze[sś][cć]|prosz[eę]|привет|здравствуйте|пожалуйста|merhaba"
    r"|l[uü]tfen|مرحبا|من فضلك|नमस्ते|कृपया|你好|您好|好的|好|嗯|再见|拜拜|拜托|こんにちは"
    r"|お願いします|안녕하세요"
    r"|부탁해요?|부탁드립니다"
)
_MORE = (
    r"(?:\s+(?:a lot|later|soon|anyway|so much|very much|again|in advance|you|man|mate|buddy|there"
    r"|all|everyone|now|for (?:your|the|that|this|yesterday)\b[^.!?\n]{0,40}|beaucoup|mille|mucho"
    r"|muito|sehr|sch[oö]n|dir|ihnen|bien|tanto|большое))*"
)
_SMALL_TALK = re.compile(
    r"\W*(?:(?:oh|and|so|ah|well|also)[,\s]+){0,3}"
    rf"(?:{_THANKS}|{_GREETING}){_MORE}(?:[\s,!.]+(?:{_THANKS}|{_GREETING}){_MORE})*\W*",
    _I,
)
_TAIL = re.compile(
    rf"(?:\s*[,;.!，。！–—\U0001f300-\U0001faff]+\s*(?:{_THANKS}|please|pls|ok(?:ay)?|拜托了?|bitte){_MORE}"
    r"|\s*(?:谢谢[你您]?|多谢|拜托了))[\s.!?。！？]*$",
    _I,
)

OPENER = re.compile(
    r"^\W*(?:(?:hi|hello|hey|ok(?:ay)?|also|and|then|oh|btw|by the way|yes|no|sure|great"
    r"|thanks|thank you|additionally|finally|lastly|next|one (?:more|last) thing"
    r"|另外|还有|对了|你好|您好|好的|谢谢)(?:\s(?:there|all|again))?[,!:，：！\s]+)+",
    _I,
)
"""What may come before an order in its sentence."""

_LEAD_IN = re.compile(
    r"^\W*(?:(?:also|additionally|furthermore|besides|never ?mind|(?:hi|hello|hey)(?: again"
    r"| there)?|oh|(?:and )?one (?:more|last|other) thing|(?:oh )?by the way|btw|next|lastly"
    r"|finally|another thing)"
    r"\s*[,:!.;—–-]+\s*|(?:另外|还有|对了|顺便问一下|顺便)[，,:：\s]*)+",
    _I,
)

_LONGEST, _END = 200, 80
_ENDS_ASKING = re.compile(r"[?？؟]\W*$|[吗呢][。.!！\s]*$|か[。\s]*$|[\u0370-\u03ff]\s*;\s*$")
_ASKS = re.compile(
    r"^\W*(?:(?:and|so|but|also|ok|okay|then|now)[,\s]+)*(?:"
    r"(?:who|what|where|which|why|how)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|will"
    r"|would|should|has|have|much|many|long|far|old|often|colou?r|time|day|kind|about))\b"
    r"|when(?:['’]s|\s+(?:is|are|was|were|do|does|did|will))\b"
    r"|(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|have|has)\s+(?:i|you"
    r"|we|they|he|she|it|the|my|your|our|this|that|there|any)\b)"
    r"|^\W*(?:谁|什么|为什么|为何|怎么|如何|多少|几点|能不能|可不可以|有没有)",
    _I,
)
_POLITELY = r"^\W*(?:(?:and|so|but|also|then|now)[,\s]+)*(?:please[,\s]+)?"
_REQUESTS = re.compile(
    _POLITELY + r"(?:(?:show|tell|give|help|remind|send|teach|sing|read|draw|recommend)\s+(?:me|us)"
    r"|(?:write|explain|summari[sz]e|translate|draft|suggest|recommend|calculate|compute|convert"
    r"|generate|rewrite|list|compare|describe|find|search|plan|let['’]?s talk)\b)"
    r"|^\W*(?:请|帮我|告诉我|给我|替我)?(?:告诉我|写一|翻译|解释|总结|列出|查一下|查找|搜索|推荐|讲)"
    r"|^\W*(?:bitte\s+)?(?:schreib|zeig|sag|erz[aä]hl|[uü]bersetz|erkl[aä]r|gib|hilf|fass)\w*\b"
    r"|^\W*(?:[eé]cris|montre|dis|explique|traduis|donne|aide|r[eé]sume)\b"
    r"|^\W*(?:escrib|muestra|dime|explica|traduc|dame|ay[uú]dame|resume)\w*"
    r"|^\W*(?:scriv|mostra|dimmi|spiega|traduci|dammi|aiutami|escrev|mostre|diga|explique|ajude)\w*"
    r"|^\W*(?:schrijf|toon|vertel|vertaal|leg|geef|help)\b"
    r"|^\W*(?:napisz|pokaż|powiedz|przetłumacz|wyjaśnij|напиши|покажи|скажи|переведи|объясни|расскажи"
    r"|yaz|göster|söyle|çevir|açıkla|اكتب|قل|اشرح|ترجم|बताओ|बताइए|लिखो|教えて|書いて|알려|써)",
    _I,
)
_COMMANDING = re.compile(
    r"^\W*(?:please[,\s]+)?(?:show|tell|give|write|explain|summari[sz]e|translate|draft|find|search"
    r"|help|make|create|run|open|let['’]?s|try|remind|read|follow|send|add|fix|check|compare"
    r"|generate|convert|calculate|suggest|recommend|rewrite|continue|ignore|please)\b",
    _I,
)
LETTER = re.compile(
    r"\A\W*(?:dear|sehr geehrte\w*|liebe[rs]?|ch[eè]re?|estimad[oa]|querid[oa]|gentile|car[oa]"
    r"|beste"
    r"|geachte|уважаем\w+)\s[^\n]{1,60},[ \t]*\n|^(?:best|best wishes|kind regards|regards"
    r"|sincerely"
    r"|yours(?: truly)?|love|cheers|viele gr[uü](?:ss|ß)e|mfg|cordialement"
    r"|saludos)[,!]?\s+[A-Z]\w+[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A letter to somebody, or one that somebody signed."""

TEXT_FOLLOWS = re.compile(
    r"^[^:：\n]{0,100}\b(?:e-?mail|mail|message|letter|text|poem|lyrics|song|quote|story|article"
    r"|paragraph|sentence|code|script|post|tweet|review|essay|speech|dialogue|transcript|chat|log"
    r"|prompt|document|page|nachricht|brief|gedicht|lied|carta|mensaje|lettre)\b[^:：\n]{0,40}[:：]"
    r"|^[^:：\n]{0,30}(?:邮件|文章|信|短信|句子|段落|歌词|诗|话)[^:：\n]{0,10}[:：]",
    re.IGNORECASE,
)
"""A text is quoted without marks."""

ANNOUNCES = re.compile(
    r"^\W*(?:(?:can|could|would) you\s+)?(?:please\s+)?(?:translate|summari[sz]e|rewrite|proofread"
    r"|paraphrase|rephrase|explain|reply to|respond to|answer|analy[sz]e|review|edit|improve|polish"
    r"|read|check|fix|format|look at|continue|finish|what do you think of|how do you like"
    r"|here(?:['’]s| is) (?:an?|the|my|his|her)|[uü]bersetz\w*|fass\w*|erkl[aä]r\w*|traduis|traduce"
    r"|traduci|(?:请|帮我)*(?:翻译|总结|润色|解释|改写|校对|分析))[^\n:：]*[:：]",
    _I,
)
"""A text follows that is to be worked on: nothing in it is said to memory."""


def without_thanks(piece: str) -> str:
    """Return a sentence without the thanks at its end."""
    found = _TAIL.search(piece, max(0, len(piece) - _END))
    return piece[: found.start()] if found else piece


def without_lead_in(piece: str) -> str:
    """Return a sentence without what only leads to it: "Also,", "One more thing:"."""
    return _LEAD_IN.sub("", piece)


def is_small_talk(piece: str) -> bool:
    """Tell whether a sentence is thanks, a greeting or a yes, and nothing else."""
    if len(piece) > _LONGEST:
        return False
    return not any(map(str.isalnum, piece)) or bool(_SMALL_TALK.fullmatch(piece))


def is_question(piece: str) -> bool:
    """Tell whether a sentence asks something, with or without a question mark."""
    return bool(_ENDS_ASKING.search(piece[-_END:]) or _ASKS.match(piece))


def is_request(piece: str) -> bool:
    """Tell whether a sentence asks for something to be written, shown or explained."""
    return bool(_REQUESTS.match(piece))


def is_commanding(piece: str) -> bool:
    """Tell whether a sentence begins as a request does; as a note to oneself does, too."""
    return bool(_COMMANDING.match(piece))
