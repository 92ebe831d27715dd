"""`skyline`: fill a rectangle with rectangles, always at the edge of what is filled."""

from __future__ import annotations

from exactcover.lazy import on_demand

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from exactcover.backends.skyline.bricks import BrickSearch
    from exactcover.backends.skyline.least import Least, least_area, least_height, least_width
    from exactcover.backends.skyline.search import FloorBatch, SkylineSearch
    from exactcover.backends.skyline.ways import ORDERS, RULES
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "backends.skyline.bricks": "BrickSearch",
            "backends.skyline.least": "Least least_area least_height least_width",
            "backends.skyline.search": "FloorBatch SkylineSearch",
            "backends.skyline.ways": "ORDERS RULES",
        },
    )

__all__ = [
    "ORDERS",
    "RULES",
    "BrickSearch",
    "FloorBatch",
    "Least",
    "SkylineSearch",
    "least_area",
    "least_height",
    "least_width",
]
