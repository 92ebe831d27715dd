"""`compare`: what strategies do, and how long they take, on the same parts of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.cli import options as opt
from exactcover.cli.ends import DONE, INTERRUPTED, say
from exactcover.cli.files import GivenPuzzles, check_one, file_option, replacing
from exactcover.cli.reports import table
from exactcover.cli.searches import by_remaining, searching

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.comparing import Comparison, Measured


@dataclass(frozen=True)
class CompareOptions(opt.Common, opt.Counted):
    strategies: tuple[str, ...] = opt.option(
        "--strategy", metavar="TEXT", multiple=True, default=(),
        help="A strategy, as `solve` takes it; may be given more than once. If you give none, the "
        "automatic strategy is compared with others that may be quicker.",
    )  # fmt: skip
    time_limit: float = opt.limit_option(30.0, help="Measure for at most S seconds.")
    seed: int | None = opt.integer("--seed", least=None, help="Draw other parts of the search.")
    output: Path | None = file_option(
        "-o", "--output", endings=(".svg", ".png", ".pdf"), needs="plot",
        help="Plot fits and no-fits of each strategy, for one puzzle: .svg, .png or .pdf.",
    )  # fmt: skip


@opt.puzzle_command(CompareOptions)
def compare(puzzles: tuple[str, ...], options: CompareOptions) -> int:
    """Compare strategies: their fits, no-fits and seconds, and which of them is the quickest.

    Each strategy has an equal share of the time. A search that ends within it is made as a whole;
    of a longer one, each strategy searches the same parts, which are drawn at random. Tables by
    remaining pieces are shown of the strategies that you give, else of the quickest one. Ctrl-C
    ends it with what is measured.
    """
    from exactcover.search.comparing import Comparing

    given = GivenPuzzles(puzzles)
    check_one(options, ("output",), given)

    def answer(document: Document) -> int:
        comparing = Comparing(
            document.content,
            options.strategies,
            counted=options.counted,
            time_limit=options.time_limit,
            seed=options.seed,
        )

        def report_it() -> None:
            made = comparing.comparison
            options.report(
                {"puzzle": document.name} | made.record(),
                _lines(document, made, all_tables=bool(options.strategies)),
                document=document,
                counted=comparing.subject.counted,
                strategies=tuple(str(row.strategy) for row in made.rows),
                seed=options.seed,
            )

        with searching(document.name, comparing, report_it) as progress:
            while comparing.step():
                progress.tell("comparing strategies")
        report_it()
        made = comparing.comparison
        if options.output is not None and made.rows:
            from exactcover.show.render.plots import plot_comparison, save_figure

            save_figure(plot_comparison(made, title=document.name), replacing(options.output))
        if made.status == "interrupted":
            say(f"{document.name}: the comparison was broken off")
            return INTERRUPTED
        return DONE

    return given.answer(answer)


def _lines(document: Document, made: Comparison, *, all_tables: bool) -> Iterator[str]:
    rows = [("seconds", "error", "fits", "no-fits", "subtrees", "strategy")]
    rows += [_figures(row) for row in made.rows]
    rows += [("-", "-", "-", "-", "not measured", str(one)) for one in made.unmeasured]
    yield from table(rows, left={5}, indent=0)
    for row in made.rows if all_tables else made.rows[:1]:
        yield f"{row.strategy}:"
        yield from by_remaining(row.by_remaining)
    if made.rows:
        yield f"{document.name}: the quickest is {made.best}"
    else:
        yield f"{document.name}: nothing was measured; try a longer --time-limit"


def _figures(row: Measured) -> tuple[str, str, str, str, str, str]:
    error = f"{row.error:.3f} s" if isfinite(row.error) else "-"
    subtrees = "all" if row.exact else f"{row.subtrees:,} of {row.states:,}"
    seconds = f"{row.seconds:.3f} s"
    return seconds, error, f"{row.fits:,}", f"{row.nofits:,}", subtrees, str(row.strategy)
