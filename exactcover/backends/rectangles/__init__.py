"""Engines that fill a rectangle with rectangles, or a box with bricks: they see sizes, no cells.

    engine       what these engines share, and `skyline`: always at the edge of what is filled
    skyline      its search of rectangles; `kernel` is the compiled part, `tables` what that reads
    bricks       its search of bricks; `brick_kernel` is the compiled part
    placing      what both searches share; `canonical_kernel` compares a solution with its images
    reach, ways  the lengths that the pieces left add up to; the orders in which pieces are tried
    no_overlap   `nooverlap`, the independent check: CP-SAT, one packing or all
    least        the smallest box around rectangles that need not fill it

Their sizes and places are values of `exactcover.rectangles`. `puzzle.rectangles` recognizes the
puzzles, `search.rectangles` chooses an engine and searches, `render.rectangles` draws.
"""

from __future__ import annotations

from exactcover.lazy import on_demand

TYPE_CHECKING = False  # type checkers take it for true; `typing` takes most of the import time
if TYPE_CHECKING:
    from exactcover.backends.rectangles.bricks import BrickSearch
    from exactcover.backends.rectangles.least import Least, least_area, least_height, least_width
    from exactcover.backends.rectangles.skyline import FloorBatch, SkylineSearch
    from exactcover.backends.rectangles.ways import ORDERS, RULES
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "backends.rectangles.bricks": "BrickSearch",
            "backends.rectangles.least": "Least least_area least_height least_width",
            "backends.rectangles.skyline": "FloorBatch SkylineSearch",
            "backends.rectangles.ways": "ORDERS RULES",
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
