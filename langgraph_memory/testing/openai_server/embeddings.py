"""The wire of embeddings: vectors of the hashing embedder, as numbers or packed."""

from __future__ import annotations

import base64

from langgraph_memory.ports import Vectors
from langgraph_memory.testing.hashing import HashingEmbedder
from langgraph_memory.testing.openai_server.problems import HttpError, require
from langgraph_memory.testing.openai_server.turn import Json
from langgraph_memory.testing.scripted import tokens


def embeddings(request: Json, model: str, dims: int) -> Json:
    """Return one vector for each text. Raises ``HttpError`` 400 for token ids."""
    texts = require(request, "input")
    texts = [texts] if isinstance(texts, str) else texts
    if not all(isinstance(each, str) for each in texts):
        raise HttpError(400, "Send text, not token ids (check_embedding_ctx_length=False).")
    rows = HashingEmbedder(request.get("dimensions") or dims).embed_documents(texts)
    packed = request.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _written(row, packed=packed)}
        for index, row in enumerate(rows)
    ]
    count = sum(len(tokens(each)) for each in texts)
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "model": model, "data": data, "usage": usage}


def _written(row: Vectors, *, packed: bool) -> str | list[float]:
    if packed:
        return base64.b64encode(row.astype("<f4").tobytes()).decode()
    return [float(each) for each in row]
