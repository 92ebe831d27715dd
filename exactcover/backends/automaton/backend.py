"""What the automaton can do, and how its searches start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.counting import Counting
from exactcover.backends.automaton.diagram import Diagram
from exactcover.backends.automaton.drawing_up import draw_up
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.narrowest import narrowest
from exactcover.backends.automaton.relaxed import MIXER
from exactcover.backends.automaton.search import AutomatonSearch
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.automaton.used import Used
from exactcover.backends.base import Capabilities, Task
from exactcover.backends.board import Board
from exactcover.backends.fila.phases import in_order
from exactcover.errors import CapabilityError, StrategyError, UnknownName
from exactcover.heuristics.orders import is_fixed_order
from exactcover.numerals import SEED_DIGITS, whole_number

if TYPE_CHECKING:
    from exactcover.layout import Layout
    from exactcover.problem import Problem

Long = npt.NDArray[np.int64]

HEURISTICS = ("narrow", "f")
"""The default first; besides, every fixed order of cells."""

PLACELESS = ("narrow", "f", "random")
"""Orders that do not ask where cells lie."""

NO_CHOICE = "s"
"""What a task asks for that asks for nothing: narrow, here."""

MIB = 1 << 20


class AutomatonBackend:
    """The backend: what it can do, and how a search of it starts."""

    name = "automaton"
    summary = "window automaton: counts what cannot be listed, for narrow boards"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        orders=True,
        settings=("memory", "spill", "seed"),
        counts=True,
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> AutomatonSearch:
        """A search of the subtree that the task names; it builds the automaton first."""
        sweep, used = swept(problem, layout, task)
        return AutomatonSearch(sweep, used, task, memory_of(task))

    def count(self, problem: Problem, layout: Layout | None, task: Task) -> Counting:
        """A count of the solutions below a task, not yet begun."""
        return count(problem, layout, task)


def count(
    problem: Problem, layout: Layout | None, task: Task, *, mixer: np.uint64 = MIXER
) -> Counting:
    """A count of the solutions below a task, not yet begun.

        counting = count(problem, layout, Task(settings={"memory": "2000"}))
        while not counting.advance(1 << 20):
            print(counting.progress())
        print(counting.count)

    It raises `TooLarge` where it does not fit the memory that it may take.
    """
    sweep, used = swept(problem, layout, task)
    return Counting(sweep, used, memory_of(task), mixer)


def diagram(problem: Problem, layout: Layout | None, task: Task) -> Diagram:
    """All solutions below a task as one diagram; raises `TooLarge` where it does not fit."""
    if folder_of(task) is not None:
        raise CapabilityError("a diagram is held in memory as a whole: spill is for counts")
    sweep, used = swept(problem, layout, task)
    return draw_up(sweep, used, memory_of(task), task.chosen)


def swept(problem: Problem, layout: Layout | None, task: Task) -> tuple[Sweep, Used]:
    """The board below a task in its order of cells, and how its pieces are counted."""
    board = Board.of(problem, layout, task)
    return Sweep.of(board, order_of(task, board, layout)), Used.of(board)


def memory_of(task: Task) -> Memory:
    """What a task may take: `memory` in MiB, or half of what is free; and the folder `spill`."""
    for setting in task.settings:
        if setting not in backend.capabilities.settings:
            known = ", ".join(backend.capabilities.settings)
            raise CapabilityError(f"automaton has no setting {setting!r}; it has {known}")
    text = task.settings.get("memory")
    if text is None:
        return Memory(folder=folder_of(task))
    memory = whole_number(text)
    if not memory:
        raise StrategyError(f"memory={text}: it is a number of MiB, as in memory=2000")
    return Memory(memory * MIB, folder_of(task))


def folder_of(task: Task) -> Path | None:
    """The folder that a task's setting `spill` names, for tables that do not fit."""
    text = task.settings.get("spill")
    if text is None:
        return None
    if not text or not Path(text).is_dir():
        raise StrategyError(f"spill={text}: it is a folder that is there, as in spill=/tmp")
    return Path(text)


def order_of(task: Task, board: Board, layout: Layout | None) -> Long:
    """The cells of a board in the order that a task names: int64 [cells]."""
    name, text = task.heuristic, task.settings.get("seed", "0")
    seed = whole_number(text, SEED_DIGITS)
    if seed is None:
        raise StrategyError(f"seed={text}: it is a number of at most {SEED_DIGITS} digits")
    if name in ("narrow", NO_CHOICE):
        return narrowest(board, layout)
    if not is_fixed_order(name):
        raise UnknownName("heuristic of automaton", name, (*HEURISTICS, "x", "R", "l@a,b,c"))
    if layout is None and name not in PLACELESS:
        able = ", ".join(PLACELESS)
        raise CapabilityError(
            f"{name!r} asks where cells lie, and the problem has none; {able} do not"
        )
    return in_order(name, board, layout, seed)


backend = AutomatonBackend()
