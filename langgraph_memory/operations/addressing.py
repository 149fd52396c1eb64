"""The address of a statement whose name is made from its words."""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.operations.statements import Prepared
from langgraph_memory.policy.admission import CONTENT
from langgraph_memory.policy.keys import content_key
from langgraph_memory.policy.language.spelling import same_words
from langgraph_memory.ports import Transaction


def addressed(tx: Transaction, each: Prepared) -> Prepared:
    """Return a statement under a name to the letter, where its words have another's name.

    "The code is xK9p" and "the code is Xk9P" have the same words and are two statements: the
    second has a name of its own. What was forgotten, or says something else by now, keeps its
    name for all spellings.
    """
    if each.statement.key is not None:
        return each
    record = tx.records.load(each.namespace, each.key)
    content = str(each.admission.value.get(CONTENT, ""))
    if record is None:
        return each
    said = [str((version.value or {}).get(CONTENT, "")) for version in record.versions]
    alike = [there for there in said if content_key(there) == each.key]
    if not alike or any(same_words(there, content) for there in alike):
        return each
    return replace(each, key=content_key(content, to_the_letter=True))
