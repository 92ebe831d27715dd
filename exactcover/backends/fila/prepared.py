"""The data that all searches below a node share: the board, its phases, and the tables.

In a search below the node the lists hold some images that no longer fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.arrays import Bits, Flags, Long, Rows, bit_rows, bits_of
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


COUNTING = ("e", "s")
"""The heuristics that count the images that fit to choose a cell; the others are fixed orders."""

HEURISTICS = ("f", *COUNTING)

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


def fixed_orders(phases: Sequence[Phase]) -> set[tuple[str, int]]:
    """The fixed orders of cells of some phases, by name and seed."""
    orders = {(one.heuristic, int(one.settings.get("seed", 0))) for one in phases}
    return {(name, seed) for name, seed in orders if name not in COUNTING}


@dataclass(frozen=True, eq=False)
class FilaRoot:
    """A node made ready, for searches of itself and of nodes below it.

    chosen   the options of the node
    board    its cells numbered in the fixed order: the first open cell is the lowest bit
    tables   the kernel's tables of all phases
    masks    uint64 [images, words]: the cells of each image
    blocked  uint64 [4, words]: the blocked neighbours of each cell as bit-planes; None: not needed
    image    int64 [options]: the image of each option, -1: none
    words, kind_words  the widths of word sets of cells and of kinds
    """

    chosen: tuple[int, ...]
    board: OpenBoard
    tables: kernel.FilaTables
    masks: Bits
    blocked: Bits | None
    image: Long
    words: int
    kind_words: int

    @classmethod
    def of(cls, problem: Problem, layout: Layout | None, how: Branching, node: Node) -> FilaRoot:
        """The node made ready."""
        board = OpenBoard.of(problem, layout, node)
        name, seed = next(iter(fixed_orders(how.phases)), ("f", 0))
        board = board.numbered(in_order(name, board, layout, seed))
        near, words = board.neighbours(layout), words_for(board.n_bits)
        masks = bit_rows(board.owner, board.bits, board.kind.size, words)
        tables = _tables(board, near, how.phases, masks)
        image = np.full(problem.n_options, -1, np.int64)
        image[board.option[board.option >= 0]] = np.flatnonzero(board.option >= 0)
        return cls(
            chosen=node.chosen,
            board=board,
            tables=tables,
            masks=masks,
            blocked=_blocked(near[0], words) if tables.planes.size else None,
            image=image,
            words=words,
            kind_words=words_for(board.room.size),
        )

    @property
    def size(self) -> int:
        """The bytes of the tables."""
        return sum(part.nbytes for part in self.tables if isinstance(part, np.ndarray))

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
        """The blocked neighbours of each cell once these images are placed: uint64 [4, words]."""
        assert self.blocked is not None
        blocked = self.blocked.copy()
        for image in self.tables.planes.reshape(-1, *blocked.shape)[images]:
            for digit, plane in enumerate(image):
                blocked[digit:] = one_more(blocked[digit:], plane)
        return blocked

    def allowed(self, images: Long) -> Flags:
        """The options that may be chosen once these images are placed: bool [options]."""
        out = np.zeros(self.image.size, bool)
        out[self.board.option[self._fit(images)]] = True
        return out

    def _fit(self, images: Long) -> Long:
        """The images with an option that can be placed beside these."""
        board = self.board
        left = board.room - np.bincount(board.kind[images], minlength=board.room.size)
        fits = (left > 0)[board.kind] & (board.option >= 0)
        for word, occupied in enumerate(
            np.bitwise_or.reduce(self.masks[images], axis=0, initial=0)
        ):
            fits &= self.masks[:, word] & occupied == 0
        return np.flatnonzero(fits)


# -- tables ---------------------------------------------------------------------------------------


def _tables(
    board: OpenBoard, near: Rows, phases: Sequence[Phase], masks: Bits
) -> kernel.FilaTables:
    """The tables of all phases, one after the other."""
    words, kind_words = masks.shape[1], words_for(board.room.size)
    parts: list[made.Lists] = []
    stages = np.zeros((board.remain + 1, 2), np.uint64)
    rows = entries = 0
    ways = {"e": kernel.ESTIMATE, "s": kernel.SIZE}
    for number, phase in enumerate(phases):
        nof = phase.settings.get("nof") or "adjacent"
        most_near = MOST_ADJACENT if nof == "adjacent" else int(nof)
        how = ways.get(phase.heuristic, kernel.FIRST)
        part = made.make_lists(
            board, near, words, most_near, ordered=how == kernel.FIRST, likely=nof != "adjacent"
        )
        part.cells[:, -1] += np.uint64(rows)
        part.rows[:, 2 * kind_words :] += np.uint32(entries)
        rows += len(part.rows)
        begin = board.remain
        if number and phase.remaining is not None:
            begin = min(phase.remaining, begin)
        stages[: begin + 1] = how, number * board.n_cells
        parts.append(part)
        entries += part.image_of.size
    estimates = np.flatnonzero(stages[:, kernel.RULE] == kernel.ESTIMATE)
    image_of = np.concatenate([part.image_of for part in parts])
    must = bits_of(np.flatnonzero(board.need), kind_words)
    return kernel.FilaTables(
        branch=bits_of(np.arange(board.n_cells), words),
        must=must if (board.room == 1).all() else np.zeros_like(must),
        stages=stages.ravel(),
        counted=int(estimates.min(initial=1 << 30)),
        hole=board.hole,
        kinds=board.room.size,
        cells=np.concatenate([part.cells.ravel() for part in parts]),
        rows=np.concatenate([part.rows.ravel() for part in parts]),
        masks=masks[image_of].ravel(),
        image_of=image_of,
        planes=_image_planes(board, near, words) if estimates.size else np.zeros(0, np.uint64),
    )


def _image_planes(board: OpenBoard, near: Rows, words: int) -> Bits:
    """How many neighbours of each cell each image blocks, as bit-planes [images, 4, words]."""
    beside = bit_rows(
        np.repeat(np.arange(board.n_cells), np.diff(near[0])), near[1], board.n_bits, words
    )
    starts, bits = board.rows()
    planes = np.zeros((4, board.kind.size, words), np.uint64)
    longest = np.diff(starts).max(initial=0)
    for entry in range(longest):
        some = np.flatnonzero(np.diff(starts) > entry)
        planes[:, some] = one_more(planes[:, some], beside[bits[starts[some] + entry]])
    return planes.transpose(1, 0, 2).ravel()


def _blocked(starts: Long, words: int) -> Bits:
    """How many neighbours of each cell are blocked at the start, as bit-planes [4, words]."""
    open_ = np.diff(starts)
    blocked = (open_.max(initial=0) - open_).clip(0, PLANES)
    return np.array([bits_of(np.flatnonzero(blocked >> digit & 1), words) for digit in range(4)])


def one_more(planes: Bits, where: Bits) -> Bits:
    """Numbers as bit-planes, the ones first, with 1 added to those whose bits are set."""
    out = []
    for plane in planes:
        out.append(plane ^ where)
        where = plane & where
    return np.array(out)


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
