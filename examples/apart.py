"""A filter of your own: leave out the options that lie near the corners of the region.

    exactcover count somacube --plugin examples/apart.py --strategy "redundancy; apart=V; dlx:s"

keeps the solutions of the Soma cube in which no corner of the cube belongs to piece V. Or run this
file: it counts them.
"""

from __future__ import annotations

import numpy as np

import exactcover as ec
from exactcover.problem.filters import Subtree


@ec.option_filter("apart", "placements of a piece that fill a corner", symmetric=True)
def apart(tree: Subtree, argument: str) -> np.ndarray:
    """Keep all placements but those of the piece that fill a corner of the region."""
    layout = tree.cells.layout
    starts, cells = tree.cells.option_cells
    neighbours = np.diff(layout.adjacent[0])
    corner = neighbours == neighbours.min()
    shape = tree.cells.shape_called(argument)
    fills = np.add.reduceat(corner[cells], starts[:-1]) > 0
    return ~(fills & (layout.option_shape == shape))


if __name__ == "__main__":
    soma = ec.read("somacube")
    kept = ec.count(soma, strategy="redundancy; apart=V; dlx:s")
    print(f"{kept} of {ec.count(soma)}")
