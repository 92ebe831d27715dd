"""Puzzles that are floors: rectangles that fill a rectangle of squares.

Such a puzzle is known by its cells, however it is said. If its rectangles are large, its model
keeps them as they are: a matrix of cells is made only for an engine that needs one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactcover.errors import CapabilityError
from exactcover.lattices.base import Cells
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.puzzle.model import Model, build_model, volume_reason
from exactcover.puzzle.pieces import Cell, Placement
from exactcover.rectangles import Floor, Placed, Places, Rectangle

if TYPE_CHECKING:
    from exactcover.geometry.cells import CellSet
    from exactcover.problem import IntArray
    from exactcover.puzzle.pieces import ShapeGroup
    from exactcover.puzzle.puzzle import Puzzle

LARGE = 100_000
"""Rectangles are kept as they are if their places have more cells than this together."""

MOST = 50_000_000
"""No matrix of more entries is made: it would take gigabytes."""

Size = tuple[int, int]


def floor_of(puzzle: Puzzle) -> Floor | None:
    """The floor that the pieces of a puzzle must fill; None: it is another kind of puzzle."""
    region = puzzle.region
    if len(region.optional) or region.empty is not None:
        return None
    return _floor(puzzle, region.cells)


def room_of(puzzle: Puzzle) -> Floor | None:
    """The floor that the pieces of a puzzle are packed into, where every cell may stay empty."""
    region = puzzle.region
    if len(region.cells) or region.empty is not None:
        return None
    return _floor(puzzle, region.optional)


def _floor(puzzle: Puzzle, cells: Cells) -> Floor | None:
    if puzzle.lattice.name != "square" or puzzle.region.wrap or puzzle.paint is not None:
        return None
    size = _size(cells)
    if size is None or puzzle.has_costs or not puzzle.turns_over:
        return None
    for piece in puzzle.pieces:
        if piece.stationary or piece.within is not None or not 0 < piece.low == piece.high:
            return None
        if _size(piece.cells) is None:
            return None
    kinds = []
    for group, sizes in zip(puzzle.groups, sizes_of(puzzle), strict=True):
        turns = len(sizes) > 1 or sizes[0][0] == sizes[0][1]
        kinds.append(Rectangle(*sizes[0], copies=group.low, turns=turns, name=group.title))
    return Floor(*size, tuple(kinds))


def sizes_of(puzzle: Puzzle) -> tuple[tuple[Size, ...], ...]:
    """The width and height of each way of each kind of rectangle, in the order of the options."""
    return tuple(
        tuple((int(width), int(height)) for width, height in group.forms.max(axis=1) + 1)
        for group in puzzle.groups
    )


def _size(cells: Cells) -> Size | None:
    """The width and height of a rectangle of cells; None: they are no rectangle."""
    if not len(cells):
        return None
    width, height = (cells.max(axis=0) - cells.min(axis=0) + 1)[:2].tolist()
    return (width, height) if len(cells) == width * height else None


def numbering_of(puzzle: Puzzle, floor: Floor) -> Places:
    """All places of the rectangles of a floor or a room, numbered as the options of its cells."""
    return Places.every(floor, sizes_of(puzzle))


def model_of(puzzle: Puzzle) -> Model:
    """The model of a puzzle. It keeps rectangles if the puzzle is a floor or a room of large
    ones."""
    floor = puzzle.floor or puzzle.room
    if floor is None:
        return build_model(puzzle)
    places = numbering_of(puzzle, floor)
    if has_large_rectangles(puzzle):
        return FloorModel(puzzle, places)
    return build_model(puzzle, None if puzzle.floor is None else places)


def has_large_rectangles(puzzle: Puzzle) -> bool:
    """Whether rectangles fill, or are packed into, a rectangle, and a matrix would be large."""
    floor = puzzle.floor or puzzle.room
    return floor is not None and numbering_of(puzzle, floor).entries > LARGE


class FloorModel(Model):
    """The model of a floor or a room. Its problem and its layout are made when something asks.

    The options of a floor are the normal places, see `Places`, those of a room all places.

    numbering  the options as places
    places     the same for a floor, None for a room: an engine that fills floors cannot take it
    """

    def __init__(self, puzzle: Puzzle, numbering: Places) -> None:
        fills = puzzle.floor is not None
        if fills:
            numbering = Places.normal(numbering.floor, sizes_of(puzzle))
        # The class is a frozen dataclass, so nothing but its dictionary can be set.
        self.__dict__.update(
            puzzle=puzzle,
            numbering=numbering,
            places=numbering if fills else None,
            problem=FloorProblem(self),
        )

    numbering: Places

    @property
    def keeps_rectangles(self) -> bool:
        """Whether it is a floor, so that an engine can fill it without a matrix of cells."""
        return self.places is not None

    @cached_property
    def whole(self) -> Model:
        """The same model with all that is in a matrix of cells."""
        if self.numbering.entries > MOST:
            raise CapabilityError(
                f"the rectangles have {self.numbering.entries:,} cells in all their places, too "
                f"many for a matrix; the most is {MOST:,}. Leave the strategy out, or name "
                "skyline or nooverlap, which need no cells"
            )
        return build_model(self.puzzle, self.places)

    @property
    def layout(self) -> Layout:
        """The geometry of the problem."""
        return self.whole.layout

    @property
    def free(self) -> CellSet:
        """The cells of the floor."""
        return self.puzzle.space

    @property
    def groups(self) -> tuple[ShapeGroup, ...]:
        """The kinds of rectangles."""
        return self.puzzle.groups

    @property
    def option_cells(self) -> tuple[IntArray, IntArray]:
        """The cells of each option."""
        return self.whole.option_cells

    @cached_property
    def reason(self) -> str:
        """Why there can be no solution, where sizes show it; else empty."""
        floor = self.numbering.floor
        for kind in floor.rectangles:
            if not any(w <= floor.width and h <= floor.height for w, h in kind.sizes):
                return (
                    f"piece {kind.name} cannot fit: the region has no place for it in any "
                    "orientation"
                )
        return volume_reason(self.puzzle, floor.area, len(self.puzzle.region.optional))

    def placements(self, options: Iterable[int]) -> tuple[Placement, ...]:
        """A solution as pieces in their places."""
        by_kind: dict[int, list[Placed]] = {}
        for option in options:
            one = self.numbering.placed(option)
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
    x, y = origin[0] + one.x, origin[1] + one.y
    return tuple((a, b) for a in range(x, x + one.width) for b in range(y, y + one.height))


ARRAYS = ("items", "primary", "starts", "entries", "colours", "low", "high")


class FloorProblem(Problem):
    """The problem of a floor. Its arrays are made when something asks for them."""

    def __init__(self, model: FloorModel) -> None:
        self.__dict__["_model"] = model

    def __getattr__(self, name: str) -> Any:
        if name not in ARRAYS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = self._model.whole.problem
        self.__dict__.update({array: getattr(made, array) for array in ARRAYS})
        return self.__dict__[name]

    @property
    def n_options(self) -> int:
        """The number of places."""
        return int(self._model.numbering.count)

    def cost(self, options: object) -> float:
        """Nothing: no rectangle costs anything."""
        return 0.0

    def compared(self) -> tuple[Puzzle]:
        """The puzzle: all else follows from it."""
        return (self._model.puzzle,)
