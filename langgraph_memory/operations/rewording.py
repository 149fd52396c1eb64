"""Every text that search may have been told of a value: where a lost one is looked for.

Which fields of an item were indexed is not kept, only hashes of the texts that were. Each is
the text of some part of the value, so all parts are offered and the hashes choose. Of a
memory it may also be its content behind its name, or behind its speaker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from langgraph_memory.domain.scope import in_memory_root
from langgraph_memory.operations.embedding import Wording
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.updates.update import asked_by
from langgraph_memory.ports import Told
from langgraph_memory.text.spoken import spoken

MOST_PARTS = 100_000


def possible_texts(told: Told) -> list[str]:
    """Return texts that may have been told of a record, the likeliest first."""
    texts = [spoken(told.value), *_of_memory(told)]
    texts += islice(_parts(told.value), MOST_PARTS)
    return list(dict.fromkeys(texts))


def worded_by_value(told: Told) -> Wording:
    """Return the wording of a record of which only the value is known."""
    content = told.value.get(CONTENT)
    if in_memory_root(told.namespace) and isinstance(content, str):
        return Wording((content,))
    return Wording((spoken(told.value),))


def _of_memory(told: Told) -> list[str]:
    content, speaker = told.value.get(CONTENT), told.value.get("speaker")
    if not in_memory_root(told.namespace) or not isinstance(content, str):
        return []
    name = told.key.replace("_", " ")
    asked = asked_by(content)
    return [content, f"{name}: {content}", f"{speaker}: {content}", f"{asked}: {content}"]


def _parts(value: Any) -> Iterator[str]:
    """Yield each part of a value as LangGraph makes a text of it."""
    if isinstance(value, dict | list):
        yield json.dumps(value, sort_keys=True, ensure_ascii=False)
        for each in value.values() if isinstance(value, dict) else value:
            yield from _parts(each)
    elif value is not None:
        yield str(value)
