"""How a command ends: exit statuses, messages on standard error, Ctrl-C, SIGTERM and SIGHUP.

A script must not take an answer that a limit of time or memory cut short for a complete one, so
this answer has its own exit status. A wanted number of solutions is different: a run with `--limit
10` that finds ten has answered the question.

Ctrl-C, SIGTERM and SIGHUP stop a search after its step, and what it found is reported. Python runs
the handler of a signal between two steps of Python code: not while LLVM compiles a kernel or a
solver presolves a model, which takes seconds. So a second thread gets each signal from the
operating system itself. If the main thread makes no step for a while, this thread reports what was
found and ends the process.

This module is imported before anything else of the program, so it imports little.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from select import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType
    from typing import Any, NoReturn, Self


DONE = 0
"""The exit status of a command that did what it was asked, also if there is no solution."""

MISTAKE = 1
"""A user's mistake."""

DIFFERENT = 3
"""A number in a file, or an engine, contradicts the answer."""

STOPPED = 4
"""A limit of time or memory ended the run before the answer was complete."""

INTERRUPTED = 130
"""The exit status if Ctrl-C, SIGTERM or SIGHUP ended the command."""


def exit_status(stopped_by: str, status: str = "") -> int:
    """The exit status of an answer, by the limit that ended it (empty: no limit) and its status."""
    if status == "interrupted":
        return INTERRUPTED
    return STOPPED if stopped_by in ("time", "memory", "states") else DONE


def worse(one: int, other: int) -> int:
    """The exit status of two answers together: a contradiction weighs most, a limit least."""
    return max(one, other, key=(DONE, STOPPED, MISTAKE, DIFFERENT, INTERRUPTED).index)


# -- messages --------------------------------------------------------------------------------------


class Screen:
    """The lines drawn on a terminal, below its text: they are drawn again in their place, and taken
    away before anything is printed."""

    drawn = 0

    def draw(self, lines: Sequence[str]) -> None:
        """Draw these lines."""
        sys.stderr.write(self._up() + "".join(f"{line}\n" for line in lines))
        sys.stderr.flush()
        self.drawn = len(lines)

    def clear(self) -> None:
        """Take away what is drawn."""
        if self.drawn:
            sys.stderr.write(self._up())
            sys.stderr.flush()
            self.drawn = 0

    def _up(self) -> str:
        """To the first line of what is drawn, with everything below erased."""
        return f"\r\033[{self.drawn}A\033[J" if self.drawn else "\r"


screen = Screen()


def say(message: str) -> None:
    """Print a message of the program."""
    screen.clear()
    sys.stderr.write(f"exactcover: {message}\n")
    sys.stderr.flush()


# -- signals ---------------------------------------------------------------------------------------

PATIENCE = 0.25
"""Seconds: after two of them without a step, a signal ends the process."""

ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""The signals that end a command; not every system has each."""

OVER = 0
"""A byte that is no signal: the watch is over."""


class SignalWatch:
    """Signals end a search, or the process if the main thread does not react to one.

    The first signal stops a search between two steps, so no solution found is lost. While a report
    is made it waits for the end of the report; anywhere else it is a `KeyboardInterrupt`. A second
    signal ends the process at once.

    pressed     how many signals to end came
    reporting   whether a signal outside of a search waits for the end of the report
    steps       how many steps the search has made, and solutions were handed out
    """

    pressed = steps = 0
    reporting = False
    _search: Any = None
    _last_words: Callable[[], object] | None = None
    _handlers: Mapping[int, Any] = {}
    _pipe: tuple[int, int] | None = None

    def __init__(self) -> None:
        self._lock, self._ending = threading.Lock(), threading.RLock()

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        self.pressed = self.steps = 0
        self.reporting = False
        self._handlers = {
            number: signal.signal(number, self._interrupt)
            for number in ENDING
            if signal.getsignal(number) is not signal.SIG_IGN  # as for a command under nohup
        }
        if os.name == "posix":  # elsewhere signals arrive through sockets only
            self._pipe = os.pipe()
            os.set_blocking(self._pipe[1], False)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
            self._thread = threading.Thread(target=self._watch, name="signals", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """Stop watching."""
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            os.write(self._pipe[1], bytes([OVER]))
            self._thread.join()
            for end in self._pipe:
                os.close(end)
            self._pipe = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    @contextmanager
    def stopping(
        self, search: Any, last_words: Callable[[], object] | None = None
    ) -> Iterator[None]:
        """Within this, a first signal stops the search; what follows then is the report.

        last_words  reports, from another thread, what a search found that does not stop. Default:
                    None, there is a report after a signal only
        """
        self._search, self._last_words = search, last_words
        if self.pressed:
            search.stop()
        try:
            yield
        finally:
            with self._lock:
                self._search = self._last_words = None
                self.reporting |= self.pressed > 0 or last_words is not None

    def answer(self) -> None:
        """The command has a signal, and ends by itself."""
        self.reporting = True

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """The handler of a signal, in the main thread."""
        self.pressed += 1
        if self.pressed > 1:
            self.end("interrupted")
        if self._search is not None:
            self._search.stop()
        elif not self.reporting:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        """Wait for signals, and after the first for steps of the main thread."""
        assert self._pipe is not None
        pressed, before, wait = 0, -1, None
        while True:
            if select([self._pipe[0]], [], [], wait)[0]:
                number = os.read(self._pipe[0], 1)[0]
                if number == OVER:
                    return
                pressed += number in ENDING
                if pressed > 1:
                    self.end("interrupted")
                wait = PATIENCE if pressed else None
            elif self._search is None and self.reporting:
                wait = None
            elif self.steps != before:
                before = self.steps
            else:
                self._break_off()

    def _break_off(self) -> None:
        """Report what the search has found, and end the process in the middle of its work."""
        with self._lock:  # the main thread cannot leave the search and report, too
            if self._search is None and self.reporting:
                return
            message = "interrupted"
            try:
                if self._search is not None and self._last_words is not None:
                    self._search.stop()
                    self._last_words()
                    message = ""
            finally:
                self.end(message)

    def end(self, message: str) -> NoReturn:
        """End the process in the middle of its work, with a message, which one thread says."""
        try:
            self._ending.acquire()
            if message:
                sys.stderr.write(f"exactcover: {message}\n")
            sys.stderr.flush()
            sys.stdout.flush()
        finally:
            os._exit(INTERRUPTED)


watch = SignalWatch()
"""The watch of this process: signals end a search, or the process."""
