"""Puzzles of rectangles: a model without a matrix agrees with the one that has it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import exactcover as ec
from exactcover.puzzle.model import build_model
from exactcover.puzzle.rectangles import FloorModel, places_of
from exactcover.puzzle.symmetry import puzzle_symmetries
from tests.backends.skyline.floors import puzzle_of, turning_floor
from tests.helpers.examples import some


@pytest.mark.parametrize(
    ("pieces", "said"),
    [("3x2 * 2", {}), ("3x2, 2x3", {}), (["3x2", {"name": "b", "drawing": "###\n###"}], {})],
)
def test_a_floor_is_known_by_its_cells(pieces: object, said: dict[str, object]) -> None:
    floor = ec.puzzle_of(pieces, "3x4 at 5,7", **said).floor
    assert floor is not None
    assert (floor.width, floor.height, len(floor.rectangles)) == (3, 4, 1)
    assert floor.rectangles[0].copies == 2


@pytest.mark.parametrize(
    ("pieces", "region", "said"),
    [
        ("3x2, L tromino * 2", "3x4", {}),
        ("3x2 any", "3x4", {}),
        ("3x2 * 2 cost 3", "3x4", {}),
        ("3x2 * 2", ["3x2", "3x2 at 1,2"], {}),
        ("3x2 * 2", {"plus": "3x3", "optional": "3x1 at 0,3"}, {}),
        ("3x2 * 2", "3x4", {"wrap": "torus"}),
        ("3x2 * 2", "3x4x1", {"lattice": "cubic"}),
    ],
)
def test_other_puzzles_are_no_floors(
    pieces: object, region: object, said: dict[str, object]
) -> None:
    assert ec.puzzle_of(pieces, region, **said).floor is None


def test_the_numbers_of_places_are_those_of_options() -> None:
    puzzle = ec.puzzle_of("3x2, 1x1 * 2, 2x2", "3x4 at 2,1")
    model = puzzle.model
    assert puzzle.floor is not None
    places = places_of(model)
    assert (places.numbers(places.every) == range(places.count)).all()
    assert places.count == model.problem.n_options
    for option in range(places.count):
        one = places.placed(option)
        [placement] = model.placements((option,))
        assert min(placement.cells) == (one.x + 2, one.y + 1)
        assert max(placement.cells) == (one.x + one.width + 1, one.y + one.height)


@pytest.mark.parametrize("name", some(["squared_rectangle_33x32", "calibron_12"], one_in=2))
def test_a_kept_model_says_what_its_matrix_says(name: str) -> None:
    model = ec.read(name).model
    assert isinstance(model, FloorModel)
    whole = model.whole
    assert model.problem.n_options == whole.problem.n_options
    assert np.array_equal(model.problem.starts, whole.problem.starts)
    step = max(1, model.problem.n_options // 50)
    for option in range(0, model.problem.n_options, step):
        assert model.placements((option,)) == whole.placements((option,))
    kept, slow = model.symmetries, puzzle_symmetries(whole)
    assert np.array_equal(kept.options, slow.options)
    assert np.array_equal(kept.cells, slow.cells)
    assert np.array_equal(kept.rotation, slow.rotation)


@pytest.mark.parametrize("seed", some(range(8), one_in=2))
def test_the_normal_places_lose_no_solution(seed: int) -> None:
    puzzle = puzzle_of(turning_floor(Random(seed)))
    assert puzzle.floor is not None
    kept = FloorModel(puzzle)
    every = build_model(puzzle).problem
    assert kept.problem.n_options <= every.n_options
    assert ec.count(kept.whole.problem, strategy="dlx") == ec.count(every, strategy="dlx")


@pytest.mark.parametrize("counted", ["rotations", "reflections", "all"])
@pytest.mark.parametrize("pieces", ["4x2 * 4, 2x1 * 2", "1x2 * 8, 5x4"])
def test_engines_of_cells_count_a_kept_model(
    pieces: str, counted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that count by states take parts of its problem."""
    whole = ec.count(ec.puzzle_of(pieces, "6x6"), counted=counted, strategy="dlx")
    monkeypatch.setattr("exactcover.puzzle.rectangles.LARGE", 0)
    puzzle = ec.puzzle_of(pieces, "6x6")
    assert isinstance(puzzle.model, FloorModel)
    for strategy in ("automaton", "volume; dlx:s", "redundancy; volume; fila:f"):
        assert ec.count(puzzle, counted=counted, strategy=strategy) == whole > 0


@pytest.mark.parametrize(
    "name",
    ["calibron_12", "partridge_8", pytest.param("squared_square_112x112", marks=pytest.mark.slow)],
)
def test_no_matrix_is_made_to_find_and_draw_a_solution(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a matrix is made")

    monkeypatch.setattr("exactcover.puzzle.rectangles.build_model", refuse)
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    assert solution is not None
    covered = [cell for placement in solution.placements for cell in placement.cells]
    assert len(covered) == len(set(covered)) == len(puzzle.region.cells)
    assert ec.draw(solution)
    assert "svg" in ec.picture(solution).svg
    assert isinstance(puzzle.model, FloorModel)


@pytest.mark.parametrize(
    ("pieces", "region", "why"),
    [
        ("70x40, 60x50, 10x10", "70x80", "fill 5,900 cells, but 5,600"),
        ("90x40, 60x50", "80x90", "fill 6,600 cells, but 7,200"),
        ("95x2, 60x50", "80x90", "95x2 cannot fit"),
        pytest.param("400x300", "310x350", "400x300 cannot fit", marks=pytest.mark.slow),
    ],
)
def test_sizes_say_why_there_is_no_solution(pieces: str, region: str, why: str) -> None:
    model = ec.puzzle_of(pieces, region).model
    assert isinstance(model, FloorModel)
    assert why in model.reason
    assert ec.count(ec.puzzle_of(pieces, region)) == 0


def test_a_matrix_that_takes_gigabytes_is_refused() -> None:
    with pytest.raises(ec.CapabilityError, match="skyline or nooverlap"):
        ec.count(ec.read("squared_square_112x112"), strategy="dlx")
    with pytest.raises(ec.PuzzleError, match="too many placements"):
        ec.count(ec.puzzle_of("30x30x30 * 2", "60x60x60"))
