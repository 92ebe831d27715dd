"""Searches that a command runs: their progress, Ctrl-C, their report, and the first solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import exactcover as ec
from exactcover.cli.ends import INTERRUPTED, watch
from exactcover.cli.progress import Progress
from exactcover.cli.reports import end_words, quantity
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.cli.ends import Stoppable
    from exactcover.formats import Document


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
    with Progress(name, logs=logs) as progress, watch.stopping(search, last_words):
        yield progress


def step_by_step(search: Any, progress: Progress) -> None:
    """Run a search with its progress."""
    while search.step():
        progress.show(search)


def run_search(
    name: str,
    search: Stoppable,
    report: Callable[[], int],
    work: Callable[[Any, Progress], object] = step_by_step,
) -> int:
    """Run a search to its end or to Ctrl-C, with its progress; report it; return the exit status.

    report  prints what was found, also if the search has to be broken off in the middle
    work    runs the search
    """
    with watch.reporting():
        with searching(name, search, report) as progress:
            work(search, progress)
        status = report()
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
    solutions: list[ec.Solution] = []
    with searching(document.name, solving) as progress:
        solving.between = progress.show
        solutions.extend(solving)  # which keeps what was found before an interrupt
    return solutions, solving.result


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
