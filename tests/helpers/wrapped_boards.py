"""Wrapped boards with a piece across the joint, on lattices of every sort of cell."""

from __future__ import annotations

import exactcover as ec
from exactcover.lattices import get_lattice


def wrapped_board(name: str) -> ec.Puzzle:
    """A shipped puzzle; or three cells of a lattice in a ring, cut open within the piece I."""
    if "_" in name:
        found = ec.read(name)
        assert isinstance(found, ec.Puzzle)
        return found
    lattice = get_lattice(name)
    row = [(x, *(0,) * (lattice.width - 1)) for x in range(3)]
    two = ec.Piece("I", row[:2]), ec.Piece("O", row[1:2], stationary=True)
    region = ec.Region(row, wrap=((3, *(0,) * (lattice.dimension - 1)),))
    return ec.Puzzle(lattice, region, two)
