"""How the cells of each lattice are laid on paper: a table, one entry a lattice and style.

A drawing in characters is a linear thing: the column and the line of a cell are whole-number sums
of its coordinates, and what is left of a space of more dimensions numbers its layers. Around the
place of its token a cell may have walls, drawn where another piece is on the other side, strokes,
drawn where a piece lies on it, and marks, drawn always. So a lattice is drawn by a few numbers,
and the code that draws knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Vector = tuple[int, ...]


@dataclass(frozen=True)
class Mark:
    """Characters at a place, given from the token of a cell: lines down, columns right."""

    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Wall(Mark):
    """What is drawn between two pieces. The same place seen from two cells is the same wall.

    ends    the nodes that it joins: line, column, and the bit that it sets there
    """

    ends: tuple[tuple[int, int, int], ...] = ()


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
    ends: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class View:
    """How the cells of a lattice are laid on paper.

    across       columns for one step along each coordinate
    up           lines for one step along each coordinate, counted upwards
    layers       which layer: one vector for each direction in which layers are counted
    glyphs       one for each kind of cell
    layer_names  the letters that label the layers
    share        0: `across` counts characters; otherwise so many of its units hold one token
    halves       `up` counts half lines
    nodes        what is drawn where walls meet, by the bits that they set
    vertices     what is drawn where sticks of one piece meet and of no other, by their bits
    fill         cells are filled, and this is the width of the token; 0: they show names
    room         tokens are centred in this many characters; 0: they are padded with `pad`
    longest      names longer than this are abbreviated; None: never
    pad          blanks on either side of the token that belong to the cell
    boxed        cells of the box around the region that are not in it are drawn as `.`
    commas       layers are separated by commas, and not labelled
    apart        a shape without a name is drawn as separate cells
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
    fill: int = 0
    room: int = 0
    longest: int | None = 1
    pad: str = ""
    boxed: bool = False
    commas: bool = False
    apart: bool = False

    def fits(self, dimension: int, kinds: int) -> bool:
        """Whether cells of so many coordinates and kinds can be drawn so."""
        return len(self.across) == dimension and len(self.glyphs) == kinds

    @property
    def parts_copies(self) -> bool:
        """Whether the drawing shows where one copy of a piece ends and the next begins.

        Walls do, but not between layers; blocks that touch are never alike.
        """
        walled = all(glyph.walls for glyph in self.glyphs)
        return bool(self.fill) or (walled and not self.layers)


LETTERS, OUTLINE, BLOCKS = "letters", "outline", "blocks"
STYLES = (LETTERS, OUTLINE)
"""The styles that show names."""

ALL_STYLES = (*STYLES, BLOCKS)


# -- boxes of unit cells: squares, cubes, and slices of what has more dimensions -------------------


def _axis(dimension: int, axis: int, length: int = 1) -> Vector:
    return tuple(length if number == axis else 0 for number in range(dimension))


NORTH, SOUTH, WEST, EAST = 1, 2, 4, 8
BOX_NODES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
BOX_VERTICES = "+" + BOX_NODES[1:]
BOX = Glyph(
    walls=(
        Wall(-1, -1, "───", ((-1, -2, EAST), (-1, 2, WEST))),
        Wall(1, -1, "───", ((1, -2, EAST), (1, 2, WEST))),
        Wall(0, -2, "│", ((-1, -2, SOUTH), (1, -2, NORTH))),
        Wall(0, 2, "│", ((-1, 2, SOUTH), (1, 2, NORTH))),
    )
)


def _hypercubic(dimension: int) -> Mapping[str, View]:
    layers = tuple(_axis(dimension, axis) for axis in range(2, dimension))
    flat = (0,) * dimension  # there is no y where cells lie on a line
    up_one, up_two = (_axis(dimension, 1, n) if dimension > 1 else flat for n in (1, 2))
    return {
        LETTERS: View(
            across=_axis(dimension, 0),
            up=up_one,
            layers=layers,
            share=1,
            longest=None if dimension in (2, 3) else 3,
            boxed=True,
            commas=dimension == 3,
        ),
        OUTLINE: View(
            across=_axis(dimension, 0, 4),
            up=up_two,
            layers=layers,
            glyphs=(BOX,),
            nodes=BOX_NODES,
            room=3,
            longest=3,
            pad=" ",
        ),
        BLOCKS: View(across=_axis(dimension, 0, 2), up=up_one, layers=layers, fill=2),
    }


# -- hexagons -------------------------------------------------------------------------------------

HEXAGON = Glyph(
    walls=(
        Wall(0, -2, "|"),
        Wall(0, 2, "|"),
        Wall(-1, -1, "/"),
        Wall(-1, 1, "\\"),
        Wall(1, -1, "\\"),
        Wall(1, 1, "/"),
    )
)
HEXAGONAL = {
    LETTERS: View(across=(2, 1), up=(0, 1), share=2, longest=3),
    OUTLINE: View(across=(4, 2), up=(0, 2), glyphs=(HEXAGON,), room=3, longest=3, pad=" "),
    BLOCKS: View(across=(2, 1), up=(0, 1), fill=2),
}


# -- triangles, and prisms in layers --------------------------------------------------------------

LEVEL, FALLING, RISING = 1, 2, 4
SLANT_NODES = " -\\+/+++"
TRIANGLE_UP = Glyph(
    up=1,
    column=2,
    walls=(
        Wall(0, -1, "/", ((1, -2, RISING), (-1, 0, RISING))),
        Wall(0, 1, "\\", ((-1, 0, FALLING), (1, 2, FALLING))),
        Wall(1, -1, "---", ((1, -2, LEVEL), (1, 2, LEVEL))),
    ),
    bare=" ",
)
TRIANGLE_DOWN = Glyph(
    up=1,
    column=4,
    walls=(
        Wall(0, -1, "\\", ((-1, -2, FALLING), (1, 0, FALLING))),
        Wall(0, 1, "/", ((-1, 2, RISING), (1, 0, RISING))),
        Wall(-1, -1, "---", ((-1, -2, LEVEL), (-1, 2, LEVEL))),
    ),
    bare=" ",
)
TRIANGULAR = View(
    across=(4, 2),
    up=(0, 2),
    glyphs=(TRIANGLE_UP, TRIANGLE_DOWN),
    nodes=SLANT_NODES,
    apart=True,
)
PRISM = View(
    across=(4, 2, 0),
    up=(0, 2, 0),
    layers=((0, 0, 1),),
    glyphs=(TRIANGLE_UP, TRIANGLE_DOWN),
    nodes=SLANT_NODES,
    apart=True,
)
BLOCKS_OF_TRIANGLES = (
    Glyph(up=1, column=2, strokes=(Mark(1, -1, "   "),)),
    Glyph(column=4, strokes=(Mark(-1, -1, "   "),)),
)
"""Two lines: a character at the tip, three at the base."""


# -- balls and truncated octahedra: square layers, each half a cell off the one below -------------

FCC = View(
    across=(2, 1, 1),
    up=(0, -1, 1),
    layers=((0, 1, 1),),
    layer_names="h",
    share=2,
    halves=True,
    longest=3,
)
BCC = View(
    across=(-1, 1, 1),
    up=(1, -1, 1),
    layers=((1, 1, -1),),
    layer_names="h",
    share=2,
    halves=True,
    longest=3,
)


# -- sticks: edges between vertices ---------------------------------------------------------------


def _sticks(
    letters: View, line: str, vertices: str, *ends: tuple[tuple[int, int, int], ...]
) -> Mapping[str, View]:
    """The styles of sticks: where all at a vertex are of one piece, the drawing joins them."""
    glyphs = tuple(
        replace(
            glyph,
            ends=own,
            strokes=tuple(replace(s, text=s.text.replace("-", line)) for s in glyph.strokes),
        )
        for glyph, own in zip(letters.glyphs, ends, strict=True)
    )
    outline = replace(letters, glyphs=glyphs, vertices=vertices)
    return {LETTERS: letters, OUTLINE: outline, BLOCKS: replace(outline, fill=1)}


JOINED = "+o"
"""A vertex of a grid for which there are no lines: apart, or joined."""

STICKS_SQUARE = View(
    across=(4, 0),
    up=(0, 2),
    glyphs=(
        Glyph(
            column=2,
            strokes=(Mark(0, -1, "-"), Mark(0, 1, "-")),
            marks=(Mark(0, -2, "+"), Mark(0, 2, "+")),
            bare="-",
        ),
        Glyph(up=1, marks=(Mark(-1, 0, "+"), Mark(1, 0, "+")), bare="|"),
    ),
)
STICKS_TRIANGULAR = View(
    across=(8, 4),
    up=(0, 4),
    glyphs=(
        Glyph(
            column=4,
            strokes=(Mark(0, -3, "---"), Mark(0, 1, "---")),
            marks=(Mark(0, -4, "+"), Mark(0, 4, "+")),
            bare="-",
        ),
        Glyph(
            up=2,
            column=2,
            strokes=(Mark(1, -1, "/"), Mark(-1, 1, "/")),
            marks=(Mark(2, -2, "+"), Mark(-2, 2, "+")),
            bare="/",
        ),
        Glyph(
            up=2,
            column=-2,
            strokes=(Mark(1, 1, "\\"), Mark(-1, -1, "\\")),
            marks=(Mark(2, 2, "+"), Mark(-2, -2, "+")),
            bare="\\",
        ),
    ),
)
STICKS_HEXAGONAL = View(
    across=(8, 4),
    up=(0, 4),
    glyphs=(
        Glyph(column=4, marks=(Mark(-1, 0, "+"), Mark(1, 0, "+")), bare="|"),
        Glyph(up=2, column=2, marks=(Mark(1, 2, "+"), Mark(-1, -2, "+")), bare="\\"),
        Glyph(up=2, column=-2, marks=(Mark(1, -2, "+"), Mark(-1, 2, "+")), bare="/"),
    ),
)


def _solid(letters: View) -> Mapping[str, View]:
    """The styles of cells that lie in layers without walls: letters, or rows of blocks."""
    return {LETTERS: letters, BLOCKS: replace(letters, share=0, fill=2)}


VIEWS: Mapping[str, Mapping[str, View]] = {
    "hypercubic-1": _hypercubic(1),
    "square": _hypercubic(2),
    "cubic": _hypercubic(3),
    "hypercubic": _hypercubic(4),
    "hypercubic-5": _hypercubic(5),
    "hypercubic-6": _hypercubic(6),
    "hexagonal": HEXAGONAL,
    "triangular": {
        LETTERS: TRIANGULAR,
        BLOCKS: replace(TRIANGULAR, glyphs=BLOCKS_OF_TRIANGLES, nodes="", fill=1),
    },
    "prism": {
        LETTERS: PRISM,
        BLOCKS: replace(PRISM, glyphs=BLOCKS_OF_TRIANGLES, nodes="", fill=1),
    },
    "fcc": _solid(FCC),
    "bcc": _solid(BCC),
    "sticks-square": _sticks(
        STICKS_SQUARE,
        "─",
        BOX_VERTICES,
        ((0, -2, EAST), (0, 2, WEST)),
        ((-1, 0, SOUTH), (1, 0, NORTH)),
    ),
    "sticks-triangular": _sticks(
        STICKS_TRIANGULAR,
        "-",
        JOINED,
        ((0, -4, 1), (0, 4, 1)),
        ((2, -2, 1), (-2, 2, 1)),
        ((2, 2, 1), (-2, -2, 1)),
    ),
    "sticks-hexagonal": _sticks(
        STICKS_HEXAGONAL,
        "-",
        JOINED,
        ((-1, 0, 1), (1, 0, 1)),
        ((1, 2, 1), (-1, -2, 1)),
        ((1, -2, 1), (-1, 2, 1)),
    ),
}
"""By the name of the lattice and the style. A style that is missing is drawn as letters are."""
