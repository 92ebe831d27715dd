"""The capabilities of cpsat, and the start of its searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.backends.base import Capabilities, Task

if TYPE_CHECKING:
    from exactcover.backends.cpsat.search import CpsatSearch
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout


class CpsatBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "cpsat"
    summary = "OR-Tools CP-SAT: every kind of problem, by an engine that is not ours"
    capabilities = Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}), heuristics=("s",)
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> CpsatSearch:
        """A search of the task's subtree, not yet begun."""
        from exactcover.backends.cpsat.search import CpsatSearch

        return CpsatSearch(problem, task)


backend = CpsatBackend()
