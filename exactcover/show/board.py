"""A board is data: what the cells of a puzzle look like, whatever lies on them.

    board = DrawnBoard.of(puzzle)
    state = state_of(puzzle, solution.placements)

A state gives each cell an owner, one of its parts: a piece, or cells without one. A solution is a
state, and so is each moment of a search. Pictures paint a board and a state, pages get the board
once, as JSON, and each state as numbers.

A cell is drawn in its layer, as seen from above, and in space. Cells in more than three dimensions
lie in blocks, which stand in nested grids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import cos, hypot, pi, sin
from string import ascii_lowercase

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import Block, as_tuples, bodies_of, caption, ring
from exactcover.geometry.cells import CellSet
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Piece, Placement, Puzzle, Region
from exactcover.puzzle.paint import Paint
from exactcover.show.palette import (
    EMPTY,
    FIXED,
    OPTIONAL,
    Tone,
    colour,
    colour_numbers,
    mixed,
    touching_cells,
)
from exactcover.show.space import Space, nested
from exactcover.show.svg import Point
from exactcover.show.tiles import (
    Numbered,
    Sheet,
    Tile,
    flat_sheet,
    middle_of,
    solid_sheet,
)

MAX_CELLS = 30_000
"""A picture or a page of more cells would take minutes to make and to show."""

LABEL = 0.35
"""How far from a joined side its letter stands, in distances of neighbours."""

SIDES = 20
"""The sides of the polygon that stands for a disc on a page."""


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """The looks of the cells of a region. A cell has its place among them as its number."""

    space: CellSet

    @classmethod
    def of(cls, what: Puzzle | CellSet) -> DrawnBoard:
        """The board of a puzzle or of cells; raises `ExactCoverError` if they are too many."""
        space = what.space if isinstance(what, Puzzle) else what
        if not len(space):
            raise ExactCoverError("there are no cells to show")
        if len(space) > MAX_CELLS:
            raise ExactCoverError(f"{len(space):,} cells are too many to show: up to {MAX_CELLS:,}")
        return cls(space)

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice of the cells."""
        return self.space.lattice

    @cached_property
    def pitch(self) -> float:
        """The distance between neighbours."""
        return bodies_of(self.lattice).pitch

    @cached_property
    def solid(self) -> bool:
        """Whether the cells lie in space, not in the plane."""
        return bodies_of(self.lattice).solid

    def owners(self, owned: Iterable[Sequence[Cell]]) -> list[int]:
        """For each cell the number of those that own it, or -1."""
        those = [np.array(cells, np.int64) for cells in owned]
        owners = np.full(len(self.space), -1)
        if those:
            numbers = np.repeat(np.arange(len(those)), [len(cells) for cells in those])
            owners[self.space.find(np.concatenate(those))] = numbers
        found: list[int] = owners.tolist()
        return found

    @cached_property
    def _blocks(self) -> dict[Block, Numbered]:
        bodies, cells = bodies_of(self.lattice), Numbered.of(self.space)
        return cells.divided(bodies.block) if self.solid else {(): cells}

    @cached_property
    def _layers(self) -> dict[Block, dict[float, Numbered]]:
        height = bodies_of(self.lattice).height
        return {block: cells.divided(height) for block, cells in self._blocks.items()}

    @cached_property
    def flat(self) -> dict[Block, dict[float, Sheet]]:
        """The cells seen from above: in each block its layers by their heights, the lowest first.

        Cells in the plane are one layer.
        """
        bodies = bodies_of(self.lattice)
        if not self.solid:
            return {(): {0.0: flat_sheet(bodies, self._blocks[()], above=False)}}
        return {
            block: {height: flat_sheet(bodies, cells, above=True) for height, cells in here.items()}
            for block, here in self._layers.items()
        }

    @cached_property
    def solids(self) -> dict[Block, Sheet]:
        """The cells of each block in space, seen along a diagonal."""
        bodies = bodies_of(self.lattice)
        return {block: solid_sheet(bodies, cells.own) for block, cells in self._blocks.items()}

    @cached_property
    def layers(self) -> dict[Block, dict[float, Sheet]]:
        """The same of each layer alone."""
        bodies = bodies_of(self.lattice)
        return {
            block: {height: solid_sheet(bodies, cells.own) for height, cells in here.items()}
            for block, here in self._layers.items()
        }

    @cached_property
    def joints(self) -> list[tuple[Point, str]]:
        """Letters at the sides of a wrapped board in the plane; two sides that are one share one.

        Sides that are joined by one translation have one letter, in their middle.
        """
        if self.space.periods is None or self.solid:
            return []
        sides: dict[Cell, list[tuple[Point, Point]]] = {}
        for tile in self.flat[()][0.0].tiles:
            edges = [*ring(tile.points)]
            for one in tile.joined:
                (ax, ay), (bx, by) = edges[one.side]
                middle = round((ax + bx) / 2, 6), round((ay + by) / 2, 6)
                far = LABEL * self.pitch / hypot(bx - ax, by - ay)
                at = middle[0] - far * (by - ay), middle[1] + far * (bx - ax)
                sides.setdefault(one.shift, []).append((middle, at))
        letters = []
        shifts = sorted(shift for shift in sides if shift > _back(shift))
        for shift, letter in zip(shifts, ascii_lowercase, strict=False):
            for there in (shift, _back(shift)):
                # The sides at both ends are translates, so the same one of them is in the middle.
                in_order = sorted(sides[there])
                _, at = in_order[middle_of([middle for middle, _ in in_order])]
                letters.append((at, letter))
        return letters

    # -- for a page --------------------------------------------------------------------------------

    def data(self, *, layers: bool = True, space: bool | None = None) -> dict[str, object]:
        """The board for a page, ready for JSON.

        layers  whether it has the layers. Default: True
        space   whether it has the faces in space. Default: None, if its cells lie in space
        """
        return {
            "lattice": self.lattice.name,
            "dimension": self.lattice.dimension,
            "pitch": self.pitch,
            "cells": self.space.cells.tolist(),
            "layers": self._flat_layers() if layers else [],
            "space": self._in_space() if (self.solid if space is None else space) else None,
        }

    def _in_space(self) -> dict[str, object]:
        """The cells in space for a page: every face once, and what balls and bars are made of."""
        bodies, cells = bodies_of(self.lattice), as_tuples(self.space.cells)
        offsets = nested(bodies, cells)
        numbers = {place: number for number, place in enumerate(offsets)}
        spots = [(numbers[bodies.block(cell)], cell) for cell in cells]
        made = Space(bodies, [*offsets.values()], spots)
        return made.data(turning=True)

    def _flat_layers(self) -> list[dict[str, object]]:
        """The layers in boxes of one size, so that equal places of two layers lie alike."""
        sheets = [
            (", ".join(filter(None, (caption(block), f"layer {number}"))), sheet)
            for block, layers in self.flat.items()
            for number, sheet in enumerate(layers.values(), 1)
        ]
        drawn = [
            [[(x / self.pitch, y / self.pitch) for x, y in _polygon(tile)] for tile in sheet.tiles]
            for _, sheet in sheets
        ]
        points = np.array([point for layer in drawn for polygon in layer for point in polygon])
        (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return [
            {
                "title": title,
                "width": round(right - left, 4),
                "height": round(bottom - top, 4),
                "cells": [tile.cell for tile in sheet.tiles],
                "polygons": [
                    [[round(x - left, 4), round(y - top, 4)] for x, y in polygon]
                    for polygon in layer
                ],
                "sides": [[] if tile.size else [*tile.beyond] for tile in sheet.tiles],
                "joints": [
                    [round(x / self.pitch - left, 4), round(y / self.pitch - top, 4), letter]
                    for (x, y), letter in self.joints
                ],
            }
            for (title, sheet), layer in zip(sheets, drawn, strict=True)
        ]


def _back(shift: Cell) -> Cell:
    return tuple(-step for step in shift)


def _polygon(tile: Tile) -> Sequence[Point]:
    """The corners of a tile; of a disc or a bar, those of a polygon that looks like it."""
    if len(tile.points) == 1:
        ((x, y),) = tile.points
        turns = [2 * pi * (step + 0.5) / SIDES for step in range(SIDES)]
        return [(x + tile.size * cos(turn), y + tile.size * sin(turn)) for turn in turns]
    if not tile.size:
        return tile.points
    (ax, ay), (bx, by) = tile.points
    length = hypot(bx - ax, by - ay)
    if not length:  # a bar that stands upright
        half = tile.size / 2
        return [(ax - half, ay), (ax, ay - half), (ax + half, ay), (ax, ay + half)]
    # Bars have pointed ends, so that those that meet at a point leave each other room.
    ux, uy = (bx - ax) / length * tile.size / 2, (by - ay) / length * tile.size / 2
    return [
        (ax, ay), (ax + ux - uy, ay + uy + ux), (bx - ux - uy, by - uy + ux),
        (bx, by), (bx - ux + uy, by - uy - ux), (ax + ux + uy, ay + uy - ux),
    ]  # fmt: skip


# -- states ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """The look of cells: a piece in its place, or cells without one.

    label   what is written on it
    title   the text that is shown when a reader points at it
    whole   its cells are one piece, drawn without the lines between them; otherwise the label is
            written on each cell
    """

    tone: Tone
    label: str = ""
    title: str = ""
    whole: bool = True


@dataclass(frozen=True)
class BoardState:
    """The owners of the cells of a board.

    owners  for each cell the part that owns it, or -1
    parts   pieces, then cells without one
    """

    owners: Sequence[int]
    parts: Sequence[Part]


def state_of(
    puzzle: Puzzle, placements: Sequence[Placement] | None = None, *, names: bool = True
) -> BoardState:
    """Placed pieces, and the cells without one. Default: the stationary pieces.

    Each piece has a colour; those that touch differ. Stationary pieces are grey.
    """
    if placements is None:
        placements = [Placement(one.name, tuple(as_tuples(one.cells))) for one in puzzle.stationary]
    covered = {cell for placement in placements for cell in placement.cells}
    bare = [cell for cell in as_tuples(puzzle.space.cells) if cell not in covered]
    pieces = parts_of(placements, tones_of(puzzle, placements), names=names)
    ground = ground_of(puzzle.region, bare, puzzle.paint)
    owned = chain((one.cells for one in placements), (cells for cells, _ in ground))
    return BoardState(
        DrawnBoard(puzzle.space).owners(owned), [*pieces, *(part for _, part in ground)]
    )


def board_with(
    lattice: Lattice, groups: Iterable[tuple[Sequence[Cell], Part]]
) -> tuple[DrawnBoard, BoardState]:
    """The board of some cells, and the parts that own them."""
    shown = [(cells, part) for cells, part in groups if cells]
    cells = [cell for those, _ in shown for cell in those]
    board = DrawnBoard.of(CellSet.of(lattice, np.array(cells, np.int64).reshape(-1, lattice.width)))
    return board, BoardState(board.owners(those for those, _ in shown), [part for _, part in shown])


def parts_of(placements: Sequence[Placement], tones: Sequence[Tone], *, names: bool) -> list[Part]:
    """Placed pieces in these colours."""
    return [
        Part(tone, one.piece * names, one.piece)
        for one, tone in zip(placements, tones, strict=True)
    ]


def tones_of(puzzle: Puzzle, placements: Sequence[Placement]) -> list[Tone]:
    """The colours of placed pieces; those of movable pieces that touch differ."""
    fixed = {piece.name for piece in puzzle.stationary}
    movable = [placement for placement in placements if placement.piece not in fixed]
    tones = iter(tones_on(puzzle.space, movable, copies(puzzle.movable)))
    return [FIXED if placement.piece in fixed else next(tones) for placement in placements]


def tones_on(
    space: CellSet, placements: Sequence[Placement], most: Mapping[str, int | None]
) -> list[Tone]:
    """The colours of pieces on these cells; `most` has the names of all, with their copies."""
    owners = np.array(DrawnBoard(space).owners(placement.cells for placement in placements))
    pairs = np.sort(owners[touching_cells(space)], axis=1).tolist()
    touching = {(a, b) for a, b in pairs if 0 <= a < b}
    names = [placement.piece for placement in placements]
    return [colour(number) for number in colour_numbers(names, most, touching)]


def copies(pieces: Iterable[Piece]) -> dict[str, int | None]:
    """How many copies of each piece there are at most; None: any number."""
    return {piece.name: piece.high for piece in pieces}


def ground_of(
    region: Region, cells: Iterable[Cell], paint: Paint | None = None
) -> list[tuple[list[Cell], Part]]:
    """Cells without a piece: those to be filled, those that may stay empty, and painted ones."""
    optional = set(as_tuples(region.optional))
    kinds: dict[tuple[bool, int], list[Cell]] = {}
    for cell in cells:
        painted = paint.cells.get(cell, 0) if paint is not None else 0
        kinds.setdefault((cell in optional, painted), []).append(cell)
    parts = []
    for (may_be_empty, number), those in sorted(kinds.items()):
        tone = OPTIONAL if may_be_empty else EMPTY
        words = "may stay empty" if may_be_empty else "to be filled"
        if number and paint is not None:
            tone = mixed(colour(number - 1), tone, 0.55)
            words = f"{words}, colour {number}"
        parts.append((those, Part(tone, "", words, whole=False)))
    return parts
