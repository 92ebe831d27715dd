"""Laying out a sheet: which strings it is made of, and where they stand.

Each layer of a region is a block of text, and all blocks are of one size. The first direction in
which layers are counted goes across the page, every other one down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import ceil

import numpy as np

from exactcover.base.values.products import length
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Cells, Lattice
from exactcover.lattices.view import View
from exactcover.show.render.text_colours import touching_cells
from exactcover.show.render.text_sheet import EMPTY, Edge, TextSheet

GAP = 3
"""Blanks between layers that stand side by side."""

COMMA = ", "
"""The separator between layers that have no labels."""

Layer = tuple[int, ...]
Place = tuple[Layer, int, int]
"""A layer, and a line (counted downwards) and a column in it."""


@dataclass
class _Border:
    """A wall while it is laid out: its text, the cells at its sides, the nodes at its ends."""

    text: str
    sides: list[int] = field(default_factory=list)
    ends: tuple[tuple[Place, int], ...] = ()


def lay_out(
    region: CellSet,
    view: View,
    places: Places,
    short: Mapping[str, str],
    *,
    outside: Places | None = None,
    beyond: tuple[Cells, Places] | None = None,
    labels: bool = True,
) -> TextSheet:
    """The sheet of a region.

    places   where the tokens of its cells stand
    short    the token for each name
    outside  where `.` stands for cells that are not in the region
    beyond   of a wrapped board, copies of its cells that lie beside it, and their places: there
             is no wall between a cell and the next across the joint if one piece covers both
    labels   whether layers are labelled; if not, commas separate them
    """
    width = view.fill or max((len(token) for token in short.values()), default=1)

    def in_cell(token: str) -> str:
        """The text in a cell for a token."""
        return token.center(view.room) if view.room else view.pad + token.rjust(width) + view.pad

    empty = in_cell(EMPTY)
    slots = list(_places(places, len(view.pad)))
    kinds = region.lattice.kind_numbers(region.cells).tolist()
    strokes: list[list[tuple[Place, str]]] = []
    marks: dict[Place, str] = {}
    borders: dict[Place, _Border] = {}
    meeting: dict[Place, list[tuple[int, int]]] = {}
    glyphs = view.glyphs * (len(region.lattice.kinds) if len(view.glyphs) == 1 else 1)
    for number, (layer, line, column) in enumerate(_places(places)):
        glyph = glyphs[kinds[number]]
        strokes.append([((layer, line + s.line, column + s.column), s.text) for s in glyph.strokes])
        for mark in glyph.marks:
            marks[layer, line + mark.line, column + mark.column] = mark.text
        for down, right, bit in glyph.ends:
            meeting.setdefault((layer, line + down, column + right), []).append((number, bit))
        for wall in glyph.walls:
            ends = tuple(
                ((layer, line + down, column + right), bit) for down, right, bit in wall.ends
            )
            place = (layer, line + wall.line, column + wall.column)
            borders.setdefault(place, _Border(wall.text, ends=ends)).sides.append(number)
    if beyond is not None:
        for number, kind, (layer, line, column) in zip(
            region.find(beyond[0]).tolist(),
            region.lattice.kind_numbers(beyond[0]).tolist(),
            _places(beyond[1]),
            strict=True,
        ):
            for wall in glyphs[kind].walls:
                place = (layer, line + wall.line, column + wall.column)
                if place in borders:
                    borders[place].sides.append(number)
    dots = list(_places(outside, len(view.pad))) if outside else []
    nodes: dict[Place, list[tuple[int, int]]] = {}
    for wall_number, border in enumerate(borders.values()):
        for place, bit in border.ends:
            nodes.setdefault(place, []).append((wall_number, bit))

    touching = [*map(tuple, touching_cells(region).tolist())]
    gaps = _gaps(slots, touching, len(empty)) if view.share else {}
    everything: dict[Place, str] = (
        dict.fromkeys(slots, empty)
        | {place: text for marked in strokes for place, text in marked}
        | {place: border.text for place, border in borders.items()}
        | marks
        | dict.fromkeys(nodes, " ")
        | dict.fromkeys(dots, empty)
    )
    page = TextPage(view, everything, labels)
    slot_parts = [page.put(place, empty) for place in slots]
    stroke_parts = [
        [(page.put(place, " " * len(text)), text) for place, text in marked] for marked in strokes
    ]
    wall_parts = [page.put(place, " " * len(border.text)) for place, border in borders.items()]
    node_parts = [page.put(place, " ") for place in nodes]
    gap_parts = [page.put(place, " " * length) for place, (_, _, length) in gaps.items()]
    mark_parts = {place: page.put(place, text) for place, text in marks.items()}
    for place in dots:
        page.put(place, empty)
    parts, where = page.parts()

    nowhere = len(slots)
    walls: list[Edge] = [
        (where[part], border.sides[0], (*border.sides[1:], nowhere)[0], border.text)
        for part, border in zip(wall_parts, borders.values(), strict=True)
    ]
    joints = [(part, first, second, " " * len(text)) for part, first, second, text in walls]
    joints += [
        (where[part], first, second, " " * length)
        for part, (first, second, length) in zip(gap_parts, gaps.values(), strict=True)
    ]
    return TextSheet(
        numbers={tuple(cell): number for number, cell in enumerate(region.cells.tolist())},
        parts=parts,
        slots=[where[part] for part in slot_parts],
        tokens={name: "" if view.fill else in_cell(token) for name, token in short.items()},
        short=short,
        strokes=[[(where[part], text) for part, text in marked] for marked in stroke_parts]
        if any(strokes)
        else (),
        walls=walls,
        joints=joints,
        nodes=[(where[part], arms) for part, arms in zip(node_parts, nodes.values(), strict=True)],
        node_text=view.nodes,
        vertices=[(where[mark_parts[place]], arms) for place, arms in meeting.items()],
        vertex_text=view.vertices,
        fill=view.fill,
        touching=touching,
    )


def _places(places: Places, left: int = 0) -> Iterator[Place]:
    """Each place, moved to the left."""
    for line, column, layer in zip(
        places.lines.tolist(), places.columns.tolist(), places.layers.tolist(), strict=True
    ):
        yield tuple(layer), -line, column - left


def _gaps(
    slots: list[Place], touching: list[tuple[int, int]], width: int
) -> dict[Place, tuple[int, int, int]]:
    """The blanks between two touching cells that are next to each other in a line."""
    pairs = set(touching)
    gaps: dict[Place, tuple[int, int, int]] = {}
    for first, second in pairwise(sorted(range(len(slots)), key=slots.__getitem__)):
        layer, line, column = slots[first]
        blanks = slots[second][2] - column - width
        together = slots[second][:2] == (layer, line)
        if together and blanks > 0 and {(first, second), (second, first)} & pairs:
            gaps[layer, line, column + width] = (first, second, blanks)
    return gaps


class TextPage:
    """Pieces of text in blocks of one size, one block for each layer.

    Each `put` answers with the number of its piece; what stands at its place must not overlap.
    """

    def __init__(self, view: View, everything: Mapping[Place, str], labels: bool) -> None:
        self._places: list[tuple[int, int]] = []
        self._texts: list[str] = []
        layers = [layer for layer, _, _ in everything]
        lines = [line for _, line, _ in everything]
        self._top, self._left = min(lines), min(column for _, _, column in everything)
        self._height = max(lines) - self._top + 1
        end = max(column + len(text) for (_, _, column), text in everything.items())
        self._width = end - self._left
        self._low = tuple(map(min, zip(*layers, strict=True)))
        high = tuple(map(max, zip(*layers, strict=True)))
        ranges = [range(a, b + 1) for a, b in zip(self._low, high, strict=True)]
        across = ranges[0] if ranges else range(1)
        # Of the directions that go down the page the last one changes slowest.
        down = [tuple(reversed(row)) for row in product(*reversed(ranges[1:]))]
        self._rows = {row: number for number, row in enumerate(down)}
        self._names = view.layer_names
        self._margin = self._header = 0
        self._gap = GAP
        if ranges and (view.commas or not labels):
            self._gap = len(COMMA)
            rows, blocks = range(len(self._rows)), range(1, len(across))
            for row, block, line in product(rows, blocks, range(self._height)):
                self._put(self._line_of(row) + line, self._column_of(block) - len(COMMA), COMMA)
        elif ranges:
            self._put_labels(across)

    def put(self, place: Place, text: str) -> int:
        """Text at a place in its layer."""
        layer, line, column = place
        row = self._rows[layer[1:]] if layer else 0
        block = layer[0] - self._low[0] if layer else 0
        return self._put(
            self._line_of(row) + line - self._top,
            self._column_of(block) + column - self._left,
            text,
        )

    def _put(self, line: int, column: int, text: str) -> int:
        self._places.append((line, column))
        self._texts.append(text)
        return len(self._texts) - 1

    def _line_of(self, row: int) -> int:
        return self._header + row * (self._height + 1)

    def _column_of(self, block: int) -> int:
        return self._margin + block * (self._width + self._gap)

    def _put_labels(self, across: range) -> None:
        """`z=0` and so on above the layers, `w=0 v=0` and so on to the left of each row."""
        self._header = 1
        above = [f"{self._names[0]}={number}" for number in across]
        self._width = max(self._width, *map(len, above))
        beside = {
            number: " ".join(
                f"{name}={value}" for name, value in zip(self._names[1:], row, strict=False)
            )
            for row, number in self._rows.items()
        }
        longest = max(map(len, beside.values()))
        self._margin = longest + 2 if longest else 0
        for block, text in enumerate(above):
            self._put(0, self._column_of(block), text)
        for number, text in beside.items():
            if text:
                self._put(self._line_of(number), 0, text)

    def parts(self) -> tuple[list[str], list[int]]:
        """Strings which, joined, are the whole text; and which of them each piece became."""
        parts: list[str] = []
        where = [0] * len(self._texts)
        here, column = 0, 0
        for number in sorted(range(len(self._texts)), key=self._places.__getitem__):
            line, start = self._places[number]
            if line > here:
                parts.append("\n" * (line - here))
                here, column = line, 0
            if start > column:
                parts.append(" " * (start - column))
            where[number] = len(parts)
            parts.append(self._texts[number])
            column = start + len(self._texts[number])
        return parts, where


ROOM = 50_000
"""This many places for tokens are always granted; above that, `SPARSE` for each cell."""

SPARSE = 50


@dataclass(frozen=True, eq=False)
class Places:
    """Where tokens stand, one entry a cell, lines counted upwards; which layer each is in.

    layers  int64 [cells, directions in which layers are counted]
    """

    lines: Cells
    columns: Cells
    layers: Cells

    def have_room(self) -> bool:
        """Whether they make a picture: cells that lie far apart would make a waste of blanks."""
        area = 1
        for values in (self.lines, self.columns, *self.layers.T):
            area *= int(values.max()) - int(values.min()) + 1
        return area <= ROOM + SPARSE * len(self.lines)


def places_in(view: View, lattice: Lattice, cells: Cells, token_width: int) -> Places:
    """The places that a view gives to cells."""
    vectors, kinds = lattice.vectors(cells), lattice.kind_numbers(cells)
    scale = ceil((token_width + 1) / view.share) if view.share else 1
    lines = vectors @ np.array(view.up, np.int64)
    if view.halves:
        lines = lines // 2
    shifts = np.array([(glyph.up, glyph.column) for glyph in view.glyphs], np.int64)
    layers = np.array(view.layers, np.int64).reshape(len(view.layers), lattice.dimension)
    return Places(
        lines + shifts[kinds, 0],
        vectors @ np.array(view.across, np.int64) * scale + shifts[kinds, 1],
        vectors @ layers.T,
    )


def places_by_position(lattice: Lattice, cells: Cells, token_width: int) -> Places | None:
    """Places for the cells of any lattice: a line for each height at which there are centres.

    Columns are to scale. The third and further coordinates in space are layers. None where cells
    lie too near each other to be distinguished.
    """
    unit = length(np.array(lattice.basis)).max()
    positions = np.round(lattice.positions(cells) / unit, 6)
    plane = np.zeros((len(cells), 2))
    plane[:, : min(2, positions.shape[1])] = positions[:, :2]
    layers = np.stack(
        [np.unique(values, return_inverse=True)[1] for values in positions[:, 2:].T]
        or [np.zeros(len(cells), np.int64)],
        axis=1,
    )
    if positions.shape[1] <= 2:
        layers = layers[:, :0]
    lines = np.unique(plane[:, 1], return_inverse=True)[1].astype(np.int64)
    order = np.lexsort([plane[:, 0], lines, *layers.T])
    in_line = (np.diff(lines[order]) == 0) & (np.diff(layers[order], axis=0) == 0).all(axis=1)
    gaps = np.diff(plane[order, 0])[in_line]
    least = float(gaps.min()) if len(gaps) else 1.0
    if least <= 0:
        return None
    shifts = (plane[:, 0] - plane[:, 0].min()) * (token_width + 1) / least
    columns = np.floor(shifts + 0.5 + 1e-4).astype(np.int64)
    return Places(lines, columns, layers.astype(np.int64))
