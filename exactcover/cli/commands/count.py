"""`count`: the number of solutions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from exactcover.cli import options as opt
from exactcover.cli.commands.solve import Switches, note_parts, note_symmetries
from exactcover.cli.exit_status import INTERRUPTED
from exactcover.cli.given_puzzles import GivenPuzzles
from exactcover.cli.search_loop import run_search
from exactcover.cli.search_report import report_search
from exactcover.cli.signals import watch
from exactcover.errors import TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document


@dataclass(frozen=True)
class CountOptions(opt.Strict, Switches):
    limit: int | None = opt.integer("--limit", least=0, help="Stop once N solutions are counted.")
    memory: int | None = opt.memory_option("Memory limit for counting by states, in MiB.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory is not None and self.strategy:
            raise click.UsageError(
                "--memory is for counts that list nothing: with --strategy say it there, as in "
                "'automaton:narrow memory=2000'"
            )
        if self.memory is not None and self.limit is not None:
            raise click.UsageError("--memory is for counts of all solutions: leave out --limit")


@opt.puzzle_command(CountOptions)
def count(puzzles: tuple[str, ...], options: CountOptions) -> int:
    """Count the solutions, without listing them where that takes less work."""
    return GivenPuzzles(puzzles, options.time_limit).answer(partial(_count, options=options))


def _count(document: Document, options: CountOptions) -> int:
    """Count and report the solutions of a puzzle; return the exit status."""
    from exactcover.search.counting.counts import Counting

    note_parts(document)
    note_symmetries(document, options)
    arguments = options.arguments(options.team(limited=options.limit is not None))
    with document.faults_placed():
        counting = Counting(
            document.content, limit=options.limit, memory=options.memory, **arguments
        )
    report = partial(
        report_search, document, counting, options, emits=options.as_json, strict=options.strict
    )
    with watch.reporting():
        try:
            run_search(document.name, counting, report)
        except TooLarge as error:
            return report(too_large=error)
        end = report()
    return INTERRUPTED if watch.late else end
