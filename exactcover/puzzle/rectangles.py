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
from operator import le
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.errors import CapabilityError
from exactcover.lattices.base import Cells
from exactcover.problem import Problem
from exactcover.problem.rectangles import Floor, FloorMotions, FloorPlaces, Rectangle, Size
from exactcover.puzzle.model import MAX_ENTRIES, Flags, Model, build_model, volume_reason
from exactcover.puzzle.pieces import Cell, Placement

if TYPE_CHECKING:
    import numpy.typing as npt

    from exactcover.geometry.cells import CellSet
    from exactcover.problem import IntArray
    from exactcover.puzzle.puzzle import Puzzle
    from exactcover.puzzle.symmetry import PuzzleSymmetries

LARGE = 100_000
"""Pieces are kept as they are if their places have more cells than this together."""


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
    for group in puzzle.groups:
        sizes = {tuple(form.max(axis=0) + 1) for form in group.forms}
        width, height = (group.forms[0].max(axis=0) + 1).tolist()
        turns = len(sizes) > 1 or width == height  # or it looks the same turned
        kinds.append(Rectangle(width, height, group.low, turns))
    return Floor(*sides, tuple(kinds))


def _size(cells: Cells) -> Size | None:
    """The size of a rectangle of cells; None: they are none."""
    if not len(cells):
        return None
    size: Size = tuple((cells.max(axis=0) - cells.min(axis=0) + 1).tolist())
    return size if len(cells) == prod(size) else None


def has_large_pieces(puzzle: Puzzle) -> bool:
    """Whether rectangles fill a rectangle, and a matrix of their cells would be large."""
    floor = puzzle.floor
    if floor is None:
        return False
    # Where nothing fits there are no entries, but the cells would still be looked at one by one.
    return max(FloorPlaces.of(floor, normal=False).entries, floor.area) > LARGE


def model_of(puzzle: Puzzle) -> Model:
    """The model of a puzzle. It keeps rectangles if it `has_large_pieces`."""
    return FloorModel(puzzle) if has_large_pieces(puzzle) else build_model(puzzle)


def places_of(model: Model) -> FloorPlaces:
    """The options of the puzzle of a floor as places."""
    assert model.puzzle.floor is not None
    if isinstance(model, FloorModel):
        return model.places
    return FloorPlaces.of(model.puzzle.floor, normal=False)


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
            places=FloorPlaces.of(puzzle.floor, normal=True),
            problem=FloorProblem(self),
            free=puzzle.space,
            groups=puzzle.groups,
        )

    def __getattr__(self, name: str) -> Any:
        if name not in ("layout", "option_cells"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.whole, name)

    @cached_property
    def whole(self) -> Model:
        """The same model with all that is in a matrix of cells."""
        if self.places.entries > MAX_ENTRIES:
            raise CapabilityError(
                f"the rectangles have {self.places.entries:,} cells in all their places, too many "
                f"for engines of cells, which take {MAX_ENTRIES:,}: leave the strategy out, or "
                "name skyline or nooverlap"
            )
        return build_model(self.puzzle, self._at_places)

    def _at_places(self, free: CellSet, images: IntArray) -> Flags:
        """Which placements of a piece lie at places of the model."""
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
        many = [0] * len(self.groups)
        for way in self.places.ways:
            many[way.kind] += way.places
        return many

    @property
    def parts(self) -> int:
        return 1

    @property
    def pieces(self) -> int:
        return self.places.floor.pieces

    @cached_property
    def symmetries(self) -> PuzzleSymmetries:
        """Its symmetries, by sizes: no cell of a rectangle is looked at."""
        from exactcover.geometry.symmetry import region_symmetries
        from exactcover.puzzle.symmetry import PuzzleSymmetries

        floor, region = self.places.floor, region_symmetries(self.free)
        motions = FloorMotions.of(floor, floor.poses, "reflections")
        options = [self.places.numbers(image) for image in motions.images(self.places.every)]
        kept, taken = [], []
        for number, matrix in enumerate(self.puzzle.lattice.group.matrices[region.motions]):
            swaps = matrix[0, 0] == 0
            alike = (motions.swaps == swaps) & (motions.mirrored == (matrix.sum(axis=1) < 0)).all(1)
            kept += [number] * int(alike.sum())
            taken += [options[same] for same in np.flatnonzero(alike)]
        return PuzzleSymmetries(
            motions=region.motions[kept],
            cells=region.permutations[kept],
            shapes=np.tile(np.arange(len(self.groups), dtype=np.int32), (len(kept), 1)),
            options=np.array(taken),
            rotation=region.proper[kept] | self.puzzle.turns_over,
            proper=region.proper[kept],
        )

    @cached_property
    def reason(self) -> str:
        floor = self.places.floor
        for group, kind in zip(self.groups, floor.rectangles, strict=True):
            if not any(all(map(le, size, floor.sides)) for size in kind.sizes):
                return (
                    f"piece {group.title} cannot fit: the region has no place for it in any "
                    "orientation"
                )
        return volume_reason(self.puzzle, floor.area, 0)

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        by_kind: dict[int, list[tuple[Cell, ...]]] = {}
        left, low = self.free.cells[0].tolist()
        for kind, x, y, width, height in map(self.places.placed, options):
            across, up = range(left + x, left + x + width), range(low + y, low + y + height)
            by_kind.setdefault(kind, []).append(tuple(product(across, up)))
        placed = []
        for number, group in enumerate(self.groups):
            chosen = by_kind.get(number, [])
            for cells, name in zip(chosen, group.names(len(chosen)), strict=True):
                placed.append(Placement(name, cells))
        return tuple(placed)


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

    def compared(self) -> tuple[Puzzle]:
        return (self._model.puzzle,)
