"""How splitting scales to 1000 workers: a simulation with the measured sizes of subtrees.

    python benchmarks/bench_splitting.py [--only OP18 Y25]      simulate, in half a minute
    python benchmarks/bench_splitting.py --measure              measure the trees again first

A size is the number of images tried, which is exact and the same on every machine. `--measure`
searches each tree from the top down: a subtree with more than 1/20,000 of all images is cut one
piece further down, a smaller one is searched to its end. The sizes of all parts add up to those of
one undivided search; that is checked. The measured trees are in `benchmarks/trees`.

    OP18   the 18 one-sided pentominoes in 18 x 5, up to reflections
    Y25    the 25 Y pentacubes in 5 x 5 x 5, up to reflections

The simulated ways to split:

    in order       all subtrees at the first depth that has at least so many tasks a worker
    handed back    what the workers of `exactcover.runs` do: a task that has run for 1/20 of the
                   ideal time finishes the node that it is in and hands back all branches that it
                   has not begun. Those of its highest node become tasks one by one, those of each
                   node below become one task. The task with the largest estimated share begins
                   next, where siblings are estimated to be equally large.

Starting the search of a subtree costs time on its worker; a scheduler of a cluster also handles one
task after the other. The figures are the makespan divided by the ideal, which is the work divided
by the number of workers.
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

import exactcover as ec
from benchmarks.puzzles import read_puzzle
from exactcover.backends import Node, Status
from exactcover.search.automatic import automatic
from exactcover.search.plan import make_plan
from exactcover.search.stages import Stages
from exactcover.search.subject import Subject

PARTS = 20_000
"""A subtree with at most this part of all images is not divided further."""

WORKERS = (1, 2, 10, 100, 1000)

PATIENCE = 20
"""A task hands back siblings after the ideal time divided by this."""

START = 0.0002
"""Seconds that a worker takes to start the search of a subtree."""

HANDLING = 0.001
"""Seconds that the scheduler of a cluster takes for a task."""

RUNS = {"an hour": 3600.0, "a day": 86_400.0}
"""The seconds of longer runs on one worker, whose trees are taken to have the same shape."""


@dataclass(frozen=True)
class Case:
    """A puzzle, and the seconds that one worker takes for it."""

    puzzle: str
    seconds: float


CASES = {
    "OP18": Case("pentominoes_1s_18x5", 29.0),
    "Y25": Case("y_pentacubes_5x5x5", 4.2),
}


@dataclass(frozen=True)
class Tree:
    """The sizes of the subtrees of a search, in the order of the search: a node, then its children.

    children  the number of children of each node; 0: a leaf, which is not divided further
    own       the images tried at a node to find its children; all images of a leaf
    siblings  the number of small siblings that a leaf stands for; 1 for other nodes
    """

    children: list[int]
    own: list[int]
    siblings: list[int]

    @classmethod
    def load(cls, path: Path) -> Tree:
        """A tree that was saved."""
        saved = np.load(path)
        return cls(*(saved[name].tolist() for name in ("children", "own", "siblings")))

    def save(self, path: Path) -> None:
        """Save the tree as arrays of numpy."""
        np.savez_compressed(
            path,
            children=np.array(self.children, np.uint16),
            own=np.array(self.own, np.uint32),
            siblings=np.array(self.siblings, np.uint16),
        )

    def __len__(self) -> int:
        return len(self.own)

    @cached_property
    def before(self) -> list[int]:
        """The images tried before each node, and in the end all of them."""
        return [0, *accumulate(self.own)]

    @property
    def total(self) -> int:
        """All images tried."""
        return self.before[-1]

    @cached_property
    def parent(self) -> list[int]:
        """The parent of each node; -1 for the root."""
        parents, open_nodes = [], [-1]
        left = [1, *self.children]  # children that are still to come; the first entry is no node's
        for node in range(len(self)):
            while not left[open_nodes[-1] + 1]:
                open_nodes.pop()
            parents.append(open_nodes[-1])
            left[open_nodes[-1] + 1] -= 1
            open_nodes.append(node)
        return parents

    @cached_property
    def depth(self) -> list[int]:
        """The number of nodes above each node."""
        depths: list[int] = []
        for parent in self.parent:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        return depths

    @cached_property
    def end(self) -> list[int]:
        """The first node after the subtree of each node."""
        ends = [node + 1 for node in range(len(self))]
        for node in range(len(self) - 1, 0, -1):
            ends[self.parent[node]] = max(ends[self.parent[node]], ends[node])
        return ends

    @cached_property
    def share(self) -> list[float]:
        """The estimated part of the whole tree, if siblings were equally large."""
        born = [0] * len(self)
        for node in range(1, len(self)):
            born[self.parent[node]] += self.siblings[node]
        shares = [1.0] * len(self)
        for node in range(1, len(self)):
            parent = self.parent[node]
            shares[node] = shares[parent] * self.siblings[node] / born[parent]
        return shares

    def size(self, node: int) -> int:
        """The images tried in the subtree of a node."""
        return self.before[self.end[node]] - self.before[node]

    def after(self, node: int, end: int) -> Iterator[int]:
        """The node and its later siblings up to an end."""
        while node < end:
            yield node
            node = self.end[node]


# -- measuring ------------------------------------------------------------------------------------


def measure(puzzle: ec.Puzzle, parts: int = PARTS) -> Tree:
    """The tree of the automatic strategy for a puzzle, up to reflections."""
    subject = Subject.of(puzzle, "reflections")
    strategy = automatic(subject)
    stages = Stages(make_plan(subject, strategy), strategy)
    whole = ec.Solving(puzzle, counted="reflections", strategy=strategy).run()
    total = whole.fits + whole.nofits
    tree = Tree([], [], [])
    _divide(tree, stages, Node(), stages.pieces, total // parts)
    assert sum(tree.own) == total, "the parts add up to the whole"
    return tree


def _divide(tree: Tree, stages: Stages, root: Node, left: int, most: int) -> None:
    """Append a subtree to the tree, divided if it has more images than `most`.

    left  the pieces left
    """
    search, done, tried = stages.begin(root), False, 0
    while not done and (tried <= most or left <= 1):
        made = search.advance(max(most // 4, 16), keep=False)
        done, tried = made.status is Status.DONE, tried + made.choices
    node = len(tree)
    tree.children.append(0)
    tree.own.append(tried)
    tree.siblings.append(1)
    if done:
        return
    search, done, tried, last = stages.begin(root, cut=left - 1), False, 0, None
    while not done:
        batch = search.advance(1 << 12, capacity=1)
        done, tried = batch.status is Status.DONE, tried + batch.choices
        if batch.state is None:
            continue
        child = len(tree)
        _divide(tree, stages, batch.state, left - 1, most)
        if last is not None and not tree.children[child] and _summed(tree, last, most):
            continue
        last = None if tree.children[child] else child
        tree.children[node] += 1
    tree.own[node] = tried


def _summed(tree: Tree, last: int, most: int) -> bool:
    """Sum the last two leaves into one, if that is still small."""
    if tree.own[last] + tree.own[-1] > most:
        return False
    tree.own[last] += tree.own.pop()
    tree.siblings[last] += tree.siblings.pop()
    tree.children.pop()
    return True


# -- simulating -----------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """The time until the last worker has finished, in images, and the number of tasks."""

    makespan: float
    tasks: int


def equal_depth(tree: Tree, workers: int, *, tasks: int, start: float = 0.0) -> Outcome:
    """All subtrees at the first depth with at least so many tasks, once they are all found.

    start  the images that could be tried while a task starts
    """
    at_depth = [0] * (max(tree.depth) + 1)
    for node, depth in enumerate(tree.depth):
        at_depth[depth] += tree.siblings[node]
        if not tree.children[node]:  # it is a task at every depth below, too
            for deeper in range(depth + 1, len(at_depth)):
                at_depth[deeper] += tree.siblings[node]
    enough = [depth for depth, number in enumerate(at_depth) if number >= tasks]
    cut = enough[0] if enough else len(at_depth) - 1
    above, below, number = 0.0, [], 0
    for node, depth in enumerate(tree.depth):
        if depth < cut and tree.children[node]:
            above += tree.own[node] + start
        elif depth <= cut:
            below.append(tree.size(node) + start * tree.siblings[node])
            number += tree.siblings[node]
    free = [above] * workers
    for size in below:
        heappush(free, heappop(free) + size)
    return Outcome(max(free), number)


def handed_back(tree: Tree, workers: int, *, start: float = 0.0, handling: float = 0.0) -> Outcome:
    """Tasks that run for long hand back the branches that they have not begun.

    handling  the images that could be tried while the scheduler handles a task
    """
    patience = tree.total / workers / PATIENCE
    ready = [(-1.0, 0, len(tree))]  # the largest estimated share first
    events: list[tuple[float, int, list[Siblings] | None]] = []  # handed back; None: one has ended
    idle, tasks, now, scheduler, ended = workers, 0, 0.0, 0.0, 0.0
    while ready or events:
        while idle and ready:
            _, first, end = heappop(ready)
            began = _begun(tree, Siblings(first, end), patience)
            scheduler = max(now, scheduler) + handling
            searching = scheduler + start * began.searches
            if began.rest:
                heappush(events, (searching + patience, tasks, began.rest))
            heappush(events, (searching + began.images, tasks, None))
            idle -= 1
            tasks += 1
        now, _, rest = heappop(events)
        if rest is None:
            idle, ended = idle + 1, now
        for first, end in rest or ():
            share = sum(tree.share[node] for node in tree.after(first, end))
            heappush(ready, (-share, first, end))
    return Outcome(ended, tasks)


class Siblings(NamedTuple):
    """A task: a node and its later siblings up to an end."""

    first: int
    end: int


class Begun(NamedTuple):
    """The images that a task tries itself, the searches that it starts, and what it hands back."""

    images: int
    searches: int
    rest: list[Siblings]


def _begun(tree: Tree, task: Siblings, patience: float) -> Begun:
    before, end = tree.before, tree.end
    if before[task.end] - before[task.first] <= patience:
        searches = sum(tree.siblings[node] for node in tree.after(*task))
        return Begun(before[task.end] - before[task.first], searches, [])
    at = bisect_right(before, before[task.first] + patience) - 1  # the node where patience ends
    below = [Siblings(at + 1, end[at])]  # what is not begun, the lowest first
    path = at
    while tree.parent[path] >= task.first:
        above = tree.parent[path]
        below.append(Siblings(end[path], end[above]))
        path = above
    rest = [Siblings(node, end[node]) for node in tree.after(end[path], task.end)]
    below = [part for part in below if part.first < part.end]
    if below:
        rest += [Siblings(node, end[node]) for node in tree.after(*below.pop())]
    searches = sum(tree.siblings[node] for node in tree.after(task.first, end[path]))
    return Begun(before[at + 1] - before[task.first], searches, rest + below)


# -- tables ---------------------------------------------------------------------------------------


def ways(tree: Tree) -> Iterator[list[str]]:
    """Rows: how evenly each way to split shares the work, if tasks cost nothing."""
    yield ["way", *(f"{workers:,}" for workers in WORKERS)]
    for each in (10, 100):
        rows = [equal_depth(tree, one, tasks=one * each) for one in WORKERS]
        yield [f"{each} a worker, in order", *_told(tree, rows)]
    yield ["handed back", *_told(tree, [handed_back(tree, one) for one in WORKERS])]


def costs(tree: Tree, seconds: float) -> Iterator[list[str]]:
    """Rows: the siblings handed back, if tasks cost time."""
    yield ["run on one worker", "tasks go through", *(f"{workers:,}" for workers in WORKERS)]
    for name, length in {f"{seconds:g} s": seconds, **RUNS}.items():
        images = tree.total / length  # tried in a second
        for way, handling in (("one process", 0.0), ("a scheduler", HANDLING)):
            rows = [
                handed_back(tree, one, start=START * images, handling=handling * images)
                for one in WORKERS
            ]
            yield [name, way, *_told(tree, rows, tasks=False)]


def _told(tree: Tree, outcomes: list[Outcome], *, tasks: bool = True) -> Iterator[str]:
    for workers, one in zip(WORKERS, outcomes, strict=True):
        ratio = one.makespan * workers / tree.total
        told = f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:,.0f}"
        yield f"{told} ({one.tasks:,})" if tasks else told


def table(rows: Iterator[list[str]]) -> str:
    """Rows in Markdown, the first one as the head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|---" * (lines[0].count("|") - 1) + "|")
    return "\n".join(lines)


def saved(name: str) -> Path:
    """The file with the tree of a case."""
    return Path(__file__).parent / "trees" / f"{name}.npz"


def main() -> None:
    parser = argparse.ArgumentParser(description="how splitting scales to 1000 workers")
    parser.add_argument("--only", nargs="+", choices=CASES, default=[*CASES])
    parser.add_argument("--measure", action="store_true", help="measure the trees again first")
    chosen = parser.parse_args()
    for name in chosen.only:
        case = CASES[name]
        if chosen.measure:
            measure(read_puzzle(case.puzzle)).save(saved(name))
        tree = Tree.load(saved(name))
        leaves = sum(not children for children in tree.children)
        print(f"\n{name}: {tree.total:,} images in {leaves:,} leaves")
        print(f"\nmakespan/ideal (tasks), if tasks cost nothing\n\n{table(ways(tree))}")
        print(f"\nmakespan/ideal of tasks handed back\n\n{table(costs(tree, case.seconds))}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
