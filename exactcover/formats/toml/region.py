"""A region as a TOML file says it: `"10x6"`, `"diamond 6 at 3,3"`, a drawing, or a table of parts.

A region is what its parts in `plus` and `optional` cover, without those in `minus`; the cells of
`optional` may stay empty. Where `plus` lies inside a part of `optional`, its cells are to be filled
nevertheless: that part is a margin. `wrap` makes a cylinder or a torus of the region.

`costs` says what it costs to fill cells: a drawing where every word is the cost of a cell and `.`
is none, on the lattices where words can be drawn; or tables, whose costs add up.

    [[costs]]
    region = "2x2 at 3,3"
    cost = 5
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from itertools import groupby
from math import isfinite
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError, FormatError, shown
from exactcover.formats.document import whole
from exactcover.formats.toml.cells import (
    are_whole,
    cells_by_word,
    drawing_of,
    place_of,
    read_cells,
)
from exactcover.formats.toml.table import Table, bounds_of, few_words, value_text, written
from exactcover.geometry.cells import MAX_CELLS, CellSet, Periods, Wrap, period_vectors
from exactcover.geometry.regions import board_periods, region_cells
from exactcover.lattices import Cells, Lattice
from exactcover.puzzle import Cell, Region, cells_array

KEYS = ("plus", "minus", "optional", "empty")
PART_KEYS = ("cells", "drawing", "family", "sizes", "at")

WORDS = re.compile(
    r"\s*(?:([A-Za-z][A-Za-z_-]*(?:\s+[A-Za-z_-]+)*)\s+)?"
    r"([0-9]+(?:\s*[x×]\s*[0-9]+|\s*,\s*[0-9]+|\s+[0-9]+)*)"
    r"(?:\s+at\s+\(?\s*([^()]*?)\s*\)?)?\s*"
)


def read_region(puzzle: Table, lattice: Lattice) -> Region:
    value = puzzle.values.get("region")
    if value is None:
        raise puzzle.error('the puzzle needs a region, for example region = "10x6"')
    if isinstance(value, Region):  # made in Python
        return replace(
            value,
            cells=cells_array(lattice, value.cells, "the region"),
            optional=cells_array(lattice, value.optional, "the optional cells"),
        )
    is_table = isinstance(value, dict) and (value.keys() & KEYS or not value.keys() & PART_KEYS)
    if not is_table:
        return Region(union(puzzle, "region", lattice), _none(lattice))
    table = puzzle.table("region")
    table.check_keys(KEYS, "region")
    plus, minus = union(table, "plus", lattice), union(table, "minus", lattice)
    optional = _optional(table, CellSet.of(lattice, plus))
    everything = CellSet.of(lattice, np.concatenate([plus, optional.cells]))
    left = _without(table, everything, minus)
    may_be_empty = optional.find(left) >= 0
    return Region(left[~may_be_empty], left[may_be_empty], _empty(table, int(may_be_empty.sum())))


def _optional(table: Table, plus: CellSet) -> CellSet:
    """The cells of `optional` that may stay empty: where it and `plus` overlap, the inner wins."""
    lattice = plus.lattice
    kept = [_none(lattice)]
    for part in _parts(table, "optional", lattice):
        shared = plus.find(part) >= 0
        inside, around = shared.all(), shared.sum() == len(plus)
        if shared.any() and not inside and not around:
            cell = tuple(part[shared.argmax()].tolist())
            raise table.error(
                f"plus and a part of optional share {shared.sum():,} cells, such as {cell}, and "
                "neither lies inside the other: take these cells out of one of them",
                "optional",
            )
        kept.append(part if inside else part[~shared])
    return CellSet.of(lattice, np.concatenate(kept))


def _without(table: Table, everything: CellSet, minus: Cells) -> Cells:
    taken = CellSet.of(everything.lattice, minus)
    if len(taken) and not (everything.find(taken.cells) >= 0).any():
        raise table.error("minus takes nothing away: none of its cells is in the region", "minus")
    return everything.cells[taken.find(everything.cells) < 0]


def read_wrap(puzzle: Table, lattice: Lattice) -> Wrap:
    """The period vectors of a wrapped board: as they are listed, or those of a board by its name.

    `"torus"` and `"cylinder"` take them from the region, where that is a box or a board like it.
    """
    value = puzzle.values["wrap"]
    with puzzle.errors_at("wrap", written(value)):
        if not isinstance(value, str):
            return period_vectors(lattice, value if isinstance(value, list) else [value])
        region = puzzle.values["region"]
        if isinstance(region, dict) and "plus" in region:
            region = region["plus"]
        if isinstance(region, list) and len(region) == 1:
            region = region[0]
        if isinstance(region, str) and WORDS.fullmatch(region):
            region = _in_words(region)
        if not isinstance(region, dict) or "family" not in region:
            raise FormatError(
                f'{shown(value)!r} takes its periods from a region such as "10x6"; of other '
                "regions list the period vectors, as in wrap = [[10, 0], [0, 6]]"
            )
        return board_periods(lattice, value, region["family"], list(region["sizes"]))


def _empty(table: Table, optional: int) -> tuple[int, int] | None:
    """How many of this number of optional cells stay empty."""
    if "empty" not in table:
        return None
    if "optional" not in table:
        raise table.error("empty counts the cells that stay empty, but none is optional", "empty")
    with table.errors_at("empty"):
        low, high = bounds_of(table.values["empty"], "empty")
        return low, optional if high is None else high


def union(table: Table, key: str, lattice: Lattice) -> Cells:
    """All cells of the part or parts of a region that a key holds."""
    parts = [_none(lattice), *_parts(table, key, lattice)]
    return CellSet.of(lattice, np.concatenate(parts)).cells


def _parts(table: Table, key: str, lattice: Lattice) -> list[Cells]:
    """The distinct cells of each part of a region that a key holds."""
    value = table.values.get(key, [])
    parts = []
    for part in value if isinstance(value, list) else [value]:
        with table.errors_at(key, _token(part)):
            if isinstance(part, str):
                part = {"drawing": part} if "\n" in part else _in_words(part)
            if not isinstance(part, dict):
                raise FormatError(
                    'a part of a region is text such as "10x6", or a table', token=written(part)
                )
            parts.append(_part(Table(part, (*table.path, key), table.file), lattice))
            table.budget.take(len(parts[-1]), 1)
    return parts


def _none(lattice: Lattice) -> Cells:
    """No cells, as an array."""
    return np.zeros((0, lattice.width), np.int64)


def _token(part: object) -> str | None:
    """The text by which the line of a part is found."""
    if isinstance(part, str):
        return next((line.strip() for line in part.split("\n") if line.strip()), None)
    return next(iter(part), None) if isinstance(part, dict) else written(part)


def _part(part: Table, lattice: Lattice) -> Cells:
    part.check_keys(PART_KEYS, "a part of a region")
    ways = [key for key in ("cells", "drawing", "family") if key in part]
    if len(ways) != 1 or ("family" in part) != ("sizes" in part):
        raise FormatError("a part of a region has cells, a drawing, or a family with its sizes")
    if ways == ["family"]:
        sizes = part.get("sizes", list, "whole numbers: sizes = [6, 2]")
        cells = region_cells(lattice, part.text("family"), sizes)
    else:
        cells = read_cells(part, lattice, "a part of the region")
    if (at := part.values.get("at", [])) == []:
        return cells
    if not are_whole(at) or len(at) != lattice.dimension:
        raise FormatError(
            f"at must be {lattice.dimension} whole numbers on the lattice {lattice.name}",
            token=written(at).strip("[]"),
        )
    moved = cells.copy()
    lattice.vectors(moved)[...] += np.array(at, np.int64)
    return moved


def _in_words(text: str) -> dict[str, Any]:
    """The table of a part in words, as `box 2x2 at 3,3`."""
    found = WORDS.fullmatch(few_words(text))
    if not found:
        raise FormatError(
            'a region is written "10x6", "diamond 6" or "box 2x2 at 3,3", with its sizes, or drawn '
            "as a text of several lines",
            token=shown(text),
        )
    sizes = [whole(size, "a size") for size in re.findall("[0-9]+", found[2])]
    part = {"family": found[1] or "box", "sizes": sizes}
    if found[3] is not None:
        part["at"] = [whole(one, "a coordinate") for one in re.split(r"[\s,]+", found[3])]
    return part


# -- writing --------------------------------------------------------------------------------------


def region_table(lattice: Lattice, region: Region) -> str | dict[str, Any]:
    """A region as the value of its key."""
    both = {"plus": region.cells, "optional": region.optional}
    table = {key: part_of(lattice, cells) for key, cells in both.items() if len(cells)}
    if region.empty is not None and len(region.optional):
        low, high = region.empty
        table["empty"] = low if low == high else f"{low}..{high}"
    return table["plus"] if [*table] == ["plus"] and isinstance(table["plus"], str) else table


def part_of(lattice: Lattice, cells: Cells) -> Any:
    """Cells as one part of a region."""
    if words := box_in_words(lattice, cells):
        return words
    drawing = drawing_of(lattice, cells)
    at = None if drawing is None else place_of(lattice, cells, drawing)
    if drawing is None or at is None:
        return {"cells": cells.tolist()}
    return {"drawing": drawing} | ({"at": at} if any(at) else {})


def box_in_words(lattice: Lattice, cells: Cells) -> str | None:
    """`10x6`, `10x6 at 3,3`: the cells as a box, or None where they are none."""
    if not 0 < len(cells) <= MAX_CELLS:
        return None
    vectors = lattice.vectors(cells)
    low = vectors.min(axis=0)
    spread = [int(size) for size in np.ptp(vectors, axis=0) + 1]
    # Of sticks, the box is that of the squares whose edges they are: smaller by one.
    for less in (0, 1):
        sizes = [size - less for size in spread]
        if min(sizes) < 1 or float(np.prod(np.array(sizes, float))) > len(cells):
            continue
        try:
            box = region_cells(lattice, "box", sizes)
        except ExactCoverError:
            return None
        if len(box) != len(cells):
            continue
        shift = low - lattice.vectors(box).min(axis=0)
        lattice.vectors(box := box.copy())[...] += shift
        if (CellSet.of(lattice, box).cells == CellSet.of(lattice, cells).cells).all():
            words = "x".join(map(str, sizes))
            return f"{words} at {','.join(map(str, shift.tolist()))}" if shift.any() else words
    return None


# -- costs ----------------------------------------------------------------------------------------


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
                cost = cost_of(word)
            yield puzzle, "costs", cost, cells
        return
    if not isinstance(given, list):
        message = "costs must be a drawing, or tables headed [[costs]]"
        raise puzzle.error(message, "costs", written(given))
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
    """A cost, by a number or a word."""
    with suppress(ValueError, OverflowError):  # a whole number may be beyond all floats
        number = float(value) if isinstance(value, str) else value
        if isinstance(number, int | float) and not isinstance(number, bool) and isfinite(number):
            return int(number) if number == int(number) else number
    raise FormatError("a cost must be a finite number", token=written(value))


def cost_tables(lattice: Lattice, costs: Mapping[Cell, float]) -> str | list[dict[str, Any]]:
    """The costs of cells as a drawing, or if none is easy to read, as tables with a region and the
    cost of its cells."""
    cells = np.array([*costs], np.int64).reshape(len(costs), lattice.width)
    if drawing := drawing_of(lattice, cells, [*map(value_text, costs.values())]):
        return drawing
    ordered = sorted(costs, key=lambda cell: (costs[cell], cell))
    return [
        {"cost": cost, "region": part_of(lattice, np.array([*priced], np.int64))}
        for cost, priced in groupby(ordered, key=costs.__getitem__)
    ]
