"""All solutions by CP-SAT, as a search that can be stopped and resumed.

CP-SAT cannot be paused. So it gets a whole subtree, with a limit on its effort. If it finishes, its
solutions are handed out. If not, they are dropped, the subtree is divided by the options of one
item, and CP-SAT gets each part in turn. Effort is counted, not timed, so every run is the same.
CP-SAT sometimes reports a solution twice; such duplicates are dropped here, and counted.
"""

from __future__ import annotations

from collections import deque
from functools import partial

import numpy as np

from exactcover.backends.base import (
    Backend,
    Begin,
    Branching,
    Capabilities,
    Slice,
    Status,
    Where,
    check_capacity,
    searched_share,
)
from exactcover.backends.cpsat.model import stated
from exactcover.backends.node import Node, Residue
from exactcover.base.plugins import or_tools
from exactcover.problem import Layout, Problem
from exactcover.problem.filters.tree import branches

EFFORT = 0.1
"""CP-SAT's effort on a subtree before it is divided: about this many seconds."""

MOST = 1 << 14
"""A subtree with this many solutions is divided too, so that few wait in memory."""

OVERHEAD = 1 << 8
"""The cost of making a model, in steps of the budget."""

Chosen = tuple[int, ...]


class CpsatSearch:
    """A search under way.

    duplicates  solutions that CP-SAT reported again
    """

    def __init__(self, problem: Problem, node: Node, cut: int | None = None) -> None:
        self.duplicates = 0
        self._problem = problem
        # Of each subtree that was divided: the parts not begun, the next last, and their number.
        self._stack = [([node], 1)]
        self._waiting: deque[Chosen] = deque()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for about `steps` choices of CP-SAT, but at least for one subtree."""
        check_capacity(capacity)
        handed: list[Chosen] = []
        spent = found = fits = 0
        while True:
            while self._waiting and len(handed) < capacity:
                solution = self._waiting.popleft()
                found += 1
                if keep:
                    handed.append(solution)
            status = None
            if len(handed) == capacity and (self._waiting or self._stack):
                status = Status.FULL
            elif not self._stack:
                status = Status.DONE
            elif spent >= steps:
                status = Status.BUDGET
            if status is not None:
                return Slice.of(status, handed, found=found, fits=fits)
            made = self._take_up()
            fits += made
            spent += made + OVERHEAD

    def where(self) -> Where:
        """Where the search is; its stack has the parts that are being searched."""
        begun = [(many - len(parts), many) for parts, many in self._stack]
        position = [(number - 1, many) for number, many in begun[:-1]] + begun[-1:]
        progress = searched_share(position)[0] if self._stack else 1.0
        return Where(progress, position[1:])

    def _take_up(self) -> int:
        """Search the next subtree or divide it; return how many steps that took."""
        node = self._stack[-1][0].pop()
        residue = Residue.of(self._problem, node)
        solutions, steps = all_of(self._problem, residue)
        if solutions is None:
            parts = _divided(self._problem, residue, node)
            self._stack.append((parts[::-1], len(parts)))
        else:
            distinct = {tuple(sorted((*node.chosen, *one))) for one in solutions}
            self.duplicates += len(solutions) - len(distinct)
            self._waiting.extend(sorted(distinct))
        while self._stack and not self._stack[-1][0]:
            self._stack.pop()
        return steps


def all_of(problem: Problem, residue: Residue) -> tuple[list[Chosen] | None, int]:
    """The solutions below a node, as the options they add, and the choices that CP-SAT made.

    None if it did not finish.
    """
    from ortools.sat.python import cp_model

    model = stated(problem, residue)
    if model is None:
        return [], 0
    if not residue.options.size:
        return [()], 0
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.enumerate_all_solutions = True
    parameters.fill_additional_solutions_in_response = True
    parameters.solution_pool_size = MOST
    parameters.max_deterministic_time = EFFORT
    parameters.cp_model_presolve = False  # longer than most subtrees take
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    parameters.linearization_level = 0
    parameters.catch_sigint_signal = False  # Python handles Ctrl-C, after this subtree
    status = solver.solve(model)
    response = solver.response_proto
    steps = int(response.num_branches)
    if status == cp_model.INFEASIBLE:
        return [], steps
    found = response.additional_solutions
    if status != cp_model.OPTIMAL or len(found) >= MOST:
        return None, steps
    options = residue.options
    return [
        tuple(options[np.flatnonzero(np.array(one.values)[: options.size])].tolist())
        for one in found
    ], steps


def _divided(problem: Problem, residue: Residue, node: Node) -> list[Node]:
    """The parts of a subtree: each chooses one option of an item, and forbids those before it.

    It is the item that needs an option and has the fewest to spare. If no item needs one, an option
    is chosen or forbidden.
    """
    allowed = np.zeros(problem.n_options, bool)
    allowed[residue.options] = True
    options = branches(problem, node.chosen, allowed)
    parts = []
    for option in residue.options[:1] if options is None else options:
        parts.append(Node((*node.chosen, int(option)), allowed.copy()))
        allowed[option] = False
    return parts if options is not None else [*parts, Node(node.chosen, allowed)]


def _prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins searches of nodes; raises if OR-Tools is not installed."""
    or_tools("sat.python.cp_model")
    return partial(CpsatSearch, problem)


backend = Backend(
    "cpsat",
    "OR-Tools CP-SAT: every kind of problem, by an engine that is not ours",
    Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=("s",),
        package="ortools",
    ),
    _prepared,
)
