"""Every shipped puzzle can be read, says what it is and where it comes from, and its counts hold.

All solutions are counted by the dlx engine alone, with no filter before it: a filter that removes
too much would make a count wrong, not confirm it. The quick run counts the first puzzle of each
folder; `make test-slow` counts all of them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import exactcover as ec
from exactcover.formats import shipped
from exactcover.formats.document import Document
from exactcover.formats.files import read_file
from exactcover.lattices import lattices

LONG = {
    "cubic/conway_box",
    "cubic/solid_pentominoes_6x5x2",
    "fcc/pyramid_55",
    "hexagonal/tri_and_tetrahexes_hexagon",
    "square/calendar_any",
    "square/dominoes_8x8",
    "square/pentominoes_10x6",
    "square/pentominoes_12x5",
    "square/pentominoes_1s_30x3",
    "square/pentominoes_8x8_corners",
    "square/pentominoes_8x8_holes_1",
    "sticks-square/tetrasticks_5x5_without_H",
    "sticks-square/tetrasticks_5x5_without_J",
    "sticks-square/tetrasticks_5x5_without_L",
    "sticks-square/tetrasticks_5x5_without_N",
    "sticks-square/tetrasticks_5x5_without_Y",
    "triangular/hexiamonds_irregular_hexagon",
}
"""These take dlx between two seconds and some minutes: their unique solutions are not counted."""

NOT_RUN = {
    "cubic/bedlamcube": "an hour",
    "cubic/conway_5x5x5": "too long for dlx; counted by states",
    "cubic/dominoes_4x4x4": "must be counted without listing",
    "cubic/solid_pentominoes_5x4x3": "ten minutes and more",
    "cubic/tetriscube": "an hour",
    "cubic/y_pentacubes_5x5x5": "ten minutes and more",
    "hypercubic-6/dominoes_2x2x2x2x2x2": "must be counted without listing",
    "square/PT12": "ten minutes and more",
    "square/PT12_plus": "ten minutes and more",
    "square/PT12_saltire": "ten minutes and more",
    "square/PT12_spread": "ten minutes and more",
    "square/calibron_12": "ten minutes and more; counted by skyline",
    "square/dominoes_10x10": "must be counted without listing",
    "square/hexominoes_rectangle_15x14": "a proof by colouring; no search ends",
    "square/hexominoes_two_rectangles": "a proof by colouring; no search ends",
    "square/partridge_8": "hours",
    "square/pentominoes_1s_10x9": "hours",
    "square/pentominoes_1s_15x6": "hours",
    "square/pentominoes_1s_18x5": "an hour",
    "square/pentominoes_square_8x8": "ten minutes and more",
    "square/squared_rectangle_69x61": "minutes; counted by skyline",
    "square/squared_square_112x112": "too long for dlx; counted by skyline",
    "square/squares_13x11": "must be counted without listing",
    "square/tetrominoes_franklin": "minutes, and counted by states",
    "square/v_pentominoes_8x8": "half a minute, and counted by states",
    "square/y_pentominoes_15x15": "an hour",
}
"""The counts of these are not computed in a test, and why."""

UNIQUE_UP_TO = 20_000
"""With more solutions than this the unique ones are counted elsewhere."""

NAMES = [*shipped.paths()]


@cache
def document(name: str) -> Document:
    [found] = read_file(shipped.paths()[name], name=name)
    return found


def counted(names: list[str]) -> list[str]:
    """Those whose number of solutions a test computes."""
    return [name for name in names if "all" in document(name).counts and name not in NOT_RUN]


def first_of_each_folder() -> list[str]:
    """The first puzzle of each folder that is counted soon."""
    folders: dict[str, str] = {}
    for name in counted([name for name in NAMES if name not in LONG]):
        folders.setdefault(name.partition("/")[0], name)
    return [*folders.values()]


def test_there_are_puzzles_on_every_lattice() -> None:
    assert {name.split("/")[0] for name in NAMES} == {*lattices(), "generic"}
    assert len(NAMES) >= 80


def test_the_last_part_of_a_name_is_enough() -> None:
    parts = [name.rpartition("/")[2] for name in NAMES]
    assert len(set(parts)) == len(parts)


def test_each_says_what_it_is_and_where_it_comes_from(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            found = document(name)
            assert found.title
            assert found.source
            assert len(found.title) < 100
            if not found.counts:
                assert "not known" in _comments(shipped.paths()[name])


def _comments(path: Path) -> str:
    """The comments of a file as one text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line.lstrip("#| ") for line in lines if line.startswith(("#", "|")))


def becomes_a_problem(name: str) -> None:
    found = document(name)
    assert found.problem.n_options
    if found.puzzle is not None:
        assert name.startswith(f"{found.puzzle.lattice.name}/")
        assert found.model is not None
        assert not found.model.reason


def counts_agree_with_each_other(name: str) -> None:
    found = document(name)
    counts = dict(found.counts)
    if found.model is None:
        assert set(counts) <= {"all"}
        return
    for kind in {"rotations", "reflections"} & set(counts):
        size = len(found.model.symmetries.selected(kind))
        assert counts[kind] <= counts.get("all", counts[kind]) <= size * counts[kind]
    if {"rotations", "reflections"} <= set(counts):
        assert counts["reflections"] <= counts["rotations"] <= 2 * counts["reflections"]


def dlx_finds_the_number_in_the_file(name: str) -> None:
    found = document(name)
    assert ec.count(found.content, strategy="dlx", counted="all") == found.counts["all"]


def unique_solutions_are_the_number_in_the_file(name: str) -> None:
    found = document(name)
    if found.puzzle is None or found.counts["all"] >= UNIQUE_UP_TO or name in LONG:
        return
    for kind in {"rotations", "reflections"} & set(found.counts):
        assert ec.count(found.content, counted=kind) == found.counts[kind]


def all_holds(name: str) -> None:
    """Check a shipped puzzle and the numbers in its file."""
    becomes_a_problem(name)
    counts_agree_with_each_other(name)
    if name in counted([name]):
        dlx_finds_the_number_in_the_file(name)
        unique_solutions_are_the_number_in_the_file(name)


def test_the_first_of_each_folder(subtests: pytest.Subtests) -> None:
    for name in first_of_each_folder():
        with subtests.test(name):
            all_holds(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_puzzle(name: str) -> None:
    all_holds(name)


def test_the_tables_of_this_test_name_puzzles() -> None:
    assert set(NAMES) >= LONG
    assert set(NAMES) >= set(NOT_RUN)
    assert not set(NOT_RUN) & LONG
