"""Pieces by name: complete sets such as `pentominoes`, and single ones such as `X pentomino`.

A complete set is every connected shape of a given number of cells. Mirror images are the same piece
in the plane, where pieces can be turned over, and different pieces in space. `free`,
`one-sided` or `fixed` before the name changes that.

The customary letters are data of the lattice; other shapes are lettered in the order of their
canonical forms. `pentominoes - X - I` is the set without two of its pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exactcover.base.values import Pictured
from exactcover.errors import PuzzleError, UnknownName
from exactcover.geometry.enumeration import Sort
from exactcover.geometry.shapes import shape_key
from exactcover.lattices import Cells, Lattice, get_lattice, lattices
from exactcover.lattices.registry import LATTICES, entries
from exactcover.puzzle.library.letters import aliases_of, complete_set, embedded, flat_lattice
from exactcover.puzzle.library.nouns import (
    MAX_SIZE,
    Noun,
    Phrase,
    box_of,
    common_names,
    difference,
    lattice_of_family,
    plural,
    read_phrase,
    set_name,
    simplified,
    sizes_in,
    stem_of,
)

__all__ = [
    "LibraryPiece",
    "PieceSet",
    "find_piece",
    "is_set",
    "piece_set",
    "set_names",
]

BOXES = ("omino", "cube")
"""The families that are made of cubes of any dimension where a name says so: `4d pentacubes`."""


@dataclass(frozen=True, eq=False)
class LibraryPiece:
    """A piece by its name."""

    name: str
    lattice: Lattice
    cells: Cells


@dataclass(frozen=True, eq=False)
class PieceSet(Pictured):
    """A set of pieces.

    name     what the set is called
    lattice  what its pieces are made of
    sort     what was counted as the same shape; ONE_SIDED pieces must not be turned over, FIXED
             ones not turned at all
    pieces   name -> cells, in normal form
    aliases  other name -> name
    """

    name: str
    lattice: Lattice
    sort: Sort
    pieces: Mapping[str, Cells]
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def one_sided(self) -> bool:
        """Whether the pieces must not be turned over."""
        return self.sort is not Sort.FREE

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[LibraryPiece]:
        return (LibraryPiece(name, self.lattice, cells) for name, cells in self.pieces.items())

    def named(self, name: str) -> str | None:
        """The name of the piece that this name or alias means, or None."""
        if name in self.pieces:
            return name
        by_alias = {simplified(alias): own for alias, own in self.aliases.items()}
        own = by_alias.get(simplified(name))
        if own in self.pieces:
            return own
        alike = [own for own in self.pieces if own.lower() == name.lower()]
        return alike[0] if len(alike) == 1 else None

    def only(self, letters: str) -> PieceSet:
        """The pieces of the set that have these letters."""
        own = [self.named(letter) for letter in letters]
        for letter, name in zip(letters, own, strict=True):
            if name is None or own.count(name) > 1:
                why = "is the letter of no piece" if name is None else "is there twice"
                raise PuzzleError(
                    f"{self.name} {letters}: {letter} {why}; "
                    f"the pieces are {', '.join(self.pieces)}"
                )
        chosen = {name: self.pieces[name] for name in own if name is not None}
        return replace(self, name=f"{self.name} {letters}", pieces=chosen)

    def without(self, names: Sequence[str]) -> PieceSet:
        """The set without the pieces of these names."""
        left = dict(self.pieces)
        for name in names:
            own = self.named(name)
            if own is None:
                members = ", ".join(self.pieces)
                raise PuzzleError(
                    f"{self.name} - {name}: no piece of the {self.name} is called {name!r}; "
                    f"its pieces are {members}"
                    if name
                    else f"{self.name} -: name the piece to leave out; the pieces are {members}"
                )
            if own not in left:
                raise PuzzleError(f"{self.name} - {own}: piece {own} is left out twice")
            del left[own]
        if not left:
            raise PuzzleError(f"{self.name} without {', '.join(names)}: no piece is left")
        return replace(self, name=" - ".join([self.name, *names]), pieces=left)


def piece_set(name: str, lattice: Lattice | None = None) -> PieceSet:
    """The set of this name, on the lattice it is of or on the one given.

    `pentominoes - X - I` is a set without some of its pieces, `pentominoes FIL` three of them.
    """
    whole, left_out = difference(name)
    phrase = read_phrase(whole, lattice)
    if phrase is None or phrase.before or " " in phrase.after:
        raise UnknownName("set of pieces", whole, set_names())
    pieces = _set_of(phrase.noun, lattice)
    if phrase.after:
        pieces = pieces.only(phrase.after)
    return pieces.without(left_out) if left_out else pieces


def is_set(name: str, lattice: Lattice | None = None) -> bool:
    """Whether this names a set rather than a piece: `pentominoes`, not `pentomino`."""
    phrase = read_phrase(difference(name)[0], lattice)
    if phrase is None or not phrase.plural or phrase.before:
        return False
    several = len(phrase.after) > 1 and phrase.after.isalpha()  # no `pentominoes_20x3`
    return not phrase.after or (several and isinstance(phrase.noun, Noun))


def set_names() -> tuple[str, ...]:
    """The usual names of sets up to eight cells a piece; larger ones follow the same pattern."""
    return (
        *common_names(),
        "planar pentacubes",
        "nonplanar pentacubes",
        "solid pentominoes",
        *(entry.sets[0] for _, entry in entries() if entry.sets),
    )


def find_piece(name: str, lattice: Lattice | None = None) -> LibraryPiece:
    """The piece of this name, with its lattice and the name it has in its set.

    A rectangle or a brick is called by its size: `32x11`, `4x2x1`.
    """
    if (sizes := sizes_in(name.strip())) is not None:
        where, cells = box_of(sizes, lattice)
        return LibraryPiece("x".join(map(str, sizes)), where, cells)
    phrase = read_phrase(name, lattice)
    asked = "" if phrase is None else f"{phrase.before} {phrase.after}".strip()
    if phrase is not None and isinstance(phrase.noun, Noun):
        _check_number(name, phrase)
        found = _piece_of(phrase.noun, lattice, asked, name)
        if phrase.plural and phrase.after:
            many = set_name(phrase.noun.stem, phrase.noun.size)
            raise PuzzleError(
                f"{name!r} is not understood: write '{many} - {phrase.after}' for the set without "
                f"{phrase.after}, '{phrase.after} {_singular(many)}' for that piece alone"
            )
        return found
    if phrase is not None and asked:
        return _piece(_set_of(phrase.noun, lattice), asked, name)
    if (piece := _nicknamed(name, lattice)) is not None:
        return piece
    raise UnknownName("piece", name, [*_nicknames(lattice), *map(_singular, common_names())])


# -- sets ------------------------------------------------------------------------------------------


def _set_of(noun: Noun | str, wanted: Lattice | None) -> PieceSet:
    if isinstance(noun, str):
        return _named_set(noun, wanted)
    lattice, flat = _lattice_of(noun, wanted)
    if noun.size > MAX_SIZE:
        raise PuzzleError(f"pieces of {noun.size} cells are too large")
    sort = noun.sort or (Sort.FREE if lattice.flips else Sort.ONE_SIDED)
    aliases = aliases_of(lattice, noun.size, sort)
    name = " ".join([*sorted(noun.qualifiers), set_name(noun.stem, noun.size)])
    if not flat and "nonplanar" not in noun.qualifiers:
        pieces = complete_set(lattice, noun.size, sort)
        return PieceSet(name, lattice, sort, pieces, aliases)
    plane = lattice
    while (lower := flat_lattice(plane)) is not None:
        plane = lower
    planar = {
        own: embedded(cells, lattice)
        for own, cells in complete_set(plane, noun.size, Sort.FREE).items()
    }
    if flat:
        return PieceSet(name, lattice, sort, planar, aliases_of(plane, noun.size, Sort.FREE))
    keys = {shape_key(lattice, cells, reflections=True) for cells in planar.values()}
    solid = {
        own: cells
        for own, cells in complete_set(lattice, noun.size, sort).items()
        if shape_key(lattice, cells, reflections=True) not in keys
    }
    return PieceSet(name, lattice, sort, solid, aliases)


def _lattice_of(noun: Noun, wanted: Lattice | None) -> tuple[Lattice, bool]:
    """The lattice of a set, and whether its pieces are flat ones laid in it."""
    own = lattice_of_family(noun.stem, wanted)
    boxes = noun.stem in BOXES
    if noun.dimension is not None:
        if not boxes or not 2 <= noun.dimension <= 6:
            raise PuzzleError(f"there are no {noun.dimension}-D {plural(noun.stem)}")
        own = get_lattice(f"{noun.dimension}d")
        if wanted is not None and wanted is not own:
            raise _other_lattice(noun, own, wanted)
    elif noun.qualifiers & {"solid", "planar", "nonplanar"} and boxes and wanted is None:
        own = get_lattice("cubic")
    lattice = wanted or own
    solid = bool(lattice.flat)
    if noun.qualifiers & {"solid", "planar", "nonplanar"} and not solid:
        raise PuzzleError(
            f"{set_name(noun.stem, noun.size)} of the lattice {lattice.name} are not divided "
            "into planar and solid ones: only sets of cubes are"
        )
    if lattice is not own and not (boxes and solid):
        raise _other_lattice(noun, own, lattice)
    flat = noun.stem == "omino" and solid and noun.dimension is None
    if flat and "nonplanar" in noun.qualifiers:
        raise PuzzleError(f"{set_name(noun.stem, noun.size)} are all planar")
    flat = flat or "planar" in noun.qualifiers
    if flat and noun.sort is Sort.FIXED:
        raise PuzzleError(f"planar pieces of {lattice.name} are listed up to turning, not fixed")
    return lattice, flat


def _other_lattice(noun: Noun, own: Lattice, wanted: Lattice) -> PuzzleError:
    return PuzzleError(
        f"{set_name(noun.stem, noun.size)} are pieces of the lattice {own.name}; "
        f"those of {wanted.name} are {set_name(stem_of(wanted), noun.size)}"
    )


def _named_set(name: str, wanted: Lattice | None) -> PieceSet:
    """The named set of this name, on its lattice."""
    others = (LATTICES[own] for own, entry in entries() if name in entry.sets)
    for lattice in (*([wanted] if wanted else []), *others):
        for main, named in lattice.piece_names.sets.items():
            if name not in (main, *named.also):
                continue
            if wanted is not None and wanted is not lattice:
                raise PuzzleError(
                    f"{main} pieces are of the lattice {lattice.name}, not {wanted.name}"
                )
            pieces = {own: _of_noun(text, lattice) for own, text in named.pieces.items()}
            sort = Sort.FREE if lattice.flips else Sort.ONE_SIDED
            return PieceSet(main, lattice, sort, pieces, named.aliases)
    raise AssertionError(f"no lattice has the set {name!r}, which was read")


def _of_noun(text: str, lattice: Lattice) -> Cells:
    """The cells of a piece of a named set, such as `L tetracube`: of no other named set."""
    phrase = read_phrase(text, lattice)
    if phrase is None or not isinstance(phrase.noun, Noun):
        raise PuzzleError(f"{lattice.name}: {text!r} is no piece of a set of all pieces of a size")
    return _piece_of(phrase.noun, lattice, f"{phrase.before} {phrase.after}".strip(), text).cells


# -- single pieces ---------------------------------------------------------------------------------


def _check_number(whole: str, phrase: Phrase) -> None:
    """Refuse a number of copies before a name: it stands behind. `8 hexomino` is the piece 8."""
    assert isinstance(phrase.noun, Noun)
    many = set_name(phrase.noun.stem, phrase.noun.size)
    found = re.fullmatch(r"(\d+)\s*([x*]?)", phrase.before)
    if found and (found[2] or phrase.plural):
        raise PuzzleError(
            f"{whole!r} is not understood: write '{many} x {found[1]}' for {found[1]} of each, "
            f"'NAME {_singular(many)} x {found[1]}' for {found[1]} of one piece"
        )


def _piece_of(noun: Noun, lattice: Lattice | None, asked: str, whole: str) -> LibraryPiece:
    """A piece of a set; where the set has no such name, the set with both hands may have it."""
    usual = _set_of(noun, lattice)
    if not asked:
        if len(usual) > 1:
            raise PuzzleError(
                f"{whole!r} is {len(usual)} pieces; say which: {', '.join(usual.pieces)}"
            )
        return next(iter(usual))
    if asked not in usual.pieces and noun.sort is None:
        both = _set_of(Noun(noun.stem, noun.size, noun.qualifiers | {"one-sided"}), usual.lattice)
        if asked in both.pieces:
            return LibraryPiece(asked, both.lattice, both.pieces[asked])
    return _piece(usual, asked, whole)


def _piece(pieces: PieceSet, asked: str, whole: str) -> LibraryPiece:
    own = pieces.named(asked)
    if own is None:
        known = [*pieces.pieces, *pieces.aliases]
        raise UnknownName(f"piece of the {pieces.name}", asked or whole, known)
    return LibraryPiece(own, pieces.lattice, pieces.pieces[own])


def _nicknames(lattice: Lattice | None) -> dict[str, tuple[Lattice, int, str]]:
    """Names that need no noun: `sphinx`; on a lattice that is given, `S4` too."""
    found: dict[str, tuple[Lattice, int, str]] = {}
    for own in [lattice] if lattice else lattices().values():
        for size, letters in own.piece_names.pieces.items():
            for alias, piece in letters.aliases.items():
                if len(alias) > 1:
                    found.setdefault(simplified(alias), (own, size, piece))
            if lattice:
                for piece in complete_set(own, size, Sort.ONE_SIDED):
                    found.setdefault(f"{piece}{size}", (own, size, piece))
    return found


def _nicknamed(name: str, lattice: Lattice | None) -> LibraryPiece | None:
    known = _nicknames(lattice)
    for form in (name.strip(), simplified(name)):
        if form in known:
            own, size, piece = known[form]
            return LibraryPiece(piece, own, complete_set(own, size, Sort.ONE_SIDED)[piece])
    return None


def _singular(name: str) -> str:
    return name.removesuffix("es") if name.endswith(("oes", "xes")) else name.removesuffix("s")
