"""A puzzle as an exact-cover problem, with the way back.

Three facts shape the problem:

* The copies of a shape are counted by one item, unless the cells do it anyway.
* A stationary piece leaves nothing to choose: its cells are taken out of the region beforehand.
* Cells that must be filled are primary items, cells that may stay empty secondary ones. Where the
  number of empty cells is itself bounded, a hole becomes an option, counted by an item of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.base.values import Value
from exactcover.errors import PuzzleError, UnknownName
from exactcover.geometry.cells import CellSet
from exactcover.geometry.colourings import colourings, natural_colouring
from exactcover.geometry.crossings import barred_pairs, crossings, have_pair
from exactcover.geometry.neighbours import components, neighbour_graph
from exactcover.geometry.shapes import anchors_of, is_connected, placements
from exactcover.problem import IntArray, Problem
from exactcover.problem.filters.totals import with_copies
from exactcover.problem.layout import Layout, pieces_left
from exactcover.puzzle.pieces import Cell, Placement, ShapeGroup, option_costs

if TYPE_CHECKING:
    from exactcover.puzzle.puzzle import Puzzle
    from exactcover.puzzle.symmetry import PuzzleSymmetries

MAX_ENTRIES = 10_000_000
"""A puzzle is refused if its placements may have more cells than this together: the problem would
take more than some seconds and 600 MiB."""

HOLE = "(empty)"

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Model(Value):
    """A puzzle as an exact-cover problem.

    free          the cells that are left when stationary pieces lie in their places
    groups        the shapes, as numbered in the layout
    option_cells  CSR over options: the cells that each fills, as positions in `free`
    reason        why there can be no solution, where counting shows it; else empty
    """

    puzzle: Puzzle
    problem: Problem
    layout: Layout
    free: CellSet
    groups: tuple[ShapeGroup, ...]
    option_cells: tuple[IntArray, IntArray]
    reason: str = ""

    def compared(self) -> tuple[Puzzle]:
        """The puzzle: all else follows from it."""
        return (self.puzzle,)

    def __repr__(self) -> str:
        return f"<Model of {self.puzzle!r}: {self.problem!r}>"

    @property
    def images(self) -> list[int]:
        """The number of placements of each shape."""
        shapes = self.layout.option_shape
        return [int((shapes == shape).sum()) for shape in range(len(self.groups))]

    @property
    def parts(self) -> int:
        """The number of connected parts of the free cells."""
        return int(components(self.layout.adjacent).max(initial=-1)) + 1

    @property
    def pieces(self) -> int:
        """The number of pieces to place, or the most that can be."""
        return pieces_left(self.problem, self.layout)

    @cached_property
    def symmetries(self) -> PuzzleSymmetries:
        """The symmetries of the puzzle, as permutations of the options."""
        from exactcover.puzzle.symmetry import puzzle_symmetries

        return puzzle_symmetries(self)

    def colourings(self, modulus: int | None = None) -> list[IntArray]:
        """Colours of the free cells: of the natural colouring, or of all modulo a number."""
        lattice = self.puzzle.lattice
        natural = natural_colouring(lattice)
        wanted = colourings(lattice, modulus) if modulus else [natural] if natural else []
        return [colouring.colours(lattice, self.free.cells) for colouring in wanted]

    def shape_called(self, name: str) -> int:
        """The shape of the movable piece with this name; raises `UnknownName`."""
        for number, group in enumerate(self.groups):
            if name in [piece.name for piece in group.members]:
                return number
        raise UnknownName("movable piece", name, [piece.name for piece in self.puzzle.movable])

    def title_of(self, kind: str, number: int) -> str:
        """A `piece`, by its shape, or a free `cell`, for a reader."""
        if kind == "piece":
            return self.groups[number].title
        return f"the cell {tuple(self.free.cells[number].tolist())}"

    def cells_of(self, option: int) -> IntArray:
        """The cells that an option fills, as positions in `free`."""
        starts, cells = self.option_cells
        return cells[starts[option] : starts[option + 1]]

    @cached_property
    def _points(self) -> list[Cell]:
        """The coordinates of each free cell: much faster to look up than in an array."""
        return [tuple(cell) for cell in self.free.cells.tolist()]

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        """A solution as pieces in their places, stationary ones first."""
        placed = [
            Placement(piece.name, tuple(map(tuple, piece.cells.tolist())))
            for piece in self.puzzle.stationary
        ]
        by_group: dict[int, list[int]] = {}
        for option in options:
            by_group.setdefault(int(self.layout.option_shape[option]), []).append(option)
        for number, group in enumerate(self.groups):
            chosen = by_group.get(number, [])
            for option, name in zip(chosen, group.names(len(chosen)), strict=True):
                cells = tuple([self._points[cell] for cell in self.cells_of(option).tolist()])
                placed.append(Placement(name, cells))
        return tuple(placed)


def build_model(puzzle: Puzzle, keep: Callable[[CellSet, IntArray], Flags] | None = None) -> Model:
    """Items, options and layout of a puzzle.

    keep  says which placements of a shape are kept: int32 [placements, size], cells of the free
          ones; None: all are
    """
    groups = puzzle.groups
    free = _free_cells(puzzle)
    optional = CellSet.of(puzzle.lattice, puzzle.region.optional).find(free.cells) >= 0
    if keep is None:  # a floor has counted its own beforehand
        _check_size(puzzle, free)
    by_shape = _placements_by_shape(puzzle, free, keep)
    volume = volume_reason(puzzle, len(free), int(optional.sum()))
    holes = _hole_range(puzzle, int(optional.sum()), fits=not volume)
    cell_item, count_item, bounds, names = _number(groups, free, optional, holes)
    low, high = np.array(bounds, np.int64).reshape(len(bounds), 2).T

    blocks = [*by_shape]
    if holes is not None:
        blocks.append(np.flatnonzero(optional).astype(np.int32)[:, None])
    shape_of_block = [*range(len(groups)), -1][: len(blocks)]
    rows = []
    for cells, item in zip(blocks, count_item.tolist(), strict=False):
        counted = np.full((len(cells), int(item >= 0)), item, np.int32)  # a column, or none
        rows.append(np.hstack([cell_item[cells], counted]))
    starts, entries = _concatenated(rows)
    option_cells = _concatenated(blocks)
    may_cross = np.array([puzzle.may_cross(group.members[0]) for group in groups], bool)
    if not may_cross.all():
        block_may = [*may_cross, True][: len(blocks)]  # a hole crosses nothing
        options, points = crossings(
            free, option_cells, np.repeat(block_may, [len(block) for block in blocks])
        )
        starts, entries = _with_secondary(starts, entries, options, len(names))
        names = names + points

    problem = Problem.from_arrays(
        len(names),
        starts,
        entries,
        primary=len(bounds),
        low=low,
        high=high,
        costs=option_costs(groups, puzzle.region.costs, free, blocks),
        items=names,
    )
    counts = [len(block) for block in blocks]
    layout = Layout(
        cell_item=cell_item,
        positions=puzzle.lattice.positions(free.cells),
        adjacent=neighbour_graph(free),
        optional=optional,
        option_shape=np.repeat(shape_of_block, counts).astype(np.int32),
        shape_item=count_item[:-1],
        shape_size=np.array([group.size for group in groups], np.int32),
        copies=np.array(
            [[group.low, _most(group, len(free))] for group in groups], np.int32
        ).reshape(len(groups), 2),
        connected=np.array(
            [is_connected(puzzle.lattice, group.forms[0]) for group in groups], bool
        ),
    )
    reason = _reason(puzzle, by_shape, volume)
    return Model(puzzle, problem, layout, free, groups, option_cells, reason)


# -- cells and placements -------------------------------------------------------------------------


def _free_cells(puzzle: Puzzle) -> CellSet:
    """The cells of the region without those of stationary pieces."""
    keep = np.ones(len(puzzle.space), bool)
    for piece in puzzle.stationary:
        keep[puzzle.space.find(piece.cells)] = False
    return puzzle.space.part(keep)


def _check_size(puzzle: Puzzle, free: CellSet) -> None:
    """Refuse a puzzle of too many placements before they are listed."""
    if len(free) * sum(group.forms[..., 0].size for group in puzzle.groups) <= MAX_ENTRIES:
        return
    room = MAX_ENTRIES
    for group in patiently(puzzle.groups):
        room -= group.size * sum(len(anchors_of(free, form)) for form in group.forms)
        if room < 0:
            name = group.members[0].name
            raise PuzzleError(
                f"the pieces up to {name} have too many placements in the {len(free):,} cells of "
                f"the region, with more than {MAX_ENTRIES:,} cells together: use a smaller region "
                "or fewer pieces",
                piece=name,
            )


def _placements_by_shape(
    puzzle: Puzzle, free: CellSet, keep: Callable[[CellSet, IntArray], Flags] | None
) -> list[IntArray]:
    """For each shape its placements, as positions in `free`: int32 [placements, size]."""
    by_shape = []
    barred = {crossing: _barred(puzzle, free, crossing=crossing) for crossing in (False, True)}
    for group in puzzle.groups:
        piece, paint = group.members[0], puzzle.paint
        if paint is not None and paint.has(piece):
            cells = paint.placements(free, piece, puzzle.motions(piece))
        else:
            cells = placements(free, group.forms)
        if keep is not None:
            cells = cells[keep(free, cells)]
        by_shape.append(cells[~have_pair(cells, barred[puzzle.may_cross(piece)])])
    return by_shape


def _barred(puzzle: Puzzle, free: CellSet, *, crossing: bool) -> npt.NDArray[np.int64]:
    """The pairs of free cells that no piece may have both of: it would cross a stationary one.

    crossing  of a piece that may cross others: only those that may not be crossed are in its way
    """
    parts = [
        puzzle.space.find(piece.cells)
        for piece in puzzle.stationary
        if not (crossing and puzzle.may_cross(piece))
    ]
    if not parts:
        return np.zeros((0, 2), np.int64)
    pairs = free.find(puzzle.space.cells[barred_pairs(puzzle.space, parts)])
    return pairs[(pairs >= 0).all(axis=1)].astype(np.int64)


# -- items ----------------------------------------------------------------------------------------


def _number(
    groups: Sequence[ShapeGroup], free: CellSet, optional: Flags, holes: tuple[int, int] | None
) -> tuple[IntArray, IntArray, list[tuple[int, int]], list[str]]:
    """Number the items: cells to fill, counted shapes, the count of holes, then secondary cells.

    Returns the item of each cell, int32 [cells]; the items that count shapes and holes, int32
    [shapes + 1], -1: not counted; the bounds of the primary items; and the names of all items.
    """
    must = np.ones(len(free), bool) if holes is not None else ~optional
    n_must = int(must.sum())
    counted = [_is_counted(group, groups, len(free), optional) for group in groups]
    counted.append(holes is not None)
    count_item = np.full(len(counted), -1, np.int32)
    count_item[counted] = n_must + np.arange(sum(counted))
    bounds = [(1, 1)] * n_must
    listed = [group for group, needed in zip(groups, counted, strict=False) if needed]
    bounds += [(group.low, _most(group, len(free))) for group in listed]
    if holes is not None:
        bounds.append(holes)
    cell_item = np.empty(len(free), np.int32)
    cell_item[must] = np.arange(n_must)
    cell_item[~must] = len(bounds) + np.arange(len(free) - n_must)

    cells = [",".join(map(str, cell)) for cell in free.cells.tolist()]
    names = [
        *(name for name, filled in zip(cells, must, strict=True) if filled),
        *(group.title for group in listed),
        *([HOLE] if holes is not None else []),
        *(name for name, filled in zip(cells, must, strict=True) if not filled),
    ]
    return cell_item, count_item, bounds, names


def _most(group: ShapeGroup, n_cells: int) -> int:
    """The most copies of a shape that there can be."""
    room = n_cells // group.size
    return max(group.low, room if group.high is None else min(group.high, room))


def _is_counted(
    group: ShapeGroup, groups: Sequence[ShapeGroup], n_cells: int, optional: Flags
) -> bool:
    """Whether the problem must count the copies of this shape: not where the cells do it anyway."""
    # A placement that lies on optional cells alone needs an item that requires it.
    if optional.any():
        return True
    unbounded = group.low == 0 and _most(group, n_cells) >= n_cells // group.size
    alone = len(groups) == 1 and n_cells == group.low * group.size
    return not (unbounded or alone)


def _hole_range(puzzle: Puzzle, n_optional: int, *, fits: bool) -> tuple[int, int] | None:
    """How many holes the problem must count, or None where their number needs no item.

    Where every shape has a fixed number of copies, the number of holes is fixed with them: if it is
    one that fits, nothing is left to count.
    """
    empty = puzzle.region.empty
    if empty is None or (fits and all(group.low == group.high for group in puzzle.groups)):
        return None
    return empty[0], max(empty[0], min(empty[1], n_optional))


# -- options --------------------------------------------------------------------------------------


def _concatenated(blocks: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Blocks of rows [m, width], widths differing, as compressed rows."""
    widths = np.repeat([block.shape[1] for block in blocks], [len(block) for block in blocks])
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int32)
    entries = np.concatenate([np.zeros(0, np.int32), *(block.ravel() for block in blocks)])
    return starts, entries.astype(np.int32)


def _with_secondary(
    starts: IntArray, entries: IntArray, options: Sequence[IntArray], first_item: int
) -> tuple[IntArray, IntArray]:
    """Compressed rows with new items from `first_item` on, each in the options listed for it."""
    owners = np.concatenate([np.repeat(np.arange(len(starts) - 1), np.diff(starts)), *options])
    new = np.repeat(np.arange(len(options)), [len(listed) for listed in options])
    items = np.concatenate([entries, first_item + new])
    order = np.argsort(owners, kind="stable")
    return np.searchsorted(owners[order], np.arange(len(starts))).astype(np.int32), items[order]


# -- reasons --------------------------------------------------------------------------------------


def volume_reason(puzzle: Puzzle, n_cells: int, n_optional: int) -> str:
    """Why the cells and the pieces cannot agree in number, or nothing."""
    least_empty, most_empty = puzzle.region.empty or (0, n_optional)
    most_empty = min(most_empty, n_optional)
    wanted = range(n_cells - most_empty, n_cells - least_empty + 1)
    least = sum(group.low * group.size for group in puzzle.groups)
    sums = 1
    for group in puzzle.groups:
        sums = with_copies(sums, [group.size], group.low, _most(group, n_cells), n_cells)
    if any(sums >> total & 1 for total in wanted):
        return ""
    if not wanted:
        return f"{least_empty:,} cells must stay empty, but only {most_empty:,} may"
    needed = " to ".join(f"{one:,}" for one in dict.fromkeys((wanted[0], wanted[-1])))
    fixed = all(group.low == group.high for group in puzzle.groups)
    if fixed or least > wanted[-1]:
        filled = f"{least:,} {'cell' if least == 1 else 'cells'}"
        verb = "is" if needed == "1" else "are"
        return (
            f"the pieces fill {'' if fixed else 'at least '}{filled}, but {needed} {verb} to be "
            "filled"
        )
    cells = "cell, as many as is" if needed == "1" else "cells, as many as are"
    return f"no choice of pieces fills {needed} {cells} to be filled"


def _reason(puzzle: Puzzle, by_shape: Sequence[IntArray], volume: str) -> str:
    """Which piece the region has no place for, even if nothing else lies there; or else the reason
    by volume; or else which piece has no place left; or nothing."""
    pairs = zip(puzzle.groups, by_shape, strict=True)
    without = [group for group, cells in pairs if group.low and not len(cells)]
    for group in without:
        if not len(placements(puzzle.space, group.forms)):
            return (
                f"piece {group.title} cannot fit: the region has no place for it in any orientation"
            )
    if volume or not without:
        return volume
    where = "beside the stationary pieces"
    if puzzle.paint is not None:
        where = "where its colours may lie"
    return f"piece {without[0].title} has no place left {where}"


# -- how many pieces ------------------------------------------------------------------------------


NEVER = 1 << 40
"""More pieces than there are."""


class Amounts(NamedTuple):
    """The least and the most of each that a solution can have; None where there is none."""

    cells: tuple[int, int]
    pieces: tuple[int, int]


def amounts(model: Model) -> Amounts | None:
    """The bounds from the numbers of cells and pieces; None if they allow no solution."""
    n_cells, optional = len(model.free), int(model.layout.optional.sum())
    least_empty, most_empty = model.puzzle.region.empty or (0, optional)
    fewest = np.full(n_cells + 1, NEVER, np.int64)
    most = np.full(n_cells + 1, -NEVER, np.int64)
    fewest[0] = most[0] = 0
    for size, copies, must in _batches(model):
        if size * copies > n_cells:
            if must:
                return None
            continue
        more_cells = n_cells + 1 - size * copies
        with_few, with_many = np.full_like(fewest, NEVER), np.full_like(most, -NEVER)
        with_few[size * copies :] = fewest[:more_cells] + copies
        with_many[size * copies :] = most[:more_cells] + copies
        fewest = with_few if must else np.minimum(fewest, with_few)
        most = with_many if must else np.maximum(most, with_many)
    filled = np.arange(max(0, n_cells - min(most_empty, optional)), n_cells - least_empty + 1)
    filled = filled[most[filled] >= 0]
    if not filled.size:
        return None
    return Amounts(
        (int(filled[0]), int(filled[-1])), (int(fewest[filled].min()), int(most[filled].max()))
    )


def _batches(model: Model) -> Iterator[tuple[int, int, bool]]:
    """Size, number of copies, whether they must be placed: any number is a sum of some batches."""
    for size, (low, high) in zip(model.layout.shape_size, model.layout.copies, strict=True):
        if low:
            yield int(size), int(low), True
        spare, step = int(high) - int(low), 1
        while spare > 0:
            step = min(step, spare)
            yield int(size), step, False
            spare -= step
            step *= 2
