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

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactcover.base.plugins import value_at
from exactcover.base.values import Value
from exactcover.base.values.products import times
from exactcover.errors import LatticeError
from exactcover.lattices.family import Family
from exactcover.lattices.motions import Action, Group, Motion, Point, closed, within
from exactcover.lattices.names import PieceNames
from exactcover.lattices.structured import check_fields
from exactcover.lattices.view import Rows, Sketch, View

Cells = npt.NDArray[np.int64]
"""Cells as an int64 array [n, width]: vector, then the kind where a lattice has several."""

Cell = tuple[int, ...]
"""One cell: its vector, then its kind."""

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
        """For each kind, the cells that share only a corner, or an edge of a solid, with the one
        at the origin, as the outlines say."""
        at: dict[Point, list[tuple[int, Point]]] = defaultdict(list)
        outlines = [self.outlines.get(kind, ()) for kind in self.centres]
        for kind, outline in enumerate(outlines):
            for corner in outline:
                at[within(corner)].append((kind, corner))
        found = []
        for kind, outline in enumerate(outlines):
            shared = {
                (*(int(a - b) for a, b in zip(mine, theirs, strict=True)), other)[: self.width]
                for mine in outline
                for other, theirs in at[within(mine)]
            }
            here = (*(0,) * self.dimension, kind)[: self.width]
            cells = sorted(shared - {here, *map(tuple, self.adjacent[kind].tolist())})
            found.append(np.array(cells, np.int64).reshape(len(cells), self.width))
        return tuple(found)

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


# -- checks ---------------------------------------------------------------------------------------

TOLERANCE = 1e-5
"""How far a symmetry may change squared lengths, as a part of that of the shortest basis vector."""

NEARLY = 1e-2
"""Changes below this come from a basis with too few digits, not from a wrong matrix."""


def check_lattice(lattice: Lattice, basis_given: bool) -> None:
    """Raise a `LatticeError` that says what does not fit.

    basis_given  whether the definition of the lattice gave its basis: for messages
    """
    with _at(about=f"{lattice.name}: "):
        _check_points(lattice)
        for field, turns, sign, sort in (
            ("rotations", lattice.rotations, 1, "rotation"),
            ("reflections", lattice.reflections, -1, "reflection"),
        ):
            for number, motion in enumerate(turns):
                with _at(field, number):
                    _check_motion(lattice, motion, sign, sort)
                    _check_lengths(lattice, motion, basis_given)
        for number, pair in enumerate(lattice.neighbours):
            with _at("neighbours", number):
                if len({tuple(cell) for cell in pair}) != 2 or len(pair) != 2:
                    raise LatticeError(f"{pair} is no pair of different cells")
                for cell in pair:
                    _check_cell(lattice, cell)
        for number, ring in enumerate(lattice.junctions):
            for cell in ring:
                with _at("junctions", number):
                    _check_cell(lattice, cell)
        _check_descriptions(lattice)


@contextmanager
def _at(*place: str | int, about: str = "") -> Iterator[None]:
    """Add a place of a lattice file, and what is wrong there, to errors from this block."""
    try:
        yield
    except LatticeError as error:
        raise LatticeError(f"{about}{error}", place=(*place, *error.place)) from None


def _check_points(lattice: Lattice) -> None:
    for kind, centre in lattice.centres.items():
        if len(centre) != lattice.dimension:
            raise LatticeError(
                f"the centre of {kind!r} has {len(centre)} coordinates, "
                f"{lattice.dimension} are needed",
                place=("centres", kind),
            )
    if len({within(centre) for centre in lattice.centres.values()}) < len(lattice.centres):
        raise LatticeError(
            "two kinds have the same centre, up to a translation", place=("centres",)
        )
    with _at("basis"):
        if len(lattice.basis) != lattice.dimension or len({len(row) for row in lattice.basis}) != 1:
            raise LatticeError(f"the basis needs {lattice.dimension} vectors of one length")
        basis = np.array(lattice.basis)
        if not np.isfinite(basis).all() or np.linalg.matrix_rank(basis) < lattice.dimension:
            raise LatticeError("the vectors of the basis lie in fewer dimensions")
    for kind, outline in lattice.outlines.items():
        if kind not in lattice.centres or any(len(c) != lattice.dimension for c in outline):
            raise LatticeError(
                f"the outline of {kind!r} must be that of a kind of cell, "
                f"with corners of {lattice.dimension} coordinates",
                place=("outlines", kind),
            )


def _check_motion(lattice: Lattice, motion: Motion, sign: int, sort: str) -> None:
    rows = motion.matrix
    if len(rows) != lattice.dimension or any(len(row) != lattice.dimension for row in rows):
        raise LatticeError(
            f"a matrix must be {lattice.dimension}x{lattice.dimension}: {motion.matrix}"
        )
    if len(motion.shift) not in (0, lattice.dimension):
        raise LatticeError(f"a shift has {lattice.dimension} coordinates")
    determinant = round(float(np.linalg.det(np.array(rows))))
    if determinant != sign:
        raise LatticeError(
            f"{motion.matrix} is no {sort}: its determinant is {determinant}, not {sign}"
        )
    Action.of(motion, list(lattice.centres.values()))  # raises if a centre has no image


def _check_lengths(lattice: Lattice, motion: Motion, basis_given: bool) -> None:
    basis, matrix = np.array(lattice.basis), np.array(motion.matrix)
    gram = basis @ basis.T
    change = np.abs(matrix.T @ gram @ matrix - gram).max() / np.diag(gram).min()
    if change <= TOLERANCE:
        return
    if change < NEARLY:
        hint = (
            f" in the given basis: squares of lengths may differ by {TOLERANCE:g}, not by "
            f"{change:.1g}; write more digits, as 0.8660254 for half the root of 3"
        )
    elif basis_given:
        hint = " in the given basis"
    else:
        hint = ", measured in unit vectors at right angles, as no basis is given"
    raise LatticeError(f"{motion.matrix} changes lengths{hint}")


def _check_descriptions(lattice: Lattice) -> None:
    """Check its families of regions, and its board."""
    for number, family in enumerate(lattice.regions):
        with _at("regions", number, about="the region "):
            family.check(lattice.dimension)
    usages = [(family.name, len(family.sizes)) for family in lattice.regions]
    for usage in usages:
        if usages.count(usage) > 1:
            raise LatticeError(f"two regions {usage[0]} with {usage[1]} sizes")
    if lattice.board and len(lattice.board.shift) not in (0, lattice.dimension):
        raise LatticeError(f"the shift of the board has {lattice.dimension} numbers")


def _check_cell(lattice: Lattice, cell: Sequence[int]) -> None:
    if len(cell) != lattice.width or (
        lattice.width > lattice.dimension and not 0 <= cell[-1] < len(lattice.centres)
    ):
        raise LatticeError(f"{tuple(cell)} is no cell: it takes {lattice.coordinates_text()}")
