"""`batch`: many puzzles in one call, a line of JSON for each."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import click

from exactcover.app.cli.exit_status import DIFFERENT, STOPPED
from exactcover.app.cli.options import (
    Counted,
    Plugged,
    Strategic,
    Strict,
    WithProgress,
    choice,
    command,
    flag,
    integer,
    limit_option,
    option,
    puzzle_argument,
)
from exactcover.app.cli.progress import Progress
from exactcover.app.cli.reports import emit, stopped_words
from exactcover.app.cli.signals import watch
from exactcover.app.cli.terminal import say
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.runs.batches import Batching, Condition


@dataclass(frozen=True)
class BatchOptions(WithProgress, Plugged, Strict, Strategic, Counted):
    """The options of `batch`."""

    having: str | None = option(
        "--having", metavar="EXPR",
        help="Print only the puzzles for which this is true, as in 'solutions == 1 and depth > "
        "0.6': the keys of a line, numbers, texts in quotes, comparisons, and, or, not, + - * / // "
        "%. Failures are always printed.",
    )  # fmt: skip
    limit: int | None = integer("--limit", least=0, help="Stop after N solutions of each puzzle.")
    first: bool = flag("--first", help="Stop after one solution of each puzzle.")
    time_limit: float | None = limit_option(help="Stop after S seconds for each puzzle.")
    workers: int = integer(
        "--workers", default=1, help="Solve puzzles side by side in N processes."
    )
    order: Literal["arrival", "given"] = choice(
        "--order", of=("arrival", "given"), default="arrival",
        help="The order of the lines: as puzzles are solved, or as they are given.",
    )  # fmt: skip
    as_json: bool = flag("--json", hidden=True, help="The only way to print.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first and self.limit is not None:
            raise click.UsageError("--first is --limit 1: give one of the two")


@command(BatchOptions)
@puzzle_argument
def batch(puzzles: tuple[str, ...], options: BatchOptions) -> int:
    """Count the solutions of many puzzles, and measure how hard each is: a line of JSON for each.

    A PUZZLE may be a folder: all puzzles in it and in the folders in it. Standard input, -, may
    hold many puzzles one after the other and need not end: each is solved as it comes.
    """
    condition = _condition(options.having)
    limits = [1 if options.first else options.limit, None if condition is None else condition.most]
    from exactcover.runs.batches import Batching

    lines = Lines(condition, options.time_limit, options.strict)
    progress = Progress("batch")
    batching = Batching(
        puzzles,
        counted=options.counted,
        strategy=options.strategy,
        time_limit=options.time_limit,
        workers=options.workers,
        order=options.order,
        strict=options.strict,
        limit=min((one for one in limits if one is not None), default=None),
        stream=_standard_input(),
        plugins=options.plugins,
        pulse=lambda: progress.tell(lines.so_far),
    )
    with batching:
        watch.last_words = lambda: _print_held_back(batching, lines)
        try:
            for record in batching:
                if watch.pressed:  # other packages turn an interrupt into errors of their own
                    raise KeyboardInterrupt
                progress.clear()
                lines.print(record)
                progress.tell(lines.so_far)
        except KeyboardInterrupt:
            progress.clear()
            _print_held_back(batching, lines)
            raise
        finally:
            watch.last_words = None
    progress.clear()
    return lines.end()


@dataclass
class Lines:
    """The lines that are printed, and what there was.

    puzzles  how many, printed or not
    failed   how many of them cannot be read or solved
    stopped  how many a limit stopped before the answer was complete
    wrong    how many have another number of solutions than their file says
    """

    condition: Condition | None
    time_limit: float | None
    strict: bool = False
    puzzles: int = 0
    printed: int = 0
    failed: int = 0
    stopped: int = 0
    wrong: int = 0

    @property
    def so_far(self) -> str:
        """The counts so far, for the report of progress."""
        chosen = "" if self.condition is None else f", {self.printed:,} chosen"
        return f"{self.puzzles:,} puzzles{chosen}, {self.failed:,} failed"

    def print(self, record: dict[str, Any]) -> None:
        """Print a record, if it fulfils the condition or is a failure."""
        self.puzzles += 1
        if "warning" in record:
            self.wrong += 1
            say(f"warning: {record['puzzle']}: {record['warning']}")
        stopped_by = record.get("stopped_by", "")
        if record["status"] == "error":
            self.failed += 1
        elif self.condition is not None:
            chosen = self.condition.judge(record)
            if chosen is None:
                self.stopped += 1
                self._undecided(record, stopped_by)
            if not chosen:
                return
            self.printed += 1
        self.stopped += stopped_by in ("time", "memory")
        emit(record)

    def _undecided(self, record: dict[str, Any], stopped_by: str) -> None:
        if stopped_by == "memory":
            stopped = record["reason"]
        else:
            solutions = record["solutions"]
            stopped = stopped_words(stopped_by, seconds=self.time_limit, solutions=solutions)
        say(f"{record['puzzle']}: {stopped}, so --having cannot be decided")

    def end(self) -> int:
        """The exit status; failures are reported."""
        if self.failed:
            raise ExactCoverError(f"{self.failed:,} of {self.puzzles:,} puzzles failed")
        if self.strict and self.wrong:
            return DIFFERENT
        return STOPPED if self.stopped else 0


def _print_held_back(batching: Batching, lines: Lines) -> None:
    """Print what was solved while the order of the lines held it back."""
    for record in batching.held_back():
        lines.print(record)


def _condition(having: str | None) -> Condition | None:
    """The condition of `--having`; a mistake in it is one of usage."""
    if having is None:
        return None
    from exactcover.runs.batches import Condition

    try:
        return Condition.of(having)
    except ExactCoverError as error:
        raise click.UsageError(f"--having: {error}") from None


def _standard_input() -> BinaryIO:
    """Standard input, read through a buffer of its own: Python ends without waiting for it."""
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # replaced by Python code
        return sys.stdin.buffer
    return open(number, "rb", closefd=False)
