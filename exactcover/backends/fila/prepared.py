"""The data that all searches below a node share: the board, its phases, and the tables.

Making the tables takes a millisecond or two. Removing images that no longer fit takes a quarter of
that, and starting a search in them takes a hundredth. So a hand-over at many states prepares the
root above all of them once, trims the lists for each first placement, and starts a search below
each state: the lists then hold some images that no longer fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long, bit_rows, bits_of, expanded
from exactcover.backends.base import NUMBER, Branching, Phase, Setting
from exactcover.backends.node import Node
from exactcover.backends.open_board import OpenBoard, in_order
from exactcover.base import LazyModule
from exactcover.errors import CapabilityError
from exactcover.problem import Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends.fila import kernel
    from exactcover.backends.fila import tables as made
else:
    kernel = LazyModule("exactcover.backends.fila.kernel")
    made = LazyModule("exactcover.backends.fila.tables")


HEURISTICS = ("f", "e", "s")

MOST_ADJACENT = 8
"""The most neighbours of a cell that are looked at."""

MOST_NEAR = 10
"""The most near cells that are ever looked at: each of their states has a row."""


NEARBY = ("", "adjacent", *map(str, range(MOST_NEAR + 1)))

SETTINGS = {
    "nof": Setting(
        f"adjacent, or a number of cells up to {MOST_NEAR}", lambda text: text in NEARBY
    ),
    "seed": NUMBER,
}
"""`nof`: the cells looked at near a cell, 0 for none, all adjacent ones by default; `seed` draws
the order of `random`."""


WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16)
"""The possible numbers of words of a word set; the kernel is compiled once for each."""

PLANES = 15
"""The most blocked neighbours of a cell that are counted."""


@dataclass(frozen=True)
class FilaPhase:
    """A phase on a board, with its texts parsed.

    remaining      it holds while at most this many pieces remain; None: from the start
    order          int64 [cells]: the cells in a fixed order; None: chosen by `heuristic`
    most_near, only_adjacent: see `tables.make_lists`
    """

    heuristic: str
    remaining: int | None
    order: Long | None
    most_near: int
    only_adjacent: bool


def ranks(phase: FilaPhase, numbering: Long) -> Long | None:
    """The place of each cell in the order of a phase, with cells numbered by another order."""
    if phase.order is None:
        return None
    rank = np.empty(numbering.size, np.int64)
    rank[phase.order] = np.arange(numbering.size)
    return rank[numbering]


def _read(phase: Phase, board: OpenBoard, layout: Layout | None) -> FilaPhase:
    text, order = phase.heuristic, None
    if text == "f" or text not in HEURISTICS:
        order = in_order(text, board, layout, int(phase.settings.get("seed", 0)))
    nof = phase.settings.get("nof", "")
    adjacent = nof in ("", "adjacent")
    most_near = MOST_ADJACENT if adjacent else int(nof)
    return FilaPhase(text, phase.remaining, order, most_near, adjacent or order is None)


@dataclass(frozen=True, eq=False)
class FilaRoot:
    """A node made ready, for searches of itself and of nodes below it.

    chosen   the options of the node
    board    its cells numbered in the last fixed order: the first open cell is the lowest bit
    tables   the kernel's tables of all phases
    masks    uint64 [images, words]: the cells of each image
    blocked  uint64 [4 words]: the blocked neighbours of each cell as bit-planes; None: not needed
    image    int64 [options]: the image of each option, -1: none
    words, kind_words  the widths of word sets of cells and of kinds
    counting whether a phase counts the images that fit to choose a cell
    """

    chosen: tuple[int, ...]
    board: OpenBoard
    tables: kernel.FilaTables
    masks: Bits
    blocked: Bits | None
    image: Long
    words: int
    kind_words: int
    counting: bool

    @classmethod
    def of(cls, problem: Problem, layout: Layout | None, how: Branching, node: Node) -> FilaRoot:
        """The node made ready."""
        board = OpenBoard.of(problem, layout, node)
        phases = [_read(phase, board, layout) for phase in how.phases]
        last = [phase.order for phase in phases if phase.order is not None]
        numbering = last[-1] if last else in_order("f", board, layout)
        board = board.numbered(numbering)
        words = words_for(board.n_bits)
        masks = bit_rows(board.owner, board.bits, board.kind.size, words)
        order = [ranks(phase, numbering) for phase in phases]
        image = np.full(problem.n_options, -1, np.int64)
        image[board.option[board.option >= 0]] = np.flatnonzero(board.option >= 0)
        tables = _tables(board, layout, phases, order, masks)
        return cls(
            chosen=node.chosen,
            board=board,
            tables=tables,
            masks=masks,
            blocked=_blocked(board, layout, words) if tables.planes.size else None,
            image=image,
            words=words,
            kind_words=words_for(board.room.size),
            counting=any(phase.order is None for phase in phases),
        )

    @property
    def size(self) -> int:
        """The bytes of the tables."""
        return sum(part.nbytes for part in self.tables if isinstance(part, np.ndarray))

    def is_wide_beside(self, images: Long) -> bool:
        """Whether fewer words would suffice for the cells left open by these images."""
        filled = int(np.bitwise_count(self.masks[images]).sum())
        return words_for(self.board.n_bits - filled) < words_for(self.board.n_bits)

    def trimmed(self, images: Long) -> FilaRoot:
        """The same with lists of the images that fit beside these, for nodes below them.

        Cells keep their numbers, and the near cells that are looked at stay the same.
        """
        stays = np.zeros(self.board.kind.size, bool)
        stays[self._fit(images, nothing_too=True)] = True
        return replace(self, tables=made.trimmed(self.tables, self.words, self.kind_words, stays))

    def placed(self, node: Node) -> Long | None:
        """The images that a node below this one has placed: int64.

        None if it forbids options that fit beside them, as a filter does, since the lists here
        still hold these options.
        """
        options = np.array(node.chosen[len(self.chosen) :], np.int64)
        images = self.image[options]
        fitting = self.board.option[self._fit(images)]
        if node.allowed is not None and not node.allowed[fitting].all():
            return None
        return images

    def blocked_by(self, images: Long) -> Bits:
        """The blocked neighbours of each cell once these images are placed, as bit-planes."""
        assert self.blocked is not None
        planes = self.blocked.reshape(4, -1)
        for image in self.tables.planes.reshape(-1, *planes.shape)[images]:
            carry = np.zeros_like(planes[0])
            added = []
            for one, other in zip(planes, image, strict=True):
                added.append(one ^ other ^ carry)
                carry = one & other | carry & (one ^ other)
            planes = np.array(added)
        return planes.ravel()

    def allowed(self, images: Long) -> Flags:
        """The options that may be chosen once these images are placed: bool [options]."""
        out = np.zeros(self.image.size, bool)
        out[self.board.option[self._fit(images)]] = True
        return out

    def _fit(self, images: Long, *, nothing_too: bool = False) -> Long:
        """The images that can be placed beside these: those with an option, or all."""
        board = self.board
        left = board.room - np.bincount(board.kind[images], minlength=board.room.size)
        fits = (left > 0)[board.kind]
        if not nothing_too:
            fits &= board.option >= 0
        for word, occupied in enumerate(
            np.bitwise_or.reduce(self.masks[images], axis=0, initial=0)
        ):
            fits &= self.masks[:, word] & occupied == 0
        return np.flatnonzero(fits)


# -- tables ---------------------------------------------------------------------------------------


def _tables(
    board: OpenBoard,
    layout: Layout | None,
    phases: Sequence[FilaPhase],
    order_of: Sequence[Long | None],
    masks: Bits,
) -> kernel.FilaTables:
    """The tables of all phases, one after the other."""
    near = board.neighbours(layout)
    words = masks.shape[1]
    parts: list[made.Lists] = []
    orders: list[Long] = []
    stages = np.zeros((board.remain + 1, 4), np.uint64)
    rows = entries = 0
    head = 2 * words_for(board.room.size)
    ways = {"e": kernel.ESTIMATE, "s": kernel.SIZE}
    for number, (phase, rank) in enumerate(zip(phases, order_of, strict=True)):
        part = made.make_lists(board, near, words, rank, phase.most_near, phase.only_adjacent)
        part.cells[:, -1] += np.uint64(rows)
        part.rows[:, head:] += np.uint32(entries)
        rows += len(part.rows)
        how, order_at = ways.get(phase.heuristic, kernel.FIRST), 0
        if rank is not None and (np.diff(rank) != 1).any():
            how = kernel.ORDERED
            order_at = sum(order.size for order in orders)
            orders.append(np.argsort(rank))
        begin = board.remain
        if number and phase.remaining is not None:
            begin = min(phase.remaining, begin)
        stages[: begin + 1] = how, number * board.n_cells, order_at, number
        parts.append(part)
        entries += part.image_of.size
    estimates = np.flatnonzero(stages[:, kernel.RULE] == kernel.ESTIMATE)
    image_of = np.concatenate([part.image_of for part in parts])
    must = bits_of(np.flatnonzero(board.need), words_for(board.room.size))
    return kernel.FilaTables(
        branch=bits_of(np.arange(board.n_cells), words),
        must=must if (board.room == 1).all() else np.zeros_like(must),
        stages=stages.ravel(),
        counted=int(estimates.min(initial=1 << 30)),
        hole=board.hole,
        kinds=board.room.size,
        cells=np.concatenate([part.cells.ravel() for part in parts]),
        order=np.concatenate([np.zeros(0, np.int64), *orders]).astype(np.uint64),
        rows=np.concatenate([part.rows.ravel() for part in parts]),
        masks=masks[image_of].ravel(),
        image_of=image_of,
        planes=_image_planes(board, near, words) if estimates.size else np.zeros(0, np.uint64),
    )


def _image_planes(board: OpenBoard, near: tuple[Long, Long], words: int) -> Bits:
    """How many neighbours of each cell each image blocks, as bit-planes [images, 4, words]."""
    starts, others = near
    n_images = board.kind.size
    cells = board.bits < board.n_cells
    bits, owner = board.bits[cells], board.owner[cells]
    owner = np.repeat(owner, np.diff(starts)[bits])
    reached = others[expanded(starts, bits)]
    pairs, counts = np.unique(owner * board.n_bits + reached, return_counts=True)
    return _planes(pairs // board.n_bits, pairs % board.n_bits, counts, n_images, words).ravel()


def _blocked(board: OpenBoard, layout: Layout | None, words: int) -> Bits:
    """How many neighbours of each cell are blocked at the start, as bit-planes [4, words]."""
    open_ = np.diff(board.neighbours(layout)[0])
    blocked = open_.max(initial=0) - open_
    numbers = np.arange(board.n_cells)
    return _planes(np.zeros_like(numbers), numbers, blocked, 1, words).ravel()


def _planes(owner: Long, bits: Long, counts: Long, many: int, words: int) -> Bits:
    """Counts of bits as bit-planes: uint64 [many, 4, words]."""
    counts = counts.clip(0, PLANES)
    planes = [(counts >> plane & 1) > 0 for plane in range(4)]
    made = [bit_rows(owner[some], bits[some], many, words) for some in planes]
    return np.stack(made, axis=1)


# -- bits and rows --------------------------------------------------------------------------------


def words_for(bits: int) -> int:
    """How many words hold this many bits: as few as possible, but of few different widths."""
    for words in WIDTHS:
        if bits <= 64 * words:
            return words
    raise CapabilityError(
        f"fila takes up to {64 * WIDTHS[-1]:,} cells and kinds of pieces, not {bits:,}; dlx takes "
        "more"
    )


def empty_words(words: int) -> Any:
    """An empty word set of this many words."""
    return np.uint64(0) if words == 1 else (np.uint64(0),) * words
