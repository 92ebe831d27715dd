"""The named pieces that follow from the letters of a lattice.

A piece is drawn in one line, so that it can be read in the table that names it.

Rows are separated by `/`, the top row first; layers of a solid by `;`, the lowest first. A dot is
an empty place. Otherwise it is the drawing of a puzzle file. If `/` is a mark of the lattice, rows
are lines. Cells with coordinates can be listed on every lattice.

| lattice | a filled place | example |
|---|---|---|
| square, cubic | `#` | the L tromino `#./##` |
| hexagonal | `#`, each row half a cell off the last | the propeller `.#.#/..#./...#` |
| triangular | `^` up, `v` down, as they lie | the hexagon `^v^/v^v` |
| sticks-square | `-` and `|` between the crossing points | the O tetrastick `.-./|.|/.-.` |
| any | coordinates | `0,0,1 0,1,0` |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count

import numpy as np

from exactcover.errors import LatticeError
from exactcover.geometry.enumeration import Sort, shapes
from exactcover.geometry.shapes import (
    as_cells,
    is_mirror_symmetric,
    normal_form,
    orientations,
    shape_key,
)
from exactcover.geometry.sketches import sketched_cells
from exactcover.lattices import Cells, Lattice, Letters, get_lattice
from exactcover.lattices.view import Sketch

MAX_PIECES = 5_000
"""A set of more pieces is for counting, not for puzzles."""

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def letters_of(lattice: Lattice, size: int) -> Letters | None:
    """The customary letters of these shapes, if there are any."""
    return lattice.piece_names.pieces.get(size)


def flat_lattice(lattice: Lattice) -> Lattice | None:
    """The lattice whose shapes are shapes of this one when they are laid flat, if there is one."""
    if not lattice.flat:
        return None
    flat = get_lattice(lattice.flat)
    if flat.dimension >= lattice.dimension or len(flat.kinds) > 1 or len(lattice.kinds) > 1:
        raise LatticeError(
            f"{lattice.name}: shapes of {flat.name} do not lie flat in it: that takes fewer "
            "dimensions, and one kind of cell in both"
        )
    return flat


@lru_cache(maxsize=256)
def complete_set(lattice: Lattice, size: int, sort: Sort) -> Mapping[str, Cells]:
    """All shapes of `size` cells by name."""
    letters = letters_of(lattice, size)
    if letters is None:
        return _numbered(lattice, size, sort)
    if sort is Sort.FIXED:
        return dict(_turned(lattice, complete_set(lattice, size, Sort.ONE_SIDED)))
    kept: dict[bytes, tuple[str, Cells]] = {}
    for name, cells in _both_hands(lattice, size, letters):
        key = shape_key(lattice, cells, reflections=sort is Sort.FREE)
        kept.setdefault(key, (name, cells))
    named = dict(kept.values())
    if lattice.piece_names.complete:
        return named
    others = [
        form
        for form in _numbered(lattice, size, sort).values()
        if shape_key(lattice, form, reflections=sort is Sort.FREE) not in kept
    ]
    free = (name for name in map(systematic_name, count()) if name not in named)
    return named | dict(zip(free, others, strict=False))


def aliases_of(lattice: Lattice, size: int, sort: Sort) -> dict[str, str]:
    """Other names of the pieces of a set."""
    letters = letters_of(lattice, size)
    if letters is None:
        return {}
    found = {}
    if (flat := flat_lattice(lattice)) is not None:
        found = aliases_of(flat, size, Sort.FREE)
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
    if (flat := flat_lattice(lattice)) is not None:
        laid = complete_set(flat, size, Sort.FREE)
        pieces |= {name: embedded(cells, lattice) for name, cells in laid.items()}
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
    for cells in range(min(size, 6), size + 1):
        forms = shapes(lattice, cells, sort, MAX_PIECES)
    return {systematic_name(number): form for number, form in enumerate(forms)}


def systematic_name(number: int) -> str:
    """A to Z, a to z, A1 to z1, A2 and so on."""
    lap, place = divmod(number, len(ALPHABET))
    return ALPHABET[place] + (str(lap) if lap else "")


# -- drawings in one line -------------------------------------------------------------------------


CELL = re.compile(r"-?[0-9]{1,4}(,-?[0-9]{1,4})*")


def drawn(lattice: Lattice, drawing: str) -> Cells:
    """The cells of a drawing, in normal form."""
    return normal_form(lattice, as_cells(lattice, _cells(lattice, drawing)))


def _cells(lattice: Lattice, drawing: str) -> list[tuple[int, ...]]:
    words = drawing.split()
    if words and all(map(CELL.fullmatch, words)):
        return [tuple(map(int, word.split(","))) for word in words]
    if isinstance(lattice.sketch, Sketch):
        rows = drawing if "/" in lattice.sketch.marks else drawing.replace("/", "\n")
        return sketched_cells(lattice, rows.replace(".", " "))  # a blank may stand where no cell is
    return sketched_cells(lattice, drawing.replace(";", "\n\n").replace("/", "\n"))
