"""The command line's entry: every error a user can cause ends as one sentence, not a traceback.

Exit codes: 0 done · 1 nothing found · 2 the call is wrong · 3 the files · 4 the model ·
5 somebody else was first, or a rule says no · 130 interrupted.
"""

from __future__ import annotations

import io
import logging
import os
import sys
from typing import NoReturn

import typer

from langgraph_memory.cli import (
    amend,
    chat,
    demo_command,
    doctor,
    governing,
    importing,
    policy,
    procedures,
    records,
    upkeep,
)
from langgraph_memory.cli.common import Exit, PlainGroup, err, exit_code, show_json
from langgraph_memory.errors import MemoryLayerError

app = typer.Typer(
    name="langgraph-memory",
    cls=PlainGroup,
    help="Long-term memory for LangGraph agents: keep, ask, look at and forget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (
    records, amend, procedures, chat, importing, governing, upkeep, policy, doctor, demo_command,
):  # fmt: skip
    module.register(app)


def run() -> None:
    """Run the command line and leave with its exit code."""
    _speak_utf8()
    logging.basicConfig(level=logging.ERROR, format="%(message)s")
    try:
        app()
    except SystemExit:
        _flush()
        raise
    except MemoryLayerError as error:
        _report(error)
        sys.exit(exit_code(error))
    except KeyboardInterrupt:
        err.print("Interrupted. What was written before is kept.", markup=False)
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(Exit.DONE)
    except OSError as exc:
        _unwritable(exc)


def _flush() -> None:
    """Write what is still to be written, while an error can still be said."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as exc:
        _unwritable(exc)


def _unwritable(exc: OSError) -> NoReturn:
    err.print(f"The output cannot be written: {exc.strerror}.", style="red", markup=False)
    sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 the interpreter flushes it last
    sys.exit(Exit.STORAGE)


def _report(error: MemoryLayerError) -> None:
    if "--json" in sys.argv:
        show_json({"error": type(error).__name__, "message": error.commanded})
    err.print(error.commanded, style="red", markup=False)


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says: a memory in Chinese must not depend on it."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    run()
