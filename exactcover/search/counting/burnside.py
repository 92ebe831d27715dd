"""How many solutions are different, without listing any: Burnside's lemma.

The number of classes of solutions under a group of symmetries is the mean, over the group, of the
number of solutions that a symmetry fixes. Conjugate symmetries fix equally many, so one of each
class is enough. The solutions that a symmetry fixes are the solutions of a quotient, see
`quotient`. The identity fixes all solutions. These are counted in parts: below one placement of
each orbit of a piece that occurs once, multiplied by the size of the orbit, since a symmetry takes
the solutions with one of them to the solutions with another. Placements in orbits of the same size
are counted together, as one part of the whole.

Each part repeats most of the states, so a piece whose orbits are all of one size is better than one
with half as many of two sizes: `PT12_spread` has 2.1 million states instead of 4.7. With a quarter
as many the two sizes are better, as in the rectangle of 15 by 6 of one-sided pentominoes.

Cells could be pivots as well, but the parts then have more states: 1.5 to 1.8 times those of the
whole, measured on polyominoes in boxes of 45 to 90 cells. A sweep reaches the cell late, and each
part repeats all states before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from exactcover.backends.base import Search, Slice, Status, Where
from exactcover.errors import CapabilityError
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.redundancy import piece_pivots
from exactcover.problem.layout import Layout
from exactcover.search.counting.quotient import Quotient

StartCount = Callable[[Problem, Layout | None], Search]
"""Starts the count of a problem."""


PART = 1.5
"""The power of the number of parts that states grow with, where orbits are equally many: fitted."""


class Share(NamedTuple):
    """A problem whose solutions count towards a sum, each `times` times.

    parts  how many shares, this one among them, are parts of the whole problem; 0: it is none
    """

    problem: Problem
    layout: Layout | None
    times: int
    parts: int = 0


def shares(
    problem: Problem, layout: Layout | None, permutations: IntArray, wider: IntArray | None = None
) -> Iterator[Share]:
    """The problems to count: the problem itself, in parts, then the quotients.

    permutations  int32 [s, options]: a group, the identity first
    wider         a group with more symmetries of the problem; it divides the problem into parts
    """
    for number, size in conjugacy_classes(permutations):
        if number == 0:
            parts = list(split(problem, layout, permutations if wider is None else wider))
            for share in parts:
                yield share._replace(times=size * share.times, parts=len(parts))
            continue
        quotient = Quotient.of(problem, layout, permutations[number])
        for part, its_layout in quotient.parts():
            yield Share(part, its_layout, size)


class BurnsideSearch:
    """The count of the classes of solutions under a group; a search that lists nothing."""

    def __init__(
        self,
        problem: Problem,
        layout: Layout | None,
        permutations: IntArray,
        start_count: StartCount,
        wider: IntArray | None = None,
    ) -> None:
        """permutations, wider: see `shares`. Every solution counts if the identity is alone."""
        self._waiting = shares(problem, layout, permutations, wider)
        self._order = len(permutations)
        self._start_count = start_count
        self._total = 0  # solutions of the shares, each multiplied by its `times`
        self._fits = 0
        self._parts = self._behind = 0  # parts of the problem, and shares that are done
        self._times = 0  # of the share that is counted
        self._search: Search | None = None
        self._done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Count on for about `steps` fits, see `Search.advance`.

        The classes found are those of the counts so far, so they are exact once all are counted.
        """
        if keep:
            raise CapabilityError("symmetric solutions that are only counted cannot be listed")
        made, before = Slice(Status.BUDGET), self._total // self._order
        if self._search is not None:
            made = self._search.advance(steps, capacity=capacity, keep=False)
            self._total += self._times * made.found
            self._fits += made.fits
            if made.status is Status.DONE:
                self._behind += 1
                self._search = None
        elif (share := next(self._waiting, None)) is not None:
            self._search = self._start_count(share.problem, share.layout)
            self._times, self._parts = share.times, share.parts or self._parts
        elif self._total % self._order:
            raise ArithmeticError(
                f"{self._total} fixed solutions are no multiple of {self._order} symmetries: "
                "the permutations are no group, or a count is wrong"
            )
        else:
            self._done = True
        status = Status.DONE if self._done else Status.BUDGET
        return replace(made, status=status, found=self._total // self._order - before)

    def where(self) -> Where:
        """Where the count is. Quotients are small, so the parts of the problem are nearly all."""
        where = Where() if self._search is None else self._search.where()
        behind, parts = self._behind + where.progress, max(1, self._parts)
        if where.kept is not None:
            where = where._replace(kept=where.kept._replace(states=self._fits))
        progress = 0.9 * min(1.0, behind / parts) + 0.1 * (1 - 0.5 ** max(0.0, behind - parts))
        return where._replace(progress=1.0 if self._done else progress)


def conjugacy_classes(permutations: IntArray) -> list[tuple[int, int]]:
    """The number of one member of each class, and the size of the class; the identity first.

    Symmetries that move all options alike count as one.
    """
    distinct: dict[bytes, list[int]] = {}
    for number, row in enumerate(permutations):
        distinct.setdefault(row.tobytes(), []).append(number)
    inverses = np.argsort(permutations, axis=1)
    seen: set[bytes] = set()
    out = []
    for key, numbers in distinct.items():
        if key in seen:
            continue
        one = permutations[numbers[0]]
        alike = {
            mover[one[back]].tobytes() for mover, back in zip(permutations, inverses, strict=True)
        }
        seen |= alike
        out.append((numbers[0], sum(len(distinct[other]) for other in alike)))
    return out


def split(problem: Problem, layout: Layout | None, permutations: IntArray) -> Iterator[Share]:
    """Problems whose numbers of solutions, each multiplied by `times`, add up to that of the whole.

    permutations  int32 [s, options]: a group of symmetries
    """
    if layout is None:
        yield Share(problem, layout, 1)
        return
    pivot = min(
        (one for one in piece_pivots(layout, permutations) if one.helps),
        key=lambda one: one.kept.size * np.unique(one.sizes).size ** PART,
        default=None,
    )
    if pivot is None:  # no symmetry moves the placements of a single piece
        yield Share(problem, layout, 1)
        return
    for size in np.unique(pivot.sizes).tolist():
        there = np.ones(problem.n_options, bool)
        there[pivot.options] = False
        there[pivot.kept[pivot.sizes == size]] = True
        options = np.flatnonzero(there)
        below = replace(layout, option_shape=layout.option_shape[options])
        yield Share(problem.restricted(options), below, size)
