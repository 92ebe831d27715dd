"""Puzzles of rectangles and bricks: the same solutions by sizes, by cells, and by CP-SAT."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import numpy as np
import pytest

import exactcover as ec
from exactcover.problem.rectangles import Box, Floor
from exactcover.puzzle.rectangles import FloorModel
from exactcover.puzzle.symmetry import puzzle_symmetries
from exactcover.show.render.text import Drawer
from tests.backends.skyline.floors import random_box, random_floor

CONWAY = "4x2x1 * 6, 3x2x2 * 6, 1x1x1 * 5"
SLOTHOUBER_GRAATSMA = "2x2x1 * 6, 1x1x1 * 3"

FILLING = ("skyline:largest", "skyline:widest rule=plain", "dlx:s", "fila:f", "nooverlap")
BUILDING = ("skyline:largest", "skyline:smallest", "dlx:s", "fila:f")


def random_filling(seed: int) -> ec.Puzzle:
    """A floor cut into rectangles at random."""
    floor = random_floor(Random(seed))
    pieces = ", ".join(f"{one.width}x{one.height} * {one.copies}" for one in floor.rectangles)
    return ec.Puzzle.of(pieces, f"{floor.width}x{floor.height}")


def random_building(seed: int) -> ec.Puzzle:
    """A box cut into bricks at random, which may all turn."""
    box = random_box(Random(seed))
    pieces = ", ".join(f"{one.width}x{one.depth}x{one.height} * {one.copies}" for one in box.bricks)
    return ec.Puzzle.of(pieces, f"{box.width}x{box.depth}x{box.height}")


def scaled(pieces: str, side: int, unit: int) -> ec.Puzzle:
    """A puzzle of bricks in a cube, with all sides multiplied by a factor."""
    words = [word.split(" * ") for word in pieces.split(", ")]
    sizes = ["x".join(str(int(one) * unit) for one in size.split("x")) for size, _ in words]
    longer = ", ".join(f"{size} * {n}" for size, (_, n) in zip(sizes, words, strict=True))
    return ec.Puzzle.of(longer, f"{side * unit}x{side * unit}x{side * unit}")


def agree(puzzle: ec.Puzzle, engines: tuple[str, ...]) -> None:
    """Engines that see sizes and engines that see cells find the same, and the same symmetries."""
    found = [
        sorted(one.options for one in ec.solve(puzzle, strategy=engine, counted="all"))
        for engine in engines
    ]
    assert all(one == found[0] for one in found)
    for counted in ("rotations", "reflections"):
        counts = {one: ec.count(puzzle, strategy=one, counted=counted) for one in engines}
        assert len(set(counts.values())) == 1, (counted, counts)
        groups = []
        for engine in ("skyline", "dlx:s"):
            solving = ec.solve(puzzle, strategy=engine, counted=counted)
            assert len(list(solving)) == solving.result.solutions == counts["dlx:s"]
            groups.append(Counter(solving.result.symmetric))
        assert groups[0] == groups[1] or len(puzzle.model.symmetries.selected(counted)) == 1


@pytest.mark.parametrize("seed", range(6))
def test_engines_of_sizes_and_of_cells_agree(seed: int) -> None:
    agree(random_filling(seed), FILLING)
    agree(random_building(seed), (*BUILDING, "nooverlap"))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(6, 200, 20))
def test_engines_agree_about_more_instances(first: int) -> None:
    for seed in range(first, first + 20):
        agree(random_filling(seed), FILLING)
        agree(random_building(seed), BUILDING)


# -- rectangles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "unique", "every"),
    [
        ("calibron_12", 1, 8),
        ("squared_rectangle_33x32", 1, 4),
        ("squared_rectangle_69x61", 1, 4),
        ("squared_square_112x112", 1, 8),
    ],
)
def test_published_counts(name: str, unique: int, every: int) -> None:
    puzzle = ec.read(name)
    assert (ec.count(puzzle), ec.count(puzzle, counted="all")) == (unique, every)
    assert ec.solve(puzzle).result.strategy == "skyline:largest"


def test_the_rules_of_the_article_take_its_steps() -> None:
    solving = ec.solve(ec.read("calibron_12"), strategy="skyline:largest rule=plain", counted="all")
    assert solving.run().fits == 5_485_432


def test_a_limit_and_a_stop_end_a_search() -> None:
    puzzle = ec.read("partridge_8")
    solving = ec.solve(puzzle, limit=3)
    found = list(solving)
    assert len(found) == 3
    assert solving.result.stopped_by == "solutions"
    assert len({one.options for one in found}) == 3
    endless = ec.solve(puzzle)
    next(endless)
    endless.stop()
    assert endless.run().status == "interrupted"
    assert ec.solve(puzzle, time_limit=0.05).run().stopped_by == "time"


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        ("volume; skyline", "no filter"),
        ("dlx:s; skyline:largest@3", "no other stage"),
        ("skyline:s", "no heuristic"),
        ("skyline rule=best", "one of pruned, plain"),
        ("nooverlap:f", "no heuristic"),
    ],
)
def test_what_makes_no_sense_for_rectangles_is_refused(strategy: str, why: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=why):
        ec.count(ec.Puzzle.of("3x2 * 2", "3x4"), strategy=strategy)


@pytest.mark.parametrize("engine", ["skyline", "nooverlap"])
def test_other_problems_are_refused(engine: str) -> None:
    for subject in (ec.read("pentominoes_20x3"), {"x": ["a"]}):
        with pytest.raises(ec.CapabilityError, match="fills a rectangle with rectangles"):
            ec.count(subject, strategy=engine)


def test_what_needs_cells_says_so() -> None:
    puzzle = ec.read("calibron_12")
    for asked in (ec.estimate, ec.compare, ec.sample):
        with pytest.raises(ec.CapabilityError, match=r"skyline|pieces"):
            asked(puzzle)


def test_the_usual_second_opinion_on_rectangles_is_cpsat() -> None:
    verdict = ec.verify(ec.read("squared_rectangle_33x32"))
    assert [one.engine for one in verdict.engines] == ["auto", "nooverlap"]
    assert verdict.equal
    assert verdict.compared == "sets"


def test_a_floor_of_another_size_is_filled() -> None:
    """The unit of the sizes does not matter: all sizes times seven."""
    small, large = (
        ec.Puzzle.of(
            ", ".join(f"{side * unit}x{side * unit}" for side in (18, 15, 14, 10, 9, 8, 7, 4, 1)),
            f"{33 * unit}x{32 * unit}",
        )
        for unit in (1, 7)
    )
    assert ec.count(small, counted="all") == ec.count(large, counted="all") == 4
    assert isinstance(large.floor, Floor)


def test_a_floor_that_is_too_long_is_filled_by_cpsat() -> None:
    long, short = (
        ec.Puzzle.of(
            f"{side - 1}x2 * 2, {side}x2, {side}x1 * 2",
            f"{2 * side - 1}x4",
        )
        for side in (5000, 50)
    )
    solving = ec.solve(long, counted="all")
    assert solving.run().solutions == ec.count(short, strategy="skyline", counted="all") == 10
    assert solving.result.strategy == "nooverlap:s"


# -- bricks ---------------------------------------------------------------------------------------


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
    verdict = ec.verify(scaled("2x1x1 * 4", 2, 9), counted="all")
    assert (verdict.equal, verdict.compared, verdict.solutions) == (True, "sets", 9)


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


# -- rectangles in a room: the least height, width and area ----------------------------------------


def squares(most: int, room: str) -> ec.Puzzle:
    """Squares of sides 1 to a number in a room."""
    pieces = ", ".join(f"{side}x{side}" for side in range(1, most + 1))
    return ec.Puzzle.of(pieces, {"optional": room})


@pytest.mark.parametrize(("most", "area"), [(3, 15), (6, 99), (8, 210)])
def test_the_least_area_of_consecutive_squares(most: int, area: int) -> None:
    """R. E. Korf, Optimal rectangle packing: initial results (2003)."""
    found = ec.best(squares(most, "30x30"), least="area")
    assert (found.status, found.value, found.bound) == ("complete", area, area)
    assert found.solution is not None
    cells = [cell for placement in found.solution.placements for cell in placement.cells]
    assert len(cells) == len(set(cells))
    across, up = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    assert across * up == area


@pytest.mark.parametrize("name", ["squares_1_to_9", "squares_1_to_9_strip"])
def test_shipped_rooms(name: str) -> None:
    strip = name.endswith("strip")
    value = 20 if strip else 300
    found = ec.best(ec.read(name), least="height" if strip else "area")
    assert (found.status, found.value, found.bound) == ("complete", value, value)


@pytest.mark.parametrize("seed", range(6))
def test_no_smaller_box_holds_the_rectangles(seed: int) -> None:
    """The puzzle of cells, with as many holes as cells are left over, in every smaller box."""
    random = Random(seed)
    sizes = [(random.randint(1, 4), random.randint(1, 4)) for _ in range(random.randint(3, 5))]
    pieces = ", ".join(f"{wide}x{high}" for wide, high in sizes)
    area = ec.best(ec.Puzzle.of(pieces, {"optional": "25x25"}), least="area").value
    boxes = [(w, h) for w in range(1, 26) for h in range(1, w + 1) if area and w * h <= area]
    fitting = [w * h for w, h in boxes if _holds(pieces, sizes, w, h)]
    assert min(fitting) == area
    height = ec.best(ec.Puzzle.of(pieces, {"optional": "5x40"}), least="height").value
    assert height == next(h for h in range(1, 40) if _holds(pieces, sizes, 5, h))


def _holds(pieces: str, sizes: list[tuple[int, int]], width: int, height: int) -> bool:
    """Whether a box holds rectangles, by an engine of cells."""
    empty = width * height - sum(wide * high for wide, high in sizes)
    if empty < 0:
        return False
    region = {"optional": f"{width}x{height}", "empty": empty}
    return bool(list(ec.solve(ec.Puzzle.of(pieces, region), strategy="dlx:s", limit=1)))


def test_a_small_room_holds_nothing() -> None:
    assert ec.best(squares(3, "3x4"), least="area").status == "impossible"
    assert ec.best(ec.Puzzle.of("1x7, 1x1", {"optional": "6x6"})).status == "impossible"


def test_the_area_is_least_if_nothing_is_said() -> None:
    assert str(ec.best(squares(3, "9x9")).aim) == "least area"


@pytest.mark.parametrize(
    ("subject", "asked"),
    [("calibron_12", {"least": "area"}), ("pentominoes_10x6", {"least": "height"})],
)
def test_other_puzzles_have_no_least_size(subject: str, asked: dict[str, str]) -> None:
    with pytest.raises(ec.ExactCoverError, match="rectangles in a room"):
        ec.best(ec.read(subject), **asked)


def test_a_size_is_never_most() -> None:
    with pytest.raises(ec.ExactCoverError, match="least, not most"):
        ec.best(squares(3, "9x9"), most="height")


def test_a_search_that_is_stopped_has_a_bound_and_a_packing() -> None:
    found = ec.best(squares(32, "140x140"), least="area", stop=lambda: True)
    assert found.status == "interrupted"
    assert found.solution is not None
    assert found.bound is not None
    assert found.value is not None
    assert 11440 <= found.bound <= found.value < 13000
    cells = [cell for placement in found.solution.placements for cell in placement.cells]
    assert len(cells) == len(set(cells)) == 11440


def test_a_time_limit_ends_a_search() -> None:
    assert ec.best(squares(32, "140x140"), least="area", time_limit=0.5).status == "limit"
