"""The number of solutions counted, compared with the numbers that the file stores.

A file says what its numbers count: all solutions, or those that are unique up to rotations or up to
reflections too. If the run counted in another way, the solutions are counted once more in the way
of the file, unless that takes long compared with the first count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.search.result import Result

AT_LEAST, SHARE = 0.5, 0.1
"""Another count may take this many seconds, or this share of the first count's time."""

COUNTED_AS = {
    "all": "all",
    "rotations": "unique up to rotations",
    "reflections": "unique up to rotations and reflections",
}


def against_stored(document: Document, result: Result, time_limit: float | None) -> dict[str, Any]:
    """Contradictions with the numbers of the file, for standard error and as keys of a record."""
    if result.status not in ("complete", "impossible"):
        return {}
    counts = _Counts(document, result, time_limit)
    record: dict[str, Any] = {}
    for stored in _sources(document):
        counted = result.counted if result.counted in stored else next(iter(stored))
        found = counts.of(counted)
        if found in (None, stored[counted]):
            continue
        warning = (
            f"the file stores {stored[counted]} solutions ({COUNTED_AS[counted]}), "
            f"but there are {found}{counts.explained(stored[counted])}"
        )
        click.echo(f"exactcover: warning: {document.name}: {warning}", err=True)
        record = {"stored": {counted: stored[counted]}, "warning": warning}
    return record


def _sources(document: Document) -> Iterator[Mapping[str, int]]:
    """The numbers that the file stores, of each source and by what they count."""
    if document.counts:
        yield document.counts
    # BurrTools distinguishes pieces of one shape, so its number differs if there are some.
    model = document.model if document.assemblies else None
    if model is not None and all(len(group.members) == 1 for group in model.groups):
        yield document.assemblies


@dataclass
class _Counts:
    """The numbers of solutions of a puzzle, by what counts as one solution."""

    document: Document
    result: Result
    time_limit: float | None
    known: dict[str, int | None] = field(default_factory=dict)

    def of(self, counted: str) -> int | None:
        """The number in this way of counting, or None if counting would take too long."""
        # A plain problem has no symmetries.
        if counted == self.result.counted or self.document.puzzle is None:
            return self.result.solutions
        if counted not in self.known:
            self.known[counted] = self._counted_again(counted)
        return self.known[counted]

    def explained(self, stored: int) -> str:
        """The other way of counting for which the number of the file is right, if there is one."""
        for counted, words in COUNTED_AS.items():
            if self.of(counted) == stored:
                return f"; {stored} is the number of those that are {words}"
        return ""

    def _counted_again(self, counted: str) -> int | None:
        from exactcover.cli.console import stopping_on_interrupt
        from exactcover.counting.counts import Counting

        seconds = max(AT_LEAST, SHARE * self.result.seconds)
        if self.time_limit is not None:
            seconds = min(seconds, self.time_limit - self.result.seconds)
        if not self.result.solutions or seconds <= 0:
            return None if self.result.solutions else 0
        counting = Counting(self.document.content, counted=counted, time_limit=seconds)
        with stopping_on_interrupt(counting):
            while counting.step():
                pass
        again = counting.result
        return again.solutions if again.status in ("complete", "impossible") else None
