"""Random probes of a search tree: unbiased estimates of what a search of the whole tree would do.

Knuth (1975) walks down to one leaf and multiplies by the number of branches at each node. The
product varies by orders of magnitude. A batch of probes here goes through a few layers instead. A
layer is a number of pieces left. Above it, subtrees are searched completely, so the states that
they reach are known; of these a few are kept, and each of them stands for several: that is its
weight. Below the last layer the subtrees are searched to their ends.

States are kept at equal distances along the search order, from a random offset: a state of weight w
is kept with probability w / spacing, and then has the weight `spacing`. So every batch is an
unbiased estimate of each sum over the tree, and neighbouring subtrees are represented evenly: the
first choices, and those below them, are strata. Batches with independent offsets are independent.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Task
from exactcover.estimates.tree import Steps, Sums, Tree, Walk

Sizes = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Layer:
    """Where states are kept, and which.

    cut      the pieces left there
    spacing  the weight of the states that are kept
    sizes    guesses how large the subtrees below the states are, in the order of the search: a
             state of twice the size is kept twice as often, with half the weight. One of size 0
             is never kept. Only the first layer may have them; None: all are 1
    """

    cut: int
    spacing: float
    sizes: Sizes | None = None


class Sieve:
    """Keeps states of a layer at equal distances.

    spacing  the distance, in weights
    offset   0 to 1: how much of the first distance is already passed
    """

    def __init__(self, spacing: float, offset: float) -> None:
        self._spacing = spacing
        self._passed = offset * spacing

    def kept(self, walk: Walk, weight: float) -> Generator[None, None, tuple[Task, float] | None]:
        """The next state of a walk that is kept, and its weight; None: the walk is over."""
        every = weight >= self._spacing
        skipped = 0 if every else max(0, ceil((self._spacing - self._passed) / weight) - 1)
        before = walk.found
        yield from walk.pass_over(skipped)
        state = yield from walk.hand_out()
        if every:
            return None if state is None else (state, weight)
        self._passed += (walk.found - before) * weight
        if state is None:
            return None
        self._passed = max(0.0, self._passed - self._spacing)
        return state, self._spacing


class SizedSieve:
    """Keeps states at equal distances of their sizes, in one walk.

    A state that is larger than the distance is kept once, with the weight of all its marks.
    """

    def __init__(self, spacing: float, offset: float, sizes: Sizes) -> None:
        behind = np.cumsum(sizes)
        marks = np.arange(1 - offset, behind[-1] / spacing + 1) * spacing
        marks = marks[(marks > 0) & (marks <= behind[-1])]
        numbers, times = np.unique(np.searchsorted(behind, marks), return_counts=True)
        weights = times * spacing / sizes[numbers]
        self._kept = zip(numbers.tolist(), weights.tolist(), strict=True)

    def kept(self, walk: Walk, weight: float) -> Generator[None, None, tuple[Task, float] | None]:
        """The next state of the walk that is kept, and its weight; None: the walk is over."""
        number, heavier = next(self._kept, (None, weight))
        if number is None:
            yield from walk.finish()
            return None
        yield from walk.pass_over(number - walk.found)
        state = yield from walk.hand_out()
        return None if state is None else (state, weight * heavier)


AnySieve = Sieve | SizedSieve


def sieve_of(layer: Layer, offset: float) -> AnySieve:
    """The sieve of a layer."""
    if layer.sizes is None:
        return Sieve(layer.spacing, offset)
    return SizedSieve(layer.spacing, offset, layer.sizes)


@dataclass
class Probes:
    """One batch of probes.

    reached  states of each layer, with their weights; at the end, solutions
    spent    options tried above each layer, and at the end below the last one
    walked   searches that were made, likewise
    """

    sums: Sums
    reached: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    walked: list[int] = field(default_factory=list)


def probed(
    tree: Tree, layers: Sequence[Layer], offsets: Sequence[float]
) -> Generator[None, None, Probes]:
    """A batch of probes through these layers, with an offset for each, 0 to 1."""
    many = len(layers) + 1
    batch = Probes(tree.sums(), [0.0] * many, [0.0] * many, [0] * many)
    sieves = [sieve_of(*one) for one in zip(layers, offsets, strict=True)]
    yield from _probe(tree, layers, sieves, batch, tree.walk(cut=_cut(layers, 0)), 0, 1.0)
    return batch


def _probe(
    tree: Tree,
    layers: Sequence[Layer],
    sieves: Sequence[AnySieve],
    batch: Probes,
    walk: Walk,
    depth: int,
    weight: float,
) -> Steps:
    """Search a subtree down to a layer, and below those states that are kept there."""
    if depth == len(layers):
        yield from walk.finish()
    else:
        while (kept := (yield from sieves[depth].kept(walk, weight))) is not None:
            state, heavier = kept
            below = tree.walk(state, layers[depth].cut, cut=_cut(layers, depth + 1))
            yield from _probe(tree, layers, sieves, batch, below, depth + 1, heavier)
    batch.sums += weight * walk.sums()
    batch.reached[depth] += weight * walk.found
    batch.spent[depth] += walk.choices
    batch.walked[depth] += 1


def _cut(layers: Sequence[Layer], depth: int) -> int | None:
    return layers[depth].cut if depth < len(layers) else None
