"""What is wrong with what somebody gave, in plain words: where, what was given, what is possible.

pydantic finds it. Its own sentences speak of Python's types and of the parts of a union, which
whoever wrote a file or a variable never saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

LONGEST = 60
"""Of what was given, so many characters are repeated."""

_KEY = "[key]"
_SORTS = (
    ("int", "a whole number"), ("float", "a number"), ("finite", "a number"),
    ("bool", "true or false"), ("string", "a text"), ("path", "a path"), ("tuple", "a list"),
    ("list", "a list"), ("model", "a table"), ("dict", "a table"), ("mapping", "a table"),
)  # fmt: skip
_BOUNDS = {
    "greater_than": ("gt", "a number above {}"),
    "greater_than_equal": ("ge", "a number of {} or more"),
    "less_than": ("lt", "a number below {}"),
    "less_than_equal": ("le", "a number up to {}"),
    "string_too_short": ("min_length", "a text of at least {} characters"),
    "string_too_long": ("max_length", "a text of at most {} characters"),
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with one place.

    Attributes:
        path: The names that lead there, outermost first; empty for the whole.
        problem: A clause without a full stop.
        table: Whether it is a table of which nothing is known.
    """

    path: tuple[str, ...]
    problem: str
    table: bool = False


def complaint(exc: ValidationError, model: type[BaseModel] | None = None) -> Complaint:
    """Return what is wrong first.

    Args:
        exc: What pydantic found.
        model: What was validated; without it, nothing is said of where.
    """
    errors = exc.errors()
    first = errors[0]
    path, known = _place(first["loc"], model)
    if first["type"] == "value_error":
        said = str(first["ctx"]["error"]).rstrip(".")
        problem = f"{_shown(first['input'])} is given; {said}" if path else said
    elif first["type"] == "extra_forbidden":
        problem = _unknown(path[-1], known)
    elif first["loc"][-1:] == (_KEY,):
        problem = f"there is no such name; possible is {first['ctx']['expected']}"
    elif first["type"] == "missing":
        problem = "it is missing, and nothing stands in for it"
    else:
        same = [each for each in errors if _place(each["loc"], model)[0] == path]
        possible = dict.fromkeys(map(_possible, same))
        problem = f"{_shown(first['input'])} is given, and possible is {', or '.join(possible)}"
    unknown = first["type"] == "extra_forbidden"
    return Complaint(path, problem, table=unknown and isinstance(first["input"], Mapping))


def _place(
    loc: tuple[int | str, ...], model: type[BaseModel] | None
) -> tuple[tuple[str, ...], list[str]]:
    """Return the names of a place, without pydantic's own, and those there are beside the last."""
    path: list[str] = []
    known: list[str] = []
    at: Any = model
    for part in loc:
        if part == _KEY:
            break
        if isinstance(at, type) and issubclass(at, BaseModel):
            known = sorted(at.model_fields)
            field = at.model_fields.get(str(part))
            at = field.annotation if field else None
        elif get_origin(at) is Mapping:
            at = get_args(at)[1]
        else:
            break
        path.append(str(part))
    return tuple(path), known


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else "."
    return f"there is no such name{meant} There are {', '.join(known)}"


def _possible(error: Any) -> str:
    sort, facts = error["type"], error.get("ctx", {})
    if "expected" in facts:
        return str(facts["expected"])
    if sort == "string_too_short" and facts["min_length"] == 1:
        return "a text that is not empty"
    if sort in _BOUNDS:
        name, words = _BOUNDS[sort]
        return words.format(_number(facts[name]))
    return next((words for start, words in _SORTS if sort.startswith(start)), "something else")


def _number(value: float) -> str:
    return f"{int(value) if value == int(value) else value:,}"


def _shown(given: Any) -> str:
    if given is None:
        return "nothing"
    if isinstance(given, Mapping):
        return "a table"
    text = json.dumps(given, ensure_ascii=False, default=repr)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
