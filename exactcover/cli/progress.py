"""The progress of a long search, on standard error: a bar, plain lines, or JSON.

The first second has no output, and the first ten no plain line; if standard error is no terminal, a
line comes once a minute. SIGUSR1 asks for the figures at once, in any mode.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol, Self

import click

from exactcover.base.machine import memory_taken
from exactcover.cli.ends import on_screen, say
from exactcover.cli.reports import duration, quantity

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

MODE = "exactcover.progress"
"""Where the context of a command has the value of `--progress`."""

AFTER = {"bar": 1.0, "plain": 10.0, "log": 60.0, "json": 1.0, "none": 0.0}
"""Seconds before the first line of each sort."""

EVERY = {"bar": 0.25, "plain": 10.0, "log": 60.0, "json": 1.0}
"""Seconds between two lines of each sort."""

BAR = 24
"""Columns of the bar."""

RECENT = 30.0
"""Seconds whose speed is compared with that of the whole search, for the time left."""

SURE = 1.25
"""The time left is given as one number if its bounds differ by no more than this factor."""


class Searching(Protocol):
    """A search that says how many solutions it has found, and which share is done, 0 to 1."""

    @property
    def found(self) -> int: ...

    @property
    def progress(self) -> float: ...


class Progress:
    """The progress of one piece of work; at the end of its `with` statement it is taken away.

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, solving: Searching) -> None:
        """Report a search, if it is time to."""
        self._show(lambda: self._figures(solving))

    def tell(self, text: str) -> None:
        """Report work that says itself how far it is, if it is time to."""
        seconds = monotonic() - self._began
        self._show(lambda: {"puzzle": self.name, "progress": text, "seconds": round(seconds, 1)})

    def _show(self, figures_of: Callable[[], dict[str, Any]]) -> None:
        if _asked.is_set():
            _asked.clear()
            say(_line(figures_of()))
        elif self._sort != "none" and (now := monotonic()) >= self._next:
            self._next = now + EVERY[self._sort]
            figures = figures_of()
            if self._sort == "bar":
                self._draw_bar(figures)
            else:
                line = json.dumps(figures) if self._sort == "json" else _line(figures)
                click.echo(line, err=True)

    def _draw_bar(self, figures: dict[str, Any]) -> None:
        """Draw the progress and the time left, and below the bar the most important first."""
        done = figures.get("done")
        text = figures["progress"] if done is None else f"{done:.2%}{_left(figures['left'])}"
        facts = [f"{figures['solutions']:,} found"] if "solutions" in figures else []
        facts += [duration(figures["seconds"]), *_states(figures)]
        if "fits" in figures:
            facts.append(f"{figures['fits_per_second']:,} fits a second")
            facts.append(quantity(figures["workers"], "worker"))
        if "memory_mib" in figures:
            facts.append(f"{figures['memory_mib']:,} MiB")
        if "strategy" in figures:
            facts.append(figures["strategy"])
        self._display.draw(self.name, text, done, facts)

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
        search: Any = solving
        if hasattr(search, "kept"):  # it has an outcome at any time, and says how many workers
            result, kept = search.result, search.kept
            figures |= {
                "fits": result.fits,
                "nofits": result.nofits,
                "fits_per_second": round(result.fits / seconds) if seconds else 0,
                "strategy": result.strategy,
                **({"why": result.why} if result.why else {}),
                "workers": search.workers,
            }
            if kept is not None:  # states, in place of listing
                figures |= {"states": kept.states, "level": kept.level, "levels": kept.levels}
            if told := getattr(search, "told", ""):  # a search of one solution that packs pieces
                figures["packing"] = told
        if (memory := memory_taken()) is not None:
            figures["memory_mib"] = memory >> 20
        return figures


class Times:
    """The time left of a search, by its speed so far and by its speed of late."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._past: deque[tuple[float, float]] = deque([(began, 0.0)])

    def note(self, now: float, done: float) -> None:
        """Note the share that is done."""
        self._past.append((now, done))
        while len(self._past) > 2 and self._past[1][0] < now - RECENT:
            self._past.popleft()

    def left(self) -> tuple[float, float] | None:
        """The least and the most seconds that it may take; None: too little is done to say."""
        from exactcover.search.driver import LEAST_DONE, seconds_left

        (then, before), (now, done) = self._past[0], self._past[-1]
        if done < LEAST_DONE:
            return None
        rest = 1 - done
        both = (
            seconds_left(now - self._began, done, rest),
            seconds_left(now - then, done - before, rest),
        )
        left = sorted(one for one in both if one is not None)
        return (round(left[0], 1), round(left[-1], 1)) if left else None


def _sort() -> str:
    """The sort of progress lines to print: bar, plain, log, json or none."""
    context = click.get_current_context(silent=True)
    mode = "auto" if context is None else str(context.meta.get(MODE, "auto"))
    if mode == "auto":
        terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        return "bar" if terminal else "log"
    return mode


# -- figures in words -----------------------------------------------------------------------------


def _line(figures: dict[str, Any]) -> str:
    """All figures in a line."""
    seconds = duration(figures["seconds"])
    if "done" not in figures:
        return f"{figures['puzzle']}: {figures['progress']}, {seconds}"
    parts = [
        f"{figures['puzzle']}: {figures['solutions']:,} found, {figures['done']:.2%} searched in "
        f"{seconds}{_left(figures['left'])}",
        *_states(figures),
    ]
    if "fits" in figures:
        parts.append(
            f"{figures['fits']:,} fits, {figures['nofits']:,} no-fits, "
            f"{figures['fits_per_second']:,} fits a second"
        )
    if "memory_mib" in figures:
        parts.append(f"{figures['memory_mib']:,} MiB")
    if "strategy" in figures:
        parts.append(f"strategy {figures['strategy']}")
    if figures.get("workers", 1) > 1:
        parts.append(f"{figures['workers']} workers")
    return "; ".join(parts)


def _states(figures: dict[str, Any]) -> list[str]:
    """The states of a count, and how far a packing is."""
    found = []
    if "states" in figures:
        levels = f", level {figures['level']} of {figures['levels']}" if figures["levels"] else ""
        found.append(f"{figures['states']:,} states{levels}")
    if "packing" in figures:
        found.append(figures["packing"])
    return found


def _left(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return ""
    least, most = bounds
    if most <= SURE * least or most < 2:
        return f", about {duration((least + most) / 2)} left"
    return f", {duration(least)} to {duration(most)} left"


# -- the bar on a terminal ------------------------------------------------------------------------


class Display:
    """A bar and a line of figures below it, drawn with rich, which is imported for the first.

    They are drawn again in their place, and taken away before anything is printed.
    """

    def __init__(self) -> None:
        self._console: Console | None = None
        self._lines = 0

    def draw(self, name: str, text: str, done: float | None, facts: Sequence[str]) -> None:
        """Draw a bar with a name before it and a text behind it, and the facts below.

        There is no bar if the share that is done is unknown. Lines are cut where the terminal ends,
        a long name before the text is.
        """
        from rich.console import Console
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if self._console is None:
            self._console = Console(file=sys.stderr, highlight=False)
        console = self._console
        bar = BAR if done is not None else 0
        head = Table.grid(padding=(0, 1))
        room = max(console.width - bar - len(text) - 3, console.width // 4)
        head.add_column(no_wrap=True, overflow="ellipsis", style="bold", max_width=room)
        cells: list[RenderableType] = [Text(name)]
        if done is not None:
            head.add_column(width=bar)
            cells.append(ProgressBar(total=1.0, completed=done, width=bar))
        head.add_column(no_wrap=True, overflow="ellipsis")
        head.add_row(*cells, Text(text))
        with console.capture() as drawn:
            console.print(head)
            if facts:
                line = Text(f"  {' · '.join(facts)}", style="dim")
                console.print(line, no_wrap=True, overflow="ellipsis")
        said = drawn.get()
        sys.stderr.write(self._up() + said)
        sys.stderr.flush()
        self._lines = said.count("\n")
        if self not in on_screen:
            on_screen.append(self)

    def clear(self) -> None:
        """Take away what is drawn."""
        if self._lines:
            sys.stderr.write(self._up())
            sys.stderr.flush()
            self._lines = 0
            on_screen.remove(self)

    def _up(self) -> str:
        """To the first line of what is drawn, with everything below erased."""
        return f"\r\033[{self._lines}A\033[J" if self._lines else "\r"


# -- SIGUSR1 --------------------------------------------------------------------------------------

_asked = Event()


def _ask(number: int, frame: FrameType | None) -> None:
    _asked.set()


def _watch_signal() -> None:
    """Answer SIGUSR1 with the figures, where there is this signal."""
    number = getattr(signal, "SIGUSR1", None)
    if number is not None and signal.getsignal(number) is not _ask:
        with suppress(ValueError):  # only the main thread may handle signals
            signal.signal(number, _ask)
