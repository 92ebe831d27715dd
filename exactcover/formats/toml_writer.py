"""Puzzles as our own TOML files: nothing is lost, and a person can read them.

Cells are drawn where the lattice has drawings, and listed elsewhere. What is natural is not said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np

from exactcover.base.text import characters
from exactcover.base.values.conventions import CONVENTIONS
from exactcover.errors import ConversionError, ExactCoverError
from exactcover.formats.document import Document
from exactcover.formats.drawings import EMPTY, drawing, drawn_cells, drawn_words
from exactcover.formats.source import MAX_TOKENS
from exactcover.formats.toml_colours import together, words_of
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import MAX_CELLS, region_cells
from exactcover.lattices import Cells, Lattice
from exactcover.lattices.lattice_file import fields_of
from exactcover.lattices.registry import is_registered
from exactcover.puzzle import Cell, Paint, Piece, Region

LINE = 100

LONG = 50
"""A rectangle of at least this many cells is written by its size."""

N = TypeVar("N", int, float)


def write_toml(documents: Sequence[Document]) -> str:
    """The puzzles: one as the file, several as tables headed `[[puzzle]]`."""
    if len(documents) == 1:
        return "\n".join(_written(documents[0], "")) + "\n"
    blocks = ["\n".join(["[[puzzle]]", *_written(one, "puzzle.")]) + "\n" for one in documents]
    return "\n".join(blocks)


def _written(document: Document, prefix: str) -> Iterator[str]:
    """The lines of a puzzle; `prefix` comes before the names of its tables."""
    puzzle = document.puzzle
    if puzzle is None:
        raise ConversionError(
            f"{document.name} is a plain problem: a TOML file holds puzzles, with their geometry"
        )
    lattice, region = puzzle.lattice, puzzle.region
    registered = is_registered(lattice)
    for key, text in (("title", document.title), ("source", document.source)):
        if text := characters.plain(text):
            yield f"{key} = {_text(text)}"
    if registered:
        yield f"lattice = {_text(lattice.name)}"
    if puzzle.reflections != lattice.flips:
        yield f"reflections = {_value(puzzle.reflections)}"
    if not puzzle.crossing:
        yield "crossing = false"
    if not puzzle.turns:
        yield "turns = false"
    plain = not len(region.optional) and region.empty is None
    if plain and (words := _box_in_words(lattice, region.cells)):
        yield f"region = {_text(words)}"
    if region.wrap:
        yield f"wrap = {_value(region.wrap)}"
    words_of_colours = words_of(puzzle)
    painted = drawn_words(
        lattice, {cell: words_of_colours[c] for cell, c in _ground(puzzle.paint).items()}
    )
    if painted:
        yield from _several_lines("colours", painted)
    if puzzle.paint is not None and words_of_colours:
        pairs = together(puzzle.paint, words_of_colours)
        if pairs is not None:
            yield f"together = {_value(pairs)}"
    prices = drawn_words(lattice, {cell: _value(cost) for cell, cost in region.costs.items()})
    if prices:
        yield from _several_lines("costs", prices)
    if not registered:
        yield ""
        yield f"[{prefix}lattice]"
        yield from (f"{key} = {_value(value)}" for key, value in fields_of(lattice).items())
    if document.counts:
        yield ""
        yield f"[{prefix}counts]"
        yield from (
            f"{key} = {document.counts[key]}" for key in CONVENTIONS if key in document.counts
        )
    if not plain or not _box_in_words(lattice, region.cells):
        yield ""
        yield f"[{prefix}region]"
        yield from _region(lattice, region)
    if not prices:
        for cost, cells in _cells_by_value(region.costs):
            yield ""
            yield f"[[{prefix}costs]]"
            yield f"cost = {_value(cost)}"
            yield from _part(lattice, "region", cells)
    if not painted:
        for colour, cells in _cells_by_value(_ground(puzzle.paint)):
            yield ""
            yield f"[[{prefix}colours]]"
            yield f"colour = {_text(words_of_colours[colour])}"
            yield from _part(lattice, "region", cells)
    for piece in puzzle.pieces:
        colours = () if puzzle.paint is None else puzzle.paint.pieces.get(piece.name, ())
        marks = [words_of_colours.get(colour, EMPTY) for colour in colours if any(colours)]
        yield ""
        yield f"[[{prefix}piece]]"
        yield from _piece(lattice, piece, [] if piece.stationary else marks)


def _ground(paint: Paint | None) -> dict[Cell, int]:
    """The colours of the cells that have one."""
    return {cell: colour for cell, colour in paint.cells.items() if colour} if paint else {}


def _piece(lattice: Lattice, piece: Piece, colours: Sequence[str]) -> Iterator[str]:
    """The lines of a piece; `colours` has a word for each of its cells, or none."""
    yield f"name = {_text(piece.name)}"
    one_colour = len(set(colours)) < 2
    size = _long_size(lattice, piece) if one_colour else None
    picture = None
    if one_colour and not piece.stationary and size is None:
        picture = drawing(lattice, piece.cells)
    if size is not None:
        yield f"shape = {_text(size)}"
    else:
        yield from (
            _several_lines("drawing", picture) if picture else _listed("cells", piece.cells)
        )
    if piece.stationary:
        yield "stationary = true"
    elif piece.high is None:
        yield f'copies = "{piece.low}.."' if piece.low else 'copies = "any"'
    elif piece.low != piece.high:
        yield f'copies = "{piece.low}..{piece.high}"'
    elif piece.low != 1:
        yield f"copies = {piece.low}"
    if piece.cost:
        yield f"cost = {_value(piece.cost)}"
    if piece.reflections is not None:
        yield f"reflections = {_value(piece.reflections)}"
    if piece.crossing is not None:
        yield f"crossing = {_value(piece.crossing)}"
    if piece.turns is not None:
        yield f"turns = {_value(piece.turns)}"
    if colours:
        yield f"colours = {_value(colours[0] if one_colour else list(colours))}"
    if piece.within is not None:
        yield from _part(lattice, "within", piece.within)


def _long_size(lattice: Lattice, piece: Piece) -> str | None:
    """The size of a rectangle or a brick that is called so, or would be long to draw; else
    None."""
    if lattice.name not in ("square", "cubic") or piece.stationary:
        return None
    words = _box_in_words(lattice, piece.cells)
    if words is None or (len(piece.cells) < LONG and words != piece.name):
        return None
    return words.split()[0]


# -- regions --------------------------------------------------------------------------------------


def _region(lattice: Lattice, region: Region) -> Iterator[str]:
    for key, cells in (("plus", region.cells), ("optional", region.optional)):
        if len(cells):
            yield from _part(lattice, key, cells)
    if region.empty is not None and len(region.optional):
        low, high = region.empty
        yield f"empty = {low}" if low == high else f'empty = "{low}..{high}"'


def _part(lattice: Lattice, key: str, cells: Cells) -> Iterator[str]:
    """Cells as the one part of a region that a key holds."""
    if words := _box_in_words(lattice, cells):
        yield f"{key} = {_text(words)}"
        return
    picture = drawing(lattice, cells)
    at = None if picture is None else _place(lattice, cells, picture)
    if at is None:
        yield from _listed(f"{key}.cells", cells)
        return
    assert picture is not None  # only a drawing has a place
    yield from _several_lines(f"{key}.drawing", picture)
    if any(at):
        yield f"{key}.at = {_value(at)}"


def _cells_by_value(values: Mapping[Cell, N]) -> Iterator[tuple[N, Cells]]:
    """The cells that cost something or have a colour, those of the same together."""
    ordered = sorted((value, cell) for cell, value in values.items())
    for value, members in groupby(ordered, key=itemgetter(0)):
        yield value, np.array([cell for _, cell in members], np.int64)


def _box_in_words(lattice: Lattice, cells: Cells) -> str | None:
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


def _place(lattice: Lattice, cells: Cells, picture: str) -> list[int] | None:
    """Where a drawing is to be put to be these cells, or None where it cannot be."""
    drawn = CellSet.of(lattice, np.array(drawn_cells(lattice, picture))).cells
    ordered = CellSet.of(lattice, cells).cells
    at = lattice.vectors(ordered)[0] - lattice.vectors(drawn)[0]
    lattice.vectors(moved := drawn.copy())[...] += at
    same = (CellSet.of(lattice, moved).cells == ordered).all()
    return [int(value) for value in at] if same else None


# -- values ---------------------------------------------------------------------------------------


def _several_lines(key: str, picture: str) -> Iterator[str]:
    """A drawing under its key; in literal quotes, nothing in it means anything else."""
    if len(picture) // 2 > MAX_TOKENS:  # as the reader counts places
        raise ConversionError(
            f"{key}: a drawing may have {MAX_TOKENS:,} places in a TOML file, and this one has "
            "more: name the region in the file instead, as in 'diamond 600'"
        )
    yield f"{key} = '''"
    yield from picture.split("\n")
    yield "'''"


def _listed(key: str, cells: Cells) -> Iterator[str]:
    words = [_value(cell) for cell in cells.tolist()]
    line = f"{key} = [{', '.join(words)}]"
    if len(line) <= LINE:
        yield line
        return
    yield f"{key} = ["
    row = ""
    for word in words:
        if row and len(row) + len(word) > LINE - 3:
            yield row
            row = ""
        row += f"{' ' if row else '  '}{word},"
    yield row
    yield "]"


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_text(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
