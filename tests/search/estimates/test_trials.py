"""Monte Carlo: a trial searches all that lies below one state, and nothing else."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.search.estimates.monte_carlo import Rate, Totals, Trial, trials

SOMA = ec.read("somacube")
STRATEGIES = ("dlx:s", "dlx:x; dlx:s@4", "dlx:s; fila:f@5", "volume@6; dlx:s; fila:e@3")


@pytest.fixture(scope="module")
def every() -> set[tuple[int, ...]]:
    return {solution.options for solution in ec.solve(SOMA, counted="all")}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("remaining", [1, 3, 5, 7])
def test_a_trial_finds_the_solutions_below_its_state(
    strategy: str, remaining: int, every: set[tuple[int, ...]]
) -> None:
    run = trials(SOMA, strategy, n=4, remaining=remaining, seed=5, keep=True, counted="all")
    for trial in run:
        assert trial.state is not None
        assert len(trial.state) == 7 - (remaining - 1)
        found = {solution.options for solution in trial.solutions}
        assert len(found) == trial.found == len(trial.solutions)
        assert found == {one for one in every if set(trial.state) <= set(one)}
    assert run.totals.trials == run.totals.reached == 4


def test_with_all_pieces_left_a_trial_is_the_whole_search(every: set[tuple[int, ...]]) -> None:
    (trial,) = trials(SOMA, "dlx:s", n=1, remaining=8, counted="all")
    assert (trial.state, trial.found) == ((), len(every))


def test_unique_solutions_are_counted_once() -> None:
    (trial,) = trials(SOMA, "redundancy; dlx:s", n=1, remaining=8, counted="rotations")
    assert trial.found == 480


def test_a_seed_makes_the_same_trials_and_another_makes_others() -> None:
    def states(n: int, seed: int) -> list[tuple[int, ...] | None]:
        return [
            trial.state
            for trial in trials(SOMA, "dlx:s", n=n, remaining=4, seed=seed, counted="all")
        ]

    assert states(6, 1)[:3] == states(3, 1)
    assert states(6, 1) != states(6, 2)
    assert len(set(states(6, 1))) > 1


def test_a_tree_without_such_a_state_ends_the_trial() -> None:
    puzzle = ec.read("mutilated_chessboard")
    assert isinstance(puzzle, ec.Puzzle)
    (trial,) = trials(puzzle, "parity; dlx:s", n=1, remaining=2, counted="all")
    assert (trial.state, trial.found) == (None, 0)


def test_what_was_tried_adds_up() -> None:
    run = trials(SOMA, "dlx:s; fila:f@4 nof=0", n=3, remaining=5, tally=True, counted="all")
    done = list(run)
    tallied = run.by_remaining
    assert max(tallied) == 7
    assert sum(tried.fits for tried in tallied.values()) == sum(one.fits for one in done)
    assert sum(tried.attempts for tried in tallied.values()) == sum(
        one.fits + one.nofits for one in done
    )


def test_rates_have_the_errors_of_their_means() -> None:
    done = [
        Trial(number, (), found, 1, 0, seconds)
        for number, (found, seconds) in enumerate([(0, 1.0), (4, 1.0), (2, 1.0), (2, 1.0)], 1)
    ]
    totals = Totals.of(done)
    # The variance of 0, 4, 2, 2 is 8/3, so that of their mean 2/3.
    assert totals.per_trial == totals.per_second == Rate(2.0, pytest.approx((2 / 3) ** 0.5))
    assert Totals.of([]).per_trial == Rate(0.0, 0.0)
    assert Totals.of(done[:1]).per_trial.error == float("inf")


def test_trials_can_be_stopped() -> None:
    run = trials(SOMA, "dlx:s", n=1000, remaining=3, counted="all")
    next(run)
    run.stop()
    assert list(run) == []
    assert run.stopped
    assert run.totals.trials == 1


@pytest.mark.parametrize(("n", "remaining", "seed"), [(0, 1, 1), (1, 0, 1), (1, 1, -1)])
def test_what_makes_no_sense_is_refused(n: int, remaining: int, seed: int) -> None:
    with pytest.raises(ExactCoverError, match="there must be a trial"):
        trials(SOMA, "dlx:s", n=n, remaining=remaining, seed=seed, counted="all")
