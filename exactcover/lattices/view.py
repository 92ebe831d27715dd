"""How the cells of a lattice are laid on paper.

A drawing in characters is a linear thing: the column and the line of a cell are whole-number sums
of its coordinates, and further coordinates number its layers. Around the place of its token a cell
may have walls, drawn where another piece is on the other side, strokes, drawn where a piece lies on
it, and marks, drawn always. So a few numbers draw a lattice, and the drawing code needs no names of
lattices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from exactcover.errors import LatticeError
from exactcover.lattices.structured import check_fields

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

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Wall(Mark):
    """A mark between two pieces. The same place seen from two cells is the same wall.

    ends    the nodes that it joins: line, column, and the bit that it sets there
    """

    ends: tuple[End, ...] = ()


@dataclass(frozen=True)
class Glyph:
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

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class View:
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

    def __post_init__(self) -> None:
        check_fields(self)

    def check(self, dimension: int, kinds: int) -> None:
        """Raise a `LatticeError` if cells with these coordinates and kinds cannot be drawn so."""
        for name, vector in (
            ("across", self.across),
            ("up", self.up),
            *(("layers", layer) for layer in self.layers),
        ):
            if len(vector) != dimension:
                raise LatticeError(
                    f"{name}: a vector of {dimension} whole numbers is needed, not {list(vector)}",
                    place=(name,),
                )
        steps = np.array([self.across, self.up, *self.layers])
        if np.linalg.matrix_rank(steps) < dimension:
            raise LatticeError("across, up and layers draw different cells at the same place")
        if len(self.glyphs) != kinds:
            raise LatticeError(f"glyphs: one for each of {kinds} kinds, not {len(self.glyphs)}")
        if len({(glyph.up, glyph.column) for glyph in self.glyphs}) < kinds:
            raise LatticeError("glyphs: two kinds are drawn at the same place: change up or column")
        if len(self.layer_names) < len(self.layers):
            raise LatticeError(f"layer_names: {len(self.layers)} letters are needed")
        if self.boxed and kinds > 1:
            raise LatticeError("boxed: only a lattice with one kind of cell can be drawn so")
        for name, value in (("share", self.share), ("room", self.room)):
            if value < 0:
                raise LatticeError(f"{name}: 0 or more is needed, not {value}")
        if self.longest is not None and self.longest < 1:
            raise LatticeError(f"longest: 1 or more is needed, not {self.longest}")
        self._check_glyphs()

    def _check_glyphs(self) -> None:
        texts = [self.layer_names, self.nodes, self.vertices, self.pad]
        for glyph in self.glyphs:
            marks = (*glyph.walls, *glyph.strokes, *glyph.marks)
            texts += [glyph.bare, *(mark.text for mark in marks)]
            for wall in glyph.walls:
                _check_ends(wall.ends, "nodes", self.nodes)
            _check_ends(glyph.ends, "vertices", self.vertices)
            if len(glyph.bare) != 1 or not all(mark.text for mark in marks):
                raise LatticeError("glyphs: bare is one character, and a text is not empty")
            at_ends = {place[:2] for place in glyph.ends}
            if not at_ends <= {(mark.line, mark.column) for mark in glyph.marks}:
                raise LatticeError("glyphs: at each end of a stick there is a mark")
        for text in texts:
            if not text.isprintable():
                raise LatticeError(f"{text!r:.60} should be text without control characters")


def solid_views(across: Vector, up: Vector, layer: Vector) -> dict[str, View]:
    """The view of square layers, each half a cell off the one below.

    The arguments are those of a view, with the one direction in which layers are counted.
    """
    return {LETTERS: View(across, up, (layer,), layer_names="h", share=2, halves=True, longest=3)}


def _check_ends(ends: tuple[Vector, ...], name: str, drawn: str) -> None:
    """Check that each end sets one bit, and that there is a character for all of them together."""
    together = 0
    for end in ends:
        bit = end[-1] if len(end) == 3 else 0
        if bit < 1 or bit & (bit - 1):
            raise LatticeError(
                f"ends: an end is line, column and a bit (1, 2, 4 ...), not {list(end)}"
            )
        together |= bit
    if ends and together >= len(drawn):
        raise LatticeError(
            f"{name}: {together + 1} characters are needed, one for each sum of bits, "
            f"not {len(drawn)}"
        )
