"""Searches that a command runs: their progress on the terminal, Ctrl-C, and their report."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import click

from exactcover.cli.ends import DIFFERENT, ENDING, INTERRUPTED, exit_status, say, watch
from exactcover.cli.progress import Progress, Searching
from exactcover.cli.reports import emit, end_words, quantity, solutions, table
from exactcover.cli.solution_files import TextSink, written
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.cli.commands.solve import Switches
    from exactcover.cli.solution_files import Sink
    from exactcover.errors import TooLarge
    from exactcover.formats import Document
    from exactcover.search.counting.counts import Counting
    from exactcover.search.result import Remaining, Result, Solution
    from exactcover.search.solving import Solving

PATIENCE = 0.15
"""Seconds after Ctrl-C that a step may still take."""


class Stoppable(Protocol):
    """A search that a signal handler can end, after the step that it is in."""

    def stop(self) -> None: ...


class Stepping(Searching, Stoppable, Protocol):
    """A search that goes on step by step; `step` returns False at the end."""

    def step(self) -> bool: ...


@contextmanager
def searching(
    name: str,
    search: Stoppable,
    last_words: Callable[[], object] | None = None,
    *,
    logs: bool = True,
) -> Iterator[Progress]:
    """Within this, Ctrl-C stops the search, and the progress that is shown is taken away at the
    end.

    name        of the puzzle, for the progress
    last_words  reports what was found, if the search must be broken off
    logs        whether progress is reported where standard error is no terminal
    """
    with Progress(name, logs=logs) as progress, _stopping_on_interrupt(search, last_words):
        yield progress


def run_search(
    name: str,
    search: Stepping,
    last_words: Callable[[], object] | None = None,
) -> None:
    """Run a search to its end or to Ctrl-C, and show its progress and its notices."""
    given = 0
    with searching(name, search, last_words) as progress:
        while search.step():
            progress.show(search)
            notices: Sequence[str] = getattr(search, "notices", ())
            for notice in notices[given:]:
                say(f"{name}: {notice}")
            given = len(notices)


# -- Ctrl-C ----------------------------------------------------------------------------------------


class BrokenOff(KeyboardInterrupt):
    """Ctrl-C came during work that has no steps to stop between."""


@contextmanager
def _stopping_on_interrupt(
    solving: Stoppable, last_words: Callable[[], object] | None = None
) -> Iterator[None]:
    """Ctrl-C or SIGTERM stops the search between two steps, so no solution found is lost.

    Work without steps, a filter or the compilation of an engine, is broken off soon after; the
    solutions found before it are kept. A second Ctrl-C gives up at once. If even that is
    impossible, since code other than Python runs, `last_words` reports the solutions found, and the
    process ends.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        watch.pressed += 1
        watch.answer()
        solving.stop()
        restore()
        if timed and not watch.handing:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    broken_off = False

    def break_off(number: int, frame: FrameType | None) -> None:
        nonlocal broken_off
        broken_off = True
        watch.answer()
        raise BrokenOff

    def stop_and_tell() -> None:
        solving.stop()
        if last_words is not None:
            last_words()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {
        number: signal.signal(number, stop)
        for number in ENDING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    timed = hasattr(signal, "setitimer")
    alarm = signal.signal(signal.SIGALRM, break_off) if timed else None
    if last_words is not None:
        watch.last_words = stop_and_tell
    if watch.late:
        solving.stop()
    try:
        yield
    except BrokenOff:
        pass  # the command reports that the search was interrupted, and where
    except Exception:  # or another package's exception: numpy's, while it compares records
        if not broken_off:
            raise
    finally:
        watch.last_words, watch.handing = None, False
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
        restore()


def let_finish() -> None:
    """The step in which Ctrl-C came is over: nothing is broken off any more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


# -- the first solutions --------------------------------------------------------------------------


def first_solutions(
    document: Document, wanted: int | None, **asked: Any
) -> tuple[list[Solution], Result]:
    """The first solutions found, at most `wanted` of them (None: all), and how the search ended;
    `asked` is what `Solving` takes."""
    from exactcover.search.solving import Solving

    solving = Solving(document.content, limit=wanted, **asked)
    solutions: list[Solution] = []
    with searching(document.name, solving) as progress:
        solving.between = progress.show
        solutions.extend(solving)  # which keeps what was found before an interrupt
    return solutions, solving.result


def nth_solution(
    document: Document, number: int, *, option: str = "--solution", **asked: Any
) -> Solution:
    """The solution found as the Nth; an error names the option that wants it."""
    found, result = first_solutions(document, number, **asked)
    if len(found) == number:
        return found[-1]
    if result.status == "interrupted":
        raise KeyboardInterrupt
    has = f"{document.name} has {quantity(len(found), 'solution')}"
    end = (
        "" if result.status == "impossible" else end_words(result, seconds=asked.get("time_limit"))
    )
    raise ExactCoverError(f"{has}{end}: there is no {option} {number}")


# -- reports ---------------------------------------------------------------------------------------

LEVELS_SHOWN = 8
"""The number of tree levels shown where a search stops."""


def report_search(
    document: Document,
    solving: Solving | Counting,
    switches: Switches,
    sinks: Sequence[Sink] = (),
    *,
    emits: bool,
    strict: bool = False,
    seed: int | None = None,
    too_large: TooLarge | None = None,
) -> int:
    """Report a search, and where it stopped if it was interrupted; return the exit status.

    emits      the report is an object of its own, not a part of the object of a sink
    strict     a number of the file that is wrong is an error, and all are compared
    seed       of what is drawn at random. Default: None, nothing is
    too_large  the limit of memory that ended the search
    """
    from exactcover.trust.provenance import provenance_of

    result = solving.result
    if result.status == "searching":  # a step that cannot be interrupted is broken off
        result = replace(result, status="interrupted")
    if too_large is not None:
        result = replace(result, status="limit", stopped_by="memory")
        say(str(too_large))
    record = record_of_search(document, result, switches)
    if result.status == "interrupted":
        position = [[branch + 1, branches] for branch, branches in solving.position]
        record |= {"progress": round(solving.progress, 6), "position": position}
        say(_where(document, solving.progress, position))
    record |= record_of_best(solving)
    if not switches.as_json:
        memory = too_large.limit if too_large is not None else 0
        for line in _lines(document, result, switches, memory):
            click.echo(line)
    sys.stdout.flush()
    if strict:
        record |= against_stored(document, result, switches.time_limit)
    reads_it = emits or not all(isinstance(sink, TextSink) for sink in sinks)
    if reads_it:
        record["provenance"] = provenance_of(document, result, seed=seed, workers=solving.workers)
    for one in sinks:
        one.close(record)
    if emits:
        emit(record)
    end = exit_status(result.stopped_by, result.status)
    return DIFFERENT if end != INTERRUPTED and "warning" in record else end


def against_stored(document: Document, result: Result, time_limit: float | None) -> dict[str, Any]:
    """Compare the numbers of the file with the result; return the comparison for a script.

    A person reads it on standard error.
    """
    from exactcover.search.counting.stored import ENDED, compared, notes

    if time_limit is not None:
        time_limit = max(0.0, time_limit - result.seconds - result.compiling)
    found = compared(
        document,
        {result.counted: result.solutions},
        result.status in ENDED,
        time_limit,
        partial(run_search, document.name),
    )
    if "warning" in found:
        say(f"warning: {document.name}: {found['warning']}")
    for note in notes(found):
        say(f"{document.name}: {note}")
    return found


def _where(document: Document, progress: float, position: list[list[int]]) -> str:
    """Where in the tree a search was interrupted: its share, and the branches of the top levels."""
    if not position:
        where = f"at {progress:.2%}" if progress else "before the search"
        return f"{document.name}: interrupted {where}"
    levels = [f"{branch} of {branches}" for branch, branches in position[:LEVELS_SHOWN]]
    more = f", and {len(position) - LEVELS_SHOWN} levels below" * (len(position) > LEVELS_SHOWN)
    return f"{document.name}: interrupted at {progress:.2%}, in branch {', '.join(levels)}{more}"


def record_of_search(document: Document, result: Result, switches: Switches) -> dict[str, Any]:
    """The report for a script."""
    record: dict[str, Any] = {"puzzle": document.name} | result.record()
    if result.reason:
        record["reason"] = result.reason
    if result.why:
        record["why"] = result.why
    if switches.stats:
        if result.symmetric:
            record["symmetries"] = dict(result.symmetric)
        record["filters"] = [asdict(applied) for applied in result.applied]
        record["by_remaining"] = [asdict(row) for row in result.by_remaining]
    return record


def _lines(document: Document, result: Result, switches: Switches, memory: int) -> Iterator[str]:
    """The report for a person; `memory`: the limit that was reached."""
    from exactcover.search.planned import NO_SYMMETRY

    end = end_words(result, seconds=switches.time_limit, solutions=result.solutions, memory=memory)
    yield f"{document.name}: {solutions(result.solutions, result.counted)}{end}"
    if result.why:
        yield f"  by {result.strategy}: {result.why}"
    if switches.stats:
        if result.symmetric.keys() - {NO_SYMMETRY}:
            for group, number in result.symmetric.items():
                yield f"  {number:,} with {group}"
        for applied in result.applied:
            note = f" ({applied.note})" if applied.note else ""
            yield f"  {applied.filter}: {applied.removed:,} options removed{note}"
        yield from by_remaining(result.by_remaining)
        yield (
            f"  {result.fits:,} fits, {result.nofits:,} no-fits, {result.seconds:.3f} s, "
            f"strategy {result.strategy}"
        )


def by_remaining(found: Sequence[Remaining]) -> Iterator[str]:
    """The options tried by the number of remaining pieces, as lines of a table."""
    if not found:
        return
    rows: list[tuple[str, ...]] = [("remaining", "stage", "attempts", "fits", "no-fits")]
    rows += [
        (str(row.remaining), row.stage, f"{row.attempts:,}", f"{row.fits:,}", f"{row.nofits:,}")
        for row in found
    ]
    totals = ((row.attempts, row.fits, row.nofits) for row in found)
    rows.append(("total", "", *(f"{sum(column):,}" for column in zip(*totals, strict=True))))
    yield from table(rows, left={1})


# -- the best partial packing of a search for one solution ----------------------------------------


def best_of(solving: Solving | Counting) -> Solution | None:
    """The best partial packing of a search that has no solution; None: there is none."""
    from exactcover.runs.portfolio import Finding

    if not isinstance(solving, Finding) or solving.result.solutions:
        return None
    return solving.best


def record_of_best(solving: Solving | Counting) -> dict[str, Any]:
    """The key `best` for a script: the pieces or options as in a solution; nothing without one."""
    best = best_of(solving)
    return {} if best is None else {"best": written(best)}
