"""In which language the embedded model answers."""

from __future__ import annotations

import pytest

from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.ports import ChatMessage, Request


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("我住在东京", "知道了"),
        ("私は東京に住んでいます", "Noted"),
        ("東京タワーが好きです", "Noted"),
        ("I live in Tokyo", "Noted"),
    ],
)
def test_kana_is_not_answered_in_chinese(said: str, begins: str) -> None:
    """R73: Japanese is answered as other languages are, in English."""
    request = Request((ChatMessage("user", said),), noted=(said,))
    assert OfflineResponder().answer(request).text.startswith(begins)
