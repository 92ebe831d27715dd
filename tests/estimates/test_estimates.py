"""Estimates: probes are unbiased, known parts are exact, and intervals hold the truth."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from math import inf
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactcover as ec
from benchmarks.bench_estimate import effort_of, held, trials, truth_of
from exactcover.errors import CapabilityError, ExactCoverError
from exactcover.estimates.layering import Effort, Known, layered, survey
from exactcover.estimates.probes import Layer, probed
from exactcover.estimates.tree import Sums, Tree
from exactcover.models import langford, queens
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject

Value = TypeVar("Value")

SMALL = Effort(known=200, first=200, probe=64, whole=64, batch=1 << 14)


def drained(work: Generator[None, None, Value]) -> Value:
    """The value of work in slices."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: Value = end.value
            return value


def tree_of(subject: Solvable, strategy: str, counted: str | None = None) -> Tree:
    made = Subject.of(subject, counted)
    return Tree(make_plan(made, Strategy.of(strategy)), Strategy.of(strategy))


def whole(tree: Tree) -> Sums:
    """The sums of a complete search, without its seconds."""
    walk = tree.walk(cut=None)
    drained(walk.finish())
    return walk.sums()[:-1]


FOUR_ENGINES = "redundancy; dlx:s; bsx:s@11; fila:e@9; fila:f@3"

CASES: list[tuple[str, Solvable, str, str | None]] = [
    ("hand-over", ec.read("pentominoes_20x3"), "redundancy; volume; dlx:s; fila:f@11", None),
    ("four engines", ec.read("pentominoes_20x3"), FOUR_ENGINES, None),
    ("filters", ec.read("pentominoes_20x3"), "redundancy; volume@11; dlx:s", None),
    ("trigger", ec.read("pentominoes_20x3"), "redundancy; volume-trigger@5; dlx:s", None),
    ("rotations", ec.read("somacube"), "redundancy; bsx:s", "rotations"),
    ("reflections", ec.read("somacube"), "redundancy; bsx:s", "reflections"),
    ("no filter", ec.read("tetracubes_8x2x2"), "dlx:s", "reflections"),
    ("optional", ec.read("tristicks_any_2x2"), "dlx:s", "all"),
    ("secondary", queens(6), "dlx:s", None),
    ("generic", langford(7), "bsx:s", None),
]

NAMES = [name for name, *_ in CASES]


@pytest.mark.parametrize(
    ("subject", "strategy", "counted"), [case[1:] for case in CASES], ids=NAMES
)
def test_a_batch_is_right_on_average(subject: Solvable, strategy: str, counted: str | None) -> None:
    """Over all offsets, a batch is what a complete search does, to the digit."""
    tree = tree_of(subject, strategy, counted)
    truth = whole(tree)
    result = ec.Solving(subject, strategy=strategy, counted=counted).run()
    assert truth[: tree.pieces + 1].sum() == result.fits
    assert truth[-1] == result.solutions
    first, second = tree.pieces - 2, max(tree.pieces - 4, tree.lowest)
    layers = [Layer(first, 3.0), Layer(second, 6.0)][: 1 + (second < first)]
    offsets = [(np.arange(many) + 0.5) / many for many in (3, 2)][: len(layers)]
    batches = [drained(probed(tree, layers, drawn)).sums[:-1] for drawn in product(*offsets)]
    assert np.mean(batches, axis=0) == pytest.approx(truth, abs=1e-9)
    assert not np.array_equal(batches[0], truth)  # it leaves something out


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 1 << 20), st.sampled_from([0.5, 1.0, 1.5]))
def test_a_batch_with_sizes_is_right_on_average(seed: int, spacing: float) -> None:
    """States of any size, some of them larger than the spacing."""
    tree = tree_of(ec.read("somacube"), "redundancy; bsx:s")
    truth, random = whole(tree), np.random.default_rng(seed)
    walk = tree.walk(cut=5)
    drained(walk.finish())
    sizes = random.integers(1, 9, walk.found) / 4
    layer = Layer(5, spacing, sizes)
    many = round(spacing * 4)  # all borders of states are multiples of the spacing by this
    offsets = (np.arange(many) + 0.5) / many
    batches = [drained(probed(tree, [layer], [offset])).sums[:-1] for offset in offsets]
    assert np.mean(batches, axis=0) == pytest.approx(truth, rel=1e-9)


def test_the_known_top_is_that_of_the_search() -> None:
    puzzle = ec.read("pentominoes_20x3")
    tree = tree_of(puzzle, "redundancy; volume; dlx:s; fila:f@11")
    known: Known = drained(survey(tree, 4000))
    truth = whole(tree)
    assert not known.whole
    assert 1 < known.left < 11
    above = slice(known.left + 1, tree.pieces + 1)
    assert np.array_equal(known.sums[above], truth[above])
    assert known.states == known.sums[known.left + 1]


def test_layers_have_sizes_that_fit() -> None:
    """The sizes of states are their shares of the descendants in the known top."""
    tree = tree_of(ec.read("pentominoes_20x3"), "redundancy; volume; dlx:s; fila:f@11")
    known: Known = drained(survey(tree, 4000))
    random = np.random.default_rng(1)
    layers = drained(layered(tree, known, Effort(4000, 300, 64, 256, 1 << 16), random.random))
    [first, *_] = layers
    assert first.sizes is not None
    counts = []
    top = tree.walk(cut=first.cut)
    while (state := drained(top.hand_out())) is not None:
        below = tree.walk(state, first.cut, cut=known.left)
        drained(below.finish())
        counts.append(below.found)
    shares = np.array(counts) / np.mean(counts)
    assert first.sizes == pytest.approx(np.where(shares > 0, 0.1 + 0.9 * shares, 0))


# -- estimates ------------------------------------------------------------------------------------


def test_a_small_tree_is_exact() -> None:
    for counted in ("rotations", "reflections"):
        estimate = ec.estimate(ec.read("somacube"), counted=counted)
        result = ec.Solving(
            ec.read("somacube"), counted=counted, strategy=estimate.strategy, tally=True
        ).run()
        assert estimate.status == "exact"
        assert estimate.solutions == ec.Interval.exactly(result.solutions)
        assert estimate.nodes == ec.Interval.exactly(result.fits)
        assert estimate.choices == ec.Interval.exactly(result.fits + result.nofits)
        assert {left: one.value for left, one in estimate.nodes_by_remaining.items()} == {
            row.remaining: row.fits for row in result.by_remaining
        }


@pytest.mark.parametrize("counted", ["rotations", "reflections"])
def test_intervals_hold_the_truth(counted: str) -> None:
    """Four trials of 24 batches; `bench_estimate` makes 200."""
    puzzle = ec.read("somacube")
    made = trials(puzzle, 4, SMALL, counted=counted, precision=0.99)
    assert {one.status for one in made} == {"precise"}
    assert min(held(made, truth_of(puzzle, counted))) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pentominoes_10x6", "hexiamonds_6x6"])
def test_intervals_hold_the_truth_often_enough(name: str) -> None:
    puzzle = ec.read(name)
    made = trials(puzzle, 60, effort_of(4))
    assert min(held(made, truth_of(puzzle, None))) >= 54


def test_a_seed_repeats_an_estimate() -> None:
    def figures(seed: int) -> list[ec.Interval]:
        made = ec.Estimating(ec.read("somacube"), precision=0.99, seed=seed, effort=SMALL).run()
        return [made.nodes, made.choices, made.solutions, *made.nodes_by_remaining.values()]

    first = figures(3)
    assert first == figures(3)
    assert first != figures(4)


def test_an_estimate_can_be_stopped() -> None:
    estimating = ec.Estimating(ec.read("tetriscube"), time_limit=None)
    assert estimating.estimate.nodes.high == inf
    assert estimating.step()
    estimating.stop()
    assert not estimating.step()
    assert estimating.run().status == "interrupted"
    assert estimating.progress == 1


def test_a_time_limit_ends_it() -> None:
    estimate = ec.estimate(ec.read("tetriscube"), time_limit=0)
    assert estimate.status == "limit"
    assert estimate.solutions == ec.Interval(0, 0, inf)


def test_what_cannot_be_solved_is_known() -> None:
    estimate = ec.estimate(ec.Puzzle.of("pentominoes", "box 7 7"))
    assert (estimate.status, estimate.solutions.high) == ("impossible", 0)
    assert "cells" in estimate.reason


def test_an_engine_that_hands_out_no_states_is_replaced_or_refused() -> None:
    sudoku = ec.models.sudoku()
    estimating = ec.Estimating(sudoku)
    assert str(estimating.strategy).endswith("dlx:s")
    with pytest.raises(CapabilityError, match=r"planes cannot be cut.*dlx"):
        ec.estimate(sudoku, strategy="planes:weighed")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"precision": 0}, "precision=0: it must be between 0 and 1"),
        ({"confidence": 1.5}, "confidence=1.5"),
        ({"seed": -1}, "seed=-1"),
        ({"time_limit": -1}, "negative"),
        ({"strategy": 7}, "strategy"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ExactCoverError, match=words):
        ec.estimate([["a"]], **arguments)  # type: ignore[arg-type]
