"""`tune`: every strategy that may be the best, measured on parts of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exactcover.cli import options as opt
from exactcover.cli.exit_status import DONE, INTERRUPTED
from exactcover.cli.given_puzzles import GivenPuzzles
from exactcover.cli.outputs import check_one, plot_file, replacing
from exactcover.cli.search_loop import searching
from exactcover.cli.terminal import say

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.tuning import Tuning


@dataclass(frozen=True)
class TuneOptions(opt.Common, opt.Counted):
    time_limit: float = opt.limit_option(30.0, help="Measure for at most S seconds.")
    strategies: tuple[str, ...] = opt.option(
        "--strategy", metavar="TEXT", multiple=True, default=(),
        help="Measure this strategy of your own beside the others; may be given more than once.",
    )  # fmt: skip
    seed: int | None = opt.integer("--seed", least=None, help="Draw other parts of the search.")
    plot: Path | None = plot_file(
        "--plot", help="Plot the seconds of each strategy, for one puzzle: .svg, .png or .pdf."
    )
    no_cache: bool = opt.flag("--no-cache", help="Do not keep the best strategy for later runs.")


@opt.puzzle_command(TuneOptions)
def tune(puzzles: tuple[str, ...], options: TuneOptions) -> int:
    """Measure every strategy that may be the best, and keep the best one for later runs.

    Each strategy searches parts of the tree that are drawn at random, the better ones more of them.
    `solve` and `count` do the same for a short while in a run that takes long. Ctrl-C ends it with
    what is measured; nothing is kept then. `plot` shows the fits of strategies of your choice.
    """
    from exactcover.search.tuning import Tuner

    given = GivenPuzzles(puzzles)
    check_one(options, ("plot",), given)

    def answer(document: Document) -> int:
        tuner = Tuner(
            document.content,
            counted=options.counted,
            time_limit=options.time_limit,
            seed=options.seed,
            strategies=options.strategies,
        )

        def report_it() -> None:
            made = tuner.tuning
            options.report(
                {"puzzle": document.name} | made.record(),
                _lines(document, made),
                document=document,
                counted=tuner.subject.counted,
                strategies=(str(made.strategy),),
                seed=options.seed,
            )

        with searching(document.name, tuner, report_it) as progress:
            while tuner.step():
                progress.tell("measuring strategies")
        made = tuner.tuning
        if not options.no_cache:
            tuner.keep()
        report_it()
        if tuner.stopped:
            say(f"{document.name}: interrupted before the end")
            return INTERRUPTED
        if options.plot is not None:
            from exactcover.show.render.plots import plot_tuning

            plot_tuning(made, title=document.name).save(replacing(options.plot))
        return DONE

    return given.answer(answer)


def _lines(document: Document, made: Tuning) -> Iterator[str]:
    from exactcover.search.tuning import table

    yield from table(made) if made.tuned else ()
    yield f"{document.name}: {made.strategy} ({made.why})"
