"""Orders in ten more languages: a verb and what only a model has; in each, secrecy and more."""

from __future__ import annotations

from langgraph_memory.policy.planted.reasons import (
    DISREGARD,
    KEEP,
    MODEL,
    ROLE,
    SECRECY,
    SEND,
    Words,
)

_FEW = r"(?:[\w'’]+\s){0,4}?"
_SOME = r"(?:\w+\s){0,3}?"

LANGUAGES: Words = {
    DISREGARD: (
        # de
        (r"\b(?:ignorier\w*|vergiss|vergesst|vergessen\ssie|missacht\w*|verwirf|umgeh\w*)\s"
         r"(?:(?!nicht\b)\w+\s){0,5}?(?:\w*anweisung\w*|regeln?|vorgaben?|richtlinien?"
         r"|instruktionen"
         r"|befehle?|systemprompt\w*)\b"),
        # fr
        (rf"(?<!n['’ ])\b(?:oubli|ignor|néglig|contourn|outrepass)(?:e|ez|er)\s(?!pas\b){_FEW}"
         r"(?:instructions|consignes|règles|directives|ordres)\b"),
        (rf"\bne\s(?:tiens|tenez|suis|suivez|respecte[z]?)\s(?:pas|plus"
        rf"|aucun)\s(?:compte\s)?{_FEW}"
         r"(?:instructions|consignes|règles|directives|ordres)\b"),
        # es
        (rf"(?<!no\s)\b(?:olvid(?:a|e|ad|en)|ignor(?:a|e|ad|en)|omit(?:e|a)|descart(?:a|e)"
         rf"|haz\scaso\somiso\sde)\s{_FEW}(?:instrucciones|reglas|normas|directrices|órdenes)\b"),
        # it
        (rf"(?<!non\s)\b(?:dimentica(?:te)?|dimentichi|ignora(?:te)?|ignori|trascura(?:te)?"
        rf"|scarta(?:te)?)"
         rf"\s{_FEW}(?:istruzioni|regole|direttive|linee\sguida|indicazioni)\b"),
        # pt
        (rf"(?<!não\s)\b(?:esqueça[m]?|esquece|ignor[ea]m?|desconsider[ea]m?|descart[ea]m?"
         rf"|desrespeit[ea]m?|descumpr[ae]m?)\s{_FEW}(?:instruções|regras|diretrizes"
         rf"|orientações|ordens)\b"),
        # nl
        (r"\b(?:negeer|vergeet|omzeil|negeert)\s(?:(?!niet\b)\w+\s){0,4}?(?:instructies|regels"
         r"|richtlijnen|aanwijzingen|opdrachten)\b(?!\sniet\b)"),
        # zh
        (r"(?<!不要)(?<!不)(?<!勿)(?<!别)(?:忽略|无视|無視|忽視|忽视|绕过|繞過|忘记|忘記|忘掉|抛开)"
         r"[^。！!？?\n]{0,12}(?:规则|規則|规定|規定|指令|指示|提示词|提示|设定|限制|系统消息)"),
        r"(?:不要|不再|无需|不必)(?:遵守|遵循|服从|理会)[^。！!？?\n]{0,12}(?:规则|规定|指令|指示|提示词|限制)",
        # ja
        (r"(?:指示|命令|ルール|規則|指令|プロンプト|制限)(?:を|は|に従わ)"
         r"(?:すべて|全て|全部)?(?:無視(?!しない)|忘れ(?!な|ず)|破棄|ないで)"),
        # ru
        (rf"(?<!не\s)\b(?:(?:про)?игнорируй\w*|забуд(?:ь|ьте)|отбрось\w*|обойди\w*)\s{_FEW}"
         r"(?:инструкци\w+|правил\w*|указани\w+|распоряжени\w+|промпт\w*|ограничени\w+)"),
        (r"\bне\s(?:следуй|соблюдай|подчиняйся|выполняй)\w*\s(?:\w+\s){0,3}?(?:инструкци\w+"
        r"|правил\w*"
         r"|указани\w+)"),
        # ar
        (rf"(?<!\w)(?:تجاهل\w{{0,2}}|انس\w{{0,2}}|إنس)[\u064b-\u0652]*\s{_SOME}"
         r"(?:التعليمات|القواعد|الأوامر|التوجيهات|تعليمات\w*|قواعد\w*|أوامر\w*)"),
    ),
    KEEP: (
        (r"\b(?:merk\w*\sdir|merken\ssie\ssich|speicher\w*)\s(?:\w+\s){0,3}?"
         r"(?:regel|anweisung|gedächtnis)\b"),
        (r"\b(?:recuerda|guarda|memoriza|recuerde|ricorda|memorizza|lembre-?\s?se\sd?|memorize"
        r"|guarde"
         rf"|retiens|retenez|mémorise[z]?|onthoud)\s{_SOME}(?:regla|instrucción|norma|regola"
         rf"|istruzione"
         r"|regra|instrução|règle|consigne|regel|instructie)\b"),
        r"\b(?:запомни|запомните|сохрани)\s(?:\w+\s){0,3}?(?:правил\w*|инструкци\w+)",
        r"(?:记住|記住|牢记)[:：,， ]{0,2}(?:以后|以後|今后|今後|从今|每次|所有)",
        r"(?:次の|この|以下の)(?:ルール|規則|指示)を(?:覚え|記憶|保存)",
        r"(?:تذكر|احفظ)\s(?:\w+\s){0,3}?(?:القاعدة|التعليمات|القواعد)",
        r"\b(?:antworte|answere|antworten\ssie)\s(?:\w+\s){0,2}?nur\snoch\b",
        (r"\b(?:da\sora\sin\spoi|d['’]ora\sin\spoi|a\spartir\sde\sagora|vanaf\snu)"
         r"\s?,?\s?(?:devi|rispondi|sempre|você|deve|responda|moet|je\smoet|antwoord)\b"),
        r"\b(?:отныне|с\sэтого\sмомента)\s?,?\s?(?:ты|всегда|отвечай|одобряй)\b",
        (r"\b(?:désormais|dorénavant)\s?,?\s?(?:réponds|répondez|tu|dis|dites|approuve[z]?"
        r"|recommande[z]?)\b"),
        (r"(?:从今以后|從今以後|今后|今後|从此)[，, ]?"
         r"[^。\n]{0,4}(?:所有|一律|必须|总是)[^。\n]{0,10}"
         r"(?:付款|退款|批准|回答|转账|发票)"),
        r"من\sالآن\sفصاعد\w*\s?[،,]?\s?(?:أجب|أرسل|يجب|عليك|وافق)",
        r"(?:今後|これから|これ以降|今から)[^。\n]{0,10}(?:必ず|常に|絶対に)[^。\n]{0,20}(?:して|答え|承認)",
    ),
    MODEL: (
        r"\b(?:ki|ai)[- ]?(?:assistent\w*|modelle?|agent\w*)\s?[:,]\s?\w",
        (r"\b(?:hinweis|nachricht|anweisung)\s(?:an|für)\s(?:die\s|alle\s|den\s)?(?:ki"
        r"|sprachmodelle?)\b"),
        r"\b(?:note|message)\s(?:à|pour)\sl['’ ]\s?(?:ia|assistant)\b|\bnota\spara\sla\sia\b",
        r"(?:AI|人工知能|アシスタント)[^。\n]{0,6}(?:しなければなりません|するべき|せよ)",
    ),
    ROLE: (
        r"\bdu\sbist\s(?:jetzt|nun|ab\ssofort)\s(?:ein|eine|der|die)\b",
        r"\b(?:tu\ses|vous\sêtes)\s(?:maintenant|désormais)\s(?:un|une|le|la)\b",
        r"\b(?:ahora|desde\sahora)\s(?:eres|actúas\scomo)\s(?:un|una|el|la)\b",
        r"\b(?:ora|adesso)\ssei\s(?:un|una|il|la)\b|\bagora\s(?:você\sé|tu\sés)\s(?:um|uma|o|a)\b",
        r"\bje\sbent\s(?:nu|vanaf\snu)\seen\b",
        r"\b(?:теперь\sты|ты\sтеперь|отныне\sты)\s\w",
        r"あなたは(?:今から|これから|今や)|أنت\sالآن\s",
    ),
    SECRECY: (
        (r"\b(?:sag\w*|erzähl\w*|verrat\w*|informier\w*|erwähn\w*|zeig\w*"
        r"|teil\w*)\s(?:\w+\s){0,4}?"
         r"(?:be)?(?:nutzer|user|anwender)\w*\s(?:\w+\s){0,3}?(?:nichts|nicht|niemals|nie)\b"),
        (r"\b(?:nichts|niemals|nie|nicht)\s(?:\w+\s){0,4}?(?:dem|den|der)\s(?:be)?nutzer\w*\s"
         r"(?:sagen|verraten|mitteilen|zeigen|erzählen)"),
        r"\b(?:jamais|rien|pas)\s(?:\w+\s){0,5}?(?:à\s|a\s)?l['’ ]\s?utilisateur\b",
        (r"\bno\s(?:(?:le|se|lo|les)\s){0,2}(?:dig|cuent|mencion|revel|inform|muestr)\w+\s"
         rf"{_FEW}(?:al|a\slos|a\sla)\susuari\w+"),
        (rf"\bnon\s{_SOME}(?:dir|dic|dit|rivel|menzion|inform"
        rf"|mostr)\w*\s{_FEW}all['’ ]\s?utente\b"),
        (rf"\bnão\s{_SOME}(?:cont|dig|revel|mencion|inform|mostr)\w+\s{_FEW}(?:ao|à"
        rf"|aos)\s(?:usuári|utiliza)\w+"),
        (r"\b(?:vertel|zeg|meld|toon|onthul)\s(?:\w+\s){0,3}?(?:niet|niets|nooit)\s(?:\w+\s){0,3}?"
         r"gebruikers?\b"),
        r"(?:不要|别|不得|不能|切勿|不可)(?:告诉|告訴|告知|通知|提醒|向|让|讓|给|跟|对)[^。\n]{0,4}(?:用户|用戶|使用者)",
        (r"(?:ユーザー?|利用者)[^。\n]{0,10}(?:言わな|伝えな|教えな|知らせな|話さな|明かさな|見せな|秘密)"),
        r"\b(?:verschweig|verheimlich|verberg)\w*\s(?:\w+\s){0,3}?(?:be)?(?:nutzer|anwender)\w*",
        r"\b(?:cache[rz]?|dissimule[rz]?)\s(?:\w+\s){0,4}?(?:à|a)\sl['’ ]\s?utilisateur\b",
        (r"\b(?:ocult|escond|nascond)\w+\s(?:\w+\s){0,4}?(?:al\susuari|del\susuari|do\susuári"
         r"|ao\susuári|all['’ ]\s?utent)\w+"),
        (r"\b(?:geheim|verborgen|verberg"
        r"|verzwijg)\s(?:\w+\s){0,3}?(?:voor\s)?(?:de\s)?gebruikers?\b"),
        r"(?:瞒着|瞞著|瞒过)[^。\n]{0,4}(?:用户|用戶|使用者)|(?:对|對)(?:用户|用戶|使用者)保密",
        r"\b(?:скрой|скрывай|утаи)\w*\s(?:\w+\s){0,4}?от\sпользовател\w+",
        r"(?<!\w)(?:أخف|اخف|أخفي|اكتم)\w?\s(?:\w+\s){0,3}?عن\sالمستخدم",
        (r"\bне\s(?:говори|сообщай|рассказывай|упоминай|показывай|раскрывай)\w*\s(?:\w+\s){0,4}?"
         r"пользовател\w+"),
        r"(?<!\w)لا\s(?:تخبر|تقل|تذكر|تكشف|تبلغ|تظهر)\w*\s(?:\w+\s){0,4}?(?:ال|لل)مستخدم",
    ),
    SEND: (
        (r"\b(?:überweis\w*|leite\w*|schick\w*|send\w*)\s(?:\w+\s){0,3}?(?:alle|künftig"
        r"|sämtliche|jede)\s"
         r"(?:\w+\s){0,5}?(?:konto|iban)\b"),
        (r"\b(?:send\w*|schick\w*|übermittl\w*|envo(?:ie|yez)|transmet\w*|reenvía|envía|manda"
        r"|invia\w*"
         r"|inoltra|envie|encaminhe|stuur)\s(?:\w+\s){0,3}?(?:alle|sämtliche|todos"
         r"|todas|tous|toutes|tutti|tutte|tudo|mots|contraseñas|passwörter)\s"
         r"[^\n]{0,40}?(?:https?:|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.)"),
        (r"(?:发|告诉|输出|泄露|显示)[^。\n]{0,6}(?:系统提示|提示词)|(?:系统提示词?|提示词)[^。\n]{0,4}"
         r"(?:发给|输出|告诉|泄露)"),
        (r"\b(?:отправь|отправьте|перешли\w*)\s(?:\w+\s){0,3}?(?:все|всех|пароли|данные)\s"
         r"[^\n]{0,40}?(?:https?:|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.)"),
        (r"(?:付款|发票|發票|款项|转账|退款)[^。\n]{0,8}(?:转到|转入|汇到|打到|付到|发到)[^。\n]{0,10}"
         r"(?:账户|帐户|账号|賬戶|银行卡)"),
    ),
}  # fmt: skip
