"""``python -m benchmarks.store``: run, print the table, say where ours is behind."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.store import table
from benchmarks.store.driver import PEERS, Plan, run


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("benchmarks.store", description=(__doc__ or "").strip())
    add = parser.add_argument
    add("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], metavar="ITEMS")
    add("--rounds", type=int, default=3, help="how often each store comes to each row")
    add("--seconds", type=float, default=0.05, help="how long it stays there each time")
    add("--fill-seconds", type=float, default=60, help="a peer that fills slower is skipped")
    add("--peers", nargs="+", choices=PEERS, default=PEERS, help="the stores beside ours")
    add("--json", type=Path, metavar="PATH", help="write the figures there too")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a row is behind")
    return parser.parse_args()


def main() -> int:
    """Return 1 with ``--strict`` if ours is behind SqliteStore in a search row."""
    chosen = arguments()
    plan = Plan(chosen.sizes, chosen.rounds, chosen.seconds, chosen.fill_seconds, chosen.peers)
    begun, results = time.monotonic(), []
    print(table.READING)
    with tempfile.TemporaryDirectory(prefix="store-benchmark-") as folder:
        for measured in run(plan, Path(folder), _say):
            results.append(measured)
            print(f"\n{table.render(measured, plan.peers)}", flush=True)
    met, behind = table.verdict(results)
    print(f"\nBehind SqliteStore in {behind} of {met} search rows.", end=" ")
    print(f"{time.monotonic() - begun:.0f} s.")
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(json.dumps(table.as_json(results), indent=2) + "\n", "utf-8")
    return bool(chosen.strict and behind)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
