"""The smallest box that holds some rectangles: the least height, width or area, with a proof.

The rectangles are packed into a room whose cells may all stay empty. Nothing is made of its cells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Literal, get_args

from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model
from exactcover.puzzle.floors import numbering_of
from exactcover.rectangles import Floor

if TYPE_CHECKING:
    from exactcover.backends import Least
    from exactcover.backends.cpsat import CpsatLimits, CpsatOptimum

Size = Literal["height", "width", "area"]
SIZES: tuple[Size, ...] = get_args(Size)
"""What can be least of the box around rectangles."""


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
    tell  called with each new bound, and the best packing so far
    """
    from exactcover.backends import least_area, least_height, least_width
    from exactcover.backends.cpsat import CpsatOptimum

    room = room_of(model, quantity)
    places = numbering_of(model.puzzle, room)

    def outcome(least: Least) -> CpsatOptimum:
        floor = least.floor
        if floor is None:
            bound = inf if least.status == "impossible" else float(least.bound)
            return CpsatOptimum(least.status, None, inf, bound)
        sizes = {"height": floor.height, "width": floor.width, "area": floor.area}
        value = float(sizes[quantity])
        return CpsatOptimum(least.status, places.numbers(least.placed), value, float(least.bound))

    kinds = room.rectangles
    search: Callable[..., Least] = partial(least_area, kinds, room=(room.width, room.height))
    if quantity == "height":
        search = partial(least_height, room.width, kinds, room=room.height)
    elif quantity == "width":
        search = partial(least_width, room.height, kinds, room=room.width)
    least = search(
        time_limit=limits.seconds,
        workers=limits.workers,
        seed=limits.seed,
        stop=stop,
        tell=lambda so_far: tell(outcome(so_far)),
    )
    return outcome(least)
