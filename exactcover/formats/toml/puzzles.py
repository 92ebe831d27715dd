"""Our own puzzle files, in TOML: every lattice, and everything that a puzzle can say.

    title = "Pentominoes in a 10x6 box"
    pieces = "pentominoes"
    region = "10x6"

    [counts]
    rotations = 2339

What is not said is natural: the lattice is that of the pieces, they may be turned over in the plane
and not in space, each is there once. Several puzzles in a file are tables headed `[[puzzle]]`.

Writing loses nothing, and a person can read the file: defaults are left out, cells are drawn where
the lattice has drawings, and listed elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from exactcover.base.text import characters
from exactcover.base.text.numerals import COUNT_DIGITS, is_short
from exactcover.base.values.conventions import CONVENTIONS
from exactcover.errors import ConversionError, ExactCoverError, FormatError, PuzzleError
from exactcover.formats.contents import (
    MAX_PIECES,
    MAX_TOKENS,
    TOO_MANY_PIECES,
    Document,
    Heading,
    Refused,
    Source,
    one_line,
    placed,
    puzzle_name,
)
from exactcover.formats.toml.cell_values import Colours, number_at, read_costs, together, words_of
from exactcover.formats.toml.pieces import NamedPieces, asked_for, copies_of, named_pieces, parts_of
from exactcover.formats.toml.region import (
    Allowance,
    cells_by_word,
    cells_in,
    drawing,
    drawn_cells,
    drawn_words,
    read_mask,
    read_region,
    read_wrap,
)
from exactcover.formats.toml.table import Table, few_words, whole_table, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import MAX_CELLS, region_cells
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice, get_lattice
from exactcover.lattices.lattice_file import fields_of, lattice_from_fields
from exactcover.lattices.registry import is_registered
from exactcover.lattices.sketch import EMPTY
from exactcover.puzzle import Cell, Paint, Piece, Puzzle, Region
from exactcover.puzzle.library import find_piece

MAX_PUZZLES = 5_000
"""The most puzzles in one file: each of them costs more time here than in the other formats."""

KEYS = (
    "title", "source", "lattice", "reflections", "crossing", "turns",
    "pieces", "region", "wrap", "costs", "colours", "together", "counts", "piece",
)  # fmt: skip
PIECE_KEYS = (
    "name", "cells", "drawing", "shape", "copies", "cost", "stationary", "within", "colours",
    "reflections", "crossing", "turns",
)  # fmt: skip
CELLS_OF_A_PIECE = ("cells", "drawing", "shape")


def read_toml(source: Source) -> Iterator[Document | Refused]:
    """The puzzles of a file."""
    whole = whole_table(source)
    allowance = Allowance()
    if "puzzle" not in whole:
        yield read_document(whole, source, source.name, allowance)
        return
    whole.check_keys(("puzzle",), "a file with [[puzzle]] tables")
    tables = whole.tables("puzzle")
    if not 1 <= len(tables) <= MAX_PUZZLES:
        raise whole.error(f"a file holds 1 to {MAX_PUZZLES:,} puzzles", "puzzle")
    for number, table in enumerate(tables, 1):
        name = puzzle_name(source.name, number, len(tables))
        try:
            yield read_document(table, source, name, allowance)
        except FormatError as error:
            yield Refused(name, error)


def read_headings(source: Source) -> Iterator[Heading]:
    """The headings of the puzzles of a file. Nothing else of a puzzle is read or checked."""
    whole = whole_table(source)
    tables = whole.tables("puzzle") if "puzzle" in whole else [whole]
    for number, table in enumerate(tables, 1):
        name = puzzle_name(source.name, number, len(tables))
        yield Heading(name, _line(table, "title"), _counts(table))


def read_document(table: Table, source: Source, name: str, allowance: Allowance) -> Document:
    """The puzzle that a table holds; Python may have put values of its own into the table."""
    table.check_keys(KEYS, "a puzzle")
    title, origin, counts = _line(table, "title"), _line(table, "source"), _counts(table)
    lattice, asked = _lattice_and_library(table, allowance)
    region = read_region(table, lattice, allowance)
    if "wrap" in table:
        region = replace(region, wrap=read_wrap(table, lattice))
    with table.told_at("wrap" if "wrap" in table else "region"):
        periods = Periods.of(lattice, region.wrap)
    costs = read_costs(table, lattice, region, allowance)
    region = replace(region, costs={**region.costs, **costs})
    colours = Colours(lattice, allowance)
    pieces, lines = _pieces(table, lattice, asked, colours)
    both = np.concatenate([region.cells, region.optional])
    paint = colours.paint(table, CellSet.of(lattice, both, periods))
    try:
        puzzle = Puzzle(
            lattice,
            region,
            tuple(pieces),
            reflections=_reflections(table, asked),
            crossing=table.get("crossing", bool, "true or false", True),
            name=name,
            paint=paint,
            turns=table.get("turns", bool, "true or false", True),
        )
    except PuzzleError as error:
        raise placed(
            error, source, table.line("pieces" if not pieces else "region"), lines
        ) from None
    return Document(name, puzzle, title, origin, counts, source.file, lines)


def _line(table: Table, key: str) -> str:
    """A title or a source."""
    with table.told_at(key):
        return one_line(table.text(key), key)


def _counts(table: Table) -> dict[str, int]:
    counts = table.table("counts")
    counts.check_keys(CONVENTIONS, "counts")
    for key, value in counts.values.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise counts.error("a count must be a whole number", key, written(value))
        if not is_short(value):
            raise counts.error(f"a count may have {COUNT_DIGITS:,} digits", key)
    return dict(counts.values)


# -- lattice --------------------------------------------------------------------------------------


def _lattice_and_library(table: Table, allowance: Allowance) -> tuple[Lattice, list[NamedPieces]]:
    """The lattice, said or implied by the pieces, and the pieces of the library."""
    lattice = _stated_lattice(table)
    asked = []
    texts = _texts(table)
    if len(texts) > MAX_PIECES:
        raise table.error(TOO_MANY_PIECES, "pieces")
    for text in texts:
        if "\n" not in text:
            with table.told_at("pieces", text):
                asked.append(allowance.named(text, lattice, asked_for))
                lattice = asked[-1].lattice
    if sum(len(entry.pieces) for entry in asked) > MAX_PIECES:
        raise table.error(TOO_MANY_PIECES, "pieces")
    has_own = isinstance(table.values.get("piece"), list)
    for entry in table.tables("piece") if lattice is None and has_own else ():
        if "shape" in entry:
            with entry.told_at("shape"):
                lattice = find_piece(entry.text("shape"), lattice).lattice
    if lattice is None:
        raise table.error('the puzzle needs a lattice, for example lattice = "square"')
    return lattice, asked


def _stated_lattice(table: Table) -> Lattice | None:
    value = table.values.get("lattice")
    if value is None or isinstance(value, Lattice):
        return value
    if isinstance(value, dict):
        with table.told_at("lattice"):
            return lattice_from_fields(value)
    if not isinstance(value, str):
        raise table.error("lattice must be a name, a .toml file or a table", "lattice")
    file = table.places.source.file
    folder = Path(file).parent if file else None
    with table.told_at("lattice", value):
        try:
            return get_lattice(value, folder)
        except ValueError as error:  # a name that no file can have
            raise FormatError(f"cannot be read: {error}") from None


def _texts(table: Table) -> list[str]:
    """The texts that `pieces` holds: names of the library, and drawings of several lines."""
    value = table.values.get("pieces", [])
    listed = value if isinstance(value, list) else [value]
    texts = [one for one in listed if not isinstance(one, Piece)]
    for text in texts:
        if not isinstance(text, str):
            raise table.error(
                'pieces must be text such as "pentominoes", or a list of such texts',
                "pieces",
                written(text),
            )
    return [part for text in texts for part in parts_of(text)]


# -- pieces ---------------------------------------------------------------------------------------


def _pieces(
    table: Table, lattice: Lattice, asked: Sequence[NamedPieces], colours: Colours
) -> tuple[list[Piece], dict[str, int]]:
    """The pieces, those of the library first, and the line of each."""
    own: list[tuple[Piece, int | None]] = []
    words, above = table.words("pieces"), table.line("pieces")
    for text in _texts(table):
        if "\n" in text:
            with table.told_at("pieces"):
                colours.allowance.take_drawing(text)
                drawn = cells_by_word(lattice, text)
                if len(drawn) + len(own) > MAX_PIECES:
                    raise FormatError(TOO_MANY_PIECES)
                for name, cells in drawn.items():
                    own.append((Piece(name, np.array(cells)), words.get(name, above)))
    tables = table.tables("piece")
    if len(tables) + len(own) > MAX_PIECES:
        raise table.error(TOO_MANY_PIECES, "piece")
    for entry in tables:
        piece = _piece(entry, lattice, colours)
        own.append((piece, entry.line()))
    given = table.values.get("pieces")
    own += [(one, None) for one in given if isinstance(one, Piece)] if given else []
    names = {piece.name for piece, _ in own}
    library = [(piece, words.get(entry.text, above)) for piece, entry in named_pieces(asked, names)]
    if len(library) + len(own) > MAX_PIECES:
        raise table.error(TOO_MANY_PIECES, "pieces" if "pieces" in table else "piece")
    with table.told_at("pieces"):
        colours.allowance.take_pieces(len(library))
    pieces: list[Piece] = []
    lines: dict[str, int] = {}
    for piece, line in [*library, *own]:
        if piece.name in lines:
            other = "" if line is None else f": the other is on line {lines[piece.name]}"
            raise table.places.source.error(
                f"two pieces are called {piece.name}{other}",
                line,
                token=piece.name,
            )
        pieces.append(piece)
        lines[piece.name] = line or 1
    if not pieces:
        raise table.error('the puzzle has no pieces: pieces = "pentominoes", or [[piece]] tables')
    return pieces, lines


def _piece(table: Table, lattice: Lattice, colours: Colours) -> Piece:
    table.check_keys(PIECE_KEYS, "a piece")
    if "name" not in table and "shape" not in table:
        raise table.error("a piece needs a name")
    name, cells = _shape(table, lattice, colours.allowance)
    stationary = table.get("stationary", bool, "true or false", False)
    low, high = 1, 1
    with table.told_at("copies"):
        low, high = _copies(table)
    cost = number_at(table, "cost") if "cost" in table else 0
    within = read_mask(table, lattice, colours.allowance) if "within" in table else None
    if "colours" in table:
        if stationary:
            raise table.error(
                f"piece {name} is stationary: it lies where it is drawn whatever its colour",
                "colours",
            )
        colours.add_piece(table, name, cells)
    reflections = table.get("reflections", bool, "true or false")
    crossing = table.get("crossing", bool, "true or false")
    turns = table.get("turns", bool, "true or false")
    permissions = ("cost", "reflections", "turns", "within")
    doubtful = [key for key in permissions if stationary and key in table]
    if turns is False and reflections:
        doubtful = ["reflections"]
    with table.told_at(doubtful[0] if doubtful else "name"):
        return Piece(name, cells, low, high, stationary, cost, reflections, crossing, within, turns)


def _shape(table: Table, lattice: Lattice, allowance: Allowance) -> tuple[str, Cells]:
    """The name and the cells of a piece; those of the library have a name already."""
    name = table.text("name")
    ways = [key for key in CELLS_OF_A_PIECE if key in table]
    if len(ways) != 1:
        what = name or table.text("shape")
        raise table.error(f"piece {what} needs either cells or a drawing, or a shape by name")
    with table.told_at(ways[0]):
        if ways == ["shape"]:
            found = find_piece(few_words(table.text("shape")), lattice)
            return (table.text("name") if "name" in table else found.name), found.cells
        return name, cells_in(dict(table.values), lattice, allowance, f"piece {name}")


def _copies(table: Table) -> Any:
    return copies_of(table.values.get("copies", 1))


def _reflections(table: Table, asked: Sequence[NamedPieces]) -> bool | None:
    """Whether pieces may be turned over: as is said, else as the sets of pieces imply."""
    stated: bool | None = table.get("reflections", bool, "true or false")
    implied: dict[bool, NamedPieces] = {}
    for entry in asked:
        if entry.implies is not None:
            implied.setdefault(entry.implies, entry)
    if len(implied) == 2:
        raise table.error(
            f"{implied[True].text!r} may be turned over and {implied[False].text!r} may not: "
            "say both as one-sided or both as free, or say reflections true or false behind one",
            "pieces",
            implied[False].text,
        )
    for turned, entry in implied.items():
        if stated is not None and stated != turned:
            other = "may" if turned else "must not"
            raise table.error(
                f"reflections = {str(stated).lower()} contradicts {entry.text!r}, "
                f"whose pieces {other} be turned over",
                "reflections",
                str(stated).lower(),
            )
        return turned
    return stated


# -- writing --------------------------------------------------------------------------------------


LINE = 100

LONG = 50
"""A rectangle of at least this many cells is written by its size."""

N = TypeVar("N", int, float)


def write_toml(documents: Sequence[Document]) -> str:
    """The puzzles: one as the file, several as tables headed `[[puzzle]]`."""
    if len(documents) == 1:
        return "\n".join(_puzzle_lines(documents[0], "")) + "\n"
    blocks = ["\n".join(["[[puzzle]]", *_puzzle_lines(one, "puzzle.")]) + "\n" for one in documents]
    return "\n".join(blocks)


def _puzzle_lines(document: Document, prefix: str) -> Iterator[str]:
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
        yield from _region_lines(lattice, region)
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
        yield from _piece_lines(lattice, piece, [] if piece.stationary else marks)


def _ground(paint: Paint | None) -> dict[Cell, int]:
    """The colours of the cells that have one."""
    return {cell: colour for cell, colour in paint.cells.items() if colour} if paint else {}


def _piece_lines(lattice: Lattice, piece: Piece, colours: Sequence[str]) -> Iterator[str]:
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


def _region_lines(lattice: Lattice, region: Region) -> Iterator[str]:
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
