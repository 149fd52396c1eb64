"""Opening a home: paths that are wrong, places that cannot be written, several at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from langgraph_memory import Settings, open_memory
from langgraph_memory.errors import (
    ClosedError,
    EmbedderMismatchError,
    InvalidScopeError,
    InvalidSettingError,
    ModelSetupError,
    NotAHomeError,
)
from langgraph_memory.testing import HashingEmbedder
from langgraph_memory.wiring import choose_model


def test_a_missing_folder_is_made(tmp_path: Path, settings: Settings) -> None:
    with open_memory(tmp_path / "a" / "b", settings=settings) as home:
        assert (home.path / "memory.sqlite").is_file()


def test_a_file_in_place_of_the_folder_is_left_alone(tmp_path: Path, settings: Settings) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("precious")
    for path in (file, file / "below"):
        with pytest.raises(NotAHomeError, match="left untouched"):
            open_memory(path, settings=settings)
    assert file.read_text() == "precious"


@pytest.mark.parametrize("name", ["memory.sqlite", "checkpoints.sqlite"])
@pytest.mark.parametrize("kind", ["text", "foreign database"])
def test_a_file_that_is_not_ours_is_left_alone(
    tmp_path: Path, settings: Settings, name: str, kind: str
) -> None:
    file = tmp_path / name
    if kind == "text":
        file.write_bytes(b"precious" * 1000)
    else:
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE theirs (x)")
        connection.close()
    before = file.read_bytes()
    with pytest.raises(NotAHomeError, match="left untouched"):
        open_memory(tmp_path, settings=settings)
    assert file.read_bytes() == before


_AS_NOBODY = """
import os, sys
from langgraph_memory import open_memory
from langgraph_memory.errors import HomeReadOnlyError
if os.getuid() == 0:  # root may write everywhere
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for path in (sys.argv[1], sys.argv[1] + "/new"):
    try:
        open_memory(path)
    except HomeReadOnlyError as error:
        print(error.message)
"""


def test_a_read_only_folder_is_an_error_that_says_so() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", _AS_NOBODY, folder], capture_output=True, text=True, check=False
        )
        Path(folder).chmod(0o755)
    assert done.stdout.count("cannot be written") == 2, done.stdout + done.stderr


def test_one_path_opened_twice_is_one_memory(tmp_path: Path, settings: Settings) -> None:
    first = open_memory(tmp_path, settings=settings)
    second = open_memory(tmp_path / ".", settings=settings)
    first.memory.scope(tenant="t", user="u").remember("I like tea")
    first.close()
    assert second.memory.scope(tenant="t", user="u").recall("Do I like tea?").evidence
    second.close()
    second.close()


def test_a_closed_home_says_so(tmp_path: Path, settings: Settings) -> None:
    home = open_memory(tmp_path, settings=settings)
    me = home.memory.scope(tenant="t", user="u")
    home.close()
    with pytest.raises(ClosedError, match="Open it again"):
        _ = home.memory
    with pytest.raises(ClosedError):
        me.recall("x")


def test_another_embedder_is_refused_by_name(tmp_path: Path, settings: Settings) -> None:
    """R27, B88: vectors of two models never mix; the home opens with the right one again."""
    with open_memory(tmp_path, settings=settings, embedder=HashingEmbedder(64)) as home:
        home.memory.scope(tenant="t", user="u").remember("I like tea")
        with pytest.raises(EmbedderMismatchError):
            open_memory(tmp_path, settings=settings, embedder=HashingEmbedder(32))
    with pytest.raises(EmbedderMismatchError, match="hashing-64"):
        open_memory(tmp_path, settings=settings)
    with open_memory(tmp_path, settings=settings, embedder=HashingEmbedder(64)) as home:
        assert home.memory.scope(tenant="t", user="u").contents().total == 1


@pytest.mark.parametrize(
    "user",
    ["jane.doe@example.com", "a.b", "a_b", "a%2Eb", " u1 ", "U1", "用户", "../../etc", "u=1", "*",
     "org"],
)  # fmt: skip
def test_any_text_is_a_user_id(tmp_path: Path, settings: Settings, user: str) -> None:
    """B3: reversible, never colliding, never folded."""
    with open_memory(tmp_path, settings=settings) as home:
        home.memory.scope(tenant="t", user=user).remember(f"I am {user}!", key="me")
        for other in ("a.b", "a_b", "u1", " u1 ", "U1", "org"):
            if other != user:
                assert home.memory.scope(tenant="t", user=other).contents().total == 0
        assert home.memory.scope(tenant="t", user=user).inspect("me").record.key == "me"


@pytest.mark.parametrize("user", ["", "  ", "\x00", "x" * 300])
def test_an_impossible_user_id_is_refused(tmp_path: Path, settings: Settings, user: str) -> None:
    with open_memory(tmp_path, settings=settings) as home, pytest.raises(InvalidScopeError):
        home.memory.scope(tenant="t", user=user)


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_DURABILITY", "sometimes")
    with pytest.raises(InvalidSettingError, match="MEMORY_DURABILITY"):
        Settings.load()


@pytest.mark.parametrize(
    "name",
    ["HOME", "TENANT", "USER", "MODEL", "DURABILITY", "INDEX", "TTL_MINUTES", "POLICY", "TIMEZONE",
     "ORGANIZATION", "KEEP_VERSIONS", "FILTER_FIELDS", "MODELS"],
)  # fmt: skip
def test_an_empty_variable_counts_as_unset(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """R74: an empty MEMORY_HOME is not the folder one happens to be in."""
    monkeypatch.setenv(f"MEMORY_{name}", "")
    assert Settings.load() == settings


def test_a_key_alone_chooses_no_model(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """R73: nothing leaves the machine unless a model was named."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert choose_model(Settings.load()).name.startswith("offline responder")


def test_a_model_without_a_key_says_what_to_set(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_MODEL", "some-model")
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY"):
        choose_model(Settings.load())


def test_two_processes_share_a_home(tmp_path: Path, settings: Settings) -> None:
    """R21: each sees the other's committed writes in its next call, by meaning too."""
    script = (
        "import sys\n"
        "from langgraph_memory import open_memory\n"
        "with open_memory(sys.argv[1]) as home:\n"
        "    me = home.memory.scope(tenant='t', user='u')\n"
        "    me.remember('The cellar key hangs behind the oven')\n"
        "    print('written', flush=True)\n"
        "    sys.stdin.readline()\n"
        "    print(me.recall('Where did we park the car?').evidence[0].content)\n"
    )
    with open_memory(tmp_path, settings=settings) as home:
        me = home.memory.scope(tenant="t", user="u")
        assert not me.recall("Where is the cellar key?").evidence
        child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == "written\n"
        assert me.recall("Where is the cellar key?").evidence
        me.remember("We parked the car in Mill Lane")
        out, _ = child.communicate("\n", timeout=60)
        assert out == "We parked the car in Mill Lane\n"


def test_nothing_is_imported_or_reached_that_need_not_be() -> None:
    """B93: no chromadb in the caller's process, no socket opened to start and to answer."""
    script = (
        "import socket, sys, tempfile\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = refuse\n"
        "from langgraph_memory import open_memory\n"
        "with tempfile.TemporaryDirectory() as d, open_memory(d) as home:\n"
        "    me = home.memory.scope(tenant='t', user='u')\n"
        "    me.remember('I like tea')\n"
        "    out = home.agent().invoke({'messages': [('user', 'Do I like tea?')]},\n"
        "        {'configurable': {'thread_id': 't'}}, context=me.context())\n"
        "    assert 'I like tea' in out['messages'][-1].text\n"
        "assert 'chromadb' not in sys.modules\n"
        "assert 'langchain_openai' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
