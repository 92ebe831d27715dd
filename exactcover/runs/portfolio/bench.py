"""The data shared by all packers of a run: the problem as bits, its macro orders, and their tables.

A packer that fills a board from one side leaves a compact rest. Which side is best depends on the
board, so there are several orders of the cells. A manner is an order and a way to pack in it, and a
race decides between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from threading import Lock

import numpy as np

from exactcover.backends.heuristics.orders import cell_order
from exactcover.problem.filters.totals import with_copies
from exactcover.problem.layout import Layout, pieces_left
from exactcover.runs.portfolio.tables import Floats, Longs, OrderTables, Pockets, SlotProblem
from exactcover.search.plan import make_plan, watch
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject

POCKET = 64
"""Pockets are looked at up to this many cells, and up to three times the largest piece."""

MIXED = 4
"""Pieces are of mixed sizes if the largest has this many times the cells of the smallest."""

SCARCE = 32
"""A piece is scarce if the median piece has this many times its images: a ring, for example, which
must enclose a hole of the board."""


class Bench:
    """The tables of a subject, made when they are first needed; threads share them.

    packing   the problem as bits and slots
    cells     how many cells must be covered; of a plain problem, items
    manners   how packers may pack
    """

    def __init__(self, subject: Subject, packing: SlotProblem) -> None:
        self.packing, self.cells = packing, packing.must.size
        self.pockets = _pockets(subject)
        self._orders = list(_orders(packing))
        self._tables: dict[int, tuple[OrderTables, Longs]] = {}
        self._lock = Lock()
        if self.pockets.bound:
            self._drop_mines()
        self._put_scarce_first()
        self.mean_size, mixed = _sizes(self.packing)
        self.manners: tuple[Manner, ...] = manners(
            len(self._orders), mixed=mixed, pieces=self.cells / self.mean_size
        )

    @classmethod
    def of(cls, subject: Subject) -> Bench | None:
        """The bench of a subject; None: packers cannot search it (see `SlotProblem.of`)."""
        problem, layout = subject.problem, subject.layout
        alive, watched = problem.choosable, None
        if subject.model is not None:
            strategy = Strategy.parse("parity; parity-trigger; dlx:s")
            plan = make_plan(subject.counting("all"), strategy)
            if plan.reason:
                return None
            alive = plan.alive
            if plan.triggers is not None and layout is not None:
                watched = watch(plan.triggers, layout, pieces_left(problem, layout))
        packing = SlotProblem.of(problem, layout, alive, watched)
        return None if packing is None or not packing.options.size else cls(subject, packing)

    def tables(self, order: int) -> tuple[OrderTables, Longs]:
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

    def compactness(self) -> Floats:
        """For each slot, how many pairs of its cells are neighbours; 0 where that is unknown."""
        layout, problem = self.packing.layout, self.packing.problem
        many = np.zeros(self.packing.slots.size + 1)
        if layout is None:
            return many
        tables, rows = self.tables(0)
        cell_of = np.full(problem.n_items, -1, np.int64)
        cell_of[layout.cell_item] = np.arange(layout.n_cells)
        starts, beside = layout.adjacent
        for slot, row in zip(*np.unique(tables.slot, return_index=True), strict=True):
            cells = cell_of[problem.items_of(int(rows[row]))]
            inside = set(cells[cells >= 0].tolist())
            pairs = sum(len(inside.intersection(beside[starts[c] : starts[c + 1]])) for c in inside)
            many[slot] = pairs / 2
        return many

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
        from exactcover.runs.portfolio.kernels import Dive, PartialPacking, without_mines

        tables, rows = self.tables(0)
        alive = np.zeros(rows.size, bool)
        dive = Dive.start(tables, np.zeros(rows.size))
        without_mines(tables, PartialPacking.empty(tables), self.pockets, dive, alive)
        if not alive.all():
            self.packing = replace(self.packing, options=np.sort(rows[alive]))
            self._tables.clear()


def _sizes(packing: SlotProblem) -> tuple[float, bool]:
    """The mean number of open cells that a piece fills, and whether pieces have mixed sizes."""
    layout = packing.layout
    if layout is None:
        sizes = np.diff(packing.problem.starts)[packing.options]
        return float(sizes.mean()) if sizes.size else 1.0, False
    copies = np.maximum(layout.copies[:, 0], 1)
    used = layout.shape_size[layout.copies[:, 1] > 0]
    mixed = used.size > 0 and bool(used.max() >= MIXED * used.min())
    return float((layout.shape_size * copies).sum() / copies.sum()), mixed


def _pockets(subject: Subject) -> Pockets:
    """Which pockets are looked at: none if a piece is not connected, or holes are options."""
    model, layout = subject.model, subject.layout
    if model is None or layout is None or not layout.n_shapes:
        return Pockets(np.zeros(0, bool), 1, 0)
    used = layout.copies[:, 1] > 0
    if not layout.connected[used].all() or (layout.option_shape < 0).any():
        return Pockets(np.zeros(0, bool), 1, 0)
    most = min(POCKET, 3 * int(layout.shape_size.max()), layout.n_cells)
    sums = 1
    for size, (_, high) in zip(layout.shape_size.tolist(), layout.copies.tolist(), strict=True):
        sums = with_copies(sums, [size], 0, high, layout.n_cells)
    reachable = np.array([bool(sums >> size & 1) for size in range(layout.n_cells + 1)])
    smallest = int(layout.shape_size[used].min())
    # A larger pocket that pieces can make up is no landmine, so it need not be looked at.
    mines = (size for size in range(most, 0, -1) if not reachable[size] or size < 2 * smallest)
    return Pockets(reachable, smallest, next(mines, 0))


# -- macro orders ----------------------------------------------------------------------------------


def _orders(packing: SlotProblem) -> Iterator[Longs]:
    """Distinct orders of the items that must be covered, those that are best on most boards
    first."""
    layout, covered = packing.layout, np.zeros(packing.problem.n_items, bool)
    if layout is None or not packing.must.size:
        yield packing.must
        return
    covered[packing.must] = True
    seen = set()
    for cells in macro_orders(layout):
        if (text := cells.tobytes()) not in seen:
            seen.add(text)
            items = layout.cell_item[cells].astype(np.int64)
            yield items[covered[items]]


def macro_orders(layout: Layout) -> Iterator[Longs]:
    """Orders of the cells, confined regions first; some may be equal."""
    places = layout.positions
    if not len(places):
        return
    axes = np.argsort(-np.ptp(places, axis=0), kind="stable").tolist()
    longest, others = places[:, axes[0]], [places[:, axis] for axis in axes[1:]]
    yield _by(longest, *others)  # from one end of the longest axis to the other
    yield _by(-longest, *others)
    yield cell_order("narrow", layout)
    away = places - (places.min(axis=0) + places.max(axis=0)) / 2
    distance = (away**2).sum(axis=1)
    yield cell_order("R", layout)  # far from the centre first
    yield _by(-_steps_from(layout, int(distance.argmin())))  # arms first
    yield _by(-np.abs(away[:, axes[0]]), *others)  # both ends first
    if others:
        yield _by(np.arctan2(away[:, axes[1]], away[:, axes[0]]), distance)
        yield _by(others[0], longest)


def _by(*values: Floats) -> Longs:
    """The cells by the first of these values; ties by the next."""
    return np.lexsort([np.round(value, 6) for value in values][::-1]).astype(np.int64)


def _steps_from(layout: Layout, cell: int) -> Floats:
    """How many steps from cell to cell lead from one of them to each; -1: unreached."""
    starts, beside = layout.adjacent
    steps = np.full(layout.n_cells, -1.0)
    steps[cell] = 0
    queue = [cell]
    for one in queue:
        for other in beside[starts[one] : starts[one + 1]].tolist():
            if steps[other] < 0:
                steps[other] = steps[one] + 1
                queue.append(other)
    return steps


# -- manners ---------------------------------------------------------------------------------------

UNLIMITED = 1 << 30

HUGE = 50
"""A puzzle of this many pieces has manners of its own: they judge pieces by their shapes, or use
windows."""


@dataclass(frozen=True)
class Manner:
    """How a packer packs.

    order          the number of its macro order
    threshold      an ending takes over where this many pieces of mean size fill the open cells
    discrepancies  how many better options a dive may pass over on its way down
    skill          how much earlier difficult pieces come than easy ones; 0: not at all
    endings        the share of an attempt's steps that one ending may take
    bulk           how much earlier large pieces come than small ones; 0: not at all
    line           windows fill the board before an ending up to a line; this many pieces of mean
                   size fill what is behind it. 0: there are no windows
    length         the steps of an attempt, as a multiple of those of others
    by_shape       the less compact pieces are difficult, not those that seldom fitted before
    """

    order: int
    threshold: float
    discrepancies: int = UNLIMITED
    skill: float = 1.0
    endings: float = 0.25
    bulk: float = 0.0
    line: float = 0.0
    length: int = 1
    by_shape: bool = False

    def __str__(self) -> str:
        if self.bulk:
            return f"order {self.order}, large pieces first"
        if self.line:
            return f"order {self.order}, windows up to the last {self.line:g} pieces"
        limit = "" if self.discrepancies == UNLIMITED else f", discrepancies {self.discrepancies}"
        shape = " by shape" if self.by_shape else ""
        return (
            f"order {self.order}, fewest options from {self.threshold:g} pieces on, "
            f"skill {self.skill:g}{shape}{limit}"
        )


def manners(orders: int, *, mixed: bool = False, pieces: float = 0.0) -> tuple[Manner, ...]:
    """The manners of a race, those that are good on most puzzles first.

    mixed   whether pieces have very different sizes
    pieces  how many pieces of mean size fill the board
    """
    found = []
    if mixed:  # the square root of the cells is weighed, so large pieces come strictly first
        found += [
            Manner(order, 0.0, skill=0.0, endings=0.0, bulk=0.6) for order in range(min(orders, 3))
        ]
    if pieces >= HUGE:
        found += [Manner(order, 20.0, by_shape=True, length=8) for order in range(orders)]
        # From the ends of the longest axis; windows in other orders seldom succeed.
        found += [
            Manner(order, 34.0, skill=32.0, endings=0.5, line=22.0, length=64, by_shape=True)
            for order in range(min(orders, 2))
        ]
    styles = ((UNLIMITED, 1.0, 0.25), (8, 1.5, 0.1), (UNLIMITED, 0.5, 1.0))
    thresholds = (20.0, 28.0, 14.0, 36.0, 9.0)
    found += [
        Manner(order, threshold, discrepancies, skill, endings)
        for (discrepancies, skill, endings), threshold, order in product(
            styles, thresholds, range(orders)
        )
    ]
    return tuple(found)
