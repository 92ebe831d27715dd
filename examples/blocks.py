"""Pack blocks into a box, in any number of dimensions.

    python examples/blocks.py

Each size of block is an item that is covered as often as there are blocks of it, within a range. A
cell is covered once, or at most once where the box need not be full.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations, product

import exactcover as ec

Size = tuple[int, ...]


def blocks(
    box: Sequence[int], copies: Mapping[Size, int | tuple[int, int]], *, full: bool = True
) -> ec.Problem:
    """The ways to pack blocks into a box, each along the axes in any position.

    copies  how many blocks of each size: a number, or the least and the most
    full    whether every cell is to be filled

    Options are named `(size, sides, corner)`: the sides as the block lies, and its lowest corner.
    Each costs minus the volume of the block, so the cheapest packing is the one that fills most.
    """
    options = {}
    for size in copies:
        for sides in sorted(set(permutations(size))):
            corners = product(*(range(b - s + 1) for b, s in zip(box, sides, strict=True)))
            for corner in corners:
                filled = product(*(range(c, c + s) for c, s in zip(corner, sides, strict=True)))
                options[size, sides, corner] = [("block", size), *(("cell", c) for c in filled)]
    kinds = [("block", size) for size in copies]
    cells = [("cell", cell) for cell in product(*map(range, box))]
    return ec.Problem.from_options(
        options,
        primary=[*kinds, *cells] if full else kinds,
        secondary=[] if full else cells,
        multiplicity={("block", size): many for size, many in copies.items()},
        costs=[-(len(items) - 1) for items in options.values()],
    )


def partridge(n: int) -> ec.Problem:
    """One square of side 1, two of side 2, up to n of side n, in a square of n(n + 1)/2.

    R. Wainwright's puzzle has no solution below n = 8 but that of a single square.
    """
    side = n * (n + 1) // 2
    return blocks((side, side), {(k, k): k for k in range(1, n + 1)})


if __name__ == "__main__":
    print(ec.count(blocks((3, 3, 3), {(1, 2, 2): 6, (1, 1, 1): 3})))  # Slothouber and Graatsma's
    dominoes: dict[Size, tuple[int, int]] = {(1, 2): (0, 8), (1, 1): (0, 16)}
    print(*(ec.count(blocks((n, n), dominoes)) for n in (1, 2, 3, 4)))  # OEIS A028420
    print(*(ec.count(partridge(n)) for n in (1, 2, 3)))
    packing = blocks((5, 5), {(2, 3): (0, 4), (1, 4): (0, 2)}, full=False)
    print(f"{-ec.best(packing).value:g} of 25 cells filled")
