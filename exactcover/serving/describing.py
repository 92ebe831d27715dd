"""A puzzle as the page shows it: its board, its pieces and their colours."""

from __future__ import annotations

from typing import Any

from exactcover.geometry.cells import CellSet
from exactcover.puzzle import Puzzle
from exactcover.render.boards import copies
from exactcover.render.palette import FIXED, PALETTE, Tone, colour, ink_on, own_colours
from exactcover.serving.boards import board
from exactcover.serving.posed import Posed
from exactcover.serving.refusals import Refusal

MOST = 2000
"""Pieces of a puzzle that the page shows."""


def described(one: Posed, cells: int) -> dict[str, Any]:
    """What a page is told of a puzzle.

    cells  the most that it may have
    """
    puzzle = one.puzzle
    if len(puzzle.pieces) > MOST:
        raise Refusal(413, f"{len(puzzle.pieces):,} pieces are too many for the page: up to {MOST}")
    optional = puzzle.space.find(puzzle.region.optional)
    return {
        "id": one.id,
        "title": one.title,
        "toml": one.text,
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "link": one.link,
        "board": board(puzzle.space, cells),
        "pieces": [
            _piece(puzzle, number, tone, cells) for number, tone in enumerate(_tones(puzzle))
        ],
        "secondary": optional.tolist(),
        "reflect": bool(puzzle.reflections),
        "undrawn": undrawn(puzzle),
    }


def _tones(puzzle: Puzzle) -> list[Tone]:
    """The colour of each piece, the same as on pictures."""
    own = own_colours(copies(puzzle.movable))
    return [
        FIXED if piece.stationary else colour(next(iter(own[piece.name]), number % len(PALETTE)))
        for number, piece in enumerate(puzzle.pieces)
    ]


def _piece(puzzle: Puzzle, number: int, tone: Tone, cells: int) -> dict[str, Any]:
    piece = puzzle.pieces[number]
    shape = CellSet.of(puzzle.lattice, piece.cells)
    return {
        "name": piece.name,
        "low": piece.low,
        "high": piece.high,
        "cells": piece.cells.tolist(),
        "stationary": piece.stationary,
        "colour": tone.light,
        "dark": tone.dark,
        "ink": ink_on(tone).light,
        "outline": board(shape, cells),
    }


def undrawn(puzzle: Puzzle) -> str | None:
    """What a draft cannot hold, so that editing the puzzle would lose it; None: nothing."""
    region = puzzle.region
    lost = {
        "its stationary pieces": bool(puzzle.stationary),
        "its wrapped edges": bool(region.wrap),
        "how many cells stay empty": region.empty is not None,
        "its costs": puzzle.has_costs,
        "its colours": puzzle.paint is not None,
        "where pieces may lie": any(piece.within is not None for piece in puzzle.pieces),
        "what single pieces may do": any(
            piece.reflections is not None or piece.crossing is not None for piece in puzzle.pieces
        ),
        "that pieces may not cross": not puzzle.crossing,
    }
    found = [what for what, there in lost.items() if there]
    return f"Editing loses {' and '.join(found)}: the text keeps all." if found else None
