"""The capabilities of `planes`, and the start of its searches: one by one, or many below one
task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactcover.backends.base import Capabilities, Task
from exactcover.backends.planes import tables
from exactcover.backends.planes.search import PlanesSearch
from exactcover.backends.residue import Residue
from exactcover.errors import CapabilityError

if TYPE_CHECKING:
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout


class PlanesBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "planes"
    summary = "planes of bits: few choices where most are forced, as in Sudoku and Latin squares"
    capabilities = Capabilities(
        features=frozenset({"secondary", "colours"}), heuristics=("weighed",)
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> PlanesSearch:
        """A search of the task's subtree; compiles the kernel if necessary."""
        return self.opening(problem, layout, task).start(task)

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> PlanesOpening:
        """The task made ready for many searches below it."""
        residue = Residue.of(problem, task)
        size = tables.size_below(problem, residue)
        if size > tables.LARGEST:
            raise CapabilityError(_too_large(problem, residue.options.size, size))
        return PlanesOpening(tables.Tables.below(problem, residue), task)


@dataclass(frozen=True, eq=False)
class PlanesOpening:
    """A task below which many searches start, all with the same tables."""

    shared: tables.Tables
    task: Task

    def start(self, task: Task) -> PlanesSearch:
        """A search of a subtree of the task."""
        return PlanesSearch(self.shared, self.task.chosen, task)


def _too_large(problem: Problem, options: int, size: int) -> str:
    from exactcover.backends import names_of

    able = [name for name in names_of(lambda can: not can.missing(problem)) if name != "planes"]
    return (
        f"the tables of {options:,} options and {problem.n_items:,} items take "
        f"{size / 2**20:,.0f} MiB, planes takes up to {tables.LARGEST / 2**20:,.0f} MiB; "
        f"these backends can: {', '.join(able)}"
    )
