"""verify and reindex on the command line."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from langgraph_memory import Settings
from langgraph_memory.cli.main import run

Cli = Callable[..., tuple[int, str, str]]

MODELS = """
from langchain_core.embeddings import Embeddings as Base

from langgraph_memory.testing import HashingEmbedder


class Embeddings(Base):
    model = "three-letters"

    def embed_documents(self, texts):
        return [[float(text.count(letter)) + 0.01 for letter in "aei"] for text in texts]

    def embed_query(self, text):
        return self.embed_documents([text])[0]


class Dead(Embeddings):
    def embed_documents(self, texts):
        raise OSError("no route to host")


def made():
    return Embeddings()


ready = Embeddings()
ours = HashingEmbedder(16)
number = 5
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def cli(
    home: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cli:  # fmt: skip
    """Run a command in this process and return exit code, output and errors."""
    models = home.parent / "upkeep_models.py"
    models.write_text(MODELS)
    monkeypatch.chdir(home.parent)
    monkeypatch.setenv("MEMORY_HOME", str(home))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "upkeep_models", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["langgraph-memory", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture(scope="session")
def two_memories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two memories, made once."""
    path = tmp_path_factory.mktemp("upkeep") / "home"
    env = {**os.environ, "MEMORY_HOME": str(path)}
    for text in ("The launch moved to Monday", "Lina owns deployment"):
        command = [sys.executable, "-m", "langgraph_memory.cli.main", "remember", text]
        subprocess.run(command, env=env, check=True, capture_output=True)
    return path


@pytest.fixture
def filled(two_memories: Path, home: Path) -> Path:
    shutil.copytree(two_memories, home)
    return home


def change(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / "memory.sqlite")) as sql, sql:
        sql.execute(statement)


def _json(told: tuple[int, str, str]) -> Any:
    return json.loads(told[1])


@pytest.mark.parametrize("command", ["verify", "reindex"])
def test_where_there_is_no_home_none_is_made(cli: Cli, home: Path, command: str) -> None:
    code, _, err = cli(command)
    assert (code, "no memory home here" in err) == (3, True)
    assert not home.exists()


def test_a_whole_home_passes(cli: Cli, filled: Path) -> None:
    code, out, _ = cli("verify")
    assert code == 0
    assert "ok    records: 2\n" in out
    assert "ok    chroma index: 0 (not made yet; searches are exact)" in out
    assert "WRONG" not in out
    found = _json(cli("verify", "--json"))
    assert found["whole"] is True
    assert {"name": "words", "counted": 2, "found": 0, "faults": [], "note": ""} in found["checks"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET path = CAST(path AS BLOB) WHERE row = 1",
        "UPDATE records SET path = CAST(x'6d61a02e' AS TEXT) WHERE row = 1",
        "UPDATE records SET expires_at = 'abc' WHERE row = 1",
        "UPDATE versions SET valid_until = 5 WHERE row = 1",
    ],
)
def test_damage_to_the_truth_is_told_and_what_is_derived_repaired_all_the_same(
    cli: Cli, filled: Path, statement: str
) -> None:
    change(filled, statement)
    change(filled, "DELETE FROM words WHERE rowid = 2")
    code, out, err = cli("verify", "--repair")
    assert (code, "(truth)" in out) == (3, True), err
    assert "ok    words: " in out
    assert cli("verify")[0] == 3


def test_what_is_derived_is_named_then_repaired(cli: Cli, filled: Path) -> None:
    change(filled, "DELETE FROM words")
    change(filled, "DELETE FROM vectors")
    code, out, _ = cli("verify")
    assert code == 3
    assert "WRONG words: 2, 2 faults" in out
    assert "a vector is missing (derived)" in out
    assert "verify --repair" in out
    assert "Monday" not in out
    code, out, _ = cli("verify", "--repair")
    assert (code, "faults before the repair, 0 after it." in out) == (0, True)
    assert cli("search", "When is the launch?")[0] == 0
    assert cli("verify")[0] == 0


def test_exchanged_vectors_are_named_then_made_anew(cli: Cli, filled: Path) -> None:
    change(
        filled,
        "UPDATE vectors SET vector = (SELECT vector FROM vectors AS other WHERE other.row = 1) "
        "WHERE row = 2",
    )
    code, out, _ = cli("verify")
    assert (code, "its vectors are not those of its texts (derived)" in out) == (3, True)
    assert cli("verify", "--repair")[0] == 0
    assert cli("verify")[0] == 0


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM settings WHERE name = 'space'",
        "UPDATE settings SET value = '[\"other\",3]' WHERE name = 'space'",
        "DROP TABLE settings",
    ],
)
@pytest.mark.parametrize("model", ["default", "upkeep_models:ours"])
def test_a_lost_name_of_the_model_is_one_finding_and_put_back(
    cli: Cli, filled: Path, statement: str, model: str
) -> None:
    cli("reindex", "--embedder", model)
    change(filled, statement)
    code, out, _ = cli("verify")
    assert code == 3
    assert out.count("WRONG embedding model") == 1
    assert "vectors: 2, " not in out
    code, out, _ = cli("verify", "--repair")
    assert (code, "not compared" in out) == (0, False), out
    assert cli("verify")[0] == 0
    assert cli("search", "launch")[0] == (0 if model == "default" else 3)


def test_what_is_truth_is_named_and_stays(cli: Cli, filled: Path) -> None:
    change(filled, "DELETE FROM versions WHERE row = 1")
    for options in ([], ["--repair"]):
        code, out, _ = cli("verify", *options)
        assert code == 3
        assert "has no version (truth)" in out
        assert "restore it from a backup" in out
    told = cli("verify", "--repair", "--json")
    assert (told[0], _json(told)["whole"]) == (3, False)
    assert _json(told)["before"]


def test_a_damaged_file_is_a_sentence_and_a_code(cli: Cli, filled: Path) -> None:
    (filled / "memory.sqlite").write_bytes(b"not ours" * 1000)
    code, _, err = cli("verify")
    assert (code, "left untouched" in err) == (3, True)


def test_a_reindex_without_a_model_embeds_nothing(cli: Cli, filled: Path) -> None:
    """R21."""
    change(filled, "DELETE FROM words")
    code, out, _ = cli("reindex")
    assert (code, out) == (
        0, "2 records: words of 2 made anew, index filled. Nothing was embedded.\n",
    )  # fmt: skip
    assert _json(cli("reindex", "--json")) == {"records": 2, "words": 0, "index": True}
    assert cli("verify")[0] == 0


def test_a_home_moves_to_a_model_of_ones_own_and_back(cli: Cli, filled: Path) -> None:
    """R27, B88."""
    code, out, _ = cli("reindex", "--embedder", "upkeep_models:Embeddings", "--dims", "3")
    assert code == 0
    assert out == "Moved to Embeddings:three-letters (3 dimensions): 2 records embedded.\n"
    code, _, err = cli("search", "When is the launch?")
    assert code == 3
    for part in ("Embeddings:three-letters", "MiniLM", "langgraph-memory reindex"):
        assert part.lower() in err.lower()
    done = _json(cli("reindex", "--embedder", "default", "--json"))
    assert (done["before"]["model_id"], done["records"]) == ("Embeddings:three-letters", 2)
    assert cli("search", "When is the launch?")[0] == 0
    code, out, _ = cli("reindex", "--embedder", "default")
    assert (code, "Nothing was embedded." in out) == (0, True)


@pytest.mark.parametrize("name", ["ready", "made", "Embeddings", "ours"])
def test_dimensions_are_asked_of_the_model(cli: Cli, filled: Path, name: str) -> None:
    dims = _json(cli("reindex", "--embedder", f"upkeep_models:{name}", "--json"))["dims"]
    assert dims == (16 if name == "ours" else 3)
    assert cli("verify", "--embedder", f"upkeep_models:{name}")[0] == 0


def test_a_home_of_another_model_is_looked_at_without_it(cli: Cli, filled: Path) -> None:
    """Only vectors cannot be made without it."""
    cli("reindex", "--embedder", "upkeep_models:ours")
    assert cli("verify")[0] == 0
    assert cli("reindex")[0] == 0
    change(filled, "DELETE FROM vectors WHERE row = 1")
    code, out, _ = cli("verify")
    assert (code, "a vector is missing (derived)" in out) == (3, True)
    code, out, _ = cli("verify", "--repair")
    assert (code, "name it with --embedder" in out) == (3, True)
    code, out, _ = cli("verify", "--embedder", "upkeep_models:ours")
    assert (code, "a vector is missing (derived)" in out) == (3, True)
    assert cli("verify", "--embedder", "upkeep_models:ours", "--repair")[0] == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("upkeep_models", "no module:attribute"),
        ("no_such_module:x", "No module named 'no_such_module'"),
        ("upkeep_models:absent", "absent"),
        ("upkeep_models:number", "no Embeddings object of LangChain's, but 5"),
    ],
)
def test_a_name_that_is_no_embedder_is_a_wrong_call(
    cli: Cli, filled: Path, name: str, problem: str
) -> None:
    code, _, err = cli("reindex", "--embedder", name)
    assert (code, problem in err) == (2, True), err


def test_a_model_that_does_not_work_changes_nothing_and_the_move_is_told_of(
    cli: Cli, filled: Path
) -> None:
    for dims in ([], ["--dims", "3"]):
        code, _, err = cli("reindex", "--embedder", "upkeep_models:Dead", *dims)
        assert (code, "no route to host" in err) == (3, True)
    assert cli("search", "When is the launch?")[0] == 0
    code, out, _ = cli("reindex")
    assert "A move to Dead:three-letters is half done" in out
    assert "a move to Dead:three-letters is under way" in cli("verify")[1]


def test_a_factory_that_cannot_make_a_model_is_a_sentence(cli: Cli, filled: Path) -> None:
    code, _, err = cli("reindex", "--embedder", "json:dumps")
    assert code == 2
    assert "--embedder json:dumps could not be made: TypeError" in err
    assert "Traceback" not in err
