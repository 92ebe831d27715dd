"""The progress of a long search, on standard error: a line that changes, plain lines, or JSON.

Nothing is said in the first second, and no plain line in the first ten; where standard error is no
terminal, a line comes once a minute. SIGUSR1 asks for the figures at once, in any mode.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import deque
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import click

if TYPE_CHECKING:
    from exactcover.search.result import Result

AFTER = {"line": 1.0, "plain": 10.0, "log": 60.0, "json": 1.0, "none": 0.0}
"""Seconds before the first line of each sort."""

EVERY = {"line": 0.25, "plain": 10.0, "log": 60.0, "json": 1.0}
"""Seconds between two lines of each sort."""

RECENT = 30.0
"""Seconds whose speed is compared with that of the whole search, for the time left."""

SURE = 1.25
"""The time left is given as one number if its bounds differ by no more than this factor."""

_MODE = "exactcover.progress"

Command = Callable[..., Any]


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


def progress_option(command: Command) -> Command:
    """The option `--progress` of a command that can take long."""

    def keep(context: click.Context, _: click.Parameter, mode: str) -> None:
        context.meta[_MODE] = mode

    return click.option(
        "--progress",
        type=click.Choice(("auto", "plain", "json", "none")),
        default="auto",
        expose_value=False,
        callback=keep,
        help="How to show the progress of a long run, on standard error: 'auto': a line that "
        "changes on a terminal, otherwise a line a minute; 'plain': a line every 10 s; 'json': "
        "an object every second; 'none'.",
    )(command)


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
        self._shown = False
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
            click.echo(f"exactcover: {_plain(figures)}", err=True)
        else:
            self._write(_line(figures) if self._sort == "line" else _plain(figures), figures)

    def tell(self, text: str) -> None:
        """Report work that says itself how far it is, if it is time to."""
        asked = _answered()
        if not asked and not self._due():
            return
        seconds = monotonic() - self._began
        line = f"{self.name}: {text}, {duration(seconds)}"
        if asked:
            self.clear()
            click.echo(f"exactcover: {line}", err=True)
        else:
            record = {"puzzle": self.name, "progress": text, "seconds": round(seconds, 1)}
            self._write(line, record)

    def clear(self) -> None:
        """Take the changing line away."""
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._shown = False

    def _due(self) -> bool:
        return self._sort != "none" and monotonic() >= self._next

    def _write(self, line: str, record: dict[str, Any]) -> None:
        self._next = monotonic() + EVERY[self._sort]
        if self._sort == "line":
            self._shown = True
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
        else:
            click.echo(json.dumps(record) if self._sort == "json" else line, err=True)

    def _figures(self, solving: Searching) -> dict[str, Any]:
        """What is known of a search, with the keys of `--progress json`."""
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
            }
        if (memory := memory_mib()) is not None:
            figures["memory_mib"] = memory
        return figures


class Times:
    """How long a search still takes, from its speed so far and from its speed of late."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._past: deque[tuple[float, float]] = deque([(began, 0.0)])

    def note(self, now: float, done: float) -> None:
        """Note the share that is done."""
        self._past.append((now, done))
        while len(self._past) > 2 and self._past[1][0] < now - RECENT:
            self._past.popleft()

    def left(self) -> tuple[float, float] | None:
        """The least and the most seconds that it may take; None: nothing can be said yet."""
        (then, before), (now, done) = self._past[0], self._past[-1]
        if done < 1e-4 or now <= self._began:
            return None
        speeds = [done / (now - self._began)]
        if done > before and now > then:
            speeds.append((done - before) / (now - then))
        left = sorted((1 - done) / speed for speed in speeds)
        return round(left[0], 1), round(left[-1], 1)


def duration(seconds: float) -> str:
    """A number of seconds in a unit that fits: `4.0 s`, `3.5 min`."""
    for unit, size in (("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def memory_mib() -> int | None:
    """The memory of this process in MiB; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:  # not on Linux
        return None
    return pages * 4096 >> 20


def _line(figures: dict[str, Any]) -> str:
    """A line short enough for a terminal."""
    return (
        f"{figures['puzzle']}: {figures['solutions']:,} found, {figures['done']:.2%} searched in "
        f"{duration(figures['seconds'])}{_left(figures['left'])}"
    )


def _plain(figures: dict[str, Any]) -> str:
    """All that is known, in a line."""
    parts = [_line(figures)]
    if "fits" in figures:
        parts.append(
            f"{figures['fits']:,} fits, {figures['nofits']:,} no-fits, "
            f"{figures['fits_per_second']:,} fits a second"
        )
    if "memory_mib" in figures:
        parts.append(f"{figures['memory_mib']:,} MiB")
    if "strategy" in figures:
        parts.append(f"strategy {figures['strategy']}")
    return "; ".join(parts)


def _left(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return ""
    least, most = bounds
    if most <= SURE * least or most < 2:
        return f", about {duration((least + most) / 2)} left"
    return f", {duration(least)} to {duration(most)} left"


def _sort() -> str:
    """Which sort of lines the command was asked for: line, plain, log, json or none."""
    context = click.get_current_context(silent=True)
    mode = "auto" if context is None else str(context.meta.get(_MODE, "auto"))
    if mode == "auto":
        return "line" if sys.stderr.isatty() else "log"
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
