"""An engine to copy: Algorithm X in its plainest form, complete, and slow.

To make an engine of your own:

1. Copy this file and give the class its name and summary. 2. Say in `capabilities` what it can do:
`features` are the words of `Problem.needs`, `heuristics` the names that a task may ask for, the
default one first. Promise nothing more: other tasks are refused, with the names of the engines
that can do them. 3. Let `start` turn a problem and a task into a search. The task is valid: its
heuristic is one of yours, its chosen options do not conflict, and none of those in `allowed`
conflicts with them. A search lists the solutions that have all of `chosen` and otherwise options of
`allowed` alone. 4. Import compilers and libraries in `start`, not at the top, so that listing the
engines stays quick. 5. Keep the whole state of a search in the search object, so that `advance`
can stop anywhere. Do not recurse: a search may be deeper than Python's stack. 6. Name `backend` as
an entry point of the group `exactcover.backends`, and run the tests that every engine passes:
`pytest tests/backends --backend NAME`, or before it is installed, with a place on PYTHONPATH,
`pytest tests/backends --backend my_package.engine:backend`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactcover.backends import Batch, Capabilities, Report, Search, Status, Task
from exactcover.problem import Layout, Problem


@dataclass(frozen=True)
class TreeNode:
    """A place in the search tree: the options chosen, those still possible, and the way there."""

    chosen: tuple[int, ...]
    left: tuple[int, ...]
    path: tuple[tuple[int, int], ...] = ()


class TemplateSearch:
    """A search under way: the nodes still to be visited, the next one last."""

    def __init__(self, problem: Problem, task: Task) -> None:
        self._fits = self._found = 0
        self._primary = problem.primary
        self._items = [frozenset(problem.items_of(o).tolist()) for o in range(problem.n_options)]
        self._by_number = task.heuristic == "f"
        assert task.allowed is not None  # `started` fills it in
        self._nodes = [TreeNode(task.chosen, tuple(np.flatnonzero(task.allowed).tolist()))]

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Visit up to `steps` nodes, or until the batch is full."""
        solutions: list[tuple[int, ...]] = []
        for _ in range(steps):
            if not self._nodes or len(solutions) == capacity:
                break
            node = self._nodes.pop()
            if not self._visit(node):
                continue
            self._found += 1
            if keep:
                solutions.append(tuple(sorted(node.chosen)))
        status = Status.FULL if len(solutions) == capacity else Status.BUDGET
        return Batch.of(status if self._nodes else Status.DONE, solutions)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search: its figures, and the way to the next node."""
        del brief  # nothing here takes long
        if not self._nodes:
            return Report(self._fits, 0, self._found, progress=1.0)
        path = self._nodes[-1].path
        behind, share = 0.0, 1.0  # of the tree before the next node, siblings taken as equals
        for branch, branches in path:
            share /= branches
            behind += branch * share
        return Report(self._fits, 0, self._found, progress=behind, position=path)

    def _visit(self, node: TreeNode) -> bool:
        """Put the node's children on the list; return whether it is a solution instead."""
        covered = {item for option in node.chosen for item in self._items[option]}
        options: dict[int, list[int]] = {i: [] for i in range(self._primary) if i not in covered}
        if not options:
            return True
        for option in node.left:
            for item in self._items[option] & options.keys():
                options[item].append(option)
        enough = 2 if self._by_number else len(node.left)
        item = min(options, key=lambda item: (min(len(options[item]), enough), item))
        branches = len(options[item])
        self._fits += branches
        for branch in reversed(range(branches)):
            option = options[item][branch]
            items = self._items[option]
            left = tuple(other for other in node.left if not items & self._items[other])
            path = (*node.path, (branch, branches))
            self._nodes.append(TreeNode((*node.chosen, option), left, path))
        return False


class TemplateBackend:
    """The engine: its name, its capabilities, and the start of a search."""

    name = "template"
    summary = "Algorithm X in plain Python: slow, and there to be copied"
    capabilities = Capabilities(features=frozenset({"secondary"}), heuristics=("s", "f"))

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the task's subtree, not yet begun."""
        return TemplateSearch(problem, task)


backend = TemplateBackend()
