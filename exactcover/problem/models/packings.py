"""Blocks in a box, in any number of dimensions, and edge-matching puzzles.

Each size of block is an item that is covered as often as there are blocks of it, within a range. A
cell is covered exactly once, or at most once where the box need not be full.

The sides between the places of tiles are secondary items, and their colours those of the problem. A
tile that lies there in some turn covers its place, itself and its four sides, and two neighbours
may cover the side between them if they agree. The rim can be required to have one colour all round.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import permutations, product

from exactcover.errors import ProblemError
from exactcover.problem import Coloured, Multiplicity, Problem

Size = tuple[int, ...]


def blocks(
    box: Sequence[int], copies: Mapping[Size, Multiplicity], *, full: bool = True
) -> Problem:
    """The ways to pack blocks into a box, each along the axes in any position.

    copies  how many blocks of each size: a number, or the least and the most
    full    whether every cell is to be filled

    Options are named `(size, sides, corner)`: the sides as the block lies, and its lowest corner.
    Each costs minus the volume of the block, so the cheapest packing is the one that fills most.
    """
    options: dict[tuple[Size, Size, Size], list[tuple[str, Size]]] = {}
    for size in copies:
        if len(size) != len(box) or min(size) < 1:
            raise ProblemError(f"block {size} does not have {len(box)} sides of 1 or more")
        for sides in sorted(set(permutations(size))):
            corners = product(*(range(b - s + 1) for b, s in zip(box, sides, strict=True)))
            for corner in corners:
                filled = product(*(range(c, c + s) for c, s in zip(corner, sides, strict=True)))
                options[size, sides, corner] = [("block", size), *(("cell", c) for c in filled)]
    kinds = [("block", size) for size in copies]
    cells = [("cell", cell) for cell in product(*map(range, box))]
    return Problem.from_options(
        options,
        primary=[*kinds, *cells] if full else kinds,
        secondary=[] if full else cells,
        multiplicity={("block", size): many for size, many in copies.items()},
        costs=[-float(len(items) - 1) for items in options.values()],
    )


def partridge(n: int) -> Problem:
    """One square of side 1, two of side 2, up to n of side n, in a square of n(n + 1)/2.

    The areas agree, since 1 + 8 + ... + n^3 is the square of 1 + 2 + ... + n. R. Wainwright's
    puzzle has no solution below n = 8 but that of a single square.
    """
    side = n * (n + 1) // 2
    return blocks((side, side), {(k, k): k for k in range(1, n + 1)})


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
    return (
        (top == rim or row > 0)
        and (bottom == rim or row < height - 1)
        and (left == rim or column > 0)
        and (right == rim or column < width - 1)
    )
