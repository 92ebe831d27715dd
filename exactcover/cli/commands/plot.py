"""`plot`: the fits and no-fits of strategies, by the number of remaining pieces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from exactcover.cli import options as opt
from exactcover.cli.exit_status import DONE, INTERRUPTED
from exactcover.cli.given_puzzles import read_one
from exactcover.cli.outputs import plot_file, replacing
from exactcover.cli.reports import quantity
from exactcover.cli.search_loop import run_search
from exactcover.cli.terminal import say


@dataclass(frozen=True)
class PlotOptions(opt.WithProgress, opt.Plugged, opt.Counted):
    strategies: tuple[str, ...] = opt.option(
        "--strategy", metavar="TEXT", multiple=True, required=True, default=(),
        help="A strategy, as `solve` takes it; give several to compare them. 'NAME=TEXT' names its "
        "curve.",
    )  # fmt: skip
    output: Path = plot_file(
        "-o", "--output", required=True, help="Write to FILE: .svg, .png or .pdf."
    )
    per_target: bool = opt.flag(
        "--per-target",
        help="Plot how many options fitted, and how many did not, for each cell or piece that was "
        "branched on.",
    )
    dark: bool = opt.flag("--dark", help="Draw on a dark ground.")


@opt.command(PlotOptions)
@click.argument("puzzle")
def plot(puzzle: str, options: PlotOptions) -> int:
    """Plot the fits and no-fits of strategies, by the number of remaining pieces.

    Needs the extra `plot`. `count --stats` prints the same numbers. `tune` measures which strategy
    is the fastest.
    """
    from exactcover.search.result import Result
    from exactcover.search.solving import Solving
    from exactcover.show.render.plots import plot as plotted

    curves = [_named(said) for said in options.strategies]
    names = [name for name, _ in curves]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise click.UsageError(
            f"two curves are called {twice}: give each strategy once, or a name of its own, as in "
            "--strategy first=dlx:f"
        )
    document = read_one(puzzle)
    results: dict[str, Result] = {}
    for name, text in curves:
        with document.faults_placed():
            solving = Solving(document.content, strategy=text, counted=options.counted, tally=True)
        run_search(document.name, solving)
        result = solving.result
        if result.status == "interrupted":
            say(f"interrupted, so {options.output} is not written")
            return INTERRUPTED
        results[name] = result
        click.echo(
            f"{document.name}: {quantity(result.solutions, 'solution')}, "
            f"{quantity(result.fits, 'fit')}, {quantity(result.nofits, 'no-fit')} by {name}"
        )
    drawn = plotted(
        results,
        per_target=options.per_target,
        title=document.name,
        theme="dark" if options.dark else "light",
    )
    drawn.save(replacing(options.output))
    return DONE


def _named(said: str) -> tuple[str, str]:
    """The name of a curve, and its strategy: `fast=fila:f@11`; a text alone is its own name.

    An equals sign also gives a filter its argument, as in `redundancy=X; dlx:s`: then the part
    before it is the name of a filter.
    """
    from exactcover.problem.filters import filter_kinds

    name, equals, text = said.partition("=")
    if equals and name.strip().isidentifier() and name.strip() not in filter_kinds():
        return name.strip(), text
    return said, said
