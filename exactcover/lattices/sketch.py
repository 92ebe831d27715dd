"""How cells are read from a drawing in a puzzle file, and drawn there.

A drawing on `Rows` is a box of marks. A `Sketch` is for every other lattice in the plane: a step
along a coordinate moves a mark by whole columns and rows, and each kind of cell has its place, and
perhaps a mark of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.errors import LatticeError
from exactcover.lattices.structured import check_fields

MAX_ROWS = 4
"""Cells in a drawing have at most this many coordinates."""

EMPTY = "."

Vector = tuple[int, ...]
Spot = tuple[int, int]
"""A column, and a row counted upwards."""


@dataclass(frozen=True)
class Rows:
    """Each mark is a cell: rows of x with the highest y first, layers z, blocks w of layers."""

    def check(self, dimension: int, kinds: int) -> None:
        """Raise a `LatticeError` if cells with these coordinates and kinds cannot be drawn so."""
        if kinds > 1 or dimension > MAX_ROWS:
            raise LatticeError(
                f"rows draw cells of one kind with up to {MAX_ROWS} coordinates, "
                f"not {kinds} kinds with {dimension}"
            )


@dataclass(frozen=True)
class Sketch:
    """One character for each cell of a lattice in the plane.

    across  columns for one step along each coordinate
    up      rows for one step along each coordinate, counted upwards
    places  for each kind of cell, column and row of its mark, from the place of the vector
    marks   the character of each kind; empty: every character except `.` is a cell
    points  for each kind of cell, where `+` may stand beside it: column and row from its mark
    rule    where marks stand, for messages
    """

    across: Vector
    up: Vector
    places: tuple[Spot, ...] = ((0, 0),)
    marks: str = ""
    points: tuple[tuple[Spot, ...], ...] = ()
    rule: str = "marks stand where the lattice has cells"

    def __post_init__(self) -> None:
        check_fields(self)

    def check(self, dimension: int, kinds: int) -> None:
        """Raise a `LatticeError` if cells with these coordinates and kinds cannot be drawn so."""
        if dimension != 2:
            raise LatticeError(
                f"only a lattice in the plane has a sketch, not one in {dimension}-D"
            )
        spots = (
            self.across,
            self.up,
            *self.places,
            *(spot for ring in self.points for spot in ring),
        )
        if any(len(spot) != 2 for spot in spots):
            raise LatticeError("across, up, places and points have two whole numbers each")
        if not self.cells_in_unit:
            raise LatticeError("across and up draw different cells at the same place")
        residues = {self.residue(place) for place in self.places}
        if len(self.places) != kinds or len(residues) < kinds:
            raise LatticeError(f"places: one for each of {kinds} kinds of cell, all different")
        if self.points and len(self.points) != kinds:
            raise LatticeError(f"points: a list for each of {kinds} kinds of cell")
        wrong = any(mark.isspace() or not mark.isprintable() or mark in ".+" for mark in self.marks)
        if wrong or (self.marks and len(self.marks) != kinds):
            raise LatticeError(
                f"marks: one character for each of {kinds} kinds, no blank, . or +; "
                "or none, if every mark is a cell"
            )

    @property
    def cells_in_unit(self) -> int:
        """How many characters there are to one vector, with the sign of the orientation."""
        return self.across[0] * self.up[1] - self.across[1] * self.up[0]

    def scaled(self, spot: Spot) -> Spot:
        """The coordinates of a place, times the number of characters to a vector."""
        column, row = spot
        sign = 1 if self.cells_in_unit > 0 else -1
        return (
            sign * (self.up[1] * column - self.across[1] * row),
            sign * (self.across[0] * row - self.up[0] * column),
        )

    def unit(self, spot: Spot) -> Spot:
        """The vector of the unit of the lattice that a place lies in."""
        size, (x, y) = abs(self.cells_in_unit), self.scaled(spot)
        return x // size, y // size

    def residue(self, spot: Spot) -> Spot:
        """The place within its unit: equal for places that differ by a vector of the lattice."""
        size, (x, y) = abs(self.cells_in_unit), self.scaled(spot)
        return x % size, y % size

    def mark(self, kind: int) -> str:
        """The character that draws a cell of this kind."""
        return self.marks[kind] if self.marks else "#"

    def spot(self, x: int, y: int, kind: int) -> Spot:
        """Where the mark of a cell stands."""
        (right, above), (a, b), (c, d) = self.places[kind], self.across, self.up
        return a * x + b * y + right, c * x + d * y + above
