"""Costs of cells in a TOML file.

    costs = '''
    1 1 2
    1 . 2
    '''

On the lattices where words can be drawn, every word of the drawing is the cost of a cell, `.` for
none. On all of them there are tables. Where they overlap their costs add up.

    [[costs]]
    region = "2x2 at 3,3"
    cost = 5
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from math import isfinite
from operator import itemgetter

import numpy as np

from exactcover.base.text.names import shown
from exactcover.errors import FormatError
from exactcover.formats.toml.cells import cells_by_word, drawing_lines, drawing_of_words
from exactcover.formats.toml.region import part_lines, union
from exactcover.formats.toml.table import Table, value_text, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice
from exactcover.puzzle import Cell, Region

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
COST = "a cost must be a finite number"
COSTS = "costs must be a drawing, or tables headed [[costs]]"


def read_costs(puzzle: Table, lattice: Lattice, region: Region) -> dict[Cell, float]:
    """The cost of each cell that has one."""
    costs: dict[Cell, Decimal] = {}  # so that 0.1 and 0.2 are 0.3
    everywhere = np.concatenate([region.cells, region.optional])
    there = CellSet.of(lattice, everywhere, Periods.of(lattice, region.wrap))
    for where, key, cost, cells in _priced(puzzle, lattice):
        found = there.find(cells)
        if (found < 0).any():
            cell = tuple(cells[found.argmin()].tolist())
            raise where.error(f"a cost for the cell {cell}, which is not in the region", key)
        with where.errors_at(key):
            where.budget.take(0, len(cells) // 10)
        for cell in map(tuple, np.unique(there.cells[found], axis=0).tolist()):
            costs[cell] = costs.get(cell, Decimal(0)) + Decimal(repr(cost))
    return {cell: float(cost) for cell, cost in costs.items()}


def _priced(puzzle: Table, lattice: Lattice) -> Iterator[tuple[Table, str, float, Cells]]:
    """Where costs are given, under which key, each cost, and its cells."""
    given = puzzle.values.get("costs", [])
    if isinstance(given, str):
        with puzzle.errors_at("costs"):
            instead = "say them in tables [[costs]]"
            words = cells_by_word(lattice, given, puzzle.budget, "costs", instead)
        for word, cells in words.items():
            with puzzle.errors_at("costs"):
                cost = cost_of_word(word)
            yield puzzle, "costs", cost, cells
        return
    if not isinstance(given, list):
        raise puzzle.error(COSTS, "costs", written(given))
    for part in puzzle.tables("costs"):
        part.check_keys(("region", "cost"), "a cost of cells")
        for key in ("region", "cost"):
            if key not in part:
                raise part.error("a cost of cells needs a region and a cost")
        cells = union(part, "region", lattice)
        with part.errors_at("cost"):
            cost = cost_of(part.values["cost"])
        yield part, "region", cost, cells


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


def drawn_costs(lattice: Lattice, costs: Mapping[Cell, float]) -> list[str]:
    """The costs of cells as a drawing; nothing where there is none that is easy to read."""
    words = {cell: value_text(cost) for cell, cost in costs.items()}
    drawing = drawing_of_words(lattice, words)
    return [] if drawing is None else list(drawing_lines("costs", drawing))


def cost_tables(lattice: Lattice, key: str, costs: Mapping[Cell, float]) -> Iterator[str]:
    """The costs of cells as tables with a region and the cost of its cells."""
    ordered = sorted((cost, cell) for cell, cost in costs.items())
    for cost, members in groupby(ordered, key=itemgetter(0)):
        yield ""
        yield f"[[{key}]]"
        yield f"cost = {value_text(cost)}"
        yield from part_lines(lattice, "region", np.array([cell for _, cell in members], np.int64))
