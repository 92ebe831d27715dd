"""The figures that docs/pictures.md gives for its two films hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

import exactcover as ec
from exactcover.search import Recording, record
from tests.docs.blocks import ROOT, read

Hole = frozenset[int]


def parts(puzzle: ec.Puzzle, options: Iterable[int]) -> Iterator[Hole]:
    """The open cells beside these options, as connected parts."""
    model = puzzle.model
    starts, near = (array.tolist() for array in model.layout.adjacent)
    waiting = set(range(model.layout.n_cells))
    for option in options:
        waiting -= set(model.cells_of(option).tolist())
    while waiting:
        part, todo = set(), [waiting.pop()]
        while todo:
            cell = todo.pop()
            part.add(cell)
            beside = waiting.intersection(near[starts[cell] : starts[cell + 1]])
            waiting -= beside
            todo += beside
        yield frozenset(part)


def holes(recording: Recording, size: int) -> Iterator[tuple[int, int, int]]:
    """Parts that pieces of this size cannot fill: event that closes it, its cells, how long."""
    puzzle = recording.subject.model.puzzle  # type: ignore[union-attr]
    since: dict[Hole, int] = {}
    for moment, options in recording:
        now = {part for part in parts(puzzle, options) if len(part) % size}
        for hole in [hole for hole in since if hole not in now]:
            begun = since.pop(hole)
            yield begun, len(hole), moment.event - begun
        for hole in now:
            since.setdefault(hole, moment.event)


COLUMNS = "redundancy=X first; volume; fila:l@10,-1"
ROWS = "redundancy=X first; volume; fila:y"

PAGE = " ".join(read("docs/pictures.md").split())


@cache
def puzzle(name: str) -> ec.Puzzle:
    found = ec.read(name)
    assert isinstance(found, ec.Puzzle)
    return found


def filmed(name: str, strategy: str, start: int, events: int) -> Recording:
    return record(puzzle(name), strategy, start=start, events=events)


@pytest.mark.parametrize("name", ["orders", "landmine"])
def test_the_moving_pictures_open_and_are_small(name: str) -> None:
    from PIL import Image

    file = ROOT / "docs" / "pictures" / f"{name}.gif"
    assert file.stat().st_size < 300_000
    with Image.open(file) as gif:
        assert gif.width == 560
        assert gif.n_frames > 20  # type: ignore[attr-defined]
    assert f"pictures/{name}.gif" in PAGE


def test_columns_find_a_solution_sooner_than_rows() -> None:
    box = puzzle("pentominoes_10x6")
    fits = [record(box, one, until_solution=1).end.fits for one in (COLUMNS, ROWS)]
    assert fits == [891, 2793]


@pytest.mark.slow
def test_dlx_runs_into_a_landmine_and_the_trigger_does_not() -> None:
    stuck = filmed("hexominoes_15x14", "volume; dlx:s", 9_100, 380)
    assert max(holes(stuck, 6), key=lambda hole: hole[2]) == (9_117, 39, 342)
    warned = filmed("hexominoes_15x14", "volume; volume-trigger; dlx:s", 9_100, 380)
    assert {lasted for _, _, lasted in holes(warned, 6)} == {1}
