"""Orders to memory are told from talk about memory."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.policy.orders.commands import Command, Order, parse

REMEMBERED = [
    ("Remember that Lina owns deployment.", "Lina owns deployment."),
    ("Can you please remember that my cat is Tom?", "my cat is Tom"),
    ("remember Lina owns deployment", "Lina owns deployment"),
    ("REMEMBER: I am vegan", "I am vegan"),
    ("Remember, I am vegan", "I am vegan"),
    ("Remember this: I like tea", "I like tea"),
    ("Remember that: I like tea", "I like tea"),
    ("Please remember the following: I like tea", "I like tea"),
    ("  please remember that I am vegan", "I am vegan"),
    ("Please, remember that I am vegan", "I am vegan"),
    ("Could you please remember that I am vegan.", "I am vegan."),
    ("Note that the launch moved to Monday", "the launch moved to Monday"),
    ("Note: the launch moved to Monday", "the launch moved to Monday"),
    ("Note to self: buy milk", "buy milk"),
    ("Keep in mind that I work nights", "I work nights"),
    ("Don't forget that I am allergic to nuts", "I am allergic to nuts"),
    ("Don’t forget that I am allergic to nuts", "I am allergic to nuts"),
    ("dont forget I am allergic to nuts", "I am allergic to nuts"),
    ("Do not forget: no nuts", "no nuts"),
    ('Remember "the door code is 42"', "the door code is 42"),
    ("Remember “no nuts”", "no nuts"),
    ("Remember that .NET 8 is our stack", ".NET 8 is our stack"),
    ("Remember\nthat\nthe list is:\n- a\n- b", "the list is:\n- a\n- b"),
    ("Remember Whitman is our vet", "Whitman is our vet"),
    ("Store that I hate mushrooms", "I hate mushrooms"),
    ("Save this: my shoe size is 43", "my shoe size is 43"),
    ("Please write this down: the gate is green", "the gate is green"),
    ("Make a note that Lina owns deployment", "Lina owns deployment"),
    ("Can you save that the launch is on Monday?", "the launch is on Monday"),
    ("Save to memory: the gate is green", "the gate is green"),
    ("Put this in your memory: I work nights", "I work nights"),
    ("Jot down that my locker is 12", "my locker is 12"),
    ("Remember iffy deals are off", "iffy deals are off"),
    ("记住：我喜欢寿司", "我喜欢寿司"),
    ("请记住我喜欢寿司。", "我喜欢寿司。"),
    ("麻烦记一下：我住在上海", "我住在上海"),
    ("请记一下我的座位号是12A", "我的座位号是12A"),
    ("帮忙记下我住在上海", "我住在上海"),
    ("给我记着，我住在上海", "我住在上海"),
    ("请你帮我记住,我喜欢寿司", "我喜欢寿司"),
    ("帮我记下来：我喜欢寿司", "我喜欢寿司"),
    ("记下 预算是一百五十元", "预算是一百五十元"),
    ("别忘了我对坚果过敏", "我对坚果过敏"),
]
FORGOTTEN = [
    ("Forget the launch date", "the launch date"),
    ("Could you please forget my PIN?", "my PIN"),
    ("forget that I like tea", "I like tea"),
    ("Please forget about my old address", "my old address"),
    ("Forget all about my old address", "my old address"),
    ("FORGET: launch_date", "launch_date"),
    ("Can you please forget 7f3a9c", "7f3a9c"),
    ("Forget this morning's plan", "this morning's plan"),
    ("Forget everything I said about Bob", "everything I said about Bob"),
    ("忘记我的地址", "我的地址"),
    ("请忘掉我的旧地址。", "我的旧地址"),
    ("删除：预算", "预算"),
    ("把发布日期删掉", "发布日期"),
    ("Erase my birthday from memory", "my birthday"),
    ("Please drop the code from your memory.", "the code"),
    ("Can you remove my address from your memory?", "my address"),
    ("You can delete my memory of the door code now", "the door code"),
    ("Forget everything", "everything"),
    ("Forget everything you know about me!", "everything"),
    ("Delete all my data", "everything"),
    ("Can you please delete all of my personal data?", "everything"),
    ("Clear my memory.", "everything"),
    ("Wipe your memory clean", "everything"),
    ("Erase me from your memory", "everything"),
    ("Lösche alle meine Daten.", "everything"),
    ("Oublie tout ce que tu sais de moi.", "everything"),
    ("Borra todos mis datos", "everything"),
    ("删除一切", "everything"),
    ("清空记忆", "everything"),
    ("请把发布日期忘了吧。", "发布日期"),
]
LISTED = [
    "What do you know about me?",
    "List everything you know about me",
    "Tell me what you know about me",
    "Show me what you remember",
    "你了解我什么？",
    "what do you remember about me",
    "What have you stored about me??",
    "What have you remembered about me!",
    "你知道我什么？",
    "你记得我什么",
    "列出你记住的内容",
]
CORRECTED = [
    ("Correction: the launch is on Monday", "", "the launch is on Monday"),
    ("Correct that: the budget is $200", "", "the budget is $200"),
    ("Correct the launch date to Monday", "the launch date", "Monday"),
    ("Correct the code to 42", "the code", "42"),
    ("correct launch_date: The launch is on Monday", "launch_date", "The launch is on Monday"),
    ("Correct 7f3a9c21: I like black tea", "7f3a9c21", "I like black tea"),
    ('Correct "I like tea": I like coffee', "I like tea", "I like coffee"),
    ("Update your memory: I moved to Berlin", "", "I moved to Berlin"),
    ("Update what you know about my budget to $200", "my budget", "$200"),
    ("Change your memory of the launch to Monday", "the launch", "Monday"),
    ("That's wrong, the launch is on Monday.", "", "the launch is on Monday"),
    ("No, that's wrong: I prefer green tea", "", "I prefer green tea"),
    ("That is not true. I live in Berlin.", "", "I live in Berlin"),
    ("You are wrong: I live in Berlin", "", "I live in Berlin"),
    ("Correct the meeting time from 3 to 5", "the meeting time", "5"),
    ("Correct the launch date from Friday to Monday", "the launch date", "Monday"),
    ("That's wrong, the launch is on Monday, sorry for the mix-up.", "", "the launch is on Monday"),
    ("That's wrong, thanks anyway, the launch is on Monday.", "", "the launch is on Monday"),
    ("Correct my flight to Rome to Saturday", "my flight to Rome", "Saturday"),
    ("请将发布日期修改为周一", "发布日期", "周一"),
    ("更正：发布在周一", "", "发布在周一"),
    ("请更正：发布在周一", "", "发布在周一"),
    ("你记错了，我住在北京", "", "我住在北京"),
    ("把记忆里的预算改成200元", "预算", "200元"),
    ("更正发布日期为周一", "发布日期", "周一"),
]
STOPPED = [
    ("Stop remembering", ""),
    ("Stop remembering this conversation.", ""),
    ("Please don't remember this", ""),
    ("don't remember anything from now on", ""),
    ("Do not save this conversation", ""),
    ("Don't store anything", ""),
    ("Stop recording what I say", ""),
    ("Stop remembering anything about my health", "my health"),
    ("Stop remembering my address.", "my address"),
    ("Don't remember my address", "my address"),
    ("Don't store my health data.", "my health"),
    ("Never store my health data", "my health"),
    ("Don't keep my address.", "my address"),
    ("Do not save information about my family.", "my family"),
    ("Stop tracking my health", "my health"),
    ("Please don't log my location any more", "my location"),
    ("Never save any details about our finances", "our finances"),
    ("Stop storing my data", "my data"),
    ("Don't record my personal data", "my personal data"),
    ("don't keep anything about my salary", "my salary"),
    ("不要记住我的地址", "我的地址"),
    ("不要再记住任何关于我健康的事", "我健康"),
    ("别记录这次对话", ""),
    ("停止记忆", ""),
    ("别记了", ""),
]
RESUMED = [
    "Start remembering again",
    "You can remember again.",
    "You may remember things again",
    "resume remembering",
    "重新开始记",
    "可以继续记了",
]
TALK = [
    "把钥匙忘了",
    "我把发布日期忘了",
    "老板让我把发布日期删掉",
    "请把发布日期从日历里删掉",
    "我要把发布日期删了",
    # talk about remembering
    "Do you remember when we met?",
    "Do you remember my name?",
    "I can't remember that",
    "I remember that Lina owned deployment",
    "I don't remember where I put it",
    "Remember when we went to Paris",
    "Remember how it rained",
    "Remember what I told you",
    "Remember who won",
    "Remember whose turn it is",
    "Remember where we were",
    "Remember why we left",
    "Remember whether it rained",
    "Remember which one it was",
    "Remember if it rained",
    "Remember me",
    "Remember us",
    "Remember?",
    "Remember.",
    "Remembering Paris makes me happy",
    "Remembrance Day is in November",
    "You should remember that I am vegan",
    "I don't remember my address",
    "Don't remember?",
    "Don't remember where I put my keys",
    "Correct the launch date to Monday, and remember that Lina owns it",
    "Stop the music",
    "Stop saving files to disk",
    "Stop recording the meeting",
    "Stop keeping track of calories",
    "Don't save the file",
    "Don't save my file",
    "Stop saving my drafts",
    "Don't keep my page open",
    "Save that file to disk",
    "Store that data in S3",
    "Log that error",
    "Delete everything in the folder",
    "Remove my name from the mailing list",
    "Record sales were up this year",
    "Never store passwords in code",
    "Don't keep milk out of the fridge",
    "别记得",
    "不要记错了",
    # talk about what is wrong
    "That's wrong.",
    "That's wrong, it's Monday",
    "Correct!",
    "Correct me if I'm wrong, the launch is Monday",
    "Correct my grammar: I has a dog",
    "Correct the code to use tabs",
    "Correct the spelling: recieve",
    "Is that correct? The launch is Monday?",
    "You are right, the launch is Monday",
    "Change the meeting to Monday",
    "Never forget where you came from",
    "Will you remember that I am vegan?",
    "Remember that I am vegan, will you?",
    "Remembered that Lina owns it",
    # nothing is named
    "Remember this",
    "Remember that.",
    "Remember that for me",
    "remember it for later!",
    "Note that down.",
    "note this down",
    "Note to self",
    "Keep in mind",
    "Keep this in mind",
    "Don't forget it",
    "Don't forget!",
    "Forget",
    "forget it",
    "Forget it!",
    "Forget that.",
    "Forget about it",
    "forget this please",
    "Forget me",
    "Forget all of it",
    "",
    " \n ",
    # "forget it" and its like, said to go on
    "Forget it, I'll do it myself.",
    "Forget it. Let's talk about cats.",
    "Forget that, I have changed my mind",
    "Forget about it, it's fine",
    "forget it - never mind",
    "forget that — it was a joke",
    # talk about forgetting
    "I forget her name",
    "I forgot that the launch moved",
    "Forget-me-nots are my favourite flowers",
    "Forgetting is human",
    "Did you forget that?",
    "Forget the launch date?",
    "Notes are in the wiki",
    "Noted that, thanks",
    "Notebooks are cheap",
    # lists asked in another way
    "What do you know about cats?",
    "What do you know about me and my cats?",
    # Chinese
    "记得吗",
    "记得我喜欢什么吗？",
    "你还记得我吗",
    "你记得我的名字吗",
    "我记得你",
    "我忘记了",
    "忘记了",
    "忘记带钥匙了",
    "忘记带钥匙了。",
    "忘掉它吧",
    "记住了",
    "请记住这一点。",
    "我想删除这个",
]


@pytest.mark.parametrize(("text", "argument"), REMEMBERED)
def test_an_order_to_remember_is_understood(text: str, argument: str) -> None:
    assert parse(text) == Command(Order.REMEMBER, argument)


@pytest.mark.parametrize(("text", "argument"), FORGOTTEN)
def test_an_order_to_forget_is_understood(text: str, argument: str) -> None:
    assert parse(text) == Command(Order.FORGET, argument)


@pytest.mark.parametrize(("text", "about", "argument"), CORRECTED)
def test_an_order_to_correct_is_understood(text: str, about: str, argument: str) -> None:
    """R60."""
    assert parse(text) == Command(Order.CORRECT, argument, about)


@pytest.mark.parametrize(("text", "subject"), STOPPED)
def test_an_order_to_keep_no_more_is_understood(text: str, subject: str) -> None:
    """R64: a subject, or the conversation."""
    assert parse(text) == Command(Order.STOP, subject)


@pytest.mark.parametrize(
    "text",
    [
        "别记住我怀孕了",
        "不要记住我欠了很多钱",
        "别记关于我怀孕的事",
        "Don't remember that I am pregnant",
        "Never remember pregnant",
        "Don't remember anything about me being pregnant",
        "Don't keep anything about how I drink",
    ],
)
def test_a_rule_says_nothing_that_is_not_to_be_known(text: str) -> None:
    """R64: what is no subject is not kept, and not written down as a rule."""
    command = parse(text)
    assert command is not None
    assert command.order is Order.SKIP


@pytest.mark.parametrize("text", RESUMED)
def test_an_order_to_keep_again_is_understood(text: str) -> None:
    assert parse(text) == Command(Order.RESUME)


@pytest.mark.parametrize("text", LISTED)
def test_a_request_to_see_what_is_kept_is_understood(text: str) -> None:
    """R60."""
    assert parse(text) == Command(Order.LIST)


@pytest.mark.parametrize("text", TALK)
def test_talk_is_not_an_order(text: str) -> None:
    assert parse(text) is None


@given(st.text())
@example("remember that \x00")
@example("忘记 。。。")
@example("forget \u2028x")
def test_any_text_is_either_talk_or_an_order_that_names_something(text: str) -> None:
    command = parse(text)
    if command is not None and command.order is not Order.LIST:
        assert command.argument == command.argument.strip()


@given(st.text(), st.sampled_from(["I said: ", "He told me to ", "> ", "# ", "x", "1. ", '"']))
def test_only_the_start_of_a_message_gives_orders(text: str, before: str) -> None:
    """B41: an order inside quoted text is no order."""
    for order in (
        "remember that ", "forget ", "记住", "忘记", "correction: ", "stop remembering ", "别记 ",
    ):  # fmt: skip
        assert parse(before + order + text) is None


@pytest.mark.parametrize(
    "order",
    [
        "remember ", "forget ", "忘记", "记住", "please ", "forget that", "correct ", "update ",
        "correction ", "that's wrong ", "stop remembering ", "don't remember ", "don't save ",
        "不要记", "更正", "what do you know", "show me ", "you may ",
    ],
)  # fmt: skip
@pytest.mark.parametrize("filling", [" ", "。", "a ", "that ", "了", ", ", "? ", "吗", "!a", "\n"])
def test_a_long_message_is_read_in_no_time(order: str, filling: str) -> None:
    started = time.process_time()
    parse(order + filling * 50_000 + "x")
    parse(order + "x" + filling * 50_000)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("text", "order", "argument"),
    [
        ("Can you remember that I like green tea?", Order.REMEMBER, "I like green tea"),
        ("I want you to remember that my car is a Volvo", Order.REMEMBER, "my car is a Volvo"),
        ("I'd like you to keep in mind that I am vegan", Order.REMEMBER, "I am vegan"),
        ("Delete what you know about my dentist", Order.FORGET, "my dentist"),
        ("Could you forget everything about my dentist?", Order.FORGET, "my dentist"),
        ("Forget all memories of my dentist.", Order.FORGET, "my dentist"),
        ("忘了预算吧", Order.FORGET, "预算"),
        ("把预算忘了吧。", Order.FORGET, "预算"),
        ("你记得关于我的什么？", Order.LIST, ""),
        ("What's in your memory about me?", Order.LIST, ""),
    ],
)
def test_an_order_may_be_put_as_a_wish(text: str, order: Order, argument: str) -> None:
    assert parse(text) == Command(order, argument)


@pytest.mark.parametrize(
    "text",
    ["Can you remember when we met?", "Remove everything about cookies from the page", "忘了带伞吧",
     "Can you delete what I wrote?", "I want you to remember"],
)  # fmt: skip
def test_a_wish_of_something_else_is_none(text: str) -> None:
    assert parse(text) is None
