"""States that break every symmetry, so that plain counts below them add up to the unique count.

Constraining one piece may leave symmetric copies: an image that a symmetry fixes does not break
that symmetry. Here choices are made until no symmetry fixes all of them. A choice is the image of a
piece that occurs once, if the symmetries left map this piece to itself. Else it is the cover of a
cell and of every cell that the symmetries left take it to. Every solution makes the choice in
exactly one way, and symmetric solutions make it in symmetric ways. One way per orbit is taken, and
goes on with the symmetries that fix it. So each solution, up to symmetry, lies below exactly one of
the states.

Each cell must be filled, as in every puzzle that polycube's format can represent. So there is
always a choice, until the state is a solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import check, patiently
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.redundancy import single_shapes
from exactcover.problem.filters.tree import Chosen, Flags, excluded_by
from exactcover.problem.layout import Layout


@dataclass(frozen=True, eq=False)
class FixedState:
    """A state on the way: the options chosen, the symmetries that fix them all, those still
    allowed.

    fixing  int64 [n]: the numbers of the symmetries
    """

    chosen: Chosen
    fixing: npt.NDArray[np.int64]
    left: Flags


@dataclass(frozen=True, eq=False)
class Breaking:
    """The states that break the symmetries of a problem.

    permutations  int32 [s, options], cells  int32 [s, cells]: the symmetries, including the
                  identity, as permutations of options and cells
    """

    problem: Problem
    layout: Layout
    permutations: IntArray
    cells: IntArray

    def states(self, alive: Flags, first: int | None = None) -> Iterator[Chosen]:
        """The options chosen in each state.

        alive  bool [options]: those that may be chosen, closed under the symmetries
        first  the shape of the piece that is placed first; None: the one with the fewest orbits
        """
        stack = [FixedState((), np.arange(len(self.permutations), dtype=np.int64), alive)]
        while stack:
            check()
            state = stack.pop()
            if len(state.fixing) == 1 or self._is_solution(state.chosen):
                yield state.chosen
            else:
                stack += self._next(state, first if not state.chosen else None)

    def _next(self, state: FixedState, first: int | None) -> list[FixedState]:
        """The ways to make the choice that has the fewest ways, one per orbit."""
        shapes = self.layout.option_shape
        group = self.permutations[state.fixing]
        singles = single_shapes(self.layout).tolist() if first is None else [first]
        used = set(shapes[list(state.chosen)].tolist())
        found = []
        for shape in singles:
            images: list[int] = np.flatnonzero(shapes == shape).tolist()
            kept = first is not None or (shapes[group[:, images]] == shape).all()
            if shape not in used and kept:
                found.append(self._ways([(image,) for image in images], state))
        orbits = sorted(self._open_orbits(state), key=len) if first is None else []
        alone = [cells for cells in orbits if len(cells) == 1]
        for cells in alone or ([] if found else orbits[:1]):
            found.append(self._ways(self._covers(cells, state), state))
        return min(found, key=len, default=[])

    def _ways(self, ways: list[Chosen], state: FixedState) -> list[FixedState]:
        """The states that ways to choose lead to, one per orbit."""
        group = self.permutations[state.fixing]
        out = []
        for way in patiently(ways):
            if not state.left[list(way)].all():
                continue
            moved = np.sort(group[:, list(way)], axis=1).tolist()
            own = sorted(way)
            if min(moved) != own:
                continue
            below, chosen = state.left, state.chosen
            for option in way:
                below = below & ~excluded_by(self.problem, chosen, option)
                chosen = (*chosen, option)
            fixed = np.array([row == own for row in moved])
            out.append(FixedState(chosen, state.fixing[fixed], below))
        return out

    def _open_orbits(self, state: FixedState) -> list[list[int]]:
        """The cells still to be filled, grouped by the symmetries that exchange them."""
        must = np.zeros(self.problem.n_items, bool)
        must[: self.problem.primary] = (self.problem.low == 1) & (self.problem.high == 1)
        for option in state.chosen:
            must[self.problem.items_of(option)] = False
        open_ = np.flatnonzero(must[self.layout.cell_item])
        moved = self.cells[state.fixing][:, open_]
        first = moved.min(axis=0, initial=self.layout.n_cells)
        return [
            np.unique(moved[:, number]).tolist()
            for number in np.flatnonzero(first == open_).tolist()
        ]

    def _covers(self, cells: list[int], state: FixedState) -> list[Chosen]:
        """The ways to cover these cells."""
        ways: list[Chosen] = []
        stack: list[tuple[Chosen, Flags]] = [((), state.left)]
        items = self.layout.cell_item[cells].tolist()
        while stack:
            way, left = stack.pop()
            done = {item for option in way for item in self.problem.items_of(option).tolist()}
            item = next((item for item in items if item not in done), None)
            if item is None:
                ways.append(way)
                continue
            for option in self.problem.options_of(item).tolist():
                if left[option]:
                    chosen = (*state.chosen, *way)
                    below = left & ~excluded_by(self.problem, chosen, option)
                    stack.append(((*way, option), below))
        return ways

    def _is_solution(self, chosen: Chosen) -> bool:
        listed = [self.problem.items_of(option) for option in chosen]
        entries = np.concatenate([np.zeros(0, np.int32), *listed])
        times = np.bincount(entries, minlength=self.problem.n_items)[: self.problem.primary]
        return bool((times >= self.problem.low).all())
