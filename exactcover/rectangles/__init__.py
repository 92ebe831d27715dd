"""Rectangles to be laid in a rectangle, and bricks in a box: sizes and places, not cells."""

from __future__ import annotations

from exactcover.lazy import on_demand

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from exactcover.rectangles.bricks import Box, Brick, Laid
    from exactcover.rectangles.floor import Floor, Placed, Rectangle
    from exactcover.rectangles.floor import Kind as Kind
    from exactcover.rectangles.floor import volume_of as volume_of
    from exactcover.rectangles.motions import Motion as Motion
    from exactcover.rectangles.motions import Whole as Whole
    from exactcover.rectangles.motions import symmetries
    from exactcover.rectangles.motions import unit_of as unit_of
    from exactcover.rectangles.places import Places as Places
    from exactcover.rectangles.places import Way as Way
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "rectangles.bricks": "Box Brick Laid",
            "rectangles.floor": "Floor Kind Placed Rectangle volume_of",
            "rectangles.motions": "Motion Whole symmetries unit_of",
            "rectangles.places": "Places Way",
        },
    )

__all__ = [
    "Box",
    "Brick",
    "Floor",
    "Laid",
    "Placed",
    "Rectangle",
    "symmetries",
]
