"""How a command ends: exit statuses, messages on standard error, Ctrl-C, SIGTERM and SIGHUP.

A script must not take an answer that a limit of time or memory cut short for a complete one, so
this answer has its own exit status. A wanted number of solutions is different: a run with `--limit
10` that finds ten has answered the question.

Ctrl-C and SIGTERM are reported, and end the program at once, with any code running. Python runs the
handler of a signal between two steps of Python code. That is soon enough for most of the program,
but not while LLVM compiles a kernel or a solver presolves a model, which takes seconds; and an
exception that a handler raises in a callback of C code is printed and lost. So a second thread gets
each signal from the operating system itself. If the main thread does not answer soon, the second
one reports the results and ends the process.

This module is imported before anything else of the program, so it imports little.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, NoReturn, Protocol, Self

    from exactcover.cli.progress import Display

    class Stoppable(Protocol):
        """A search that a signal handler can end, after the step that it is in."""

        def stop(self) -> None: ...


DONE = 0

MISTAKE = 1
"""A user's mistake."""

DIFFERENT = 3
"""A number in a file, or an engine, contradicts the answer."""

STOPPED = 4
"""A limit of time or memory ended the run before the answer was complete."""

INTERRUPTED = 130
"""Ctrl-C, SIGTERM or SIGHUP ended the command."""


def exit_status(stopped_by: str, status: str = "") -> int:
    """The exit status of an answer, by the limit that ended it (empty: no limit) and its status."""
    if status == "interrupted":
        return INTERRUPTED
    return STOPPED if stopped_by in ("time", "memory", "states") else DONE


def worse(one: int, other: int) -> int:
    """The exit status of two answers together: a contradiction weighs more than a limit."""
    return DIFFERENT if DIFFERENT in (one, other) else max(one, other)


# -- messages --------------------------------------------------------------------------------------

on_screen: list[Display] = []


def clear_screen() -> None:
    """Take away the bar that is drawn, if there is one, so that a message can be printed."""
    for display in on_screen:
        display.clear()


def say(message: str) -> None:
    """Print a message of the program."""
    clear_screen()
    sys.stderr.write(f"exactcover: {message}\n")
    sys.stderr.flush()


# -- signals ---------------------------------------------------------------------------------------

PATIENCE = 0.15
"""Seconds after a signal that a step of a search may still take."""

ANSWER = 0.2
"""Seconds that the main thread has to run the handler of a signal."""

UNWIND = 0.5
"""Seconds from the exception that a handler raises to the end of the command."""

ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""The signals that end a command; not every system has each."""

OVER = 0
"""A byte that is no signal: the watch is over."""


class BrokenOff(KeyboardInterrupt):
    """Ctrl-C came during work that has no steps to stop between."""


class SignalWatch:
    """Signals end a search, or the process if the main thread does not react to one.

    The first signal stops a search between two steps, so no solution found is lost. Work without
    steps, a filter or the compilation of an engine, is broken off soon after; the solutions found
    before it are kept. A second signal ends the command at once. If even that is impossible, since
    code other than Python runs, `last_words` reports the solutions found, and the process ends.

    pressed     how many signals to end came
    late        whether the first came while a report was made, which is made to its end
    handing     solutions of a step are handed out, which is not broken off
    last_words  reports the solutions found so far, from another thread; None: there are none
    """

    def __init__(self) -> None:
        self._read = self._write = -1
        self._begin()

    def _begin(self) -> None:
        self.pressed = 0
        self.late = False
        self.handing = False
        self._reporting = self._broken_off = False
        self._search: Stoppable | None = None
        self.last_words: Callable[[], object] | None = None
        self._answers = 0
        self._raised = False
        self._answered = threading.Condition()
        self._over = threading.Event()
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        self._begin()
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as for a command under nohup
                self._handlers[number] = signal.signal(number, self._interrupt)
        if os.name == "posix":  # elsewhere signals arrive through sockets only
            self._handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._alarm)
            self._read, self._write = os.pipe()
            os.set_blocking(self._write, False)
            signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
            self._thread = threading.Thread(target=self._watch, name="signals", daemon=True)
            self._thread.start()
        sys.unraisablehook = self._not_raised
        return self

    def __exit__(self, *raised: object) -> None:
        """Stop watching."""
        self._over.set()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = sys.__unraisablehook__
        if self._write >= 0:
            signal.set_wakeup_fd(-1)
            os.write(self._write, bytes([OVER]))
            self._thread.join()
            os.close(self._read)
            os.close(self._write)
            self._write = -1

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Within this, a first signal is kept until what was found is reported; then the command
        ends. A second one ends it at once."""
        self._reporting = True
        try:
            yield
        finally:
            self._reporting = False

    @contextmanager
    def stopping(
        self, search: Stoppable, last_words: Callable[[], object] | None = None
    ) -> Iterator[None]:
        """Within this, a first signal stops the search."""

        def stop_and_tell() -> None:
            search.stop()
            assert last_words is not None
            last_words()

        self._search, self._broken_off = search, False
        self.last_words = stop_and_tell if last_words is not None else None
        if self.late:
            search.stop()
        try:
            yield
        except BrokenOff:
            pass  # the command reports that the search was interrupted, and where
        except Exception:  # or another package's exception: numpy's, while it compares records
            if not self._broken_off:
                raise
        finally:
            self._search = self.last_words = None
            self.handing = False
            self.let_finish()

    def let_finish(self) -> None:
        """The step in which a signal came is over: nothing is broken off any more."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def answer(self) -> None:
        """The handler of a signal runs: the main thread is not stuck."""
        with self._answered:
            self._answers += 1
            self._answered.notify()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.pressed += 1
        self.answer()
        if self.pressed == 1 and self._search is not None:
            self._search.stop()
            if not self.handing and hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            return
        self.late = self._reporting and self.pressed == 1
        if not self.late:
            self._raised = True
            raise KeyboardInterrupt

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        self.answer()
        if self._search is not None:
            self._broken_off = True
            raise BrokenOff

    def _watch(self) -> None:
        """Wait for signals, and for the main thread to answer each of them."""
        awaited = 0
        watched = [*ENDING, getattr(signal, "SIGALRM", None)]
        while (told := os.read(self._read, 1)) != bytes([OVER]):
            if told[0] not in watched:
                continue
            awaited += 1
            with self._answered:
                answered = self._answered.wait_for(lambda: self._answers >= awaited, ANSWER)  # noqa: B023
            if not answered or (self._raised and not self._over.wait(UNWIND)):
                self.break_off()

    def _not_raised(self, lost: sys.UnraisableHookArgs) -> None:
        """Handle an exception raised where none can propagate: an interrupt still ends the
        command."""
        if issubclass(lost.exc_type, KeyboardInterrupt):
            self.break_off()
        sys.__unraisablehook__(lost)

    def break_off(self) -> NoReturn:
        """Report the results, and end the process in the middle of its work."""
        told = False
        try:
            if self.last_words is not None:
                self.last_words()
                told = True
        finally:
            try:
                if not told:
                    sys.stderr.write("exactcover: interrupted\n")
                sys.stderr.flush()
                sys.stdout.flush()
            finally:
                os._exit(INTERRUPTED)


watch = SignalWatch()
"""The watch of this process: signals are for the process as a whole."""
