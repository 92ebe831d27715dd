"""Published unique counts: those that a shipped puzzle has with it."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.formats import read_puzzle
from exactcover.search.solving import Solving

PUZZLES = [
    "pentominoes_10x6",
    "pentominoes_20x3",
    "somacube",
    "l_tricubes_3x3x3",
    "slothouber_graatsma",
    "cubic/dominoes_2x2x2",
    "hypercubic/dominoes_2x2x2x2",
    "hypercubic/dominoes_3x2x2x2",
    "hypercubic/squares_2x2x2x2",
    "hypercubic/tripods_2x2x2x2",
    "hypercubic/tetratesseracts_any_2x2x2x2",
]


@pytest.mark.parametrize("name", PUZZLES)
def test_published_counts_all_and_unique(name: str) -> None:
    [document] = read_puzzle(name)
    assert document.counts.keys() == {"all", "rotations", "reflections"}
    for counted, wanted in document.counts.items():
        result = Solving(document.puzzle, counted=counted).run()
        assert (result.status, result.solutions) == ("complete", wanted), counted


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
