"""Puzzles as data of the page: a board with a polygon for each cell, pieces, solutions."""

from __future__ import annotations

from typing import Any

from exactcover.geometry.cells import CellSet
from exactcover.puzzle import Puzzle
from exactcover.search import Solution
from exactcover.show.board import DrawnBoard, copies
from exactcover.show.palette import FIXED, PALETTE, Tone, colour, own_colours
from exactcover.studio.serving.pool import Refusal

CELLS = 20_000
"""The most cells of a board."""

PIECES = 2000
"""The most pieces of a puzzle."""


def board_and_pieces(puzzle: Puzzle) -> dict[str, Any]:
    """The board and the pieces of a puzzle."""
    if len(puzzle.pieces) > PIECES:
        raise Refusal(
            413, f"{len(puzzle.pieces):,} pieces are too many for the page: up to {PIECES:,}"
        )
    optional = puzzle.space.find(puzzle.region.optional)
    return {
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "board": board(puzzle.space),
        "pieces": [_piece(puzzle, number, tone) for number, tone in enumerate(_tones(puzzle))],
        "secondary": optional.tolist(),
        "empty": list(puzzle.region.empty or (0, len(optional))),
        "reflect": bool(puzzle.reflections),
    }


def _tones(puzzle: Puzzle) -> list[Tone]:
    """The colour of each piece, the same as on pictures."""
    own = own_colours(copies(puzzle.movable))
    return [
        FIXED if piece.stationary else colour(next(iter(own[piece.name]), number % len(PALETTE)))
        for number, piece in enumerate(puzzle.pieces)
    ]


def _piece(puzzle: Puzzle, number: int, tone: Tone) -> dict[str, Any]:
    piece = puzzle.pieces[number]
    return {
        "name": piece.name,
        "low": piece.low,
        "high": piece.high,
        "cells": piece.cells.tolist(),
        "stationary": piece.stationary,
        "colour": tone.light,
        "dark": tone.dark,
        "outline": board(CellSet.of(puzzle.lattice, piece.cells)),
    }


class SolutionRows:
    """Solutions of a puzzle as data of the page.

    `pieces` has the number of the piece of each placement, `parts` the placement that covers each
    cell, or -1; so copies of a piece are told apart.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._numbers = {piece.name: at for at, piece in enumerate(puzzle.pieces)}
        self._cells = {tuple(cell): at for at, cell in enumerate(puzzle.space.cells.tolist())}

    def row(self, solution: Solution) -> dict[str, Any]:
        """A solution."""
        parts = [-1] * len(self._cells)
        placements = solution.placements
        for part, placement in enumerate(placements):
            for cell in placement.cells:
                parts[self._cells[cell]] = part
        pieces = [self._numbers[placement.piece] for placement in placements]
        return {"options": list(solution.options), "pieces": pieces, "parts": parts}


def board(space: CellSet) -> dict[str, Any]:
    """The cells of a board and where each is drawn, in distances between neighbours."""
    if len(space) > CELLS:
        raise Refusal(413, f"{len(space):,} cells are too many for the page: up to {CELLS:,}")
    return DrawnBoard.of(space).data(space=False)
