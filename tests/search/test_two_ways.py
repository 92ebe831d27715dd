"""What the choice between listing and states looks at: pace, progress, and expected nodes."""

from __future__ import annotations

import pickle
from typing import cast

import pytest

import exactcover as ec
from exactcover.backends.automaton.memory import expected_nodes
from exactcover.backends.base import Batch, Status
from exactcover.counting.counts import Counting
from exactcover.search import sizing, turns, ways
from exactcover.search.activity import done_of
from exactcover.search.planned import PlannedSearch
from exactcover.search.sizing import Sizing
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.ways import Way
from exactcover.search.weights import Weights


class Clocked:
    """A search whose slices take ten seconds each until compiled code is loaded, then one."""

    def __init__(self, loaded_after: int) -> None:
        self.now, self.slices, self._loaded_after = 0.0, 0, loaded_after

    @property
    def is_loaded(self) -> bool:
        return self.slices >= self._loaded_after

    def progress(self) -> float:
        return 0.5

    def advance(self, *_: object, **__: object) -> Batch:
        self.now += 1 if self.is_loaded else 10
        self.slices += 1
        return Batch.of(Status.BUDGET)


@pytest.mark.parametrize("loaded_after", [0, 5, 20])
def test_seconds_before_compiled_code_is_at_work_say_nothing_about_the_pace(
    loaded_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Clocked(loaded_after)
    monkeypatch.setattr(ways, "is_loaded", lambda: search.is_loaded)
    way = Way(Strategy.of("dlx:s"), lambda: cast("PlannedSearch", search))
    for _ in range(31):  # the first one makes the search
        way.advance(1, 1, lambda: search.now)
    assert search.slices == 30
    assert way.counting == 30 - max(loaded_after, ways.MAKING_READY - 1)


def test_what_is_done_may_shrink_with_weights_and_progress_may_not() -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"), "all")
    search = PlannedSearch(subject, Strategy.of("dlx:s"))
    search.advance(1000)
    before, first = search.progress(), search.position()[0][0]
    assert done_of(search) == before
    search._farthest = before
    search._weights = Weights(((first,), (first + 1,)), (1e-9, 1 - 1e-9), 1e12)
    assert done_of(search) < before / 1000
    assert search.progress() == before


def test_a_listing_is_sized_up_before_the_first_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is not while nothing is chosen."""
    for name, value in {"FIRST_TURN": 0.0, "WORTH": -1.0, "TRIAL": 1e-3}.items():
        monkeypatch.setattr(turns, name, value)
    for name in ("SOON", "LATER"):
        monkeypatch.setattr(turns, name, -1.0)
    for name in ("DOUBT", "DECIDED"):
        monkeypatch.setattr(turns, name, 1e300)
    sized = []
    size_up = PlannedSearch.size_up
    monkeypatch.setattr(
        PlannedSearch, "size_up", lambda self: bool(sized.append(self)) or size_up(self)
    )
    assert Counting(ec.read("pentominoes_8x8_hole"), cache=False).run().solutions == 65
    assert sized
    del sized[:]
    strategy = "redundancy; volume; dlx:s"
    assert ec.count(ec.read("pentominoes_8x8_hole"), strategy=strategy) == 65
    assert not sized


@pytest.mark.parametrize(("worth", "tried"), [(1e9, False), (-1.0, True)])
def test_states_are_tried_only_if_much_of_the_listing_is_left(
    worth: float, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its size, not by its progress."""
    limits = {"FIRST_TURN": 1e-3, "BRIEF": 0.0, "ENDLESS": 1e300, "WORTH": worth}
    for name, value in limits.items():
        monkeypatch.setattr(turns, name, value)
    advanced = []
    advance = Way.advance
    monkeypatch.setattr(
        Way,
        "advance",
        lambda way, *given, **more: advanced.append(way) or advance(way, *given, **more),
    )
    assert Counting(ec.read("pentominoes_8x8_hole"), cache=False).run().solutions == 65
    listing = advanced[0]
    assert listing.search is not None
    assert listing.search.sized
    assert (len({*advanced}) == 2) == tried


def test_few_subtrees_are_enough_for_a_listing_that_is_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"MUCH": 0.0, "BRIEF": 0.0, "ENDLESS": 1e300}.items():
        monkeypatch.setattr(turns, name, value)
    monkeypatch.setattr(sizing, "SLICE", 0.0)
    search = PlannedSearch(Subject.of(ec.read("pentominoes_10x6"), "all"), Strategy.of("dlx:s"))
    search._sizing = Sizing(search.plan, search.strategy, 1.0)  # so it seems longer
    listing = Way(search.strategy, lambda: search)
    states = Way(Strategy.of("automaton"), lambda: search)
    counting = turns.TakingTurns(listing, lambda _: states)
    while not counting.chooses:
        counting.advance(1 << 10, keep=False)
    while counting.chooses:
        counting.size_up()
    assert search.sized == turns.ROUGHLY
    assert done_of(search) > 0


@pytest.mark.parametrize("name", ["pentominoes_10x6", "tetrasticks_5x5_without_H", "queens_10"])
@pytest.mark.parametrize("guess", [1e4, 1e9])
def test_a_few_subtrees_say_how_large_a_search_is(name: str, guess: float) -> None:
    """Within a factor of five, whatever its progress made one think."""
    subject = Subject.of(ec.read(name), None)
    strategy = Strategy.of("redundancy; dlx:s" if subject.model else "dlx:s")
    search = PlannedSearch(subject, strategy)
    size = Sizing(search.plan, strategy, guess)
    while size.advance():
        pass
    while search.advance(1 << 20, keep=False).status is not Status.DONE:
        pass
    assert size.found is not None
    assert 0.2 < size.found / (search.fits + search.nofits) < 5


def test_a_copy_made_while_a_search_is_sized_up_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizing, "SLICE", 0.0)
    subject = Subject.of(ec.read("pentominoes_20x3"), "all")
    search = PlannedSearch(subject, Strategy.of("dlx:s"))
    search.advance(1000)
    assert search.size_up()
    copies = [pickle.loads(pickle.dumps(search))]
    while search.size_up():
        pass
    copies.append(pickle.loads(pickle.dumps(search)))
    assert copies[1].done == search.done
    for one in copies:
        while one.advance(1 << 20, keep=False).status is not Status.DONE:
            pass
        assert one.found == 8


def test_what_was_sized_up_is_never_done_before_the_end() -> None:
    search = PlannedSearch(Subject.of(ec.read("pentominoes_20x3"), "all"), Strategy.of("dlx:s"))
    search._expected = 100.0
    done = [search.done]
    while search.advance(500, keep=False).status is not Status.DONE:
        done.append(search.done)
    assert done == sorted(done)
    assert done[0] == 0.0
    assert done[-1] == 0.95
    assert search.done == 1.0


@pytest.mark.parametrize("seen", [19, 24, 31, 45, 54])
def test_nodes_are_expected_to_stay_many_behind_the_middle(seen: int) -> None:
    """The nodes of the 12 pentominoes and a square on a chessboard, level by level."""
    sizes = [
        1, 1, 34, 1, 60, 836, 1, 81, 1672, 10599, 1, 49, 1366, 13084, 43360, 39, 619, 7060, 44952,
        108452, 1183, 8524, 38656, 103861, 156838, 14418, 48099, 106498, 155365, 168970, 56381,
        114703, 157800, 171677, 175383, 118187, 158332, 166892, 163582, 160617, 149436, 158542,
        159723, 156954, 149335, 134837, 116016, 91838, 65684, 41023, 21225, 8455, 2261, 323,
    ]  # fmt: skip
    whole = sum(sizes)
    least = 0.05 if seen < 31 else 0.5
    assert least * whole < expected_nodes(sizes[:seen], 54) < 4 * whole


def test_states_stay_on_trial_while_their_estimate_changes_much() -> None:
    """And it is steady where what is left shrinks by the seconds that passed."""
    search = Clocked(0)
    shares = iter([0.5, 0.1, 0.1, *(0.1 + one / 1000 for one in range(1, 9))])
    way = Way(Strategy.of("dlx:s"), lambda: cast("PlannedSearch", search))
    steady = []
    for share in shares:
        search.progress = lambda share=share: share  # type: ignore[method-assign]
        way.advance(1, 1, lambda: search.now)
        steady.append(way.steady)
    assert steady[-3:] == [True] * 3
    assert not all(steady)
