"""Rectangles to be laid in a rectangle, and bricks in a box: sizes and places, not cells."""

from __future__ import annotations

from exactcover.problem.rectangles.sizes import (
    Box,
    Brick,
    Floor,
    Laid,
    Placed,
    Rectangle,
    symmetries,
)

__all__ = ["Box", "Brick", "Floor", "Laid", "Placed", "Rectangle", "symmetries"]
