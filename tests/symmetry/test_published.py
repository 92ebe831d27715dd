"""Unique counts and the symmetries of the solutions that they count."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.formats import read_puzzle


@pytest.mark.parametrize("counted", ["rotations", "reflections"])
@pytest.mark.parametrize("name", ["somacube", "l_tricubes_3x3x3", "cubic/dominoes_2x2x2"])
def test_classes_and_their_symmetries_make_up_all_solutions(name: str, counted: str) -> None:
    """A class has as many members as the group has cosets of what fixes one of them."""
    [document] = read_puzzle(name)
    symmetries = document.model.symmetries
    order = len(symmetries.selected(counted))
    total = 0
    for solution in ec.solve(document.puzzle, counted=counted):
        fixing = int(symmetries.name_of_group(solution.options, counted).split()[0])
        assert order % fixing == 0
        total += order // fixing
    assert total == document.counts["all"]
