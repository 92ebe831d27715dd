"""Unique counts by Burnside's lemma, compared with listings and with published counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, event, given, reject
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Search, Status, get_backend
from exactcover.errors import CapabilityError, PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout
from exactcover.puzzle.model import Model
from exactcover.search.counting.burnside import BurnsideSearch, StartCount, shares, split
from exactcover.search.counting.quotient import Quotient
from tests.helpers.examples import few, some
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import PlainPuzzle, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.summed import Summed, started

STEPS = 1 << 12
"""A thousand times these steps take a second; of a few drawn puzzles a count takes a minute."""

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]


def counted_by(backend: str, heuristic: str) -> StartCount:
    """An engine that counts."""

    def start(problem: Problem, layout: Layout | None) -> Search:
        return started(get_backend(backend), problem, layout, Branching.by(heuristic))

    return start


def unique_count(
    problem: Problem, layout: Layout | None, permutations: IntArray, start: StartCount
) -> int:
    """How many classes of solutions there are under a group of symmetries."""
    found = soon(Summed(BurnsideSearch(problem, layout, permutations, start)), 1 << 40)
    assert found is not None
    return found


def soon(search: Summed, steps: int) -> int | None:
    """How many classes of solutions a search finds, or None if it takes many times these steps."""
    for _ in range(1000):
        if search.advance(steps, keep=False).status is Status.DONE:
            return search.report().found
    return None


def drawn_model(
    data: st.DataObject, lattice: Lattice, *, mixed: bool = False
) -> tuple[PlainPuzzle, Model]:
    """A small random puzzle and its model; the example ends where the puzzle is refused."""
    size = 6 if lattice.dimension == 4 else 9
    plain = data.draw(plain_puzzles(lattice, size, mixed=mixed))
    try:
        model = told(plain).model
    except PuzzleError:
        reject()
    assume(not model.reason)
    return plain, model


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=2), ids=lambda lattice: lattice.name
)
@given(counted=st.sampled_from(["reflections", "rotations"]), data=st.data())
@few
def test_as_many_classes_as_brute_force_finds(
    lattice: Lattice, counted: str, data: st.DataObject
) -> None:
    plain, model = drawn_model(data, lattice, mixed=True)
    solutions = tilings(plain)
    classes = orbits(plain, solutions, counted)
    event("symmetric" if len(solutions) > len(classes) else "not symmetric")
    permutations = model.symmetries.selected(counted)
    for engine in (("dlx", "s"), ("fila", "f")):
        start = counted_by(*engine)
        found = soon(
            Summed(BurnsideSearch(model.problem, model.layout, permutations, start)), STEPS
        )
        if found is None:
            event("takes long")
        else:
            assert found == len(classes)


@pytest.mark.parametrize(
    ("name", "counted", "unique"),
    [
        pytest.param("pentominoes_10x6", "rotations", 2339, marks=pytest.mark.slow),
        ("somacube", "rotations", 480),
        ("somacube", "reflections", 240),
        ("tetrominoes_1s_7x4", "reflections", 0),
        ("slothouber_graatsma", "reflections", 1),
    ],
)
def test_published_unique_counts(name: str, counted: str, unique: int) -> None:
    model = ec.read(name).model
    permutations = model.symmetries.selected(counted)
    engine = counted_by("dlx", "s")
    assert unique_count(model.problem, model.layout, permutations, engine) == unique


def test_fixed_solutions_of_a_problem_without_cells() -> None:
    # The six queens' rows and columns: 4 solutions, each fixed by the half turn, 1 up to symmetry.
    side = 6
    options = [
        [("r", r), ("c", c), ("s", r + c), ("d", r - c)] for r in range(side) for c in range(side)
    ]
    primary = [(line, at) for line in "rc" for at in range(side)]
    problem = Problem.from_options(options, primary=primary)
    number = {(r, c): r * side + c for r in range(side) for c in range(side)}
    quarter = [number[c, side - 1 - r] for r in range(side) for c in range(side)]
    mirror = [number[r, side - 1 - c] for r in range(side) for c in range(side)]
    turns = [np.arange(side * side)]
    for _ in range(3):
        turns.append(np.array(quarter)[turns[-1]])
    group = np.array([*turns, *(np.array(mirror)[turn] for turn in turns)], np.int32)
    assert unique_count(problem, None, group, counted_by("dlx", "s")) == 1
    fixed = [(ec.count(one.problem), one.times) for one in shares(problem, None, group)]
    assert [pair for pair in fixed if pair[0]] == [(4, 1), (4, 1)]


# -- how far a count is ---------------------------------------------------------------------------


@pytest.mark.parametrize("engine", [("dlx", "s"), ("fila", "f"), ("automaton", "f")])
def test_a_count_in_shares_adds_up_what_each_of_them_does(engine: tuple[str, str]) -> None:
    model = ec.read("somacube").model
    group = model.symmetries.selected("rotations")
    start = counted_by(*engine)
    fits = nofits = 0
    parts = list(shares(model.problem, model.layout, group))
    for one in parts:
        alone = Summed(start(one.problem, one.layout))
        while alone.advance(1 << 40, keep=False).status is not Status.DONE:
            pass
        fits, nofits = fits + alone.report().fits, nofits + alone.report().nofits
    search = Summed(BurnsideSearch(model.problem, model.layout, group, start))
    seen = []
    status = Status.BUDGET
    while status is not Status.DONE:
        status = search.advance(2000, keep=False).status
        report = search.report()
        seen.append((report.progress, report.found, report.fits, report.nofits))
        assert report.kept is None or report.kept.states == report.fits
    for column in zip(*seen, strict=True):
        assert list(column) == sorted(column)
    assert seen[-1] == (1.0, 480, fits, nofits)
    assert all(share < 1 for share, *_ in seen[:-1])
    middle = seen[len(seen) // 2]
    assert engine[0] == "automaton" or (0 < middle[0] < 1 and 0 < middle[2] < fits)


def test_too_many_ways_for_copies_to_change_places_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactcover.search.counting.quotient.MOST_PARTS", 1)
    model = ec.read("tetrominoes_two_sets_8x5").model
    group = model.symmetries.selected("rotations")
    with pytest.raises(CapabilityError, match=r"change places in \d+ ways: up to 1 are told"):
        list(shares(model.problem, model.layout, group))


def test_colours_are_refused() -> None:
    """Even if only one of the items is coloured."""
    options = [["a", "x:red"], ["b", "y"], ["b", "x:red"], ["a", "y"]]
    problem = Problem.from_options(options, primary=["a", "b"], colored=True)
    with pytest.raises(CapabilityError, match="colours"):
        Quotient.of(problem, None, np.array([2, 3, 0, 1], np.int32))


# -- parts: below one image of each orbit of a piece, times its images ----------------------------


@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=1), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_the_parts_make_up_the_whole(lattice: Lattice, data: st.DataObject) -> None:
    plain, model = drawn_model(data, lattice)
    parts = list(split(model.problem, model.layout, model.symmetries.options))
    event(f"{len(parts)} parts" if parts[0].times > 1 else "whole")
    found = sum(one.times * ec.count(one.problem, strategy="dlx:s") for one in parts)
    assert found == len(tilings(plain))
