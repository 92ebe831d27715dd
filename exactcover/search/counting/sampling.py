"""Solutions at random, and how many have each option, without listing them all.

    for solution in ec.sample(ec.read("pentominoes_15x4"), 3, seed=1):
        print(ec.draw(solution))

An engine that keeps states makes a diagram of all solutions: the automaton for a board, `memo`,
which also splits a state into parts, for a plain problem; the other one if the first cannot take
it. `TooLarge` is raised if the states do not fit in the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.base import DEFAULT, Branching
from exactcover.backends.node import Node
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import CapabilityError
from exactcover.problem import Layout, Problem
from exactcover.puzzle import Puzzle
from exactcover.puzzle.rectangles import need_cells
from exactcover.search.result import Solution
from exactcover.search.subject import Solvable, Subject

if TYPE_CHECKING:
    from exactcover.backends.diagram import Diagram

    Maker = Callable[[Problem, Layout | None, Branching], Diagram]


def all_solutions(
    subject: Solvable, chosen: Sequence[int] = (), memory: int | None = None
) -> Diagram:
    """All solutions, including symmetric copies, or those with the chosen options, as a diagram."""
    from exactcover.backends import memo
    from exactcover.backends.automaton import diagram

    check_whole("memory", memory, least=1)
    check_kind("chosen", chosen, (list, tuple, range, np.ndarray), "a list of option numbers")
    for option in chosen:
        check_whole("chosen", option, optional=False)
    found = Subject.of(subject)
    need_cells(found.model, "a sample or the use of each option")
    settings = {} if memory is None else {"memory": str(memory)}
    how = replace(Branching.by(DEFAULT, settings), root=Node(tuple(chosen)))
    makers: list[Maker] = [diagram, memo.diagram]
    first, second = makers if found.model is not None else makers[::-1]
    try:
        return first(found.problem, found.layout, how)
    except CapabilityError:
        return second(found.problem, found.layout, how)


def usage(
    subject: Solvable, *, chosen: Sequence[int] = (), memory: int | None = None
) -> dict[int, int]:
    """For each option, how many solutions have it; options without a solution are left out.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_20x3")
        >>> used = ec.usage(puzzle)
        >>> len(used), max(used.values())
        (68, 4)

    subject  a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    chosen   numbers of options that every solution must have. Default: (), none
    memory   MiB that states may take, a whole number. Default: None, half of the free memory

    All solutions count, including symmetric copies. `puzzle.model.placements([option])` says
    where an option places which piece; an option that leaves a cell empty places none. Raises
    `TooLarge` if the states do not fit.
    """
    return all_solutions(subject, chosen, memory).usage()


def sample(
    subject: Solvable,
    many: int = 1,
    *,
    seed: int | None = None,
    chosen: Sequence[int] = (),
    memory: int | None = None,
) -> list[Solution]:
    """Solutions drawn at random, each as likely as any other.

        >>> import exactcover as ec
        >>> [len(one.placements) for one in ec.sample(ec.read("pentominoes_20x3"), 2, seed=1)]
        [12, 12]

    subject  a Puzzle, a Problem, lists of items, or a matrix of 0 and 1
    many     how many to draw; the same one may be drawn twice. Default: 1
    seed     a whole number; the same seed draws the same solutions. Default: None, others each time
    chosen   numbers of options that every solution must have. Default: (), none
    memory   MiB that states may take, a whole number. Default: None, half of the free memory

    They are drawn from all solutions, including symmetric copies. The list is empty if there is no
    solution. Raises `TooLarge` if the states do not fit.
    """
    check_whole("many", many, least=0, optional=False)
    check_whole("seed", seed)
    found = Subject.of(subject)
    given = subject if isinstance(subject, Puzzle) else found.problem
    drawn = all_solutions(given, chosen, memory).samples(many, seed)
    return [Solution(options, found.problem, found.model) for options in drawn]
