"""States go ahead of a listing where few are expected, unless plain Python is done before."""

from __future__ import annotations

from math import inf

import pytest

import exactcover as ec
from exactcover.backends.head_start import LOOK
from exactcover.counting.counts import Counting
from exactcover.errors import TooLarge
from exactcover.runs import Threads
from exactcover.search import Solving, turns, ways
from exactcover.search.subject import Subject
from exactcover.search.turns import TakingTurns
from exactcover.search.ways import Way, expected_bits


@pytest.fixture(autouse=True)
def before_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in which numba is loaded when the first search is made."""
    for name in ("AHEAD", "NEAR"):
        monkeypatch.setattr(turns, name, 1e9)
    monkeypatch.setattr(turns, "is_loaded", Loading())


class Loading:
    """Whether numba is loaded: not when it is asked for the first time."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self) -> bool:
        self._asked += 1
        return self._asked > 1


def turns_of(counting: Counting | Solving) -> TakingTurns:
    """The search of a count or a quiet listing, after it has come to its end."""
    while counting.step():
        pass
    search = counting._driver.search
    assert isinstance(search, TakingTurns)
    return search


@pytest.mark.parametrize("counted", ["rotations", "all"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "name", ["pentominoes_20x3", "calendar_any", "dominoes_8x8", "pentominoes_any_7x5"]
)
def test_few_states_are_counted_at_once(name: str, workers: int, counted: str) -> None:
    puzzle = ec.read(name)
    assert expected_bits(Subject.of(puzzle)) <= turns.FEW_BITS
    counting = Counting(puzzle, counted=counted, cache=False, team=Threads(workers))
    search = turns_of(counting)
    listing, states = search.ways
    assert search.reported is states
    assert listing.search is not None
    assert listing.search.fits == 0
    by_cells = "dlx:s" if name == "pentominoes_20x3" else "automaton"
    assert counting.result.solutions == ec.count(puzzle, counted=counted, strategy=by_cells)


@pytest.mark.parametrize("name", ["bedlamcube", "tetrasticks_5x5_without_N", "hexominoes_15x14"])
def test_where_many_states_are_expected_a_listing_begins(name: str) -> None:
    assert expected_bits(Subject.of(ec.read(name))) > turns.FEW_BITS


def test_a_problem_without_cells_expects_no_states() -> None:
    assert expected_bits(Subject.of(ec.read("queens_8"))) == inf


def test_the_orders_of_many_images_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"))
    assert expected_bits(subject) < 20
    monkeypatch.setattr(ways, "SOON_COMPARED", subject.problem.n_options - 1)
    assert expected_bits(subject) == inf


def test_plain_python_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over before states are thought of, or has come as far as it should."""
    monkeypatch.setattr(turns, "is_loaded", lambda: False)
    search = turns_of(Counting(ec.read("somacube"), cache=False))
    assert search.ways[1].search is None
    assert search.found == 480
    search = turns_of(Counting(ec.read("calendar_any"), cache=False))
    listing, states = search.ways
    assert search.reported is states
    assert listing.search is not None
    assert LOOK <= listing.search.fits < 4 * LOOK


def test_once_numba_is_loaded_a_listing_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "is_loaded", lambda: True)
    monkeypatch.setattr(turns, "FIRST_TURN", 1e9)
    search = turns_of(Counting(ec.read("pentominoes_20x3"), cache=False))
    assert search.reported is search.ways[0]


@pytest.mark.parametrize("what", [{"limit": 1}, {"tally": True}])
def test_who_wants_more_than_a_number_has_a_listing(
    what: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "FIRST_TURN", 1e9)
    counting = Counting(ec.read("pentominoes_20x3"), cache=False, **what)
    search = turns_of(counting)
    assert search.reported is search.ways[0]
    assert counting.result.solutions == what.get("limit", 2)
    assert bool(counting.result.by_remaining) == ("tally" in what)


@pytest.mark.parametrize("shown", [False, True])
def test_solutions_to_show_are_listed_from_the_start(
    shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "FIRST_TURN", 1e9)
    solving = Solving(ec.read("pentominoes_20x3"), cache=False)
    if shown:
        assert len(list(solving)) == 2
    search = turns_of(solving)
    assert solving.result.solutions == 2
    assert search.reported is search.ways[0 if shown else 1]


def test_states_that_take_long_leave_the_listing_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"AHEAD": 0.0, "TRIAL": 0.0, "FIRST_TURN": 1e9}.items():
        monkeypatch.setattr(turns, name, value)
    search = turns_of(Counting(ec.read("pentominoes_10x6"), cache=False))
    listing, states = search.ways
    assert states.seconds > 0
    assert search.reported is listing
    assert search.found == 2339


def test_much_memory_waits_for_the_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether states may take it is said by a listing that has begun."""
    asked = []

    def ask_at_once(self: Way, *given: object, **more: object) -> object:
        if self is search.ways[-1] and self.search is not None and not asked:
            asked.append(search.allow())
            raise TooLarge("states", 0, 1)
        return advance(self, *given, **more)  # type: ignore[arg-type]

    advance = Way.advance
    counting = Counting(ec.read("pentominoes_10x6"), cache=False)
    counting.step()
    search = counting._driver.search
    assert isinstance(search, TakingTurns)
    monkeypatch.setattr(Way, "advance", ask_at_once)
    monkeypatch.setattr(turns, "FIRST_TURN", 0.0)
    monkeypatch.setattr(turns, "WORTH", -1.0)
    monkeypatch.setattr(turns, "CLEARLY", 1e-9)
    assert turns_of(counting) is search
    assert asked == [False]
    assert not search._passed_over
    assert len(search.ways) == 2
    assert search.found == 2339
