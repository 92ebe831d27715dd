"""`estimate` and `compare`: the size of a search before it is run, and what strategies do in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import click

import exactcover as ec
from exactcover.cli import options as opt
from exactcover.cli.ends import exit_status, say
from exactcover.cli.files import GivenPuzzles, replacing
from exactcover.cli.progress import Progress, run_search
from exactcover.cli.reports import Printer, by_remaining, duration, table
from exactcover.formats import Document
from exactcover.search.comparing import Comparing, Comparison
from exactcover.show.plots import plot_comparison, save_figure

percent = partial(
    click.option,
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
)


@opt.command()
@opt.puzzles
@percent("--precision", default=10, help="Stop when known to this many percent.")
@percent("--confidence", default=95, help="How often an interval has the true number.")
@opt.seed(default=1, help="The same number: the same probes.")
@opt.usual
@opt.counted
@opt.strategy
@opt.time_limit(10)
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
            found = search.estimate
            report(_record(found), lines(document, found), document, seed=asked["seed"])
            return exit_status("", found.status)

        search = ec.Estimating(document.content, **asked)
        return run_search(document.name, search, report_it)

    return GivenPuzzles(puzzles, asked["time_limit"]).answer(answer)


def _record(found: ec.Estimate) -> dict[str, Any]:
    """The estimate with the keys of `--json`; an unknown number and its upper bound are null."""

    def written(number: ec.Interval) -> dict[str, float | None]:
        known = isfinite(number.high)
        value, high = (number.value, number.high) if known else (None, None)
        return {"value": value, "low": number.low, "high": high}

    by_remaining = {str(left): written(one) for left, one in found.nodes_by_remaining.items()}
    return {
        **{key: getattr(found, key) for key in ("status", "counted")},
        **{key: written(getattr(found, key)) for key in ("solutions", "nodes", "choices")},
        "expected_seconds": written(found.seconds),
        "nodes_by_remaining": by_remaining,
        **{key: getattr(found, key) for key in ("confidence", "batches")},
        "seconds": found.spent,
        **{key: getattr(found, key) for key in ("compiling", "strategy", "reason")},
    }


ENDS = {
    "exact": "exact, the whole tree was searched",
    "precise": "as precise as wanted",
    "limit": "stopped at the time limit",
    "interrupted": "interrupted",
}


def lines(document: Document, found: ec.Estimate) -> Iterator[str]:
    """The estimate for a person."""
    name = document.name
    if found.reason:
        yield f"{name}: impossible: {found.reason}"
        return
    if found.status == "limit" and not found.batches:
        yield f"{name}: too little time for an estimate; try --time-limit 60"
    elif found.status == "exact":
        yield f"{name}: {ENDS[found.status]}"
    else:
        percents = f"{100 * found.confidence:.4g} % intervals"
        yield f"{name}: {ENDS[found.status]}; {found.batches:,} batches of probes, {percents}"
    rows = [
        ("solutions", found.solutions, document.counted_as(found.counted)),
        ("nodes", found.nodes, "options chosen"),
        ("choices", found.choices, "options tried"),
        *((f"  {left} left", nodes, "") for left, nodes in found.nodes_by_remaining.items()),
    ]
    texts = [(label, *number.texts(), note) for label, number, note in rows]
    yield from table(texts, left={0, 2, 3})
    one, low, high = found.seconds.value, found.seconds.low, found.seconds.high
    if isfinite(high):
        yield (
            f"  takes about {duration(one)} with one thread, {duration(one / 2)} with two "
            f"({duration(low)} to {duration(high)} of processor time)"
        )
    else:
        yield "  time unknown"
    yield f"  strategy {found.strategy}"


# -- comparing strategies --------------------------------------------------------------------------


@opt.command()
@opt.puzzles
@opt.several_strategies(help="One of several; auto: the default. Without: auto and others.")
@opt.seed(help="Draw other parts of the search.")
@opt.output(endings=(".svg", ".png", ".pdf"), needs="plot", help="Plot fits and no-fits.")
@opt.usual
@opt.counted
@opt.time_limit(30, "Measure for at most S seconds.")
def compare(
    puzzles: tuple[str, ...],
    report: Printer,
    strategies: tuple[str, ...],
    output: Path | None,
    **asked: Any,
) -> int:
    """Compare strategies: fits, no-fits and seconds of each.

    Each has an equal share of the time; longer searches are estimated. Tables by remaining pieces
    are shown of the strategies that you give, else of the quickest. Ctrl-C keeps what is measured.
    """
    given = GivenPuzzles(puzzles)
    if output is not None:
        given.read_for(output, "--output")

    def answer(document: Document) -> int:
        def work(search: Comparing, progress: Progress) -> None:
            while search.step():
                progress.tell("comparing strategies")

        def report_it() -> int:
            made = comparing.comparison
            report(
                _comparison(made), _compared(document, made, all_tables=bool(strategies)), document,
                counted=comparing.subject.counted, seed=asked["seed"],
                strategies=tuple(row.strategy for row in made.rows),
            )  # fmt: skip
            if output is not None and made.rows:
                save_figure(plot_comparison(made, title=document.name), replacing(output))
            if made.status == "interrupted":
                say(f"{document.name}: the comparison was broken off")
            return exit_status("", made.status)

        comparing = Comparing(document.content, strategies, **asked)
        return run_search(document.name, comparing, report_it, work)

    return given.answer(answer)


def _comparison(made: Comparison) -> dict[str, Any]:
    """The comparison for a script."""
    keys = ("status", "best", "unmeasured", "seconds", "compiling")
    left = [[one._asdict() for one in row.by_remaining] for row in made.rows]
    rows = [_record(row) | {"by_remaining": its} for row, its in zip(made.rows, left, strict=True)]
    return {key: getattr(made, key) for key in keys} | {"strategies": rows}


def _compared(document: Document, made: Comparison, *, all_tables: bool) -> Iterator[str]:
    """The comparison for a person."""
    rows = [("seconds", "interval", "fits", "no-fits", "batches", "strategy")]
    for row in made.rows:
        estimated = row.status != "exact" and isfinite(row.seconds.high)
        interval = f"{row.seconds.low:.3f} to {row.seconds.high:.3f}" if estimated else "-"
        fits = sum(one.fits for one in row.by_remaining)
        nofits = sum(one.nofits for one in row.by_remaining)
        seconds, batches = f"{row.seconds.value:.3f} s", f"{row.batches or 'all'}"
        rows.append((seconds, interval, f"{fits:,}", f"{nofits:,}", batches, row.strategy))
    rows += [("-", "-", "-", "-", "not measured", one) for one in made.unmeasured]
    yield from table(rows, left={5}, indent=0)
    for row in made.rows if all_tables else made.rows[:1]:
        yield f"{row.strategy}:"
        yield from by_remaining(row.by_remaining)
    nothing = "nothing was measured; try a longer --time-limit"
    yield f"{document.name}: {f'the quickest is {made.best}' if made.rows else nothing}"
