"""The volume filter: an image must not cut off a space that no pieces can fill.

Placing an image may leave the open cells in several parts. Each must have a volume that some of the
pieces left can make together. With cells that may stay empty, any volume between the part's
cells to fill and all of its cells will do. It asks for pieces that hang together: a piece in two
parts can fill two spaces at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import is_loaded
from exactcover.filters import flooding
from exactcover.filters.board import Flags, Position
from exactcover.filters.totals import with_copies
from exactcover.patience import patiently

CHUNK = 1 << 12


def volume(position: Position) -> Flags:
    """The options alive that cut off no space that cannot be filled: bool [options]."""
    board, layout = position.board, position.board.layout
    if not board.connected[position.copies[:, 1] > 0].all():
        return position.alive
    sizes = np.unique(layout.shape_size)
    size_class = np.searchsorted(sizes, layout.shape_size)
    reach = np.array([_achievable(position, int(size)) for size in [0, *sizes.tolist()]])
    option_class = np.where(layout.option_shape >= 0, 1 + size_class[layout.option_shape], 0)
    alive = position.alive.copy()
    candidates = np.flatnonzero(alive)
    if not is_loaded() and candidates.size * layout.n_cells <= flooding.MOST:
        cut = _cut_by_flooding(position, candidates, reach[option_class])
        alive[candidates[cut]] = False
        return alive
    from exactcover.filters.volume_kernel import cuts_off, parts_of

    starts, cells = board.option_cells
    near_starts, near = layout.adjacent
    stamps = np.zeros(layout.n_cells, np.int64)
    queue = np.empty(layout.n_cells, np.int32)
    part, sizes_of = np.empty(layout.n_cells, np.int64), np.empty((layout.n_cells, 2), np.int64)
    filled, optional = position.filled, layout.optional
    parts = parts_of(near_starts, near, filled, optional, part, sizes_of)
    for first in patiently(range(0, len(candidates), CHUNK)):
        chunk = candidates[first : first + CHUNK]
        cut = np.empty(len(chunk), bool)
        cuts_off(
            chunk, starts, cells, near_starts, near, optional, option_class, reach, part,
            sizes_of, parts, stamps, queue, cut,
        )  # fmt: skip
        alive[chunk[cut]] = False
    return alive


def _cut_by_flooding(
    position: Position, candidates: npt.NDArray[np.int64], reach: npt.NDArray[np.int64]
) -> Flags:
    """Which candidates cut off a space that cannot be filled, without compiled code.

    reach  int64 [options, volumes + 1]
    """
    layout = position.board.layout
    starts, cells = position.board.option_cells
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    open_ = np.tile(~position.filled[:, None], (1, len(starts) - 1))
    open_[cells, owner] = False
    return flooding.cuts_off(
        open_[:, candidates], *layout.adjacent, layout.optional, reach[candidates]
    )


def _achievable(position: Position, without: int) -> npt.NDArray[np.int64]:
    """How many volumes below v can be made, for each v, once a piece of this size is placed."""
    layout = position.board.layout
    most = dict.fromkeys(layout.shape_size.tolist(), 0)
    for size, high in zip(layout.shape_size.tolist(), position.copies[:, 1].tolist(), strict=True):
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
