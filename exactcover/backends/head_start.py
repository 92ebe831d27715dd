"""A head start in plain Python, for searches that may be over before a compiler is imported.

The import of numba and the loading of a kernel take about half a second of a new process. Many
small puzzles are solved in a few thousand choices, which take Python a tenth of that. So the first
searches of a process begin in plain Python. All of them together have an allowance of choices. When
it is spent, compiled code is loaded. It repeats the choices made, which takes a few milliseconds,
and goes on from there.

Both search the same tree in the same order, so nobody can tell from the results which one searched.
A process that has numba loaded uses compiled code at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from exactcover.backends.base import Batch, CuttingSearch, Part, Report, Search, Status, Task
from exactcover.backends.plain_search import PlainSearch

MOST_ROWS = 1 << 12
"""With more rows, the import of numba is a small part of a run."""

FEWEST = 1 << 8
"""With fewer choices left than this, no search begins in plain Python."""

MOST_CHOICES = 1 << 15
"""The choices that plain Python makes in a process: about 0.1 s of work, since one takes 2 to 3
microseconds up to a thousand rows."""

LOOK, LITTLE = 1 << 12, 0.03
"""A search with this many choices, and at most this progress, will not end in plain Python."""


def is_hopeless(search: Search) -> bool:
    """Whether a search has come so far that it will not end in plain Python."""
    report = search.report(brief=True)
    if report.choices >= MOST_CHOICES:
        return True
    return report.fits >= LOOK and search.report().progress < LITTLE


@dataclass
class Allowance:
    """The choices that plain Python may still make in this process."""

    left: int = MOST_CHOICES

    def covers(self, rows: int) -> bool:
        """Whether a search with this number of rows may begin in plain Python."""
        return rows <= MOST_ROWS and self.left >= FEWEST


ALLOWANCE = Allowance()
"""That of this process."""


class HeadStart:
    """A search that begins in plain Python and goes on in compiled code.

    plain          the search in plain Python, not yet begun
    make_compiled  makes the same search in compiled code, not yet begun
    allowance      the choices that it may make in plain Python
    """

    def __init__(
        self,
        plain: PlainSearch,
        make_compiled: Callable[[], CuttingSearch],
        allowance: Allowance,
    ) -> None:
        self._search: PlainSearch | CuttingSearch = plain
        self._make_compiled = make_compiled
        self._allowance = allowance
        self._farthest = 0.0  # the progress in plain Python, which compiled code begins below

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` choices, see `Search.advance`."""
        plain = self._search
        if not isinstance(plain, PlainSearch):
            return plain.advance(steps, capacity=capacity, keep=keep)
        before = plain.fits
        allowed = 0 if is_hopeless(plain) else max(self._allowance.left, 0)
        batch = plain.advance(min(steps, allowed), capacity=capacity, keep=keep)
        self._allowance.left -= plain.fits - before
        if batch.status is not Status.BUDGET or steps <= allowed:
            return batch
        rest = self._compiled().advance(steps - allowed, capacity=capacity - len(batch), keep=keep)
        if not len(batch):
            return rest
        solutions = [one.solution(number) for one in (batch, rest) for number in range(len(one))]
        return Batch.of(rest.status, solutions)

    def _compiled(self) -> CuttingSearch:
        """The compiled search, at the place that this search has reached."""
        if isinstance(self._search, PlainSearch):
            plain, compiled = self._search, self._make_compiled()
            while (fits := compiled.report(brief=True).fits) < plain.fits:
                compiled.advance(plain.fits - fits, keep=False)
            # A solution may be there that the last choice completed.
            while compiled.report(brief=True).found < plain.found:
                compiled.advance(1, keep=False)
            self._search, self._farthest = compiled, plain.progress()
        return self._search

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search."""
        report = self._search.report(brief=brief)
        return replace(report, progress=max(report.progress, self._farthest))

    def below(self) -> Task:
        """The subtree below the state last handed out, see `CuttingSearch.below`."""
        return self._compiled().below()

    def give_back(self) -> list[Part]:
        """Hand back branches not begun, see `CuttingSearch.give_back`."""
        if self._search.report().progress == 1.0:
            return []
        return self._compiled().give_back()
