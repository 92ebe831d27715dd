"""The simulation of many workers: no work is lost, and makespans that are known by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from benchmarks.bench_splitting import (
    CASES,
    Siblings,
    Tree,
    _begun,
    handed_back,
    measure,
    saved,
    table,
    ways,
)
from tests.docs.blocks import read


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees of any shape, with leaves of any size."""
    tree = Tree([], [], [])

    def grow(depth: int) -> None:
        children = draw(st.integers(0, 3)) if depth < 4 else 0
        tree.children.append(children)
        tree.own.append(draw(st.integers(0, 20)))
        tree.siblings.append(1 if children else draw(st.integers(1, 3)))
        for _ in range(children):
            grow(depth + 1)

    grow(0)
    return tree


@given(trees(), st.integers(0, 30))
def test_each_node_is_in_one_task(tree: Tree, patience: int) -> None:
    """And a task that hands something back has tried more than its patience allows, or as much."""
    waiting, images = [Siblings(0, len(tree))], 0
    for _ in range(2 * len(tree)):
        if not waiting:
            break
        begun = _begun(tree, waiting.pop(), patience)
        assert not begun.rest or begun.images >= patience
        images += begun.images
        waiting += begun.rest
    assert not waiting
    assert images == tree.total


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
