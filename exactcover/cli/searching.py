"""The first solutions of a puzzle, for commands that draw, make or compare them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from exactcover.cli.progress import Progress
from exactcover.values.conventions import Convention

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Solution


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
