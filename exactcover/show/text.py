"""Solutions and shapes as text: letters, and walls between pieces where a name occurs twice.

    drawer = Drawer(puzzle)
    for number, placements in enumerate(solutions, 1):
        print(heading(number))
        print(drawer.draw(placements))

Squares and cubes are drawn as polycube draws them, and what is drawn can be read back as a drawn
layout: rows of names, the highest y first, layers side by side. A lattice says how it is drawn by
its views. One that has none is drawn by the positions of its cells, or as a list if those make no
picture.

A region is laid out once, as lines of texts by their columns; the columns behind a text that it
covers too are empty. To draw a solution is to write on a copy: the tokens of covered cells, the
walls with different pieces on their sides, the nodes where walls meet. Each layer is a block of
text, and all blocks are of one size. The first direction in which layers are counted goes across
the page, every other one down.

Large rectangles are drawn to scale, since a drawing of all cells would be hundreds of columns wide:
a few units are one column, and walls that are not in one line stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, pairwise, product, zip_longest
from math import ceil, prod
from textwrap import wrap
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

from exactcover.base.text import numbered
from exactcover.base.values.products import length
from exactcover.errors import PuzzleError
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import copies_beside
from exactcover.lattices.base import Cells, Lattice
from exactcover.lattices.view import EAST, JOINTS, LETTERS, NORTH, OUTLINE, SOUTH, WEST, View
from exactcover.puzzle import Placement, Puzzle, cells_array
from exactcover.puzzle.rectangles import has_large_pieces
from exactcover.show.palette import FIRST_CHOICE, choose_colours, painted, touching_cells

BY_POSITION = View(across=(), up=(), share=1, longest=3)
"""The view of a lattice that has none of its own."""

APART = 3
"""Blanks between small drawings."""

MOST_SHEETS = 8
"""Sheets that a `Drawer` keeps: solutions with as many copies of each piece share one."""


def heading(number: int) -> str:
    """The line above a solution; solutions are counted from 1."""
    return f"# --- SOLUTION {number} ---"


class Drawer:
    """Draws solutions of one puzzle: a name in each cell; walls where a name occurs twice.

    colour   a ground of its own for each piece, by the escape sequences of a terminal
    letters  without walls, also where a name occurs twice, and rectangles by their cells
    marked   copies of a piece are numbered where the drawing would not show where one ends
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        colour: bool = False,
        letters: bool = False,
        marked: bool = True,
    ) -> None:
        self._puzzle, self._letters = puzzle, letters
        self._colour, self._marked = colour, marked
        self._names = tuple(piece.name for piece in puzzle.pieces)
        self._sheet = lru_cache(MOST_SHEETS)(partial(_sheet, puzzle.space))
        self._by_size = not letters and has_large_pieces(puzzle)

    def draw(self, placements: Iterable[Placement]) -> str:
        """The drawing of a solution, or of a part of one; no line break at its end."""
        given = list(placements)
        if self._by_size and given:
            return draw_rectangles(given)
        lattice = self._puzzle.lattice
        view, placed = _viewed(lattice, given, letters=self._letters, marks=self._marked)
        names = self._names if placed is given else tuple(one.piece for one in placed)
        sheet = self._sheet(names, view)
        return _as_list(placed) if sheet is None else sheet.draw(placed, colour=self._colour)


def draw_placements(
    lattice: Lattice,
    placements: Sequence[Placement],
    *,
    region_cells: npt.ArrayLike | None = None,
    colour: bool = False,
    letters: bool = False,
) -> str:
    """The drawing of pieces in their places; `colour` and `letters` as for a `Drawer`.

    region_cells  cells to draw, covered or not; None: those that are covered
    """
    covered = [cell for placement in placements for cell in placement.cells]
    cells = cells_array(lattice, covered if region_cells is None else region_cells, "the drawing")
    if not len(cells):
        return ""
    view, placed = _viewed(lattice, list(placements), letters=letters)
    sheet = _sheet(CellSet.of(lattice, cells), [placement.piece for placement in placed], view)
    return sheet.draw(placed, colour=colour) if sheet else _as_list(placed)


def _viewed(
    lattice: Lattice, placed: list[Placement], *, letters: bool, marks: bool = True
) -> tuple[View, list[Placement]]:
    """How pieces are drawn; copies are numbered where it does not show where one ends.

    Walls show it, but not between layers.
    """
    copies = len({placement.piece for placement in placed}) < len(placed)
    plain = lattice.views.get(LETTERS, BY_POSITION)
    view = lattice.views.get(OUTLINE, plain) if copies and not letters else plain
    walled = all(glyph.walls for glyph in view.glyphs) and not view.layers
    return view, marked(placed) if copies and marks and not walled else placed


def marked(placements: Sequence[Placement]) -> list[Placement]:
    """The placements, those of a name that occurs more than once with a number behind it."""
    names = numbered([placement.piece for placement in placements])
    return [replace(one, piece=name) for one, name in zip(placements, names, strict=True)]


def draw_shape(lattice: Lattice, cells: npt.ArrayLike) -> str:
    """A small drawing of a shape, without names."""
    shape = CellSet.of(lattice, cells_array(lattice, cells, "the shape"))
    if not len(shape):
        return ""
    view = lattice.views.get(LETTERS, BY_POSITION)
    several = len(view.glyphs) > 1
    kinds = lattice.kind_numbers(shape.cells).tolist() if several else [0] * len(shape)
    bare = [view.glyphs[kind].bare for kind in kinds]
    sheet = lay_out(shape, view, {token: token for token in bare}, shape_only=True)
    placements = [
        Placement(token, (tuple(cell),))
        for token, cell in zip(bare, shape.cells.tolist(), strict=True)
    ]
    return sheet.draw(placements) if sheet else _as_list(placements)


def draw_shapes(
    lattice: Lattice, shapes: Iterable[npt.ArrayLike], *, width: int = 80, names: Iterable[str] = ()
) -> str:
    """Small drawings of shapes side by side, standing on as many lines as the width needs; with
    names, each below its own."""
    rows: list[list[list[str]]] = [[]]
    used = 0
    for shape, name in zip_longest(shapes, names):
        block = draw_shape(lattice, shape).split("\n") + [name] * (name is not None)
        size = max(map(len, block))
        if rows[-1] and used + APART + size > width:
            rows.append([])
        used = used + APART + size if rows[-1] else size
        rows[-1].append([line.ljust(size) for line in block])
    drawn = []
    for blocks in rows:
        height = max(map(len, blocks), default=0)
        columns = [[" " * len(one[0])] * (height - len(one)) + one for one in blocks]
        lines = zip(*columns, strict=True)
        drawn.append("\n".join((" " * APART).join(line).rstrip() for line in lines))
    return "\n\n".join(drawn)


def _sheet(region: CellSet, names: Iterable[str], view: View) -> TextSheet | None:
    """The sheet of a region; None where its cells make no picture."""
    return lay_out(region, view, short_names(names, view.longest))


def _as_list(placements: Iterable[Placement]) -> str:
    """Each piece with its cells, for placements that cannot be drawn."""
    return "\n".join(
        f"{placement.piece}: "
        + " ".join(f"({','.join(map(str, cell))})" for cell in placement.cells)
        for placement in placements
    )


# -- a region laid out -----------------------------------------------------------------------------

GAP = 3
"""Blanks between layers that stand side by side."""

COMMA = ", "
"""The separator between layers that have no labels."""

ROOM, SPARSE = 50_000, 50
"""The places for tokens that are always granted, and those for each cell above that."""

OUTSIDE, UNCOVERED = -2, -1

Layer = tuple[int, ...]
Place = tuple[Layer, int, int]
"""A layer, and a line (counted downwards) and a column in it."""


def lay_out(
    region: CellSet, view: View, short: Mapping[str, str], *, shape_only: bool = False
) -> TextSheet | None:
    """The sheet of a region; None where its cells make no picture.

    short       the token for each name
    shape_only  the tokens are no names; commas separate layers, which are not labelled
    """
    width = max((len(token) for token in short.values()), default=1)
    places = places_in(view, region.lattice, region.cells, width)
    if places is None:
        return None
    table = np.array([(*layer, line, column) for layer, line, column in places])
    area = prod(int(np.ptp(axis)) + 1 for axis in table.T)
    if area > ROOM + SPARSE * len(places):  # cells far apart would make a waste of blanks
        return None
    return TextSheet(region, view, short, places, width, labels=not shape_only)


class TextPage:
    """Lines of texts: the blocks of all layers, with their labels or the commas between them.

    A text is written at a place of a layer.
    """

    def __init__(self, view: View, texts: Mapping[Place, str], *, labels: bool) -> None:
        layers, lines, columns = zip(*texts, strict=True)
        top, left = min(lines), min(columns)
        height = max(lines) - top + 1
        width = max(column + len(text) for (_, _, column), text in texts.items()) - left
        axes = [range(min(axis), max(axis) + 1) for axis in zip(*layers, strict=True)]
        # Of the directions that go down the page the last one changes slowest.
        down = [row[::-1] for row in product(*reversed(axes[1:]))]
        across: Sequence[int] = axes[0] if axes else (0,)
        header, margin, gap = 0, 0, GAP
        above: list[str] = []  # `z=0` and so on above the layers
        beside = [""] * len(down)  # `w=0 v=0` and so on to the left of each row
        commas = bool(axes) and (view.commas or not labels)
        if commas:
            gap = len(COMMA)
        elif axes:
            header = 1
            above = [f"{view.layer_names[0]}={number}" for number in across]
            width = max(width, *map(len, above))
            names = view.layer_names[1:]
            beside = [
                " ".join(f"{name}={value}" for name, value in zip(names, row, strict=False))
                for row in down
            ]
            margin = max(len(text) + 2 * bool(text) for text in beside)
        starts = [margin + number * (width + gap) for number in range(len(across))]
        self.lines: list[list[str]] = [
            [" "] * (starts[-1] + width) for _ in range(header + len(down) * (height + 1) - 1)
        ]
        self._corners: dict[Layer, tuple[int, int]] = {}
        for number, (row, text) in enumerate(zip(down, beside, strict=True)):
            first = header + number * (height + 1)
            self._put(first, 0, text)
            for start, layer in zip(starts, across, strict=True):
                self._corners[(layer, *row) if axes else ()] = first - top, start - left
                for line in range(first, first + height) if commas and start > margin else ():
                    self._put(line, start - gap, COMMA)
        for start, text in zip(starts, above, strict=False):
            self._put(0, start, text)
        for (place, line, column), text in texts.items():
            top, left = self._corners[place]
            self._put(top + line, left + column, text)

    def _put(self, line: int, column: int, text: str) -> None:
        if text:
            self.lines[line][column : column + len(text)] = [text, *[""] * (len(text) - 1)]

    def drawn(self, texts: Mapping[Place, str]) -> str:
        """The page with other texts in place of those there, each on as many columns."""
        lines = [line[:] for line in self.lines]
        for (layer, line, column), text in texts.items():
            down, right = self._corners[layer]
            lines[down + line][right + column] = text
        return "\n".join("".join(line).rstrip() for line in lines)


class TextSheet:
    """A region laid out for drawing. Cells are numbered; the number after the last is outside."""

    def __init__(
        self,
        region: CellSet,
        view: View,
        short: Mapping[str, str],
        places: Sequence[Place],
        width: int,
        *,
        labels: bool,
    ) -> None:
        self._view, self._short = view, short
        self._numbers = {tuple(cell): number for number, cell in enumerate(region.cells.tolist())}
        self._touching = [*map(tuple, touching_cells(region).tolist())]
        pad = view.pad

        def in_cell(token: str) -> str:
            return token.center(view.room) if view.room else pad + token.rjust(width) + pad

        self._tokens = {name: in_cell(token) for name, token in short.items()}
        empty = in_cell(EMPTY)
        self._slots = [(layer, line, column - len(pad)) for layer, line, column in places]
        marks = self._set_marks(region, places, width)
        self._plain = not (self._walls or self._vertices or any(self._strokes))
        if view.share:
            self._set_gaps(len(empty))
        texts: dict[Place, str] = dict.fromkeys(self._slots, empty)
        texts |= {at: " " * len(text) for strokes in self._strokes for at, text in strokes.items()}
        texts |= {at: " " * len(text) for at, (_, _, text) in self._walls.items()}
        texts |= marks | dict.fromkeys(self._nodes, " ")
        if view.boxed and (places[0][0] or labels):
            low, high = region.cells.min(axis=0), region.cells.max(axis=0)
            box = np.stack(np.meshgrid(*map(np.arange, low, high + 1), indexing="ij"), axis=-1)
            box = box.reshape(-1, len(low))
            rest = box[CellSet.of(region.lattice, region.cells).find(box) < 0]  # without periods
            around = places_in(view, region.lattice, rest, width) or ()
            texts |= {(layer, line, at - len(pad)): empty for layer, line, at in around}
        self._page = TextPage(view, texts, labels=labels)

    def _set_marks(self, region: CellSet, places: Sequence[Place], width: int) -> dict[Place, str]:
        """Set what is drawn round the tokens; return what is always there.

        strokes   for each cell, what appears where it is covered
        walls     what appears between two pieces: the cells at its sides, and its text
        nodes     where walls meet: which ones, and the bit that each sets
        vertices  where sticks meet: which cells, and the bit that each sets
        """
        view, lattice = self._view, region.lattice
        glyphs = view.glyphs * (len(lattice.kinds) if len(view.glyphs) == 1 else 1)
        kinds = lattice.kind_numbers(region.cells).tolist()
        self._strokes: list[dict[Place, str]] = []
        self._nodes: dict[Place, list[tuple[Place, int]]] = {}
        self._vertices: dict[Place, list[tuple[int, int]]] = {}
        marks: dict[Place, str] = {}
        sides: dict[Place, tuple[str, list[int]]] = {}
        for number, (kind, (layer, line, column)) in enumerate(zip(kinds, places, strict=True)):
            glyph = glyphs[kind]
            strokes, always = (
                {(layer, line + one.line, column + one.column): one.text for one in those}
                for those in (glyph.strokes, glyph.marks)
            )
            self._strokes.append(strokes)
            marks |= always
            for down, right, bit in glyph.ends:
                meeting = self._vertices.setdefault((layer, line + down, column + right), [])
                meeting.append((number, bit))
            for wall in glyph.walls:
                at = layer, line + wall.line, column + wall.column
                if at not in sides:
                    sides[at] = wall.text, []
                    for down, right, bit in wall.ends:
                        arms = self._nodes.setdefault((layer, line + down, column + right), [])
                        arms.append((at, bit))
                sides[at][1].append(number)
        if region.periods is not None and view.across:
            # There is no wall between two cells across the joint if one piece covers both.
            copies = copies_beside(region)
            beside = places_in(view, lattice, copies, width) or ()
            kinds, numbers = lattice.kind_numbers(copies).tolist(), region.find(copies).tolist()
            for number, kind, (layer, line, column) in zip(numbers, kinds, beside, strict=True):
                for wall in glyphs[kind].walls:
                    at = layer, line + wall.line, column + wall.column
                    if at in sides:
                        sides[at][1].append(number)
        self._walls = {
            at: (numbers[0], numbers[1] if len(numbers) > 1 else len(places), text)
            for at, (text, numbers) in sides.items()
        }
        return marks

    def _set_gaps(self, width: int) -> None:
        """Add the blanks between touching cells in a line to the walls: those of one piece get its
        colour."""
        slots, pairs = self._slots, {frozenset(pair) for pair in self._touching}
        for first, second in pairwise(sorted(range(len(slots)), key=slots.__getitem__)):
            layer, line, column = slots[first]
            blanks = slots[second][2] - column - width
            together = slots[second][:2] == (layer, line)
            if together and blanks > 0 and frozenset((first, second)) in pairs:
                self._walls[layer, line, column + width] = first, second, " " * blanks

    def draw(self, placements: Iterable[Placement], *, colour: bool = False) -> str:
        """The drawing of pieces in their places."""
        placed = list(placements)
        owners = [UNCOVERED] * len(self._slots) + [OUTSIDE]
        texts: dict[Place, str] = {}
        for owner, placement in enumerate(placed):
            name = placement.piece
            if name not in self._tokens:
                raise PuzzleError(f"the puzzle that is drawn has no piece {name}")
            for cell in placement.cells:
                if (number := self._numbers.get(cell)) is None:
                    message = f"piece {name} lies on {cell}, outside what is drawn"
                    raise PuzzleError(message, piece=name)
                owners[number] = owner
                texts[self._slots[number]] = self._tokens[name]
        if colour or not self._plain:
            texts |= self._round(placed, owners, colour)
        drawing = self._page.drawn(texts)
        if all(name == token for name, token in self._short.items()):
            return drawing
        names = {placement.piece for placement in placed}
        below = legend(entry for entry in self._short.items() if entry[0] in names)
        return f"{drawing}\n{below}" if below else drawing

    def _round(
        self, placed: Sequence[Placement], owners: Sequence[int], colour: bool
    ) -> dict[Place, str]:
        """Strokes, walls and the points where they meet; in colour, everything."""
        texts: dict[Place, str] = {}
        colours: list[int] = []
        if colour:  # a name has its own wish, the same in every solution
            wishes = {name: number % len(FIRST_CHOICE) for number, name in enumerate(self._tokens)}
            wanted = [wishes[placement.piece] for placement in placed]
            colours = choose_colours(owners, self._touching, wanted)

        def inked(text: str, owner: int) -> str:
            return painted(text, colours[owner]) if colour and owner >= 0 else text

        for number, owner in enumerate(owners[:-1]):
            if owner >= 0:
                texts[self._slots[number]] = inked(self._tokens[placed[owner].piece], owner)
                texts |= {at: inked(text, owner) for at, text in self._strokes[number].items()}
        drawn = {at for at, (one, other, _) in self._walls.items() if owners[one] != owners[other]}
        for at, (one, _, text) in self._walls.items():
            texts[at] = text if at in drawn else inked(" " * len(text), owners[one])
        for at, arms in self._nodes.items():
            bits = sum({bit for wall, bit in arms if wall in drawn})
            inside = UNCOVERED if bits else owners[self._walls[arms[0][0]][0]]
            texts[at] = inked(self._view.nodes[bits], inside)
        for at, sticks in self._vertices.items():
            there = {owners[cell] for cell, _ in sticks} - {UNCOVERED}
            if len(there) == 1:
                [owner] = there
                bits = sum({bit for cell, bit in sticks if owners[cell] == owner})
                texts[at] = inked(self._view.vertices[bits], owner)
        return texts


def _listed(lines: Cells, columns: Cells, layers: Cells) -> list[Place]:
    """Places from lines that are counted upwards, columns, and layers [cells, directions]."""
    each = zip(lines.tolist(), columns.tolist(), layers.tolist(), strict=True)
    return [(tuple(layer), -line, column) for line, column, layer in each]


def places_in(view: View, lattice: Lattice, cells: Cells, token_width: int) -> list[Place] | None:
    """The places that a view gives to cells; None where it cannot distinguish them."""
    if not view.across:
        return places_by_position(lattice, cells, token_width)
    vectors, kinds = lattice.vectors(cells), lattice.kind_numbers(cells)
    scale = ceil((token_width + 1) / view.share) if view.share else 1
    lines = vectors @ np.array(view.up, np.int64)
    if view.halves:
        lines = lines // 2
    shifts = np.array([(glyph.up, glyph.column) for glyph in view.glyphs], np.int64)
    layers = np.array(view.layers, np.int64).reshape(len(view.layers), lattice.dimension)
    return _listed(
        lines + shifts[kinds, 0],
        vectors @ np.array(view.across, np.int64) * scale + shifts[kinds, 1],
        vectors @ layers.T,
    )


def places_by_position(lattice: Lattice, cells: Cells, token_width: int) -> list[Place] | None:
    """Places for the cells of any lattice: a line for each height at which there are centres.

    Columns are to scale. The third and further coordinates in space are layers. None where cells
    lie too near each other to be distinguished.
    """
    unit = length(np.array(lattice.basis)).max()
    positions = np.round(lattice.positions(cells) / unit, 6)
    axes = max(2, positions.shape[1])
    places = np.zeros((axes, len(cells)))
    places[: positions.shape[1]] = positions.T
    across = places[0]
    ranks = [np.unique(values, return_inverse=True)[1] for values in places[1:]]
    lines, layers = ranks[0], np.array(ranks[1:], np.int64).reshape(axes - 2, len(cells)).T
    order = np.lexsort([across, lines, *layers.T])
    in_line = (np.diff(lines[order]) == 0) & (np.diff(layers[order], axis=0) == 0).all(axis=1)
    gaps = np.diff(across[order])[in_line]
    least = float(gaps.min()) if len(gaps) else 1.0
    if least <= 0:
        return None
    columns = np.floor((across - across.min()) * (token_width + 1) / least + 0.5 + 1e-4)
    return _listed(lines.astype(np.int64), columns.astype(np.int64), layers)


# -- short names -----------------------------------------------------------------------------------

EMPTY = "."
RESERVED = frozenset({EMPTY, "~L", "~D"})
LEGEND_WIDTH = 78

_SPARE = (
    range(ord("A"), ord("Z") + 1),
    range(ord("a"), ord("z") + 1),
    range(ord("0"), ord("9") + 1),
    range(0x100, 0x180),  # Latin with accents
    range(0x410, 0x450),  # Cyrillic
    range(0x1401, 0x1600),  # Canadian syllabics
)
"""Characters of one column, to be given to pieces whose own letters are all taken."""


def short_names(names: Iterable[str], longest: int | None) -> dict[str, str]:
    """A distinct token for each name: itself where it is plain and no longer than `longest`.

    Others get a letter of their own, or else any that is free.
    """
    ordered = list(dict.fromkeys(names))
    tokens = {name: name for name in ordered if _is_plain(name, longest)}
    taken = set(tokens)
    for name in ordered:
        if name not in tokens:
            own = [c for c in name if c.isascii() and c.isalnum()]
            signs = chain(own, map(str.swapcase, own), map(chr, chain(*_SPARE)))
            tokens[name] = next((c for c in signs if c not in taken), "?")
            taken.add(tokens[name])
    return tokens


def legend(tokens: Iterable[tuple[str, str]]) -> str:
    """Lines that say which token stands for which name, as comments; empty where all are plain."""
    entries = [
        f"{token}={name if name.isprintable() else ascii(name)}"
        for name, token in tokens
        if name != token
    ]
    lines = wrap(
        " ".join(entries), LEGEND_WIDTH, initial_indent="# ", subsequent_indent="# ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)


def _is_plain(name: str, longest: int | None) -> bool:
    return (
        (longest is None or len(name) <= longest)
        and name not in RESERVED
        and name.isprintable()
        and not any(c in ",#" or east_asian_width(c) in "WF" for c in name)
    )


# -- large rectangles ------------------------------------------------------------------------------

WIDE = 76
"""The columns that a drawing takes, about."""

ROW = 2
"""The height of a row, in widths of a column."""

NEAREST = 2
"""The least number of columns or rows between walls that are not in one line."""


def draw_rectangles(placements: Iterable[Placement]) -> str:
    """The drawing of rectangles in their places, the highest y first; no line break at its end."""
    boxes = []
    for placement in placements:
        (x, y), (last_x, last_y) = min(placement.cells), max(placement.cells)
        boxes.append((placement.piece, (x, y), (last_x + 1, last_y + 1)))
    places = [corner for _, *corners in boxes for corner in corners]
    across = [x for x, _ in places]
    scale = min(ROW, WIDE / (max(across) - min(across)))
    column = _scaled(across, scale)
    height = _scaled([y for _, y in places], scale / ROW)
    top = max(height.values())
    sides = np.zeros((top + 1, max(column.values()) + 1), np.int64)
    texts: dict[tuple[int, int], str] = {}
    for name, (x, y), (end_x, end_y) in boxes:
        left, right, upper, lower = column[x], column[end_x], top - height[end_y], top - height[y]
        sides[[upper, lower], left:right] |= EAST
        sides[[upper, lower], left + 1 : right + 1] |= WEST
        sides[upper:lower, [left, right]] |= SOUTH
        sides[upper + 1 : lower + 1, [left, right]] |= NORTH
        if len(name) < right - left:
            start = (left + right + 1 - len(name)) // 2
            texts |= {((upper + lower) // 2, start + at): sign for at, sign in enumerate(name)}
    drawn = np.array([*JOINTS])[sides].tolist()
    for (row, at), sign in texts.items():
        drawn[row][at] = sign
    return "\n".join("".join(line).rstrip() for line in drawn)


def _scaled(places: Sequence[int], scale: float) -> dict[int, int]:
    """The column or row of each place: to scale, but no two too near to each other."""
    found: dict[int, int] = {}
    first, before = min(places), -NEAREST
    for place in sorted(set(places)):
        before = max(before + NEAREST, round((place - first) * scale))
        found[place] = before
    return found
