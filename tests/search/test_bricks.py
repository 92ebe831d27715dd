"""Puzzles of bricks in a box: the same solutions by bricks, by cells, and by CP-SAT."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import numpy as np
import pytest

import exactcover as ec
from exactcover.problem.rectangles import Box
from exactcover.puzzle.rectangles import FloorModel
from exactcover.puzzle.symmetry import puzzle_symmetries
from exactcover.show.render.text import Drawer
from tests.backends.skyline.boxes import random_box

CONWAY = "4x2x1 * 6, 3x2x2 * 6, 1x1x1 * 5"
SLOTHOUBER_GRAATSMA = "2x2x1 * 6, 1x1x1 * 3"


def random_puzzle(seed: int) -> ec.Puzzle:
    """A box cut into bricks at random, which may all turn."""
    box = random_box(Random(seed))
    pieces = ", ".join(f"{one.width}x{one.depth}x{one.height} * {one.copies}" for one in box.bricks)
    return ec.Puzzle.of(pieces, f"{box.width}x{box.depth}x{box.height}")


def scaled(pieces: str, side: int, unit: int) -> ec.Puzzle:
    """A puzzle of bricks in a cube with all sides so many times as long."""
    words = [word.split(" * ") for word in pieces.split(", ")]
    sizes = ["x".join(str(int(one) * unit) for one in size.split("x")) for size, _ in words]
    longer = ", ".join(f"{size} * {n}" for size, (_, n) in zip(sizes, words, strict=True))
    return ec.Puzzle.of(longer, f"{side * unit}x{side * unit}x{side * unit}")


def agree(seed: int) -> None:
    """Engines that see bricks and engines that see cells count the same."""
    puzzle = random_puzzle(seed)
    engines = ["skyline:largest", "skyline:smallest", "dlx:s", "fila:f"]
    engines += ["nooverlap"] if seed % 5 == 0 else []
    for counted in ("all", "rotations", "reflections"):
        counts = {one: ec.count(puzzle, strategy=one, counted=counted) for one in engines}
        assert len(set(counts.values())) == 1, (puzzle.box, counted, counts)


def test_counts_agree() -> None:
    for seed in range(20):
        agree(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(20, 200, 20))
def test_more_counts_agree(first: int) -> None:
    for seed in range(first, first + 20):
        agree(seed)


@pytest.mark.parametrize("seed", range(6))
def test_solutions_are_the_same_options(seed: int) -> None:
    puzzle = random_puzzle(seed)
    found = [
        sorted(one.options for one in ec.solve(puzzle, strategy=engine, counted="all"))
        for engine in ("skyline", "dlx:s", "nooverlap")
    ]
    assert found[0] == found[1] == found[2]
    groups = []
    for engine in ("skyline", "dlx:s"):
        solving = ec.solve(puzzle, strategy=engine, counted="reflections")
        assert len(list(solving)) == solving.result.solutions
        groups.append(Counter(solving.result.symmetric))
    assert groups[0] == groups[1] or len(puzzle.model.symmetries) == 1


@pytest.mark.parametrize(
    ("name", "pieces", "side"),
    [("slothouber_graatsma", SLOTHOUBER_GRAATSMA, 3), ("conway_5x5x5", CONWAY, 5)],
)
def test_published_puzzles_have_their_counts(name: str, pieces: str, side: int) -> None:
    """J. Slothouber and W. Graatsma, J. H. Conway: one solution each, of cells and of bricks."""
    shipped, said = ec.read(name), scaled(pieces, side, 1)
    assert isinstance(shipped, ec.Puzzle)
    assert shipped.box is not None
    assert said.box is not None
    assert sorted((one.sizes, one.copies) for one in shipped.box.bricks) == sorted(
        (one.sizes, one.copies) for one in said.box.bricks
    )
    large = scaled(pieces, side, 6)
    assert isinstance(large.model, FloorModel)
    for puzzle in (shipped, large):
        assert ec.count(puzzle, strategy="skyline:smallest", counted="reflections") == 1


def test_large_bricks_make_no_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a matrix is made")

    monkeypatch.setattr("exactcover.puzzle.rectangles.build_model", refuse)
    puzzle = scaled(SLOTHOUBER_GRAATSMA, 3, 6)
    solving = ec.solve(puzzle)
    [solution] = list(solving)
    assert solving.result.strategy == "skyline:largest"
    covered = [cell for placement in solution.placements for cell in placement.cells]
    assert len(covered) == len(set(covered)) == 18**3
    lines = Drawer(puzzle, style=None).draw(solution.placements).splitlines()
    assert len(lines) == 9
    assert "6x6x6    6x6x6   at 6,6,6" in lines


def test_a_kept_model_says_what_its_matrix_says() -> None:
    puzzle = scaled(SLOTHOUBER_GRAATSMA, 3, 3)
    assert puzzle.box is not None
    kept = FloorModel(puzzle)
    whole = kept.whole
    assert kept.problem.n_options == whole.problem.n_options
    for option in range(0, kept.problem.n_options, 7):
        assert kept.placements((option,)) == whole.placements((option,))
    quick, slow = kept.symmetries, puzzle_symmetries(whole)
    assert np.array_equal(quick.options, slow.options)
    assert np.array_equal(quick.rotation, slow.rotation)
    assert int(quick.rotation.sum()) == 24


def test_bricks_may_be_turned_over() -> None:
    pieces, region = "3x2x1 * 6", "3x3x4"
    turned = ec.Puzzle.of(pieces, region, reflections=True)
    for engine in ("skyline", "nooverlap", "dlx:s"):
        assert ec.count(turned, strategy=engine) == 10
        assert ec.count(ec.Puzzle.of(pieces, region), strategy=engine) == 12


def test_large_bricks_are_verified() -> None:
    verdict = ec.verify(scaled("2x1x1 * 4", 2, 9), counted="all", expected=9)
    assert (verdict.equal, verdict.compared) == (True, "sets")


@pytest.mark.parametrize(
    ("pieces", "region", "said"),
    [
        ("2x1x1, L tricube * 2", "2x2x2", {}),
        ("2x1x1 any", "2x2x2", {}),
        ("2x1x1 * 4 cost 2", "2x2x2", {}),
        ("2x1x1 * 4", ["2x2x1", "2x1x2 at 0,0,1"], {}),
        ("2x1x1 * 4", {"plus": "2x2x1", "optional": "2x2x1 at 0,0,1"}, {}),
        ("2x1 * 2", "2x2", {}),
    ],
)
def test_other_puzzles_are_no_boxes(pieces: str, region: object, said: dict[str, object]) -> None:
    assert ec.Puzzle.of(pieces, region, **said).box is None


def test_a_box_is_known_by_its_cells() -> None:
    box = ec.Puzzle.of("2x1x1 * 2, 1x2x2", "2x2x2 at 3,4,5").box
    assert isinstance(box, Box)
    assert [(one.sizes[0], one.copies) for one in box.bricks] == [((2, 1, 1), 2), ((2, 2, 1), 1)]
    assert sum(prod(one.sizes[0]) * one.copies for one in box.bricks) == box.volume


def test_the_rules_of_rectangles_are_refused_for_bricks() -> None:
    with pytest.raises(ec.StrategyError, match="for rectangles"):
        ec.count(ec.Puzzle.of("2x1x1 * 4", "2x2x2"), strategy="skyline rule=plain")
