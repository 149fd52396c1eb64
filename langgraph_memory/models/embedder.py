"""The default embedder: all-MiniLM-L6-v2, int8, shipped with the package and run on the CPU.

Theory of operation. Dynamic int8 quantization scales by what shares the batch, so the same
text gets slightly different vectors in different company: texts are embedded one at a time,
which on a CPU is as fast. The bytes that were hashed are the bytes that are run. One model
is loaded per process and folder, on first use, and shared by all threads; a forked child
loads its own, because a lock or an arena that another thread held at the fork stays held.

A longer text than 256 word pieces is embedded by its beginning: see ``text.windows``.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from langgraph_memory.errors import EmbedderDamagedError, EmbeddingError
from langgraph_memory.ports import AskedPieces, Signs, Vectors

FOLDER = Path(__file__).parent / "minilm"
MODEL = "minilm-l6-v2-int8-rr.onnx"
TOKENIZER = "tokenizer.json"
SHA256 = {
    MODEL: "be18e996f8de2423ac1e1a57fdd1351e4ff1cb71459f54e7f6863512c609ff31",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
DIMS = 384
MOST_PIECES = 256
_FIRST_WORD, _AS_RARE = 990, 50
_MOST_CHARACTERS = 8_000
"""Far more than 256 pieces of any language need; keeps a megabyte from the tokenizer."""


class MiniLmEmbedder:
    """The Embedder port on the shipped weights. English; deterministic; safe in any thread.

    Nothing is loaded, and neither onnxruntime nor tokenizers imported, before the first text.

    Args:
        folder: Where the weights lie; the shipped ones if omitted. Their hashes must be the
            same.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    @property
    def model_id(self) -> str:
        """Name, quantization and the first half-dozen bytes of the weights' hash."""
        return f"all-MiniLM-L6-v2:int8:{SHA256[MODEL][:12]}"

    @property
    def dims(self) -> int:
        """Length of a vector: 384."""
        return DIMS

    def load(self) -> None:
        """Load the model now rather than with the first text.

        Raises:
            EmbedderDamagedError: A file is missing, unreadable or altered.
        """
        _loaded(self._folder)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return ``(len(texts), 384)`` float32 unit rows, the same for a text in any company.

        Raises:
            EmbedderDamagedError: The weights are missing or altered.
            EmbeddingError: The model could not be run.
        """
        model = _loaded(self._folder)
        rows = np.empty((len(texts), DIMS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = model.embed(text)
        return rows

    def embed_query(self, text: str) -> Vectors:
        """Return one ``(384,)`` float32 unit vector. Raises as ``embed_documents``."""
        return _loaded(self._folder).embed(text)

    def embed_pieces(self, text: str) -> tuple[Vectors, Signs]:
        """Return ``(384,)``, and ``(n, 48)`` signs of the word pieces. Raises as above."""
        model = _loaded(self._folder)
        _, pieces, vector = model.read(text)
        return vector, np.packbits(pieces > 0, axis=1)

    def embed_question(self, text: str) -> tuple[Vectors, AskedPieces]:
        """Return ``(384,)``, and ``(n, 384)`` word pieces with their weights. Raises as above.

        The vocabulary lists words by how frequent they were where the model learned: the
        further down, the rarer.
        """
        ids, pieces, vector = _loaded(self._folder).read(text)
        weights = np.log1p(np.maximum(0, ids - _FIRST_WORD) / _AS_RARE)
        return vector, AskedPieces(pieces, weights.astype(np.float32))

    def reads(self, text: str) -> bool:
        """Tell whether at least half of the letters are Latin: the model learned English."""
        letters = [each for each in text if each.isalpha()]
        latin = sum(1 for each in letters if each < "\u0250")
        return 2 * latin >= len(letters)


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded model: an onnxruntime session and its tokenizer."""

    session: Any
    tokenizer: Any

    def embed(self, text: str) -> Vectors:
        """Return one ``(384,)`` float32 unit vector."""
        return self.read(text)[2]

    def read(self, text: str) -> tuple[npt.NDArray[np.int64], Vectors, Vectors]:
        """Return ``(n,)`` ids of the word pieces, their ``(n, 384)`` unit rows, and the text's."""
        try:
            ids = np.array(self.tokenizer.encode(_readable(text)).ids, dtype=np.int64)
            hidden = self._run(ids[np.newaxis])
        except Exception as exc:
            raise EmbeddingError(f"The embedder failed: {exc}. Nothing was stored.") from exc
        mean = hidden.mean(axis=0)
        pieces = hidden[1:-1]
        pieces = pieces / np.linalg.norm(pieces, axis=1, keepdims=True)
        return ids[1:-1], pieces, mean / np.linalg.norm(mean)

    def _run(self, ids: npt.NDArray[np.int64]) -> Vectors:
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (hidden,) = self.session.run(None, feed)
        found: Vectors = hidden[0]
        return found


_models: dict[Path, _Model] = {}
_lock = threading.Lock()
_abandoned: list[dict[Path, _Model]] = []


def _loaded(folder: Path) -> _Model:
    model = _models.get(folder)
    if model is None:
        with _lock:
            model = _models.get(folder) or _load(folder)
            _models[folder] = model
    return model


def _forget_after_fork() -> None:
    """Start the child anew; the parent's sessions are kept, since ending one could wait forever."""
    global _models, _lock
    _abandoned.append(_models)
    _models, _lock = {}, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def _load(folder: Path) -> _Model:
    weights, pieces = _intact(folder / MODEL), _intact(folder / TOKENIZER)
    try:
        return _Model(_session(weights), _tokenizer(pieces))
    except Exception as exc:
        raise EmbeddingError(
            f"onnxruntime or tokenizers could not load the shipped model: {exc}. "
            "Reinstall both packages."
        ) from exc


def _intact(path: Path) -> bytes:
    """Return the bytes of a shipped file whose hash is the expected one."""
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise EmbedderDamagedError(path, f"cannot be read ({exc.strerror})") from exc
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256[path.name]:
        raise EmbedderDamagedError(
            path, f"sha256 is {found[:12]}…, not {SHA256[path.name][:12]}…; the file was altered"
        )
    return content


def _session(weights: bytes) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _tokenizer(content: bytes) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(content)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_PIECES)
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is text
    return tokenizer


def _readable(text: str) -> str:
    """Return what of a text can be embedded: its first part, white space and surrogates plain."""
    plain = " ".join(text.split())[:_MOST_CHARACTERS]
    return plain.encode("utf-8", "replace").decode("utf-8")
