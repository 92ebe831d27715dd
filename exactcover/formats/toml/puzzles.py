"""Our own puzzle files, in TOML: every lattice, and everything that a puzzle can say.

    title = "Pentominoes in a 10x6 box"
    pieces = "pentominoes"
    region = "10x6"

    [counts]
    rotations = 2339

Defaults are natural: the lattice is that of the pieces, or square; they may be turned over in the
plane and not in space, each is there once. A puzzle may be a table headed `[[puzzle]]`.

Values of Python are read as a table without lines. So the same words mean the same in both, and
Python can say all that a file can.

Writing loses nothing, and a person can read the file: defaults are left out, cells are drawn where
the lattice has drawings, and listed elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from exactcover.base.text import COUNT_DIGITS, is_short, plain
from exactcover.base.values import CONVENTIONS
from exactcover.errors import ConversionError, FormatError
from exactcover.formats.document import Document, Source, errors_at, one_line
from exactcover.formats.limits import check_number_of_pieces
from exactcover.formats.toml.cells import drawn_pieces
from exactcover.formats.toml.pieces import (
    NamedPieces,
    named_pieces,
    parts_of,
    piece_table,
    pieces_in,
    read_piece,
)
from exactcover.formats.toml.region import (
    cost_tables,
    read_costs,
    read_region,
    read_wrap,
    region_table,
)
from exactcover.formats.toml.table import Table, table_lines, written
from exactcover.geometry.cells import Periods
from exactcover.lattices import Lattice, get_lattice
from exactcover.lattices.lattice_file import fields_of, lattice_from_fields
from exactcover.lattices.registry import is_registered
from exactcover.puzzle import Piece, Puzzle
from exactcover.puzzle.library import find_piece

KEYS = (
    "title", "source", "lattice", "reflections", "crossing", "turns",
    "pieces", "region", "wrap", "costs", "counts", "piece",
)  # fmt: skip


def read_toml(source: Source) -> list[Document]:
    """The puzzle of a text, which has one."""
    table = Table.whole(source)
    if "puzzle" in table:
        table.check_keys(("puzzle",), "a file with [[puzzle]] tables")
        tables = table.tables("puzzle")
        if len(tables) != 1:
            raise table.error("each puzzle has a line [[puzzle]] of its own", "puzzle")
        table = tables[0]
    with errors_at(table.line()):
        return [read_document(table, source.name)]


def read_document(table: Table, name: str) -> Document:
    """The puzzle that a table holds; Python may have put values of its own into the table."""
    table.budget.take(0, 1)
    table.check_keys(KEYS, "a puzzle")
    title, origin, counts = _line(table, "title"), _line(table, "source"), _counts(table)
    known, asked = _lattice_and_library(table)
    lattice = known or get_lattice("square")
    try:
        region = read_region(table, lattice)
    except FormatError as error:
        if known is None:
            error.message += (
                "; without a lattice it is one of squares: "
                'say lattice = "cubic", "hypercubic" or "hexagonal"'
            )
        raise
    pieces, lines = _pieces(table, lattice, asked)
    if "wrap" in table:
        region = replace(region, wrap=read_wrap(table, lattice))
    with table.errors_at("wrap" if "wrap" in table else "region"):
        Periods.of(lattice, region.wrap)  # raises if the vectors are wrong
    region = replace(region, costs={**region.costs, **read_costs(table, lattice, region)})
    source = table.file.source
    with errors_at(table.line("region"), source.file, lines):
        puzzle = Puzzle(
            lattice,
            region,
            tuple(pieces),
            reflections=_reflections(table, asked),
            crossing=table.flag("crossing", True) is True,
            name=name,
            turns=table.flag("turns", True) is True,
        )
    return Document(name, puzzle, title, origin, counts, source.file, lines)


def _line(table: Table, key: str) -> str:
    with table.errors_at(key):
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


# -- lattice and pieces ---------------------------------------------------------------------------


def _lattice_and_library(table: Table) -> tuple[Lattice | None, list[NamedPieces]]:
    """The lattice, stated or implied by the pieces, or neither, and the pieces of the library."""
    lattice = _stated_lattice(table)
    asked = []
    for text in _texts(table):
        if "\n" not in text:
            with table.errors_at("pieces", text):
                asked.append(pieces_in(text, lattice))
                table.budget.take(0, len(asked[-1].pieces))
                lattice = asked[-1].lattice
    for entry in table.tables("piece") if lattice is None else ():
        if "shape" in entry:
            with entry.errors_at("shape"):
                lattice = find_piece(entry.text("shape"), lattice).lattice
    return lattice, asked


def _stated_lattice(table: Table) -> Lattice | None:
    value = table.values.get("lattice")
    if value is None or isinstance(value, Lattice):
        return value
    if isinstance(value, dict):
        with table.errors_at("lattice"):
            return lattice_from_fields(value)
    if not isinstance(value, str):
        raise table.error("lattice must be a name, a .toml file or a table", "lattice")
    file = table.file.source.file
    folder = Path(file).parent if file else None
    with table.errors_at("lattice", value):
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
                'pieces must be text such as "pentominoes", or a list of such texts; a table of '
                "one piece is headed [[piece]]",
                "pieces",
                written(text),
            )
    return [part for text in texts for part in parts_of(text)]


def _pieces(
    table: Table, lattice: Lattice, asked: Sequence[NamedPieces]
) -> tuple[list[Piece], dict[str, int]]:
    """The pieces, those of the library first, and the line of each."""
    own: list[tuple[Piece, int | None]] = []
    above = table.line("pieces")
    words = table.file.words((*table.path, "pieces"))
    for text in _texts(table):
        if "\n" in text:
            with table.errors_at("pieces"):
                drawn = drawn_pieces(lattice, text, table.budget)
                table.budget.take(0, len(drawn))
                for name, cells in drawn:
                    own.append((Piece(name, cells), words.get(name, above)))
    for entry in table.tables("piece"):
        with entry.errors_at("name"):
            table.budget.take(0, 1)
        own.append((read_piece(entry, lattice), entry.line()))
    given = table.values.get("pieces")
    own += [(one, None) for one in given if isinstance(one, Piece)] if given else []
    names = {piece.name for piece, _ in own}
    library = [(piece, words.get(entry.text, above)) for piece, entry in named_pieces(asked, names)]
    with table.errors_at("pieces" if "pieces" in table else "piece"):
        check_number_of_pieces(len(library) + len(own))
    pieces: list[Piece] = []
    lines: dict[str, int] = {}
    for piece, line in [*library, *own]:
        if piece.name in lines:
            other = "" if line is None else f": the other is on line {lines[piece.name]}"
            message = f"two pieces are called {piece.name}{other}"
            raise table.file.source.error(message, line, token=piece.name)
        pieces.append(piece)
        lines[piece.name] = line or 1
    if not pieces:
        raise table.error('the puzzle has no pieces: pieces = "pentominoes", or [[piece]] tables')
    return pieces, lines


def _reflections(table: Table, asked: Sequence[NamedPieces]) -> bool | None:
    """Whether pieces may be turned over: as the puzzle states, else as the sets of pieces imply."""
    said = {one.implies: repr(one.text) for one in asked if one.implies is not None}
    if (stated := table.flag("reflections")) is not None:
        said.setdefault(stated, f"reflections = {str(stated).lower()}")
    if len(said) > 1:
        raise table.error(
            f"{said[True]} means that pieces may be turned over, and {said[False]} that they may "
            "not: say both as one-sided or both as free, or list the pieces of one in tables "
            "[[piece]], with reflections true or false",
            "reflections" if stated is not None else "pieces",
            [*said.values()][-1].strip("'"),
        )
    return next(iter(said), None)


# -- writing --------------------------------------------------------------------------------------


def write_toml(documents: Sequence[Document]) -> str:
    """The puzzles: one as the file, several as tables headed `[[puzzle]]`."""
    tables = [table_of(document) for document in documents]
    if len(tables) == 1:
        return "\n".join(table_lines(tables[0])) + "\n"
    blocks = ["\n".join(["[[puzzle]]", *table_lines(one, "puzzle.")]) for one in tables]
    return "\n\n".join(blocks) + "\n"


def table_of(document: Document) -> dict[str, Any]:
    """A puzzle as the table of a file, with values that JSON has too."""
    puzzle = document.puzzle
    if puzzle is None:
        raise ConversionError(
            f"{document.name} is a plain problem: a TOML file holds puzzles, with their geometry"
        )
    if puzzle.paint is not None:
        raise ConversionError(
            f"a TOML file cannot represent colours (puzzle {document.name}): only a BurrTools file "
            "can"
        )
    lattice, region, counts = puzzle.lattice, puzzle.region, document.counts
    said: dict[str, Any] = {"title": plain(document.title), "source": plain(document.source)}
    if is_registered(lattice):
        said["lattice"] = lattice.name
    else:
        lattice = replace(lattice, sketch=None)  # the file could not read a drawing
        said["lattice"] = fields_of(lattice)
    said["counts"] = {key: counts[key] for key in CONVENTIONS if key in counts}
    table = {key: value for key, value in said.items() if value}
    if puzzle.reflections != lattice.flips:
        table["reflections"] = puzzle.reflections
    table |= {key: False for key in ("crossing", "turns") if not getattr(puzzle, key)}
    table["region"] = region_table(lattice, region)
    if region.wrap:
        table["wrap"] = [*map(list, region.wrap)]
    if region.costs:
        table["costs"] = cost_tables(lattice, region.costs)
    return table | {"piece": [piece_table(lattice, piece) for piece in puzzle.pieces]}
