"""A correction that gives a day, a time or an amount to a memory that says more than that."""

from __future__ import annotations

from langgraph_memory.policy.language.hard_parts import Name, comparable, hard_parts


def with_part(old: str, new: str) -> str | None:
    """Return a memory with one of its values replaced; what it says beside that stays.

    Returns:
        The memory anew; empty where it is not certain which of its values is meant, and None
        where the correction is no bare value or the memory says no second value.
    """
    given = [each for each in hard_parts(new) if not isinstance(each.part, Name)]
    if len(given) != 1 or given[0].text != new.strip():
        return None
    there = [each for each in hard_parts(old) if not isinstance(each.part, Name)]
    same = [each for each in there if comparable(given[0].part, each.part)]
    if len(same) == 1 and (len(there) > 1 or old[same[0].span[1] :].strip(" .!。")):
        start, end = same[0].span
        return f"{old[:start]}{new.strip()}{old[end:]}"
    return "" if len(there) > 1 else None
