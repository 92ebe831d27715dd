"""Laying out a sheet: which strings it is made of, and where they stand.

Each layer of a region is a block of text, and all blocks are of one size. The first direction in
which layers are counted goes across the page, every other one down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import ceil, prod
from operator import itemgetter

import numpy as np

from exactcover.base.values.products import length
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import copies_beside
from exactcover.lattices.base import Cells, Lattice
from exactcover.lattices.view import View
from exactcover.show.render.palette import touching_cells
from exactcover.show.render.text_sheet import EMPTY, Edge, TextSheet

BY_POSITION = View(across=(), up=(), share=1, longest=3)
"""The view of a lattice that has none of its own."""

BLOCKS_BY_POSITION = replace(BY_POSITION, fill=2)

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
    region: CellSet, view: View, short: Mapping[str, str], *, shape_only: bool = False
) -> TextSheet | None:
    """The sheet of a region; None where its cells make no picture.

    short       the token for each name
    shape_only  the tokens are no names; commas separate layers, which are not labelled
    """
    lattice = region.lattice
    width = view.fill or max((len(token) for token in short.values()), default=1)
    places = places_in(view, lattice, region.cells, width)
    if places is None or not have_room(places):
        return None
    outside: Sequence[Place] | None = None
    if view.boxed and (places[0][0] or not shape_only):
        outside = places_in(view, lattice, _rest_of_box(region), width)

    def in_cell(token: str) -> str:
        """The text in a cell for a token."""
        return token.center(view.room) if view.room else view.pad + token.rjust(width) + view.pad

    empty = in_cell(EMPTY)
    slots, dots = (
        [(layer, line, column - len(view.pad)) for layer, line, column in those]
        for those in (places, outside or ())
    )
    kinds = lattice.kind_numbers(region.cells).tolist()
    strokes: list[list[tuple[Place, str]]] = []
    marks: dict[Place, str] = {}
    borders: dict[Place, _Border] = {}
    meeting: dict[Place, list[tuple[int, int]]] = {}
    glyphs = view.glyphs * (len(lattice.kinds) if len(view.glyphs) == 1 else 1)
    for number, (layer, line, column) in enumerate(places):
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
    if region.periods is not None and view.across:
        # There is no wall between a cell and the next across the joint if one piece covers both.
        copies = copies_beside(region)
        numbers, their_kinds = region.find(copies).tolist(), lattice.kind_numbers(copies).tolist()
        beside = places_in(view, lattice, copies, width) or ()
        for number, kind, (layer, line, column) in zip(numbers, their_kinds, beside, strict=True):
            for wall in glyphs[kind].walls:
                place = (layer, line + wall.line, column + wall.column)
                if place in borders:
                    borders[place].sides.append(number)
    nodes: dict[Place, list[tuple[int, int]]] = {}
    for wall_number, border in enumerate(borders.values()):
        for place, bit in border.ends:
            nodes.setdefault(place, []).append((wall_number, bit))

    touching = [*map(tuple, touching_cells(region).tolist())]
    gaps = _gaps(slots, touching, len(empty)) if view.share else {}
    everything: dict[Place, str] = dict.fromkeys(slots, empty)
    everything |= {place: " " * len(text) for marked in strokes for place, text in marked}
    everything |= {place: " " * len(border.text) for place, border in borders.items()}
    everything |= marks | dict.fromkeys(nodes, " ") | dict.fromkeys(dots, empty)
    everything |= {place: " " * length for place, (_, _, length) in gaps.items()}
    parts, where = _set_out(view, everything, not shape_only)

    nowhere = len(slots)
    walls: list[Edge] = [
        (where[place], border.sides[0], (*border.sides[1:], nowhere)[0], border.text)
        for place, border in borders.items()
    ]
    joints = [(part, first, second, " " * len(text)) for part, first, second, text in walls]
    joints += [
        (where[place], first, second, " " * length)
        for place, (first, second, length) in gaps.items()
    ]
    return TextSheet(
        numbers={tuple(cell): number for number, cell in enumerate(region.cells.tolist())},
        parts=parts,
        slots=[where[place] for place in slots],
        tokens={name: "" if view.fill else in_cell(token) for name, token in short.items()},
        short=short,
        strokes=[[(where[place], text) for place, text in marked] for marked in strokes]
        if any(strokes)
        else (),
        walls=walls,
        joints=joints,
        nodes=[(where[place], arms) for place, arms in nodes.items()],
        node_text=view.nodes,
        vertices=[(where[place], arms) for place, arms in meeting.items()],
        vertex_text=view.vertices,
        fill=view.fill,
        touching=touching,
    )


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


def _set_out(
    view: View, texts: Mapping[Place, str], labels: bool
) -> tuple[list[str], dict[Place, int]]:
    """Strings which, joined, are a page of these texts; and the number of the one at each place.

    Each layer is a block, and all blocks are of one size. Texts must not overlap.
    """
    layers = [layer for layer, _, _ in texts]
    lines = [line for _, line, _ in texts]
    top, left = min(lines), min(column for _, _, column in texts)
    height = max(lines) - top + 1
    width = max(column + len(text) for (_, _, column), text in texts.items()) - left
    ranges = [range(min(axis), max(axis) + 1) for axis in zip(*layers, strict=True)]
    # Of the directions that go down the page the last one changes slowest.
    down = [tuple(reversed(row)) for row in product(*reversed(ranges[1:]))]
    rows = {row: number for number, row in enumerate(down)}
    gap, header, margin = GAP, 0, 0
    commas = bool(ranges) and (view.commas or not labels)
    above: list[str] = []
    beside: list[str] = []
    if commas:
        gap = len(COMMA)
    elif ranges:  # `z=0` and so on above the layers, `w=0 v=0` and so on to the left of each row
        header = 1
        above = [f"{view.layer_names[0]}={number}" for number in ranges[0]]
        width = max(width, *map(len, above))
        names = view.layer_names[1:]
        beside = [
            " ".join(f"{name}={value}" for name, value in zip(names, row, strict=False))
            for row in down
        ]
        margin = max(len(text) + 2 * bool(text) for text in beside)

    def spot(row: int, block: int) -> tuple[int, int]:
        """The line and the column where a block starts."""
        return header + row * (height + 1), margin + block * (width + gap)

    spots: list[tuple[int, int, str, Place | None]] = []
    for place, text in texts.items():
        layer, line, column = place
        here, start = spot(rows[layer[1:]], layer[0] - ranges[0][0]) if layer else (0, 0)
        spots.append((here + line - top, start + column - left, text, place))
    for row, block in product(range(len(rows)), range(1, len(ranges[0]) if commas else 1)):
        here, start = spot(row, block)
        spots += [(here + line, start - gap, COMMA, None) for line in range(height)]
    spots += [(0, spot(0, block)[1], text, None) for block, text in enumerate(above)]
    spots += [(spot(row, 0)[0], 0, text, None) for row, text in enumerate(beside) if text]
    parts: list[str] = []
    where: dict[Place, int] = {}
    here, column = 0, 0
    for line, start, text, known in sorted(spots, key=itemgetter(0, 1)):
        if line > here:
            parts.append("\n" * (line - here))
            here, column = line, 0
        if start > column:
            parts.append(" " * (start - column))
        if known is not None:
            where[known] = len(parts)
        parts.append(text)
        column = start + len(text)
    return parts, where


ROOM = 50_000
"""This many places for tokens are always granted; above that, `SPARSE` for each cell."""

SPARSE = 50


def have_room(places: Sequence[Place]) -> bool:
    """Whether places make a picture: cells that lie far apart would make a waste of blanks."""
    table = np.array([(*layer, line, column) for layer, line, column in places])
    area = prod(int(np.ptp(axis)) + 1 for axis in table.T)
    return area <= ROOM + SPARSE * len(places)


def _listed(lines: Cells, columns: Cells, layers: Cells) -> list[Place]:
    """Places from lines that are counted upwards, columns, and layers [cells, directions]."""
    each = zip(lines.tolist(), columns.tolist(), layers.tolist(), strict=True)
    return [(tuple(layer), -line, column) for line, column, layer in each]


def _rest_of_box(region: CellSet) -> Cells:
    """The cells of the box around a region that are not in it."""
    low, high = region.cells.min(axis=0), region.cells.max(axis=0)
    box = np.stack(np.meshgrid(*map(np.arange, low, high + 1), indexing="ij"), axis=-1)
    box = box.reshape(-1, len(low))
    return box[CellSet.of(region.lattice, region.cells).find(box) < 0]  # without periods


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
