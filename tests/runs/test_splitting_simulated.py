"""The simulation of many workers: no work is lost, and makespans that are known by hand."""

from __future__ import annotations

import pytest

import exactcover as ec
from benchmarks.bench_splitting import CASES, Tree, handed_back, measure, saved, table, ways
from tests.docs.blocks import read


def test_handing_back_by_hand() -> None:
    """400 images in leaves of 100. With two workers patience is 10, so the root hands back its
    children after the first one, and each is one task."""
    tree = Tree([4, 0, 0, 0, 0], [0, 100, 100, 100, 100], [1] * 5)
    assert handed_back(tree, 2) == (210, 4)  # the second worker begins after 10, and ends last
    assert handed_back(tree, 2, start=5) == (225, 4)
    assert handed_back(tree, 1, start=5) == (420, 4)


def test_a_measured_tree_has_all_images() -> None:
    puzzle = ec.read("pentominoes_20x3")
    tree = measure(puzzle, parts=50)
    whole = ec.Solving(puzzle, counted="reflections", tally=True).run()
    assert tree.total == whole.fits + whole.nofits == tree.size(0)
    assert tree.end[0] == len(tree) > 50
    assert sum(tree.share[node] for node in tree.after(1, len(tree))) == pytest.approx(1)


@pytest.mark.slow
def test_the_tables_are_those_of_the_page() -> None:
    page = read("docs/speed.md")
    for name in CASES:
        tree = Tree.load(saved(name))
        assert table(ways(tree)) in page
