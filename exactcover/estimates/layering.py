"""Where the probes of a search tree keep states: what is known before, and layers fit for the tree.

The top of the tree, and all of a small tree, is searched completely. Below it, pilot probes find
layers so far apart that a search from one to the next takes as long as its start, or a few times
that. Then a few batches of probes say how many states each layer has, so that later batches keep
about equally many of each.

All limits are numbers of choices, not seconds: with the same seed the same probes are made.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import Task
from exactcover.estimates.probes import Layer, Probes, Sieve, Sizes, probed
from exactcover.estimates.tree import ROWS, Sums, Tree, Walk


@dataclass(frozen=True)
class Effort:
    """How much an estimate may spend, in choices.

    known  a search that is made completely before any probe
    first  above the first layer, in each batch
    probe  a probe from one layer to the next, on average
    whole  a probe below the last layer, on average
    batch  a batch of probes, with `START` for each; a few hundredths of a second
    """

    known: int = 1 << 20
    first: int = 1 << 17
    probe: int = 1 << 12
    whole: int = 1 << 13
    batch: int = 1 << 19


EFFORT = Effort()

START = 1 << 11
"""The cost of starting a probe, in choices."""

PILOTS, FEW = 48, 24
"""States of each layer from which pilot probes start, and those that are searched to the ends of
the tree."""

KEPT = 8, 1024
"""The fewest and the most states of a layer that a batch keeps."""

LEAST = 0.1
"""The least size that a state is given if there are any states below it; on average it is 1."""

REHEARSALS = 4
"""Batches that say how many states each layer has."""


@dataclass(frozen=True, eq=False)
class Known:
    """What a complete search of the top of a tree did.

    sums    what it did
    left    it made all choices with more pieces left than this
    states  with this many pieces left
    whole   whether it searched the whole tree
    """

    sums: Sums
    left: int
    states: int
    whole: bool


def survey(tree: Tree, most: int) -> Generator[None, None, Known]:
    """Search a tree from the top, deeper each time, while that takes at most so many choices."""
    known = Known(tree.sums(), tree.pieces, 1, tree.pieces == 0)
    for cut in (*range(tree.pieces - 1, tree.lowest - 1, -1), None):
        walk = tree.walk(cut=cut)
        yield from walk.finish(most)
        if not walk.done:
            break
        whole = cut is None or not walk.found
        left = 0 if cut is None else cut
        known = replace(known, sums=walk.sums(), left=left, states=walk.found, whole=whole)
        if whole:
            break
    return known


class State(NamedTuple):
    """A state from which a pilot probe starts."""

    task: Task
    weight: float


def layered(
    tree: Tree, known: Known, effort: Effort, offset: Callable[[], float]
) -> Generator[None, None, tuple[Layer, ...]]:
    """Layers for the probes of a tree.

    known   what a search of the top of the tree did
    offset  a random number, 0 to 1
    """
    depth = Depth(tree.pieces, 1.0, 0.0, [State(Task(), 1.0)])
    layers: list[Layer] = []
    cost = float(effort.whole)
    while depth.pilots and not depth.near:
        depth = yield from _next_depth(tree, depth, effort, offset)
        layers.append(Layer(depth.cut, depth.states))
        cost += depth.spent + START
    layers = [
        replace(layer, spacing=layer.spacing / _between(effort.batch / cost)) for layer in layers
    ]
    if layers and known.left < layers[0].cut:
        layers[0] = replace(layers[0], sizes=(yield from _sizes(tree, layers[0].cut, known.left)))
    return (yield from _rehearsed(tree, layers, effort, offset))


class Depth(NamedTuple):
    """A depth of the tree that pilot probes have reached.

    states  with this many pieces left, estimated
    spent   the choices of a probe down to it, on average
    pilots  some of the states
    near    whether the ends of the tree are near, as far as pilot probes show
    """

    cut: int
    states: float
    spent: float
    pilots: list[State]
    near: bool = False


def _next_depth(
    tree: Tree, above: Depth, effort: Effort, offset: Callable[[], float]
) -> Generator[None, None, Depth]:
    """The depth of the next layer below one.

    It is the first one from which the ends of the tree are near, or else the deepest one that takes
    at most so many choices. It is as low as can be if the tree cannot be cut there.
    """
    found = above._replace(near=True)
    most = effort.first if above.cut == tree.pieces else effort.probe
    for cut in range(above.cut - 1, tree.lowest - 1, -1):
        limit = inf if found.near else most
        reached = yield from _near(tree, above.pilots, above.cut, cut, limit)
        if reached is None:
            return found
        found = yield from _reached(tree, above, cut, reached.states, offset())
        found = found._replace(spent=reached.spent)
        few = found.pilots[:: -(-len(found.pilots) // FEW) or 1]
        if (yield from _near(tree, few, cut, None, effort.whole)):
            return found._replace(near=True)
    return found._replace(near=True)


class Near(NamedTuple):
    """What probes found at a depth.

    states  there, estimated
    spent   the choices of a probe, on average
    """

    states: float
    spent: float


def _near(
    tree: Tree, pilots: list[State], left: int, cut: int | None, most: float
) -> Generator[None, None, Near | None]:
    """Probes from some states down to a depth; None: they make more than `most` choices on
    average."""
    spent, states = 0, 0.0
    for task, weight in pilots:
        walk = tree.walk(task, left, cut=cut)
        yield from walk.finish(most * len(pilots) - spent)
        spent += walk.choices
        states += weight * walk.found
        if not walk.done:
            return None
    return Near(states, spent / max(len(pilots), 1))


def _reached(
    tree: Tree, above: Depth, cut: int, states: float, offset: float
) -> Generator[None, None, Depth]:
    """A depth, with some of the states there."""
    sieve = Sieve(states / PILOTS, offset)
    pilots: list[State] = []
    for task, weight in above.pilots if states else ():
        walk = tree.walk(task, above.cut, cut=cut)
        while (kept := (yield from sieve.kept(walk, weight))) is not None:
            pilots.append(State(*kept))
    return Depth(cut, states, 0.0, pilots)


def _rehearsed(
    tree: Tree, layers: list[Layer], effort: Effort, offset: Callable[[], float]
) -> Generator[None, None, tuple[Layer, ...]]:
    """The layers with spacings from a few batches of probes."""
    batches: list[Probes] = []
    for _ in range(REHEARSALS if layers else 0):
        batches.append((yield from probed(tree, layers, [offset() for _ in layers])))
    if not batches:
        return ()
    reached, spent, walked = (
        np.mean([getattr(batch, name) for batch in batches], axis=0)
        for name in ("reached", "spent", "walked")
    )
    # Where probes cost less, more states are kept: for a given cost, that varies least.
    costs = START + spent[1:] / np.maximum(walked[1:], 1)
    kept = (effort.batch - spent[0]) / (np.sqrt(costs) * np.sqrt(costs).sum())
    return tuple(
        replace(layer, spacing=max(float(states), 1.0) / _between(many))
        for layer, states, many in zip(layers, reached, kept, strict=False)
    )


def _sizes(tree: Tree, cut: int, deep: int) -> Generator[None, None, Sizes | None]:
    """How many states with fewer pieces left are below each state of a layer; on average 1.

    Both walks go through the tree in the same order, so the states below a state follow each other.
    They have all of its options.
    """
    below = _each(tree.walk(cut=deep))
    counts: list[int] = []
    last = next(below, None)
    for number, state in enumerate(_each(tree.walk(cut=cut))):
        if number % ROWS == 0:
            yield
        options, count = set(state), 0
        while last is not None and options.issubset(last):
            last, count = next(below, None), count + 1
        counts.append(count)
    sizes = np.array(counts, np.float64)
    if last is not None or not sizes.any():
        return None
    sizes /= sizes.mean()
    return np.where(sizes > 0, LEAST + (1 - LEAST) * sizes, 0.0)


def _each(walk: Walk) -> Iterator[list[int]]:
    """The options of each state of a walk."""
    for batch in walk.rows():
        options, starts = batch.options.tolist(), batch.starts.tolist()
        yield from (options[begin:end] for begin, end in pairwise(starts))


def _between(many: float) -> int:
    least, most = KEPT
    return round(min(max(many, least), most))
