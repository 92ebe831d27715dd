"""A lattice as data, from which everything else follows.

Every periodic lattice is a motif repeated. A cell is one *kind* of the motif moved by an integer
vector; it is written as that vector, followed by the kind's number where there is more than one
kind. Two facts make a lattice a handful of numbers:

* The centre of a kind, in lattice coordinates, says where a motion takes it. So a symmetry is given
  by its integer matrix alone, and which kind becomes which, and how far it moves, is computed.
* Neighbours are closed under the symmetries. So one pair of neighbours per orbit is enough.

A lattice also holds what other parts of the program need to show it: how it is drawn and sketched,
its named regions, and the names of its pieces. They look up nothing by the name of a lattice, so a
lattice from a file or from another package can do all that a built-in one can.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np
import numpy.typing as npt

from exactcover.base.plugins import value_at
from exactcover.base.values import Value
from exactcover.base.values.products import times
from exactcover.errors import LatticeError
from exactcover.lattices.checks import check_lattice
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Action, Group, Motion, Point, closed, within
from exactcover.lattices.names import PieceNames
from exactcover.lattices.sketch import Rows, Sketch
from exactcover.lattices.structured import check_fields
from exactcover.lattices.view import View

Cells = npt.NDArray[np.int64]
"""Cells as an int64 array [n, width]: vector, then the kind where a lattice has several."""

Cell = Annotated[tuple[int, ...], "cell"]
"""One cell: its vector, then its kind, which a lattice file may write by its name."""

Pair = tuple[Cell, Cell]


@dataclass(frozen=True)
class Board:
    """The lattice whose edges are sticks.

    lattice  its name
    shift    how far it is moved along each axis so that its edges are sticks
    """

    lattice: str
    shift: Point = ()

    def __post_init__(self) -> None:
        check_fields(self)


NO_NAMES = PieceNames()


@dataclass(frozen=True, eq=False)
class Lattice(Value):
    """A periodic lattice.

    name         what the registry and puzzle files call it
    polyform     what a connected set of its cells is called: polyomino, polycube, ...
    dimension    how many coordinates a vector has
    centres      kind -> its centre in lattice coordinates; one kind is plainly the origin
    rotations    generators of the proper motions
    reflections  generators that need a mirror
    neighbours   pairs of cells that share a side, one per orbit under the symmetries
    corners      pairs that share only a corner (or an edge of a solid), one per orbit
    basis        where the unit vectors lie in space, for drawing; rows
    outlines     kind -> corners of its outline in lattice coordinates, for drawing
    balls        pictures show the cells as balls that touch, in the plane as discs
    junctions    for sticks: the cells round each kind of crossing point, in cyclic order
    views        style -> how solutions are drawn; without `letters`, by the positions of cells
    sketch       how cells are read from a drawing in a puzzle file; None: cells are listed
    regions      the families of regions, besides `box`, which every lattice has
    board        for sticks: the lattice that they are the edges of, whose regions they then have
    flat         the lattice whose shapes, laid flat, are shapes of this one and keep their names
    names        the names of pieces, or the place of them, `module:attribute`, loaded when needed
    aliases      other names
    summary      one line for lists
    """

    name: str
    polyform: str
    dimension: int
    rotations: tuple[Motion, ...]
    reflections: tuple[Motion, ...]
    neighbours: tuple[Pair, ...]
    corners: tuple[Pair, ...] = ()
    centres: Mapping[str, Point] = field(default_factory=dict)
    basis: tuple[tuple[float, ...], ...] = ()
    outlines: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    balls: bool = False
    junctions: tuple[tuple[Cell, ...], ...] = ()
    views: Mapping[str, View] = field(default_factory=dict)
    sketch: Sketch | Rows | None = None
    regions: tuple[Family, ...] = ()
    board: Board | None = None
    flat: str = ""
    names: PieceNames | str = NO_NAMES
    aliases: tuple[str, ...] = ()
    summary: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.dimension <= 6:
            raise LatticeError(
                f"{self.name}: a lattice has 1 to 6 dimensions, not {self.dimension}",
                place=("dimension",),
            )
        if not self.centres:
            object.__setattr__(self, "centres", {"cell": (Fraction(0),) * self.dimension})
        basis_given = bool(self.basis)
        if not basis_given:
            object.__setattr__(self, "basis", tuple(map(tuple, np.eye(self.dimension).tolist())))
        self.freeze()
        check_lattice(self, basis_given)

    def compared(self) -> tuple[object, ...]:
        """Its fields, and the order of its kinds, which numbers them."""
        return (*super().compared(), tuple(self.centres))

    # -- what follows from the data -----------------------------------------------------------

    def coordinates_text(self) -> str:
        """The notation of a cell, for messages: `x y`, `x y kind (0 up, 1 down)`."""
        letters = " ".join("xyzwvu"[: self.dimension])
        if self.width == self.dimension:
            return f"{self.dimension} whole numbers ({letters})"
        kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(self.centres))
        return f"{self.dimension + 1} whole numbers ({letters} and a kind: {kinds})"

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self.centres)

    @property
    def width(self) -> int:
        """How many whole numbers write a cell."""
        return self.dimension + (len(self.centres) > 1)

    @cached_property
    def piece_names(self) -> PieceNames:
        """The names of its pieces, loaded from their place when first needed."""
        if isinstance(self.names, PieceNames):
            return self.names
        try:
            names = value_at(self.names)
        except (ImportError, AttributeError, ValueError) as error:
            raise LatticeError(
                f"{self.name}: there are no names of pieces at {self.names!r}: {error}"
            ) from None
        if not isinstance(names, PieceNames):
            raise LatticeError(
                f"{self.name}: {self.names!r} is {type(names).__name__}, not PieceNames"
            )
        return names

    @property
    def flips(self) -> bool:
        """Whether pieces may be turned over by default: in the plane they can be picked up."""
        return self.dimension <= 2

    def has_kind(self, kind: int) -> bool:
        return 0 <= kind < len(self.centres)

    def vectors(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The vectors of cells [..., width], without the kind."""
        return cells[..., : self.dimension]

    def kind_numbers(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The kinds of cells [..., width]; all 0 where there is one kind."""
        if self.width == self.dimension:
            return np.zeros(cells.shape[:-1], np.int64)
        return cells[..., self.dimension]

    def cells(self, vectors: npt.NDArray[np.int64], kinds: npt.NDArray[np.int64]) -> Cells:
        """Cells from vectors [..., dimension] and kinds [...]."""
        if self.width == self.dimension:
            return vectors
        return np.concatenate([vectors, kinds[..., None]], axis=-1)

    def moved(self, cells: Cells, motions: npt.NDArray[np.int64] | Sequence[int]) -> Cells:
        """The cells [n, width] under each of the numbered motions: [motions, n, width]."""
        group, chosen = self.group, np.asarray(motions)
        vectors, kinds = self.vectors(cells), self.kind_numbers(cells)
        turned = np.einsum("gij,nj->gni", group.matrices[chosen], vectors)
        turned += group.offsets[chosen][:, kinds]
        return self.cells(turned, group.kinds[chosen][:, kinds])

    def positions(self, cells: Cells) -> npt.NDArray[np.float64]:
        """Where the centres of cells lie in space: [n, space dimension]."""
        centres = np.array([[float(x) for x in centre] for centre in self.centres.values()])
        places = self.vectors(cells) + centres[self.kind_numbers(cells)]
        return times(places, np.array(self.basis))

    @cached_property
    def group(self) -> Group:
        """The point group, closed under multiplication."""
        centres = list(self.centres.values())
        try:
            actions = [Action.of(motion, centres) for motion in self.rotations + self.reflections]
            return closed(actions, self.dimension, len(centres))
        except LatticeError as error:
            raise LatticeError(f"{self.name}: {error}") from None

    @cached_property
    def adjacent(self) -> tuple[Cells, ...]:
        """For each kind, the cells that share a side with the cell of that kind at the origin."""
        return self._closed(self.neighbours)

    @cached_property
    def touching(self) -> tuple[Cells, ...]:
        """For each kind, the cells that share only a corner with the one at the origin."""
        return self._closed(self.corners)

    # -- how it follows -----------------------------------------------------------------------

    def _closed(self, pairs: Sequence[Pair]) -> tuple[Cells, ...]:
        """Pairs of cells closed under the symmetries, as offsets from a cell of each kind."""
        around: list[set[tuple[int, ...]]] = [set() for _ in self.centres]
        for pair in pairs:
            ends = np.array([pair, pair[::-1]])
            for first, second in ends:
                images = self.moved(np.array([first, second]), np.arange(len(self.group)))
                starts, stops = images[:, 0], images[:, 1]
                offsets = self.cells(
                    self.vectors(stops) - self.vectors(starts), self.kind_numbers(stops)
                )
                for kind, offset in zip(self.kind_numbers(starts), offsets, strict=True):
                    around[kind].add(tuple(offset.tolist()))
        return tuple(
            np.array(sorted(offsets), np.int64).reshape(len(offsets), self.width)
            for offsets in around
        )

    def __repr__(self) -> str:
        return f"<Lattice {self.name}: {self.dimension}-D, {len(self.kinds)} kind(s) of cell>"


# -- cells that meet at a corner -------------------------------------------------------------------


def meeting_pairs(
    outlines: Mapping[str, tuple[Point, ...]], kinds: Iterable[int]
) -> Iterator[Pair]:
    """Pairs of cells whose sides are triangles that share one or two corners.

    The first is of one of `kinds`: of each orbit of kinds under the symmetries, one is enough.
    """
    at: dict[Point, list[tuple[int, Point]]] = defaultdict(list)
    for kind, outline in enumerate(outlines.values()):
        for corner in outline:
            at[within(corner)].append((kind, corner))
    corners = list(outlines.values())
    for kind in kinds:
        start = (*(0 for _ in corners[kind][0]), kind)
        shared: Counter[tuple[int, ...]] = Counter()
        for mine in corners[kind]:
            for other, theirs in at[within(mine)]:
                offset = (int(a - b) for a, b in zip(mine, theirs, strict=True))
                shared[(*offset, other)] += 1
        yield from ((start, cell) for cell, number in sorted(shared.items()) if number < 3)
