"""Engines that fill a floor with rectangles, or a box with bricks: they see sizes, and no cells.

Each is a backend as well, whose searches list the options of a problem; its layout has the places.
"""

from exactcover.backends.floors.base import Filling, FloorBackend, PlacedSearch

__all__ = ["Filling", "FloorBackend", "PlacedSearch"]
