"""Shapes, orientations, images, symmetries and neighbours of cells, on any lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.geometry.enumeration import Sort, count_shapes
    from exactcover.geometry.regions import board_periods, region_cells
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "geometry.enumeration": "Sort count_shapes",
            "geometry.regions": "board_periods region_cells",
        },
    )

__all__ = ["Sort", "board_periods", "count_shapes", "region_cells"]
