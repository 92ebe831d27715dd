"""What a page shows of each kind of thing, and what it refuses."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.formats import read_puzzles
from exactcover.geometry.bodies import bodies_of
from exactcover.show.pages import Page
from exactcover.show.pages.complexes import Complex
from exactcover.show.pages.contents import OUTLINED, SHOWN, contents_of, nested
from exactcover.show.pages.fourth import FourthDimension
from tests.helpers.examples import some
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells
from tests.helpers.packed import unpacked
from tests.helpers.wrapped_boards import wrapped_board

DEFS = Path(__file__).parents[3] / "defs"


@pytest.mark.parametrize(
    "file",
    some(sorted(path for path in DEFS.rglob("*.*") if path.suffix in (".toml", ".txt")), one_in=9),
    ids=name_of,
)
def test_every_shipped_puzzle_is_shown(file: Path) -> None:
    for document in read_puzzles(str(file)):
        puzzle = document.puzzle
        if puzzle is None:
            with pytest.raises(ec.ExactCoverError, match="no page"):
                contents_of(document.content, None)
            continue
        contents = contents_of(puzzle, None)
        (scene,) = contents.scenes
        made = Complex(bodies_of(puzzle.lattice), contents.offsets, contents.spots)
        assert json.dumps(made.data())
        # Each part covers as many cells as it has, and nothing lies on anything else.
        counts = np.bincount(scene.owners, minlength=len(scene.parts)).tolist()
        assert counts == [len(part.cells) for part in scene.parts]
        assert len(set(contents.spots)) == len(contents.spots)


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_shapes_of_every_lattice_make_a_page(lattice: ec.Lattice) -> None:
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    page = ec.view([cells[:1], cells[:2]], lattice=lattice)
    assert "<title>2 shapes</title>" in page.html


def test_a_solution_says_which_piece_covers_which_cell() -> None:
    solution = ec.first(ec.read("somacube"))
    assert solution is not None
    (scene,) = contents_of(solution, None).scenes
    spots = contents_of(solution, None).spots
    for number, placed in enumerate(solution.placements):
        cells = {cell for (_, cell), owner in zip(spots, scene.owners, strict=True)
                 if owner == number}  # fmt: skip
        assert cells == set(placed.cells)
    assert scene.order is not None
    assert scene.order["stuck"] == []


def test_a_burr_has_its_moves_backwards() -> None:
    taking = ec.apart(ec.read("burr_dubois"))
    solution, made = next((one, found.disassembly) for one, found in taking if found.disassembly)
    (scene,) = contents_of(solution, None).scenes
    assert scene.order is not None
    assert scene.order["level"] == "6.4.1.1.1"
    steps = scene.order["steps"]
    assert isinstance(steps, list)
    assert [step["parts"] for step in steps] == [[*move.pieces] for move in made.moves[::-1]]
    assert [step["joins"] for step in steps].count(True) == 5
    assert steps[-1]["seen"] == [[piece, 0.0, 0.0, 0.0] for piece in range(6)]
    # A step begins where the step before it ended.
    for step, following in pairwise(steps):
        if following["joins"]:
            continue
        at = {piece: shift for piece, *shift in step["seen"]}
        there = {piece: shift for piece, *shift in following["seen"]}
        for piece in following["parts"]:
            went = [x - y for x, y in zip(there[piece], at[piece], strict=True)]
            assert went == following["vector"]


def test_a_solution_that_is_stuck_says_so() -> None:
    stuck = next(one for one, found in ec.apart(ec.read("burr_dubois")) if not found.disassembly)
    (scene,) = contents_of(stuck, None).scenes
    assert scene.order is not None
    assert scene.order["status"] == "stuck"
    assert "steps" not in scene.order


def test_empty_cells_are_shown_in_the_plane_and_outlined_in_space() -> None:
    for cells, state in (([(0, 0), (1, 0)], SHOWN), ([(0, 0, 0), (1, 0, 0)], OUTLINED)):
        lattice = "square" if state == SHOWN else "cubic"
        piece = ec.Piece("A", cells[:1])
        region = ec.Region(cells[:1], optional=cells[1:])
        puzzle = ec.Puzzle((lattice), region, (piece,))
        (scene,) = contents_of(ec.first(puzzle), None).scenes
        assert [part.title for part in scene.parts] == ["A", "empty cells"]
        assert scene.states == (SHOWN, state)
        assert scene.owners == (0, 1)


def test_a_piece_on_a_wrapped_board_covers_its_cells() -> None:
    region = ec.Region([(x, 0) for x in range(4)], wrap=[(4, 0)])
    pieces = [ec.Piece("I", [(x, 0) for x in range(4)])]
    puzzle = ec.Puzzle("square", region, pieces)
    (scene,) = contents_of(ec.first(puzzle), None).scenes
    assert scene.owners == (0, 0, 0, 0)
    assert scene.order is None


@pytest.mark.parametrize(
    ("name", "faces", "lines"),
    [
        ("tetrominoes_cylinder_5x4", None, 0),
        ("tetrahexes_torus_7x4", None, 0),
        ("hexiamonds_cylinder_12x3", None, 0),
        ("cubic", 2, 0),
        ("sticks-square", 0, 2),
        ("fcc", 0, 2),
    ],
)
def test_a_page_is_open_where_a_piece_goes_on_across_the_joint(
    name: str, faces: int | None, lines: int
) -> None:
    """As many faces as a picture has dashed lines; of sticks and balls, the lines themselves."""
    solution = ec.first(wrapped_board(name), strategy="dlx:f")
    if faces is None:
        drawn = re.findall(r"d='(\S[^']*)'[^>]*stroke-dasharray", ec.picture(solution).svg)
        faces = sum(path.count("M") for path in drawn)
        assert faces
    page = ec.view(solution)
    assert "Across a dashed line a piece goes on at the opposite side." in page.html
    shown = data(page)
    owners = unpacked(shown["scenes"][0]["owners"])
    sides = unpacked(shown["surface"]["sides"])
    ends = zip(sides[::2], sides[1::2], strict=True)
    open_faces = [(cell, -3 - other) for cell, other in ends if other <= -3]
    assert sum(owners[cell] == owners[other] for cell, other in open_faces) == faces
    stubs = unpacked(shown["surface"]["stubs"])
    joined = zip(stubs[::4], stubs[1::4], strict=True)
    assert sum(owners[cell] == owners[other] for cell, other in joined) == lines


def test_a_stationary_piece_is_open_at_the_joint() -> None:
    ring = ec.Region([(x, 0) for x in range(3)], wrap=[(3, 0)])
    two = ec.Piece("I", [(2, 0), (0, 0)], stationary=True), ec.Piece("O", [(0, 0)])
    shown = data(ec.view(ec.Puzzle("square", ring, two)))
    sides = unpacked(shown["surface"]["sides"])
    assert sorted(other for other in sides if other <= -3) == [-4, -3]
    assert unpacked(shown["scenes"][0]["owners"])[:2] == [0, 0]


def data(page: Page) -> dict[str, Any]:
    """The values that the page carries for its scripts."""
    (text,) = re.findall(r'id="data-view">(.*?)</script>', page.html)
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (5, "there is no page of 5"),
        (ec.Solution((0,), ec.Problem.from_options([["a"]]), None), "plain problem"),
    ],
)
def test_what_has_no_page_is_refused(what: object, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        ec.view(what)


def test_solutions_of_two_puzzles_are_refused() -> None:
    two = [ec.first(ec.read(name)) for name in ("pentominoes_10x6", "pentominoes_20x3")]
    with pytest.raises(ec.ExactCoverError, match="of one puzzle"):
        ec.view(two)


def test_an_iterator_of_solutions_will_do() -> None:
    assert "cubic/somacube" in ec.view(ec.solve(ec.read("somacube"), limit=2)).html


def test_a_page_of_many_solutions_stays_small() -> None:
    puzzle = ec.read("somacube")
    few = len(ec.view(ec.solve(puzzle, limit=4)).html)
    many = len(ec.view(ec.solve(puzzle, limit=100)).html)
    assert many - few < 96 * 700 + 100_000


# -- blocks and four dimensions -------------------------------------------------------------------


def test_blocks_of_many_dimensions_do_not_overlap() -> None:
    lattice = ec.get_lattice("hypercubic-6")
    cells = [tuple(cell) for cell in some_cells(lattice, 2).tolist()]
    offsets = np.array([*nested(bodies_of(lattice), cells).values()])
    assert len(offsets) == 8
    apart = np.abs(offsets[:, None] - offsets[None]).max(axis=2)
    assert (apart[~np.eye(8, dtype=bool)] > 2).all()


@pytest.mark.parametrize(
    ("cells", "ridges", "edges"),
    [
        ([(0, 0, 0, 0)], 24, 32),
        # Of a box twice as long, 12 of the 24 polygons and 8 of the 32 edges are cut in two.
        ([(0, 0, 0, 0), (1, 0, 0, 0)], 36, 40),
        ([(0, 0, 0, 0), (0, 0, 0, 1)], 36, 40),
    ],
)
def test_a_box_in_four_dimensions_has_its_polygons_and_edges(
    cells: list[tuple[int, ...]], ridges: int, edges: int
) -> None:
    contents = contents_of([cells], ec.get_lattice("hypercubic"))
    made = FourthDimension(bodies_of(contents.lattice), cells)
    found = made.ridges(cells)
    assert len(found) == ridges
    assert len(made.edges(found)) == edges


@pytest.mark.parametrize("axis", range(4))
def test_four_dimensions_are_open_where_a_piece_goes_on_across_the_joint(axis: int) -> None:
    """Of the 32 edges of each end the 12 of the cut are dashed; balls have a line each."""
    ring = [tuple(n * (at == axis) for at in range(4)) for n in range(3)]
    region = ec.Region(ring, wrap=(tuple(3 * (at == axis) for at in range(4)),))
    two = ec.Piece("I", ring[:2]), ec.Piece("O", ring[:1], within=ring[1:2])
    solution = ec.first(ec.Puzzle("hypercubic", region, two))
    assert solution is not None
    shown = data(ec.view(solution))["fourth"]
    (scene,) = shown["scenes"]
    owners = np.array(unpacked(scene["edgeOwners"]))
    corners = np.array(unpacked(shown["corners"])).reshape(-1, 4)
    ends = corners[np.array(unpacked(scene["edges"])).reshape(-1, 2)]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    assert np.count_nonzero(lengths > 0.99) == 32 + 2 * (32 - 12)
    short = lengths < 0.99
    assert lengths[short] == pytest.approx(np.full(2 * 12 * 5, 1 / 9))
    crossing = solution.placements[0].piece == "O"
    assert set(owners[short].tolist()) == {int(crossing)}
    at = ends[short, :, axis]
    assert np.ptp(at) == pytest.approx(3)
    assert len(np.unique(at.round(3))) == 2  # all of them lie on the two cuts
    stubs = np.array(unpacked(shown["stubs"])).reshape(-1, 2)
    beyond = np.array(unpacked(shown["ends"])).reshape(-1, 4)
    cells = np.array(unpacked(shown["centres"])).reshape(-1, 4)
    assert sorted(stubs.tolist()) == [[0, 2], [2, 0]]
    assert np.abs(beyond - cells[stubs[:, 0]]).sum(axis=1).tolist() == [1, 1]
