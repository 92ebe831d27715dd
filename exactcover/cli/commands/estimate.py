"""`estimate`: the size of a search, its solutions and its seconds, before it is run."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import Any

import click

import exactcover as ec
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status
from exactcover.cli.files import GivenPuzzles
from exactcover.cli.reports import MIB, Printer, duration, table
from exactcover.cli.searches import run_search
from exactcover.formats import Document

percent = partial(
    click.option,
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
)


@opt.command()
@opt.puzzles
@percent("--precision", default=10.0, help="Stop when known to this many percent.")
@percent("--confidence", default=95.0, help="How often an interval has the true number.")
@opt.seed(default=1, help="The same number: the same probes.")
@opt.usual
@opt.counted
@opt.strategy
@opt.time_limit(10.0)
def estimate(
    puzzles: tuple[str, ...], report: Printer, precision: float, confidence: float, **asked: Any
) -> int:
    """Estimate nodes, solutions and seconds of a search.

    A small tree is searched completely, so its numbers are exact; of a larger one, random parts
    are, until the numbers are precise enough or the time is over, or Ctrl-C is pressed.
    """
    asked |= {"precision": precision / 100, "confidence": confidence / 100}

    def answer(document: Document) -> int:
        def report_it() -> int:
            found = estimating.estimate
            made, said = record(document.name, found), lines(document, found)
            report.with_origin(document, made, said, seed=asked["seed"])
            return exit_status("", found.status)

        estimating = ec.Estimating(document.content, **asked)
        return run_search(document.name, estimating, report_it)

    return GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)


# -- for scripts ----------------------------------------------------------------------------------


def record(name: str, found: ec.Estimate) -> dict[str, Any]:
    """The estimate with the keys of `--json`; an unknown number and its upper bound are null."""
    return {
        "puzzle": name,
        "status": found.status,
        "counted": found.counted,
        "solutions": _written(found.solutions),
        "nodes": _written(found.nodes),
        "choices": _written(found.choices),
        "expected_seconds": _written(found.seconds),
        "nodes_by_remaining": {
            str(left): _written(nodes) for left, nodes in found.nodes_by_remaining.items()
        },
        "confidence": found.confidence,
        "batches": found.batches,
        "memory": found.memory,
        "seconds": round(found.spent, 6),
        "compiling": round(found.compiling, 6),
        "strategy": found.strategy,
    } | ({"reason": found.reason} if found.reason else {})


def _written(number: ec.Interval) -> dict[str, float | None]:
    known = isfinite(number.high)
    return {
        "value": number.value if known else None,
        "low": number.low,
        "high": number.high if known else None,
    }


# -- for people -----------------------------------------------------------------------------------

ENDS = {
    "exact": "exact, the whole tree was searched",
    "precise": "as precise as wanted",
    "limit": "stopped at the time limit",
    "interrupted": "interrupted",
}


def lines(document: Document, found: ec.Estimate) -> list[str]:
    """The estimate for a person."""
    name = document.name
    if found.reason:
        return [f"{name}: impossible: {found.reason}"]
    head = f"{name}: {ENDS[found.status]}"
    if found.status == "limit" and not found.batches:
        head = f"{name}: too little time for an estimate; try --time-limit 60"
    elif found.status != "exact":
        head += f"; {found.batches:,} batches of probes, {100 * found.confidence:.4g} % intervals"
    rows = [
        ("solutions", found.solutions, document.counted_as(found.counted)),
        ("nodes", found.nodes, "options chosen"),
        ("choices", found.choices, "options tried"),
        *((f"  {left} left", nodes, "") for left, nodes in found.nodes_by_remaining.items()),
    ]
    texts = [(label, *number.texts(), note) for label, number, note in rows]
    return [head, *table(texts, left={0, 2, 3}), *_costs(found)]


def _costs(found: ec.Estimate) -> list[str]:
    """The time and the memory of the search."""
    one, low, high = found.seconds.value, found.seconds.low, found.seconds.high
    text = "  time unknown"
    if isfinite(high):
        text = f"  takes about {duration(one)} with one thread, {duration(one / 2)} with two"
        text += f" ({duration(low)} to {duration(high)} of processor time)"
    memory = f"  memory about {found.memory / MIB:,.0f} MiB" if found.memory else "  memory small"
    return [text, f"{memory}: a search keeps no solutions", f"  strategy {found.strategy}"]
