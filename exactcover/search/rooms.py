"""The smallest box that holds some rectangles: the least height, width or area, with a proof.

The rectangles are packed into a room whose cells may all stay empty. Nothing is made of its cells:
CP-SAT gets the rectangles as boxes that do not overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING, Any

from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model
from exactcover.puzzle.floors import numbering_of
from exactcover.rectangles import Floor, Motion, Placed

if TYPE_CHECKING:
    from exactcover.backends.cpsat import CpsatLimits, CpsatOptimum

SIZES = ("height", "width", "area")
"""What can be least of the box around rectangles."""

MIRRORS = Motion(), Motion(mirror_x=True), Motion(mirror_y=True)


def room_of(model: Model | None, quantity: str) -> Floor:
    """The room that rectangles are packed into; raises if the puzzle is another one."""
    room = None if model is None else model.puzzle.room
    if room is None:
        raise ExactCoverError(
            f"least {quantity}: this is asked of rectangles in a room, a rectangle of squares that "
            'may all stay empty, as in region = { optional = "20x30" }'
        )
    return room


def smallest(
    model: Model,
    quantity: str,
    limits: CpsatLimits,
    stop: Callable[[], bool],
    tell: Callable[[CpsatOptimum], None],
) -> CpsatOptimum:
    """The packing with the least height, width or area, and a bound.

    stop  called several times a second; the search ends when it returns true
    tell  called with each better packing or bound
    """
    from exactcover.backends.cpsat import CpsatOptimum
    from exactcover.backends.cpsat.watched import solved
    from exactcover.backends.floors.nooverlap import Stated

    room = room_of(model, quantity)
    stated = Stated(room)
    width, height = _around(stated, quantity)
    places = numbering_of(model.puzzle, room)

    def options(values: Any) -> tuple[int, ...] | None:
        if values is None:
            return None
        return places.numbers(_to_the_corner(stated.read(values)))

    def outcome(status: str, values: Any, bound: float) -> CpsatOptimum:
        cost = inf
        if values is not None:
            across, up = int(values[width.index]), int(values[height.index])
            cost = {"height": up, "width": across, "area": across * up}[quantity]
        # A size is a whole number, so a bound between two of them is the larger one.
        bound = ceil(bound - 1e-6) if isfinite(bound) else bound
        return CpsatOptimum(status, options(values), float(cost), float(bound))

    status, seen, stopped = solved(
        stated.model,
        limits,
        stop,
        lambda so_far: tell(outcome("searching", so_far.values, so_far.bound)),
    )
    said = _status(status, stopped)
    return outcome(said, seen.values, inf if said == "impossible" else seen.bound)


def _around(stated: Any, quantity: str) -> tuple[Any, Any]:
    """The variables of the box around all rectangles, with the aim added to the model."""
    model, room = stated.model, stated.room
    total = room.rectangles_area
    width = model.new_int_var(1, room.width, "")
    height = model.new_int_var(1, room.height, "")
    for one in stated.copies:
        (x, y), (across, up) = one.starts, one.sizes
        model.add(x + across <= width)
        model.add(y + up <= height)
    stated.keep_one_copy(MIRRORS, width, height)
    if quantity == "area":
        area = model.new_int_var(min(total, room.area), room.area, "")
        model.add_multiplication_equality(area, [width, height])
        if room.width == room.height and all(one.turns or one.is_square for one in room.rectangles):
            model.add(width >= height)
        model.minimize(area)
    else:
        side, other = (height, room.width) if quantity == "height" else (width, room.height)
        model.add(side * other >= total)
        model.minimize(side)
    return width, height


def _to_the_corner(placed: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """The rectangles moved to the corner of the room."""
    x, y = min(one.x for one in placed), min(one.y for one in placed)
    return tuple(Placed(one.kind, one.x - x, one.y - y, one.width, one.height) for one in placed)


def _status(status: Any, stopped: bool) -> str:
    """The status of CP-SAT in the words of a `Best`."""
    from ortools.sat.python.cp_model import INFEASIBLE, OPTIMAL

    if status == OPTIMAL:
        return "complete"
    if status == INFEASIBLE:
        return "impossible"
    return "interrupted" if stopped else "limit"
