"""The class of the package `algorithm-x`: columns, rows with tags, solutions as lists of tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from exactcover.backends import get_backend, started
from exactcover.backends.base import Status, Task
from exactcover.errors import ExactCoverError
from exactcover.problem import Problem
from exactcover.search.solving import solve

__all__ = ["AlgorithmX", "ExactCoverError"]


class AlgorithmX:
    """Rows of columns to choose from, so that every column is in exactly one row.

        >>> from exactcover.compat.algorithm_x import AlgorithmX
        >>> solver = AlgorithmX(3)
        >>> solver.appendRow([0, 1], "a")
        >>> solver.appendRow([2], "b")
        >>> list(solver.solve())
        [['a', 'b']]

    cols  how many columns there are; they are numbered from 0
    """

    def __init__(self, cols: int) -> None:
        if cols < 0:
            raise ExactCoverError(f"{cols} columns: their number must not be negative")
        self._cols = cols
        self._rows: list[list[int]] = []
        self._tags: list[Any] = []

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def appendRow(self, cols: Iterable[int], tag: Any = None) -> None:  # theirs
        """Add a row.

        cols  the columns that it covers; one that is named twice counts once
        tag   what stands for the row in a solution. Default: None, its number from 0
        """
        row = sorted(set(cols))
        for column in row:
            if not 0 <= column < self._cols:
                raise ExactCoverError(
                    f"row {self.rows} has column {column}: columns are 0..{self._cols - 1}"
                )
        self._tags.append(self.rows if tag is None else tag)
        self._rows.append(row)

    def solve(self, limit: int | None = None) -> Iterator[list[Any]]:
        """The exact covers, each a list of tags in the order of the rows.

        limit  how many times the search may choose a column to branch on: a bound on its work,
               not on the solutions. If that is too few it ends early, and does not say so.
               Default: None, no limit
        """
        problem, tags = self._problem(), tuple(self._tags)
        found: Iterator[tuple[int, ...]]
        if limit is None:
            found = (solution.options for solution in solve(problem))
        else:
            found = _within(problem, limit)
        return ([tags[row] for row in options] for options in found)

    def _problem(self) -> Problem:
        """The rows so far as a problem; those that come later are not in it."""
        return Problem.from_options(self._rows, primary=range(self._cols))


def _within(problem: Problem, branchings: int) -> Iterator[tuple[int, ...]]:
    """The solutions that dancing links finds within this number of branchings."""
    search = started(get_backend("dlx"), problem, None, Task())
    done = False
    while not done:
        # It branches at the root, and below each option that it chose and that completed nothing;
        # whether the last one did it finds out in the next step.
        report = search.report(brief=True)
        left = branchings - (problem.primary > 0) - (report.fits - report.found)
        if left < -1:
            return
        batch = search.advance(max(1, left), capacity=1)
        yield from (batch.solution(number) for number in range(len(batch)))
        done = batch.status is Status.DONE
