"""The part of a problem that a node leaves, for engines that fill cells: cells, images, kinds.

Every item of a problem plays one of three parts:

- a *kind* counts how often its options are chosen: it is an item that counts the copies of a shape,
  or one that may be covered more than once;
- a *cell* is filled by one image. If it may stay empty and that is a choice, an image of the kind
  `hole` stands for the empty cell, so every cell is filled in the end;
- the rest only exclude each other: secondary items that are no cells, and cells that may stay empty
  if every image lies on some cell that must be filled.

An option that covers no cell gets its own cell, filled by it or by nothing. So for every problem,
each solution is one way to fill the cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from exactcover.backends.arrays import UNLIMITED, Flags, Long, compressed
from exactcover.backends.heuristics.orders import cell_order, random_order
from exactcover.backends.node import Node, Residue
from exactcover.errors import CapabilityError
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout, pieces_left


@dataclass(frozen=True, eq=False)
class OpenBoard:
    """Cells to fill, images that fill them, and kinds that limit how often.

    place     int64 [cells]: where each cell lies in the layout, -1: nowhere
    n_bits    the number of bits: first the cells, then the bits that only exclude
    bits, owner  int64 [entries]: which image has which bit, in no order
    kind      int64 [images]
    option    int64 [images]: the option, -1: none, a cell stays empty
    room      int64 [kinds]: how many more may be placed; need: how many must be
    hole      the kind that leaves a cell of the layout empty, or the number of kinds if there is
              none; it is no piece, so the number of remaining pieces does not change with it
    remain    how many pieces must still be placed, or an estimate
    hopeless  whether an item that needs more options cannot get any
    """

    place: Long
    n_bits: int
    bits: Long
    owner: Long
    kind: Long
    option: Long
    room: Long
    need: Long
    hole: int
    remain: int
    hopeless: bool

    @property
    def n_cells(self) -> int:
        return self.place.size

    @classmethod
    def of(cls, problem: Problem, layout: Layout | None, node: Node) -> OpenBoard:
        """The board below a node.

        Raises `CapabilityError` if two items count an option.
        """
        residue = Residue.of(problem, node)
        is_kind, place_of = _parts(problem, layout)
        holes = _hole_items(problem, layout, place_of)
        is_kind[holes] = True
        items, options = residue.items, residue.options
        owner = np.repeat(np.arange(options.size), np.diff(residue.starts))
        kinds, kind = _kinds(problem, residue, is_kind, owner)
        room, need = residue.room[kinds].astype(np.int64), residue.need[kinds].astype(np.int64)

        must = np.zeros(problem.n_items, bool)
        must[: problem.primary] = (residue.need > 0) & (residue.room > 0)
        must &= ~is_kind
        is_cell = place_of >= 0
        is_cell[: problem.primary] |= ~is_kind[: problem.primary]
        bound = np.zeros(options.size, bool)
        bound[owner[must[items]]] = True
        may = np.zeros(problem.n_items, bool)
        may[items[~bound[owner]]] = True
        may &= is_cell & ~must
        own = ~bound
        own[owner[may[items]]] = False  # these options get a cell of their own

        is_bit = ~is_kind[items]
        bits, owners = _bits(problem, items[is_bit], owner[is_bit], must, may, np.flatnonzero(own))
        cell_items = np.concatenate([np.flatnonzero(must), np.flatnonzero(may)])
        place = np.concatenate([place_of[cell_items], np.full(int(own.sum()), -1)])

        # Cells that may stay empty, and the own cells of options, can be filled by nothing.
        spare = np.flatnonzero(may).size
        empties = np.arange(int(must.sum()), place.size)
        free = room.size if (kind < 0).any() or own.any() else -1
        if free >= 0:
            room, need = np.append(room, UNLIMITED), np.append(need, 0)
        kind = np.where(kind < 0, free, kind)
        counted = np.flatnonzero(np.isin(kinds, holes))
        hole = int(counted[0]) if counted.size else room.size
        if spare:
            hole = room.size
            room, need = np.append(room, _most_empty(residue, layout)), np.append(need, 0)
        kind = np.concatenate([kind, np.full(spare, hole), np.full(empties.size - spare, free)])
        bits = np.concatenate([bits, empties])
        owners = np.concatenate([owners, options.size + np.arange(empties.size)])
        closed = residue.room <= 0
        return cls(
            place=place.astype(np.int64),
            n_bits=int(bits.max(initial=place.size - 1)) + 1,
            bits=bits.astype(np.int64),
            owner=owners,
            kind=kind.astype(np.int64),
            option=np.concatenate([options, np.full(empties.size, -1)]).astype(np.int64),
            room=room,
            need=need.clip(0),
            hole=hole,
            remain=pieces_left(problem, layout, node.chosen),
            hopeless=bool((residue.need > 0)[closed].any() or (room < 0).any()),
        )

    def numbered(self, order: Long) -> OpenBoard:
        """The same board with its cells in this order: int64 [cells], their numbers here."""
        number = np.arange(self.n_bits)
        number[order] = np.arange(order.size)
        return replace(self, place=self.place[order], bits=number[self.bits])

    def rows(self) -> tuple[Long, Long]:
        """The bits of each image, compressed rows."""
        return compressed(self.owner, self.bits, self.kind.size)

    def neighbours(self, layout: Layout | None) -> tuple[Long, Long]:
        """The cells that share a side with each, compressed rows, ascending."""
        if layout is None:
            return np.zeros(self.n_cells + 1, np.int64), np.zeros(0, np.int64)
        number = np.full(layout.n_cells + 1, -1, np.int64)  # the last entry: cells without a place
        number[self.place] = np.arange(self.n_cells)
        number[-1] = -1
        starts, others = layout.adjacent
        owner, other = number[np.repeat(np.arange(layout.n_cells), np.diff(starts))], number[others]
        known = (owner >= 0) & (other >= 0)
        owner, other = owner[known], other[known]
        order = np.argsort(other, kind="stable")
        return compressed(owner[order], other[order], self.n_cells)


def in_order(name: str, board: OpenBoard, layout: Layout | None, seed: int = 0) -> Long:
    """The cells of a board in a fixed order; those without a place come last: int64 [cells].

    If no cell has a place there are two orders, `random` and the order of the board.
    """
    if layout is None:
        return random_order(board.n_cells, seed) if name == "random" else np.arange(board.n_cells)
    rank = np.zeros(layout.n_cells + 1, np.int64)  # the last entry is for cells without a place
    rank[cell_order(name, layout, seed)] = np.arange(layout.n_cells)
    return np.lexsort((rank[board.place], board.place < 0)).astype(np.int64)


def _parts(problem: Problem, layout: Layout | None) -> tuple[Flags, Long]:
    """Which items are kinds, and the place of each item in the layout; -1: none."""
    is_kind = np.zeros(problem.n_items, bool)
    is_kind[: problem.primary] = problem.high > 1
    place_of = np.full(problem.n_items, -1, np.int64)
    if layout is not None:
        place_of[layout.cell_item] = np.arange(layout.n_cells)
        is_kind[layout.shape_item[layout.shape_item >= 0]] = True
    is_kind[place_of >= 0] &= False
    return is_kind, place_of


def _hole_items(problem: Problem, layout: Layout | None, place_of: Long) -> IntArray:
    """The items that count the options without a piece: at most one item."""
    if layout is None or (layout.option_shape >= 0).all():
        return np.zeros(0, np.int32)
    holes = np.repeat(layout.option_shape < 0, np.diff(problem.starts))
    items = np.unique(problem.entries[holes])
    return items[(items < problem.primary) & (place_of[items] < 0)]


def _kinds(
    problem: Problem, residue: Residue, is_kind: Flags, owner: Long
) -> tuple[IntArray, Long]:
    """The items that are kinds and open, and the number of the kind of each option, or -1."""
    open_ = is_kind[: problem.primary] & (residue.room > 0)
    kinds = np.flatnonzero(open_).astype(np.int32)
    number = np.full(problem.n_items, -1, np.int64)
    number[kinds] = np.arange(kinds.size)
    kind = np.full(residue.options.size, -1, np.int64)
    counted = number[residue.items]
    if np.bincount(owner[counted >= 0], minlength=1).max() > 1:
        raise CapabilityError(
            "fila and automaton count an option by one item, as a copy of one piece; one that two "
            "items count dlx can take"
        )
    kind[owner[counted >= 0]] = counted[counted >= 0]
    return kinds, kind


def _bits(
    problem: Problem, items: IntArray, owner: Long, must: Flags, may: Flags, own: Long
) -> tuple[Long, Long]:
    """Entries of options as bits, with their owners: first cells, then bits that only exclude."""
    cell = must | may
    shared = np.bincount(items, minlength=problem.n_items) > 1
    excluding = shared & ~cell
    n_cells = int(cell.sum()) + own.size
    number = np.full(problem.n_items, -1, np.int64)
    number[must] = np.arange(must.sum())
    number[may] = must.sum() + np.arange(may.sum())
    number[excluding] = n_cells + np.arange(excluding.sum())
    wanted = number[items] >= 0
    bits = np.concatenate([number[items[wanted]], np.arange(n_cells - own.size, n_cells)])
    return bits, np.concatenate([owner[wanted], own])


def _most_empty(residue: Residue, layout: Layout | None) -> int:
    """How many cells can stay empty once all pieces that must be placed are placed."""
    if layout is None:
        return UNLIMITED
    counted = layout.shape_item >= 0
    need = residue.need[layout.shape_item[counted]].clip(0).astype(np.int64)
    primary = layout.cell_item < residue.need.size
    open_ = residue.room[layout.cell_item[primary]] > 0
    seen = np.unique(residue.items)
    secondary = np.isin(layout.cell_item[~primary], seen)
    least = int((need * layout.shape_size[counted]).sum())
    return int(open_.sum()) + int(secondary.sum()) - least
