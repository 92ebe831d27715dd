"""Lay tiles into a box so that they match where they touch: MacMahon's squares.

    python examples/edge_matching.py

The sides between the places are secondary items, and what they show are colours. A tile covers its
place, itself and its four sides, and two neighbours may cover the side between them if they agree.
"""

from collections.abc import Iterable, Sequence
from itertools import product

import exactcover as ec

Tile = tuple[str, str, str, str]
"""The colours of the sides, clockwise from the top."""


def macmahon_squares(colours: Sequence[str] = "ABC") -> list[Tile]:
    """All squares whose sides have these colours, up to turns: 24 with three of them."""
    place = {colour: number for number, colour in enumerate(colours)}
    return [
        (a, b, c, d)
        for a, b, c, d in product(colours, repeat=4)
        if (a, b, c, d) == min(turns((a, b, c, d)), key=lambda tile: [place[s] for s in tile])
    ]


def turns(tile: Tile) -> list[Tile]:
    """The different tiles that it is when it is turned."""
    a, b, c, d = tile
    return list(dict.fromkeys([(a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a)]))


def edge_matching(tiles: Iterable[Tile], width: int, height: int, rim: str) -> ec.Problem:
    """The ways to fill a box with tiles that may be turned, not turned over; each is used once.

    rim  the colour all round

    Equal tiles are copies of one piece. Options are named `(column, row, tile as it lies)`.
    """
    copies: dict[Tile, int] = {}
    for tile in tiles:
        copies[min(turns(tile))] = copies.get(min(turns(tile)), 0) + 1
    places = list(product(range(width), range(height)))
    options = {}
    for (column, row), tile in product(places, copies):
        sides = [("-", column, row), ("|", column + 1, row), ("-", column, row + 1),
                 ("|", column, row)]  # fmt: skip
        outside = (row == 0, column == width - 1, row == height - 1, column == 0)
        for turned in turns(tile):
            if all(colour == rim for colour, out in zip(turned, outside, strict=True) if out):
                options[column, row, turned] = [
                    ("place", column, row),
                    ("tile", tile),
                    *map(ec.Coloured, sides, turned),
                ]
    return ec.Problem.from_options(
        options,
        primary=[*(("place", *place) for place in places), *(("tile", tile) for tile in copies)],
        multiplicity={("tile", tile): many for tile, many in copies.items()},
    )


if __name__ == "__main__":
    problem = edge_matching(macmahon_squares("RGB"), 6, 4, rim="R")
    tiling = {(column, row): tile for column, row, tile in ec.first(problem, seed=1).names}
    for row in range(4):
        print("  ".join("".join(tiling[column, row]) for column in range(6)))
    print(f"{len(macmahon_squares('RGBY'))} squares with four colours")
