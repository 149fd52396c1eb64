"""Read a conversation file: the common shapes, told apart by what stands in them.

* a JSON list of messages: ``[{"role": "user", "content": "…", "timestamp": "…"}, …]``
* the same list as the ``"messages"`` of an object
* JSON Lines: one such message a line
* an object with sessions: ``{"conversation_id": …, "sessions": [{"session_id", "timestamp",
  "turns": [{"turn_id", "speaker", "text", "timestamp"}]}]}``
* JSON Lines of such objects, of which one is chosen by its ``conversation_id``

Timestamps are ISO 8601; one without an offset is taken as UTC. A turn without a role is the
user's, unless its speaker is called ``assistant``, ``system`` or ``tool``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from langgraph_memory.domain.events import Turn
from langgraph_memory.domain.json import check_text
from langgraph_memory.errors import ConversationFormatError, InvalidValueError

_PLAIN_ROLES = ("user", "assistant", "tool", "system")
_ROLES = {
    **{role: role for role in _PLAIN_ROLES},
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "function": "tool",
    "developer": "system",
}


def parse(text: str, *, where: str, conversation: str | None = None) -> tuple[str, list[Turn]]:
    """Return the conversation's name and its turns in order.

    Args:
        text: The file's content.
        where: The file's name, for messages.
        conversation: Which conversation of the file, where it holds several.

    Raises:
        ConversationFormatError: It is no such file, or the choice is missing or wrong.
    """
    documents = _documents(text.removeprefix("\ufeff"), where)
    if not documents:
        raise ConversationFormatError(where, "the list is empty")
    if len(documents) == 1 and isinstance(documents[0], dict) and "messages" in documents[0]:
        name = str(documents[0].get("conversation_id") or where)
        return name, list(_distinct(_from_messages(_messages(documents[0], where), where), where))
    if all(isinstance(each, dict) and "sessions" in each for each in documents):
        chosen = _choose(documents, where, conversation)
        name = _label(chosen, ("conversation_id",), where, where)
        return name, list(_distinct(_from_sessions(chosen, where), where))
    return where, list(_distinct(_from_messages(documents, where), where))


def _messages(document: dict[str, Any], where: str) -> list[Any]:
    messages = document["messages"]
    if not isinstance(messages, list):
        raise ConversationFormatError(where, '"messages" is not a list')
    return messages


def _documents(text: str, where: str) -> list[Any]:
    if not text.strip():
        raise ConversationFormatError(where, "the file is empty")
    try:
        whole = _decoded(text, where)
    except json.JSONDecodeError as exc:
        return _lines(text, where, exc)
    return whole if isinstance(whole, list) else [whole]


def _lines(text: str, where: str, whole: json.JSONDecodeError) -> list[Any]:
    documents: list[Any] = []
    for number, line in enumerate(text.split("\n"), start=1):  # splitlines() would cut texts
        if not line.strip():
            continue
        try:
            documents.append(_decoded(line, f"{where} line {number}"))
        except json.JSONDecodeError as exc:
            if not documents:
                raise ConversationFormatError(
                    f"{where} line {whole.lineno}", f"not JSON ({whole.msg})"
                ) from exc
            raise ConversationFormatError(
                f"{where} line {number}", f"not JSON ({exc.msg})"
            ) from exc
    return documents


def _decoded(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ConversationFormatError(where, "is nested too deeply") from None
    except ValueError:
        raise ConversationFormatError(where, "holds a number of too many digits") from None


def _choose(documents: list[Any], where: str, conversation: str | None) -> dict[str, Any]:
    names = [_label(each, ("conversation_id",), "", where) for each in documents]
    if conversation is not None:
        if conversation not in names:
            raise ConversationFormatError(
                where, f"holds no conversation {conversation!r}, only {', '.join(names)}"
            )
        found: dict[str, Any] = documents[names.index(conversation)]
        return found
    if len(documents) > 1:
        raise ConversationFormatError(
            where, f"holds {len(documents)} conversations ({', '.join(names)}); say which"
        )
    only: dict[str, Any] = documents[0]
    return only


def _from_sessions(document: dict[str, Any], where: str) -> Iterator[Turn]:
    if not isinstance(document["sessions"], list):
        raise ConversationFormatError(where, '"sessions" is not a list')
    for number, session in enumerate(document["sessions"], start=1):
        place = f"{where} session {number}"
        if not isinstance(session, dict) or not isinstance(session.get("turns"), list):
            raise ConversationFormatError(place, 'no list of "turns"')
        name = _label(session, ("session_id",), number, place)
        for index, turn in enumerate(session["turns"], start=1):
            spot = f"{place} turn {index}"
            fields = _object(turn, spot)
            said = _given(fields, ("timestamp", "at"), session.get("timestamp"))
            yield _turn({**fields, "timestamp": said}, name, index, spot)


def _from_messages(documents: list[Any], where: str) -> Iterator[Turn]:
    for index, message in enumerate(documents, start=1):
        spot = f"{where} message {index}"
        yield _turn(_object(message, spot), "1", index, spot)


def _turn(fields: dict[str, Any], session: str, index: int, where: str) -> Turn:
    text = fields.get("text")
    text = fields.get("content") if text is None else text
    if not isinstance(text, str):
        raise ConversationFormatError(where, 'no text under "text" or "content"')
    speaker = _label(fields, ("speaker", "name"), "", where)
    return Turn(
        session_id=_label(fields, ("session_id",), session, where),
        turn_id=_label(fields, ("turn_id", "id"), index, where),
        role=_role(fields, speaker, where),
        speaker=speaker,
        text=_storable(text, where),
        at=_instant(_given(fields, ("timestamp", "at"), None), where),
    )


def _role(fields: dict[str, Any], speaker: str, where: str) -> str:
    spoken = speaker if speaker in _PLAIN_ROLES else "user"
    role = _label(fields, ("role", "type"), spoken, where)
    if role.lower() not in _ROLES:
        raise ConversationFormatError(
            where, f'role {role!r} is none of {", ".join(_PLAIN_ROLES)}; names go under "speaker"'
        )
    return _ROLES[role.lower()]


def _given(fields: dict[str, Any], names: tuple[str, ...], default: Any) -> Any:
    """Return the first of the fields that is given: 0 is, None and the empty text are not."""
    return next((fields[each] for each in names if fields.get(each) not in (None, "")), default)


def _label(fields: dict[str, Any], names: tuple[str, ...], default: Any, where: str) -> str:
    value = _given(fields, names, default)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ConversationFormatError(
            where, f'"{names[0]}" is a {type(value).__name__}, not text or a number'
        )
    return _storable(str(value), where)


def _storable(text: str, where: str) -> str:
    try:
        return check_text(text, where)
    except InvalidValueError as exc:
        raise ConversationFormatError(where, f"a text {exc.problem}") from None


def _distinct(turns: Iterable[Turn], where: str) -> Iterator[Turn]:
    """Refuse different turns under one address: the later ones would be lost without a word."""
    texts: dict[tuple[str, str], str] = {}
    for turn in turns:
        if texts.setdefault((turn.session_id, turn.turn_id), turn.text) != turn.text:
            raise ConversationFormatError(
                f"{where} session {turn.session_id}", f"two turns have the id {turn.turn_id!r}"
            )
        yield turn


def _instant(value: Any, where: str) -> datetime | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        instant = datetime.fromisoformat(value)
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
    except (TypeError, ValueError, OverflowError, OSError) as exc:
        shown = repr(value)[:60]
        raise ConversationFormatError(where, f"timestamp {shown} is not ISO 8601") from exc


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConversationFormatError(where, f"is a {type(value).__name__}, not an object")
    return value
