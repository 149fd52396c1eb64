"""Parametrized filters with readable, stable names."""

from __future__ import annotations

import re
from typing import Any

import pytest


def filter_cases(*cases: tuple[dict[str, Any], str]) -> list[Any]:
    """Return parameters for ``(wanted, expected)``; ``expected`` is a set of keys, spelled out."""
    return [
        pytest.param(wanted, set(expected.split()), id=filter_name(wanted))
        for wanted, expected in cases
    ]


def filter_name(wanted: Any) -> str:
    """Return a filter as words: ``n $gt 9``."""
    return re.sub(r"[{}\[\]'\",:]", "", str(wanted))
