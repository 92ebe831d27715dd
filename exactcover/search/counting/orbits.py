"""Orbits of options and items under one symmetry of a problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray, Problem

Long = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Orbits:
    """The cycles of a permutation, numbered in the order of their least members.

    of     int64 [things]: the cycle that each thing is in
    first  int64 [cycles]: the least member of each
    sizes  int64 [cycles]
    """

    of: Long
    first: Long
    sizes: Long

    @classmethod
    def under(cls, permutation: npt.NDArray[np.integer]) -> Orbits:
        """The cycles of a permutation."""
        least = np.arange(permutation.size)
        reached = permutation.astype(np.int64)
        while True:  # each round doubles the part of its cycle that each thing has seen
            further = np.minimum(least, least[reached])
            if (further == least).all():
                break
            least, reached = further, reached[reached]
        first, of, sizes = np.unique(least, return_inverse=True, return_counts=True)
        return cls(of.reshape(-1), first, sizes)

    def __len__(self) -> int:
        return self.first.size


def item_permutation(problem: Problem, options: IntArray) -> Long:
    """The permutation of the items under a symmetry that permutes the options: int64 [items].

    The image of an item is the item that the moved options have in common. Items that are in the
    same options cannot be distinguished, and need not be.
    """
    owner = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    places: dict[tuple[int, int, bytes], list[int]] = {}
    for item, column in enumerate(_columns(problem, owner)):
        places.setdefault((*_wanted(problem, item), column), []).append(item)
    out = np.empty(problem.n_items, np.int64)
    for item, column in enumerate(_columns(problem, options[owner])):
        like = places.get((*_wanted(problem, item), column))
        if not like:
            raise ValueError(f"no symmetry: it takes item {problem.items[item]!r} nowhere")
        out[item] = like.pop(0)
    return out


def _columns(problem: Problem, owner: npt.NDArray[np.integer]) -> list[bytes]:
    """The options of each item, ascending, where entry e is one of option owner[e]."""
    order = np.lexsort((owner, problem.entries))
    ends = np.cumsum(np.bincount(problem.entries, minlength=problem.n_items))
    parts = np.split(owner[order].astype(np.int64), ends)
    return [part.tobytes() for part in parts[: problem.n_items]]


def _wanted(problem: Problem, item: int) -> tuple[int, int]:
    """How often an item must be covered, as (least, most); -1 for a secondary item."""
    if item >= problem.primary:
        return (-1, -1)
    return (int(problem.low[item]), int(problem.high[item]))
