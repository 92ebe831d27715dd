"""Our own puzzle files, in TOML: every lattice, and everything that a puzzle can say.

    title = "Pentominoes in a 10x6 box"
    pieces = "pentominoes"
    region = "10x6"

    [counts]
    rotations = 2339

What is not said is natural: the lattice is that of the pieces, they may be turned over in the plane
and not in space, each is there once. Several puzzles in a file are tables headed `[[puzzle]]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from exactcover.base.text.numerals import COUNT_DIGITS, is_short
from exactcover.base.values.conventions import CONVENTIONS
from exactcover.errors import FormatError, PuzzleError
from exactcover.formats.document import Document, Heading, Refused
from exactcover.formats.drawings import cells_by_word
from exactcover.formats.source import (
    MAX_PIECES,
    TOO_MANY_PIECES,
    Source,
    numbered,
    one_line,
    placed,
)
from exactcover.formats.toml_colours import Colours
from exactcover.formats.toml_costs import number_at, read_costs
from exactcover.formats.toml_pieces import NamedPieces, asked_for, copies_of, named_pieces, parts_of
from exactcover.formats.toml_region import (
    Allowance,
    cells_in,
    read_mask,
    read_region,
    read_wrap,
)
from exactcover.formats.toml_table import Table, few_words, whole_table, written
from exactcover.geometry.cells import CellSet
from exactcover.geometry.wrapping import Periods
from exactcover.lattices import Cells, Lattice, get_lattice
from exactcover.lattices.lattice_file import lattice_from_fields
from exactcover.puzzle import Piece, Puzzle
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
        name = numbered(source.name, number, len(tables))
        try:
            yield read_document(table, source, name, allowance)
        except FormatError as error:
            yield Refused(name, error)


def read_headings(source: Source) -> Iterator[Heading]:
    """The headings of the puzzles of a file. Nothing else of a puzzle is read or checked."""
    whole = whole_table(source)
    tables = whole.tables("puzzle") if "puzzle" in whole else [whole]
    for number, table in enumerate(tables, 1):
        name = numbered(source.name, number, len(tables))
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
