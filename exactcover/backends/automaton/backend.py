"""The capabilities of the automaton, and the start of its searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.copy_fields import CopyFields
from exactcover.backends.automaton.counting import AutomatonCount
from exactcover.backends.automaton.diagram import Diagram
from exactcover.backends.automaton.drawing_up import draw_up
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.narrowest import narrowest
from exactcover.backends.automaton.search import AutomatonSearch
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.base import MEBIBYTES, NUMBER, Capabilities, Setting, Task
from exactcover.backends.open_board import OpenBoard, in_order
from exactcover.backends.tasks import checked
from exactcover.errors import CapabilityError

if TYPE_CHECKING:
    from exactcover.problem import Problem
    from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]

HEURISTICS = ("narrow", "f")
"""The default first. It also takes every fixed order of cells."""

SETTINGS = {
    "memory": MEBIBYTES,
    "spill": Setting(
        "a folder that is there, as in spill=/tmp", lambda text: bool(text) and Path(text).is_dir()
    ),
    "seed": NUMBER,
}

MIB = 1 << 20


class AutomatonBackend:
    """The backend: its capabilities, and the start of a search."""

    name = "automaton"
    summary = "window automaton: counts what cannot be listed, for narrow boards"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        counts=True,
        orders=True,
        settings=SETTINGS,
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> AutomatonSearch:
        """A search of the task's subtree; it builds the automaton first."""
        sweep, used = swept(problem, layout, task)
        return AutomatonSearch(sweep, used, task, memory_of(task))


def count(problem: Problem, layout: Layout | None, task: Task) -> AutomatonCount:
    """A count of the solutions below a task, not yet begun.

        counting = count(problem, layout, Task(settings={"memory": "2000"}))
        while not counting.advance(1 << 20):
            print(counting.report().progress)
        print(counting.count)

    It raises `TooLarge` if it does not fit in the memory that it may take. The crew of the task
    makes large levels side by side.
    """
    task = checked(backend, problem, layout, task)
    sweep, used = swept(problem, layout, task)
    return AutomatonCount(sweep, used, memory_of(task), task.crew)


def diagram(problem: Problem, layout: Layout | None, task: Task) -> Diagram:
    """All solutions below a task as one diagram; raises `TooLarge` if it does not fit."""
    task = checked(backend, problem, layout, task)
    if "spill" in task.settings:
        raise CapabilityError("a diagram is held in memory as a whole: spill is for counts")
    sweep, used = swept(problem, layout, task)
    memory = Memory(memory_of(task).limit, advice="allow more memory: all states are held at once")
    return draw_up(sweep, used, memory, task.chosen)


def swept(problem: Problem, layout: Layout | None, task: Task) -> tuple[Sweep, CopyFields]:
    """The board below a task in its order of cells, and the fields that count its pieces."""
    board = OpenBoard.of(problem, layout, task)
    return Sweep.of(board, order_of(task, board, layout)), CopyFields.of(board)


def memory_of(task: Task) -> Memory:
    """The memory of a task: `memory` in MiB, or half of the free memory; and the folder `spill`."""
    memory, spill = task.settings.get("memory"), task.settings.get("spill")
    folder = None if spill is None else Path(spill)
    limit = None if memory is None else int(memory) * MIB
    return Memory(limit, folder, ask=task.ask)


def order_of(task: Task, board: OpenBoard, layout: Layout | None) -> Long:
    """The cells of a board in the order that a task names: int64 [cells]."""
    if task.heuristic == HEURISTICS[0]:
        return narrowest(board, layout)
    return in_order(task.heuristic, board, layout, int(task.settings.get("seed", 0)))


backend = AutomatonBackend()
