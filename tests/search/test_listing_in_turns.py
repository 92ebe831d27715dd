"""Listing in turns with the automaton: each solution once, whoever finds it."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import PuzzleError
from exactcover.lattices import lattices
from exactcover.runs import Processes, Threads
from exactcover.search import Solving, listing_in_turns, racer, turns
from exactcover.search.planned import PlannedSearch
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = sorted(name for name, lattice in lattices().items() if lattice.dimension <= 4)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The automaton has a turn from the start."""
    monkeypatch.delenv(racer.VARIABLE, raising=False)
    monkeypatch.setattr(turns, "FIRST_TURN", 0.0)
    monkeypatch.setattr(turns, "WORTH", -1.0)
    monkeypatch.setattr(turns, "TRIAL", 0.0)


def solutions_of(solving: Solving) -> list[tuple[int, ...]]:
    return [solution.options for solution in solving]


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("pentominoes_15x4", "rotations"),
        ("pentominoes_15x4", "all"),
        ("somacube", "reflections"),
        ("hexiamonds_9x4", "rotations"),
        ("tetrominoes_any_5x4", "all"),
        ("pentominoes_cylinder_20x3", "rotations"),
    ],
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_same_solutions_whoever_has_its_turn(
    name: str, counted: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ways change at random, even in the middle of their work."""
    drawn = random.Random(seed)
    monkeypatch.setattr(turns.TakingTurns, "_next", lambda self: drawn.choice(self.ways))
    puzzle = ec.read(name)
    plain = solutions_of(Solving(puzzle, counted=counted, strategy="redundancy; dlx:s"))
    solving = Solving(puzzle, counted=counted, cache=False)
    found = solutions_of(solving)
    search = solving._driver.search
    assert isinstance(search, listing_in_turns.ListingInTurns)
    assert len(set(found)) == len(found) == len(plain) == solving.result.solutions
    assert sum(solving.result.symmetric.values()) in (0, len(found))


@pytest.mark.parametrize("lattice", LATTICES)
@given(data=st.data(), seed=st.integers(0, 99))
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
def test_random_puzzles(lattice: str, data: st.DataObject, seed: int) -> None:
    plain = data.draw(plain_puzzles(lattices()[lattice], 6))
    counted = data.draw(st.sampled_from(("all", "rotations", "reflections")))
    try:
        puzzle = told(plain)
        assume(puzzle.model.problem.n_options)
    except PuzzleError:
        assume(False)
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(turns.TakingTurns, "_next", lambda self: drawn.choice(self.ways))
        found = solutions_of(Solving(puzzle, counted=counted, cache=False))
    assert len(set(found)) == len(found)
    wanted = solutions_of(Solving(puzzle, counted=counted, strategy="redundancy; dlx:s"))
    assert len(found) == len(wanted)
    if counted == "all":
        assert sorted(found) == sorted(wanted)


def test_with_too_many_solutions_to_compare_one_way_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing_in_turns, "MOST_COMPARED", 20)
    drawn = random.Random(1)
    monkeypatch.setattr(turns.TakingTurns, "_next", lambda self: drawn.choice(self.ways))
    solving = Solving(ec.read("pentominoes_15x4"), cache=False)
    assert len({*solutions_of(solving)}) == 368
    search = solving._driver.search
    assert isinstance(search, listing_in_turns.ListingInTurns)
    assert len(search.ways) == 1


def test_what_is_only_counted_is_counted_by_states() -> None:
    solving = Solving(ec.read("pentominoes_square_8x8"), cache=False)
    assert solving.run().solutions == 16_146
    search = solving._driver.search
    assert isinstance(search, listing_in_turns.ListingInTurns)
    counted_by_states = search.ways[-1].search
    assert counted_by_states is not None


def test_after_some_steps_the_listing_hands_out_the_rest() -> None:
    """Solutions that a step found are skipped, as in every search."""
    solving = Solving(ec.read("pentominoes_15x4"), cache=False)
    for _ in range(3):
        solving.step()
    before = solving.result.solutions
    assert len(solutions_of(solving)) == 368 - before
    assert solving.result.solutions == 368


def test_a_limit_an_order_and_other_processes_keep_to_the_listing() -> None:
    puzzle = ec.read("pentominoes_15x4")
    for solving in (
        Solving(puzzle, limit=5),
        Solving(puzzle, team=Threads(2, in_order=True)),
        Solving(puzzle, team=Processes(2)),
        Solving(puzzle, strategy="dlx:s"),
        Solving(puzzle, tally=True),
    ):
        assert isinstance(solving._make(), PlannedSearch)
        solving.close()
