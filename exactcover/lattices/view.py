"""How the cells of a lattice are laid on paper.

A drawing in characters is a linear thing: the column and the line of a cell are whole-number sums
of its coordinates, and further coordinates number its layers. Around the place of its token a cell
may have walls, drawn where another piece is on the other side, strokes, drawn where a piece lies on
it, and marks, drawn always. So a few numbers draw a lattice, and the drawing code needs no names of
lattices.

A drawing in a puzzle file is simpler. On `Rows` it is a box of marks. A `Sketch` is for every other
lattice in the plane: a step along a coordinate moves a mark by whole columns and rows, and each
kind of cell has its place, and perhaps a mark of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Vector = tuple[int, ...]
End = tuple[int, int, int]
"""A node or vertex at the end of a wall or stick: line, column, and the bit that is set there."""

Style = Literal["letters", "outline"]
LETTERS: Style = "letters"
OUTLINE: Style = "outline"
STYLES = (LETTERS, OUTLINE)

NORTH, SOUTH, WEST, EAST = 1, 2, 4, 8
JOINTS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""Where lines from these four directions meet, by the sum of their bits."""


@dataclass(frozen=True)
class Mark:
    """Characters at a place, given from the token of a cell: lines down, columns right."""

    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Wall(Mark):
    """A mark between two pieces. The same place seen from two cells is the same wall.

    ends    the nodes that it joins: line, column, and the bit that it sets there
    """

    ends: tuple[End, ...] = ()


class Glyph(NamedTuple):
    """How a cell of one kind is drawn.

    up, column  where the token is, from the place of the vector
    bare        what stands for the token where the piece has no name
    ends        of a stick, the vertices that it joins: line, column, and the bit that it sets there
    """

    up: int = 0
    column: int = 0
    walls: tuple[Wall, ...] = ()
    strokes: tuple[Mark, ...] = ()
    marks: tuple[Mark, ...] = ()
    bare: str = "#"
    ends: tuple[End, ...] = ()


class View(NamedTuple):
    """How the cells of a lattice are laid on paper.

    across       columns for one step along each coordinate
    up           lines for one step along each coordinate, counted upwards
    layers       which layer: one vector for each direction in which layers are counted
    glyphs       one for each kind of cell
    layer_names  the letters that label the layers
    share        units of `across` that hold one token; 0: `across` counts characters
    halves       `up` counts half lines
    nodes        what is drawn where walls meet, by the bits that they set
    vertices     what is drawn where sticks of one piece meet and of no other, by their bits
    room         tokens are centred in this many characters; 0: they are padded with `pad`
    longest      names longer than this are abbreviated; None: never
    pad          blanks on either side of the token that belong to the cell
    boxed        cells of the box around the region that are not in it are drawn as `.`
    commas       layers are separated by commas, and not labelled
    """

    across: Vector
    up: Vector
    layers: tuple[Vector, ...] = ()
    glyphs: tuple[Glyph, ...] = (Glyph(),)
    layer_names: str = "zwvu"
    share: int = 0
    halves: bool = False
    nodes: str = ""
    vertices: str = ""
    room: int = 0
    longest: int | None = 1
    pad: str = ""
    boxed: bool = False
    commas: bool = False


def solid_views(across: Vector, up: Vector, layer: Vector) -> dict[str, View]:
    """The view of square layers, each half a cell off the one below.

    The arguments are those of a view, with the one direction in which layers are counted.
    """
    return {LETTERS: View(across, up, (layer,), layer_names="h", share=2, halves=True, longest=3)}


# -- drawings in puzzle files ---------------------------------------------------------------------

MAX_ROWS = 4
"""Cells in a drawing have at most this many coordinates."""

EMPTY = "."

Spot = tuple[int, int]
"""A column, and a row counted upwards."""


class Rows(NamedTuple):
    """Each mark is a cell: rows of x with the highest y first, layers z, blocks w of layers."""


class Sketch(NamedTuple):
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
