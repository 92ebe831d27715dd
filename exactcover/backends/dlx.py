"""The exact-cover search engine: Knuth's algorithms X, C and M, resumable.

It takes every problem that the package can state: secondary items, colours, multiplicities with
ranges. The search itself is in `dlx_kernel`. The first search imports that module, and compiles it
if the cache does not have it yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import UNLIMITED, Index, Long, bits_of
from exactcover.backends.base import (
    NUMBER,
    Backend,
    Branching,
    Capabilities,
    Phase,
    Watch,
)
from exactcover.backends.heuristics import Heuristic
from exactcover.backends.heuristics.base import chooser, divided, user_heuristic
from exactcover.backends.heuristics.orders import BY_LAYOUT, cell_order, random_order, tied_ranks
from exactcover.backends.matrix_search import NO_CUT, MatrixSearch, pieces_by_level, places
from exactcover.backends.node import Node, Residue
from exactcover.base import LazyModule
from exactcover.errors import StrategyError
from exactcover.problem import IntArray, Layout, Problem
from exactcover.problem.layout import pieces_left

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exactcover.backends import dlx_kernel as kernel
else:
    kernel = LazyModule("exactcover.backends.dlx_kernel")

CLAMPS = {"s": 1 << 29, "f": 2}
"""The heuristics, each with its clamp: the number of branches from which on all items count as
equal.

`s` takes an item with the fewest branches; `f` takes the first item, unless an item has no branch
or a single one. Ties go to the item with the lowest number.
"""


class DlxRoot:
    """A root made ready, below which many searches begin.

    read   its phases
    options  int32: those of its root
    lengths  of the options; arrays: the problem for `fill_tables`
    room   int32 [items]: how many options each item can take; spare: more than it needs
    """

    def __init__(self, problem: Problem, layout: Layout | None, how: Branching) -> None:
        self.problem, self.layout, self.how = problem, layout, how
        pieces = pieces_left(problem, layout, how.root.chosen)
        self.read = read_phases(how.phases, layout, problem.n_items, pieces)
        self.options = Residue.of(problem, how.root).options
        self.lengths = np.diff(problem.starts)
        self.room = np.append(problem.high, np.ones(problem.n_items - problem.primary, np.int32))
        self.spare = problem.high - problem.low
        self.arrays = problem.starts, problem.entries, problem.colours, problem.primary

    def tables(self, node: Node) -> tuple[kernel.DlxTables, IntArray, IntArray]:
        """The tables of the options that a node leaves; of each primary item, how many more options
        it needs, and can take."""
        problem, primary = self.problem, self.problem.primary
        chosen = np.array(node.chosen, np.int32)
        allowed = np.ones(problem.n_options, bool) if node.allowed is None else node.allowed.copy()
        allowed[chosen] = False
        left = self.options[allowed[self.options]]
        nodes = int(self.lengths[left].sum())
        out = kernel.DlxTables(
            options=np.empty(left.size, np.int32),
            starts=np.zeros(left.size + 1, np.uint32),
            owner=np.empty(nodes, np.uint32),
            item_of=np.empty(nodes, np.uint32),
            colour=np.empty(nodes, np.uint32),
            first=np.zeros(problem.n_items + 1, np.uint32),
            cells=np.empty(nodes, np.uint32),
            place=np.empty(nodes, np.uint32),
        )
        room, settled = self.room.copy(), np.zeros(problem.n_items, np.int32)
        many = kernel.fill_tables(*self.arrays, left, chosen, room, settled, out)
        nodes = int(out.starts[many])
        tables = kernel.DlxTables(
            out.options[:many], out.starts[: many + 1], out.owner[:nodes], out.item_of[:nodes],
            out.colour[:nodes], out.first, out.cells[:nodes], out.place[:nodes],
        )  # fmt: skip
        need = room[:primary] - self.spare
        return tables, need, room[:primary]

    def begin(self, node: Node, cut: int | None = None) -> DlxSearch:
        """A search of a node; compiles the kernel if necessary."""
        return DlxSearch(self, node, cut)


class DlxSearch(MatrixSearch):
    """A search under way; all that changes while it runs is in its arrays."""

    _kernel = kernel

    def __init__(self, root: DlxRoot, node: Node, cut: int | None) -> None:
        problem, layout, read = root.problem, root.layout, root.read
        primary, n_items = problem.primary, problem.n_items
        self._problem, self._layout = problem, layout
        self._node, self._cut, self._tallies = node, cut, root.how.tally
        self._chosen = np.array(node.chosen, np.int32)
        tables, need, room = root.tables(node)
        first = tables.first
        self._option_of = tables.options[tables.owner]
        sizes = np.diff(first)
        floor = np.zeros(n_items, np.uint32)
        floor[:primary] = first[:primary] + need.clip(0)
        open_ = room > 0
        active = np.concatenate(
            [np.flatnonzero(open_), np.flatnonzero(~open_), np.arange(primary, n_items)]
        )
        ranged = bool(((need != 1) | (room != 1))[open_].any())
        mark = first[1:].copy()
        most = np.minimum(room, sizes[:primary]).clip(0)
        self._longest = int(min(most.sum(), tables.options.size))
        levels = self._longest + primary + 1
        general = None
        is_general = ranged or bool(tables.colour.any()) or root.how.watch is not None
        if is_general or root.how.tally or cut is not None or not read.simple:
            general = _general(root, node, cut, tables, room, levels)
        self.general, self._heuristic = general, read.user
        self.watch = _watch(root.how.watch, node.chosen, tables, problem, levels)
        self._rating = _rating(layout, read)
        self._tally = None if general is None else general.tally
        self._stack = np.zeros((levels, kernel.FRAME), np.int64)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._tables: kernel.DlxState = kernel.DlxState(
            clamp=int(read.clamps[0]),
            primary=primary,
            longest=self._longest,
            begin_of=tables.starts[tables.owner],
            end_of=tables.starts[tables.owner + 1],
            item_of=tables.item_of,
            colour=tables.colour,
            first=first,
            cells=tables.cells,
            place=tables.place,
            mark=mark,
            floor=floor,
            active=active.astype(np.uint32),
            where=np.argsort(active).astype(np.uint32),
            need=need,
            saved=mark.copy(),
            trail=np.empty((tables.item_of.size + 1, 2), np.uint32),
            stack=self._stack,
            registers=self._registers,
        )
        self._registers[kernel.LIVE] = int(open_.sum())
        self._registers[kernel.WIDE] = n_items
        # The kernel computes the needs of open items; it never reads those of the others.
        self._done = bool((need > 0)[~open_].any())
        if self.watch is not None and not self._done:
            self._done = not kernel.can_be_completed(0, self.watch)

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        choose = None if self._heuristic is None else chooser(self._heuristic)
        status: int = kernel.dance(
            steps, keep, capacity, self._tables, self.general, self.watch, choose, self._rating,
            starts, numbers,
        )  # fmt: skip
        if status == kernel.FAILED:
            assert self._heuristic is not None
            raise StrategyError(
                f"heuristic {self._heuristic.name!r} raised an exception at a state of the search: "
                "it must return a number for every open cell"
            )
        return status

    def _untried(self, level: int) -> IntArray | None:
        """The options of the branches not begun at a level.

        None where an item above takes several options, or takes no more of them: such a branch
        excludes options that conflict with none.
        """
        frames = self._stack[: level + 1]
        item, begun, branches = frames[level, [kernel.ITEM, kernel.BRANCH, kernel.BRANCHES]]
        problem = self._problem
        if frames[:, kernel.SHARED].any() or (frames[:level, kernel.NODE] < 0).any():
            return None
        if problem.low[item] != problem.high[item]:
            return None
        first, cells = self._tables.first, self._tables.cells
        options: IntArray = self._option_of[cells[first[item] + np.arange(begun + 1, branches)]]
        return options

    def _selectable(self) -> IntArray:
        """The options in the sets of open items."""
        state = self._tables
        wanted = np.zeros(state.mark.size, bool)
        wanted[state.active[: self._registers[kernel.LIVE]]] = True
        items = state.item_of
        return self._option_of[wanted[items] & (state.place < state.mark[items])]


@dataclass(frozen=True, eq=False)
class DlxPhases:
    """The phases of a search: how to branch by the number of pieces left.

    In every phase, an item without an option comes first and an item with a single branch next. A
    fixed order then takes the first open cell in it. Items that are no cells come last. Ties are
    decided by the fewest branches, then by number. A user's own heuristic takes the open cell with
    the lowest rating, or the item with the fewest branches if no cell is open.

    phase   int64 [pieces + 1]: the phase for each number of pieces left
    clamps  int64 [phases]; ranks int64 [phases, items]: see the kernel
    rates   int64 [phases]: 1 where the user's heuristic `user` rates with `arguments`
    simple  whether a clamp alone says how to branch
    """

    phase: Long
    clamps: Long
    ranks: Long
    rates: Long
    simple: bool
    user: Heuristic | None = None
    arguments: tuple[float, ...] = ()


def read_phases(
    phases: tuple[Phase, ...], layout: Layout | None, n_items: int, pieces: int
) -> DlxPhases:
    """The phases as tables, for this number of pieces and items."""
    phase = np.zeros(pieces + 1, np.int64)
    clamps, ranks, rates = [], [], []
    user: Heuristic | None = None
    arguments: tuple[float, ...] = ()
    for number, one in enumerate(phases):
        begin = pieces if one.remaining is None else min(one.remaining, pieces)
        if number:
            phase[: begin + 1] = number
        name, written = divided(one.heuristic)
        its = user_heuristic(name)
        rates.append(its is not None)
        if its is not None:
            user, arguments = its, its.values(written)
        clamps.append(CLAMPS.get(one.heuristic, 2))
        ranks.append(_ranks(one.heuristic, layout, n_items, int(one.settings.get("seed", 0))))
    return DlxPhases(
        phase=phase,
        clamps=np.array(clamps, np.int64),
        ranks=np.array(ranks, np.int64),
        rates=np.array(rates, np.int64),
        simple=len(phases) == 1 and phases[0].heuristic in CLAMPS,
        user=user,
        arguments=arguments,
    )


def _ranks(name: str, layout: Layout | None, n_items: int, seed: int) -> Long:
    if name == "s" or user_heuristic(name) is not None:
        return np.zeros(n_items, np.int64)
    if name == "f":
        return np.arange(n_items, dtype=np.int64)
    if layout is None:  # `random`: every other order needs the places of cells
        return random_order(n_items, seed)
    out = np.full(n_items, layout.n_cells, np.int64)
    if name in BY_LAYOUT:
        out[layout.cell_item[cell_order(name, layout, seed)]] = np.arange(layout.n_cells)
    else:
        out[layout.cell_item] = tied_ranks(name, layout.positions)
    return out


def _general(
    root: DlxRoot,
    node: Node,
    cut: int | None,
    tables: kernel.DlxTables,
    room: IntArray,
    levels: int,
) -> kernel.DlxGeneral:
    """The data of a search that is not plain; what it does not use is empty."""
    problem, layout, read = root.problem, root.layout, root.read
    left = pieces_by_level(problem, layout, node, levels + 1)
    return kernel.DlxGeneral(
        room=room,
        settled=np.zeros(problem.n_items, np.uint32),
        places=places(tables.options[tables.owner], layout),
        left=left,
        cut=NO_CUT if cut is None else cut,
        tally=np.zeros(int(left[0]) + 1, np.int64),
        phase=read.phase,
        clamps=read.clamps,
        ranks=read.ranks,
    )


def _rating(layout: Layout | None, read: DlxPhases) -> kernel.DlxRating | None:
    """The data that a user's heuristic reads; None without one."""
    if layout is None or read.user is None:
        return None
    starts, near = layout.adjacent
    return kernel.DlxRating(
        rates=read.rates,
        open=np.zeros(layout.n_cells, bool),
        fits=np.zeros(layout.n_cells, np.int64),
        left=np.where(layout.shape_item < 0, UNLIMITED, 0).astype(np.int64),
        positions=np.ascontiguousarray(layout.positions, np.float64),
        near_starts=starts.astype(np.int64),
        near=near.astype(np.int64),
        arguments=np.array(read.arguments, np.float64),
        cell_item=layout.cell_item.astype(np.int64),
        shape_item=layout.shape_item.astype(np.int64),
    )


def _watch(
    watch: Watch | None,
    chosen: Sequence[int],
    tables: kernel.DlxTables,
    problem: Problem,
    levels: int,
) -> kernel.DlxWatch | None:
    """The triggers' running numbers at a node, with room for all levels; None without any."""
    if watch is None:
        return None
    ledger = np.zeros((levels + 1, watch.start.size), np.int64)
    ledger[0] = watch.start + watch.steps[list(chosen)].sum(axis=0)
    is_open = np.zeros((levels + 1, watch.optional.size), np.uint64)
    cell_of = np.full(problem.n_items, -1, np.int32)
    cell_of[watch.cell_item] = np.arange(watch.cell_item.size)
    if watch.optional.size:
        filled = [cell_of[problem.items_of(option)] for option in chosen]
        cells = np.setdiff1d(np.arange(watch.cell_item.size), np.concatenate([[-1], *filled]))
        is_open[0] = bits_of(cells, watch.optional.size)
    return kernel.DlxWatch(
        option_of=tables.owner,
        steps=watch.steps[tables.options],
        ledger=ledger,
        down_to=watch.down_to,
        shortfall=watch.shortfall,
        parts_down_to=watch.parts_down_to,
        least=min([watch.parts_down_to, *watch.down_to.tolist()]),
        cell_of=cell_of,
        near=watch.near,
        optional=watch.optional,
        open=is_open,
        work=np.zeros((2, watch.optional.size), np.uint64),
    )


backend = Backend(
    "dlx",
    "dancing cells (Knuth's algorithms X, C, M): every kind of problem, all solutions",
    Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=tuple(CLAMPS),
        cuts=True,
        triggers=True,
        orders=True,
        phases=True,
        rates=True,
        settings={"seed": NUMBER},
    ),
    lambda problem, layout, how: DlxRoot(problem, layout, how).begin,
)
