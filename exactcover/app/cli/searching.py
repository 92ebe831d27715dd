"""Searches that a command runs: their progress on the terminal, and Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from exactcover.app.cli.console import Stoppable, stopping_on_interrupt
from exactcover.app.cli.progress import Progress, Searching

if TYPE_CHECKING:
    from exactcover.base.values.conventions import Convention
    from exactcover.formats import Document
    from exactcover.search.result import Solution


class Stepping(Searching, Stoppable, Protocol):
    """A search that goes on step by step."""

    def step(self) -> bool:
        """Go on for a moment; return False at the end."""


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
    progress = Progress(name, logs=logs)
    try:
        with stopping_on_interrupt(search, last_words):
            yield progress
    finally:
        progress.clear()


def run_search(
    name: str,
    search: Stepping,
    last_words: Callable[[], object] | None = None,
    *,
    step: Callable[[], bool] | None = None,
    after_step: Callable[[Progress], None] | None = None,
) -> None:
    """Run a search to its end or to Ctrl-C, and show its progress.

    step        goes on for a moment. Default: the method of the search
    after_step  is called after each step, too
    """
    with searching(name, search, last_words) as progress:
        while (step or search.step)():
            progress.show(search)
            if after_step is not None:
                after_step(progress)


def first_solutions(
    document: Document, wanted: int, *, counted: Convention | None = None
) -> list[Solution]:
    """The first solutions found, at most `wanted` of them; a long search shows its progress."""
    from exactcover.search.solving import solve

    progress = Progress(document.name)
    solving = solve(document.content, counted=counted, limit=wanted)
    solving.between = progress.show
    try:
        return list(islice(solving, wanted))
    finally:
        progress.clear()
