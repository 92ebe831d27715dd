"""Shared by the commands: reading puzzles, JSON lines, Ctrl-C."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

import click

from exactcover.app.cli import signals
from exactcover.app.cli.commands import GIVEN, Given
from exactcover.app.cli.signals import watch
from exactcover.base.text.characters import escaped
from exactcover.errors import ExactCoverError, FormatError, TimeUp, TooLarge

if TYPE_CHECKING:
    from exactcover.formats import Document

INTERRUPTED = signals.INTERRUPTED
PATIENCE = 0.15
"""Seconds after Ctrl-C that a step may still take."""


def read_all(
    places: Sequence[str], time_limit: float | None = None, *, together: bool = False
) -> Iterator[Document]:
    """The puzzles at these places, one after the other; the time limit holds for reading each
    place.

    If one of several puzzles cannot be read, or fails within `failing_alone`, the others are still
    done. The fault is reported on standard error, and the command ends with an error that says how
    many puzzles failed.

    together  the command makes one thing of all puzzles, so the first fault ends it
    """
    from exactcover.base.patience import within
    from exactcover.formats import Refused, read_puzzles

    given = click.get_current_context().meta[GIVEN] = Given(len(places) > 1 and not together)
    for place in places:
        entries: list[Document | Refused]
        try:
            with within(time_limit):
                entries = read_puzzles(place)
        except ExactCoverError as error:
            if not given.several:
                raise
            entries = [Refused(place, FormatError(str(error)))]
        given.total += len(entries)
        given.several |= len(entries) > 1 and not together
        for entry in entries:
            if not isinstance(entry, Refused):
                yield entry
                continue
            given.fail(entry.name, entry.error)
    if given.total and given.failed == given.total:
        raise given.end


@contextmanager
def failing_alone(document: Document) -> Iterator[None]:
    """Report what fails in this block, and let the command go on with its other puzzles."""
    try:
        yield
    except (TimeUp, TooLarge):
        raise  # a limit, which has a status of its own
    except ExactCoverError as error:
        click.get_current_context().meta[GIVEN].fail(document.name, error)


def puzzles_given() -> int:
    """The number of puzzles that the command has read, those that could not be read among them."""
    given: Given = click.get_current_context().meta[GIVEN]
    return given.total


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
