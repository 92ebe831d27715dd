"""`compare`: what strategies do, and how long they take, on the same parts of the search."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, say
from exactcover.cli.files import GivenPuzzles, replacing
from exactcover.cli.progress import Progress
from exactcover.cli.reports import Printer, by_remaining, table
from exactcover.cli.searches import run_search
from exactcover.formats import Document
from exactcover.search.comparing import Comparing, Comparison
from exactcover.show.plots import plot_comparison, save_figure


@opt.command()
@opt.puzzles
@opt.several_strategies(help="One of several. Default: the automatic and others.")
@opt.seed(help="Draw other parts of the search.")
@opt.file(
    "-o", "--output", endings=(".svg", ".png", ".pdf"), needs="plot", help="Plot fits and no-fits."
)
@opt.usual
@opt.counted
@opt.time_limit(30.0, "Measure for at most S seconds.")
def compare(
    puzzles: tuple[str, ...],
    report: Printer,
    strategies: tuple[str, ...],
    output: Path | None,
    **asked: Any,
) -> int:
    """Compare strategies: fits, no-fits and seconds of each.

    Each has an equal share of the time. If a search takes longer, each strategy searches the same
    parts of it, drawn at random. Tables by remaining pieces are shown of the strategies that you
    give, else of the quickest. Ctrl-C ends it with what is measured.
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
            report.with_origin(
                document,
                {"puzzle": document.name} | made.record(),
                _lines(document, made, all_tables=bool(strategies)),
                counted=comparing.subject.counted,
                strategies=tuple(str(row.strategy) for row in made.rows),
                seed=asked["seed"],
            )
            if output is not None and made.rows:
                save_figure(plot_comparison(made, title=document.name), replacing(output))
            if made.status != "interrupted":
                return DONE
            say(f"{document.name}: the comparison was broken off")
            return INTERRUPTED

        comparing = Comparing(document.content, strategies, **asked)
        return run_search(document.name, comparing, report_it, work)

    return given.answer(answer)


def _lines(document: Document, made: Comparison, *, all_tables: bool) -> Iterator[str]:
    rows = [("seconds", "error", "fits", "no-fits", "subtrees", "strategy")]
    for row in made.rows:
        error = f"{row.error:.3f} s" if isfinite(row.error) else "-"
        subtrees = "all" if row.exact else f"{row.subtrees:,} of {row.states:,}"
        figures = f"{row.seconds:.3f} s", error, f"{row.fits:,}", f"{row.nofits:,}", subtrees
        rows.append((*figures, str(row.strategy)))
    rows += [("-", "-", "-", "-", "not measured", str(one)) for one in made.unmeasured]
    yield from table(rows, left={5}, indent=0)
    for row in made.rows if all_tables else made.rows[:1]:
        yield f"{row.strategy}:"
        yield from by_remaining(row.by_remaining)
    if made.rows:
        yield f"{document.name}: the quickest is {made.best}"
    else:
        yield f"{document.name}: nothing was measured; try a longer --time-limit"
