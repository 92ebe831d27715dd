"""The costs of cells and pieces in a TOML file.

    costs = '''
    1 1 2
    1 . 2
    '''

On the lattices where words can be drawn, every word of the drawing is what it costs to fill the
cell. On all of them there are parts, whose costs add up where they overlap:

    [[costs]]
    region = "2x2 at 3,3"
    cost = 5
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from math import isfinite

import numpy as np

from exactcover.base.text.characters import shown
from exactcover.errors import FormatError
from exactcover.formats.drawings import cells_by_word
from exactcover.formats.toml_region import Allowance, union
from exactcover.formats.toml_table import Table, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice
from exactcover.puzzle import Cell, Region, cells_array

KEYS = ("region", "cost")
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
    for table, key, cells, cost in _parts(puzzle, lattice, allowance):
        with table.told_at(key):
            allowance.take_priced(len(cells))
        found = there.find(cells)
        if (found < 0).any():
            cell = tuple(cells[found.argmin()].tolist())
            raise table.error(f"a cost for the cell {cell}, which is not in the region", key)
        for cell in map(tuple, there.cells[np.unique(found)].tolist()):
            costs[cell] = costs.get(cell, Decimal(0)) + Decimal(repr(cost))
    return {cell: float(cost) for cell, cost in costs.items()}


def _parts(
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
        table.check_keys(KEYS, "a cost of cells")
        for key in KEYS:
            if key not in table:
                raise table.error("a cost of cells needs a region and a cost")
        yield table, "region", union(table, "region", lattice, allowance), number_at(table, "cost")
