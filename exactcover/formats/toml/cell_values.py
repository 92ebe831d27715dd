"""Values of cells in a TOML file: costs, and colours of cells and pieces.

costs = '''
    1 1 2
    1 . 2
    '''

On the lattices where words can be drawn, every word of the drawing is what it costs to fill the
cell. On all of them there are parts, whose costs add up where they overlap:

    [[costs]]
    region = "2x2 at 3,3"
    cost = 5

Colours say where a piece may lie:

    region = "4x2"
    colours = '''
    red  .   blue .
    blue red .    .
    '''
    together = [["red", "red"], ["red", "blue"]]

    [[piece]]
    name = "A"
    cells = [[0, 0], [1, 0]]
    colours = ["red", "."]

A colour is a word. A text of one word colours every cell; a drawing has a word for each cell, `.`
for none; on every lattice there are tables, each with a `region` and a `colour`. `together` lists
pairs of a piece's colour and a cell's colour that go together. Without it equal colours do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite

import numpy as np

from exactcover.base.text.characters import shown
from exactcover.base.text.near import one_of
from exactcover.errors import FormatError
from exactcover.formats.toml.region import Allowance, cells_by_word, union
from exactcover.formats.toml.table import Table, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice
from exactcover.lattices.sketch import EMPTY
from exactcover.puzzle import Cell, Paint, Puzzle, Region, cells_array

# -- costs ----------------------------------------------------------------------------------------


COST_KEYS = ("region", "cost")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
FORM = "a cost must be a finite number"


def number_at(table: Table, key: str) -> float:
    """The number that a key holds."""
    value = table.values[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise table.error(FORM, key, written(value))
    return value


def cost_of_word(word: str) -> float:
    """The number that a word is."""
    value = float(word) if NUMBER.fullmatch(word) else float("nan")
    if not isfinite(value):
        raise FormatError(FORM, token=shown(word))
    return int(value) if value.is_integer() else value


def _is_finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def read_costs(
    puzzle: Table, lattice: Lattice, region: Region, allowance: Allowance
) -> dict[Cell, float]:
    """The costs of the cells of a puzzle."""
    costs: dict[Cell, Decimal] = {}  # so that 0.1 and 0.2 are 0.3
    everywhere = np.concatenate([region.cells, region.optional])
    there = CellSet.of(lattice, everywhere, Periods.of(lattice, region.wrap))
    for table, key, cells, cost in _cost_parts(puzzle, lattice, allowance):
        with table.told_at(key):
            allowance.take_priced(len(cells))
        found = there.find(cells)
        if (found < 0).any():
            cell = tuple(cells[found.argmin()].tolist())
            raise table.error(f"a cost for the cell {cell}, which is not in the region", key)
        for cell in map(tuple, there.cells[np.unique(found)].tolist()):
            costs[cell] = costs.get(cell, Decimal(0)) + Decimal(repr(cost))
    return {cell: float(cost) for cell, cost in costs.items()}


def _cost_parts(
    puzzle: Table, lattice: Lattice, allowance: Allowance
) -> Iterator[tuple[Table, str, Cells, float]]:
    """Cells, what each of them costs, and where that is said."""
    value = puzzle.values.get("costs", [])
    if isinstance(value, str):
        with puzzle.told_at("costs"):
            allowance.take_drawing(value)
            instead = "say them in [[costs]]"
            for word, cells in cells_by_word(lattice, value, "costs", instead).items():
                cost = cost_of_word(word)
                yield puzzle, "costs", cells_array(lattice, cells, "the costs"), cost
        return
    if not isinstance(value, list):
        raise puzzle.error("costs must be a drawing, or tables headed [[costs]]", "costs")
    for table in puzzle.tables("costs"):
        table.check_keys(COST_KEYS, "a cost of cells")
        for key in COST_KEYS:
            if key not in table:
                raise table.error("a cost of cells needs a region and a cost")
        yield table, "region", union(table, "region", lattice, allowance), number_at(table, "cost")


# -- colours --------------------------------------------------------------------------------------


COLOUR_KEYS = ("region", "colour")
COLOURS_FORM = (
    "colours are one word for all cells, a drawing by words, or tables with a region and a colour"
)


@dataclass
class Colours:
    """The colours of a puzzle while it is read: their names, and who has them.

    names   name -> number, from 1 in the order in which they come
    pieces  the colours of a piece's cells, by the piece's name; 0 for none
    """

    lattice: Lattice
    allowance: Allowance
    names: dict[str, int] = field(default_factory=dict)
    pieces: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def paint(self, puzzle: Table, space: CellSet) -> Paint | None:
        """The paint of a puzzle, once its pieces are read; None where there is no colour."""
        ground = self._by_cell(puzzle, space, "the region") if "colours" in puzzle else {}
        if not self.names:
            if "together" in puzzle:
                raise puzzle.error("together pairs colours, but the puzzle has none", "together")
            return None
        return Paint(ground, dict(self.pieces), self._together(puzzle), tuple(self.names))

    def add_piece(self, table: Table, name: str, cells: Cells) -> None:
        """Read the colours of a piece."""
        value = table.values["colours"]
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            if "cells" not in table:
                raise table.error("a list of colours goes with a list of cells", "colours")
            if len(value) != len(cells):
                raise table.error(
                    f"piece {name} has {len(cells)} cells and {len(value)} colours", "colours"
                )
            with table.told_at("colours"):
                self.pieces[name] = tuple(self._number(word) for word in value)
            return
        by_cell = self._by_cell(table, CellSet.of(self.lattice, cells), f"piece {name}")
        self.pieces[name] = tuple(by_cell.get(tuple(cell), 0) for cell in cells.tolist())

    def _number(self, word: str) -> int:
        """The number of a colour, 0 for none."""
        if word == EMPTY:
            return 0
        if not word.isprintable() or len(word.split()) != 1:
            raise FormatError("a colour is a printable word", token=shown(word))
        return self.names.setdefault(word, len(self.names) + 1)

    def _by_cell(self, table: Table, there: CellSet, whose: str) -> dict[Cell, int]:
        """The colours that a table's key `colours` gives to cells."""
        colours: dict[Cell, int] = {}
        for where, key, word, cells in self._parts(table, there):
            found = there.find(cells)
            if (found < 0).any():
                cell = tuple(cells[found.argmin()].tolist())
                raise where.error(f"a colour for the cell {cell}, which is not in {whose}", key)
            with where.told_at(key):
                number = self._number(word)
            for cell in map(tuple, there.cells[found].tolist()):
                if colours.setdefault(cell, number) != number:
                    names = list(self.names)
                    raise where.error(
                        f"cell {cell} is both {names[colours[cell] - 1]} and {word}", key, word
                    )
        return {cell: number for cell, number in colours.items() if number}

    def _parts(self, table: Table, there: CellSet) -> list[tuple[Table, str, str, Cells]]:
        """Where a colour is said, the colour, and its cells."""
        value = table.values["colours"]
        if isinstance(value, str):
            if len(value.split()) == 1 and "\n" not in value:
                return [(table, "colours", value.strip(), there.cells)]
            with table.told_at("colours"):
                self.allowance.take_drawing(value)
                instead = "say them in tables with a region and a colour"
                words = cells_by_word(self.lattice, value, "colours", instead)
                return [
                    (table, "colours", word, cells_array(self.lattice, cells, "the colours"))
                    for word, cells in words.items()
                ]
        if not isinstance(value, list):
            raise table.error(COLOURS_FORM, "colours", written(value))
        parts = []
        for part in table.tables("colours"):
            part.check_keys(COLOUR_KEYS, "a colour of cells")
            for key in COLOUR_KEYS:
                if key not in part:
                    raise part.error("a colour of cells needs a region and a colour")
            cells = union(part, "region", self.lattice, self.allowance)
            parts.append((part, "region", part.text("colour"), cells))
        return parts

    def _together(self, puzzle: Table) -> frozenset[tuple[int, int]]:
        """Pairs of a piece's colour and a cell's colour that go together."""
        if "together" not in puzzle:
            return frozenset((number, number) for number in self.names.values())
        pairs = puzzle.values["together"]
        form = 'together is a list of pairs, a piece\'s colour first: [["red", "blue"]]'
        if not isinstance(pairs, list):
            raise puzzle.error(form, "together", written(pairs))
        allowed = set()
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2:
                raise puzzle.error(form, "together", written(pair))
            one, other = (self._known(puzzle, word) for word in pair)
            allowed.add((one, other))
        return frozenset(allowed)

    def _known(self, puzzle: Table, word: object) -> int:
        if not isinstance(word, str) or word not in self.names:
            raise puzzle.error(
                f"no cell and no piece has the colour {shown(str(word))!r}: "
                f"{one_of(self.names, str(word))}",
                "together",
                written(word),
            )
        return self.names[word]


def words_of(puzzle: Puzzle) -> Mapping[int, str]:
    """The name of each colour that a cell or a piece that may move has."""
    paint = puzzle.paint
    if paint is None:
        return {}
    on_pieces = (paint.pieces.get(piece.name, ()) for piece in puzzle.movable)
    used = {*paint.cells.values(), *(colour for listed in on_pieces for colour in listed)} - {0}
    return {number: paint.name(number) for number in sorted(used)}


def together(paint: Paint, words: Mapping[int, str]) -> Sequence[tuple[str, str]] | None:
    """The pairs to write, None where equal colours go together and no others."""
    pairs = {(a, b) for a, b in paint.allowed if a in words and b in words}
    if pairs == {(number, number) for number in words}:
        return None
    return [(words[a], words[b]) for a, b in sorted(pairs)]
