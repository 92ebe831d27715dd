"""A puzzle with some of its pieces placed: the part of it that lies below a state of its search.

The placed pieces are stationary, so that the part is a puzzle like any other: its solutions, all of
them, are those of the whole that have these pieces where they lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.geometry.cells import CellSet
from exactcover.puzzle.model import Model
from exactcover.puzzle.pieces import Piece, Region
from exactcover.puzzle.puzzle import Puzzle


def with_placed(model: Model, options: Iterable[int]) -> Puzzle:
    """The puzzle with the pieces of these options stationary.

    One copy of several has a number behind the name of its piece.
    """
    puzzle, shape_of = model.puzzle, model.layout.option_shape
    chosen = sorted(options)
    images = [option for option in chosen if shape_of[option] >= 0]
    placed = model.placements(images)[len(puzzle.stationary) :]
    used = Counter(placement.piece for placement in placed)
    left = []
    for piece in puzzle.pieces:
        if not piece.stationary and used[piece.name]:
            many = used[piece.name]
            high = None if piece.high is None else piece.high - many
            if high == 0:
                continue
            piece = replace(piece, low=max(0, piece.low - many), high=high)
        left.append(piece)
    by_name = {piece.name: piece for piece in puzzle.pieces}
    names = numbered([placement.piece for placement in placed], {piece.name for piece in left})
    stationary = []
    for own, placement in zip(names, placed, strict=True):
        cells = np.array(placement.cells, np.int64)
        crossing = by_name[placement.piece].crossing
        stationary.append(Piece(own, cells, stationary=True, crossing=crossing))
    holes = [option for option in chosen if shape_of[option] < 0]
    return replace(
        puzzle,
        region=_without(model, holes),
        pieces=(*left, *stationary),
    )


def _without(model: Model, holes: list[int]) -> Region:
    """The region without the cells that are to stay empty."""
    region = model.puzzle.region
    if not holes:
        return region
    empty = model.free.cells[np.concatenate([model.cells_of(option) for option in holes])]
    gone = CellSet.of(model.puzzle.lattice, empty)
    kept = gone.find(region.optional) < 0
    least, most = region.empty or (0, len(region.optional))
    range_left = max(0, least - len(empty)), max(0, most - len(empty))
    costs = {cell: cost for cell, cost in region.costs.items() if cell not in gone}
    return replace(region, optional=region.optional[kept], empty=range_left, costs=costs)
