"""Which chat models a run may choose from, by name; each is made when it is first asked for.

A run's settings come from a request, the bill goes to whoever set the server up: so a name
is looked up among those that were offered, and never made a model of because it was asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from langgraph_memory.errors import InvalidSettingError
from langgraph_memory.models.langchain import RETRIES, TIMEOUT_SECONDS, chat_model
from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.ports import ChatModel

OFFLINE = "offline"
_OPENAI = "openai:"


def model_named(
    name: str, *, api_key: str | None = None, base_url: str | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS, retries: int = RETRIES,
) -> ChatModel:  # fmt: skip
    """Return the model of a name: ``offline``, ``openai:gpt-5-mini``, or without ``openai:``.

    Args:
        name: The name.
        api_key: The key; may be left out for a server of one's own.
        base_url: The server's address; OpenAI's if omitted.
        timeout_seconds: How long the server may be silent.
        retries: How often a failed request is sent again.

    Raises:
        ModelSetupError: The model needs a key or an address, and there is neither.
    """
    if name == OFFLINE:
        return OfflineResponder()
    return chat_model(
        name, api_key=api_key, base_url=base_url, timeout_seconds=timeout_seconds, retries=retries
    )


class Models:
    """The models that runs of one graph may choose from.

    Args:
        default: Who answers where a run chooses nobody.
        make: Makes a model of a name, as ``model_named`` does.
        offered: The names that may be chosen, besides ``offline``.
    """

    def __init__(
        self, default: ChatModel, make: Callable[[str], ChatModel] = model_named, *,
        offered: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.default = default
        self._make = make
        self._offered = {_bare(each): each for each in (OFFLINE, *offered)}
        self._made: dict[str, ChatModel] = {}
        self._lock = threading.Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """Return what may be chosen."""
        return tuple(self._offered.values())

    def named(self, name: str | None) -> ChatModel:
        """Return the model of a name, the default for None; blocks while one is made.

        Raises:
            InvalidSettingError: It is not offered.
            ModelSetupError: It needs a key or an address, and there is neither.
        """
        if not name or name == self.default.name:
            return self.default
        bare = _bare(name)
        if bare not in self._offered:
            raise InvalidSettingError(
                "model",
                f"is {name!r}, which is not offered. Choose one of: {', '.join(self.names)}.",
            )
        with self._lock:
            if bare not in self._made:
                self._made[bare] = self._make(name)
            return self._made[bare]


def _bare(name: str) -> str:
    return name.removeprefix(_OPENAI)
