"""The narrow order of a board: the order with the fewest expected states.

Some orders have a narrow frontier. Their number of states depends on the pieces: a staircase is
best for dominoes, straight rows for pentominoes. At each step an open cell is filled already with
some probability: about the share of its images that begin at an earlier cell. A cell with
probability one half adds one bit to the states. A cell with a small probability, or one near 1,
adds less than a bit, but more than its entropy, since rare states are states too. The exponent of
the entropy was fitted to the numbers of nodes of about six hundred automata.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactcover.backends.arrays import Long, compressed
from exactcover.backends.base import Task
from exactcover.backends.heuristics.frontier import Order, log_of_states, narrow_orders
from exactcover.backends.open_board import OpenBoard
from exactcover.base.patience import patiently
from exactcover.problem import Layout, Problem

NARROW = 8
"""The number of orders compared by each measure of the frontier."""

ROUGHLY = 0.25
"""The least difference in bits that matters; below it the narrower frontier decides."""

STEPS = 128
"""With more cells, the states are estimated at this many evenly spaced steps."""

ENTRIES = 60_000
"""With more cells of images than this, a sample of the images is used."""


def narrowest(board: OpenBoard, layout: Layout | None) -> Long:
    """The cells in the order with the fewest states expected: int64 [cells].

    Cells without a place come last. If no cell has a place, cells are neighbours if an image covers
    both.
    """
    orders, states = _compared(board, layout)
    good = min(states) + ROUGHLY
    return next(order for order, its in zip(orders, states, strict=True) if its <= good)


def bits_of_states(problem: Problem, layout: Layout | None) -> float:
    """The binary logarithm of the states expected in the narrow order, whatever pieces are used."""
    return min(_compared(OpenBoard.of(problem, layout, Task()), layout)[1])


def _compared(board: OpenBoard, layout: Layout | None) -> tuple[list[Order], list[float]]:
    """Narrow orders, and the binary logarithms of the states expected in each."""
    if layout is None:
        orders = narrow_orders(np.zeros((board.n_cells, 0)), _together(board), NARROW)
    else:
        placed = board.place >= 0
        positions = np.zeros((board.n_cells, layout.positions.shape[1]))
        positions[placed] = layout.positions[board.place[placed]]
        orders = [
            order[np.argsort(board.place[order] < 0, kind="stable")]
            for order in narrow_orders(positions, board.neighbours(layout), NARROW)
        ]
    images = ImageCells.of(board)
    return orders, [images.log_of_states(order) for order in orders]


@dataclass(frozen=True, eq=False)
class ImageCells:
    """The cells of the images, or of a sample of them, image by image.

    n_cells  cells of the board
    cells    int64 [entries]; starts: int64 [images], where the cells of each image begin
    sizes    int64 [images]: the number of cells of each image
    """

    n_cells: int
    cells: Long
    starts: Long
    sizes: Long

    @classmethod
    def of(cls, board: OpenBoard) -> ImageCells:
        """The cells of a board's images, without the bits that only exclude."""
        is_cell = board.bits < board.n_cells
        every = 1 + int(is_cell.sum()) // ENTRIES
        is_cell &= board.owner % every == 0
        cells, owner = board.bits[is_cell], board.owner[is_cell]
        in_order = np.argsort(owner, kind="stable")
        sizes = np.bincount(owner)
        sizes = sizes[sizes > 0]
        return cls(board.n_cells, cells[in_order], np.cumsum(sizes) - sizes, sizes)

    def log_of_states(self, order: Order) -> float:
        """The binary logarithm of the estimated number of states."""
        n_cells = self.n_cells
        if not self.cells.size:
            return 0.0
        steps = np.unique(np.linspace(0, n_cells - 1, min(STEPS, n_cells)).astype(np.int64))
        rank = np.empty(n_cells, np.int64)
        rank[order] = np.arange(n_cells)
        ranks = rank[self.cells]
        first = np.minimum.reduceat(ranks, self.starts)
        seen_at = np.repeat(np.searchsorted(steps, first, side="right"), self.sizes)
        table = np.bincount(seen_at * n_cells + ranks, minlength=(steps.size + 1) * n_cells)
        begun = np.cumsum(table.reshape(-1, n_cells), axis=0)
        filled = begun[:-1] / np.maximum(begun[-1], 1)
        # All images of an earlier cell have begun, so it adds no bit.
        bits = np.sqrt(np.sqrt(4 * filled * (1 - filled)))
        return log_of_states(bits.sum(axis=1))


def _together(board: OpenBoard) -> tuple[Long, Long]:
    """The cells that some image covers together, compressed rows."""
    starts, bits = board.rows()
    pairs: set[tuple[int, int]] = set()
    for begin, end in patiently(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
        cells = [bit for bit in bits[begin:end].tolist() if bit < board.n_cells]
        pairs.update((one, other) for one in cells for other in cells if one != other)
    ends = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    return compressed(ends[:, 0], ends[:, 1], board.n_cells)
