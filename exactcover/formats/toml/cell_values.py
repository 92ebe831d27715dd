"""Values of cells in a TOML file: costs, and colours of cells and pieces.

    costs = '''
    1 1 2
    1 . 2
    '''

On the lattices where words can be drawn, every word of the drawing is the value of a cell, `.` for
none. On all of them there are tables. The costs of tables that overlap add up.

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

A colour is a word. A text of one word colours every cell. `together` lists pairs of a piece's
colour and a cell's colour that go together. Without it equal colours do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np

from exactcover.base.text.names import one_of, shown
from exactcover.errors import FormatError
from exactcover.formats.toml.cells import cells_by_word, drawing_lines, drawing_of_words
from exactcover.formats.toml.region import part_lines, union
from exactcover.formats.toml.table import Table, value_text, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice
from exactcover.lattices.sketch import EMPTY
from exactcover.puzzle import Cell, Paint, Puzzle, Region

N = TypeVar("N", int, float)

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
COST = "a cost must be a finite number"
COSTS = "costs must be a drawing, or tables headed [[costs]]"
COLOURS = (
    "colours are one word for all cells, a drawing by words, or tables with a region and a colour"
)
TOGETHER = 'together is a list of pairs, a piece\'s colour first: [["red", "blue"]]'


def _valued(
    table: Table, key: str, entry: str, form: str, there: CellSet, whose: str
) -> Iterator[tuple[Table, str, Any, Cells]]:
    """Where a value of cells is given, the value, and its cells.

    entry  the key of the value in a table that gives it to a region
    form   for messages, what the value of the key should be
    """
    given = table.values.get(key, [])
    parts: Iterator[tuple[Table, str, Any, Cells]]
    if isinstance(given, str):
        with table.errors_at(key):
            instead = f"say them in tables [[{key}]]"
            words = cells_by_word(there.lattice, given, table.budget, key, instead)
        parts = ((table, key, word, cells) for word, cells in words.items())
    elif isinstance(given, list):
        parts = (_valued_region(part, entry, there.lattice) for part in table.tables(key))
    else:
        raise table.error(form, key, written(given))
    for where, at, value, cells in parts:
        found = there.find(cells)
        if (found < 0).any():
            cell = tuple(cells[found.argmin()].tolist())
            raise where.error(f"a {entry} for the cell {cell}, which is not in {whose}", at)
        yield where, at, value, there.cells[found]


def _valued_region(part: Table, entry: str, lattice: Lattice) -> tuple[Table, str, Any, Cells]:
    part.check_keys(("region", entry), f"a {entry} of cells")
    for key in ("region", entry):
        if key not in part:
            raise part.error(f"a {entry} of cells needs a region and a {entry}")
    return part, "region", part.values[entry], union(part, "region", lattice)


# -- costs ----------------------------------------------------------------------------------------


def read_costs(puzzle: Table, lattice: Lattice, region: Region) -> dict[Cell, float]:
    costs: dict[Cell, Decimal] = {}  # so that 0.1 and 0.2 are 0.3
    everywhere = np.concatenate([region.cells, region.optional])
    there = CellSet.of(lattice, everywhere, Periods.of(lattice, region.wrap))
    for where, key, value, cells in _valued(puzzle, "costs", "cost", COSTS, there, "the region"):
        with where.errors_at(key):
            where.budget.take(0, len(cells) // 10)
        with where.errors_at("cost" if key == "region" else key):
            cost = cost_of(value) if key == "region" else cost_of_word(value)
        for cell in map(tuple, np.unique(cells, axis=0).tolist()):
            costs[cell] = costs.get(cell, Decimal(0)) + Decimal(repr(cost))
    return {cell: float(cost) for cell, cost in costs.items()}


def cost_of(value: object) -> float:
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
            return value
    except OverflowError:  # a whole number beyond all floats
        pass
    raise FormatError(COST, token=written(value))


def cost_of_word(word: str) -> float:
    value = float(word) if NUMBER.fullmatch(word) else float("nan")
    if not isfinite(value):
        raise FormatError(COST, token=shown(word))
    return int(value) if value.is_integer() else value


# -- colours --------------------------------------------------------------------------------------


@dataclass
class Colours:
    """The colours of a puzzle while it is read.

    names   name -> number, from 1 in the order in which they come
    pieces  the colours of a piece's cells, by the piece's name; 0 for none
    """

    lattice: Lattice
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
        value = table.values["colours"]
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            if "cells" not in table:
                raise table.error("a list of colours goes with a list of cells", "colours")
            if len(value) != len(cells):
                raise table.error(
                    f"piece {name} has {len(cells)} cells and {len(value)} colours", "colours"
                )
            with table.errors_at("colours"):
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
        value = table.values["colours"]
        if isinstance(value, str) and len(value.split()) == 1 and "\n" not in value:
            parts = iter([(table, "colours", value.strip(), there.cells)])
        else:
            parts = _valued(table, "colours", "colour", COLOURS, there, whose)
        colours: dict[Cell, int] = {}
        for where, key, word, cells in parts:
            if key == "region":
                word = where.text("colour")
            with where.errors_at(key):
                number = self._number(word)
            for cell in map(tuple, cells.tolist()):
                if colours.setdefault(cell, number) != number:
                    names = list(self.names)
                    raise where.error(
                        f"cell {cell} is both {names[colours[cell] - 1]} and {word}", key, word
                    )
        return {cell: number for cell, number in colours.items() if number}

    def _together(self, puzzle: Table) -> frozenset[tuple[int, int]]:
        """Pairs of a piece's colour and a cell's colour that go together."""
        if "together" not in puzzle:
            return frozenset((number, number) for number in self.names.values())
        pairs = puzzle.values["together"]
        if not isinstance(pairs, list):
            raise puzzle.error(TOGETHER, "together", written(pairs))
        allowed = set()
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2:
                raise puzzle.error(TOGETHER, "together", written(pair))
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


# -- writing --------------------------------------------------------------------------------------


def colour_names(puzzle: Puzzle) -> Mapping[int, str]:
    """The name of each colour that a cell or a piece that may move has."""
    paint = puzzle.paint
    if paint is None:
        return {}
    on_pieces = (paint.pieces.get(piece.name, ()) for piece in puzzle.movable)
    used = {*paint.cells.values(), *(colour for listed in on_pieces for colour in listed)} - {0}
    return {number: paint.name(number) for number in sorted(used)}


def together_lines(paint: Paint, names: Mapping[int, str]) -> Iterator[str]:
    """The pairs that go together; nothing where equal colours do and no others."""
    pairs = {(a, b) for a, b in paint.allowed if a in names and b in names}
    if pairs != {(number, number) for number in names}:
        yield f"together = {value_text([(names[a], names[b]) for a, b in sorted(pairs)])}"


def drawn_values(
    lattice: Lattice, key: str, values: Mapping[Cell, N], word: Callable[[N], str]
) -> list[str]:
    """Values of cells as a drawing; nothing where there is none that is easy to read."""
    words = {cell: word(value) for cell, value in values.items()}
    drawing = drawing_of_words(lattice, words)
    return [] if drawing is None else list(drawing_lines(key, drawing))


def value_tables(
    lattice: Lattice, key: str, entry: str, values: Mapping[Cell, N], text: Callable[[N], str]
) -> Iterator[str]:
    """Values of cells as tables with a region and the value of its cells."""
    ordered = sorted((value, cell) for cell, value in values.items())
    for value, members in groupby(ordered, key=itemgetter(0)):
        yield ""
        yield f"[[{key}]]"
        yield f"{entry} = {text(value)}"
        yield from part_lines(lattice, "region", np.array([cell for _, cell in members], np.int64))
