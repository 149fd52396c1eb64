"""The checkpointer passes LangGraph's own conformance suite, the extended capabilities too."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from importlib import import_module
from pathlib import Path

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import validate
from langgraph.checkpoint.conformance.capabilities import Capability
from langgraph.checkpoint.conformance.initializer import RegisteredCheckpointer

from langgraph_memory.storage.checkpoints import CheckpointSaver


async def test_every_check_of_the_suite_passes_and_none_is_skipped(tmp_path: Path) -> None:
    opened = 0

    async def savers() -> AsyncGenerator[BaseCheckpointSaver[str], None]:
        nonlocal opened
        opened += 1
        async with CheckpointSaver.open(tmp_path / f"{opened}.sqlite") as saver:
            yield saver

    report = await validate(RegisteredCheckpointer("CheckpointSaver", savers))

    results = report.results
    report.print_report()
    print(f"  {sum(result.tests_passed for result in results.values())} checks passed")
    assert [line for result in results.values() for line in result.failures] == []
    assert {name: result.tests_passed for name, result in results.items()} == {
        capability.value: _checks(capability) for capability in Capability
    }
    assert sum(result.tests_skipped for result in results.values()) == 0
    assert report.conformance_level() == "FULL"


def _checks(capability: Capability) -> int:
    name = capability.value
    module = import_module(f"langgraph.checkpoint.conformance.spec.test_{name}")
    return len(getattr(module, f"ALL_{name.upper()}_TESTS"))
