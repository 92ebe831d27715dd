"""Shapes, orientations, placements, symmetries and neighbours of cells, on any lattice."""

from exactcover.geometry.enumeration import Sort, count_shapes
from exactcover.geometry.regions import board_periods, region_cells

__all__ = ["Sort", "board_periods", "count_shapes", "region_cells"]
