"""A puzzle: pieces to place on the cells of a region of a lattice.

A `Puzzle` is what a person says. `Puzzle.model` is what an engine needs: the exact-cover problem,
its layout, and the way back from options to pieces and cells. Three facts shape the model:

* Pieces of equal shape are copies of one shape: exchanging two of them makes no new solution. So
  the problem counts shapes, and names are given out when a solution is read.
* A stationary piece leaves nothing to choose. Its cells are taken out of the region beforehand.
* Cells that must be filled are primary items, cells that may stay empty secondary ones. Where the
  number of empty cells is itself bounded, a hole becomes an option, counted by an item of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.geometry.images import images_of_shape
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.geometry.shapes import canonical_form, orientations
from exactcover.lattices.base import Cells, Lattice
from exactcover.layout import Layout
from exactcover.problem import MAX_COUNT, IntArray, Problem

MAX_IMAGES = 5_000_000
"""More images than this are refused: the problem would not fit the memory of a small machine."""

MAX_COORDINATE = 1_000_000

Cell = tuple[int, ...]


def cells_array(lattice: Lattice, cells: npt.ArrayLike, where: str) -> Cells:
    """Cells as an array [n, width], checked to be distinct cells of the lattice."""
    try:
        array = np.asarray(cells)
    except (ValueError, OverflowError):
        array = np.zeros(0, dtype=object)
    if array.size == 0 and array.ndim <= 2:
        array = array.reshape(0, lattice.width).astype(np.int64)
    if array.ndim != 2 or array.shape[1] != lattice.width or array.dtype.kind not in "iu":
        raise PuzzleError(f"{where}: each cell is {lattice.coordinates_text()}")
    array = array.astype(np.int64)
    if array.size and np.abs(array).max() > MAX_COORDINATE:
        raise PuzzleError(f"{where}: coordinates must lie within +-{MAX_COORDINATE}")
    kinds = lattice.kind_numbers(array)
    wrong = (kinds < 0) | (kinds >= len(lattice.kinds))
    if wrong.any():
        cell = tuple(array[wrong.argmax()].tolist())
        raise PuzzleError(f"{where}: {cell} is no cell: it takes {lattice.coordinates_text()}")
    distinct, counts = np.unique(array, axis=0, return_counts=True)
    if len(distinct) < len(array):
        raise PuzzleError(
            f"{where}: cell {tuple(distinct[counts.argmax()].tolist())} is there twice"
        )
    return array


@dataclass(frozen=True, eq=False)
class Piece:
    """A named shape, and how many copies of it are to be placed.

    cells       its cells; for a stationary piece these very cells, otherwise only its shape
    low, high   how many copies, at least and at most; `high` None: as many as there is room for
    stationary  the piece lies where it is drawn
    """

    name: str
    cells: Cells
    low: int = 1
    high: int | None = 1
    stationary: bool = False

    def __post_init__(self) -> None:
        if not self.name or any(c.isspace() for c in self.name):
            raise PuzzleError(f"{self.name!r} is no name for a piece: it must be one word")
        most = MAX_COUNT if self.high is None else self.high
        if not 0 <= self.low <= most <= MAX_COUNT:
            raise PuzzleError(
                f"piece {self.name}: {self.low}..{self.high} copies: a count must not be negative, "
                "and a range must not run backwards",
                piece=self.name,
            )
        if self.stationary and (self.low, self.high) != (1, 1):
            raise PuzzleError(
                f"piece {self.name} is stationary: there is just one of it", piece=self.name
            )

    def __repr__(self) -> str:
        return f"<Piece {self.name}: {len(self.cells)} cells, {self.copies_text()}>"

    def copies_text(self) -> str:
        """How many copies, for a reader: `stationary`, `3`, `0..2`, `any number`."""
        if self.stationary:
            return "stationary"
        if self.high is None:
            return "any number" if self.low == 0 else f"{self.low} or more"
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


@dataclass(frozen=True, eq=False)
class Region:
    """The cells to fill.

    cells     cells that must be filled
    optional  cells that may stay empty
    empty     how many of the optional cells must stay empty, at least and at most; None: any number
    """

    cells: Cells
    optional: Cells
    empty: tuple[int, int] | None = None


@dataclass(frozen=True)
class Placement:
    """A piece in its place."""

    piece: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class ShapeGroup:
    """The movable pieces of one shape: to the problem they are copies of each other.

    forms    the distinct orientations [m, n, width]
    members  the pieces, in the order of the puzzle
    """

    forms: Cells
    members: tuple[Piece, ...]

    @property
    def size(self) -> int:
        return int(self.forms.shape[1])

    @property
    def low(self) -> int:
        return sum(piece.low for piece in self.members)

    @property
    def high(self) -> int | None:
        """At most so many copies; None: as many as there is room for."""
        total = 0
        for piece in self.members:
            if piece.high is None:
                return None
            total += piece.high
        return total

    @property
    def title(self) -> str:
        return "/".join(piece.name for piece in self.members)

    def names(self, count: int) -> list[str]:
        """The names of `count` placed copies: each piece its least number, then up to its most."""
        placed = [piece.name for piece in self.members for _ in range(piece.low)][:count]
        for piece in self.members:
            room = count if piece.high is None else piece.high
            placed += [piece.name] * min(room - piece.low, count - len(placed))
        return placed


@dataclass(frozen=True, eq=False)
class Puzzle:
    """Pieces to place on the cells of a region. Immutable; validated when made.

    reflections  pieces may be turned over; None: as is natural on the lattice
    crossing     pieces of sticks may cross each other; elsewhere it means nothing
    """

    lattice: Lattice
    region: Region
    pieces: tuple[Piece, ...]
    reflections: bool | None = None
    crossing: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        cells = cells_array(self.lattice, self.region.cells, "the region")
        optional = cells_array(self.lattice, self.region.optional, "the optional cells")
        object.__setattr__(self, "region", Region(cells, optional, self.region.empty))
        if self.reflections is None:
            object.__setattr__(self, "reflections", self.lattice.flips)
        if not len(cells) and not len(optional):
            raise PuzzleError("the region has no cells")
        both = CellSet.of(self.lattice, cells).find(optional) >= 0 if len(optional) else np.zeros(0)
        if both.any():
            cell = tuple(optional[both.argmax()].tolist())
            raise PuzzleError(f"cell {cell} is in the region twice, to be filled and optional")
        if self.region.empty is not None:
            low, high = self.region.empty
            if not 0 <= low <= high:
                raise PuzzleError(f"{low}..{high} empty cells: a range from 0 up is needed")
            if low > len(optional):
                raise PuzzleError(
                    f"{low} cells must stay empty, but only {len(optional)} may stay empty"
                )
        self._check_pieces()

    def _check_pieces(self) -> None:
        if not self.pieces:
            raise PuzzleError("the puzzle has no pieces")
        names: set[str] = set()
        for piece in self.pieces:
            if piece.name in names:
                raise PuzzleError(f"two pieces are called {piece.name}", piece=piece.name)
            names.add(piece.name)
            if not len(piece.cells):
                raise PuzzleError(f"piece {piece.name} has no cells", piece=piece.name)
            try:
                cells_array(self.lattice, piece.cells, f"piece {piece.name}")
            except PuzzleError as error:
                raise PuzzleError(str(error), piece=piece.name) from None
        taken: dict[Cell, str] = {}
        for piece in self.pieces:
            if not piece.stationary:
                continue
            outside = self.space.find(piece.cells) < 0
            if outside.any():
                cell = tuple(piece.cells[outside.argmax()].tolist())
                raise PuzzleError(
                    f"stationary piece {piece.name} lies outside the region at {cell}",
                    piece=piece.name,
                )
            for cell in map(tuple, piece.cells.tolist()):
                if cell in taken:
                    raise PuzzleError(
                        f"stationary pieces {taken[cell]} and {piece.name} overlap at {cell}",
                        piece=piece.name,
                    )
                taken[cell] = piece.name

    # -- what follows -------------------------------------------------------------------------

    @cached_property
    def space(self) -> CellSet:
        """Every cell of the region, optional ones and those of stationary pieces included."""
        return CellSet.of(self.lattice, np.concatenate([self.region.cells, self.region.optional]))

    @property
    def stationary(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.stationary)

    @property
    def movable(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if not piece.stationary)

    @cached_property
    def groups(self) -> tuple[ShapeGroup, ...]:
        """The movable pieces by shape, in the order in which the shapes first come up."""
        mirrors = bool(self.reflections)
        by_shape: dict[tuple[int, bytes], list[Piece]] = {}
        for piece in self.movable:
            form = canonical_form(self.lattice, piece.cells, reflections=mirrors)
            by_shape.setdefault((len(form), form.tobytes()), []).append(piece)
        return tuple(
            ShapeGroup(
                orientations(self.lattice, members[0].cells, reflections=mirrors), tuple(members)
            )
            for members in by_shape.values()
        )

    @cached_property
    def model(self) -> Model:
        """The exact-cover problem of this puzzle, and the way back from it."""
        return build_model(self)

    def __repr__(self) -> str:
        pieces = sum(piece.low for piece in self.pieces)
        title = f" {self.name}" if self.name else ""
        optional = f" + {len(self.region.optional)} optional" if len(self.region.optional) else ""
        return (
            f"<Puzzle{title}: {pieces} pieces on {len(self.region.cells)}{optional} "
            f"{self.lattice.name} cells>"
        )


@dataclass(frozen=True, eq=False)
class Model:
    """A puzzle as an exact-cover problem.

    free     the cells that are left when stationary pieces lie in their places
    groups   the shapes, as numbered in the layout
    reason   why there can be no solution, where counting cells shows it; else empty
    """

    puzzle: Puzzle
    problem: Problem
    layout: Layout
    free: CellSet
    groups: tuple[ShapeGroup, ...]
    reason: str = ""
    _option_cells: tuple[IntArray, IntArray] = field(repr=False, kw_only=True)

    def cells_of(self, option: int) -> IntArray:
        """The cells that an option fills, as positions in `free`."""
        starts, cells = self._option_cells
        return cells[starts[option] : starts[option + 1]]

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
                cells = self.free.cells[self.cells_of(option)]
                placed.append(Placement(name, tuple(map(tuple, cells.tolist()))))
        return tuple(placed)


def build_model(puzzle: Puzzle) -> Model:
    """Images, items and options of a puzzle."""
    lattice, groups = puzzle.lattice, puzzle.groups
    free = _free_cells(puzzle)
    optional = CellSet.of(lattice, puzzle.region.optional).find(free.cells) >= 0
    images = _all_images(puzzle, free)

    holes = _hole_range(puzzle, groups, int(optional.sum()))
    is_hole = optional & (holes is not None)
    must = ~optional | is_hole
    n_must = int(must.sum())

    # Primary items: cells to fill, then counted shapes, then the number of holes.
    counted = [_is_counted(group, groups, len(free), optional) for group in groups]
    shape_item = np.full(len(groups), -1, np.int32)
    shape_item[counted] = n_must + np.arange(sum(counted))
    hole_item = n_must + sum(counted)
    primary = hole_item + (holes is not None)
    # Secondary items: cells that may stay empty; crossing points come after them.
    cell_item = np.empty(len(free), np.int32)
    cell_item[must] = np.arange(n_must)
    cell_item[~must] = primary + np.arange(len(free) - n_must)

    sizes = [cells.shape[1] for cells in images] + [1]
    counts = [len(cells) for cells in images] + [int(is_hole.sum())]
    blocks = [*images, np.flatnonzero(is_hole)[:, None]]
    extra = [int(item) for item in shape_item] + [hole_item]
    rows, cell_rows = [], []
    for cells, item in zip(blocks, extra, strict=True):
        entries = cell_item[cells]
        if item >= 0:
            entries = np.concatenate([entries, np.full((len(cells), 1), item, np.int32)], axis=1)
        rows.append(entries)
        cell_rows.append(cells.astype(np.int32))
    widths = np.repeat([block.shape[1] for block in rows], counts)
    starts = np.concatenate([[0], np.cumsum(widths)])
    entries = np.concatenate([block.ravel() for block in rows])
    cell_starts = np.concatenate([[0], np.cumsum(np.repeat(sizes, counts))]).astype(np.int32)
    option_cells = np.concatenate([block.ravel() for block in cell_rows])

    n_items = primary + len(free) - n_must
    junctions: list[str] = []
    if not puzzle.crossing and lattice.junctions:
        starts, entries, junctions = _with_crossings(
            free, starts, entries, n_items, (cell_starts, option_cells)
        )

    low = np.ones(primary, np.int64)
    high = np.ones(primary, np.int64)
    for number, group in enumerate(groups):
        if shape_item[number] >= 0:
            low[shape_item[number]] = group.low
            high[shape_item[number]] = _most(group, len(free))
    if holes is not None:
        low[hole_item], high[hole_item] = holes

    problem = Problem.from_arrays(
        n_items + len(junctions),
        starts,
        entries,
        primary=primary,
        low=low,
        high=high,
        items=_item_names(free, must, groups, counted, holes is not None, junctions),
    )
    layout = Layout(
        cell_item=cell_item,
        positions=lattice.positions(free.cells),
        adjacent=neighbour_graph(free),
        optional=optional,
        option_shape=np.repeat([*range(len(groups)), -1], counts).astype(np.int32),
        shape_item=shape_item,
        shape_size=np.array([group.size for group in groups], np.int32),
        copies=np.array(
            [[group.low, _most(group, len(free))] for group in groups], np.int32
        ).reshape(len(groups), 2),
    )
    reason = _volume_reason(puzzle, len(free), int(optional.sum())) or _image_reason(groups, images)
    return Model(
        puzzle, problem, layout, free, groups, reason, _option_cells=(cell_starts, option_cells)
    )


def _free_cells(puzzle: Puzzle) -> CellSet:
    """The cells of the region without those of stationary pieces."""
    keep = np.ones(len(puzzle.space), bool)
    for piece in puzzle.stationary:
        keep[puzzle.space.find(piece.cells)] = False
    return CellSet.of(puzzle.lattice, puzzle.space.cells[keep])


def _all_images(puzzle: Puzzle, free: CellSet) -> list[npt.NDArray[np.int32]]:
    """For each shape its images, as positions in `free`: int32 [images, size]."""
    images, total = [], 0
    for group in puzzle.groups:
        cells, _ = images_of_shape(free, group.forms)
        if not len(cells) and group.low and not len(images_of_shape(puzzle.space, group.forms)[0]):
            name = group.members[0].name
            raise PuzzleError(
                f"piece {name} cannot fit: the region has no place for it in any orientation",
                piece=name,
            )
        total += len(cells)
        if total > MAX_IMAGES:
            raise PuzzleError(
                f"the pieces have more than {MAX_IMAGES} images in the region of {len(free)} cells: "
                "use a smaller region or fewer pieces"
            )
        images.append(cells)
    return images


def _most(group: ShapeGroup, n_cells: int) -> int:
    """The most copies of a shape that there can be."""
    room = n_cells // group.size
    return max(group.low, room if group.high is None else min(group.high, room))


def _is_counted(
    group: ShapeGroup,
    groups: Sequence[ShapeGroup],
    n_cells: int,
    optional: npt.NDArray[np.bool_],
) -> bool:
    """Whether the problem must count the copies of this shape: not where space does it anyway."""
    room = n_cells // group.size
    # An image that lies on optional cells alone needs an item that asks for it.
    unbounded = group.low == 0 and _most(group, n_cells) >= room and not optional.any()
    alone = len(groups) == 1 and not optional.any() and n_cells == group.low * group.size
    return not (unbounded or alone)


def _hole_range(
    puzzle: Puzzle, groups: Sequence[ShapeGroup], n_optional: int
) -> tuple[int, int] | None:
    """How many holes the problem must count, or None where their number needs no item.

    Where every shape has a fixed number of copies, the number of holes is fixed with them: then
    `_volume_reason` compares the two, and nothing is left to count.
    """
    empty = puzzle.region.empty
    if empty is None or all(group.low == group.high for group in groups):
        return None
    return empty[0], max(empty[0], min(empty[1], n_optional))


def _volume_reason(puzzle: Puzzle, n_cells: int, n_optional: int) -> str:
    """Why the cells and the pieces cannot agree in number, or nothing.

    The sums of sizes that the pieces can make are the bits of one whole number.
    """
    least_empty, most_empty = puzzle.region.empty or (0, n_optional)
    most_empty = min(most_empty, n_optional)
    wanted = range(n_cells - most_empty, n_cells - least_empty + 1)
    sums = 1
    for group in puzzle.groups:
        sums <<= group.low * group.size
        spare, step = _most(group, n_cells) - group.low, 1
        while spare > 0:
            step = min(step, spare)
            sums |= sums << (step * group.size)
            spare -= step
            step *= 2
        if group.low * group.size > n_cells:
            break
    if any(sums >> total & 1 for total in wanted):
        return ""
    needed = f"{wanted.start}" if len(wanted) == 1 else f"{wanted.start} to {wanted.stop - 1}"
    least = sum(group.low * group.size for group in puzzle.groups)
    if all(group.low == group.high for group in puzzle.groups):
        return f"the pieces fill {least} cells, but {needed} are to be filled"
    return f"no choice of pieces fills exactly the {needed} cells that are to be filled"


def _image_reason(groups: Sequence[ShapeGroup], images: Sequence[npt.NDArray[np.int32]]) -> str:
    """Which piece has no place left, or nothing."""
    for group, cells in zip(groups, images, strict=True):
        if group.low and not len(cells):
            return f"piece {group.title} has no place left beside the stationary pieces"
    return ""


def _with_crossings(
    free: CellSet,
    starts: npt.NDArray[np.int64],
    entries: npt.NDArray[np.int32],
    n_items: int,
    option_cells: tuple[IntArray, IntArray],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], list[str]]:
    """Options with secondary items added so that no two pieces cross at a point.

    Round a point the edges a < b < c < d of four cells alternate just if one piece has a and c and
    another b and d. One item for each such four, in every option that has either pair, forbids it.
    """
    lattice = free.lattice
    cell_starts, cells = option_cells
    owner = np.repeat(np.arange(len(cell_starts) - 1), np.diff(cell_starts))
    by_cell = owner[np.argsort(cells, kind="stable")]
    cuts = np.searchsorted(np.sort(cells), np.arange(len(free) + 1))
    options_with = [by_cell[cuts[i] : cuts[i + 1]] for i in range(len(free))]

    vectors = lattice.vectors(free.cells)
    new_options, new_items, names = [], [], []
    for ring in lattice.junctions:
        ring_cells = np.array(ring, np.int64)
        origins = np.unique(
            np.concatenate([vectors - lattice.vectors(cell) for cell in ring_cells]), axis=0
        )
        for origin in origins:
            round_it = free.find(
                lattice.cells(
                    lattice.vectors(ring_cells) + origin, lattice.kind_numbers(ring_cells)
                )
            )
            present = [int(place) for place in round_it if place >= 0]
            for a, b, c, d in combinations(present, 4):
                one = np.intersect1d(options_with[a], options_with[c])
                other = np.intersect1d(options_with[b], options_with[d])
                if not len(one) or not len(other):
                    continue
                crossing = np.union1d(one, other)
                new_options.append(crossing)
                new_items.append(np.full(len(crossing), n_items + len(names), np.int32))
                names.append(f"+{','.join(map(str, origin.tolist()))}.{len(names)}")
    if not names:
        return starts, entries, names
    owner_of_entry = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    owners = np.concatenate([owner_of_entry, *new_options])
    items = np.concatenate([entries, *new_items])
    order = np.argsort(owners, kind="stable")
    return np.searchsorted(owners[order], np.arange(len(starts))), items[order], names


def _item_names(
    free: CellSet,
    must: npt.NDArray[np.bool_],
    groups: Sequence[ShapeGroup],
    counted: Sequence[bool],
    holes: bool,
    junctions: Sequence[str],
) -> list[str]:
    """A readable name for each item: cells by coordinates, shapes by the pieces they are."""
    cells = [",".join(map(str, cell)) for cell in free.cells.tolist()]
    return [
        *(name for name, filled in zip(cells, must, strict=True) if filled),
        *(group.title for group, needed in zip(groups, counted, strict=True) if needed),
        *(["(empty)"] if holes else []),
        *(name for name, filled in zip(cells, must, strict=True) if not filled),
        *junctions,
    ]
