"""The subject of a search: a problem, the puzzle behind it, and which solutions count as one.

A `Subject` is made once, from the caller's argument. Plans, searches, counts and the automatic
choice of a strategy all take it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import UnknownName
from exactcover.problem import IntArray, Matrix, Options, Problem
from exactcover.problem.layout import Layout
from exactcover.puzzle import Model, Puzzle

Solvable = Puzzle | Problem | Options | Matrix
"""Anything that can be solved: a puzzle, a problem, or the options or the matrix of a problem."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A problem to search.

    model    the puzzle behind the problem; None: it is a plain problem
    counted  what counts as one solution, one of `CONVENTIONS`
    """

    problem: Problem
    model: Model | None = None
    counted: Convention = "all"

    @classmethod
    def of(cls, given: Solvable, counted: Convention | None = None) -> Subject:
        """The subject that a caller gives; `counted` as in `counted_as`."""
        convention = counted_as(counted, puzzle=isinstance(given, Puzzle))
        if isinstance(given, Puzzle):
            return cls(given.model.problem, given.model, convention)
        return cls(Problem.of(given), None, convention)

    @property
    def layout(self) -> Layout | None:
        """The geometry of the problem; None for a plain problem."""
        return None if self.model is None else self.model.layout

    @property
    def reason(self) -> str:
        """Why there can be no solution, if the sizes of the pieces show it; else empty."""
        return "" if self.model is None else self.model.reason

    @cached_property
    def group(self) -> IntArray | None:
        """The symmetries that identify solutions, the identity first: int32 [s, options].

        It is the identity alone with `counted="all"`. None for a plain problem.
        """
        return None if self.model is None else self.model.symmetries.selected(self.counted)

    @property
    def permutations(self) -> IntArray | None:
        """The `group`; None where all solutions count."""
        return None if self.counted == "all" else self.group

    def counting(self, counted: Convention) -> Subject:
        """The same subject with another convention."""
        return replace(self, counted=counted)


def counted_as(counted: Convention | None, *, puzzle: bool) -> Convention:
    """The convention for counting solutions: the given one, or the default.

    A puzzle counts solutions up to rotations. A plain problem has no symmetries, so all its
    solutions count with every convention.
    """
    if counted is not None and counted not in CONVENTIONS:
        raise UnknownName("way of counting", counted, CONVENTIONS)
    return counted or "rotations" if puzzle else "all"
