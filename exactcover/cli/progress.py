"""The progress of a long search, on standard error: a bar, plain lines, or JSON.

The first second has no output, and the first ten no plain line; if standard error is no terminal, a
line comes once a minute.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any, Self

import click

from exactcover.base.machine import peak_memory
from exactcover.cli.ends import screen, watch
from exactcover.cli.reports import duration, quantity

MODE = "exactcover.progress"
"""Where the context of a command has the value of `--progress`."""

NEVER = float("inf")
PACE = {
    "bar": (1.0, 0.25),
    "plain": (10.0, 10.0),
    "log": (60.0, 60.0),
    "json": (1.0, 1.0),
    "none": (NEVER, NEVER),
}
"""Seconds before the first line of each sort, and between two lines."""

BAR = 24
"""Columns of the bar."""

RECENT = 30.0
"""Seconds whose speed is compared with that of the whole search, for the time left."""

SURE = 1.25
"""The time left is given as one number if its bounds differ by no more than this factor."""


class Progress:
    """The progress of one piece of work; at the end of its `with` statement it is taken away.

    name  of the puzzle, or of what is being done
    logs  whether it reports where standard error is no terminal
    """

    def __init__(self, name: str, *, logs: bool = True) -> None:
        self.name = name
        context = click.get_current_context(silent=True)
        self._sort = "auto" if context is None else str(context.meta.get(MODE, "auto"))
        if self._sort == "auto":
            terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
            self._sort = "bar" if terminal else "log" if logs else "none"
        self._began = monotonic()
        self._next = self._began + PACE[self._sort][0]
        self._past = deque([(self._began, 0.0)])  # times, and the share that was done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the bar away, so that something else can be printed."""
        screen.clear()

    def show(self, search: Any) -> None:
        """Report a search, which has made a step, if it is time to."""
        watch.steps += 1
        self._show(lambda: self._figures(search))

    def tell(self, text: str) -> None:
        """Report work that says itself how far it is, if it is time to."""
        watch.steps += 1
        self._tell(text)

    @contextmanager
    def ticking(self, text: str) -> Iterator[None]:
        """Report work that does not report itself, from another thread, while it goes on."""
        over = Event()

        def tick() -> None:
            while not over.wait(PACE["bar"][1]):
                self._tell(text)

        thread = Thread(target=tick, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.clear()

    def _tell(self, text: str) -> None:
        seconds = monotonic() - self._began
        self._show(lambda: {"puzzle": self.name, "progress": text, "seconds": round(seconds, 1)})

    def _show(self, figures_of: Callable[[], dict[str, Any]]) -> None:
        if (now := monotonic()) < self._next:
            return
        self._next = now + PACE[self._sort][1]
        figures = figures_of()
        if self._sort == "bar":
            screen.draw(bar(figures))
        else:
            line = json.dumps(figures) if self._sort == "json" else _line(figures)
            print(line, file=sys.stderr, flush=True)

    def _figures(self, search: Any) -> dict[str, Any]:
        """The figures of a search, with the keys of `--progress json`."""
        done, now = search.progress, monotonic()
        seconds = now - self._began
        figures: dict[str, Any] = {
            "puzzle": self.name,
            "done": round(done, 6),
            "solutions": search.found,
            "seconds": round(seconds, 1),
            "left": self.left(now, done),
        }
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
        if (memory := peak_memory()) is not None:
            figures["memory_mib"] = memory >> 20
        return figures

    def left(self, now: float, done: float) -> tuple[float, float] | None:
        """The least and the most seconds that the rest may take, by the speed so far and by the
        speed of late, if this share is done now; None: too little is done to say."""
        from exactcover.search.clock import LEAST_DONE, seconds_left

        self._past.append((now, done))
        while len(self._past) > 2 and self._past[1][0] < now - RECENT:
            self._past.popleft()
        if done < LEAST_DONE:
            return None
        both = [
            seconds_left(now - then, done - before, 1 - done)
            for then, before in ((self._began, 0.0), self._past[0])
        ]
        left = [round(one, 1) for one in both if one is not None]
        return (min(left), max(left)) if left else None


# -- figures in words -----------------------------------------------------------------------------


def _line(figures: dict[str, Any]) -> str:
    """All figures, the most important first."""
    seconds = duration(figures["seconds"])
    if "done" not in figures:
        return f"{figures['puzzle']}: {figures['progress']}, {seconds}"
    done = f"{figures['done']:.2%} searched in {seconds}{_left(figures['left'])}"
    head = f"{figures['puzzle']}: {figures['solutions']:,} found, {done}"
    return "; ".join([head, *_further(figures)])


def bar(figures: dict[str, Any]) -> tuple[str, str]:
    """A bar with the name before it and the time left behind it, and a line of figures below;
    without a bar if the share that is done is unknown."""
    facts, text, drawn = [duration(figures["seconds"])], figures.get("progress", ""), ""
    if (done := figures.get("done")) is not None:
        text = f"{done:.2%}{_left(figures['left'])}"
        drawn = f"{'━' * round(BAR * done):{BAR}} "
        facts = [f"{figures['solutions']:,} found", *facts, *_further(figures)]
    # Behind the last column some terminals begin a new line.
    columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(2).columns) - 1
    room = max(columns - len(drawn) - len(text) - 2, columns // 4)
    above = f"{_cut(figures['puzzle'], room)} {drawn}{text}"
    return _cut(above, columns), _cut(f"  {' · '.join(facts)}", columns)


def _further(figures: dict[str, Any]) -> Iterator[str]:
    """The figures that not every search has."""
    if "states" in figures:
        levels = f", level {figures['level']} of {figures['levels']}" if figures["levels"] else ""
        yield f"{figures['states']:,} states{levels}"
    if "packing" in figures:
        yield figures["packing"]
    if "fits" in figures:
        yield f"{figures['fits']:,} fits, {figures['nofits']:,} no-fits"
        yield f"{figures['fits_per_second']:,} fits a second"
        yield quantity(figures["workers"], "worker")
    if "memory_mib" in figures:
        yield f"{figures['memory_mib']:,} MiB"
    if "strategy" in figures:
        yield f"strategy {figures['strategy']}"


def _left(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return ""
    least, most = bounds
    if most <= SURE * least or most < 2:
        return f", about {duration((least + most) / 2)} left"
    return f", {duration(least)} to {duration(most)} left"


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else f"{text[: columns - 1]}…"
