"""Filters that add up cells: what the pieces left can fill together.

Totals that some pieces can make are the bits of one whole number, where bit v stands for v. Placing
one more piece that adds a to the total shifts the number by a.

*Parity* colours the cells, and counts colours. For each colour, the cells that the pieces left fill
must add up to its open cells. The placements of a piece determine how many cells of the colour it
can fill. So a placement that fills k cells of a colour can be chosen only if the other pieces can
fill the rest. On a chessboard this is the parity of the articles: with two colours and a known
number of cells, counting one colour counts the difference.

*Volume*: a placement must not cut off a space that no pieces can fill. Placing it may leave the
open cells in several parts. Each must have a volume that some of the pieces left can make together.
With cells that may stay empty, any volume between the part's cells to fill and all of its cells
will do. It asks for pieces that hang together: a piece in two parts can fill two spaces at once.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.problem import IntArray
from exactcover.problem.filters.tree import Flags, Subtree, cells_among

# -- totals ----------------------------------------------------------------------------------------


def with_copies(totals: int, amounts: Collection[int], low: int, high: int, most: int) -> int:
    """The totals up to `most` once at least `low` and at most `high` copies of a piece are added.

    amounts  the amounts that one copy may add; copies may differ
    """
    within = (1 << (most + 1)) - 1
    for copy in range(high):
        more = 0
        for amount in amounts:
            more |= totals << amount
        larger = (more if copy < low else totals | more) & within
        if larger == totals:
            break
        totals = larger
    return totals


# -- parity ----------------------------------------------------------------------------------------


def parity(tree: Subtree, colours: IntArray) -> Flags:
    """The options alive whose colours the other pieces can complete: bool [options].

    colours  int32 [cells]: the colour of each cell, from 0 up
    """
    alive = tree.alive.copy()
    for colour in range(int(colours.max(initial=-1)) + 1):
        _one_colour(tree, colours == colour, alive)
    return alive


def _one_colour(tree: Subtree, black: Flags, alive: Flags) -> None:
    """Remove the options that this colour excludes."""
    layout = tree.cells.layout
    on_colour = cells_among(tree.cells, black)
    open_ = black & ~tree.filled
    most, least = int(open_.sum()), int((open_ & ~layout.optional).sum())
    images_of = [
        np.flatnonzero(tree.alive & (layout.option_shape == shape))
        for shape in range(layout.n_shapes)
    ]
    amounts = [np.unique(on_colour[images]).tolist() for images in images_of]
    within = ((1 << (most - least + 1)) - 1) << least
    for shape in patiently(range(layout.n_shapes)):
        for amount in amounts[shape]:
            rest = _sums(tree, amounts, without=shape) << amount
            if not rest & within:
                alive[images_of[shape][on_colour[images_of[shape]] == amount]] = False


def _sums(tree: Subtree, amounts: list[list[int]], without: int) -> int:
    """The totals that the pieces left can make, as the bits of one whole number.

    `without` leaves out one copy of a shape, which is placed already.
    """
    total = 1
    for shape, (low, high) in enumerate(patiently(tree.copies.tolist())):
        if shape == without:
            low, high = max(0, low - 1), high - 1
        total = with_copies(total, amounts[shape], low, high, tree.cells.layout.n_cells)
    return total


# -- volume ----------------------------------------------------------------------------------------

CHUNK = 1 << 12


def volume(tree: Subtree) -> Flags:
    """The options alive that cut off no space that cannot be filled: bool [options]."""
    ground, layout = tree.cells, tree.cells.layout
    if not layout.connected[tree.copies[:, 1] > 0].all():
        return tree.alive
    sizes = np.unique(layout.shape_size)
    size_class = np.searchsorted(sizes, layout.shape_size)
    reach = np.array([_achievable(tree, int(size)) for size in [0, *sizes.tolist()]])
    option_class = np.where(layout.option_shape >= 0, 1 + size_class[layout.option_shape], 0)
    alive = tree.alive.copy()
    candidates = np.flatnonzero(alive)
    from exactcover.problem.filters.kernels import cuts_off

    starts, cells = ground.option_cells
    near_starts, near = layout.adjacent
    seen, queue = np.empty(layout.n_cells, bool), np.empty(layout.n_cells, np.int32)
    for first in patiently(range(0, len(candidates), CHUNK)):
        chunk = candidates[first : first + CHUNK]
        cut = np.empty(len(chunk), bool)
        cuts_off(
            chunk, starts, cells, near_starts, near, tree.filled, layout.optional, option_class,
            reach, seen, queue, cut,
        )  # fmt: skip
        alive[chunk[cut]] = False
    return alive


def _achievable(tree: Subtree, without: int) -> npt.NDArray[np.int64]:
    """How many volumes below v can be made, for each v, once a piece of this size is placed."""
    layout = tree.cells.layout
    most = dict.fromkeys(layout.shape_size.tolist(), 0)
    for size, high in zip(layout.shape_size.tolist(), tree.copies[:, 1].tolist(), strict=True):
        most[size] += high
    if without:
        most[without] -= 1
    volumes = 1
    for size, copies in most.items():
        volumes = with_copies(volumes, [size], 0, copies, layout.n_cells)
    size = layout.n_cells + 1
    packed = np.frombuffer(volumes.to_bytes(-(-size // 8), "little"), np.uint8)
    bits = np.unpackbits(packed, count=size, bitorder="little").astype(np.int64)
    return np.concatenate([[0], np.cumsum(bits)])
