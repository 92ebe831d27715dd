"""The symmetries of a floor: mirrors, and quarter turns of a square whose pieces may turn.

A motion swaps the two axes, or not, and then mirrors x, y, both or neither. A mirror takes a
rectangle to one of the same size, so it is a symmetry of every floor. A swap takes a rectangle to
the turned one, so it is a symmetry if the floor is square and every rectangle may turn or is square
itself. A quarter turn is a swap and one mirror.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactcover.rectangles.floor import Floor, Placed
from exactcover.values.arguments import check_choice
from exactcover.values.conventions import CONVENTIONS


@dataclass(frozen=True)
class Motion:
    """A motion of a floor onto itself: it swaps the axes first, then mirrors them."""

    swap: bool = False
    mirror_x: bool = False
    mirror_y: bool = False

    def place(self, floor: Floor, one: Placed) -> Placed:
        """Where the motion takes a rectangle."""
        x, y, width, height = one.x, one.y, one.width, one.height
        if self.swap:
            x, y, width, height = y, x, height, width
        if self.mirror_x:
            x = floor.width - x - width
        if self.mirror_y:
            y = floor.height - y - height
        return Placed(one.kind, x, y, width, height)

    def solution(self, floor: Floor, solution: Iterable[Placed]) -> tuple[Placed, ...]:
        """Where the motion takes all rectangles of a solution, sorted."""
        return tuple(sorted(self.place(floor, one) for one in solution))


def symmetries(floor: Floor, counted: str = "reflections") -> tuple[Motion, ...]:
    """The motions that identify solutions, the identity first.

    counted  which solutions count as one; "all" leaves only the identity. A rectangle may be turned
             over, so its mirror image is a rotation too: "rotations" and "reflections" are the same
    """
    check_choice("counted", counted, CONVENTIONS, optional=False)
    if counted == "all":
        return (Motion(),)
    swaps = (False, True) if _may_swap(floor) else (False,)
    return tuple(
        Motion(swap, mirror_x, mirror_y)
        for swap in swaps
        for mirror_y in (False, True)
        for mirror_x in (False, True)
    )


def _may_swap(floor: Floor) -> bool:
    return floor.width == floor.height and all(
        kind.turns or kind.is_square for kind in floor.rectangles
    )
