"""Expectations of the demo: printed as they are met, counted where they are not."""

from __future__ import annotations

from dataclasses import dataclass, field

from langgraph_memory.cli.common import out, say


@dataclass(slots=True)
class Checks:
    """Collects what was expected and did not happen."""

    failed: list[str] = field(default_factory=list)
    passed: int = 0

    def that(self, holds: bool, what: str) -> None:
        """Print an expectation with its outcome."""
        if holds:
            self.passed += 1
        else:
            self.failed.append(what)
        out.print("  ✓" if holds else "  ✗", style="green" if holds else "bold red", end=" ")
        say(what)


def title(text: str) -> None:
    """Print the heading of a part."""
    out.print()
    out.print(text, style="bold", markup=False)
