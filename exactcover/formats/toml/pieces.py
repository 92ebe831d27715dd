"""Pieces as a TOML file says them: `"pentominoes - X"`, `"O tetromino x 2"`, `"domino any cost 3"`.

Behind the number of copies stand what else is said of each piece: `cost 3`, `reflections false`,
`crossing true`, `turns false`.

A text that begins with a size may list several: `"32x11, 21x18 * 2"`. Rectangles are called by
their sizes.

Pieces of the library keep the names they have there, unless two sizes have the same: then the
number of cells is put behind it, and the straight pieces of three and four cells are I3 and I4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from exactcover.base.text.characters import shown
from exactcover.base.text.names import numbered
from exactcover.errors import FormatError, PuzzleError, UnknownName
from exactcover.formats.contents import MAX_PIECES, whole
from exactcover.formats.toml.cell_values import cost_of_word
from exactcover.formats.toml.table import few_words, written
from exactcover.geometry.enumeration import Sort, shape_batches
from exactcover.lattices import Cells, Lattice
from exactcover.problem.checking import MAX_COUNT
from exactcover.puzzle import Piece
from exactcover.puzzle.library import find_piece, is_set, piece_set, set_names
from exactcover.puzzle.library.boxes import sizes_in
from exactcover.puzzle.library.nouns import difference, read_noun
from exactcover.puzzle.pieces import summed

Copies = tuple[int, int | None]

EASY_SIZE = 5
"""On every lattice there are few enough shapes of up to this many cells."""

GROWTH = 6
"""One cell more gives at least about this many times as many shapes in space."""

MAX_WORK = 50_000_000
"""Cells turned while shapes are listed, at most: some seconds."""

WITH_COPIES = re.compile(r"(.+?)\s+(?:[x×*]\s*([0-9][0-9.]*)|([0-9]+\.\.[0-9]*|any))", re.DOTALL)
TIMES = re.compile(r"([0-9]+)\s*[x×*]\s*(.+)", re.DOTALL)
BRACKETS = re.compile(r"\(\s*([^()]+?)\s*\)")
SAID = re.compile(r"(.+?)\s+(cost|reflections|crossing|turns)\s+(\S+)", re.DOTALL)
LAST = {
    "cost": "a cost is a number and comes last, as in 'domino any cost 3'",
    "reflections": "it is true or false and comes last, as in 'F pentomino reflections false'",
    "crossing": "it is true or false and comes last, as in 'tetrasticks crossing false'",
    "turns": "it is true or false and comes last, as in '3x2 * 4 turns false'",
}
FLAGS = {"true": True, "false": False}
LIST_OF_SIZES = re.compile(r"\s*(?:[0-9]+\s*[*]\s*)?[0-9]+[x×][0-9]")
RANGE = re.compile(r"([0-9]+)\.\.([0-9]*)")


@dataclass(frozen=True)
class PieceWords:
    """The words of a text behind the name and the number of copies of each piece; None: none.

    cost         of each copy of each piece
    reflections  whether they may be turned over
    crossing     whether they may cross others
    turns        whether they may be turned
    """

    cost: float = 0
    reflections: bool | None = None
    crossing: bool | None = None
    turns: bool | None = None


@dataclass(frozen=True)
class NamedPieces:
    """Pieces of the library, named by one text.

    implies  whether they may be turned over, where the name of a set says so
    """

    text: str
    pieces: tuple[tuple[str, Cells], ...]
    copies: Copies
    lattice: Lattice
    words: PieceWords
    implies: bool | None = None


def copies_of(value: object) -> Copies:
    """How many copies: `3`, `"0..2"`, `"2.."`, `"any"`."""
    if isinstance(value, int) and not isinstance(value, bool):
        low, high = value, value
    elif value == "any":
        return 0, None
    elif isinstance(value, str) and (found := RANGE.fullmatch(value)):
        low = whole(found[1], "a number of copies")
        if not found[2]:
            return low, None
        high = whole(found[2], "a number of copies")
    elif isinstance(value, str) and value.isascii() and value.isdigit():
        low = high = whole(value, "a number of copies")
    else:
        form = 'copies must be a number, "1..3", "2.." or "any"'
        raise FormatError(form, token=written(value))
    if not 0 <= low <= high <= MAX_COUNT:
        raise FormatError(
            "a number of copies must not be negative, and a range not run backwards",
            token=written(value),
        )
    return low, high


def parts_of(text: str) -> list[str]:
    """The parts of a text that lists rectangles, as in `"32x11, 21x18 * 2"`; any other text alone.

    Only a text that begins with a size is a list.
    """
    if "," not in text or not LIST_OF_SIZES.match(text):
        return [text]
    parts = [part.strip() for part in text.split(",")]
    if "" in parts:
        raise FormatError("there is nothing beside a comma", token=shown(text))
    return parts


def asked_for(text: str, lattice: Lattice | None) -> NamedPieces:
    """The pieces that a text asks for, on this lattice, or on that which the text implies."""
    name, words = _words(few_words(text).strip())
    copies: Copies = (1, 1)
    found = None if sizes_in(name) else WITH_COPIES.fullmatch(name)
    if found:
        name, copies = found[1], copies_of(found[2] or found[3])
    if not sizes_in(name) and (times := TIMES.fullmatch(name)):
        if found:
            raise FormatError("the number of copies is given twice", token=shown(text))
        name, copies = times[2], copies_of(times[1])
    if name.isdigit():
        raise FormatError("a size is written without blanks, as in '32x11 * 2'", token=shown(text))
    if inner := BRACKETS.fullmatch(name):
        name = inner[1]
    if is_set(name, lattice):
        _check_number(difference(name)[0], lattice)
        pieces = piece_set(name, lattice)
        implied = _turned_over(name, pieces.lattice, pieces.sort)
        if words.reflections is not None:
            implied = None
        named = tuple(pieces.pieces.items())
        return NamedPieces(text, named, copies, pieces.lattice, words, implied)
    if difference(name)[1]:
        raise FormatError(
            "pieces are taken out of a set, as in 'pentominoes - X', and there is no set "
            f"{shown(difference(name)[0])!r}",
            token=shown(text),
        )
    try:
        piece = find_piece(name, lattice)
    except UnknownName as error:
        if error.what != "piece":
            raise
        raise UnknownName("piece or set of pieces", name, set_names()) from None
    return NamedPieces(text, ((piece.name, piece.cells),), copies, piece.lattice, words)


def _words(text: str) -> tuple[str, PieceWords]:
    """The name with its number of copies, and what stands behind."""
    words: dict[str, float | bool] = {}
    while found := SAID.fullmatch(text):
        text, key, value = found[1], found[2], found[3]
        if key in words:
            raise FormatError(f"{key} is said twice", token=key)
        if key == "cost":
            words[key] = cost_of_word(value)
        elif value in FLAGS:
            words[key] = FLAGS[value]
        else:
            raise FormatError(LAST[key], token=shown(value))
    for word in text.split():
        if word in LAST:
            raise FormatError(LAST[word])
    return text, PieceWords(**words)  # type: ignore[arg-type]


def _turned_over(name: str, lattice: Lattice, sort: Sort) -> bool | None:
    """Whether pieces of such a set may be turned over; None: as is natural on the lattice."""
    if sort is Sort.FIXED:
        raise PuzzleError(f"{name}: the pieces of a puzzle may be turned, so none are fixed")
    turned = sort is Sort.FREE
    return None if turned and lattice.flips else turned


def _check_number(name: str, lattice: Lattice | None) -> None:
    """Refuse a set that is too large, without making it."""
    noun = read_noun(name, lattice)
    if noun is None or noun.size <= EASY_SIZE:
        return
    # The lattice of the set is that of its smallest sibling.
    small = re.sub(r"\d+", "1", name) if re.search(r"\d", name) else None
    where = lattice or piece_set(small or f"mono{noun.stem}", None).lattice
    sort = noun.sort or (Sort.FREE if where.flips else Sort.ONE_SIDED)
    too_many = PuzzleError(f"{name}: a puzzle may have {MAX_PIECES:,} pieces, these are more")
    motions = len(sort.motions(where))
    smaller = 0
    # One size after the other: the first of which there are too many settles it.
    for size in range(EASY_SIZE, noun.size + 1):
        if smaller * GROWTH * motions * size > MAX_WORK:
            raise PuzzleError(f"{name}: to list them would take too long")
        total = 0
        for batch in shape_batches(where, size, sort):
            total += len(batch)
            if total > MAX_PIECES:
                raise too_many
        smaller = total


def named_pieces(
    asked: Sequence[NamedPieces], taken: Collection[str]
) -> list[tuple[Piece, NamedPieces]]:
    """The pieces asked for under distinct names, none of which is taken.

    A piece that is asked for several times is one piece with the copies of all, unless something
    else is said of it each time. Pieces of one name and several sizes get the size behind it.
    """
    copies: dict[Piece, list[NamedPieces]] = {}
    for entry in asked:
        for name, cells in entry.pieces:
            alike = Piece(name, np.asarray(cells), **vars(entry.words))
            copies.setdefault(alike, []).append(entry)
    sizes: dict[str, set[int]] = {}
    for piece in copies:
        sizes.setdefault(piece.name, set()).add(len(piece.cells))
    wanted = [
        piece.name
        if len(sizes[piece.name]) == 1 and piece.name not in taken
        else f"{piece.name}{len(piece.cells)}"
        for piece in copies
    ]
    named = []
    for (piece, entries), name in zip(copies.items(), numbered(wanted, taken), strict=True):
        low, high = summed(entry.copies for entry in entries)
        named.append((replace(piece, name=name, low=low, high=high), entries[0]))
    return named
