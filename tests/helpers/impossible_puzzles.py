"""Puzzles without a solution for a reason that a reader may know."""

from __future__ import annotations

import exactcover as ec


def hexominoes(width: int, height: int) -> ec.Puzzle:
    """The 35 hexominoes in a rectangle of 210 cells."""
    return ec.puzzle_of("hexominoes", f"{width}x{height}")


def hexiamonds(size: str) -> ec.Puzzle:
    """The twelve hexiamonds in a trapezoid of 72 triangles."""
    return ec.puzzle_of("hexiamonds", f"trapezoid {size}")


SMALL = {
    "mutilated chessboard": ec.read("mutilated_chessboard"),
    "T tetrominoes in a square": ec.puzzle_of("T tetromino x 25", "10x10"),
    "L tetrominoes in a square": ec.puzzle_of("L tetromino x 25", "10x10"),
    "I tetrominoes in a square": ec.puzzle_of("I tetromino x 25", "10x10"),
    "five tetrominoes": ec.puzzle_of("tetrominoes", "4x5"),
    "hexiamonds 9 6": hexiamonds("9 6"),
    # N. G. de Bruijn: 54 bars, and 27 bricks, in a cube of side 6
    "bars in a cube": ec.puzzle_of("I tetracube x 54", "6x6x6"),
}
