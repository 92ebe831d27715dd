"""Estimates: probes are unbiased, known parts are exact, and intervals hold the truth."""

from __future__ import annotations

from collections.abc import Generator
from math import inf
from typing import TypeVar

import numpy as np
import pytest

import exactcover as ec
from benchmarks.bench_estimate import held, trials, truth_of
from exactcover.base import patience
from exactcover.errors import CapabilityError
from exactcover.search.plan import make_plan
from exactcover.search.sampler import Effort, Sampler, Sums, Tree
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Solvable, Subject
from examples.langford import langford
from examples.queens import queens
from examples.sudoku import sudoku

Value = TypeVar("Value")

SMALL = Effort(known=200, kept=8, probe=64)


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
    """The sums of a complete search."""
    walk = tree.walk(cut=None)
    drained(walk.finish())
    return walk.sums


SLOW = pytest.mark.slow

# Rods of up to three cells in a square, and one option that fills it: a solution may be a single
# option, so the number of pieces left is 1 at the root and 0 at most nodes.
CELLS = [(x, y) for x in range(4) for y in range(4)]
RODS = [CELLS] + [
    [(x + i * step, y + i * (1 - step)) for i in range(length)]
    for x, y in CELLS
    for length, step in ((1, 0), (2, 0), (2, 1), (3, 0), (3, 1))
    if max(x + (length - 1) * step, y + (length - 1) * (1 - step)) < 4
]

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
    ("secondary", queens(8), "dlx:s", None),
    ("generic", langford(7), "bsx:s", None),
    ("far below the cut", RODS, "bsx:s", None),
]

LONG = (
    "hand-over",
    "four engines",
    "filters",
    "trigger",
    "no filter",
    "rotations",
    "far below the cut",
)


@pytest.mark.parametrize(
    ("subject", "strategy", "counted"),
    [pytest.param(*case, id=name, marks=SLOW if name in LONG else ()) for name, *case in CASES],
)
def test_a_batch_is_right_on_average(subject: Solvable, strategy: str, counted: str | None) -> None:
    """The mean of many batches is what a complete search does, within five standard errors."""
    tree = tree_of(subject, strategy, counted)
    truth = whole(tree)
    result = ec.Solving(subject, strategy=strategy, counted=counted).run()
    assert truth[: tree.pieces + 1].sum() == result.fits
    assert truth[-1] == result.solutions
    sampler = Sampler(tree, Effort(10, 8, 16), np.random.default_rng(2))
    drained(sampler.survey())
    batches = 30
    for _ in range(batches):
        drained(sampler.batch())
    drawn = np.array(sampler.made) + sampler.top
    errors = drawn.std(axis=0, ddof=1) / np.sqrt(batches)
    checked = (drawn > 0).sum(axis=0) > batches / 3
    assert checked.any()
    assert drawn.std(axis=0).any()  # it leaves something out
    assert (np.abs(drawn.mean(axis=0) - truth) <= 5 * errors + 1e-6)[checked].all()


def test_the_known_top_is_that_of_the_search() -> None:
    puzzle = ec.read("pentominoes_20x3")
    tree = tree_of(puzzle, "redundancy; volume; dlx:s; fila:f@11")
    sampler = Sampler(tree, Effort(4000, 8, 64), np.random.default_rng(2))
    drained(sampler.survey())
    assert 1 < sampler.left < 11
    above = slice(sampler.left + 1, tree.pieces + 1)
    assert np.array_equal(sampler.top[above], whole(tree)[above])


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


@pytest.mark.parametrize("name", ["tetracubes_8x2x2", pytest.param("somacube", marks=SLOW)])
def test_intervals_hold_the_truth(name: str) -> None:
    """Three trials of 24 batches; `bench_estimate` makes 200."""
    puzzle = ec.read(name)
    made = trials(puzzle, 3, SMALL, counted="reflections", precision=0.99)
    assert {one.status for one in made} == {"precise"}
    assert min(held(made, truth_of(puzzle, "reflections"))) >= 2


def test_a_seed_repeats_an_estimate() -> None:
    def figures(seed: int) -> list[ec.Interval]:
        made = ec.Estimating(
            queens(8), precision=0.99, seed=seed, effort=SMALL, searched=0, time_limit=None
        ).run()
        return [made.nodes, made.choices, made.solutions, *made.nodes_by_remaining.values()]

    first = figures(3)
    assert first == figures(3)
    assert first != figures(4)


def test_the_time_limit_leaves_room_for_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second that setting up has in any case never passes, however busy the machine is."""
    monkeypatch.setattr(patience, "monotonic", lambda: 0.0)
    estimate = ec.estimate(ec.read("PT12"), time_limit=0)
    assert estimate.status == "limit"
    for one in (estimate.nodes, estimate.choices, estimate.seconds):
        assert 0 <= one.low < one.value < one.high < inf
    # A busy machine draws so few subtrees that all may be without a solution.
    assert 0 <= estimate.solutions.low <= estimate.solutions.value <= estimate.solutions.high


def test_seconds_are_those_of_the_search_not_of_its_parts() -> None:
    """A search of subtrees begins image lists anew at each, which takes far longer than they do."""
    puzzle, strategy = ec.read("pentominoes_10x6"), "redundancy; volume; dlx:s; fila:f@11 nof=6"
    whole = ec.estimate(puzzle, strategy=strategy)
    assert whole.status == "exact"
    made = ec.Estimating(puzzle, strategy=strategy, searched=0, time_limit=2).run()
    assert made.seconds.value < 4 * whole.seconds.value


def test_an_engine_that_hands_out_no_states_is_replaced_or_refused() -> None:
    estimating = ec.Estimating(sudoku())
    assert str(estimating.strategy).endswith("dlx:s")
    with pytest.raises(CapabilityError, match=r"planes cannot be cut.*dlx"):
        ec.estimate(sudoku(), strategy="planes:weighed")
