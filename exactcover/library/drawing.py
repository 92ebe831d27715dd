"""Cells from a drawing of one line, so that a piece can be read in the table that names it.

Rows are parted by `/`, the top row first; layers of a solid by `;`, the lowest first. A dot is an
empty place.

| lattice | a filled place | example |
|---|---|---|
| square, cubic | `#` | the L tromino `#./##` |
| hexagonal | `#`, each row half a cell off the last | the propeller `.#.#/..#./...#` |
| triangular | `^` up, `v` down, as they lie | the hexagon `^v^/v^v` |
| sticks-square | `-` and `|` between the crossing points | the O tetrastick `.-./|.|/.-.` |
| any other | coordinates | `0,0,1 0,1,0` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from exactcover.geometry.shapes import as_cells, normal_form
from exactcover.lattices.base import Cells, Lattice

Place = tuple[int, int, str]


def drawn(lattice: Lattice, drawing: str) -> Cells:
    """The cells of a drawing, in normal form."""
    read = READERS.get(lattice.name, _coordinates)
    return normal_form(lattice, as_cells(lattice, list(read(drawing))))


def _places(drawing: str) -> Iterator[Place]:
    """Filled places as (column, height, character)."""
    for row, line in enumerate(drawing.split("/")):
        for column, character in enumerate(line):
            if character != ".":
                yield column, -row, character


def _squares(drawing: str) -> Iterator[tuple[int, ...]]:
    for column, height, _ in _places(drawing):
        yield column, height


def _cubes(drawing: str) -> Iterator[tuple[int, ...]]:
    for level, layer in enumerate(drawing.split(";")):
        for column, height, _ in _places(layer):
            yield column, height, level


def _hexagons(drawing: str) -> Iterator[tuple[int, ...]]:
    """A step in x is two columns, a step in y is one column and one row up."""
    even = {(column - height) % 2 for column, height, _ in _places(drawing)}.pop()
    for column, height, _ in _places(drawing):
        yield (column - height - even) // 2, height


def _triangles(drawing: str) -> Iterator[tuple[int, ...]]:
    """In each row, up and down take turns; a step in y is one column and one row up."""
    places = list(_places(drawing))
    even = {
        (column - height - (character == "v")) % 2 for column, height, character in places
    }.pop()
    for column, height, character in places:
        kind = int(character == "v")
        yield (column - height - kind - even) // 2, height, kind


def _edges(drawing: str) -> Iterator[tuple[int, ...]]:
    """Crossing points have even columns and rows; edges lie between them."""
    for column, height, character in _places(drawing):
        if character == "-":
            yield column // 2, height // 2, 0
        else:
            yield column // 2, (height - 1) // 2, 1


def _coordinates(drawing: str) -> Iterator[tuple[int, ...]]:
    for cell in drawing.split():
        yield tuple(map(int, cell.split(",")))


READERS: dict[str, Callable[[str], Iterator[tuple[int, ...]]]] = {
    "square": _squares,
    "cubic": _cubes,
    "hexagonal": _hexagons,
    "triangular": _triangles,
    "sticks-square": _edges,
}

__all__ = ["drawn"]
