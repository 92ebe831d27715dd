"""The solutions that a symmetry fixes, as the solutions of a smaller problem.

A solution that a symmetry takes to itself consists of whole orbits of options. So it is a cover by
orbits. The *quotient* has an option for each orbit of options that do not conflict, and an item for
each orbit of items. The number of solutions of the quotient is the number of fixed solutions, and
most quotients are far smaller than the problem.

An orbit of options covers each item of an orbit of items equally often; that number is its *weight*
there. An item that is covered once takes weight 1 only. An item with a range may take several
weights: two copies of a piece that change places have weight 2. Items of a problem have no weights.
So the quotient has a part for every way to make up the number, for example one orbit of weight 1
and two of weight 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import CapabilityError
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout

Long = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MOST_PARTS = 10_000
"""The most parts of a quotient; a symmetry with more is refused."""

Ranges = dict[int, tuple[int, int]]
"""The least and the most options of each weight to choose."""


class Orbits(NamedTuple):
    """The cycles of a permutation, numbered in the order of their least members.

    first  int64 [cycles]: the least member of each
    of     int64 [things]: the cycle that each thing is in
    sizes  int64 [cycles]
    """

    first: Long
    of: Long
    sizes: Long

    @classmethod
    def under(cls, permutation: npt.NDArray[np.integer]) -> Orbits:
        """The cycles of a permutation."""
        least, reached = np.arange(permutation.size), permutation.astype(np.int64)
        further = np.minimum(least, least[reached])
        while (further != least).any():  # each round doubles what each thing has seen of its cycle
            least, reached = further, reached[reached]
            further = np.minimum(least, least[reached])
        first, of, sizes = np.unique(least, return_inverse=True, return_counts=True)
        return cls(first, of.reshape(-1), sizes)


@dataclass(frozen=True, eq=False)
class Quotient:
    """A problem divided by one of its symmetries.

    items   the orbits of its items
    first   int64 [options]: the first option of each orbit whose options do not conflict
    owner, item, weight  int64 [entries]: how often an orbit of options covers an orbit of items
    """

    problem: Problem
    layout: Layout | None
    items: Orbits
    first: Long
    owner: Long
    item: Long
    weight: Long

    @classmethod
    def of(cls, problem: Problem, layout: Layout | None, permutation: IntArray) -> Quotient:
        """The quotient by the symmetry that takes option i to option permutation[i]."""
        if problem.colours.any():
            raise CapabilityError("a problem with colours is not divided by its symmetries")
        options = Orbits.under(permutation)
        items = Orbits.under(item_permutation(problem, permutation))
        starts, entries = problem.rows(options.first)
        owner = np.repeat(np.arange(options.first.size), np.diff(starts))
        item = items.of[problem.entries[entries]]
        pairs, times = np.unique(owner * items.first.size + item, return_counts=True)
        owner, item = pairs // items.first.size, pairs % items.first.size
        weight = options.sizes[owner] * times // items.sizes[item]

        most = np.ones(problem.n_items, np.int64)
        most[: problem.primary] = problem.high
        fits = np.ones(options.first.size, bool)
        fits[owner[weight > most[items.first[item]]]] = False
        kept = fits[owner]
        number = np.cumsum(fits) - 1
        return cls(
            problem, layout, items, options.first[fits], number[owner[kept]], item[kept],
            weight[kept],
        )  # fmt: skip

    def parts(self) -> Iterator[tuple[Problem, Layout | None]]:
        """Problems that together have one solution for each fixed solution."""
        is_primary = self.items.first < self.problem.primary
        pairs = np.unique(np.stack([self.item, self.weight]), axis=1)
        pairs = pairs[:, is_primary[pairs[0]]]
        orbits = np.unique(pairs[0])
        unasked = np.setdiff1d(np.flatnonzero(is_primary), orbits)
        if (self.problem.low[self.items.first[unasked]] > 0).any():
            return
        ways = []
        for orbit in orbits.tolist():
            weights = pairs[1, pairs[0] == orbit]
            item = self.items.first[orbit]
            low, high = int(self.problem.low[item]), int(self.problem.high[item])
            high = min(high, int(self.weight[self.item == orbit].sum()))
            ways.append([(orbit, made) for made in _ways(sorted(weights.tolist()), low, high)])
        if prod(map(len, ways)) > MOST_PARTS:
            raise CapabilityError(
                f"a symmetry lets copies of pieces change places in {prod(map(len, ways)):,} "
                f"ways: up to {MOST_PARTS:,} are told apart"
            )
        for chosen in product(*ways):
            yield self._part(dict(chosen))

    def _part(self, ranges: dict[int, Ranges]) -> tuple[Problem, Layout | None]:
        """A part: an item for each orbit of items and each weight.

        ranges  by orbit, how many options of each weight an item has
        """
        problem = self.problem
        wanted = [(orbit, w, *span) for orbit, made in ranges.items() for w, span in made.items()]
        second = np.flatnonzero(self.items.first >= problem.primary).tolist()
        listed = [(orbit, w) for orbit, w, _, _ in wanted] + [(orbit, 1) for orbit in second]
        number = {pair: at for at, pair in enumerate(listed)}
        entry = np.array(
            [number[pair] for pair in zip(self.item.tolist(), self.weight.tolist(), strict=True)],
            np.int32,
        )
        counts = np.bincount(self.owner, minlength=self.first.size)
        made = Problem.from_arrays(
            len(listed),
            np.concatenate([[0], np.cumsum(counts)]),
            entry,
            primary=len(wanted),
            low=np.array([least for _, _, least, _ in wanted], np.int64),
            high=np.array([most for _, _, _, most in wanted], np.int64),
            items=[f"{problem.items[self.items.first[orbit]]} x{w}" for orbit, w in listed],
        )
        return made, None if self.layout is None else self._layout(made, self.layout, number)

    def _layout(self, made: Problem, layout: Layout, number: dict[tuple[int, int], int]) -> Layout:
        """The layout of the part: an orbit of cells has the place of its first cell and all
        neighbours."""
        items = self.items
        orbit_of = items.of[layout.cell_item]
        orbits, first = np.unique(orbit_of, return_index=True)
        known = np.array([(orbit, 1) in number for orbit in orbits.tolist()], bool)
        orbits, first = orbits[known], first[known]
        place = np.full(items.first.size, -1)
        place[orbits] = np.arange(orbits.size)
        starts, others = layout.adjacent
        ends = np.stack([np.repeat(orbit_of, np.diff(starts)), orbit_of[others]])
        ends = np.unique(place[ends], axis=1)
        ends = ends[:, (ends >= 0).all(axis=0) & (ends[0] != ends[1])]
        cell_item = np.array([number[orbit, 1] for orbit in orbits.tolist()], np.int32)

        # A shape of the quotient is one shape with one weight, or several shapes that change
        # places.
        shape_orbits = items.of[layout.shape_item[layout.shape_item >= 0]]
        counted = [pair for pair in number if pair[0] in set(shape_orbits.tolist())]
        shape_item = np.array([*(number[pair] for pair in counted), -1], np.int32)
        shape_of = np.where(layout.option_shape[self.first] >= 0, len(counted), -1)
        owner = np.repeat(np.arange(made.n_options), np.diff(made.starts))
        for shape, item in enumerate(shape_item[:-1].tolist()):
            shape_of[owner[made.entries == item]] = shape
        is_cell = np.zeros(made.n_items, bool)
        is_cell[cell_item] = True
        sizes = np.bincount(owner[is_cell[made.entries]], minlength=made.n_options)
        smallest = np.full(shape_item.size, max(1, orbits.size), np.int64)
        placed = shape_of >= 0
        np.minimum.at(smallest, shape_of[placed], sizes[placed])
        copies = np.array([[0, orbits.size]] * shape_item.size, np.int32)
        copies[:-1, 0], copies[:-1, 1] = made.low[shape_item[:-1]], made.high[shape_item[:-1]]
        return replace(
            layout,
            cell_item=cell_item,
            positions=layout.positions[first],
            adjacent=(
                np.searchsorted(ends[0], np.arange(orbits.size + 1)).astype(np.int32),
                ends[1].astype(np.int32),
            ),
            optional=layout.optional[first],
            option_shape=shape_of.astype(np.int32),
            shape_item=shape_item,
            shape_size=smallest.astype(np.int32),
            copies=copies,
            connected=np.zeros(shape_item.size, bool),  # unknown: an orbit may be in parts
        )


def _ways(weights: list[int], low: int, high: int) -> list[Ranges]:
    """The ways to make up a number between two bounds from some weights, ascending."""
    *smaller, last = weights
    if not smaller:
        least, most = -(-max(0, low) // last), high // last
        return [{last: (least, most)}] if least <= most else []
    return [
        {last: (many, many), **made}
        for many in range(high // last + 1)
        for made in _ways(smaller, low - many * last, high - many * last)
    ]


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
