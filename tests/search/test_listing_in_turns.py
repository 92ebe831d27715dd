"""Listing in turns with the automaton: each solution once, whoever finds it."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Status
from exactcover.errors import PuzzleError
from exactcover.lattices import lattices
from exactcover.puzzle import Puzzle
from exactcover.runs import Processes, Threads
from exactcover.search import Solving, driver, listing_in_turns, planned, turns
from exactcover.search import solving as solving_room
from exactcover.search.automatic import Candidate
from exactcover.search.choosing import Measurement, Outcome
from exactcover.search.plan import Plan, make_plan
from exactcover.search.planned import PlannedSearch
from exactcover.search.racer import Racer, raceable_of
from exactcover.search.sampled import Measured
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.examples import few
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import PlainPiece, PlainPuzzle, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

Cells = frozenset[frozenset[tuple[int, ...]]]
LATTICES = sorted(name for name, lattice in lattices().items() if lattice.dimension <= 4)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The automaton has a turn from the start."""
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
@few
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


@pytest.mark.parametrize("make", [Solving, ec.Counting])
@pytest.mark.parametrize("strategy", [None, "automaton:narrow"])
def test_a_copy_made_at_any_time_goes_on(
    make: type[Solving] | type[ec.Counting], strategy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "MOST_STEPS", 512)
    solving, copies = make(ec.read("pentominoes_20x3"), strategy=strategy, cache=False), []
    while solving.step():
        copies.append(pickle.dumps(solving))
    copies.append(pickle.dumps(solving))
    assert len(copies) > 9
    assert {pickle.loads(one).run().solutions for one in copies[::15] + copies[-1:]} == {2}


@given(steps=st.lists(st.integers(1, 3000), max_size=9), keep=st.booleans())
@few
def test_a_copy_of_the_automaton_finds_the_rest(steps: list[int], keep: bool) -> None:
    """Also one that is made while the automaton is built, or its states are counted."""
    subject = Subject.of(ec.read("pentominoes_20x3"))
    search, found = PlannedSearch(subject, Strategy.of("redundancy; automaton:narrow")), 0
    for one in steps:
        found += len(search.advance(one, keep=keep))
    copy = pickle.loads(pickle.dumps(search))
    status = Status.BUDGET
    while status is not Status.DONE:
        batch = copy.advance(1 << 16, keep=keep)
        status, found = batch.status, found + len(batch)
    assert copy.found == 2
    assert found == (2 if keep else 0)


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


# -- turns, races and handing out, in any order ---------------------------------------------------

PIECES = {
    "I": ((0, 0), (0, 1)),
    "J": ((0, 0), (0, 1), (0, 2)),
    "V": ((0, 0), (0, 1), (1, 0)),
    "L": ((0, 0), (0, 1), (0, 2), (1, 0)),
    "T": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "S": ((0, 0), (0, 1), (1, 1), (1, 2)),
}


@cache
def box(wide: int, high: int, names: str, counted: str) -> tuple[Puzzle, list[set[Cells]]]:
    """A box of different pieces, and its solutions by the plain reference, in classes."""
    cells = tuple(product(range(wide), range(high)))
    pieces = tuple(PlainPiece(name, PIECES[name]) for name in names)
    plain = PlainPuzzle(lattices()["square"], cells, (), pieces)
    classes = orbits(plain, tilings(plain), counted)
    places = [{frozenset(cells for _, cells in tiling) for tiling in one} for one in classes]
    return told(plain), places


class Settled:
    """A race that ends at once, with a candidate drawn at random."""

    drawn: random.Random

    def __init__(
        self, plan: Plan, present: Candidate, others: list[Candidate], *, replan: bool, **_: object
    ) -> None:
        afresh = [one for one in others if one.strategy.once != present.strategy.once]
        field = afresh if replan and afresh and self.drawn.randrange(3) else [present, *others]
        best = self.drawn.choice([one for one in field if replan or one not in afresh])
        measured = Measured(seconds=1.0, error=0.0, choices=1.0, subtrees=9, states=9)
        rows = Measurement(present, measured), Measurement(best, measured)
        self.outcome = Outcome(rows, *rows, make_plan(plan.subject, best.strategy))

    def shorten(self, seconds: float) -> None:
        """Nothing: it is over."""

    def advance(self) -> bool:
        """It is over."""
        return False


def racing_at_random(drawn: random.Random) -> Callable[[Racer, object], bool]:
    """Race before one slice in four, wherever a race is allowed."""

    def races(_: Racer, search: object) -> bool:
        raceable = raceable_of(search)
        if raceable is None or not raceable.can_race or drawn.randrange(4):
            return False
        raceable.race(1.0)
        return True

    return races


@pytest.mark.parametrize(
    ("wide", "names", "counted"),
    [(4, "IJVLT", "all"), (4, "IJVLT", "rotations"), (5, "IJVLTS", "rotations")],
)
@given(seed=st.integers(0, 1 << 32), most=st.integers(1, 5), skips=st.booleans())
@few
def test_turns_races_and_handing_out_in_any_order(
    wide: int, names: str, counted: str, seed: int, most: int, skips: bool
) -> None:
    """Each class of solutions is found once, and handed out once unless a step skips it."""
    puzzle, classes = box(wide, 4, names, counted)
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(turns.TakingTurns, "_next", lambda self: drawn.choice(self.ways))
        patched.setattr(Racer, "races", racing_at_random(drawn))
        patched.setattr(Settled, "drawn", drawn, raising=False)
        patched.setattr(planned, "Racing", Settled)
        patched.setattr(planned, "AFRESH", 1e9)
        patched.setattr(driver, "MOST_STEPS", 64)
        patched.setattr(solving_room, "LISTED", most)
        search, found = Solving(puzzle, counted=counted, cache=False), []
        while (solution := next(search, None)) is not None:
            found.append(frozenset(frozenset(one.cells) for one in solution.placements))
            if skips and not drawn.randrange(6):
                search.step()
    assert search.result.solutions == len(classes)
    handed_out = [number for one in found for number, all_ in enumerate(classes) if one in all_]
    assert len(handed_out) == len(set(handed_out)) == len(found)
    assert skips or len(found) == len(classes)
