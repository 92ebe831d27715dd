"""Blocks in a box, in any number of dimensions: copies by ranges, and places that stay empty.

Each size of block is an item that is covered as often as there are blocks of it, within a range. A
cell is covered exactly once, or at most once where the box need not be full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product

from exactcover.errors import ProblemError
from exactcover.problem import Multiplicity, Problem

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
