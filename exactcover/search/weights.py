"""The shares of the subtrees near the root: how much of a search is done.

A search that counts sibling branches equally can be far from the truth: of two branches, one may
take ten times as long as the other. So subtrees near the root are probed, see `weighing`, and here
is what follows from the probes.

Few subtrees hold most of the work, so estimates vary a lot. They are moved towards equal shares,
the further the less certain they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np

from exactcover.backends.base import Task

Path = tuple[int, ...]


@dataclass(frozen=True)
class Weights:
    """The shares of the subtrees near the root, in the order of the search.

    paths    the branches that lead to each subtree, from the root, ascending
    shares   its share of the whole search; they add up to 1
    choices  that the whole search makes: fits and no-fits
    """

    paths: tuple[Path, ...]
    shares: tuple[float, ...]
    choices: float

    def done(self, before: float, choices: int) -> float:
        """The searched share, after this number of choices.

        There are two estimates: by the share `before` the position, and by the choices that the
        rest should take. They err for different reasons, so their mean errs less.
        """
        rest = (1.0 - before) * self.choices
        return (before + choices / max(choices + rest, 1.0)) / 2

    def before(self, position: Sequence[tuple[int, int]]) -> float:
        """The share of the search before a position, see `Search.position`.

        Within a subtree, sibling branches count equally.
        """
        path = tuple(branch for branch, _ in position)
        number = bisect_right(self.paths, path) - 1
        if number < 0:
            return 0.0
        depth, inner, share = len(self.paths[number]), 0.0, 1.0
        if path[:depth] != self.paths[number]:
            return self._before[number + 1]
        for branch, branches in position[depth:]:
            share /= branches
            inner += branch * share
        return self._before[number] + self.shares[number] * inner

    @cached_property
    def _before(self) -> tuple[float, ...]:
        return tuple(accumulate(self.shares, initial=0.0))


@dataclass
class Subtree:
    """A subtree that is weighed.

    equal   its share of the whole search, if sibling branches count equally
    states  the states below it from which probes are drawn; choices: those made to count them
    sizes   the choices below the states drawn
    """

    task: Task
    path: Path
    equal: float
    states: int = 0
    choices: int = 0
    sizes: list[float] = field(default_factory=list)

    @property
    def size(self) -> float:
        """The estimated choices of its search."""
        return self.choices + (self.states * float(np.mean(self.sizes)) if self.sizes else 0.0)

    @property
    def known(self) -> bool:
        """Whether nothing of it is left to draw."""
        return len(self.sizes) >= self.states

    @property
    def variance(self) -> float:
        """The estimated variance of this size."""
        if self.known or len(self.sizes) < 2:
            return 0.0
        return self.states**2 * float(np.var(self.sizes, ddof=1)) / len(self.sizes)


def weights_of(subtrees: Sequence[Subtree]) -> Weights:
    """The shares of the subtrees, those with one path as one.

    The estimates differ because the subtrees do, and because probes are drawn at random. The part
    of the variance that is due to the first says how far to trust them, as in Stein's estimator.
    """
    paths = tuple(dict.fromkeys(one.path for one in subtrees))
    equal, size, variance = np.zeros((3, len(paths)))
    for one in subtrees:
        number = paths.index(one.path)
        equal[number] = one.equal
        size[number] += one.size
        variance[number] += one.variance
    equal /= equal.sum()
    expected = equal * size.sum()
    differs = float(((size - expected) ** 2).sum())
    trust = max(0.0, 1.0 - float(variance.sum()) / differs) if differs else 0.0
    shares = (1 - trust) * equal + trust * size / max(size.sum(), 1.0)
    return Weights(paths, tuple(shares.tolist()), float(size.sum()))
