"""The symmetries of a floor or a box: mirrors, and turns that take its sides to equal ones.

A motion puts the axes in another order, and then mirrors some of them. It is a symmetry if the
sides stay the same and every piece may lie as the motion turns it. A rectangle or a brick looks the
same in a mirror, but what they fill together may not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations, product

from exactcover.base.values import CONVENTIONS, Convention
from exactcover.base.values.arguments import check_choice
from exactcover.problem.rectangles.sizes import One, Whole, placed


@dataclass(frozen=True)
class AxisMotion:
    """A motion of a floor or a box onto itself.

    axes      axis a of the image is axis `axes[a]`,
    mirrored  mirrored or not
    """

    axes: tuple[int, ...]
    mirrored: tuple[bool, ...]

    @property
    def is_identity(self) -> bool:
        """Whether it leaves everything where it is."""
        return not any(self.mirrored) and not self.swaps

    @property
    def swaps(self) -> bool:
        """Whether it puts the axes in another order."""
        return self.axes != tuple(range(len(self.axes)))

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn, so no mirror."""
        exchanged = sum(one > other for one, other in combinations(self.axes, 2))
        return (exchanged + sum(self.mirrored)) % 2 == 0

    def solution(self, whole: Whole, solution: Iterable[One]) -> tuple[One, ...]:
        """Where the motion takes all pieces of a solution, sorted."""
        return tuple(sorted(self.place(whole, one) for one in solution))

    def place(self, whole: Whole, one: One) -> One:
        """Where the motion takes a piece."""
        start = [one.start[axis] for axis in self.axes]
        size = [one.size[axis] for axis in self.axes]
        for axis, side in enumerate(whole.sides):
            if self.mirrored[axis]:
                start[axis] = side - start[axis] - size[axis]
        return placed(one.kind, start, size)


def symmetries(whole: Whole, counted: Convention = "reflections") -> tuple[AxisMotion, ...]:
    """The motions that identify solutions, the identity first.

    counted  "reflections": turns and mirrors; "rotations": turns alone; "all": only the identity
    """
    check_choice("counted", counted, CONVENTIONS, optional=False)
    dimension = len(whole.sides)
    motions = [
        AxisMotion(axes, mirrored)
        for axes in permutations(range(dimension))
        if _may_swap(whole, axes)
        for mirrored in product((False, True), repeat=dimension)
    ]
    if counted == "all":
        return tuple(motions[:1])
    return tuple(one for one in motions if counted == "reflections" or one.is_turn)


def _may_swap(whole: Whole, axes: tuple[int, ...]) -> bool:
    """Whether the sides stay the same, and every kind may lie as it does with other axes."""
    if tuple(whole.sides[axis] for axis in axes) != whole.sides:
        return False
    return all(
        {tuple(way[axis] for axis in axes) for way in kind.sizes} == set(kind.sizes)
        for kind in whole.kinds
    )
