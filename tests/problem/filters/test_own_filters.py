"""A filter of a user's own: made by the decorator, named in a strategy, alone or at every step."""

from __future__ import annotations

import numpy as np
import pytest

import exactcover as ec
from exactcover.errors import CapabilityError, StrategyError
from exactcover.problem.filters import Filtered, FilterKind, Subtree
from exactcover.problem.filters.registry import FILTERS
from exactcover.problem.filters.tree import Flags
from tests.helpers.plugged import plugged_in


def keeping_below(**how: bool) -> FilterKind:
    @ec.option_filter("below", "options with numbers from N on", **how)
    def below(tree: Subtree, argument: str) -> Flags:
        return np.arange(tree.problem.n_options) < int(argument)

    return below


OPTIONS = [["a"], ["b"], ["a", "b"], ["a", "b"]]

EVENS = FilterKind(
    "evens",
    "options with odd numbers",
    apply=lambda tree, _: Filtered(np.arange(tree.problem.n_options) % 2 == 0),
)


@pytest.mark.parametrize(("strategy", "solutions"), [("", 3), ("below=3; ", 2), ("below=2; ", 1)])
def test_a_filter_removes_options_before_the_search(strategy: str, solutions: int) -> None:
    keeping_below()
    assert ec.count(OPTIONS, strategy=f"{strategy}dlx:s") == solutions


def test_a_failure_says_where_it_is() -> None:
    """The innermost line of the user's own file, also if another package raises the error."""

    @ec.option_filter("below", "fails")
    def below(tree: Subtree) -> Flags:
        return np.reshape(np.ones(3, bool), (2, 2))

    with pytest.raises(StrategyError, match=r"failed in .*own_filters\.py, line ") as raised:
        ec.count(OPTIONS, strategy="below; dlx:s")
    line = below.apply.__wrapped__.__code__.co_firstlineno + 2
    assert f"line {line}:" in str(raised.value)


def test_at_every_step_it_sees_what_is_chosen() -> None:
    seen: list[tuple[int, ...]] = []

    @ec.option_filter("watching", "nothing", symmetric=True)
    def watching(tree: Subtree) -> Flags:
        seen.append(tree.chosen)
        return tree.alive

    puzzle = ec.read("somacube")
    assert ec.count(puzzle, counted="rotations", strategy="redundancy; watching@6; dlx:s") == 480
    assert sorted({len(chosen) for chosen in seen}) == [0, 1]


STRATEGIES = [
    "lopsided; dlx:s",
    "lopsided; redundancy; dlx:s",
    "redundancy; lopsided; dlx:s",
    "redundancy=none; lopsided; fila:f",
    "redundancy; lopsided@11; dlx:s",
    "lopsided; bsx:s",
    "lopsided; automaton:narrow",
]


def without_an_option(**how: bool) -> None:
    """A filter that removes the first option that some solution has, and no symmetric one."""
    gone = min(next(iter(ec.solve(ec.read("pentominoes_20x3"), counted="all"))).options)

    @ec.option_filter("lopsided", "one option", **how)
    def lopsided(tree: Subtree) -> Flags:
        return np.arange(tree.problem.n_options) != gone


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_unique_solutions_need_a_symmetric_filter(strategy: str) -> None:
    """Which copy of a solution is kept does not depend on the filter, so some would be lost."""
    without_an_option()
    puzzle = ec.read("pentominoes_20x3")
    for counted in ("rotations", "reflections"):
        with pytest.raises(StrategyError, match=r"lopsided.*symmetric=True.*counted=.all"):
            ec.count(puzzle, counted=counted, strategy=strategy)
        with pytest.raises(StrategyError, match="filter lopsided is not declared"):
            list(ec.solve(puzzle, counted=counted, strategy=strategy))


def test_all_solutions_are_counted_with_any_filter() -> None:
    without_an_option()
    puzzle = ec.read("pentominoes_20x3")
    plain = {ec.count(puzzle, counted="all", strategy=one) for one in STRATEGIES}
    listed = list(ec.solve(puzzle, counted="all"))
    gone = min(listed[0].options)
    assert plain == {sum(gone not in one.options for one in listed)}


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (None, "'wrong' returned NoneType"),
        ([True], "'wrong' returned list"),
        (np.ones(4, int), "an array of int64 of shape (4,)"),
        (np.ones(3, bool), "an array of bool of shape (3,)"),
    ],
)
def test_what_is_no_choice_of_options_is_refused(returned: object, said: str) -> None:
    @ec.option_filter("wrong", "nothing")
    def wrong(tree: Subtree) -> Flags:
        return returned  # type: ignore[return-value]

    with pytest.raises(StrategyError) as raised:
        ec.count(OPTIONS, strategy="wrong; dlx:s")
    assert said in str(raised.value)
    assert "each of the 4 options" in str(raised.value)


def test_an_argument_without_a_default_is_needed() -> None:
    @ec.option_filter("needing", "nothing")
    def needing(tree: Subtree, argument: str) -> Flags:
        return np.arange(tree.problem.n_options) < int(argument)

    assert ec.count(OPTIONS, strategy="needing=2; dlx:s") == 1
    with pytest.raises(StrategyError, match="'needing': needing needs an argument"):
        ec.count(OPTIONS, strategy="needing; dlx:s")


@pytest.mark.parametrize("strategy", ["below=two; dlx:s", "below=two@1; dlx:s"])
def test_a_filter_that_fails_is_named_with_its_error(strategy: str) -> None:
    keeping_below()
    with pytest.raises(StrategyError, match=r"'below' failed in .*: ValueError: .*'two'") as raised:
        ec.count(OPTIONS, strategy=strategy)
    assert str(raised.value).startswith(strategy.removesuffix("; dlx:s"))
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.parametrize(
    "filtered", ["inside", "inside@1", "volume", "parity-trigger", "redundancy"]
)
def test_a_filter_that_reads_cells_refuses_a_problem_without(filtered: str) -> None:
    @ec.option_filter("inside", "nothing", symmetric=True)
    def inside(tree: Subtree) -> Flags:
        assert tree.cells.layout.n_cells == 60
        return tree.alive

    with pytest.raises(CapabilityError, match=f"{filtered}: it needs the cells of a puzzle"):
        ec.count(OPTIONS, strategy=f"{filtered}; dlx:s")
    assert ec.count(ec.read("pentominoes_20x3"), strategy=f"{filtered}; dlx:s") == 2


def test_a_filter_of_another_package() -> None:
    with (
        plugged_in(FILTERS, evens=f"{__name__}:EVENS", options=f"{__name__}:OPTIONS"),
        pytest.warns(
            UserWarning, match="filter plug-in 'options' left out: .* is no filter but a list"
        ),
    ):
        assert ec.count(OPTIONS, strategy="evens; dlx:s") == 1
