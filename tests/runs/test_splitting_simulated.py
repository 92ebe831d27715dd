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
    equal_depth,
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


@given(trees(), st.integers(1, 5))
def test_no_way_is_better_than_the_ideal(tree: Tree, workers: int) -> None:
    ways = [handed_back(tree, workers)]
    ways.append(equal_depth(tree, workers, tasks=workers))
    for outcome in ways:
        assert outcome.makespan >= tree.total / workers
    assert handed_back(tree, 1).makespan == tree.total


def test_equal_depth_by_hand() -> None:
    """Leaves of 3, 3, 2, 2, 2 for two workers: 7 in order; the root takes 1."""
    tree = Tree([5, 0, 0, 0, 0, 0], [1, 2, 2, 3, 3, 2], [1] * 6)
    assert equal_depth(tree, 2, tasks=4) == (8, 5)
    assert equal_depth(tree, 5, tasks=4) == (4, 5)
    assert equal_depth(tree, 5, tasks=4, start=10) == (24, 5)


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
