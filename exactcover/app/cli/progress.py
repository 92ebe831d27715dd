"""The progress of a long search, on standard error: a bar, plain lines, or JSON.

The first second has no output, and the first ten no plain line; if standard error is no terminal, a
line comes once a minute. SIGUSR1 asks for the figures at once, in any mode.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import click

from exactcover.app.cli.figures import Times, ahead, facts, memory_mib, plain
from exactcover.app.cli.live import Display
from exactcover.app.cli.options import PROGRESS

if TYPE_CHECKING:
    from exactcover.backends.base import Kept
    from exactcover.search.result import Result

AFTER = {"bar": 1.0, "plain": 10.0, "log": 60.0, "json": 1.0, "none": 0.0}
"""Seconds before the first line of each sort."""

EVERY = {"bar": 0.25, "plain": 10.0, "log": 60.0, "json": 1.0}
"""Seconds between two lines of each sort."""


class Searching(Protocol):
    """A search that reports its progress; see `Reporting`."""

    @property
    def found(self) -> int:
        """Solutions found so far."""

    @property
    def progress(self) -> float:
        """The share that is done, 0 to 1."""


@runtime_checkable
class Reporting(Searching, Protocol):
    """A search that also has an outcome at any time."""

    @property
    def result(self) -> Result:
        """The outcome so far."""

    @property
    def workers(self) -> int:
        """How many threads or processes search."""

    @property
    def kept(self) -> Kept | None:
        """The states that a count keeps instead of listing; None: it keeps none."""


@runtime_checkable
class Packing(Searching, Protocol):
    """A search of one solution that packs pieces."""

    @property
    def told(self) -> str:
        """How far it got, in words; empty before it packs."""


class Progress:
    """The progress of one piece of work.

    name  of the puzzle, or of what is being done
    logs  whether it reports where standard error is no terminal
    """

    def __init__(self, name: str, *, logs: bool = True) -> None:
        self.name = name
        self._sort = _sort()
        if self._sort == "log" and not logs:
            self._sort = "none"
        self._began = monotonic()
        self._next = self._began + AFTER[self._sort]
        self._display = Display()
        self._times = Times(self._began)
        _watch_signal()

    def show(self, solving: Searching) -> None:
        """Report a search, if it is time to."""
        asked = _answered()
        if not asked and not self._due():
            return
        figures = self._figures(solving)
        if asked:
            self.clear()
            click.echo(f"exactcover: {plain(figures)}", err=True)
        else:
            self._write(figures)

    def tell(self, text: str) -> None:
        """Report work that says itself how far it is, if it is time to."""
        asked = _answered()
        if not asked and not self._due():
            return
        seconds = monotonic() - self._began
        figures = {"puzzle": self.name, "progress": text, "seconds": round(seconds, 1)}
        if asked:
            self.clear()
            click.echo(f"exactcover: {plain(figures)}", err=True)
        else:
            self._write(figures)

    @contextmanager
    def ticking(self, text: str) -> Iterator[None]:
        """Report work that does not report itself, from another thread, while it goes on."""
        over = Event()

        def tick() -> None:
            while not over.wait(EVERY["bar"]):
                self.tell(text)

        thread = Thread(target=tick, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.clear()

    def clear(self) -> None:
        """Take the bar away, so that something else can be printed."""
        self._display.clear()

    def _due(self) -> bool:
        return self._sort != "none" and monotonic() >= self._next

    def _write(self, figures: dict[str, Any]) -> None:
        self._next = monotonic() + EVERY[self._sort]
        if self._sort == "bar":
            self._display.draw(self.name, ahead(figures), figures.get("done"), facts(figures))
        else:
            line = json.dumps(figures) if self._sort == "json" else plain(figures)
            click.echo(line, err=True)

    def _figures(self, solving: Searching) -> dict[str, Any]:
        """The figures of a search, with the keys of `--progress json`."""
        done, now = solving.progress, monotonic()
        seconds = now - self._began
        self._times.note(now, done)
        figures: dict[str, Any] = {
            "puzzle": self.name,
            "done": round(done, 6),
            "solutions": solving.found,
            "seconds": round(seconds, 1),
            "left": self._times.left(),
        }
        if isinstance(solving, Reporting):
            result = solving.result
            figures |= {
                "fits": result.fits,
                "nofits": result.nofits,
                "fits_per_second": round(result.fits / seconds) if seconds else 0,
                "strategy": result.strategy,
                **({"why": result.why} if result.why else {}),
                "workers": solving.workers,
            }
            if (kept := solving.kept) is not None:
                figures |= {"states": kept.states, "level": kept.level, "levels": kept.levels}
            if isinstance(solving, Packing) and solving.told:
                figures["packing"] = solving.told
        if (memory := memory_mib()) is not None:
            figures["memory_mib"] = memory
        return figures


def _sort() -> str:
    """The sort of progress lines to print: bar, plain, log, json or none."""
    context = click.get_current_context(silent=True)
    mode = "auto" if context is None else str(context.meta.get(PROGRESS, "auto"))
    if mode == "auto":
        terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        return "bar" if terminal else "log"
    return mode


# -- SIGUSR1 --------------------------------------------------------------------------------------

_asked = False


def _watch_signal() -> None:
    """Answer SIGUSR1 with the figures, where there is this signal."""
    number = getattr(signal, "SIGUSR1", None)
    if number is None or signal.getsignal(number) is _ask:
        return
    try:
        signal.signal(number, _ask)
    except ValueError:  # only the main thread may handle signals
        return


def _ask(number: int, frame: FrameType | None) -> None:
    global _asked
    _asked = True


def _answered() -> bool:
    """Whether SIGUSR1 came since the last call."""
    global _asked
    asked, _asked = _asked, False
    return asked
