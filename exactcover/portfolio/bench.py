"""What all packers of a run share: the problem as bits, its orders, and their tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

import numpy as np
import numpy.typing as npt

from exactcover.filters.totals import with_copies
from exactcover.portfolio.manner import Manner, manners
from exactcover.portfolio.orders import macro_orders
from exactcover.portfolio.tables import Longs, Packing, Tables
from exactcover.problem.layout import pieces_left
from exactcover.search.plan import make_plan, watch
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

POCKET = 3
"""Pockets are looked at up to this many times the size of the largest piece."""

MOST_POCKET = 64
"""Pockets are looked at up to this many cells."""

MIXED = 4
"""Pieces are of mixed sizes if the largest has this many times the cells of the smallest."""


SCARCE = 32
"""A piece is scarce if the median piece has so many times its images: a ring, that must enclose a
hole of the board."""


class Bench:
    """The tables of a subject, made when they are first asked for; threads share them.

    packing  the problem as bits and slots; see `Packing`
    cells    how many cells must be covered; of a plain problem, items
    pocket   the most cells of a pocket that is looked at; 0: none is
    sums     bool [cells + 1]: the sizes of pockets that pieces can make up; empty: none is looked
             at
    smallest the cells of the smallest piece
    """

    def __init__(self, subject: Subject, packing: Packing) -> None:
        self.subject, self.packing = subject, packing
        self.cells = packing.must.size
        self.pocket, self.sums, self.smallest = _pockets(subject)
        self._orders = _orders(packing)
        self._tables: dict[int, tuple[Tables, Longs]] = {}
        self._lock = Lock()
        if self.pocket:
            self._drop_mines()
        self._put_scarce_first()
        self.manners: tuple[Manner, ...] = manners(
            len(self._orders), mixed=self._is_mixed, pieces=self.cells / self.mean_size
        )

    @classmethod
    def of(cls, subject: Subject) -> Bench | None:
        """The bench of a subject; None: packers cannot search it (see `Packing.of`)."""
        problem, layout = subject.problem, subject.layout
        if subject.model is None:
            packing = Packing.of(problem, None, problem.choosable)
            return None if packing is None or not packing.options.size else cls(subject, packing)
        everything = subject.counting("all")
        plan = make_plan(everything, Strategy.parse("parity; parity-trigger; dlx:s"))
        if plan.reason:
            return None
        watched = None
        if plan.triggers is not None and layout is not None:
            watched = watch(plan.triggers, layout, pieces_left(problem, layout))
        packing = Packing.of(problem, layout, plan.alive, watched)
        return None if packing is None or not packing.options.size else cls(subject, packing)

    def compactness(self) -> npt.NDArray[np.float64]:
        """For each slot, how many pairs of its cells are neighbours; 0 where that is unknown."""
        layout, packing = self.subject.layout, self.packing
        many = np.zeros(packing.slots.size + 1)
        if layout is None:
            return many
        tables, rows = self.tables(0)
        slots, first = np.unique(tables.slot, return_index=True)
        cell_of = np.full(packing.problem.n_items, -1, np.int64)
        cell_of[layout.cell_item] = np.arange(layout.n_cells)
        starts, beside = layout.adjacent
        for slot, row in zip(slots.tolist(), first.tolist(), strict=True):
            cells = cell_of[packing.problem.items_of(int(rows[row]))]
            inside = set(cells[cells >= 0].tolist())
            pairs = sum(
                len(inside & set(beside[starts[c] : starts[c + 1]].tolist())) for c in inside
            )
            many[slot] = pairs / 2
        return many

    @property
    def _is_mixed(self) -> bool:
        """Whether some pieces are many times as large as others."""
        layout = self.subject.layout
        sizes = None if layout is None else layout.shape_size[layout.copies[:, 1] > 0]
        return sizes is not None and sizes.size > 0 and sizes.max() >= MIXED * sizes.min()

    @property
    def mean_size(self) -> float:
        """The mean number of open cells that a piece fills."""
        sizes = np.diff(self.packing.problem.starts)[self.packing.options]
        layout = self.subject.layout
        if layout is None:
            return float(sizes.mean()) if sizes.size else 1.0
        copies = np.maximum(layout.copies[:, 0], 1)
        return float((layout.shape_size * copies).sum() / copies.sum())

    def tables(self, order: int) -> tuple[Tables, Longs]:
        """The tables of an order, and the option of each of their rows."""
        with self._lock:
            if order not in self._tables:
                self._tables[order] = self.packing.tables(self._orders[order])
            return self._tables[order]

    def cells_open(self, options: Iterable[int]) -> int:
        """How many of the cells these options leave open."""
        problem, cells = self.packing.problem, self.packing.must[-self.cells :]
        filled = np.zeros(problem.n_items, bool)
        for option in options:
            filled[problem.items_of(option)] = True
        return int(np.count_nonzero(~filled[cells]))

    def _put_scarce_first(self) -> None:
        """Let every order begin with the scarce pieces, as if they were its first cells.

        A dive that leaves such a piece for later soon blocks its last image, and does not notice.
        """
        tables, _ = self.tables(0)
        images = np.bincount(tables.slot, minlength=tables.low.size)[:-1]
        single = (tables.low[:-1] == 1) & (tables.high[:-1] == 1)
        scarce = single & (SCARCE * images <= np.median(images[single])) if single.any() else single
        if not scarce.any():
            return
        packing = self.packing
        first = packing.slots[scarce][np.argsort(images[scarce], kind="stable")]
        self.packing = replace(
            packing, must=np.append(first, packing.must), slots=packing.slots[~scarce]
        )
        self._orders = [np.append(first, order) for order in self._orders]
        self._tables.clear()

    def _drop_mines(self) -> None:
        """Remove the options that cut off a pocket without filling when placed alone."""
        from exactcover.portfolio.packing_kernel import NUMBERS, without_mines

        tables, rows = self.tables(0)
        bits = self.packing.n_bits
        alive = np.zeros(rows.size, bool)
        without_mines(
            tables,
            alive,
            nothing_taken(bits),
            tables.high.copy(),
            self.sums,
            self.smallest,
            self.pocket,
            np.zeros(bits, np.int64),
            np.zeros(bits + 1, np.int32),
            np.zeros(NUMBERS, np.int64),
        )
        if not alive.all():
            self.packing = replace(self.packing, options=np.sort(rows[alive]))
            self._tables.clear()


def nothing_taken(bits: int) -> npt.NDArray[np.uint64]:
    """Words of bits that are all open; those past the last bit are taken."""
    taken = np.zeros((bits + 63) // 64, np.uint64)
    if bits % 64:
        taken[-1] = ~np.uint64((1 << (bits % 64)) - 1)
    return taken


def _orders(packing: Packing) -> list[Longs]:
    """The orders of the items that must be covered."""
    layout = packing.layout
    if layout is None or not packing.must.size:
        return [packing.must]
    covered = np.zeros(packing.problem.n_items, bool)
    covered[packing.must] = True
    items = (layout.cell_item[order].astype(np.int64) for order in macro_orders(layout))
    return [order[covered[order]] for order in items]


def _pockets(subject: Subject) -> tuple[int, npt.NDArray[np.bool_], int]:
    """How large pockets are looked at, the sizes that can be filled, and the smallest piece.

    If a piece is not connected, or holes are options, a pocket shows nothing.
    """
    model, layout = subject.model, subject.layout
    if model is None or layout is None or not layout.n_shapes:
        return 0, np.zeros(0, bool), 1
    used = layout.copies[:, 1] > 0
    if not model.board.connected[used].all() or (layout.option_shape < 0).any():
        return 0, np.zeros(0, bool), 1
    most = min(MOST_POCKET, POCKET * int(layout.shape_size.max()), layout.n_cells)
    sums = 1
    for size, (_, high) in zip(layout.shape_size.tolist(), layout.copies.tolist(), strict=True):
        sums = with_copies(sums, [size], 0, high, layout.n_cells)
    reachable = np.array([bool(sums >> size & 1) for size in range(layout.n_cells + 1)])
    smallest = int(layout.shape_size[used].min())
    # A larger pocket that pieces can make up is no landmine, so it need not be looked at.
    mines = (size for size in range(most, 0, -1) if not reachable[size] or size < 2 * smallest)
    return next(mines, 0), reachable, smallest
