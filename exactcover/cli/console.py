"""Shared by the commands: reading puzzles, JSON lines, Ctrl-C."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import click

from exactcover.cli import signals
from exactcover.cli.signals import watch
from exactcover.errors import ExactCoverError
from exactcover.text.characters import escaped

if TYPE_CHECKING:
    from exactcover.formats import Document

INTERRUPTED = signals.INTERRUPTED
PATIENCE = 0.15
"""Seconds after Ctrl-C that a step may still take."""

puzzle_argument = click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)


def json_lines(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option `--json` of a command that prints an object for each of these."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        help=f"Print one JSON object per {what} and nothing else.",
    )


json_option = json_lines("puzzle")


def read_all(places: Sequence[str], time_limit: float | None = None) -> Iterator[Document]:
    """The puzzles at these places, one after the other; the time limit holds for reading each
    place.

    If one of several puzzles of a file cannot be read, the others are still read. The fault is
    reported on standard error, and an error at the end says how many puzzles were refused.
    """
    from exactcover.formats import Refused, read_puzzles
    from exactcover.patience import within

    refused = total = 0
    for place in places:
        with within(time_limit):
            entries = read_puzzles(place)
        total += len(entries)
        for entry in entries:
            if not isinstance(entry, Refused):
                yield entry
            elif len(entries) == 1:
                raise entry.error
            else:
                refused += 1
                click.echo(f"exactcover: {entry.name}: {entry.error}", err=True)
    if refused:
        raise ExactCoverError(f"{refused} of {total} puzzles cannot be read")


def emit(record: dict[str, Any]) -> None:
    """One JSON object on a line of standard output."""
    click.echo(escaped(json.dumps(record, ensure_ascii=False)))


class Stoppable(Protocol):
    """A search that can be ended from a signal handler."""

    def stop(self) -> None:
        """End it after the step that it is in."""


class BrokenOff(KeyboardInterrupt):
    """Ctrl-C came during work that has no steps to stop between."""


@contextmanager
def stopping_on_interrupt(
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
        if timed:
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
    try:
        yield
    except BrokenOff:
        pass  # the command reports that the search was interrupted, and where
    except Exception:  # or another package's exception: numpy's, while it compares records
        if not broken_off:
            raise
    finally:
        watch.last_words = None
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
        restore()
