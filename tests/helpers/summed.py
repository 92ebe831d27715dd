"""A search and the sum of its slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactcover.backends import Backend, Branching, Node, Search, Slice, Status
from exactcover.backends import started as begun
from exactcover.backends.base import KeptStates, Tally
from exactcover.problem import Layout, Problem
from exactcover.search import Plan, Strategy, start_search


@dataclass(frozen=True)
class Report:
    """The sums of all slices so far, and where the search is."""

    fits: int
    nofits: int
    found: int
    tally: Tally
    symmetric: dict[str, int]
    progress: float
    position: Sequence[tuple[int, int]]
    chosen: tuple[int, ...]
    workers: int
    kept: KeptStates | None

    @property
    def choices(self) -> int:
        """Options tried so far."""
        return self.fits + self.nofits


class Summed:
    """A search of which one can ask at any time what it has come to.

    search  the search itself
    """

    def __init__(self, search: Search) -> None:
        self.search: Any = search
        self._sum = Slice(Status.BUDGET)
        self._state: Node | None = None

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on, see `Search.advance`."""
        made: Slice = self.search.advance(steps, capacity=capacity, keep=keep)
        self._sum = Slice.joined([self._sum, made.without_rows()], made.status)
        self._state = made.state or self._state
        return made

    def where(self) -> Any:
        """Where the search is."""
        return self.search.where()

    def give_back(self) -> list[Node]:
        """The branches not begun of the highest node that has any."""
        nodes: list[Node] = self.search.give_back()
        return nodes

    def below(self) -> Node:
        """The node of the state handed out last."""
        assert self._state is not None
        return self._state

    def report(self) -> Report:
        """The sums of its slices, and where it is."""
        made, where = self._sum, self.search.where()
        return Report(
            made.fits, made.nofits, made.found, made.tally, dict(made.symmetric), where.progress,
            where.position, where.chosen, where.workers, where.kept,
        )  # fmt: skip


def started(
    backend: Backend, problem: Problem, layout: Layout | None, how: Branching,
    cut: int | None = None,
) -> Summed:  # fmt: skip
    """The search of a root."""
    return Summed(begun(backend, problem, layout, how, cut))


def searched(
    plan: Plan, strategy: Strategy, how: Branching | None = None, cut: int | None = None
) -> Summed:
    """The search of a plan."""
    return Summed(start_search(plan, strategy, how, cut))
