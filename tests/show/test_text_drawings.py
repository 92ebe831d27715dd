"""Drawings in text: what is drawn is what is there, on every lattice."""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.formats import parse
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Lattice, Motion, get_lattice, lattices, point
from exactcover.puzzle import Piece, Placement, Puzzle, Region
from exactcover.show.palette import in_colour
from exactcover.show.text import (
    WIDE,
    Drawer,
    draw_placements,
    draw_rectangles,
    draw_shape,
    marked,
)

Cell = tuple[int, ...]
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
INK = re.compile(r"\x1b\[38;5;\d+;48;5;(\d+)m([^\x1b]*)\x1b\[0m")

POLYABOLO = Lattice(
    name="quarter-squares",
    polyform="quarter",
    dimension=2,
    centres={
        "south": point("1/2", "1/6"),
        "east": point("5/6", "1/2"),
        "north": point("1/2", "5/6"),
        "west": point("1/6", "1/2"),
    },
    rotations=(Motion(((0, -1), (1, 0))),),
    reflections=(Motion(((0, 1), (1, 0))),),
    neighbours=(((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, -1, 2))),
)
"""Squares cut along both diagonals: a lattice that no view knows."""


def touch(lattice: Lattice, first: Cell, second: Cell) -> bool:
    """Whether two cells share a side, straight from the lattice."""
    a, b = np.array(first), np.array(second)
    offset = lattice.cells(
        lattice.vectors(b) - lattice.vectors(a), np.asarray(lattice.kind_numbers(b))
    )
    return bool((lattice.adjacent[int(lattice.kind_numbers(a))] == offset).all(axis=1).any())


@st.composite
def partial_covers(draw_from: st.DrawFn) -> tuple[Lattice, list[Cell], list[Placement]]:
    """A lattice, some cells of it, and pieces with a capital each that cover some of those."""
    lattice = draw_from(st.sampled_from([*lattices().values(), POLYABOLO]))
    side = 4 if lattice.dimension <= 2 else 2
    low = draw_from(st.integers(-3, 3))
    ranges = [range(low, low + side)] * lattice.dimension
    if lattice.width > lattice.dimension:
        ranges.append(range(len(lattice.kinds)))
    box = list(product(*ranges))
    cells = draw_from(st.lists(st.sampled_from(box), min_size=1, max_size=40, unique=True))
    owners = [draw_from(st.integers(-1, 9)) for _ in cells]
    covered: dict[int, list[Cell]] = defaultdict(list)
    for cell, owner in zip(cells, owners, strict=True):
        if owner >= 0:
            covered[owner].append(cell)
    placed = [Placement(CAPITALS[owner], tuple(held)) for owner, held in covered.items()]
    return lattice, cells, placed


@given(partial_covers())
def test_each_covered_cell_shows_its_name(
    cover: tuple[Lattice, list[Cell], list[Placement]],
) -> None:
    lattice, cells, placed = cover
    picture = draw_placements(lattice, placed, region_cells=cells)
    shown = Counter(c for c in picture if c in CAPITALS)
    assert shown == {placement.piece: len(placement.cells) for placement in placed}
    dots = picture.count(".")
    empty = len(cells) - sum(len(placement.cells) for placement in placed)
    assert dots >= empty
    if not lattice.name.startswith(("square", "cubic", "hypercubic")):
        assert dots == empty
    assert picture == "\n".join(line.rstrip() for line in picture.split("\n"))


@given(partial_covers())
def test_pieces_that_touch_differ_in_colour(
    cover: tuple[Lattice, list[Cell], list[Placement]],
) -> None:
    lattice, cells, placed = cover
    picture = draw_placements(lattice, placed, region_cells=cells, colour=True)
    colours: dict[str, set[str]] = defaultdict(set)
    for colour, text in INK.findall(picture):
        if letter := text.strip(" "):
            colours[letter].add(colour)
    named = {placement.piece: colours[placement.piece] for placement in placed}
    assert all(len(held) == 1 for held in named.values())
    for first, second in combinations(placed, 2):
        if any(touch(lattice, a, b) for a in first.cells for b in second.cells):
            assert named[first.piece] != named[second.piece]
    plain = INK.sub(r"\2", picture)
    trimmed = "\n".join(line.rstrip() for line in plain.split("\n"))
    assert trimmed == draw_placements(lattice, placed, region_cells=cells)


def read_layers(text: str) -> dict[str, set[Cell]]:
    """The cells of each name in a layout as polycube draws it."""
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    cells: dict[str, set[Cell]] = defaultdict(set)
    for down, line in enumerate(lines):
        for z, layer in enumerate(line.split(",")):
            for x, token in enumerate(layer.split()):
                if token != ".":
                    cells[token].add((x, len(lines) - 1 - down, z))
    return cells


AWKWARD = ("A", "B", "a", "p12", "*", ".", "a,b", "#1", "~L", "1", "ピース")


@given(st.data())
def test_squares_and_cubes_can_be_read_back(data: st.DataObject) -> None:
    lattice = get_lattice(data.draw(st.sampled_from(["square", "cubic"])))
    size = [data.draw(st.integers(1, 5)) for _ in range(lattice.dimension)]
    box = list(product(*map(range, size)))
    owners = [data.draw(st.integers(-1, len(AWKWARD) - 1)) for _ in box]
    held: dict[str, list[Cell]] = defaultdict(list)
    for cell, owner in zip(box, owners, strict=True):
        if owner >= 0:
            held[AWKWARD[owner]].append(cell)
    placed = [Placement(name, tuple(cells)) for name, cells in held.items()]
    picture = draw_placements(lattice, placed, region_cells=box)
    said = {
        entry.split("=", 1)[1]: entry.split("=", 1)[0]
        for line in picture.split("\n")
        if line.startswith("# ")
        for entry in line[2:].split()
    }
    flat = (0,) * (3 - lattice.dimension)
    expected = {said.get(name, name): {(*c, *flat) for c in cells} for name, cells in held.items()}
    assert read_layers(picture) == expected


@given(st.lists(st.integers(-1, 3), min_size=20, max_size=20))
def test_walls_of_squares_stand_between_different_pieces(owners: list[int]) -> None:
    square = get_lattice("square")
    box = list(product(range(5), range(4)))
    owner = dict(zip(box, owners, strict=True))
    placed = [
        Placement("D", tuple(cell for cell in box if owner[cell] == number))
        for number in sorted(set(owners) - {-1})
    ]
    assume(len(placed) > 1)
    lines = [
        line.ljust(21) for line in draw_placements(square, placed, region_cells=box).split("\n")
    ]
    for x, y in box:
        line, column = 2 * (3 - y) + 1, 4 * x + 2
        beside, above = owner.get((x + 1, y), -2), owner.get((x, y + 1), -2)
        assert (lines[line][column + 2] == "│") == (beside != owner[x, y])
        assert (lines[line - 1][column] == "─") == (above != owner[x, y])


def test_a_drawer_draws_what_draw_does() -> None:
    square = get_lattice("square")
    cells = np.array(list(product(range(3), range(2))))
    puzzle = Puzzle(
        square,
        Region(cells[:4], cells[4:]),
        (Piece("long", cells[:2]), Piece("S", cells[2:3], stationary=True)),
    )
    placed = [Placement("long", ((0, 0), (0, 1))), Placement("S", ((1, 0),))]
    assert Drawer(puzzle).draw(placed) == "long    .    .\nlong    S    ."
    assert Drawer(puzzle).draw([]) == "   .    .    .\n   .    .    ."
    assert Drawer(puzzle).draw([placed[1], Placement("S", ((0, 0), (0, 1)))]) == (
        "┌───┬───────┐\n│ S │ .   . │\n│   ├───┐   │\n│ S │ S │ . │\n└───┴───┴───┘"
    )


def test_a_name_cannot_play_tricks_on_the_terminal() -> None:
    picture = draw_placements(get_lattice("square"), [Placement("\x1b[2J", ((0, 0),))])
    assert "\x1b" not in picture
    assert picture == "2\n# 2='\\x1b[2J'"


def test_a_lattice_of_unknown_name_is_drawn_by_its_positions() -> None:
    placed = [
        Placement(CAPITALS[x * 8 + y * 4 + kind], ((x, y, kind),))
        for x, y, kind in product(range(2), range(2), range(4))
    ]
    assert draw_placements(POLYABOLO, placed).split("\n") == [
        "  G     O",
        "H   F P   N",
        "  E     M",
        "  C     K",
        "D   B L   J",
        "  A     I",
    ]


def test_cells_without_a_picture_are_listed() -> None:
    far = [Placement("A", ((0, 0), (900_000, 0))), Placement("B", ((0, 900_000),))]
    listed = "A: (0,0) (900000,0)\nB: (0,900000)"
    assert draw_placements(get_lattice("square"), far) == listed
    shadow = Lattice(
        name="shadow",
        polyform="shadow",
        dimension=2,
        rotations=(),
        reflections=(),
        neighbours=(((0, 0), (1, 0)),),
        basis=((1.0, 0.0), (1.0, 1e-9)),
    )
    assert draw_placements(shadow, [Placement("A", ((0, 1), (1, 0)))]) == "A: (0,1) (1,0)"


@pytest.mark.parametrize("name", list(lattices()))
def test_a_shape_shows_each_of_its_cells(name: str) -> None:
    lattice = get_lattice(name)
    start = (0,) * lattice.width
    cells = CellSet.of(lattice, np.array([start, *lattice.adjacent[0][:2].tolist()])).cells
    picture = draw_shape(lattice, cells)
    if name.startswith("sticks"):
        middles = {"sticks-square": r"---|\|", "sticks-triangular": r"-{7}|/|\\"}
        found = re.findall(middles.get(name, r"\||/|\\"), picture)
        slanted = sum(c in "/\\" for c in picture)
        steps = 3 if name == "sticks-triangular" else 1
        assert len(found) - slanted + slanted // steps == len(cells)
    elif name in ("triangular", "prism"):
        assert "/" in picture
        assert "+" in picture
    else:
        assert picture.count("#") == len(cells)


def test_a_wrapped_board_is_drawn_cut_open() -> None:
    """There is no wall across the joint inside a piece, and one between two pieces."""
    text = """
lattice = "square"
region = "4x2"
wrap = "cylinder"
[[piece]]
name = "A"
cells = [[3, 0], [4, 0], [4, 1]]
[[piece]]
name = "B"
cells = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]]
"""
    [document] = parse(text, "toml")
    puzzle = document.puzzle
    assert puzzle is not None
    placements = (
        Placement("A", ((3, 0), (0, 0), (0, 1))),
        Placement("B", ((1, 0), (2, 0), (1, 1), (2, 1), (3, 1))),
    )
    assert Drawer(puzzle).draw(placements) == "A B B B\nA B B A"
    alike = [Placement("A", one.cells) for one in placements]
    assert Drawer(puzzle).draw(alike).split("\n") == [
        "┌───┬───────────┐",
        "│ A │ A   A   A │",
        "╵   │       ┌───┘",
        "  A │ A   A │ A",
        "╶───┴───────┴───╴",
    ]


# -- copies of a piece ----------------------------------------------------------------------------


def test_copies_in_layers_are_numbered() -> None:
    """Two that lie on each other look like two that stand, but for the numbers."""
    standing = [Placement("D", ((x, 0, 0), (x, 0, 1))) for x in (0, 1)]
    lying = [Placement("D", ((0, 0, z), (1, 0, z))) for z in (0, 1)]
    cubic = get_lattice("cubic")
    assert draw_placements(cubic, standing) == (
        "z=0         z=1\n┌───┬───┐   ┌───┬───┐\n│ D1│ D2│   │ D1│ D2│\n└───┴───┘   └───┴───┘"
    )
    assert draw_placements(cubic, lying, letters=True) == "D1 D1, D2 D2"
    row = [Placement(name, ((x, 0),)) for x, name in enumerate(("D", "D1", "D", "P2", "P2"))]
    names = [placement.piece for placement in marked(row)]
    assert names == ["D2", "D1", "D3", "P2_1", "P2_2"]
    once = [Placement(name, ((x, 0),)) for x, name in enumerate("ABB")]
    assert draw_placements(get_lattice("square"), once, letters=True) == " A B1 B2"


def test_sticks_of_one_piece_are_joined() -> None:
    sticks = get_lattice("sticks-square")
    placed = [Placement("L", ((0, 0, 0), (0, 0, 1))), Placement("L", ((1, 0, 0), (2, 0, 0)))]
    assert draw_placements(sticks, placed).startswith("╷\nL\n└─L─+─2───2─╴\n")


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


def test_a_solution_has_the_name_of_each_rectangle() -> None:
    solution = ec.first(ec.read("squared_rectangle_33x32"), strategy="nooverlap")
    assert solution is not None
    drawn = ec.draw(solution)
    assert max(map(len, drawn.split("\n"))) <= WIDE + 20
    wide = [one.piece for one in solution.placements if len(one.cells) > 60]
    for piece in set(wide):
        assert drawn.count(piece) >= wide.count(piece)
    assert len(set(drawn.split("\n")[0]) | {"┌", "─", "┬", "┐"}) == 4
