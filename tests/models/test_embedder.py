"""The shipped embedder: the Embedder contract, its damage checks, threads and forks."""

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from langgraph_memory.errors import EmbedderDamagedError
from langgraph_memory.models import embedder as module
from langgraph_memory.models.embedder import FOLDER, MODEL, SHA256, TOKENIZER, MiniLmEmbedder
from langgraph_memory.ports import Embedder, Vectors

AWKWARD = {
    "empty": "",
    "blank": " \n\t",
    "NUL": "\0",
    "lone surrogate": "\ud800 tea",
    "emoji": "🎉👩\u200d💻❤️",
    "one giant word": "a" * 1_000_000,
    "a megabyte of words": "word " * 200_000,
    "ideographs": "用户喜欢寿司" * 5_000,
    "marks": "a" + "\u0300\u0323" * 50_000,
    "markers of the model": "[CLS] [SEP] [PAD] [MASK] [UNK]",
}


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def _cosine(embedder: MiniLmEmbedder, left: str, right: str) -> float:
    return float(embedder.embed_query(left) @ embedder.embed_query(right))


def test_it_names_its_model_and_keeps_the_contract(embedder: MiniLmEmbedder) -> None:
    port: Embedder = embedder
    assert port.dims == 384
    assert port.model_id == f"all-MiniLM-L6-v2:int8:{SHA256[MODEL][:12]}"


def test_documents_are_unit_rows_of_float32(embedder: MiniLmEmbedder) -> None:
    rows = embedder.embed_documents(["tea", "The launch moved to Monday."])
    assert rows.shape == (2, 384)
    assert rows.dtype == np.float32
    assert rows.flags.c_contiguous
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_no_documents_make_no_rows(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 384)


def test_a_paraphrase_is_nearer_than_another_subject(embedder: MiniLmEmbedder) -> None:
    """R22: found by meaning, with no word in common."""
    question = "When does the product go live?"
    near = _cosine(embedder, question, "The launch moved to Monday.")
    assert near > _cosine(embedder, question, "She adopted two kittens.") + 0.15


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_any_text_is_embedded(embedder: MiniLmEmbedder, text: str) -> None:
    """B36: one awkward text never breaks the batch it is in."""
    rows = embedder.embed_documents([text, "cake"])
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows[0]) == pytest.approx(1, abs=1e-6)
    assert (rows[1] == embedder.embed_query("cake")).all()


def test_a_text_has_one_vector_whatever_its_company(embedder: MiniLmEmbedder) -> None:
    alone = embedder.embed_query("Lina owns deployment.")
    long = "An entirely different and much longer text about the weather in the mountains. " * 9
    for company in ([], ["x"], [long], [long, "", long]):
        rows = embedder.embed_documents([*company, "Lina owns deployment."])
        assert (rows[-1] == alone).all()


def test_white_space_changes_nothing(embedder: MiniLmEmbedder) -> None:
    assert (embedder.embed_query(" a  b\n") == embedder.embed_query("a b")).all()


def test_254_pieces_are_read_and_no_more(embedder: MiniLmEmbedder) -> None:
    for words, same in ((253, False), (254, True), (20_000, True)):
        long = "budget " * words
        ends = (embedder.embed_query(long), embedder.embed_query(long + "kittens"))
        assert (ends[0] == ends[1]).all() == same


def test_markers_of_the_model_in_a_text_are_only_text(embedder: MiniLmEmbedder) -> None:
    assert _cosine(embedder, "[SEP]", "") < 0.9


def test_threads_share_one_model_and_agree(embedder: MiniLmEmbedder) -> None:
    texts = [f"note number {i}" for i in range(40)]
    expected = embedder.embed_documents(texts)
    with ThreadPoolExecutor(8) as pool:
        rows: list[Vectors] = list(pool.map(MiniLmEmbedder().embed_query, texts))
    assert (np.stack(rows) == expected).all()


def test_it_crosses_a_process_border_by_pickle(embedder: MiniLmEmbedder) -> None:
    copy: MiniLmEmbedder = pickle.loads(pickle.dumps(embedder))
    assert (copy.embed_query("tea") == embedder.embed_query("tea")).all()


def test_the_shipped_files_have_the_hashes_their_readme_states() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(digest in readme for digest in SHA256.values())
    assert "Apache License" in (FOLDER / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_an_altered_or_missing_file_is_named_and_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "minilm"
    folder.mkdir()
    for each in (MODEL, TOKENIZER):
        shutil.copyfile(FOLDER / each, folder / each)
    with (folder / name).open("r+b") as file:
        file.seek(1_000)
        file.write(b"\0tampered\0")
    with pytest.raises(EmbedderDamagedError, match="Reinstall") as altered:
        MiniLmEmbedder(folder).load()
    assert altered.value.path == str(folder / name)
    (folder / name).unlink()
    with pytest.raises(EmbedderDamagedError, match="cannot be read") as missing:
        MiniLmEmbedder(folder).embed_documents(["tea"])
    assert missing.value.path == str(folder / name)


def _run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    _run(
        f"import sys; before = set(sys.modules); import {module.__name__} as m\n"
        "m.MiniLmEmbedder().model_id\n"
        "assert not {'onnxruntime', 'tokenizers'} & (set(sys.modules) - before)"
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_a_forked_child_embeds_whatever_other_threads_held() -> None:
    """A lock or a session in use at the fork must not stop the child, loaded or not."""
    _run(
        "import os, signal, threading\n"
        "from langgraph_memory.models.embedder import FOLDER, MiniLmEmbedder, _lock\n"
        "warm, cold = MiniLmEmbedder(), MiniLmEmbedder(FOLDER / '..' / FOLDER.name)\n"
        "expected = warm.embed_query('tea')\n"
        "def busy():\n"
        "    while True: warm.embed_query('busy ' * 100)\n"
        "for _ in range(3): threading.Thread(target=busy, daemon=True).start()\n"
        "_lock.acquire()\n"
        "children = []\n"
        "for embedder in (warm, cold):\n"
        "    pid = os.fork()\n"
        "    if pid == 0:\n"
        "        signal.alarm(20)\n"
        "        os._exit(0 if (embedder.embed_query('tea') == expected).all() else 1)\n"
        "    children.append(pid)\n"
        "assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0]\n"
        "os._exit(0)"
    )
