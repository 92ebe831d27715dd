"""The number of solutions that was counted, held against the numbers that the file stores.

A file says what its numbers count: all solutions, or those that are unique up to rotations or up to
reflections too. If it says nothing of what was counted, the solutions are counted once more in the
way of the file, as far as that is quick beside the count before.
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
"""Another count may take so many seconds, or this share of the time that the first took."""

COUNTED_AS = {
    "all": "all",
    "rotations": "unique up to rotations",
    "reflections": "unique up to rotations and reflections",
}


def against_stored(document: Document, result: Result, time_limit: float | None) -> dict[str, Any]:
    """What contradicts the numbers of the file, told on standard error and as keys of a record."""
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
    """The numbers that the file stores, those of each source by what they count."""
    if document.counts:
        yield document.counts
    # BurrTools tells pieces of one shape apart, so its number is another if there are some.
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
        """The number in this way of counting, or None where to find it would take too long."""
        # A plain problem has no symmetries.
        if counted == self.result.counted or self.document.puzzle is None:
            return self.result.solutions
        if counted not in self.known:
            self.known[counted] = self._counted_again(counted)
        return self.known[counted]

    def explained(self, stored: int) -> str:
        """In which other way of counting the number of the file is right, if there is one."""
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
