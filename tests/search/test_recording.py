"""A recording is what the engine does: compared with a plain search, with results, with itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

import exactcover as ec
from exactcover.backends import get_backend, names_of
from exactcover.search import Recording, record
from exactcover.search import recording as module
from tests.helpers.examples import some

STRATEGIES = [
    ("tetrominoes_cylinder_5x4", "dlx:s"),
    ("tetrominoes_cylinder_5x4", "bsx:s"),
    ("tetrominoes_cylinder_5x4", "fila:f"),
    ("pentominoes_20x3", "redundancy; volume@8; dlx:s; fila:f@5"),
    ("pentominoes_20x3", "redundancy; volume; dlx:s; fila:e@8 nof; dlx:s@4"),
    ("pentominoes_20x3", "redundancy=X first; volume@9; fila:s"),
    ("tetrominoes_any_5x4", "fila:f; bsx:s@3"),
    ("dominoes_4x4", "dlx:x"),
    ("tetrominoes_any_5x4", "redundancy; fila:s"),
    ("pairs_3x2x2", "fila:e"),
]
"""Short searches, of every engine that can be recorded, with hand-overs and filters on the way."""

EVERYTHING = 3_000_000


@pytest.fixture(autouse=True)
def unthinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """No moment is dropped."""
    monkeypatch.setattr(module, "MOMENTS", EVERYTHING)


def read(name: str) -> ec.Puzzle:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return puzzle


THINNED = "redundancy; volume; dlx:s; fila:f@9"
"""A search of pentominoes_20x3 with some ten thousand events."""


# -- beside a plain search ------------------------------------------------------------------------


def test_fila_tries_images_as_the_article_says() -> None:
    """The first open cell; piece by piece, each image of it that covers no cell before this one."""
    puzzle = read("pentominoes_20x3")
    model = puzzle.model
    shapes, images = model.layout.option_shape.tolist(), range(model.problem.n_options)
    cells = [frozenset(model.cells_of(image).tolist()) for image in images]
    nofits = 0

    def search(placed: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        nonlocal nofits
        covered = frozenset().union(*(cells[image] for image in placed))
        target = min(set(range(60)) - covered, default=None)
        if target is None:
            return
        used = {shapes[image] for image in placed}
        for image in sorted(images, key=lambda one: (shapes[one], one)):
            if shapes[image] not in used and min(cells[image]) == target:
                if covered & cells[image]:
                    nofits += 1
                    continue
                yield (*placed, image)
                yield from search((*placed, image))

    recording = record(puzzle, "fila:f nof=0", counted="all", events=1_500)
    made = placements(recording)
    plain = search(())
    assert made == [next(plain) for _ in made]
    assert len(made) > 700
    last = [moment for moment in recording.moments if moment.kind == "placed"][-1]
    assert last.nofits == nofits > 300


def placements(recording: Recording) -> list[tuple[int, ...]]:
    return [options for moment, options in recording if moment.kind == "placed"]


# -- beside the results of a search ---------------------------------------------------------------


@pytest.mark.parametrize(("name", "strategy"), some(STRATEGIES, one_in=6))
def test_a_recording_ends_with_the_figures_of_the_search(name: str, strategy: str) -> None:
    puzzle = read(name)
    solving = ec.solve(puzzle, strategy=strategy)
    solutions = [solution.options for solution in solving]
    result = solving.result
    recording = record(puzzle, strategy, events=EVERYTHING)
    end = recording.end
    assert recording.status == "complete"
    assert (end.fits, end.nofits, end.found) == (result.fits, result.nofits, result.solutions)
    assert sorted(tuple(sorted(o)) for m, o in recording if m.kind == "found") == sorted(solutions)
    kinds = Counter(moment.kind for moment in recording.moments)
    assert kinds["placed"] + kinds["empty"] == result.fits
    assert 0 < kinds["removed"] <= kinds["placed"]
    assert kinds["start"] == 1
    tallied = ec.Solving(puzzle, strategy=strategy, tally=True)
    by_left = {one.remaining: (one.attempts, one.fits) for one in tallied.run().by_remaining}
    assert end.tried == by_left


@pytest.mark.parametrize(("name", "strategy"), some(STRATEGIES, one_in=6))
def test_each_event_follows_from_the_one_before(name: str, strategy: str) -> None:
    puzzle = read(name)
    recording = record(puzzle, strategy, events=20_000)
    assert recording.moments[0].event == 0
    for (before, placed), (moment, now) in pairwise(recording):
        assert moment.event == before.event + 1
        assert (moment.fits, moment.nofits, moment.found) >= (before.fits, before.nofits, 0)
        if moment.kind == "placed":
            assert now[:-1] == placed
            assert covered(puzzle, now) == covered(puzzle, placed) | covered(puzzle, now[-1:])
            assert not covered(puzzle, placed) & covered(puzzle, now[-1:])
        elif moment.kind == "removed":
            assert now == placed[: len(now)]
            assert len(now) < len(placed)
        else:
            assert now == placed
        assert moment.fits - before.fits == (moment.kind in ("placed", "empty"))
        assert moment.found - before.found == (moment.kind == "found")


def covered(puzzle: ec.Puzzle, options: tuple[int, ...]) -> set[int]:
    return {cell for option in options for cell in puzzle.model.cells_of(option).tolist()}


# -- windows, and long recordings -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "strategy"), some(STRATEGIES, one_in=6))
def test_a_window_is_a_part_of_the_whole(name: str, strategy: str) -> None:
    puzzle = read(name)
    everything = list(record(puzzle, strategy, events=2_000))
    first = len(everything) // 2
    part = record(puzzle, strategy, start=first, events=100)
    assert [(m.event, options, m.fits, m.found) for m, options in part] == [
        (m.event, options, m.fits, m.found) for m, options in everything[first - 1 : first + 100]
    ]
    assert part.moments[0].kind == "start"


@pytest.mark.slow
def test_a_long_recording_thins_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read("pentominoes_20x3")
    whole = record(puzzle, THINNED, events=EVERYTHING)
    everything = {moment.event: options for moment, options in whole}
    monkeypatch.setattr(module, "MOMENTS", 400)
    thin = record(puzzle, THINNED, events=EVERYTHING)
    assert len(thin) <= 401
    assert len(everything) / 400 <= thin.every < len(everything) / 100
    assert thin.every & (thin.every - 1) == 0
    for moment, options in thin:
        assert everything[moment.event] == options
    found = [moment.event for moment in thin.moments if moment.kind == "found"]
    assert len(found) == 2
    assert thin.end.tried == whole.end.tried


def test_a_recording_ends_where_it_should() -> None:
    puzzle = read("pentominoes_10x6")
    first = record(puzzle, "fila:f", until_solution=1)
    assert (first.status, first.end.kind, first.end.found) == ("solutions", "found", 1)
    assert record(puzzle, "fila:f", events=50).status == "events"
    assert record(puzzle, "fila:f", events=50).end.event == 50
    stopped = Recording(puzzle, "fila:f", start=1_000)
    stopped.stop()
    stopped.step()
    assert stopped.done
    assert stopped.status == "interrupted"
    impossible = record(ec.puzzle_of("pentominoes", "box 7 7"), "dlx:s")
    assert impossible.status == "impossible"
    assert impossible.reason
    assert len(impossible) == 1


def test_cells_that_fila_leaves_empty_are_events() -> None:
    puzzle = read("calendar_any")
    recording = record(puzzle, "fila:f", events=600)
    kinds = Counter(moment.kind for moment in recording.moments)
    assert kinds["empty"] > 40
    assert kinds["placed"] + kinds["empty"] == recording.end.fits
    assert [moment.event for moment in recording.moments] == [*range(601)]
    part = record(puzzle, "fila:f", start=401, events=200)
    assert [(m.kind, o, m.fits) for m, o in part][1:] == [
        (m.kind, o, m.fits) for m, o in list(recording)[401:]
    ]


@pytest.mark.parametrize(
    "strategy", ["cpsat", "planes", "automaton", "memo", "dlx:s; planes:weighed@3"]
)
def test_an_engine_without_states_names_those_that_have_them(strategy: str) -> None:
    with pytest.raises(ec.CapabilityError, match="those of these engines can: ") as raised:
        record(read("pentominoes_20x3"), strategy)
    able = str(raised.value).partition("those of these engines can: ")[2].split(", ")
    assert set(able) == set(names_of(lambda can: can.cuts)) >= {"dlx", "bsx", "fila"}
    assert all(get_backend(name).capabilities.cuts for name in able)
