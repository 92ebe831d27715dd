"""Searches that a command runs: their progress on the terminal, Ctrl-C, and the first solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from exactcover.cli.ends import say, watch
from exactcover.cli.progress import Progress, Searching
from exactcover.cli.reports import end_words, quantity
from exactcover.errors import ExactCoverError

if TYPE_CHECKING:
    from exactcover.cli.ends import Stoppable
    from exactcover.formats import Document
    from exactcover.search.result import Result, Solution


class Stepping(Searching, Protocol):
    """A search that goes on step by step; `step` returns False at the end."""

    def step(self) -> bool: ...

    def stop(self) -> None: ...


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


def run_search(name: str, search: Stepping, last_words: Callable[[], object] | None = None) -> None:
    """Run a search to its end or to Ctrl-C, and show its progress and its notices."""
    given = 0
    with searching(name, search, last_words) as progress:
        while search.step():
            progress.show(search)
            notices: Sequence[str] = getattr(search, "notices", ())
            for notice in notices[given:]:
                say(f"{name}: {notice}")
            given = len(notices)


def first_solutions(
    document: Document, wanted: int | None, **asked: Any
) -> tuple[list[Solution], Result]:
    """The first solutions found, at most `wanted` of them (None: all), and how the search ended;
    `asked` is what `Solving` takes."""
    from exactcover.search.solving import Solving

    solving = Solving(document.content, limit=wanted, **asked)
    solutions: list[Solution] = []
    with searching(document.name, solving) as progress:
        solving.between = progress.show
        solutions.extend(solving)  # which keeps what was found before an interrupt
    return solutions, solving.result


def nth_solution(document: Document, number: int, **asked: Any) -> Solution:
    """The solution found as the Nth, as `--solution N` wants it."""
    found, result = first_solutions(document, number, **asked)
    if len(found) == number:
        return found[-1]
    if result.status == "interrupted":
        raise KeyboardInterrupt
    has = f"{document.name} has {quantity(len(found), 'solution')}"
    end = (
        "" if result.status == "impossible" else end_words(result, seconds=asked.get("time_limit"))
    )
    raise ExactCoverError(f"{has}{end}: there is no --solution {number}")
