"""Counts by the automaton itself, without a session."""

from __future__ import annotations

from exactcover.backends import Branching, started
from exactcover.backends.automaton import backend
from exactcover.backends.automaton.counting import AutomatonCount
from exactcover.problem import Layout, Problem


def count(problem: Problem, layout: Layout | None, how: Branching) -> AutomatonCount:
    """A count of the solutions below a root, not yet begun."""
    counting = started(backend, problem, layout, how)
    assert isinstance(counting, AutomatonCount)
    return counting


def to_the_end(counting: AutomatonCount) -> int:
    """The number of solutions, counted to the end."""
    while counting.count is None:
        counting.advance(1 << 22, keep=False)
    return counting.count


def total(problem: Problem, layout: Layout | None, how: Branching) -> int:
    """The number of solutions below a root."""
    return to_the_end(count(problem, layout, how))
