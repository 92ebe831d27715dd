"""The symmetries of a box: mirrors, and turns that take its sides to equal ones.

A motion puts the axes in another order, and then mirrors some of them. It is a symmetry if the
sides of the box stay the same and every brick may lie as the motion turns it. A brick looks the
same in a mirror, but a box of bricks may not: only `reflections` counts mirror images as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations, product

from exactcover.rectangles.bricks import Box, Laid
from exactcover.values.arguments import check_choice
from exactcover.values.conventions import CONVENTIONS


@dataclass(frozen=True)
class BoxMotion:
    """A motion of a box onto itself: axis a of the image is axis `axes[a]`, mirrored or not."""

    axes: tuple[int, int, int] = (0, 1, 2)
    mirrored: tuple[bool, bool, bool] = (False, False, False)

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn, so no mirror."""
        swaps = sum(self.axes[one] > self.axes[two] for one, two in ((0, 1), (0, 2), (1, 2)))
        return (swaps + sum(self.mirrored)) % 2 == 0

    def place(self, box: Box, one: Laid) -> Laid:
        """Where the motion takes a brick."""
        sides = (box.width, box.depth, box.height)
        starts, sizes = (one.x, one.y, one.z), (one.width, one.depth, one.height)
        size = [sizes[axis] for axis in self.axes]
        start = [starts[axis] for axis in self.axes]
        for axis in range(3):
            if self.mirrored[axis]:
                start[axis] = sides[axis] - start[axis] - size[axis]
        return Laid(one.kind, *start, *size)

    def solution(self, box: Box, solution: Iterable[Laid]) -> tuple[Laid, ...]:
        """Where the motion takes all bricks of a solution, sorted."""
        return tuple(sorted(self.place(box, one) for one in solution))


def box_symmetries(box: Box, counted: str = "rotations") -> tuple[BoxMotion, ...]:
    """The motions that identify solutions, the identity first.

    counted  which solutions count as one; "all" leaves only the identity.
    """
    check_choice("counted", counted, CONVENTIONS, optional=False)
    if counted == "all":
        return (BoxMotion(),)
    sides = (box.width, box.depth, box.height)
    motions = []
    for axes in permutations(range(3), 3):
        if tuple(sides[axis] for axis in axes) != sides or not all(
            {(way[axes[0]], way[axes[1]], way[axes[2]]) for way in kind.sizes} == set(kind.sizes)
            for kind in box.bricks
        ):
            continue
        for first, second, third in product((False, True), repeat=3):
            motion = BoxMotion(axes, (first, second, third))
            if counted == "reflections" or motion.is_turn:
                motions.append(motion)
    return tuple(motions)
