"""Styles of drawing, on every lattice: neighbouring copies of a piece can be told apart in each."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.errors import ExactCoverError
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Lattice, get_lattice, lattices
from exactcover.puzzle import Placement
from exactcover.show.render.palette import (
    FIRST_CHOICE,
    TEXTURES,
    choose_colours,
    in_colour,
    texture,
    touching_cells,
)
from exactcover.show.render.text import (
    ALL_STYLES,
    BLOCKS,
    LETTERS,
    OUTLINE,
    WIDE,
    Drawer,
    draw_placements,
    draw_rectangles,
    marked,
)

Cell = tuple[int, ...]
INK = re.compile(r"\x1b\[38;5;\d+;48;5;(\d+)m([^\x1b]*)\x1b\[0m")


def box(lattice: Lattice) -> list[Cell]:
    side = 4 if lattice.dimension <= 2 else 2
    ranges = [range(side)] * lattice.dimension
    if lattice.width > lattice.dimension:
        ranges.append(range(len(lattice.kinds)))
    return list(product(*ranges))


def pairs(lattice: Lattice, cells: list[Cell], seed: int) -> list[Placement]:
    """Pairs of neighbours, all called D, drawn at random until no pair is left."""
    random = Random(seed)
    free, placed = set(cells), []
    for cell in random.sample(cells, len(cells)):
        if cell not in free:
            continue
        vector, kind = lattice.vectors(np.array(cell)), int(lattice.kind_numbers(np.array(cell)))
        around = [
            tuple(lattice.cells(vector + lattice.vectors(o), lattice.kind_numbers(o)).tolist())
            for o in lattice.adjacent[kind]
        ]
        open_ones = [other for other in around if other in free and other != cell]
        if open_ones:
            other = random.choice(open_ones)
            placed.append(Placement("D", (cell, other)))
            free -= {cell, other}
    return placed


def as_sets(placed: list[Placement]) -> set[frozenset[Cell]]:
    return {frozenset(placement.cells) for placement in placed}


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("name", list(lattices()))
def test_different_pairs_make_different_pictures(name: str, style: str, colour: bool) -> None:
    """The names are equal, so only what parts the copies can differ."""
    lattice = get_lattice(name)
    cells = box(lattice)
    one = pairs(lattice, cells, 1)
    drawn = (pairs(lattice, cells, seed) for seed in range(2, 100))
    other = next(placed for placed in drawn if as_sets(placed) != as_sets(one))
    pictures = [
        draw_placements(lattice, placed, region_cells=cells, style=style, colour=colour)
        for placed in (one, other)
    ]
    assert pictures[0] != pictures[1]
    assert ("\x1b" in pictures[0]) == colour


@pytest.mark.parametrize("name", list(lattices()))
def test_blocks_that_touch_are_filled_differently(name: str) -> None:
    lattice = get_lattice(name)
    cells = box(lattice)
    placed = pairs(lattice, cells, 1)
    region = CellSet.of(lattice, np.array(cells))
    owner = {cell: number for number, one in enumerate(placed) for cell in one.cells}
    owners = [owner.get(tuple(cell), -1) for cell in region.cells.tolist()]
    touching = [(a, b) for a, b in touching_cells(region).tolist()]
    chosen = choose_colours(owners, touching, [0] * len(placed))
    for a, b in touching:
        if owners[a] != owners[b] and min(owners[a], owners[b]) >= 0:
            assert texture(chosen[owners[a]]) != texture(chosen[owners[b]])
    picture = draw_placements(lattice, placed, region_cells=cells, style=BLOCKS)
    assert {texture(number) for number in chosen} <= set(picture)


def test_textures_are_all_different() -> None:
    assert len(set(TEXTURES)) == len(TEXTURES) > len(FIRST_CHOICE)
    assert len({texture(number) for number in range(300)}) == 300
    assert not set(TEXTURES) & set(". +\n")


@given(st.lists(st.integers(-1, 5), min_size=20, max_size=20))
def test_blocks_on_squares_are_two_characters_a_cell(owners: list[int]) -> None:
    cells = list(product(range(5), range(4)))
    held: dict[int, list[Cell]] = defaultdict(list)
    for cell, owner in zip(cells, owners, strict=True):
        held[owner].append(cell)
    placed = [Placement("P", tuple(own)) for owner, own in held.items() if owner >= 0]
    lines = draw_placements(get_lattice("square"), placed, region_cells=cells, style=BLOCKS).split(
        "\n"
    )
    assert len(lines) == 4
    for (x, y), owner in zip(cells, owners, strict=True):
        block = lines[3 - y][2 * x : 2 * x + 2]
        assert (block == " .") == (owner < 0)
        assert owner < 0 or block[0] == block[1]


def test_blocks_in_colour_are_blanks_on_a_ground() -> None:
    placed = [Placement("D", ((x, 0), (x, 1))) for x in range(3)]
    picture = draw_placements(get_lattice("square"), placed, style=BLOCKS, colour=True)
    for line in picture.split("\n"):
        inked = INK.findall(line)
        assert [text for _, text in inked] == ["  "] * 3
        assert inked[0][0] != inked[1][0] != inked[2][0]


def test_copies_in_layers_are_numbered() -> None:
    """Two that lie on each other look like two that stand, but for the numbers."""
    lying = [Placement("D", ((0, 0, z), (1, 0, z))) for z in (0, 1)]
    standing = [Placement("D", ((x, 0, 0), (x, 0, 1))) for x in (0, 1)]
    cubic = get_lattice("cubic")
    assert draw_placements(cubic, standing, style=OUTLINE) == (
        "z=0         z=1\n┌───┬───┐   ┌───┬───┐\n│ D1│ D2│   │ D1│ D2│\n└───┴───┘   └───┴───┘"
    )
    assert draw_placements(cubic, lying, style=LETTERS) == "D1 D1, D2 D2"


def test_a_piece_that_is_there_once_is_not_numbered() -> None:
    placed = [Placement("A", ((0, 0),)), Placement("B", ((1, 0),)), Placement("B", ((2, 0),))]
    assert draw_placements(get_lattice("square"), placed) == " A B1 B2"


def test_numbers_do_not_take_a_name_that_is_there() -> None:
    placed = [Placement(name, ((x, 0),)) for x, name in enumerate(("D", "D1", "D", "P2", "P2"))]
    names = [placement.piece for placement in marked(placed)]
    assert names == ["D2", "D1", "D3", "P2_1", "P2_2"]


def test_sticks_of_one_piece_are_joined() -> None:
    square = get_lattice("sticks-square")
    corner = Placement("L", ((0, 0, 0), (0, 0, 1)))
    other = Placement("I", ((1, 0, 0), (2, 0, 0)))
    assert draw_placements(square, [corner, other], style=OUTLINE) == "╷\nL\n└─L─+─I───I─╴"


# -- the style that suits -------------------------------------------------------------------------


def test_outlines_where_a_name_occurs_twice() -> None:
    dominoes = ec.first(ec.read("dominoes_4x4"))
    pentominoes = ec.first(ec.read("pentominoes_10x6"))
    assert dominoes is not None
    assert pentominoes is not None
    assert ec.draw(dominoes) == ec.draw(dominoes, style="outline")
    assert "│" in ec.draw(dominoes)
    assert ec.draw(pentominoes) == ec.draw(pentominoes, style="letters")
    assert "│" not in ec.draw(pentominoes)


def test_color_and_colour() -> None:
    solution = ec.first(ec.read("dominoes_4x4"))
    assert solution is not None
    coloured = ec.draw(solution, colour=True)
    assert coloured == ec.draw(solution, color=True) == ec.draw(solution, color="always")
    assert "\x1b" in coloured
    plain = ec.draw(solution)
    assert plain == ec.draw(solution, color=False) == ec.draw(solution, colour="never")
    assert plain == ec.draw(solution, color="auto")  # pytest's output is no terminal


def test_auto_is_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert in_colour("color", "auto", Terminal())
    assert not in_colour("color", "auto", io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not in_colour("color", "auto", Terminal())
    assert in_colour("color", "always", Terminal())
    monkeypatch.setenv("NO_COLOR", "")  # empty is as if it were not set
    assert in_colour("color", "auto", Terminal())
    assert not in_colour("color", "never", Terminal())


def test_a_drawer_chooses_for_each_drawing() -> None:
    puzzle = ec.read("dominoes_4x4")
    assert isinstance(puzzle, ec.Puzzle)
    drawer = Drawer(puzzle, style=None)
    one = [Placement("I", ((0, 0), (1, 0)))]
    two = [*one, Placement("I", ((2, 0), (3, 0)))]
    assert "│" not in drawer.draw(one)
    assert drawer.draw(two).endswith("│ I   I │ I   I │\n└───────┴───────┘")
    assert drawer.draw(one) == drawer.draw(one)
    with pytest.raises(ExactCoverError, match="outside what is drawn"):
        drawer.draw([Placement("I", ((9, 9), (8, 9)))])


# -- large rectangles ------------------------------------------------------------------------------


def rectangle(name: str, x: int, y: int, width: int, height: int) -> Placement:
    cells = ((a, b) for a in range(x, x + width) for b in range(y, y + height))
    return Placement(name, tuple(cells))


def test_walls_meet() -> None:
    rectangles = [
        rectangle("a", 0, 0, 6, 4),
        rectangle("b", 0, 4, 3, 4),
        rectangle("c", 3, 4, 3, 4),
    ]
    assert draw_rectangles(rectangles).split("\n") == [
        "┌─────┬─────┐",
        "│     │     │",
        "│  b  │  c  │",
        "│     │     │",
        "├─────┴─────┤",
        "│           │",
        "│     a     │",
        "│           │",
        "└───────────┘",
    ]


@pytest.mark.parametrize(
    "name", ["calibron_12", "squared_square_112x112", "squared_rectangle_69x61"]
)
def test_a_solution_has_the_name_of_each_rectangle(name: str) -> None:
    solution = ec.first(ec.read(name))
    assert solution is not None
    drawn = ec.draw(solution)
    assert max(map(len, drawn.split("\n"))) <= WIDE + 20
    wide = [one.piece for one in solution.placements if len(one.cells) > 60]
    for piece in set(wide):
        assert drawn.count(piece) >= wide.count(piece)
    assert len(set(drawn.split("\n")[0]) | {"┌", "─", "┬", "┐"}) == 4


def test_a_named_style_draws_cells() -> None:
    solution = ec.first(ec.read("squared_rectangle_33x32"))
    assert solution is not None
    assert len(ec.draw(solution, style="letters").split("\n")) >= 32


def test_small_rectangles_are_drawn_by_cells() -> None:
    solution = ec.first(ec.Puzzle.of("3x2, 1x2", "4x2"))
    assert solution is not None
    assert "3x2" in ec.draw(solution, style="letters")


def test_gaps_stay_empty() -> None:
    drawn = draw_rectangles([rectangle("a", 0, 0, 20, 10), rectangle("b", 30, 10, 20, 10)])
    first, *_, last = drawn.split("\n")
    assert first.startswith(" ")
    assert not last.endswith(" ")
    assert len(last) < len(first)
