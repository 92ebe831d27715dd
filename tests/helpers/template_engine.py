"""An engine to copy: Algorithm X in its plainest form, complete, and slow.

To make an engine of your own:

1. Copy this file and give the engine its name and summary. 2. Say in `capabilities` what it can do:
`features` are the words of `Problem.needs`, `heuristics` the names that a strategy may ask for, the
default one first. Promise nothing more: other problems are refused, with the names of the engines
that can do them. 3. Let `prepare` return a function that begins the search of a node. All that it
gets is valid: the heuristic is one of yours, the chosen options of a node do not conflict, and none
of those in `allowed` conflicts with them. A search lists the solutions that have all of `chosen`
and otherwise options of `allowed` alone. 4. Import compilers and libraries in `prepare`, not at the
top, so that listing the engines stays quick. 5. Keep the whole state of a search in the search
object, so that `advance` can stop anywhere. Do not recurse: a search may be deeper than Python's
stack. 6. Name `backend` as an entry point of the group `exactcover.backends`, and run the tests
that every engine passes: `pytest tests/backends --backend NAME`, or before it is installed, with a
place on PYTHONPATH, `pytest tests/backends --backend my_package.engine:backend`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from exactcover.backends import Backend, Begin, Branching, Capabilities, Node, Slice, Status, Where
from exactcover.problem import Layout, Problem


@dataclass(frozen=True)
class TreeNode:
    """A place in the search tree: the options chosen, those still possible, and the way there."""

    chosen: tuple[int, ...]
    left: tuple[int, ...]
    path: tuple[tuple[int, int], ...] = ()


class TemplateSearch:
    """A search under way: the nodes still to be visited, the next one last."""

    def __init__(self, problem: Problem, how: Branching, node: Node, cut: int | None) -> None:
        self._fits = 0  # of the slice
        self._primary = problem.primary
        self._items = [frozenset(problem.items_of(o).tolist()) for o in range(problem.n_options)]
        self._by_number = how.heuristic == "f"
        assert node.allowed is not None  # `prepared` fills in that of the root
        self._nodes = [TreeNode(node.chosen, tuple(np.flatnonzero(node.allowed).tolist()))]

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Visit up to `steps` nodes, or until the slice is full."""
        solutions: list[tuple[int, ...]] = []
        found = self._fits = 0
        for _ in range(steps):
            if not self._nodes or len(solutions) == capacity:
                break
            node = self._nodes.pop()
            if not self._visit(node):
                continue
            found += 1
            if keep:
                solutions.append(tuple(sorted(node.chosen)))
        status = Status.FULL if len(solutions) == capacity else Status.BUDGET
        status = status if self._nodes else Status.DONE
        return Slice.of(status, solutions, found=found, fits=self._fits)

    def where(self) -> Where:
        """Where the search is: the way to the next node."""
        if not self._nodes:
            return Where(progress=1.0)
        path = self._nodes[-1].path
        behind, share = 0.0, 1.0  # of the tree before the next node, siblings taken as equals
        for branch, branches in path:
            share /= branches
            behind += branch * share
        return Where(behind, path)

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


def prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins searches of nodes; this engine has nothing to prepare."""
    return partial(TemplateSearch, problem, how)


backend = Backend(
    "template",
    "Algorithm X in plain Python: slow, and there to be copied",
    Capabilities(features=frozenset({"secondary"}), heuristics=("s", "f")),
    prepared,
)
