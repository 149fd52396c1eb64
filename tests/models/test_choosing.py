"""A run chooses among the models that were offered, and no others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from langgraph_memory.errors import InvalidSettingError, ModelSetupError
from langgraph_memory.models.choosing import Models, model_named
from langgraph_memory.models.langchain import LangChainChat
from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.ports import ChatModel
from langgraph_memory.testing import ScriptedChatModel

DEFAULT = LangChainChat(ScriptedChatModel(["hello"], model_name="house"))


def test_nobody_chosen_is_the_default() -> None:
    models = Models(DEFAULT)
    assert models.named(None) is models.named("") is models.named("house") is DEFAULT


def test_the_offline_responder_may_always_be_chosen() -> None:
    assert isinstance(Models(DEFAULT).named("offline"), OfflineResponder)


def test_a_name_that_is_not_offered_is_refused_with_those_that_are() -> None:
    """A request must not spend on a model that nobody meant to pay for."""
    models = Models(DEFAULT, offered=["openai:gpt-5-mini"])
    assert models.names == ("offline", "openai:gpt-5-mini")
    with pytest.raises(InvalidSettingError, match="Choose one of: offline, openai:gpt-5-mini"):
        models.named("openai:gpt-5-pro")


def test_a_model_is_made_once_whoever_asks() -> None:
    made: list[str] = []

    def make(name: str) -> ChatModel:
        made.append(name)
        return OfflineResponder()

    models = Models(DEFAULT, make, offered=["openai:gpt-5-mini"])
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(models.named, ["openai:gpt-5-mini", "gpt-5-mini"] * 20))
    assert len(found) == len(made) == 1


def test_a_name_makes_a_model() -> None:
    assert isinstance(model_named("offline"), OfflineResponder)
    assert model_named("openai:gpt-x", api_key="k").name == "OpenAI model gpt-x"
    assert "at http://127.0.0.1:1/v1" in model_named("x", base_url="http://127.0.0.1:1/v1").name
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY"):
        model_named("openai:gpt-x")
