"""The parity filter: colour the cells, and count colours.

For each colour, the cells that the pieces left fill must add up to its open cells. The images of a
piece determine how many cells of the colour it can fill. So an image that fills k cells of a colour
can be chosen only if the other pieces can fill the rest. On a chessboard this is the parity of the
articles: with two colours and a known number of cells, counting one colour counts the difference.
"""

from __future__ import annotations

import numpy as np

from exactcover.base.patience import patiently
from exactcover.problem import IntArray
from exactcover.problem.filters.totals import with_copies
from exactcover.problem.filters.tree import FilterState, Flags


def parity(position: FilterState, colours: IntArray) -> Flags:
    """The options alive whose colours the other pieces can complete: bool [options].

    colours  int32 [cells]: the colour of each cell, from 0 up
    """
    alive = position.alive.copy()
    for colour in range(int(colours.max(initial=-1)) + 1):
        _one_colour(position, colours == colour, alive)
    return alive


def _one_colour(position: FilterState, black: Flags, alive: Flags) -> None:
    """Remove the options that this colour excludes."""
    layout = position.board.layout
    on_colour = position.board.cells_among(black)
    open_ = black & ~position.filled
    most, least = int(open_.sum()), int((open_ & ~layout.optional).sum())
    amounts = _amounts(position, black)
    for shape in patiently(range(layout.n_shapes)):
        for amount in amounts[shape]:
            rest = _sums(position, amounts, without=shape) << amount
            if not _reaches(rest, least, most):
                images = np.flatnonzero(alive & (layout.option_shape == shape))
                alive[images[on_colour[images] == amount]] = False


def _amounts(position: FilterState, black: Flags) -> list[list[int]]:
    """For each shape, how many cells of the colour its images alive fill."""
    on_colour, shapes = position.board.cells_among(black), position.board.layout.option_shape
    return [
        np.unique(on_colour[position.alive & (shapes == shape)]).tolist()
        for shape in range(position.board.layout.n_shapes)
    ]


def _sums(position: FilterState, amounts: list[list[int]], without: int | None = None) -> int:
    """The totals that the pieces left can make, as the bits of one whole number.

    `without` leaves out one copy of a shape, which is placed already.
    """
    total = 1
    for shape, (low, high) in enumerate(patiently(position.copies.tolist())):
        if shape == without:
            low, high = max(0, low - 1), high - 1
        total = with_copies(total, amounts[shape], low, high, position.board.layout.n_cells)
    return total


def _reaches(sums: int, least: int, most: int) -> bool:
    """Whether a sum lies in least..most."""
    return bool(sums >> least & ((1 << (most - least + 1)) - 1))
