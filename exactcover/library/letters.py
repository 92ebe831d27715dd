"""How a table of customary letters is written, and the named pieces that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from exactcover.errors import PuzzleError
from exactcover.geometry.enumeration import Sort, cells_of_codes, shape_batches
from exactcover.geometry.shapes import (
    is_mirror_symmetric,
    normal_form,
    orientations,
    shape_key,
)
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Cells, Lattice
from exactcover.library.drawing import drawn

MAX_PIECES = 5_000
"""A set of more pieces is for counting, not for puzzles."""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Letters:
    """The names of all shapes of one size on one lattice.

    drawings  name -> one of the shape's hands; see `drawing`
    flat      the lattice whose shapes, laid flat, come first, under their own names
    mirrors   name -> the name of its mirror image; otherwise that is the small letter
    aliases   other name -> name
    """

    drawings: Mapping[str, str]
    flat: str | None = None
    mirrors: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)

    def mirrored(self, name: str) -> str:
        """What the mirror image of a piece is called."""
        return self.mirrors.get(name) or (name.lower() if name.isupper() else name + "m")


def letters_of(lattice: Lattice, size: int) -> Letters | None:
    """The customary letters of these shapes, if there are any."""
    from exactcover.library.tables import TABLES

    table = TABLES.get(lattice.name)
    if table is None or size not in table or get_lattice(lattice.name) is not lattice:
        return None
    return table[size]


@lru_cache(maxsize=256)
def complete_set(lattice: Lattice, size: int, sort: Sort) -> Mapping[str, Cells]:
    """All shapes of `size` cells by name."""
    letters = letters_of(lattice, size)
    if letters is None:
        return _numbered(lattice, size, sort)
    both = dict(_both_hands(lattice, size, letters))
    if sort is Sort.FIXED:
        return dict(_turned(lattice, both))
    kept: dict[bytes, str] = {}
    for name, cells in both.items():
        kept.setdefault(shape_key(lattice, cells, reflections=sort is Sort.FREE), name)
    return {name: both[name] for name in kept.values()}


def aliases_of(lattice: Lattice, size: int, sort: Sort) -> dict[str, str]:
    """Other names of the pieces of a set."""
    letters = letters_of(lattice, size)
    if letters is None:
        return {}
    found = {}
    if letters.flat is not None:
        found = aliases_of(get_lattice(letters.flat), size, Sort.FREE)
    if sort is Sort.FREE:
        found |= {mirror: name for name, mirror in letters.mirrors.items()}
    return found | dict(letters.aliases)


def embedded(cells: Cells, lattice: Lattice) -> Cells:
    """The cells of a box lattice in one of more dimensions, laid flat."""
    missing = lattice.width - cells.shape[1]
    return np.pad(cells, ((0, 0), (0, missing)))


def mirror_image(lattice: Lattice, cells: Cells) -> Cells:
    """The cells turned over."""
    turned_over = int(np.flatnonzero(~lattice.group.proper)[0])
    return normal_form(lattice, lattice.moved(cells, [turned_over])[0])


def _both_hands(lattice: Lattice, size: int, letters: Letters) -> Iterator[tuple[str, Cells]]:
    """The pieces as drawn, each followed by its mirror image where that is another piece."""
    pieces: dict[str, Cells] = {}
    if letters.flat is not None:
        flat = complete_set(get_lattice(letters.flat), size, Sort.FREE)
        pieces |= {name: embedded(cells, lattice) for name, cells in flat.items()}
    pieces |= {name: drawn(lattice, text) for name, text in letters.drawings.items()}
    drawn_hands = {shape_key(lattice, cells, reflections=False) for cells in pieces.values()}
    for name, cells in pieces.items():
        yield name, cells
        if not is_mirror_symmetric(lattice, cells):
            mirror = mirror_image(lattice, cells)
            if shape_key(lattice, mirror, reflections=False) not in drawn_hands:
                yield letters.mirrored(name), mirror


def _turned(lattice: Lattice, pieces: Mapping[str, Cells]) -> Iterator[tuple[str, Cells]]:
    """Every orientation as a piece of its own."""
    for name, cells in pieces.items():
        forms = orientations(lattice, cells, reflections=False)
        for number, form in enumerate(forms, 1):
            yield (f"{name}.{number}" if len(forms) > 1 else name), form


def _numbered(lattice: Lattice, size: int, sort: Sort) -> dict[str, Cells]:
    """Shapes without customary letters, in the order of their canonical forms.

    Smaller shapes are counted first: there are no more of them, and too many are found out soon.
    """
    codes = np.zeros((0, 1), np.int64)
    for cells in range(min(size, 6), size + 1):
        batches, total = [], 0
        for batch in shape_batches(lattice, cells, sort):
            batches.append(batch)
            total += len(batch)
            if total > MAX_PIECES:
                raise PuzzleError(
                    f"there are more than {MAX_PIECES} {sort.value} shapes of {size} cells on "
                    f"{lattice.name}: too many for a set of pieces"
                )
        codes = np.concatenate(batches)
    forms = cells_of_codes(lattice, codes[np.lexsort(codes.T[::-1])], size)
    return {systematic_name(number): form for number, form in enumerate(forms)}


def systematic_name(number: int) -> str:
    """A to Z, a to z, A1 to z1, A2 and so on."""
    lap, place = divmod(number, len(ALPHABET))
    return ALPHABET[place] + (str(lap) if lap else "")
