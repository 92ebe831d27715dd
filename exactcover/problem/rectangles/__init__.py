"""Rectangles to be laid in a rectangle, and bricks in a box: sizes and places, not cells."""

from __future__ import annotations

from exactcover.base.lazy import on_demand

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from exactcover.problem.rectangles.sizes import (
        Box,
        Brick,
        Floor,
        Laid,
        Placed,
        Rectangle,
        symmetries,
    )
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "problem.rectangles.sizes": "Box Brick Floor Laid Placed Rectangle symmetries",
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
