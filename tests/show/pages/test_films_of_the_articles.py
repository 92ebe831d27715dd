"""The figures that docs/pages.md gives for its three films hold."""

from __future__ import annotations

from functools import cache

import pytest

import exactcover as ec
from exactcover.search import Recording, record
from tests.docs.blocks import ROOT, read
from tests.helpers.pockets import holes

COLUMNS = "redundancy=X first; volume; fila:l@10,-1"
ROWS = "redundancy=X first; volume; fila:y"

PAGE = " ".join(read("docs/pages.md").split())


@cache
def puzzle(name: str) -> ec.Puzzle:
    found = ec.read(name)
    assert isinstance(found, ec.Puzzle)
    return found


def filmed(name: str, strategy: str, start: int, events: int) -> Recording:
    return record(puzzle(name), strategy, start=start, events=events, every=1)


@pytest.mark.parametrize("name", ["orders", "hole", "landmine"])
def test_the_moving_pictures_open_and_are_small(name: str) -> None:
    from PIL import Image

    file = ROOT / "docs" / "pictures" / f"{name}.gif"
    assert file.stat().st_size < 300_000
    with Image.open(file) as gif:
        assert gif.width == 560
        assert gif.n_frames > 20  # type: ignore[attr-defined]
    assert f"pictures/{name}.gif" in PAGE


def test_the_pages_name_these_strategies() -> None:
    for strategy in (COLUMNS, ROWS, "fila:y", "volume; volume-trigger; dlx:s"):
        assert strategy in PAGE


def test_columns_find_a_solution_sooner_than_rows() -> None:
    box = puzzle("pentominoes_10x6")
    fits = [record(box, one, until_solution=1).end.fits for one in (COLUMNS, ROWS)]
    assert fits == [891, 2793]
    assert "891 fits by columns, and after 2793 by rows" in PAGE


@pytest.mark.slow
def test_both_place_x_in_seven_places_and_fill_the_first_open_cell() -> None:
    model = puzzle("pentominoes_10x6").model
    firsts = set()
    for strategy, order in ((COLUMNS, (10, -1)), (ROWS, (0, 1))):
        for moment, options in record(model.puzzle, strategy, events=4_000, every=1):
            if moment.kind != "placed":
                continue
            if len(options) == 1:
                firsts.add(options)
                continue
            open_cells = set(range(60))
            for option in options[:-1]:
                open_cells -= set(model.cells_of(option).tolist())
            place = {
                cell: (x * order[0] + y * order[1], cell)
                for cell, (x, y) in enumerate(model.free.cells.tolist())
            }
            assert min(open_cells, key=lambda one: place[one]) in model.cells_of(options[-1])
    seven = record(model.puzzle, COLUMNS, events=10_000_000, every=100_000)
    assert seven.status == "complete"
    assert sum(one.fits for m in seven.moments for left, one in m.tried.items() if left == 12) == 7


def test_rows_leave_a_hole_for_a_long_time_and_dlx_does_not() -> None:
    by_rows = filmed("pentominoes_10x6", "fila:y", 64_500, 740)
    longest = max(holes(by_rows, 5), key=lambda hole: hole[2])
    assert longest == (64_519, 2, 699)
    moment, options = list(by_rows)[64_519 - by_rows.moments[0].event]
    assert moment.event == 64_519
    placed = by_rows.subject.model
    assert placed is not None
    assert placed.placements(options[-1:])[0].piece == "I"
    by_dlx = filmed("pentominoes_10x6", "dlx:s", 1, 10_000)
    small = [hole for hole in holes(by_dlx, 5) if hole[1] < 5]
    assert len(small) > 100
    assert {lasted for _, _, lasted in small} == {1}


@pytest.mark.slow
def test_dlx_runs_into_a_landmine_and_the_trigger_does_not() -> None:
    stuck = filmed("hexominoes_15x14", "volume; dlx:s", 10_380, 430)
    assert max(holes(stuck, 6), key=lambda hole: hole[2]) == (10_399, 39, 389)
    warned = filmed("hexominoes_15x14", "volume; volume-trigger; dlx:s", 10_380, 430)
    assert {lasted for _, _, lasted in holes(warned, 6)} == {1}


@pytest.mark.slow
def test_two_million_events_do_not_move_the_first_pieces() -> None:
    long = record(
        puzzle("hexominoes_15x14"), "volume; dlx:s", start=30, events=2_000_000, every=50_000
    )
    assert long.end.event >= 2_000_000
    assert long.end.found == 0
    assert len({options[:14] for _, options in long}) == 1
