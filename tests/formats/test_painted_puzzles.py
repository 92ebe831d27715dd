"""Colours that say where pieces may lie, against a plain search over cells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import ConversionError, PuzzleError
from exactcover.formats import Document, parse, write
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.puzzle.paint import Paint
from exactcover.runs import Run
from exactcover.search.counting.counts import count
from tests.helpers import naive
from tests.helpers.random_puzzles import cell_lists

Cell = tuple[int, ...]
Painted = tuple[tuple[Cell, int], ...]
Tiling = frozenset[tuple[Painted, frozenset[Cell]]]

CUBIC = get_lattice("cubic")


@st.composite
def painted(draw: st.DrawFn) -> Puzzle:
    """A few cubes with a few colours, and pieces with some of them."""
    space = draw(cell_lists(CUBIC, 9, far=3))
    colour = st.sampled_from([0, 0, 1, 2])
    pieces, paints = [], {}
    for name in "ABC"[: draw(st.integers(1, 3))]:
        cells = draw(cell_lists(CUBIC, 3, far=2))
        low = draw(st.integers(0, 2))
        pieces.append(Piece(name, cells, low, low + draw(st.integers(0, 3))))
        paints[name] = tuple(draw(colour) for _ in cells)
    pairs = st.tuples(st.integers(1, 2), st.integers(1, 2))
    ground = {tuple(cell): draw(colour) for cell in space.tolist()}
    n_optional = draw(st.integers(0, len(space) // 2))
    return Puzzle(
        CUBIC,
        Region(space[n_optional:], space[:n_optional]),
        tuple(pieces),
        reflections=draw(st.booleans()),
        paint=Paint(ground, paints, frozenset(draw(st.sets(pairs)))),
    )


# -- the reference --------------------------------------------------------------------------------


def moved(cells: list[Cell], motion: int) -> list[Cell]:
    return [tuple(c) for c in CUBIC.moved(np.array(cells), [motion])[0].tolist()]


def at_origin(cells: list[Cell], colours: tuple[int, ...]) -> Painted:
    low = np.array(cells).min(axis=0)
    there = [tuple((np.array(cell) - low).tolist()) for cell in cells]
    return tuple(sorted(zip(there, colours, strict=True)))


def motions(puzzle: Puzzle) -> range:
    return range(48 if puzzle.reflections else 24)


def form_of(puzzle: Puzzle, cells: list[Cell], colours: tuple[int, ...]) -> Painted:
    return min(at_origin(moved(cells, motion), colours) for motion in motions(puzzle))


def tilings(puzzle: Puzzle) -> set[Tiling]:
    paint = puzzle.paint
    assert paint is not None
    space = {tuple(cell) for cell in puzzle.space.cells.tolist()}
    optional = {tuple(cell) for cell in puzzle.region.optional.tolist()}
    low: Counter[Painted] = Counter()
    high: Counter[Painted] = Counter()
    images: set[tuple[Painted, frozenset[Cell]]] = set()
    for piece in puzzle.pieces:
        cells = [tuple(cell) for cell in piece.cells.tolist()]
        colours = paint.pieces[piece.name]
        form = form_of(puzzle, cells, colours)
        low[form] += piece.low
        high[form] += piece.high or 0
        for motion in motions(puzzle):
            turned = moved(cells, motion)
            for target in space:
                step = np.array(target) - turned[0]
                there = [tuple((np.array(cell) + step).tolist()) for cell in turned]
                goes = all(
                    cell in space
                    and (
                        not colour
                        or not paint.cells.get(cell, 0)
                        or (colour, paint.cells[cell]) in paint.allowed
                    )
                    for cell, colour in zip(there, colours, strict=True)
                )
                if goes:
                    images.add((form, frozenset(there)))

    ordered = sorted(images, key=lambda image: sorted(image[1]))
    problem = Problem.from_options(
        [[form, *cells] for form, cells in ordered],
        primary=[*low, *sorted(space - optional)],
        secondary=sorted(optional),
        multiplicity={form: (low[form], high[form]) for form in low},
    )
    return {frozenset(ordered[n] for n in chosen) for chosen in naive.solutions(problem)}


def classes(puzzle: Puzzle, found: set[Tiling]) -> int:
    """The tilings up to the turns of the cube that take each cell to one of its sort and colour."""
    paint = puzzle.paint
    assert paint is not None
    optional = {tuple(cell) for cell in puzzle.region.optional.tolist()}
    space = [tuple(cell) for cell in puzzle.space.cells.tolist()]
    sorts = {cell: (paint.cells.get(cell, 0), cell in optional) for cell in space}
    moves = []
    for motion in motions(puzzle):
        step = np.array(space).min(axis=0) - np.array(moved(space, motion)).min(axis=0)
        there = [tuple((np.array(cell) + step).tolist()) for cell in moved(space, motion)]
        onto = dict(zip(space, there, strict=True))
        if all(sorts.get(onto[cell]) == sorts[cell] for cell in space):
            moves.append(onto)
    left, number = set(found), 0
    while left:
        seed = next(iter(left))
        left -= {
            frozenset((form, frozenset(onto[c] for c in cells)) for form, cells in seed)
            for onto in moves
        }
        number += 1
    return number


# -- the comparison -------------------------------------------------------------------------------


@given(painted())
def test_paint_against_the_plain_search(puzzle: Puzzle) -> None:
    found = tilings(puzzle)
    assert count(puzzle, counted="all") == len(found)
    assert count(puzzle, counted="rotations") == classes(puzzle, found)


@given(painted())
def test_painted_puzzles_come_back_from_a_file(puzzle: Puzzle) -> None:
    try:
        text = write([Document("x", puzzle)], "xmpuzzle")
        expected = [count(puzzle, counted=how) for how in ("all", "rotations", "reflections")]
    except (ConversionError, PuzzleError):
        return
    [document] = parse(text, "xmpuzzle")
    # A file says nothing of mirrors: pieces that are their own mirror images may be turned over.
    found = [count(document.content, counted=how) for how in ("all", "rotations", "reflections")]
    assert found[0] == expected[0]
    assert found[2] == expected[2]


CHESS = """<puzzle version="2"><gridType type="0"/>
<colors><color red="0" green="0" blue="0"/><color red="9" green="9" blue="9"/></colors>
<shapes><voxel x="4" y="4" z="1" type="0">
#1#2#1#2#2#1#2#1#1#2#1#2#2#1#2#1
</voxel><voxel x="2" y="2" z="1" type="0">#1#2#2_</voxel>
<voxel x="1" y="1" z="1" type="0">#1</voxel></shapes>
<problems><problem><shapes><shape id="1" count="5"/><shape id="2" count="1"/></shapes>
<result id="0"/><bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
</problem></problems></puzzle>"""


def test_a_chequered_board() -> None:
    """Corners of three squares with a dark middle, and a dark square: by colour and by counting."""
    assert CHESS.count("#1") == 8 + 2
    [document] = parse(CHESS, "xmpuzzle")
    assert document.puzzle is not None
    assert document.puzzle.paint is not None
    # 5 dark middles and 10 light ends: the board has 8 of each, so there is no way.
    assert count(document.content, counted="all") == 0
    free = CHESS.replace("#1#2#1#2#2#1#2#1#1#2#1#2#2#1#2#1", "#" * 16)
    [document] = parse(free, "xmpuzzle")
    assert document.puzzle is not None
    # Five L trominoes and a single square on any of the 16 squares of a 4 x 4 board.
    assert count(document.content, counted="all") == 16


@pytest.mark.parametrize("form", ["toml", "jsonl", "polycube"])
def test_other_formats_refuse_colours(form: str) -> None:
    with pytest.raises(ConversionError, match="cannot represent colours"):
        write(parse(CHESS, "xmpuzzle"), form)


def test_a_run_keeps_colours(tmp_path: Path) -> None:
    """A ledger states the puzzle in BurrTools' format."""
    ranges = CHESS.replace('count="5"', 'min="0" max="5"')
    [document] = parse(ranges.replace('count="1"', 'min="0" max="16"'), "xmpuzzle")
    wanted = count(document.content, counted="all")
    assert wanted > 0
    with Run.begin(tmp_path / "x", document, counted="all") as run:
        assert run.go_on().totals.solutions == wanted
