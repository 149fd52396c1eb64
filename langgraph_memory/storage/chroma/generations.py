"""Generations: the numbered folders in which Chroma's copies of the vectors live and die.

The highest number is the present one. A generation is never repaired: when it is wrong, one
with a higher number is begun beside it, and the older ones are removed once that is
complete. So there is no moment at which a crash could bring a condemned one back.

``state.json`` says how far a generation has come. It is written after Chroma has confirmed,
so it may be behind Chroma, never ahead of it; being behind costs a repeated upsert.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

_STATE = "state.json"


@dataclass(frozen=True, slots=True)
class Generation:
    """How far one generation has come.

    Attributes:
        number: Its name, and its folder's.
        model_id, dims: The embedding space of its vectors.
        sequence: Every announcement up to here is in it, if it is ``complete``; else the
            announcement its filling started from.
        complete: Whether all vectors of that moment were copied.
    """

    number: int
    model_id: str
    dims: int
    sequence: int
    complete: bool


def present(folder: Path) -> Generation | None:
    """Return the highest generation; None if there is none, or its state cannot be read."""
    numbers = _numbers(folder)
    if not numbers:
        return None
    try:
        fields = json.loads((folder / str(numbers[-1]) / _STATE).read_text("utf-8"))
        return Generation(**fields)
    except (OSError, ValueError, TypeError):
        return None


def begin(folder: Path, *, model_id: str, dims: int, sequence: int) -> Generation:
    """Make the folder of a new generation; of the others only the last stays.

    It counts for nothing before it is saved, which is for when there is something in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    numbers = _numbers(folder)
    for old in numbers[:-1]:
        _remove(folder / str(old))
    number = numbers[-1] + 1 if numbers else 1
    (folder / str(number)).mkdir()
    return Generation(number, model_id, dims, sequence, complete=False)


def save(folder: Path, generation: Generation) -> None:
    """Write down how far a generation has come; whole or not at all."""
    state = folder / str(generation.number) / _STATE
    draft = state.with_suffix(".new")
    draft.write_text(json.dumps(asdict(generation)), "utf-8")
    draft.replace(state)


def sweep(folder: Path, keep: Generation) -> None:
    """Remove every other generation."""
    for number in _numbers(folder):
        if number != keep.number:
            _remove(folder / str(number))


def _numbers(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    return sorted(int(each.name) for each in folder.iterdir() if each.name.isdecimal())


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)
