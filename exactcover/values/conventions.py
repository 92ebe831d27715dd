"""What counts as one solution of a puzzle: one word for each convention, used by every room."""

from __future__ import annotations

CONVENTIONS = ("all", "rotations", "reflections")
"""All solutions count, or those that no rotation, or no mirror either, takes to each other."""
