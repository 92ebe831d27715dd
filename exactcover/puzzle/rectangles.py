"""Puzzles that are floors: rectangles that fill a rectangle.

A puzzle is recognized by its cells, whatever its notation, so old files gain as well. If its pieces
are large, its model keeps them as they are: a matrix of cells is made only for an engine that needs
one. Solutions remain option numbers, so writers, drawings and records need no case for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import product
from math import prod
from operator import add, le
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.errors import CapabilityError
from exactcover.lattices.base import Cells
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.problem.rectangles import Floor, FloorPlaces, Placed, Rectangle, Size, Way
from exactcover.puzzle.model import Flags, Model, build_model, volume_reason
from exactcover.puzzle.pieces import Cell, Placement

if TYPE_CHECKING:
    import numpy.typing as npt

    from exactcover.geometry.cells import CellSet
    from exactcover.problem import IntArray
    from exactcover.puzzle.pieces import ShapeGroup
    from exactcover.puzzle.puzzle import Puzzle
    from exactcover.puzzle.symmetry import PuzzleSymmetries

LARGE = 100_000
"""Pieces are kept as they are if their places have more cells than this together."""

MOST = 50_000_000
"""No matrix of more entries is made: it would take gigabytes."""


def floor_of(puzzle: Puzzle) -> Floor | None:
    """The floor that the pieces of a puzzle must fill; None: it is another kind of puzzle."""
    region = puzzle.region
    if puzzle.lattice.name != "square" or len(region.optional) or region.empty is not None:
        return None
    if region.wrap or puzzle.paint is not None or puzzle.has_costs:
        return None
    for piece in puzzle.pieces:
        if piece.stationary or not 0 < piece.low == piece.high:
            return None
        if _size(piece.cells) is None:
            return None
    if (sides := _size(region.cells)) is None:
        return None
    kinds = []
    for group, sizes in zip(puzzle.groups, sizes_of(puzzle), strict=True):
        turns = len(sizes) > 1 or len(set(sizes[0])) == 1  # or it looks the same turned
        kinds.append(Rectangle(*sizes[0], group.low, turns, group.title))
    return Floor(*sides, tuple(kinds))


def sizes_of(puzzle: Puzzle) -> tuple[tuple[Size, ...], ...]:
    """The size of each way of each kind of rectangle, in the order of the options."""
    return tuple(
        tuple(map(tuple, (group.forms.max(axis=1) + 1).tolist())) for group in puzzle.groups
    )


def _size(cells: Cells) -> Size | None:
    """The size of a rectangle of cells; None: they are none."""
    if not len(cells):
        return None
    size: Size = tuple((cells.max(axis=0) - cells.min(axis=0) + 1).tolist())
    return size if len(cells) == prod(size) else None


def numbering_of(puzzle: Puzzle, floor: Floor) -> FloorPlaces:
    """All places of the rectangles of a floor, numbered as the options of its cells."""
    return FloorPlaces.of(floor, sizes_of(puzzle), normal=False)


def has_large_pieces(puzzle: Puzzle) -> bool:
    """Whether rectangles fill a rectangle, and a matrix of their cells would be large."""
    floor = puzzle.floor
    if floor is None:
        return False
    # Where nothing fits there are no entries, but the cells would still be looked at one by one.
    return max(numbering_of(puzzle, floor).entries, floor.area) > LARGE


def model_of(puzzle: Puzzle) -> Model:
    """The model of a puzzle. It keeps rectangles if it `has_large_pieces`."""
    if has_large_pieces(puzzle):
        return FloorModel(puzzle)
    _refuse_above(_entries(puzzle), "draw the pieces and the region smaller")
    return build_model(puzzle)


def _entries(puzzle: Puzzle) -> int:
    """How many cells all places have together, if the region is a box of cubes or squares; else 0:
    that is not known before the places are listed."""
    cells = puzzle.space.cells
    if puzzle.lattice.name not in ("square", "cubic") or puzzle.region.wrap or not len(cells):
        return 0
    sides = cells.max(axis=0) - cells.min(axis=0) + 1
    if len(cells) != prod(sides.tolist()):
        return 0
    spans = [group.forms.max(axis=1) + 1 for group in puzzle.groups]
    places = [(sides - span + 1).clip(0).prod(axis=1).sum() for span in spans]
    return sum(group.size * int(many) for group, many in zip(puzzle.groups, places, strict=True))


def _refuse_above(entries: int, advice: str) -> None:
    if entries > MOST:
        raise CapabilityError(
            f"the pieces have {entries:,} cells in all their places, too many for a matrix; the "
            f"most is {MOST:,}: {advice}"
        )


def places_of(model: Model) -> FloorPlaces | None:
    """The options of a floor as places; None: it is another puzzle."""
    if isinstance(model, FloorModel):
        return model.places
    floor = model.puzzle.floor
    return None if floor is None else numbering_of(model.puzzle, floor)


def need_cells(model: Model | None, task: str) -> None:
    """Raise `CapabilityError` if a puzzle keeps its rectangles, since a task needs cells.

    task  the subject of the message, as in "an estimate"
    """
    if isinstance(model, FloorModel):
        raise CapabilityError(
            f"{task} looks at the cells of the pieces, and those of this puzzle have too many: "
            "skyline and nooverlap search it by sizes. `solve` and `count` take it"
        )


class FloorModel(Model):
    """The model of a floor. Its problem and its layout are made on demand.

    places  the options: the normal places, see `FloorPlaces`
    """

    places: FloorPlaces

    def __init__(self, puzzle: Puzzle) -> None:
        assert puzzle.floor is not None
        # The class is a frozen dataclass, so nothing but its dictionary can be set.
        self.__dict__.update(
            puzzle=puzzle,
            places=FloorPlaces.of(puzzle.floor, sizes_of(puzzle), normal=True),
            problem=FloorProblem(self),
        )

    @cached_property
    def whole(self) -> Model:
        """The same model with all that is in a matrix of cells."""
        advice = "leave the strategy out, or name skyline or nooverlap, which need no cells"
        _refuse_above(self.places.entries, advice)
        return build_model(self.puzzle, self._at_places)

    def _at_places(self, free: CellSet, images: IntArray) -> Flags:
        """Which images of a piece lie at places of the model."""
        low, high = (free.cells[images[:, corner]] - free.cells[0] for corner in (0, -1))
        kept = np.zeros(len(images), bool)
        for way in self.places.ways:
            inside = (high - low + 1 == way.size).all(axis=1)
            for axis, starts in enumerate(way.starts):
                inside &= np.isin(low[:, axis], starts)
            kept |= inside
        return kept

    @property
    def images(self) -> list[int]:
        ways = self.places.ways
        return [
            sum(way.places for way in ways if way.kind == kind) for kind in range(len(self.groups))
        ]

    @property
    def parts(self) -> int:
        return 1

    @property
    def pieces(self) -> int:
        return self.places.floor.pieces

    @cached_property
    def symmetries(self) -> PuzzleSymmetries:
        return _symmetries(self)

    @property
    def layout(self) -> Layout:
        return self.whole.layout

    @property
    def free(self) -> CellSet:
        return self.puzzle.space

    @property
    def groups(self) -> tuple[ShapeGroup, ...]:
        return self.puzzle.groups

    @property
    def option_cells(self) -> tuple[IntArray, IntArray]:
        return self.whole.option_cells

    @cached_property
    def reason(self) -> str:
        floor = self.places.floor
        for group, sizes in zip(self.groups, sizes_of(self.puzzle), strict=True):
            if not any(all(map(le, size, floor.sides)) for size in sizes):
                return (
                    f"piece {group.title} cannot fit: the region has no place for it in any "
                    "orientation"
                )
        return volume_reason(self.puzzle, floor.area, 0)

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        by_kind: dict[int, list[Placed]] = {}
        for option in options:
            one = self.places.placed(option)
            by_kind.setdefault(one.kind, []).append(one)
        origin = tuple(self.puzzle.space.cells[0].tolist())
        placed = []
        for number, group in enumerate(self.groups):
            chosen = by_kind.get(number, [])
            for one, name in zip(chosen, group.names(len(chosen)), strict=True):
                placed.append(Placement(name, _cells(one, origin)))
        return tuple(placed)


def _cells(one: Placed, origin: Cell) -> tuple[Cell, ...]:
    """The cells of a rectangle in its place."""
    starts = list(map(add, origin, one.start))
    return tuple(product(*map(range, starts, map(add, starts, one.size))))


ARRAYS = ("items", "primary", "starts", "entries", "colours", "low", "high")


class FloorProblem(Problem):
    """The problem of a floor. Its arrays are made when they are first read."""

    _model: FloorModel

    def __init__(self, model: FloorModel) -> None:
        self.__dict__["_model"] = model

    def __getattr__(self, name: str) -> Any:
        if name not in ARRAYS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = self._model.whole.problem
        self.__dict__.update({array: getattr(made, array) for array in ARRAYS})
        return self.__dict__[name]

    @property
    def needs(self) -> frozenset[str]:
        """The features that an engine of cells needs: copies are counted if the cells do not."""
        groups, cells = self._model.groups, len(self._model.free)
        several = any(group.low > 1 for group in groups)
        by_cells = len(groups) == 1 and groups[0].low * groups[0].size == cells
        return frozenset({"multiplicities"} if several and not by_cells else ())

    @cached_property
    def choosable(self) -> npt.NDArray[np.bool_]:
        every = np.ones(self.n_options, bool)  # each kind occurs, and fills cells or is counted
        every.setflags(write=False)
        return every

    @property
    def n_options(self) -> int:
        return self._model.places.count

    def restricted(self, options: npt.NDArray[np.integer]) -> Problem:
        return self._model.whole.problem.restricted(options)

    def cost(self, options: object) -> float:
        return 0.0

    def compared(self) -> tuple[Puzzle]:
        return (self._model.puzzle,)


# -- symmetries ----------------------------------------------------------------------------------


def _symmetries(model: FloorModel) -> PuzzleSymmetries:
    """The symmetries of a floor, from corners: no cell of a rectangle is looked at."""
    from exactcover.geometry.symmetry import region_symmetries
    from exactcover.puzzle.symmetry import PuzzleSymmetries

    region, cells = region_symmetries(model.puzzle.space), model.puzzle.space.cells
    kinds = np.arange(len(model.groups), dtype=np.int32)
    kept, options = [], []
    for number, moved in enumerate(region.permutations):
        taken = [_moved_way(model.places, way, cells, moved) for way in model.places.ways]
        if all(one is not None for one in taken):
            kept.append(number)
            options.append(np.concatenate([one for one in taken if one is not None]))
    return PuzzleSymmetries(
        motions=region.motions[kept],
        cells=np.array(region.permutations[kept], np.int32),
        shapes=np.tile(kinds, (len(kept), 1)),
        options=np.array(options, np.int32),
        rotation=region.proper[kept] | model.puzzle.turns_over,
        proper=region.proper[kept],
    )


def _moved_way(places: FloorPlaces, way: Way, cells: Cells, moved: IntArray) -> IntArray | None:
    """Where a motion takes the places of a way; None: they are no places of the kind."""
    sides = places.floor.sides
    starts = [side.ravel() for side in np.meshgrid(*way.starts, indexing="ij")]
    if not len(starts[0]):
        return np.zeros(0, np.int32)
    ends = [start + size - 1 for start, size in zip(starts, way.size, strict=True)]
    low, high = (
        cells[moved[np.ravel_multi_index(corner, sides)]] - cells[0] for corner in (starts, ends)
    )
    low, high = np.minimum(low, high), np.maximum(low, high)
    other = places.by_size.get((way.kind, tuple(((high - low)[0] + 1).tolist())))
    if other is None or not all(
        np.isin(low[:, axis], at).all() for axis, at in enumerate(other.starts)
    ):
        return None
    across = [np.searchsorted(at, low[:, axis]) for axis, at in enumerate(other.starts)]
    place = np.ravel_multi_index(across, [len(at) for at in other.starts])
    found: IntArray = (other.first + place).astype(np.int32)
    return found
