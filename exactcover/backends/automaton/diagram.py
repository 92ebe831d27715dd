"""All solutions of a puzzle as one diagram without dead ends.

A node is a state of the count, an edge an image placed on the first open cell, and every path from
the root to the end is a solution, once. So it answers questions for which a list would be too long:
how many solutions have an image, a fair sample of them, the cheapest ones, those that have one
image and not another.

Parts of a diagram, made by `using` and `without`, are diagrams; `&` and `|` combine them. Other
programs read it as `graphviz`, `as_json` or `zdd`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.errors import ExactCoverError

Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Counts = list[int]
Pair = tuple[int | None, int | None]

ZDD_NODES = 1 << 16
"""A ZDD has room for at least this many nodes, and for some more for each edge."""

END = -1
"""In the text forms of a diagram: no node, the solution is complete."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """The solutions below a task; `len` is how many nodes it has, `count` how many solutions.

    starts   int64 [nodes + 1]: where the edges of each node begin
    target   int64 [edges]: the node an edge leads to, always a higher one
    label    int64 [edges]: the image that it places
    option   int64 [labels]: the option of each image, -1: a cell stays empty
    cells    bool [labels, cells]: the cells of each image
    place    int64 [labels]: where its first cell comes, in the order of filling; on every path
             these ascend
    chosen   the options of the task, which are in every solution

    The root is node 0, the end the last one; without solutions there are no nodes.
    """

    starts: Long
    target: Long
    label: Long
    option: Long
    cells: Flags
    place: Long
    chosen: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.starts.size - 1

    def __repr__(self) -> str:
        size = f"{len(self):,} nodes, {self.target.size:,} edges"
        return f"<Diagram of {self.count:,} solutions: {size}>"

    # -- counts -------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return self._after()[0] if len(self) else 0

    def through(self) -> dict[int, int]:
        """The number of solutions of each option that is in a solution."""
        after, before = self._after(), self._before()
        found = dict.fromkeys(self.chosen, self.count)
        for node, edge in self._edges():
            option = int(self.option[self.label[edge]])
            ways = before[node] * after[int(self.target[edge])]
            if option >= 0:
                found[option] = found.get(option, 0) + ways
        return dict(sorted(found.items()))

    def _after(self) -> Counts:
        """The number of paths from each node to the end."""
        ways = [0] * len(self)
        if ways:
            ways[-1] = 1
        targets, starts = self.target.tolist(), self.starts.tolist()
        for node in range(len(self) - 2, -1, -1):
            ways[node] = sum(ways[to] for to in targets[starts[node] : starts[node + 1]])
        return ways

    def _before(self) -> Counts:
        """The number of paths from the root to each node."""
        ways = [1, *[0] * (len(self) - 1)]
        for node, edge in self._edges():
            ways[int(self.target[edge])] += ways[node]
        return ways

    def _edges(self) -> Iterator[tuple[int, int]]:
        """Every edge with its node, in ascending order."""
        return zip(self._owner.tolist(), range(self.target.size), strict=True)

    @property
    def _owner(self) -> npt.NDArray[np.int64]:
        """The node of each edge."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    # -- solutions ----------------------------------------------------------------------------

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Every solution as ascending option numbers; there are no dead ends."""
        if not len(self):
            return
        starts, last = self.starts.tolist(), len(self) - 1
        path: list[int] = []
        waiting = [iter(range(starts[0], starts[1]))]
        if last == 0:
            yield self._solution(path)
        while waiting:
            edge = next(waiting[-1], None)
            if edge is None:
                waiting.pop()
                if path:
                    path.pop()
                continue
            path.append(edge)
            node = int(self.target[edge])
            if node == last:
                yield self._solution(path)
                path.pop()
            else:
                waiting.append(iter(range(starts[node], starts[node + 1])))

    def sample(self, many: int, seed: int | None = None) -> list[tuple[int, ...]]:
        """This many solutions, each drawn from all of them with the same probability."""
        return list(self.samples(many, seed))

    def samples(self, many: int, seed: int | None = None) -> Iterator[tuple[int, ...]]:
        """The same one by one."""
        random, after = Random(seed), self._after()
        for _ in range(many if self.count else 0):
            node, path = 0, []
            while node < len(self) - 1:
                left = random.randrange(after[node])
                for edge in range(int(self.starts[node]), int(self.starts[node + 1])):
                    left -= after[int(self.target[edge])]
                    if left < 0:
                        break
                path.append(edge)
                node = int(self.target[edge])
            yield self._solution(path)

    def cheapest(
        self, costs: npt.NDArray[np.float64], many: int = 1
    ) -> list[tuple[float, tuple[int, ...]]]:
        """The solutions of least cost, with their costs, from the costs of options: float64
        [options].

        Every node keeps its `many` cheapest ways to the end.
        """
        if not len(self) or many < 1:
            return []
        price = np.where(self.option >= 0, np.append(costs, 0.0)[self.option], 0.0)[self.label]
        best: list[list[tuple[float, int, int]]] = [[] for _ in range(len(self))]
        best[-1] = [(0.0, END, END)]
        for node in range(len(self) - 2, -1, -1):
            ways = (
                (float(price[edge]) + cost, edge, rank)
                for edge in range(int(self.starts[node]), int(self.starts[node + 1]))
                for rank, (cost, _, _) in enumerate(best[int(self.target[edge])])
            )
            best[node] = nsmallest(many, ways)
        fixed = float(sum(costs[option] for option in self.chosen))
        found = []
        for rank, (cost, _, _) in enumerate(best[0]):
            path, node, at = [], 0, rank
            while node < len(self) - 1:
                _, edge, at = best[node][at]
                path.append(edge)
                node = int(self.target[edge])
            found.append((cost + fixed, self._solution(path)))
        return found

    def _solution(self, path: list[int]) -> tuple[int, ...]:
        options = self.option[self.label[path]] if path else np.zeros(0, np.int64)
        return tuple(sorted((*self.chosen, *options[options >= 0].tolist())))

    # -- parts of it --------------------------------------------------------------------------

    def using(self, option: int) -> Diagram:
        """The solutions that have an option.

        Each path fills a cell of the option's image exactly once. So these are the paths without
        the other images on that cell.
        """
        if option in self.chosen:
            return self
        labels = np.flatnonzero(self.option == option)
        if not labels.size:
            return self._none()
        cell = int(self.cells[labels[0]].argmax())
        return self._kept((self.label == labels[0]) | ~self.cells[self.label, cell])

    def without(self, option: int) -> Diagram:
        """The solutions that do not have an option."""
        if option in self.chosen:
            return self._none()
        return self._kept(self.option[self.label] != option)

    def trimmed(self) -> Diagram:
        """The same solutions, without dead ends."""
        return self._kept(np.ones(self.target.size, bool))

    def _kept(self, keep: Flags) -> Diagram:
        """The paths all of whose edges are kept, dead ends trimmed."""
        if not len(self):
            return self
        owner = self._owner
        ahead, back = np.zeros(len(self), bool), np.zeros(len(self), bool)
        ahead[0] = back[-1] = True
        edges = np.flatnonzero(keep).tolist()
        owners, targets = owner.tolist(), self.target.tolist()
        for edge in edges:
            if ahead[owners[edge]]:
                ahead[targets[edge]] = True
        for edge in edges[::-1]:
            if back[targets[edge]]:
                back[owners[edge]] = True
        live = ahead & back
        if not (live[0] and live[-1]):
            live[:] = False
        keep = keep & live[owner] & live[self.target]
        number = np.cumsum(live) - 1
        degree = np.bincount(owner[keep], minlength=len(self))[live]
        return replace(
            self,
            starts=np.concatenate([[0], np.cumsum(degree)]).astype(np.int64),
            target=number[self.target[keep]],
            label=self.label[keep],
        )

    def __and__(self, other: Diagram) -> Diagram:
        """The solutions in both; of diagrams that are parts of the same one."""
        return self._combined(other, lambda one, two: one and two)

    def __or__(self, other: Diagram) -> Diagram:
        """The solutions in either; of diagrams that are parts of the same one."""
        return self._combined(other, lambda one, two: one or two)

    def _combined(self, other: Diagram, wanted: Callable[[bool, bool], bool]) -> Diagram:
        """The wanted paths, with pairs of nodes; None marks a path that has left a diagram."""
        if not (len(self) and len(other)):
            rest = self if len(self) else other
            return rest if wanted(bool(len(self)), bool(len(other))) else self._none()
        ends = (len(self) - 1, len(other) - 1)
        follow: dict[Pair, list[tuple[int, Pair]]] = {}
        waiting: list[Pair] = [(0, 0)]
        while waiting:
            pair = waiting.pop()
            if pair in follow:
                continue
            out = [_ways(diagram, node) for diagram, node in zip((self, other), pair, strict=True)]
            follow[pair] = [
                (label, (out[0].get(label), out[1].get(label)))
                for label in sorted(out[0].keys() | out[1].keys())
                if wanted(label in out[0], label in out[1])
            ]
            waiting += [to for _, to in follow[pair] if to not in follow]
        final = {pair for pair in follow if wanted(pair[0] == ends[0], pair[1] == ends[1])}
        return self._numbered(follow, final)

    def _numbered(self, follow: dict[Pair, list[tuple[int, Pair]]], final: set[Pair]) -> Diagram:
        """A diagram of pairs of nodes: all final ones become the end."""
        order: list[Pair] = []
        done = set(final)
        stack: list[tuple[Pair, bool]] = [((0, 0), False)]
        while stack:  # depth first, so that the nodes after a node come before it
            pair, left = stack.pop()
            if left:
                order.append(pair)
            elif pair not in done:
                done.add(pair)
                stack.append((pair, True))
                stack += [(to, False) for _, to in follow[pair] if to not in done]
        order.reverse()
        number = {pair: at for at, pair in enumerate(order)} | dict.fromkeys(final, len(order))
        edges = [[(label, number[to]) for label, to in follow[pair]] for pair in order]
        made = replace(
            self,
            starts=np.cumsum([0, *map(len, edges), 0]).astype(np.int64),
            target=np.array([to for row in edges for _, to in row], np.int64),
            label=np.array([label for row in edges for label, _ in row], np.int64),
        )
        return made.trimmed()

    def _none(self) -> Diagram:
        return replace(
            self,
            starts=np.zeros(1, np.int64),
            target=np.zeros(0, np.int64),
            label=np.zeros(0, np.int64),
        )


def _ways(diagram: Diagram, node: int | None) -> dict[int, int]:
    """The nodes that a node's edges lead to, by label."""
    if node is None:
        return {}
    span = slice(int(diagram.starts[node]), int(diagram.starts[node + 1]))
    return dict(zip(diagram.label[span].tolist(), diagram.target[span].tolist(), strict=True))


# -- for other programs ----------------------------------------------------------------------------


def graphviz(diagram: Diagram) -> str:
    """The diagram in the language of Graphviz: `dot -Tsvg` draws it. Edges are named by options."""
    lines = ["digraph solutions {", "  rankdir=LR;", "  node [shape=point];"]
    for node, to, option in _edges(diagram):
        name = "empty" if option < 0 else str(option)
        lines.append(f'  {node} -> {to} [label="{name}"];')
    return "\n".join([*lines, "}", ""])


def as_json(diagram: Diagram) -> str:
    """The diagram as one JSON object.

    `edges` are lists of a node, the node it leads to, and the option chosen, -1 where a cell is
    left empty; the root is 0, the end the last node. `count` is a string: it may be very large.
    """
    return json.dumps(
        {
            "nodes": len(diagram),
            "count": str(diagram.count),
            "chosen": list(diagram.chosen),
            "edges": _edges(diagram),
        }
    )


def zdd(diagram: Diagram, manager: Any = None) -> tuple[Any, list[int]]:
    """The solutions as a zero-suppressed decision diagram of the package oxidd, and its variables.

    Variable `v` is the option `variables[v]`, counted from the first variable that is added to the
    `manager`, an `oxidd.zbdd.ZBDDManager`. The options of the task are in every solution and left
    out.
    """
    try:
        from oxidd.zbdd import ZBDDManager
    except ImportError:
        raise ExactCoverError(
            "a ZDD needs the package oxidd: pip install 'exactcover[zdd]'"
        ) from None
    labels = np.unique(diagram.label[diagram.option[diagram.label] >= 0])
    labels = labels[np.lexsort((labels, diagram.place[labels]))]
    manager = manager or ZBDDManager(ZDD_NODES + 4 * diagram.target.size, ZDD_NODES, 1)
    variables = manager.add_vars(labels.size)
    single = {
        label: manager.singleton(variable)
        for label, variable in zip(labels.tolist(), variables, strict=True)
    }
    made: list[Any] = [manager.empty()] * len(diagram)
    if made:
        made[-1] = manager.base()
    for node in range(len(diagram) - 2, -1, -1):
        edges = slice(int(diagram.starts[node]), int(diagram.starts[node + 1]))
        ways = sorted(
            zip(diagram.label[edges].tolist(), diagram.target[edges].tolist(), strict=True)
        )
        rest = manager.empty()
        for _, to in (way for way in ways if way[0] not in single):
            rest = rest | made[to]  # a cell left empty is no variable
        for label, to in (way for way in ways[::-1] if way[0] in single):
            rest = single[label].make_node(made[to], rest)
        made[node] = rest
    return made[0] if made else manager.empty(), diagram.option[labels].tolist()


def _edges(diagram: Diagram) -> list[list[int]]:
    """For each edge: its node, the node it leads to, and its option."""
    owner = np.repeat(np.arange(len(diagram)), np.diff(diagram.starts))
    option = diagram.option[diagram.label]
    edges: list[list[int]] = np.stack([owner, diagram.target, option], axis=1).tolist()
    return edges
