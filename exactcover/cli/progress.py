"""Searches that a command runs: their progress, Ctrl-C, their report, and the first solutions.

Progress is shown on standard error: a bar, plain lines, or JSON. The first second has no output,
and the first ten no plain line; if standard error is no terminal, a line comes once a minute.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

import click

import exactcover as ec
from exactcover.cli.ends import INTERRUPTED, screen, watch
from exactcover.cli.reports import duration, end_words, quantity
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.formats import Document

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

LEAST_DONE = 1e-4
"""The share that must be done before the time left is shown."""


class Progress:
    """The progress of one piece of work; at the end of its `with` statement it is taken away.

    name  of the puzzle, or of what is being done
    """

    def __init__(self, name: str) -> None:
        self.name = name
        context = click.get_current_context(silent=True)
        self._sort = "auto" if context is None else str(context.meta.get(MODE, "auto"))
        if self._sort == "auto":
            terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
            self._sort = "bar" if terminal else "log"
        self._began = monotonic()
        self._next = self._began + PACE[self._sort][0]
        self._done_before, self._fits_before = 0.0, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        screen.clear()

    def resume(self, search: Any) -> None:
        """The search goes on: what it has done before took none of the seconds from now on."""
        self._done_before, self._fits_before = search.progress, search.result.fits

    def show(self, search: Any) -> None:
        """Report a search, which has made a step, if it is time to."""
        watch.steps += 1
        self._show(lambda: self._figures(search))

    def tell(self, text: str) -> None:
        """Report work that says itself how far it is, if it is time to."""
        watch.steps += 1
        self._show(lambda: {"progress": text})

    @contextmanager
    def ticking(self, text: str) -> Iterator[None]:
        """Report work that does not report itself, from another thread, while it goes on."""
        over = Event()

        def tick() -> None:
            while not over.wait(PACE["bar"][1]):
                self._show(lambda: {"progress": text})

        thread = Thread(target=tick, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            screen.clear()

    def _show(self, figures_of: Callable[[], dict[str, Any]]) -> None:
        if (now := monotonic()) < self._next:
            return
        self._next = now + PACE[self._sort][1]
        seconds = round(now - self._began, 1)
        figures = {"puzzle": self.name, "seconds": seconds} | figures_of()
        if self._sort == "bar":
            screen.draw(bar(figures))
            return
        far, further = _words(figures)
        line = "; ".join([f"{self.name}: {far}", *further])
        print(json.dumps(figures) if self._sort == "json" else line, file=sys.stderr, flush=True)

    def _figures(self, search: Any) -> dict[str, Any]:
        """The figures of a search, with the keys of `--progress json`."""
        done, spent = search.progress, monotonic() - self._began
        now_done = done - self._done_before
        left = spent / now_done * (1 - done) if now_done >= LEAST_DONE else None
        figures: dict[str, Any] = {
            "done": round(done, 6),
            "solutions": search.found,
            "left": None if left is None else round(left, 1),
        }
        if hasattr(search, "kept"):  # it has an outcome at any time, and says how many workers
            result, kept = search.result, search.kept
            figures |= {
                "fits": result.fits,
                "nofits": result.nofits,
                "fits_per_second": round((result.fits - self._fits_before) / max(spent, 0.1)),
                "strategy": result.strategy,
                **({"why": result.why} if result.why else {}),
                "workers": search.workers,
            }
            if kept is not None:  # states, in place of listing
                figures |= {"states": kept.states, "level": kept.level, "levels": kept.levels}
            if told := getattr(search, "told", ""):  # a search of one solution that packs pieces
                figures["packing"] = told
        with suppress(ImportError):  # Windows does not say how much memory was taken
            import resource

            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            figures["memory_mib"] = most >> (20 if sys.platform == "darwin" else 10)
        return figures


def bar(figures: dict[str, Any]) -> tuple[str, str]:
    """A bar with the name before it and the time left behind it, and a line of figures below;
    without a bar if the share that is done is unknown."""
    far, further = _words(figures)
    drawn = f"{'━' * round(BAR * figures['done']):{BAR}} " if "done" in figures else ""
    # Behind the last column some terminals begin a new line.
    columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(2).columns) - 1
    room = max(columns - len(drawn) - len(far) - 2, columns // 4)
    above = f"{_cut(figures['puzzle'], room)} {drawn}{far}"
    return _cut(above, columns), _cut(f"  {' · '.join(further)}", columns)


def _words(figures: dict[str, Any]) -> tuple[str, list[str]]:
    """The share that is done and the time left, and the further figures, the most important
    first."""
    seconds = duration(figures["seconds"])
    if "done" not in figures:
        return figures["progress"], [seconds]
    further = [f"{figures['solutions']:,} found", seconds]
    if "states" in figures:
        levels = f", level {figures['level']} of {figures['levels']}" if figures["levels"] else ""
        further.append(f"{figures['states']:,} states{levels}")
    if "packing" in figures:
        further.append(figures["packing"])
    if "fits" in figures:
        further.append(f"{figures['fits']:,} fits, {figures['nofits']:,} no-fits")
        further.append(f"{figures['fits_per_second']:,} fits a second")
        further.append(quantity(figures["workers"], "worker"))
    if "memory_mib" in figures:
        further.append(f"{figures['memory_mib']:,} MiB")
    if "strategy" in figures:
        further.append(f"strategy {figures['strategy']}")
    left = figures["left"]
    far = "" if left is None else f", about {duration(left)} left"
    return f"{figures['done']:.2%}{far}", further


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else f"{text[: columns - 1]}…"


# -- searches -------------------------------------------------------------------------------------


@contextmanager
def searching(
    name: str, search: Any, last_words: Callable[[], object] | None = None
) -> Iterator[Progress]:
    """Within this, Ctrl-C stops the search, and the progress that is shown is taken away at the
    end.

    name        of the puzzle, for the progress
    last_words  reports what was found, if the search must be broken off
    """
    with Progress(name) as progress, watch.stopping(search, last_words):
        yield progress


def step_by_step(search: Any, progress: Progress) -> None:
    """Run a search with its progress."""
    while search.step():
        progress.show(search)


def run_search(
    name: str,
    search: Any,
    report: Callable[[], int],
    work: Callable[[Any, Progress], object] = step_by_step,
) -> int:
    """Run a search to its end or to Ctrl-C, with its progress; report it; return the exit status.

    report  prints what was found, also if the search has to be broken off in the middle
    work    runs the search
    """
    try:
        with searching(name, search, report) as progress:
            work(search, progress)
        status = report()
    finally:
        watch.reporting = False
    return INTERRUPTED if watch.pressed else status


def run_further(name: str, search: Any) -> None:
    """Run a further search of a puzzle, which its report needs."""
    with searching(name, search) as progress:
        step_by_step(search, progress)


def first_solutions(
    document: Document, wanted: int | None, **asked: Any
) -> tuple[list[ec.Solution], ec.Result]:
    """The first solutions found, at most `wanted` of them (None: all), and how the search ended;
    `asked` is what `Solving` takes."""
    solving = ec.Solving(document.content, limit=wanted, **asked)
    with searching(document.name, solving) as progress:
        solving.between = progress.show
        return list(solving), solving.result


def nth_solution(document: Document, number: int, **asked: Any) -> ec.Solution:
    """The solution found as the Nth, as `--solution N` wants it."""
    found, result = first_solutions(document, number, **asked)
    if len(found) == number:
        return found[-1]
    if result.status == "interrupted":
        raise KeyboardInterrupt
    has = f"{document.name} has {quantity(len(found), 'solution')}"
    if result.status != "impossible":
        has += end_words(result, seconds=asked.get("time_limit"))
    raise ExactCoverError(f"{has}: there is no --solution {number}")
