"""Searches that a command runs: their progress on the terminal, and Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from exactcover.cli.progress import Progress, Searching
from exactcover.cli.reports import end_words, quantity
from exactcover.cli.signals import watch
from exactcover.cli.terminal import say
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Result, Solution

PATIENCE = 0.15
"""Seconds after Ctrl-C that a step may still take."""


class Stoppable(Protocol):
    """A search that can be ended from a signal handler."""

    def stop(self) -> None:
        """End it after the step that it is in."""


class Stepping(Searching, Stoppable, Protocol):
    """A search that goes on step by step."""

    def step(self) -> bool:
        """Go on for a moment; return False at the end."""


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
        for number in (signal.SIGINT, signal.SIGTERM)
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
