"""Conversation files: every shape that is read, and an error with its place for every other."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from langgraph_memory.domain.events import Turn
from langgraph_memory.errors import ConversationFormatError
from langgraph_memory.text.conversations import parse

BENCH = Path(__file__).parents[2] / ".." / "shared" / "bench"
NINE = datetime(2026, 5, 1, 9, tzinfo=UTC)
HELLO = {"role": "user", "content": "Hello", "timestamp": "2026-05-01T09:00:00"}
ANSWER = {"role": "assistant", "content": "你好，Ana"}


def read(document: Any, conversation: str | None = None) -> tuple[str, list[Turn]]:
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    return parse(text, where="talk.json", conversation=conversation)


def turns(document: Any) -> list[Turn]:
    return read(document)[1]


def lines(*documents: Any) -> str:
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in documents)


def sessions(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"sessions": list(parts), **more}


# --- Shapes -----------------------------------------------------------------------------------

TALK = [
    Turn("1", "1", "user", "", "Hello", NINE),
    Turn("1", "2", "assistant", "", "你好，Ana", None),
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([HELLO, ANSWER]),
        json.dumps([HELLO, ANSWER], ensure_ascii=False, indent=2),
        lines(HELLO, ANSWER),
        lines(HELLO, ANSWER) + "\n",
        "\n\n" + lines(HELLO, ANSWER).replace("\n", "\n  \n") + "\n\n",
        lines(HELLO, ANSWER).replace("\n", "\r\n") + "\r\n",
        "\ufeff" + lines(HELLO, ANSWER),
        "\ufeff" + json.dumps([HELLO, ANSWER]),
    ],
    ids=["list", "indented", "lines", "ended", "blanks", "crlf", "bom-lines", "bom-list"],
)
def test_a_list_of_messages_and_json_lines_give_the_same_turns(text: str) -> None:
    """B34, B35."""
    assert read(text) == ("talk.json", TALK)


def test_one_message_alone_is_a_conversation() -> None:
    assert turns(HELLO) == TALK[:1]
    assert turns([HELLO]) == TALK[:1]


def test_sessions_give_their_turns_in_order_with_their_addresses() -> None:
    document = sessions(
        {"session_id": "s1", "timestamp": "2026-05-01T09:00:00Z", "turns": [
            {"turn_id": "D1:1", "speaker": "Ana", "text": "Hello"},
            {"turn_id": "D1:2", "speaker": "Bob", "text": "Hi",
             "timestamp": "2026-05-01T10:00:00+01:00"},
        ]},
        {"session_id": "s2", "turns": [{"turn_id": "D2:1", "speaker": "Ana", "text": "Again"}]},
        {"turns": []},
        conversation_id="launch",
    )  # fmt: skip
    assert read(document) == (
        "launch",
        [
            Turn("s1", "D1:1", "user", "Ana", "Hello", NINE),
            Turn("s1", "D1:2", "user", "Bob", "Hi", NINE),
            Turn("s2", "D2:1", "user", "Ana", "Again", None),
        ],
    )
    assert read(json.dumps(document, indent=1)) == read(document)
    assert read([document]) == read(document)


def test_a_conversation_without_a_name_bears_the_files() -> None:
    assert read(sessions())[0] == "talk.json"
    assert read(sessions(conversation_id=""))[0] == "talk.json"
    assert read(sessions(conversation_id=7)) == ("7", [])
    assert read(sessions(conversation_id=0))[0] == "0"


A, B = (sessions({"turns": [{"text": name}]}, conversation_id=name) for name in ("a", "b"))


@pytest.mark.parametrize("document", [[A, B], lines(A, B)], ids=["list", "lines"])
def test_of_several_conversations_one_is_chosen(document: Any) -> None:
    for name in ("a", "b"):
        assert read(document, name) == (name, [Turn("1", "1", "user", "", name, None)])
    with pytest.raises(ConversationFormatError, match=r"holds 2 conversations \(a, b\); say which"):
        read(document)
    with pytest.raises(ConversationFormatError, match="no conversation 'c', only a, b"):
        read(document, "c")


def test_the_right_choice_is_checked_even_where_there_is_only_one() -> None:
    assert read(A, "a") == read(A)
    with pytest.raises(ConversationFormatError, match="no conversation 'b', only a"):
        read(A, "b")


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({}, "user"),
        ({"role": "user"}, "user"),
        ({"role": "human"}, "user"),
        ({"role": "Assistant"}, "assistant"),
        ({"role": "AI"}, "assistant"),
        ({"role": "bot"}, "assistant"),
        ({"role": "model"}, "assistant"),
        ({"type": "ai"}, "assistant"),
        ({"type": "tool"}, "tool"),
        ({"role": "function"}, "tool"),
        ({"role": "system", "type": "human"}, "system"),
        ({"role": "developer"}, "system"),
        ({"role": None, "type": ""}, "user"),
        ({"speaker": "Ana"}, "user"),
        ({"speaker": "assistant"}, "assistant"),
        ({"speaker": "system"}, "system"),
        ({"speaker": "Ai"}, "user"),
        ({"speaker": "assistant", "role": "user"}, "user"),
        ({"name": "Ana", "role": "ai"}, "assistant"),
    ],
    ids=str,
)
def test_who_spoke_is_told_by_role_type_or_speaker(fields: dict[str, Any], role: str) -> None:
    """R4: an assistant's words are not the user's."""
    (turn,) = turns([{"text": "x", **fields}])
    assert turn.role == role
    assert turn.speaker == (fields.get("speaker") or fields.get("name") or "")


def test_the_text_may_stand_under_either_name() -> None:
    assert [turn.text for turn in turns([{"text": "a"}, {"content": "b"}])] == ["a", "b"]
    assert turns([{"text": None, "content": "c"}])[0].text == "c"
    assert turns([{"text": "", "content": "c"}])[0].text == ""


# --- Addresses: nothing may be lost -----------------------------------------------------------


def test_counting_may_start_at_zero() -> None:
    """A first turn called 0 once became 1, and so did the second: one of them was lost."""
    messages = [{"turn_id": n, "text": str(n)} for n in range(3)]
    assert [turn.turn_id for turn in turns(messages)] == ["0", "1", "2"]
    parts = [{"session_id": n, "turns": [{"id": 0, "text": str(n)}]} for n in range(3)]
    addresses = [(turn.session_id, turn.turn_id) for turn in turns(sessions(*parts))]
    assert addresses == [("0", "0"), ("1", "0"), ("2", "0")]


def test_turns_and_sessions_without_ids_are_counted() -> None:
    part = {"turns": [{"text": "a"}, {"text": "b", "turn_id": ""}]}
    addresses = [(turn.session_id, turn.turn_id) for turn in turns(sessions(part, part))]
    assert addresses == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]


@pytest.mark.parametrize(
    "document",
    [
        [{"id": "x", "text": "a"}, {"id": "x", "text": "b"}],
        [{"id": 2, "text": "a"}, {"text": "b"}],
        [{"id": 1, "text": "a"}, {"id": "1", "text": "b"}],
        sessions({"session_id": 2, "turns": [HELLO]}, {"turns": [ANSWER]}),
        sessions({"session_id": "s", "turns": [HELLO]}, {"session_id": "s", "turns": [ANSWER]}),
    ],
    ids=["same", "counted", "types", "sessions", "twice"],
)
def test_two_different_turns_under_one_address_are_refused(document: Any) -> None:
    """B31: the same address is the same message, so the second would be lost without a word."""
    with pytest.raises(ConversationFormatError, match="two turns have the id '"):
        turns(document)


def test_the_same_turn_twice_is_no_harm() -> None:
    """B31."""
    message = {"id": "x", "text": "a"}
    assert turns([message, message]) == [Turn("1", "x", "user", "", "a", None)] * 2


# --- Times ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("2026-05-01T09:00:00", NINE),
        ("2026-05-01 09:00", NINE),
        ("2026-05-01T09:00:00Z", NINE),
        ("2026-05-01T17:00:00+08:00", NINE),
        ("2026-05-01T04:00:00.000-05:00", NINE),
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        (1777626000, NINE),
        (1777626000.0, NINE),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (None, None),
        ("", None),
    ],
    ids=repr,
)
def test_times_are_brought_to_utc_and_naive_ones_taken_as_utc(
    value: Any, at: datetime | None
) -> None:
    """B38."""
    for message in ({"text": "x", "timestamp": value}, {"text": "x", "at": value}):
        (turn,) = turns([message])
        assert turn.at == at
        assert turn.at is None or turn.at.tzinfo is UTC


def test_a_turns_own_time_counts_before_its_sessions() -> None:
    own, given_ = "2026-05-02T00:00:00Z", "2026-05-01T09:00:00Z"
    part = {
        "timestamp": given_,
        "turns": [
            {"text": "a", "timestamp": own},
            {"text": "b", "at": own},
            {"text": "c", "timestamp": None},
            {"text": "d"},
        ],
    }
    own_time = datetime(2026, 5, 2, tzinfo=UTC)
    assert [turn.at for turn in turns(sessions(part))] == [own_time, own_time, NINE, NINE]


@pytest.mark.parametrize(
    "value",
    ["yesterday", "1 May 2026", "2026-13-01", [], {}, True, False, 1e300, -1e300, 10**30, "9" * 99,
     "0001-01-01T00:00:00+08:00", "9999-12-31T23:59:59-08:00"],
    ids=repr,
)  # fmt: skip
def test_a_time_that_is_none_is_refused_with_its_place(value: Any) -> None:
    with pytest.raises(ConversationFormatError, match=r"message 2: timestamp .* is not ISO 8601"):
        turns([HELLO, {"text": "x", "timestamp": value}])


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_no_time(value: str) -> None:
    with pytest.raises(ConversationFormatError, match="not ISO 8601"):
        turns('[{"text": "x", "timestamp": ' + value + "}]")


# --- Errors -----------------------------------------------------------------------------------

BAD: list[tuple[str, Any, str]] = [
    ("empty", "", "talk.json: the file is empty"),
    ("blank", " \n\t ", "talk.json: the file is empty"),
    ("only a mark", "\ufeff", "talk.json: the file is empty"),
    ("empty list", [], "talk.json: the list is empty"),
    ("prose", "Hello there", "talk.json line 1: not JSON"),
    ("a number", 7, "talk.json message 1: is a int, not an object"),
    ("null", "null", "talk.json message 1: is a NoneType, not an object"),
    ("text", '"hello"', "talk.json message 1: is a str, not an object"),
    ("list of texts", ["a"], "talk.json message 1: is a str, not an object"),
    ("list of lists", [[HELLO]], "talk.json message 1: is a list, not an object"),
    ("later message", [HELLO, 3], "talk.json message 2: is a int, not an object"),
    (
        "no text",
        [HELLO, {"role": "user"}],
        'talk.json message 2: no text under "text" or "content"',
    ),
    ("text is a list", [{"content": [{"type": "text"}]}], 'message 1: no text under "text"'),
    ("text is a number", [{"text": 3}], 'message 1: no text under "text"'),
    ("null text", [{"text": None}], 'message 1: no text under "text"'),
    (
        "unknown role",
        [{"role": "narrator", "text": "x"}],
        "message 1: role 'narrator' is none of user",
    ),
    ("role is a dict", [{"role": {"a": 1}, "text": "x"}], 'message 1: "role" is a dict, not text'),
    ("speaker is a list", [{"speaker": ["A"], "text": "x"}], 'message 1: "speaker" is a list'),
    ("id is a dict", [{"id": {}, "text": "x"}], 'message 1: "turn_id" is a dict'),
    ("id is a truth", [{"turn_id": True, "text": "x"}], 'message 1: "turn_id" is a bool'),
    ("surrogate", '[{"text": "\\ud83d"}]', "message 1: a text holds a lone surrogate"),
    (
        "surrogate name",
        '[{"text": "a", "name": "\\udc00"}]',
        "message 1: a text holds a lone surrogate",
    ),
    ("sessions no list", {"sessions": {}}, 'talk.json: "sessions" is not a list'),
    ("sessions null", {"sessions": None}, 'talk.json: "sessions" is not a list'),
    ("session no dict", sessions(3), 'talk.json session 1: no list of "turns"'),
    ("no turns", sessions({"turns": []}, {}), 'talk.json session 2: no list of "turns"'),
    ("turns null", sessions({"turns": None}), 'talk.json session 1: no list of "turns"'),
    (
        "turn no dict",
        sessions({"turns": ["a"]}),
        "talk.json session 1 turn 1: is a str, not an object",
    ),
    (
        "turn no text",
        sessions({"turns": [{"text": "a"}, {}]}),
        "talk.json session 1 turn 2: no text",
    ),
    (
        "session time",
        sessions({"timestamp": "noon", "turns": [{"text": "a"}]}),
        "session 1 turn 1: timestamp 'noon'",
    ),
    ("session id", sessions({"session_id": [], "turns": []}), 'session 1: "session_id" is a list'),
    ("conversation id", sessions(conversation_id=[1]), 'talk.json: "conversation_id" is a list'),
    ("mixed", [A, HELLO], 'talk.json message 1: no text under "text"'),
    ("broken first line", "{oops\n" + lines(HELLO), "talk.json line 1: not JSON"),
    ("broken line", lines(HELLO, ANSWER) + "\n{oops\n", "talk.json line 3: not JSON"),
    ("cut line", lines(HELLO, ANSWER)[:-5], "talk.json line 2: not JSON"),
    ("broken inside", '[\n  {"text": "a"},\n  {"text": }\n]', "talk.json line 3: not JSON"),
    ("broken inside late", '\n[\n  {"text": "a"},\n  {"text": }\n]', "talk.json line 4: not JSON"),
    ("cut file", json.dumps([HELLO, ANSWER], indent=1)[:-4], "not JSON"),
    ("nested too deeply", "[" * 100_000, "talk.json: is nested too deeply"),
    ("nested line", lines(HELLO) + "\n" + "[" * 100_000, "is nested too deeply"),
    ("long number", '[{"text": "a", "id": ' + "1" * 5000 + "}]", "a number of too many digits"),
    (
        "long number in a line",
        lines(HELLO) + '\n{"id": ' + "1" * 5000 + "}",
        "talk.json line 2: holds a number",
    ),
]


@pytest.mark.parametrize(("document", "message"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_what_cannot_be_read_is_refused_with_its_place(document: Any, message: str) -> None:
    with pytest.raises(ConversationFormatError) as caught:
        read(document)
    assert message in str(caught.value)
    assert "Expected JSON or JSON Lines" in str(caught.value)
    str(caught.value).encode()


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_a_line_ends_where_json_lines_says_and_not_at_odd_signs(sign: str) -> None:
    """JSON lets U+2028 and its like stand inside a text as they are."""
    text = lines({"text": f"a{sign}b"}, {"text": "c"})
    raw = text.replace(json.dumps(sign)[1:-1], sign) if ord(sign) >= 0x20 else text
    assert [turn.text for turn in turns(raw)] == [f"a{sign}b", "c"]


# --- Anything at all --------------------------------------------------------------------------

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "text": st.text(max_size=5) | JSON,
        "content": JSON,
        "role": st.sampled_from(["user", "ai", "x"]) | JSON,
        "type": JSON,
        "speaker": JSON,
        "name": JSON,
        "turn_id": JSON,
        "id": JSON,
        "session_id": JSON,
        "timestamp": st.sampled_from(["2026-05-01", "24:00"]) | JSON,
        "at": JSON,
    },
)
SESSIONS = st.fixed_dictionaries(
    {"turns": st.lists(MESSAGES | JSON, max_size=2) | JSON},
    optional={"session_id": JSON, "timestamp": JSON},
)
DOCUMENTS = MESSAGES | JSON | st.fixed_dictionaries(
    {"sessions": st.lists(SESSIONS | JSON, max_size=2) | JSON}, optional={"conversation_id": JSON}
)  # fmt: skip


def _sound(name: str, found: list[Turn]) -> None:
    name.encode()
    for turn in found:
        for part in (turn.session_id, turn.turn_id, turn.speaker, turn.text):
            part.encode()
        assert turn.session_id
        assert turn.turn_id
        assert turn.role in ("user", "assistant", "tool", "system")
        assert turn.at is None or turn.at.tzinfo is UTC
    texts = {(turn.session_id, turn.turn_id): turn.text for turn in found}
    assert all(texts[turn.session_id, turn.turn_id] == turn.text for turn in found)


@given(DOCUMENTS | st.lists(DOCUMENTS, max_size=3), st.none() | st.text(max_size=3))
@example({"sessions": [{"turns": [{"text": "a"}], "timestamp": float("nan")}]}, None)
@example([{"text": "a", "timestamp": "0001-01-01T00:00:00+23:59"}], None)
def test_any_json_is_read_soundly_or_refused(document: Any, conversation: str | None) -> None:
    try:
        name, found = read(json.dumps(document), conversation)
    except ConversationFormatError as exc:
        assert str(exc).startswith("talk.json")
        return
    _sound(name, found)


@given(st.lists(DOCUMENTS, min_size=1, max_size=3), st.text(max_size=6), st.integers(0, 99))
def test_any_text_is_read_soundly_or_refused(documents: Any, junk: str, place: int) -> None:
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in documents)
    for broken in (junk, text, text[:place] + junk + text[place:], text[:place]):
        try:
            name, found = read(broken)
        except ConversationFormatError:
            continue
        _sound(name, found)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), min_size=1))
def test_every_text_arrives_as_it_was_said(texts: list[str]) -> None:
    """B35."""
    messages = [{"text": text} for text in texts]
    assert [turn.text for turn in turns(messages)] == texts
    assert [turn.text for turn in turns(lines(*messages))] == texts


@pytest.mark.parametrize("name", ["locomo", "memora_weekly", "longmemeval_pool"])
def test_real_conversations_are_read_whole(name: str) -> None:
    file = BENCH / name / "conversations.jsonl"
    if not file.exists():
        pytest.skip(f"no benchmark data at {file}")
    with file.open(encoding="utf-8") as stream:
        document = json.loads(stream.readline())
    title, found = read(document)
    said = [turn for part in document["sessions"] for turn in part["turns"]]
    assert title == document["conversation_id"]
    assert [turn.text for turn in found] == [each["text"] for each in said]
    assert [turn.turn_id for turn in found] == [each["turn_id"] for each in said]
    _sound(title, found)
