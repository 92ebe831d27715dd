"""A region as a TOML file says it: `"10x6"`, `"diamond 6 at 3,3"`, a drawing, or a table of parts.

A region is what its parts in `plus` and `optional` cover, without those in `minus`; the cells of
`optional` may stay empty. `wrap` makes a cylinder or a torus of it.

Cells are listed or drawn. The lattice says how it is drawn: by rows of marks, by a sketch, or not
at all. Drawings that are hard to read are not written.


| lattice | drawing |
|---|---|
| line, square | any mark is a cell; blanks between marks do not matter: `##.` is `# # .` |
| cubic | layers z = 0, 1, ... side by side with commas, or one below another with blank lines |
| hypercubic | layers z side by side with commas, then a blank line and those of the next w |
| hexagonal | any mark is a cell; each row stands half a cell - one character - off the next |
| triangular | `^` a triangle that points up, `v` one that points down; a blank is an empty place |
| sticks-square | `-` and `|` between crossing points, which may be `+` or `.` or blank |

Other built-in lattices have no drawings: their cells are listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from exactcover.base.text.characters import shown
from exactcover.errors import FormatError
from exactcover.formats.contents import MAX_CELLS, MAX_TOKENS, whole
from exactcover.formats.toml.table import MAX_WORDS, Table, few_words, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import board_periods, families, region_cells
from exactcover.geometry.sketches import marked_cells, rows_of, sketch_of, sketched_cells
from exactcover.geometry.wrapping import Wrap, period_vectors
from exactcover.lattices import Cells, Lattice, Rows
from exactcover.puzzle import Region, cells_array
from exactcover.puzzle.pieces import MAX_COORDINATE

T = TypeVar("T")

KEYS = ("plus", "minus", "optional", "empty")
PART_KEYS = ("cells", "drawing", "family", "sizes", "at")
MAX_PARTS = 1000

MAX_LIBRARY = 20_000
"""The most pieces of the library in the puzzles of one file: a few words can name thousands."""

MAX_PRICED = 100_000
"""The most cells with a cost in the puzzles of one file."""

WORDS = re.compile(
    r"\s*(?:([A-Za-z][A-Za-z_-]*(?:\s+[A-Za-z_-]+)*)\s+)?"
    r"([0-9]+(?:\s*[x×]\s*[0-9]+|\s*,\s*[0-9]+|\s+[0-9]+)*)"
    r"(?:\s+at\s+\(?\s*([^()]*?)\s*\)?)?\s*"
)
NUMBER_EMPTY = re.compile(r"([0-9]+)(?:\.\.([0-9]+))?")


class Allowance:
    """How much of the limits for one file is left, and what its puzzles have in common."""

    def __init__(self) -> None:
        self.cells, self.parts, self.tokens = 4 * MAX_CELLS, MAX_PARTS, MAX_TOKENS
        self.pieces, self.priced = MAX_LIBRARY, MAX_PRICED
        self._named: dict[tuple[str, Lattice | None], Any] = {}

    def named(
        self, text: str, lattice: Lattice | None, read: Callable[[str, Lattice | None], T]
    ) -> T:
        """The result of `read` for a text; the same text is read once."""
        if (text, lattice) not in self._named:
            if len(self._named) == MAX_PARTS:
                raise FormatError(f"the pieces of one file may be named in {MAX_PARTS:,} ways")
            self._named[text, lattice] = read(text, lattice)
        named: T = self._named[text, lattice]
        return named

    def take_pieces(self, number: int) -> None:
        self.pieces -= number
        if self.pieces < 0:
            raise FormatError(f"the puzzles of one file may have {MAX_LIBRARY:,} pieces by name")

    def take_priced(self, number: int) -> None:
        self.priced -= number
        if self.priced < 0:
            raise FormatError(f"one file may give {MAX_PRICED:,} cells a cost")

    def take_cells(self, number: int) -> None:
        self.cells -= number
        if number > MAX_CELLS or self.cells < 0:
            raise FormatError(
                f"a region may have {MAX_CELLS:,} cells, "
                f"those of one file {4 * MAX_CELLS:,} together"
            )

    def take_part(self) -> None:
        self.parts -= 1
        if self.parts < 0:
            raise FormatError(f"the regions of one file may have {MAX_PARTS:,} parts together")

    def take_drawing(self, text: str) -> None:
        self.tokens -= len(text) // 2
        if self.tokens < 0:
            raise FormatError(f"the drawings of one file may have {MAX_TOKENS:,} places together")


def read_region(puzzle: Table, lattice: Lattice, allowance: Allowance) -> Region:
    """The region of a puzzle."""
    none = np.zeros((0, lattice.width), np.int64)
    value = puzzle.values.get("region")
    if value is None:
        raise puzzle.error('the puzzle needs a region, for example region = "10x6"')
    if isinstance(value, Region):  # made in Python
        return replace(
            value,
            cells=cells_array(lattice, value.cells, "the region"),
            optional=cells_array(lattice, value.optional, "the optional cells"),
        )
    table = _table_of_parts(puzzle, "region")
    if table is None:
        return Region(union(puzzle, "region", lattice, allowance), none)
    table.check_keys(KEYS, "region")
    parts = {key: union(table, key, lattice, allowance) for key in KEYS[:3]}
    optional = CellSet.of(lattice, parts["optional"])
    everything = CellSet.of(lattice, np.concatenate([parts["plus"], parts["optional"]]))
    left = _without(table, everything, parts["minus"])
    may_be_empty = optional.find(left) >= 0
    return Region(left[~may_be_empty], left[may_be_empty], _empty(table))


def read_mask(piece: Table, lattice: Lattice, allowance: Allowance) -> Cells:
    """The cells that a piece may lie on, said like a region."""
    table = _table_of_parts(piece, "within")
    if table is None:
        return union(piece, "within", lattice, allowance)
    table.check_keys(KEYS[:2], "within")
    plus, minus = (union(table, key, lattice, allowance) for key in KEYS[:2])
    return _without(table, CellSet.of(lattice, plus), minus)


def _table_of_parts(table: Table, key: str) -> Table | None:
    """The table that a key holds, None where it holds a single part or a list of parts."""
    value = table.values[key]
    one_part = isinstance(value, dict) and any(name in value for name in PART_KEYS)
    if not isinstance(value, dict) or (one_part and not any(name in value for name in KEYS)):
        return None
    return table.table(key)


def _without(table: Table, everything: CellSet, minus: Cells) -> Cells:
    taken = CellSet.of(everything.lattice, minus)
    if len(taken) and not (everything.find(taken.cells) >= 0).any():
        raise table.error("minus takes nothing away: none of its cells is in the region", "minus")
    return everything.cells[taken.find(everything.cells) < 0]


def read_wrap(puzzle: Table, lattice: Lattice) -> Wrap:
    """The period vectors of a wrapped board: as they are listed, or those of a board by its name.

    `"torus"` and `"cylinder"` take them from the region, where that is a box or a board like it.
    """
    value = puzzle.values.get("wrap")
    if value is None:
        return ()
    with puzzle.told_at("wrap", written(value)):
        if not isinstance(value, str):
            return period_vectors(lattice, value if isinstance(value, list) else [value])
        region = puzzle.values["region"]
        if isinstance(region, dict) and "plus" in region:
            region = region["plus"]
        if isinstance(region, list) and len(region) == 1:
            region = region[0]
        named = _family_of(region)
        if named is None:
            vectors = [[10 if a == b else 0 for b in range(lattice.dimension)]
                       for a in range(lattice.dimension)]  # fmt: skip
            raise FormatError(
                f'{shown(value)!r} takes its periods from a region such as "10x6"; of other '
                f"regions list the period vectors: wrap = {vectors}"
            )
        return board_periods(lattice, value, *named)


def _family_of(part: object) -> tuple[str, list[int]] | None:
    """The family and the sizes of a part, where it has some."""
    if isinstance(part, dict) and isinstance(part.get("family"), str):
        return part["family"], list(part["sizes"])
    found = WORDS.fullmatch(part) if isinstance(part, str) and len(part) <= MAX_WORDS else None
    return found and (found[1] or "box", [int(size) for size in re.findall("[0-9]+", found[2])])


def _empty(table: Table) -> tuple[int, int] | None:
    """How many of the optional cells stay empty."""
    value = table.values.get("empty")
    if value is None:
        return None
    if "optional" not in table:
        raise table.error("empty counts the cells that stay empty, but none is optional", "empty")
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_CELLS:
        return value, value
    found = NUMBER_EMPTY.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise table.error('empty must be a number or a range "0..3"', "empty", written(value))
    with table.told_at("empty"):
        low = whole(found[1], "empty")
        return low, whole(found[2], "empty") if found[2] else low


def union(table: Table, key: str, lattice: Lattice, allowance: Allowance) -> Cells:
    """All cells of the part or parts of a region that a key holds."""
    value = table.values.get(key, [])
    cells = []
    for part in value if isinstance(value, list) else [value]:
        with table.told_at(key, _token(part)):
            allowance.take_part()
            cells.append(_part(part, lattice, allowance))
            allowance.take_cells(len(cells[-1]))
    empty = np.zeros((0, lattice.width), np.int64)
    return CellSet.of(lattice, np.concatenate([empty, *cells])).cells


def _token(part: object) -> str | None:
    """The text by which the line of a part is found."""
    if isinstance(part, str):
        return next((line.strip() for line in part.split("\n") if line.strip()), None)
    return next(iter(part), None) if isinstance(part, dict) else written(part)


def _part(part: object, lattice: Lattice, allowance: Allowance) -> Cells:
    if isinstance(part, str) and "\n" in part:
        part = {"drawing": part}
    if isinstance(part, str):
        return _in_words(part, lattice)
    if not isinstance(part, dict):
        raise FormatError(
            'a part of a region is text such as "10x6", or a table', token=written(part)
        )
    for key in part:
        if key not in PART_KEYS:
            raise FormatError(
                f"a part of a region has no key {shown(key)!r}: it has {', '.join(PART_KEYS)}",
                token=shown(key),
            )
    ways = [key for key in ("cells", "drawing", "family") if key in part]
    if len(ways) != 1 or ("family" in part) != ("sizes" in part):
        raise FormatError("a part of a region has cells, a drawing, or a family with its sizes")
    if ways == ["family"]:
        family, sizes = part["family"], part["sizes"]
        if not isinstance(family, str) or not _are_whole(sizes):
            raise FormatError("a family is text, its sizes whole numbers: sizes = [6, 2]")
        cells = region_cells(lattice, family, sizes)
    else:
        cells = cells_in(part, lattice, allowance, "a part of the region")
    return _shifted(cells, lattice, part.get("at", []))


def _in_words(text: str, lattice: Lattice) -> Cells:
    found = WORDS.fullmatch(few_words(text))
    if not found:
        if needed := [family for family in families(lattice) if family.name == _family_name(text)]:
            one = needed[0]
            example = " ".join([one.name, *("654321"[: len(one.sizes)])])
            meaning = ", ".join(one.sizes)
            raise FormatError(
                f"region {one.name} needs its {'size' if len(one.sizes) == 1 else 'sizes'} "
                f'({meaning}): region = "{example}"',
                token=shown(text),
            )
        raise FormatError(
            'a region is written "10x6", "diamond 6", "box 2x2 at 3,3"', token=shown(text)
        )
    sizes = [whole(size, "a size") for size in re.findall("[0-9]+", found[2])]
    cells = region_cells(lattice, found[1] or "box", sizes)
    place = [] if found[3] is None else re.split(r"[\s,]+", found[3])
    return _shifted(cells, lattice, [whole(value, "a coordinate") for value in place], found[3])


def _family_name(text: str) -> str:
    """The name of a family as `families` spells it."""
    return "-".join(text.lower().replace("_", " ").split())


def _shifted(cells: Cells, lattice: Lattice, at: Any, token: str | None = None) -> Cells:
    """The cells moved by the vector `at`; by nothing where it is empty and not asked for."""
    if at == [] and token is None:
        return cells
    if not _are_whole(at) or len(at) != lattice.dimension:
        raise FormatError(
            f"at must be {lattice.dimension} whole numbers on the lattice {lattice.name}",
            token=token or written(at),
        )
    moved = cells.copy()
    lattice.vectors(moved)[...] += np.array(at, np.int64)
    return moved


def _are_whole(values: object) -> bool:
    return isinstance(values, list) and all(
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_COORDINATE
        for value in values
    )


# -- cells of a part or a piece -------------------------------------------------------------------


def cells_in(table: dict[str, Any], lattice: Lattice, allowance: Allowance, where: str) -> Cells:
    """The cells that a table lists or draws."""
    if "drawing" in table:
        drawing = table["drawing"]
        if not isinstance(drawing, str):
            raise FormatError("drawing must be text", token=written(drawing))
        allowance.take_drawing(drawing)
        return cells_array(lattice, drawn_cells(lattice, drawing), where)
    cells = table["cells"]
    if not isinstance(cells, list) or not cells:
        raise FormatError("cells must be a list of cells: [[0, 0], [1, 0]]", token=written(cells))
    return cells_array(lattice, [_cell(cell, lattice) for cell in cells], where)


def _cell(cell: object, lattice: Lattice) -> list[int]:
    """A cell; its kind may be a number or a name."""
    if isinstance(cell, list) and len(cell) == lattice.width:
        kind = cell[-1]
        if lattice.width > lattice.dimension and isinstance(kind, str) and kind in lattice.kinds:
            cell = [*cell[:-1], lattice.kinds.index(kind)]
        if _are_whole(cell):
            return list(cell)
    raise FormatError(f"each cell is {lattice.coordinates_text()}", token=written(cell))


# -- drawings -------------------------------------------------------------------------------------


Cell = tuple[int, ...]

MAX_SPREAD = 40
"""A drawing with more than this many places a cell is hard to read: cells are listed instead."""


def drawn_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a drawing; every mark is one."""
    cells = sketched_cells(lattice, text)
    if not cells:
        raise FormatError("the drawing has no cells")
    return cells


def cells_by_word(
    lattice: Lattice, text: str, what: str = "pieces", instead: str = "list their cells"
) -> dict[str, list[Cell]]:
    """The cells of each word of a drawing in which every cell is a word.

    what, instead  of what it is a drawing, and what to do on other lattices: for messages
    """
    if not isinstance(lattice.sketch, Rows):
        raise FormatError(
            f"{what} can be drawn by words where cells lie in rows, as on square and cubic, "
            f"not on {lattice.name}: {instead}"
        )
    words: dict[str, list[Cell]] = {}
    for cell, word in marked_cells(lattice, text, str.split):
        words.setdefault(word, []).append(cell)
    if not words:
        raise FormatError(f"the drawing has no {what}")
    return words


def drawing(lattice: Lattice, cells: Cells) -> str | None:
    """A drawing of cells, or None where there is none, or none that is easy to read."""
    if not len(cells):
        return None
    spread = np.ptp(lattice.vectors(cells), axis=0) + 1
    if float(np.prod(spread.astype(float))) * len(lattice.kinds) > MAX_SPREAD * len(cells) + 400:
        return None
    return sketch_of(lattice, cells)


def drawn_words(lattice: Lattice, words: Mapping[Cell, str]) -> str | None:
    """A drawing of cells by words, or None where there is none, or none that is easy to read."""
    cells = np.array(list(words), np.int64).reshape(len(words), lattice.width)
    if not isinstance(lattice.sketch, Rows) or not len(cells) or cells.min() < 0:
        return None
    if float(np.prod(cells.max(axis=0) + 1.0)) > MAX_SPREAD * len(cells) + 400:
        return None
    return rows_of(lattice, cells, list(words.values()))
