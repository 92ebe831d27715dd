"""Edge-matching puzzles: square tiles in a box, with one colour wherever two of them touch.

The sides between places are secondary items, and their colours those of the problem. A tile that
lies there in some turn covers its place, itself and its four sides, and two neighbours may cover
the side between them if they agree. The rim can be required to have one colour all round.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import product

from exactcover.errors import ProblemError
from exactcover.problem import Coloured, Problem

Tile = tuple[Hashable, Hashable, Hashable, Hashable]
"""The colours of the sides, clockwise from the top."""


def macmahon_squares(colours: Sequence[Hashable] = "ABC") -> list[Tile]:
    """All squares whose sides have these colours, up to turns: 24 with three of them."""
    tiles = product(colours, repeat=4)
    place = {colour: number for number, colour in enumerate(colours)}
    return [
        (a, b, c, d)
        for a, b, c, d in tiles
        if (a, b, c, d) == min(turns((a, b, c, d)), key=lambda tile: [place[s] for s in tile])
    ]


def turns(tile: Tile) -> list[Tile]:
    """The different tiles that it is when it is turned."""
    a, b, c, d = tile
    return list(dict.fromkeys([(a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a)]))


def edge_matching(
    tiles: Iterable[Tile], width: int, height: int, *, rim: Hashable | None = None
) -> Problem:
    """The ways to fill a box with tiles that may be turned, not turned over; each is used once.

    Equal tiles are copies of one piece. Options are named `(column, row, tile as it lies)`.
    """
    copies: dict[Tile, int] = {}
    for tile in tiles:
        lowest = min(turns(tile), key=lambda turned: [*map(repr, turned)])
        copies[lowest] = copies.get(lowest, 0) + 1
    if sum(copies.values()) != width * height:
        raise ProblemError(
            f"{sum(copies.values())} tiles for {width * height} places of {width} x {height}"
        )
    options = {
        (column, row, turned): [
            ("place", column, row),
            ("tile", tile),
            *map(Coloured, _sides(column, row), turned),
        ]
        for column in range(width)
        for row in range(height)
        for tile in copies
        for turned in turns(tile)
        if rim is None or _agrees(column, row, turned, width, height, rim)
    }
    places = [("place", column, row) for column in range(width) for row in range(height)]
    kinds = [("tile", tile) for tile in copies]
    return Problem.from_options(
        options,
        primary=[*places, *kinds],
        multiplicity={("tile", tile): many for tile, many in copies.items() if many > 1},
    )


def _sides(column: int, row: int) -> list[tuple[str, int, int]]:
    """The sides of a place, clockwise from the top."""
    return [("-", column, row), ("|", column + 1, row), ("-", column, row + 1), ("|", column, row)]


def _agrees(column: int, row: int, tile: Tile, width: int, height: int, rim: Hashable) -> bool:
    """Whether a tile has the colour of the rim where it touches it."""
    top, right, bottom, left = tile
    touching = {rim}
    touching |= {top} if row == 0 else set()
    touching |= {bottom} if row == height - 1 else set()
    touching |= {left} if column == 0 else set()
    touching |= {right} if column == width - 1 else set()
    return touching == {rim}
