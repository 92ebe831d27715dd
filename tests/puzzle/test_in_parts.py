"""Pieces in several parts: what is connected on each lattice, and the notices about it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exactcover as ec
from exactcover.formats.shipped import entries
from exactcover.lattices import Lattice
from tests.helpers.cell_graphs import random_shape
from tests.helpers.lattices_under_test import EVERY, name_of, plain_neighbours, some_cells

MISTYPED = """
lattice = "square"
region = "4x4"
pieces = '''
G A A B
G G A B
C C G B
G C C B
'''
"""


def plain_parts(lattice: Lattice, cells: list[tuple[int, ...]]) -> int:
    """The number of parts, by the neighbours that distances tell."""
    around, left, parts = plain_neighbours(lattice), set(cells), 0
    several = lattice.width > lattice.dimension
    while left:
        parts += 1
        reached = [left.pop()]
        while reached:
            cell = reached.pop()
            for step in around[cell[-1] if several else 0]:
                vector = (a + b for a, b in zip(cell[: lattice.dimension], step, strict=False))
                other = (*vector, *step[lattice.dimension :])
                if other in left:
                    left.remove(other)
                    reached.append(other)
    return parts


@pytest.mark.parametrize("lattice", [one for one in EVERY if one.dimension < 5], ids=name_of)
def test_parts_on_each_lattice(lattice: Lattice) -> None:
    """Connected shapes, and cells taken out of them at random."""
    whole = random_shape(lattice, 7, seed=1)
    pieces = {"W": whole, "T": whole[:3] + whole[5:], "H": whole[::2]}
    region = some_cells(lattice, 3)
    puzzle = ec.Puzzle(
        lattice, ec.Region(region), tuple(ec.Piece(n, np.array(c)) for n, c in pieces.items())
    )
    counted = {name: plain_parts(lattice, cells) for name, cells in pieces.items()}
    assert counted["W"] == 1
    assert puzzle.in_parts == {name: parts for name, parts in counted.items() if parts > 1}


def test_a_piece_may_be_connected_round_a_wrapped_board() -> None:
    """Five places round: 0 and 4 are side by side, also for a piece that is drawn upright."""
    pieces = [
        ec.Piece("A", [(0, 0), (4, 0)]),
        ec.Piece("B", [(0, 0), (3, 0)]),
        ec.Piece("C", [(0, 0), (0, 4)]),
        ec.Piece("D", [(0, 0), (0, 4)], turns=False),
    ]
    assert ec.puzzle_of(pieces, "5x5", "square", wrap="cylinder").in_parts == {"B": 2, "D": 2}
    assert set(ec.puzzle_of(pieces, "5x5", "square").in_parts) == {"A", "B", "C", "D"}


@pytest.fixture
def mistyped(tmp_path: Path) -> Path:
    file = tmp_path / "mistyped.toml"
    file.write_text(MISTYPED)
    return file


@pytest.mark.slow
def test_no_shipped_puzzle_has_such_pieces() -> None:
    """Stationary pieces in several parts are holes, and meant."""
    boards = [entry.puzzle for entry in entries() if entry.puzzle is not None]
    assert not any(board.in_parts for board in boards if board.region.cells.shape[0] < 5000)
