"""The piece or cell that the automatic strategy constrains."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.search.automatic import automatic
from exactcover.search.subject import Subject


@pytest.mark.parametrize(
    ("puzzle", "redundancy"),
    [
        ("tetriscube", "redundancy=L"),  # found by S. Westen; the fewest images has G
        ("pentominoes_12x5", "redundancy=X"),  # though it is its own image in the middle
        ("pentominoes_10x6", "redundancy"),  # that is X too
        ("PT12", "redundancy"),  # no piece is clearly better than the usual one
        ("somacube", "redundancy"),  # not searched by image lists
        ("y_pentacubes_5x5x5", "redundancy=cell"),  # no piece occurs once
    ],
)
def test_the_piece_that_is_placed_first(puzzle: str, redundancy: str) -> None:
    given = ec.read(puzzle)
    assert str(automatic(Subject.of(given, "rotations")).filters[0]) == redundancy
    assert "redundancy" not in str(automatic(Subject.of(given, "all")))
