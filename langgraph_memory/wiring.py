"""Puts a memory together from a path and settings: the only place that picks classes.

One set of engines serves a real path in a process, however often the path is opened; the
last one to close it ends it.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from langgraph_memory.errors import (
    EmbedderMismatchError,
    EmbedderMovedError,
    InvalidSettingError,
    StorageError,
)
from langgraph_memory.memory import Memory
from langgraph_memory.models.choosing import Models, model_named
from langgraph_memory.models.clock import SystemClock
from langgraph_memory.models.embedder import MiniLmEmbedder
from langgraph_memory.models.langchain import chat_model
from langgraph_memory.models.offline import OfflineResponder
from langgraph_memory.operations.capture import inherit
from langgraph_memory.operations.engine import Engine
from langgraph_memory.operations.namesakes import ProvenEmbedder, proven
from langgraph_memory.operations.worker import Worker, work_off
from langgraph_memory.policy.retention import KEEP_VERSIONS, Retention
from langgraph_memory.policy.rulebook import WritePolicy
from langgraph_memory.ports import ChatModel, Embedder, Space
from langgraph_memory.storage.checkpoints.saver import CheckpointSaver
from langgraph_memory.storage.chroma.index import ChromaIndex
from langgraph_memory.storage.chroma.mirror import ChromaMirror
from langgraph_memory.storage.exact.fields import ExactFields
from langgraph_memory.storage.exact.index import ExactIndex
from langgraph_memory.storage.exact.words import ExactWords
from langgraph_memory.storage.folder import (
    CHECKPOINTS,
    DATABASE,
    INDEX,
    check_place,
    has_home,
    prepare_folder,
)
from langgraph_memory.storage.follow import Follower
from langgraph_memory.storage.policy_file import policy_of_home, shipped_policy, tables_of
from langgraph_memory.storage.route import RoutedIndex
from langgraph_memory.storage.sqlite.database import SqliteDatabase, engine_version
from langgraph_memory.text.complaints import complaint

FOLLOW_AFTER_SECONDS = 3.0
"""How long a home is open before its index is brought up to date: short commands never pay."""

CLOSING_SECONDS = 2.0
"""How long closing a home may spend on background work; the rest waits for the next opening."""


class Settings(BaseSettings):
    """What can be set from outside, each by an environment variable of its name in capitals.

    A variable that is empty counts as unset: so scripts and containers leave one out.

    ``MEMORY_HOME`` · ``MEMORY_TENANT`` · ``MEMORY_USER`` · ``MEMORY_MODEL`` ·
    ``MEMORY_MODELS`` (what a run may choose instead, names with commas between) ·
    ``MEMORY_MODEL_TIMEOUT_SECONDS`` · ``MEMORY_MODEL_RETRIES`` ·
    ``MEMORY_DURABILITY`` · ``MEMORY_INDEX`` ·
    ``MEMORY_TTL_MINUTES`` · ``MEMORY_MAX_ITEMS`` · ``MEMORY_KEEP_VERSIONS`` ·
    ``MEMORY_FILTER_FIELDS`` (names with commas between) ·
    ``MEMORY_POLICY`` (a write policy, instead of the home's policy.toml) ·
    ``MEMORY_TIMEZONE`` (where "tomorrow" begins: Europe/Berlin; UTC if unset) ·
    ``MEMORY_ORGANIZATION`` (``open``: every user of a tenant reads it; ``closed``: whoever was
    granted a role) ·
    ``MEMORY_KEEP_WITHIN_SECONDS`` (how long messages that follow may put off the keeping of what
    was said in passing) · ``MEMORY_TIMEOUT_SECONDS`` · ``OPENAI_API_KEY`` · ``OPENAI_BASE_URL``
    """

    model_config = SettingsConfigDict(
        env_prefix="MEMORY_", env_ignore_empty=True, populate_by_name=True, extra="ignore"
    )

    home: Path = Path("memory")
    tenant: str | None = None
    user: str | None = None
    model: str | None = None
    models: Annotated[tuple[str, ...], NoDecode] = ()
    durability: Literal["normal", "full"] = "normal"
    index: Literal["auto", "exact", "chroma"] = "auto"
    ttl_minutes: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    max_items: int | None = Field(default=None, ge=1)
    keep_versions: int = Field(default=KEEP_VERSIONS, ge=0)
    filter_fields: Annotated[tuple[str, ...], NoDecode] = ()
    policy: Path | None = None
    timezone: str = "UTC"
    organization: Literal["open", "closed"] = "open"
    keep_within_seconds: float = Field(default=10.0, gt=0, le=86_400)
    timeout_seconds: float = Field(default=30.0, gt=0, le=3600)
    model_timeout_seconds: float = Field(default=60.0, gt=0, le=3600)
    model_retries: int = Field(default=2, ge=0, le=20)
    api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")

    @field_validator("filter_fields", "models", mode="before")
    @classmethod
    def _split(cls, given: Any) -> Any:
        names = given.split(",") if isinstance(given, str) else given
        return tuple(filter(None, map(str.strip, names)))

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
            raise ValueError("give a name as in Europe/Berlin, or UTC") from exc
        return name

    def declaring(self, fields: str | Sequence[str]) -> Self:
        """Return these settings with more filter fields; a text is one field."""
        more = (fields,) if isinstance(fields, str) else tuple(fields)
        return self.model_copy(update={"filter_fields": (*self.filter_fields, *more)})

    @classmethod
    def load(cls) -> Settings:
        """Return the settings of this environment.

        Raises:
            InvalidSettingError: A variable has an impossible value.
        """
        try:
            return cls()
        except ValidationError as exc:
            wrong = complaint(exc, cls)
            name = "_".join(wrong.path)
            name = name if name.isupper() else f"{cls.model_config['env_prefix']}{name.upper()}"
            raise InvalidSettingError(name, f"is wrong: {wrong.problem}.") from exc


@dataclass(slots=True)
class Parts:
    """Everything that stands behind one home, shared by all who opened it in this process."""

    path: Path
    memory: Memory
    engine: Engine
    database: SqliteDatabase
    saver: CheckpointSaver
    index: RoutedIndex
    follower: Follower
    worker: Worker
    opened: int = 1

    def close(self) -> None:
        """End background work, then close the files."""
        self.worker.close()
        with suppress(StorageError, EmbedderMismatchError):
            work_off(self.engine, early=True, seconds=CLOSING_SECONDS)
        with suppress(StorageError):
            self.engine.flush_usage(wait_seconds=CLOSING_SECONDS)
        self.follower.close()
        self.index.close()
        self.saver.close()
        self.database.close()


_open: dict[Path, Parts] = {}
_lock = threading.Lock()


def _reset_after_fork() -> None:
    """A child of a fork opens homes anew: a parent's connections and threads are not its own."""
    global _lock
    _lock = threading.Lock()
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)


def acquire(path: Path, settings: Settings, *, embedder: Embedder | None = None) -> Parts:
    """Return the parts of a home, built if this process has not opened it yet.

    Those of a home that was moved to another embedder since are left to who has them: what
    is opened now gets new ones.

    Raises:
        NotAHomeError, HomeIncompleteError, HomeReadOnlyError, HomeVersionError,
            EmbedderMismatchError: As their names say; nothing was changed.
        InvalidInputError: A filter field that can have no index.
    """
    real = prepare_folder(path)
    with _lock:
        parts = _open.get(real)
        if parts is None or _left_behind(parts):
            parts = _open[real] = _build(real, settings, embedder or MiniLmEmbedder())
        else:
            _check_same_embedder(parts, embedder)
            parts.opened += 1
    try:
        if isinstance(parts.engine.embedder, ProvenEmbedder):
            parts.engine.embedder.check_at_opening(embedder)
        parts.database.declare_filter_fields(settings.filter_fields)
    except BaseException:
        release(parts)
        raise
    return parts


@contextmanager
def for_upkeep(
    path: Path, settings: Settings, *, embedder: Embedder | None = None
) -> Iterator[Engine]:
    """Open a home for upkeep alone: whatever its embedder, and with no work in the background.

    The engine has the embedder, the shipped one if none is given, only where the home is
    bound to it. It binds nothing, so that a look at a home changes nothing in it.

    Raises:
        NotAHomeError, HomeReadOnlyError, HomeVersionError: As their names say.
    """
    real = prepare_folder(path)
    given = embedder or MiniLmEmbedder()
    with ExitStack() as opened:
        database = SqliteDatabase.open(
            real / DATABASE,
            timeout_seconds=settings.timeout_seconds,
            durability=settings.durability,
        )
        opened.callback(database.close)
        saver = CheckpointSaver.open(real / CHECKPOINTS, timeout_seconds=settings.timeout_seconds)
        opened.callback(saver.close)
        with database.read() as tx:
            space = tx.space() or _space_of(given)
        exact = ExactIndex(database, space.dims)
        follower = Follower(database, ChromaMirror(real / INDEX))
        opened.callback(follower.close)
        index = RoutedIndex(exact, ChromaIndex(database, follower, exact), mode=settings.index)
        opened.callback(index.close)
        ours = proven(given, database) if _space_of(given) == space else None
        yield Engine(
            database, index, ExactWords(), ExactFields(), ours, SystemClock(), new_id,
            write_policy(settings, real), saver,
        )  # fmt: skip


def release(parts: Parts) -> None:
    """Give the parts back; the last one to do so closes them."""
    with _lock:
        parts.opened -= 1
        if parts.opened:
            return
        if _open.get(parts.path) is parts:
            del _open[parts.path]
    parts.close()


def choose_model(settings: Settings) -> ChatModel:
    """Return the chat model of these settings; without ``MEMORY_MODEL``, the offline responder.

    A key alone does not choose a model: nothing leaves the machine unless it was asked to.

    Raises:
        ModelSetupError: The model needs a key and has none.
    """
    if not settings.model:
        return OfflineResponder()
    key = settings.api_key.get_secret_value() if settings.api_key else None
    return chat_model(
        settings.model,
        api_key=key,
        base_url=settings.base_url,
        timeout_seconds=settings.model_timeout_seconds,
        retries=settings.model_retries,
    )


def choose_models(settings: Settings, *, default: ChatModel | None = None) -> Models:
    """Return the models that runs may choose from; raises as :func:`choose_model`.

    Args:
        settings: ``MEMORY_MODELS`` names what is offered besides the default.
        default: Who answers where a run chooses nobody, instead of ``MEMORY_MODEL``.
    """
    key = settings.api_key.get_secret_value() if settings.api_key else None
    make = partial(
        model_named,
        api_key=key,
        base_url=settings.base_url,
        timeout_seconds=settings.model_timeout_seconds,
        retries=settings.model_retries,
    )
    named = [settings.model] if settings.model else []
    return Models(default or choose_model(settings), make, offered=(*named, *settings.models))


def write_policy(settings: Settings, home: Path | None = None) -> WritePolicy:
    """Return the write policy that counts: the shipped one, with a file's rules laid over it.

    Args:
        settings: ``MEMORY_POLICY`` names the file.
        home: The folder whose ``policy.toml`` counts where no file is named.

    Raises:
        InvalidPolicyError: A rule is not known, or cannot be; or the file cannot be read.
    """
    named = settings.policy or (policy_of_home(home) if home else None)
    if named is None:
        return WritePolicy.of(shipped_policy())
    return WritePolicy.of(shipped_policy(), over=tables_of(named), file=str(named))


__all__ = [
    "CHECKPOINTS",
    "DATABASE",
    "INDEX",
    "Parts",
    "Settings",
    "acquire",
    "check_place",
    "choose_model",
    "choose_models",
    "engine_version",
    "for_upkeep",
    "has_home",
    "release",
    "write_policy",
]


def new_id() -> str:
    """Return 20 hexadecimal digits from the system's random source."""
    return secrets.token_hex(10)


def _build(real: Path, settings: Settings, embedder: Embedder) -> Parts:
    database = SqliteDatabase.open(
        real / DATABASE,
        timeout_seconds=settings.timeout_seconds,
        durability=settings.durability,
    )
    undo: list[Callable[[], None]] = [database.close]
    try:
        saver = CheckpointSaver.open(
            real / CHECKPOINTS,
            timeout_seconds=settings.timeout_seconds,
            durability=settings.durability,
        )
        undo.append(saver.close)
        exact = ExactIndex(database, embedder.dims, space=_space_of(embedder))
        follower = Follower(database, ChromaMirror(real / INDEX))
        index = RoutedIndex(exact, ChromaIndex(database, follower, exact), mode=settings.index)
        bounds = Retention(settings.max_items, settings.keep_versions or None)
        engine = Engine(
            database, index, ExactWords(), ExactFields(), proven(embedder, database),
            SystemClock(), new_id, write_policy(settings, real), saver, retention=bounds,
            zone=ZoneInfo(settings.timezone),
            closed=settings.organization == "closed",
            patience=timedelta(seconds=settings.keep_within_seconds),
        )  # fmt: skip
        engine.bind_space()
        saver.on_copy(partial(inherit, engine))
        worker = Worker(engine)
    except BaseException:
        for step in reversed(undo):
            step()
        raise
    parts = Parts(real, Memory(engine), engine, database, saver, index, follower, worker)
    worker.start()
    follower.start(delay_seconds=FOLLOW_AFTER_SECONDS)
    return parts


def _space_of(embedder: Embedder) -> Space:
    return Space(embedder.model_id, embedder.dims)


def _left_behind(parts: Parts) -> bool:
    """Tell whether a home was moved to another embedder since these parts were built."""
    with parts.database.read() as tx:
        try:
            parts.engine.check_space(tx)
        except EmbedderMovedError:
            return True
    return False


def _check_same_embedder(parts: Parts, embedder: Embedder | None) -> None:
    ours = parts.engine.embedder
    if embedder is None or ours is None or _space_of(embedder) == _space_of(ours):
        return
    raise EmbedderMismatchError(ours.model_id, ours.dims, embedder.model_id, embedder.dims)
