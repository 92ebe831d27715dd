"""Colours of cells and pieces, as a TOML file says them; they say where a piece may lie.

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exactcover.base.text.characters import shown
from exactcover.base.text.near import one_of
from exactcover.errors import FormatError
from exactcover.formats.drawings import EMPTY, cells_by_word
from exactcover.formats.toml_region import Allowance, union
from exactcover.formats.toml_table import Table, written
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Cells, Lattice
from exactcover.puzzle import Cell, Paint, Puzzle, cells_array

KEYS = ("region", "colour")
FORM = (
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
            raise table.error(FORM, "colours", written(value))
        parts = []
        for part in table.tables("colours"):
            part.check_keys(KEYS, "a colour of cells")
            for key in KEYS:
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
