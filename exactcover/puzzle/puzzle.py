"""A puzzle: pieces to place on the cells of a region of a lattice.

A puzzle is as a person states it, and validated at once; `model` makes the data for engines from
it. Pieces of equal shape are copies of one shape, since exchanging two of them makes no new
solution, unless only one of them may be turned over or cross other pieces, or has
colours. So the pieces are grouped, and get their names when a solution is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.base.values import COUNTED_AS, Convention, Pictured, Value
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet, Periods, period_vectors
from exactcover.geometry.crossings import can_be_crossed, first_crossing
from exactcover.geometry.neighbours import components, neighbour_graph
from exactcover.geometry.shapes import drawn_first, forms_under, is_connected
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Cells, Lattice
from exactcover.puzzle.paint import Paint
from exactcover.puzzle.pieces import (
    Cell,
    Piece,
    Region,
    ShapeGroup,
    cells_array,
    check_costs,
    many,
    plain_number,
    summed,
)

if TYPE_CHECKING:
    from exactcover.problem.rectangles import Floor
    from exactcover.puzzle.model import Model

Kind = tuple[int, int, bytes, bytes, bool, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, eq=False)
class Puzzle(Pictured, Value):
    """Pieces to place on the cells of a region. Immutable; validated when made.

    Two puzzles are equal if they say the same, whatever they are called.

    lattice      a lattice; when it is made its name will do
    reflections  pieces may be turned over; None: as is natural on the lattice
    crossing     pieces of sticks may cross each other; elsewhere it means nothing
    paint        the colours of a BurrTools file; None: it has none
    turns        pieces may be turned
                 (a piece may differ in these three: see `Piece`)
    """

    lattice: Lattice
    region: Region
    pieces: tuple[Piece, ...]
    reflections: bool | None = None
    crossing: bool = True
    name: str = field(default="", compare=False)
    paint: Paint | None = None
    turns: bool = True

    def __post_init__(self) -> None:
        self._check_kinds()
        self.freeze()
        cells = cells_array(self.lattice, self.region.cells, "the region")
        optional = cells_array(self.lattice, self.region.optional, "the optional cells")
        costs = {
            tuple(map(int, cell)): plain_number(cost)
            for cell, cost in self.region.costs.items()
            if cost
        }
        if wrap := period_vectors(self.lattice, self.region.wrap):
            periods = Periods.of(self.lattice, wrap)
            cells = CellSet.of(self.lattice, cells, periods).cells
            optional = CellSet.of(self.lattice, optional, periods).cells
        region = replace(
            self.region,
            cells=cells,
            optional=optional,
            costs=costs,
            wrap=wrap,
            lattice=self.lattice,
        )
        object.__setattr__(self, "region", region)
        if self.reflections is None:
            object.__setattr__(self, "reflections", self.lattice.flips)
        if not len(cells) and not len(optional):
            raise PuzzleError("the region has no cells")
        must = CellSet.of(self.lattice, cells, self.periods)
        both = must.find(optional) >= 0 if len(optional) else np.zeros(0)
        if both.any():
            cell = tuple(optional[both.argmax()].tolist())
            raise PuzzleError(f"cell {cell} is in the region twice, to be filled and optional")
        self.space  # noqa: B018  # raises if cells are too far apart
        if wrap:
            costs = self._by_own_cells(costs)
            object.__setattr__(self, "region", replace(self.region, costs=costs))
        if self.region.empty is not None:
            low, high = self.region.empty
            if not 0 <= low <= high:
                raise PuzzleError(f"{low}..{high} empty cells: a range from 0 up is needed")
            if low > len(optional):
                raise PuzzleError(
                    f"{low:,} cells must stay empty, but only {len(optional):,} may stay empty"
                )
        self._check_pieces()

    def _check_kinds(self) -> None:
        """Refuse arguments of another kind; the name of a lattice is taken for it."""
        if isinstance(self.lattice, str):
            object.__setattr__(self, "lattice", get_lattice(self.lattice))
        check_kind("lattice", self.lattice, Lattice, 'a lattice, or its name, such as "square"')
        check_kind("region", self.region, Region, "a Region: Region([(0, 0), (1, 0)])")
        check_kind("pieces", self.pieces, (list, tuple), 'a list of Piece("A", cells)')
        for piece in self.pieces:
            check_kind("pieces", piece, Piece, 'a list of Piece("A", cells), and this is none')
        empty = self.region.empty
        if empty is not None:
            check_kind("empty", empty, (tuple, list), "the least and the most cells to leave empty")
            if len(empty) != 2:
                raise PuzzleError(f"empty={empty!r}: it must be a pair, the least and the most")
            for bound in empty:
                check_whole("empty", bound, optional=False)
        check_kind("costs", self.region.costs, Mapping, "a mapping of cells to numbers")
        check_kind("reflections", self.reflections, (bool, type(None)), "True, False or None")
        check_kind("turns", self.turns, bool, "True or False")
        check_kind("name", self.name, str, "text")

    def _check_pieces(self) -> None:
        if not self.pieces:
            raise PuzzleError("the puzzle has no pieces")
        names: set[str] = set()
        pieces: list[Piece] = []
        for piece in self.pieces:
            if piece.name in names:
                raise PuzzleError(f"two pieces are called {piece.name}", piece=piece.name)
            names.add(piece.name)
            with _at_fault(piece):
                cells = cells_array(self.lattice, piece.cells, f"piece {piece.name}")
            if not len(cells):
                raise PuzzleError(f"piece {piece.name} has no cells", piece=piece.name)
            piece = replace(piece, cells=cells, lattice=self.lattice)
            pieces.append(replace(piece, cells=self._own_cells(piece)))
        object.__setattr__(self, "pieces", tuple(pieces))
        self._check_stationary()
        check_costs(self.space, self.pieces, self.region)

    def _own_cells(self, piece: Piece) -> Cells:
        """The cells of a piece; of a stationary one on a wrapped board, as the region has them."""
        if not (piece.stationary and self.region.wrap):
            return piece.cells
        found = self.space.find(piece.cells)
        if (found < 0).any():
            return piece.cells
        if len(np.unique(found)) < len(found):
            raise PuzzleError(
                f"stationary piece {piece.name} lies on itself: two of its cells are the same "
                "cell of the wrapped board",
                piece=piece.name,
            )
        return self.space.cells[found]

    def _by_own_cells(self, costs: Mapping[Cell, float]) -> dict[Cell, float]:
        """The costs of cells of a wrapped board, by the cells as the region has them."""
        own: dict[Cell, float] = {}
        for cell, value in costs.items():
            number = int(self.space.find(np.array([cell], np.int64))[0])
            kept = cell if number < 0 else tuple(self.space.cells[number].tolist())
            if own.setdefault(kept, value) != value:
                raise PuzzleError(
                    f"{cell} and {kept} are the same cell of the wrapped board and have not the "
                    f"same cost: {value} and {own[kept]}"
                )
        return own

    def _check_stationary(self) -> None:
        taken: dict[Cell, str] = {}
        for piece in self.stationary:
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
        parts = [self.space.find(piece.cells) for piece in self.stationary]
        clash = first_crossing(self.space, parts, [self.may_cross(p) for p in self.stationary])
        if clash is not None:
            one, other = (self.stationary[number].name for number in clash)
            raise PuzzleError(f"stationary pieces {one} and {other} cross", piece=other)

    # -- what follows -------------------------------------------------------------------------

    @cached_property
    def periods(self) -> Periods | None:
        """The periods of a wrapped board, None for a board with edges."""
        return Periods.of(self.lattice, self.region.wrap)

    @cached_property
    def space(self) -> CellSet:
        """Every cell of the region, optional ones and those of stationary pieces included."""
        cells = np.concatenate([self.region.cells, self.region.optional])
        space = CellSet.of(self.lattice, cells, self.periods)
        try:
            space.frame  # noqa: B018  # raises now if the region is wrong
        except PuzzleError as error:
            raise PuzzleError(f"the region: {error}") from None
        return space

    @property
    def has_costs(self) -> bool:
        """Whether some piece or cell costs something."""
        return bool(self.region.costs) or any(piece.cost for piece in self.pieces)

    @property
    def stationary(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.stationary)

    @property
    def movable(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if not piece.stationary)

    @cached_property
    def groups(self) -> tuple[ShapeGroup, ...]:
        """The movable pieces by shape, in the order in which the shapes first come up."""
        by_kind: dict[Kind, list[Piece]] = {}
        for piece in self.movable:
            with _at_fault(piece, f"piece {piece.name}: "):
                kind = self.kind(piece)
            alike = by_kind.setdefault(kind, [])
            if alike and alike[0].cost != piece.cost:
                raise PuzzleError(
                    f"pieces {alike[0].name} and {piece.name} have one shape, so they are copies "
                    f"of each other and cannot cost {alike[0].cost:g} and {piece.cost:g}",
                    piece=piece.name,
                )
            alike.append(piece)
        return tuple(
            ShapeGroup(
                drawn_first(self.lattice, members[0].cells, self.motions(members[0])),
                tuple(members),
            )
            for members in by_kind.values()
        )

    @cached_property
    def in_parts(self) -> dict[str, int]:
        """The movable pieces that are not connected, and how many separate parts each has.

        Cells are connected across shared sides, sticks at their ends. On a wrapped board they are
        so round the board too, in the orientation in which the piece has the fewest parts. On a
        lattice of one's own without neighbours no piece is in parts.
        """
        if not any(map(len, self.lattice.adjacent)):
            return {}
        return {
            piece.name: parts
            for group in self.groups
            if (parts := self._parts(group)) > 1
            for piece in group.members
        }

    def _parts(self, group: ShapeGroup) -> int:
        """The number of connected parts of a shape."""
        if is_connected(self.lattice, group.forms[0]):
            return 1
        forms = group.forms[:1] if self.periods is None else group.forms
        boards = (CellSet.of(self.lattice, form, self.periods) for form in forms)
        return min(int(components(neighbour_graph(board)).max()) + 1 for board in boards)

    def kind(self, piece: Piece) -> Kind:
        """Equal for pieces that may lie, cross and hold together in the same ways.

        The number of ways in which a piece may be turned tells a piece that may be turned over from
        one of the same shape that may not, unless turning over gives it no further way.
        """
        motions = self.motions(piece)
        forms = forms_under(self.lattice, piece.cells, motions)
        paint = b""
        if self.paint is not None:
            paint = self.paint.key(self.lattice, piece, motions)
        crossing = self.may_cross(piece) or not can_be_crossed(self.lattice, piece.cells)
        return len(forms[0]), len(forms), forms[0].tobytes(), paint, crossing, piece.groups

    def motions(self, piece: Piece) -> npt.NDArray[np.int64]:
        """The motions of the lattice that this piece may make, the identity first."""
        allowed = self.lattice.group.selected(self.may_turn_over(piece))
        return allowed if self.may_turn(piece) else allowed[:1]

    def may_turn(self, piece: Piece) -> bool:
        """Whether this piece may be turned: by its own field, or else by that of the puzzle."""
        return self.turns if piece.turns is None else piece.turns

    def is_fixed(self, piece: Piece) -> bool:
        """Whether this piece may not be turned, and turning it would give a further way to lie."""
        if self.may_turn(piece):
            return False
        return self.kind(piece) != self.kind(replace(piece, turns=True))

    def may_turn_over(self, piece: Piece) -> bool:
        """Whether this piece may be turned over: by its own field, or the puzzle's."""
        return bool(self.reflections if piece.reflections is None else piece.reflections)

    def may_cross(self, piece: Piece) -> bool:
        """Whether this piece may cross others that may: by its own field, or the puzzle's."""
        return self.crossing if piece.crossing is None else piece.crossing

    def is_handed(self, piece: Piece) -> bool:
        """Whether turning this piece over, with its paint, gives a further way to lie."""
        if not self.may_turn(piece):
            return False
        may, may_not = (replace(piece, reflections=allowed) for allowed in (True, False))
        return self.kind(may) != self.kind(may_not)

    @property
    def turns_over(self) -> bool:
        """Whether every piece may be turned over, so that a mirror is one more way to turn."""
        return all(map(self.may_turn_over, self.movable or self.pieces))

    def counted_as(self, counted: Convention) -> str:
        """The words for what counts as one solution, for a reader of the number."""
        if counted != "rotations" or not self.turns_over:
            return COUNTED_AS[counted]
        if self.lattice.dimension == 2:
            return "unique up to rotations and turning over"
        return COUNTED_AS["reflections"]

    @cached_property
    def model(self) -> Model:
        """The exact-cover problem of this puzzle, and the way back from it."""
        from exactcover.puzzle.rectangles import model_of

        return model_of(self)

    @cached_property
    def floor(self) -> Floor | None:
        """The floor that the pieces fill, if they are rectangles that fill one; else None."""
        from exactcover.puzzle.rectangles import floor_of

        return floor_of(self)

    def __repr__(self) -> str:
        low, high = summed((piece.low, piece.high) for piece in self.pieces)
        pieces = "1 piece" if low == high == 1 else many(low, high, "pieces")
        title = f" {self.name}" if self.name else ""
        optional = f" + {len(self.region.optional):,} optional" if len(self.region.optional) else ""
        return (
            f"<Puzzle{title}: {pieces} on {len(self.region.cells):,}{optional} "
            f"{self.lattice.name} cells>"
        )


@contextmanager
def _at_fault(piece: Piece, said: str = "") -> Iterator[None]:
    """Give errors from this block the piece, and words before their text."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(f"{said}{error}", piece=piece.name) from None
