"""Pictures by their structure: areas, outlines, colours, order; not by pixels."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import exactcover as ec
from exactcover.formats import read_puzzles
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import neighbour_graph
from exactcover.lattices import Lattice, get_lattice
from exactcover.library import piece_set
from exactcover.proofs import find_proof
from exactcover.render import isometric
from exactcover.render.bodies import SOLID, as_tuples, bodies_of
from exactcover.render.figures import figure_of
from exactcover.render.palette import FIXED, PALETTE, colour, colour_numbers, contrast, ink_on
from exactcover.render.parts import Part
from exactcover.render.sheets import LETTERS, lines_of
from exactcover.render.svg import Disc, Figure, Label
from exactcover.render.svg import Path as Drawn
from tests.helpers.lattices_under_test import EVERY, name_of, some_cells

DEFS = Path(__file__).parents[2] / "defs"
SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: ec.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def pieces_of(picture: ec.Picture) -> list[tuple[str, str, str]]:
    """Each outline with a title: the title, its steps, and its colour."""
    found = []
    for path in parsed(picture).iter(f"{SVG}path"):
        title = path.find(f"{SVG}title")
        if title is not None:
            found.append((str(title.text), path.attrib["d"], path.attrib["fill"]))
    return found


def area(steps: str) -> float:
    """The area inside the loops of a path; the loops of holes run the other way."""
    total = 0.0
    for loop in steps.split("M")[1:]:
        x, y = np.array(re.findall(r"-?[\d.]+", loop), float).reshape(-1, 2).T
        total += 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return abs(total)


def block(lattice: Lattice) -> list[tuple[int, ...]]:
    """A few cells of each kind."""
    return as_tuples(some_cells(lattice, 2))


AREAS = {
    "square": 36**2,
    "hexagonal": 36**2 * np.sqrt(3) / 2,
    "triangular": (36 * np.sqrt(3)) ** 2 * np.sqrt(3) / 4,
}
"""The area of a cell in square pixels, where neighbours are 36 pixels apart."""

FLAT = ["pentominoes_10x6", "pentahexes_11x10", "heptiamonds_14x6"]


@pytest.mark.parametrize("name", FLAT)
def test_each_piece_is_one_outline_and_their_areas_make_up_the_region(name: str) -> None:
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    picture = ec.picture(solution, cell=36)
    outlines = pieces_of(picture)
    assert Counter(title for title, _, _ in outlines) == Counter(
        placement.piece for placement in solution.placements
    )
    whole = len(puzzle.space) * AREAS[puzzle.lattice.name]
    assert sum(area(steps) for _, steps, _ in outlines) == pytest.approx(whole, rel=1e-3)


@pytest.mark.parametrize("name", ["pentominoes_10x6", "heptiamonds_14x6", "pentahexes_11x10"])
def test_pieces_that_touch_differ_in_colour(name: str) -> None:
    solution = ec.first(ec.read(name))
    outlines = pieces_of(ec.picture(solution))
    corners = [set(re.findall(r"-?[\d.]+ -?[\d.]+", steps)) for _, steps, _ in outlines]
    fills = [fill for _, _, fill in outlines]
    touching = [(a, b) for a, b in combinations(range(len(fills)), 2) if corners[a] & corners[b]]
    assert len(touching) > len(fills)
    assert all(fills[a] != fills[b] for a, b in touching)


def test_a_piece_keeps_its_colour_from_one_solution_to_the_next() -> None:
    first, second = (
        {title: fill for title, _, fill in pieces_of(ec.picture(solution))}
        for solution in ec.solve(ec.read("pentominoes_20x3"))
    )
    assert first == second
    assert len(set(first.values())) == 12


def test_colours_of_many_copies_differ_where_they_touch() -> None:
    ring = [(number, (number + 1) % 31) for number in range(31)]
    numbers = colour_numbers(["A"] * 31, {"A": 0}, ring)
    assert all(numbers[a] != numbers[b] for a, b in ring)
    assert len({colour(number) for number in range(60)}) == 60


def test_ink_can_be_read_on_each_colour_of_the_palette() -> None:
    for tone in PALETTE:
        for ground, ink in zip(tone, ink_on(tone), strict=True):
            assert contrast(ground, ink) >= 4.5


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_every_lattice_is_drawn(lattice: Lattice) -> None:
    cells = block(lattice)
    whole = ec.picture(ec.Region(np.array(cells)), lattice=lattice)
    layered = ec.picture([cells[:1], cells[:2]], lattice=lattice, layers=True, theme="dark")
    for picture in (whole, layered):
        root = parsed(picture)
        assert float(root.attrib["width"]) == pytest.approx(picture.width, abs=0.01)
        assert 16 < picture.width < 1500
        assert 16 < picture.height < 1500
        box = [float(number) for number in root.attrib["viewBox"].split()]
        assert box[2:] == pytest.approx([picture.width, picture.height], abs=0.01)
        shapes = [*root.iter(f"{SVG}path"), *root.iter(f"{SVG}circle")]
        assert shapes
        for path in root.iter(f"{SVG}path"):
            places = np.array(re.findall(r"-?[\d.]+", path.attrib["d"]), float).reshape(-1, 2)
            assert (places >= 0).all()
            assert (places <= np.array(box[2:])).all()


@pytest.mark.parametrize(
    "file",
    sorted(path for path in DEFS.rglob("*.*") if path.suffix in (".toml", ".txt")),
    ids=name_of,
)
def test_every_shipped_puzzle_is_drawn(file: Path) -> None:
    for document in read_puzzles(str(file)):
        puzzle = document.puzzle
        if puzzle is None:
            with pytest.raises(ec.ExactCoverError, match="no picture"):
                ec.picture(document.content)
            continue
        picture = ec.picture(puzzle, cell=36)
        assert parsed(picture).find(f"{SVG}title") is not None
        if each := AREAS.get(puzzle.lattice.name):
            drawn = sum(area(steps) for _, steps, _ in pieces_of(picture))
            assert drawn == pytest.approx(len(puzzle.space) * each, rel=1e-3)


# -- space ----------------------------------------------------------------------------------------


def seen_at(figure: Figure, place: np.ndarray) -> str:
    """The title of the face that is painted last at a place."""
    found = ""
    for shape in figure.shapes:
        if isinstance(shape, Drawn) and shape.fill and shape.title:
            (loop,) = shape.loops
            corners = np.array(loop)
            steps = np.roll(corners, -1, axis=0) - corners
            away = place - corners
            turns = steps[:, 0] * away[:, 1] - steps[:, 1] * away[:, 0]
            if (turns <= 0).all() or (turns >= 0).all():
                found = shape.title
    return found


def first_hit(cells: list[tuple[int, ...]], lattice: Lattice, place: np.ndarray) -> str:
    """The cell that a ray from the viewer hits first: by the half spaces of all cells."""
    bodies = bodies_of(lattice)
    best, name = -np.inf, ""
    for number, cell in enumerate(cells):
        corners = bodies.in_space(bodies.corners(cell)) @ isometric.VIEW
        low, high = -np.inf, np.inf
        for side in bodies.body(cell).sides:
            a, b, c = (corners[k] for k in side[:3])
            normal = np.cross(b - a, c - a)
            if normal @ (corners.mean(axis=0) - a) > 0:
                normal = -normal
            room = normal @ a - normal[:2] @ place  # normal z <= room inside
            if abs(normal[2]) < 1e-9:
                if room < 0:
                    low = np.inf
            elif normal[2] > 0:
                high = min(high, room / normal[2])
            else:
                low = max(low, room / normal[2])
        if low < high and high > best:
            best, name = high, str(number)
    return name


SOLIDS = [one for one in EVERY if one.dimension == 3 and bodies_of(one).kinds[0].sort == SOLID]


@pytest.mark.parametrize("lattice", SOLIDS, ids=name_of)
def test_what_is_painted_last_is_what_a_ray_hits_first(lattice: Lattice) -> None:
    random = np.random.default_rng(7)
    cells = as_tuples(random.permutation(some_cells(lattice, 3)))[:40]
    parts = [Part((cell,), colour(0), title=str(number)) for number, cell in enumerate(cells)]
    figure = figure_of(lattice, parts)
    hits = 0
    for place in random.uniform(figure.low, figure.high, (150, 2)):
        expected = first_hit(cells, lattice, place * [1, -1])
        assert seen_at(figure, place) == expected
        hits += bool(expected)
    assert hits > 20


def test_hidden_faces_are_left_out() -> None:
    """Of a cube of 27 cells one sees nine faces on each of three sides."""
    cubic = get_lattice("cubic")
    cells = tuple(as_tuples(some_cells(cubic, 3)))
    parts = [Part((cell,), colour(0), title=str(cell)) for cell in cells]
    figure = figure_of(cubic, parts)
    assert sum(isinstance(shape, Drawn) and bool(shape.title) for shape in figure.shapes) == 27
    behind = [Part(((0, 3, 0),), colour(1), title="behind"), Part(((2, -3, 2),), colour(2))]
    wall = [Part((cell,), colour(0)) for cell in cells]
    shown = {
        shape.title for shape in figure_of(cubic, wall + behind).shapes if isinstance(shape, Drawn)
    }
    assert "behind" in shown
    hidden = [Part(((-2, 2, -2),), colour(1), title="hidden")]
    shown = {
        shape.title for shape in figure_of(cubic, wall + hidden).shapes if isinstance(shape, Drawn)
    }
    assert "hidden" not in shown


def test_a_piece_in_space_has_no_lines_between_its_faces_in_one_plane() -> None:
    bar = Part(((0, 0, 0), (1, 0, 0), (2, 0, 0)), colour(0))
    figure = figure_of(get_lattice("cubic"), [bar])
    lines = [
        frozenset((tuple(np.round(a, 6)), tuple(np.round(b, 6))))
        for shape in figure.shapes
        if isinstance(shape, Drawn) and not shape.closed
        for a, b in shape.loops
    ]
    # Nine edges of a box are seen. The long ones are three pieces each, with no line across.
    assert len(set(lines)) == 3 * 3 + 6


def test_layers_are_as_many_blocks_as_there_are_heights() -> None:
    solution = ec.first(ec.read("somacube"))
    layered = ec.picture(solution, layers=True)
    captions = [text.text for text in parsed(layered).iter(f"{SVG}text")]
    assert [text for text in captions if "=" in str(text)] == ["z=0", "z=1", "z=2"]


def test_four_dimensions_are_blocks_and_five_a_grid_of_them() -> None:
    def captions(name: str) -> list[str]:
        picture = ec.picture(ec.read(name))
        return [str(text.text) for text in parsed(picture).iter(f"{SVG}text")]

    assert captions("dominoes_2x2x2x2") == ["w=0", "w=1"]
    assert captions("dominoes_2x2x2x2x2") == ["w=0 v=0", "w=1 v=0", "w=0 v=1", "w=1 v=1"]
    assert len(captions("dominoes_2x2x2x2x2x2")) == 8


def test_balls_are_painted_from_the_back_to_the_front() -> None:
    fcc = get_lattice("fcc")
    cells = as_tuples(some_cells(fcc, 3))
    figure = figure_of(fcc, [Part((cell,), colour(0), title=str(cell)) for cell in cells])
    bodies = bodies_of(fcc)
    depths = [
        float(
            (bodies.centre(tuple(map(int, re.findall(r"-?\d+", shape.title)))) @ isometric.VIEW)[2]
        )
        for shape in figure.shapes
        if isinstance(shape, Disc)
    ]
    assert len(depths) == 27
    assert depths == sorted(depths)


# -- kinds of things ------------------------------------------------------------------------------


def test_the_weights_of_a_proof_are_written_on_the_cells() -> None:
    puzzle = ec.read("mutilated_chessboard")
    proof = find_proof(puzzle.model.problem)
    texts = [text.text for text in parsed(ec.picture(proof, puzzle=puzzle)).iter(f"{SVG}text")]
    values = proof.cell_values(puzzle.model.layout)
    assert Counter(texts) == Counter(str(value) for value in values.tolist() if value)


def test_a_proof_found_for_a_model_knows_its_puzzle() -> None:
    puzzle = ec.read("mutilated_chessboard")
    plain, proof = find_proof(puzzle.model.problem), find_proof(puzzle.model)
    assert proof == plain
    assert ec.picture(proof).svg == ec.picture(plain, puzzle=puzzle).svg
    assert str(proof._repr_svg_()).startswith("<svg")
    assert plain._repr_svg_() is None
    with pytest.raises(ec.ExactCoverError, match="drawn on its puzzle"):
        ec.picture(plain)


def test_stationary_pieces_and_holes_are_in_the_picture_of_a_puzzle() -> None:
    puzzle = ec.Puzzle.of(
        ["domino x 3", {"name": "S", "cells": [[0, 0], [1, 0]], "stationary": True}],
        {"plus": ["4x2"], "optional": ["1x1 at 4,0"]},
        "square",
    )
    titles = [title for title, _, _ in pieces_of(ec.picture(puzzle))]
    assert titles == ["to be filled", "may stay empty", "S"]


def test_a_sheet_of_solutions_has_each_in_it() -> None:
    solutions = list(ec.solve(ec.read("pentominoes_20x3"), counted="all"))
    picture = ec.picture(solutions)
    assert len(pieces_of(picture)) == 8 * 12


def test_a_set_of_pieces_by_its_name() -> None:
    assert len(pieces_of(ec.picture("hexiamonds"))) == 12
    assert len(pieces_of(ec.picture(ec.read("pentominoes_10x6").pieces))) == 12


def test_names_that_xml_cannot_hold_are_escaped() -> None:
    piece = ec.Piece("<&>'\"", [(0, 0), (1, 0)])
    picture = ec.picture(piece, lattice="square", title="a < b & c")
    root = parsed(picture)
    assert root.find(f"{SVG}title").text == "a < b & c"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["<&>'\""]


def test_themes_choose_between_two_colours() -> None:
    puzzle = ec.read("pentominoes_10x6")
    light, dark, auto = (ec.picture(puzzle, theme=theme).svg for theme in ("light", "dark", "auto"))
    assert "#FFFFFF" in light
    assert "#111418" not in light
    assert "#111418" in dark
    assert "#FFFFFF" not in dark
    assert "prefers-color-scheme:dark" in auto
    assert "<style>" not in light + dark


def test_notebooks_show_what_has_a_picture() -> None:
    puzzle = ec.read("somacube")
    shown = (puzzle, puzzle.pieces[0], puzzle.region, ec.first(puzzle), ec.picture(puzzle))
    for value in (*shown, piece_set("pentominoes")):
        assert str(value._repr_svg_()).startswith("<svg")
    assert ec.Piece("A", [(0, 0)])._repr_svg_() is None
    assert ec.Region([(0, 0)])._repr_svg_() is None
    assert ec.first([["a"]])._repr_svg_() is None


def test_the_lattice_of_a_piece_does_not_tell_it_from_its_equal() -> None:
    puzzle = ec.Puzzle.of([ec.Piece("I", [(0, 0), (1, 0)])], [(0, 0), (1, 0)], "square")
    assert puzzle.pieces[0] == ec.Piece("I", puzzle.pieces[0].cells)


@pytest.mark.parametrize(
    ("what", "said", "message"),
    [
        (ec.Piece("A", [(0, 0)]), {}, "do not say on which lattice"),
        (3, {}, "there is no picture of 3"),
        ([], {}, "the list is empty"),
        ("pentominoes", {"theme": "blue"}, "theme"),
        ("pentominoes", {"cell": -1}, "a number of pixels"),
        ("pentominoes", {"cell": "wide"}, "cell='wide': it must be a number of pixels"),
        ("pentominoes", {"unit": "20"}, "unit='20': it must be a number of millimetres"),
        ("pentominoes", {"title": 5}, "title=5: it must be a text"),
        ("nonsense", {}, "set of pieces"),
    ],
)
def test_what_cannot_be_drawn_is_refused(what: object, said: dict, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        ec.picture(what, **said)


def test_a_solution_of_a_plain_problem_has_no_picture() -> None:
    with pytest.raises(ec.ExactCoverError, match="it has no cells"):
        ec.picture(ec.first([["a"]]))


def test_a_picture_is_saved_by_the_ending_of_its_file(tmp_path: Path) -> None:
    picture = ec.picture("tetrominoes")
    picture.save(tmp_path / "set.svg")
    assert (tmp_path / "set.svg").read_text() == picture.svg
    with pytest.raises(ec.ExactCoverError, match=r"must be one of \.svg, \.png, \.pdf"):
        picture.save(tmp_path / "set.gif")
    with pytest.raises(ec.ExactCoverError, match="cannot be written"):
        picture.save(tmp_path / "missing" / "set.svg")


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_other_formats_come_with_the_extra(
    ending: str, start: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = ec.picture("tetrominoes")
    path = tmp_path / f"set{ending}"
    package = {".png": "resvg_py", ".pdf": "cairosvg"}[ending]
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, package, None)
        with pytest.raises(ec.ExactCoverError, match=r"exactcover\[picture\]"):
            picture.save(path)
    try:
        import_module(package)
    except (ImportError, OSError) as reason:  # OSError: the system has no library cairo
        pytest.skip(str(reason))
    picture.save(path)
    assert path.read_bytes().startswith(start)


def test_names_are_left_out_if_they_are_not_wanted() -> None:
    solution = ec.first(ec.read("somacube"))
    assert [*parsed(ec.picture(solution, names=False)).iter(f"{SVG}text")] == []
    named = figure_of(get_lattice("square"), [Part(((0, 0),), colour(0), "a" * 40)])
    (label,) = (shape for shape in named.shapes if isinstance(shape, Label))
    assert label.text.endswith("…")


# -- boards ---------------------------------------------------------------------------------------

WRAPPED = ["tetrominoes_cylinder_5x4", "tetrahexes_torus_7x4", "hexiamonds_cylinder_12x3"]


@pytest.mark.parametrize("name", WRAPPED)
def test_a_piece_that_crosses_the_joint_is_open_there(name: str) -> None:
    """As many dashes as pairs of neighbours in one piece that are none without the joint, twice."""
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    expected = 0
    for placement in solution.placements:
        cells = np.array(placement.cells)
        wrapped = CellSet.of(puzzle.lattice, cells, puzzle.periods)
        alone = CellSet.of(puzzle.lattice, cells)
        expected += len(neighbour_graph(wrapped)[1]) - len(neighbour_graph(alone)[1])
    picture = ec.picture(solution)
    dashed = [
        path.attrib["d"].count("M")
        for path in parsed(picture).iter(f"{SVG}path")
        if "stroke-dasharray" in path.attrib
    ]
    assert sum(dashed) == expected > 0
    assert "dashed line" in parsed(picture).find(f"{SVG}desc").text
    outlines = pieces_of(picture)
    areas = {title: area(steps) for title, steps, _ in outlines}
    sizes = {placement.piece: len(placement.cells) for placement in solution.placements}
    cell = min(areas[title] / sizes[title] for title in areas)
    assert all(areas[title] == pytest.approx(cell * sizes[title], rel=1e-2) for title in areas)


def test_a_solid_that_crosses_the_joint_has_dashed_edges_round_its_cut() -> None:
    cubic = get_lattice("cubic")
    cells = [(x, 0, 0) for x in range(3)]
    region = ec.Region(cells, wrap=((3, 0, 0),))
    piece = ec.Piece("I", [(0, 0, 0), (1, 0, 0)])
    single = ec.Piece("O", [(0, 0, 0)], within=[(1, 0, 0)])
    picture = ec.picture(ec.first(ec.Puzzle(cubic, region, (piece, single))))
    dashed = [path.attrib for path in parsed(picture).iter(f"{SVG}path")]
    dashed = [path for path in dashed if "stroke-dasharray" in path]
    # The cut to the right is seen with its four edges, the one to the left with two of them.
    assert sum(path["d"].count("M") for path in dashed) == 6 + 2


def test_sticks_and_discs_that_cross_the_joint_have_a_dashed_line_there() -> None:
    sticks = get_lattice("sticks-square")
    row = [(x, 0, 0) for x in range(3)]
    discs = replace(get_lattice("square"), name="discs", outlines={})
    flat = [cell[:2] for cell in row]
    for lattice, cells in ((sticks, row), (discs, flat), (get_lattice("fcc"), row)):
        piece = ec.Piece("I", cells[:2])
        single = ec.Piece("O", cells[:1], within=cells[1:2])
        period = (3, 0, 0)[: lattice.dimension]
        puzzle = ec.Puzzle(lattice, ec.Region(cells, wrap=(period,)), (piece, single))
        root = parsed(ec.picture(ec.first(puzzle)))
        dashed = [path for path in root.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]
        assert sum(path.attrib["d"].count("M") for path in dashed) == 2


def test_cells_show_what_they_cost() -> None:
    puzzle = ec.read("tetrominoes_franklin")
    texts = [text.text for text in parsed(ec.picture(puzzle)).iter(f"{SVG}text")]
    assert Counter(texts) == Counter(f"{cost:g}" for cost in puzzle.region.costs.values())


def test_pieces_of_one_copy_keep_their_colours_beside_many_copies() -> None:
    most = {"A": 1, "I": None, "B": 1}
    names = ["I"] * 30 + ["B", "A"]
    line = [(number, number + 1) for number in range(31)]
    numbers = colour_numbers(names, most, line)
    assert (numbers[-1], numbers[-2]) == (0, 2)
    assert not {0, 2} & set(numbers[:30])
    assert all(numbers[a] != numbers[b] for a, b in line)


def test_copies_take_the_colours_of_their_piece_in_turn() -> None:
    assert colour_numbers(["L", "I", "L", "I"], {"I": 2, "L": 3}, []) == [2, 0, 3, 1]


def test_stationary_pieces_are_grey() -> None:
    picture = ec.picture(ec.first(ec.read("pentominoes_8x8_hole")))
    fills = Counter(fill for _, _, fill in pieces_of(picture))
    assert fills[FIXED.light] == 1
    assert len(fills) == 13


def test_a_sheet_of_puzzles_has_the_name_of_each() -> None:
    names = ["pentominoes_20x3", "hexominoes_box_in_a_diamond", "tetrominoes_5x4"]
    puzzles = [ec.read(name) for name in names]
    sheet = ec.picture(puzzles)
    texts = [str(text.text) for text in parsed(sheet).iter(f"{SVG}text")]
    assert {line for name in names for line in lines_of(name)} <= set(texts)
    alone = [title for puzzle in puzzles for title, _, _ in pieces_of(ec.picture(puzzle))]
    assert [title for title, _, _ in pieces_of(sheet)] == alone
    with pytest.raises(ec.ExactCoverError, match="of one lattice"):
        ec.picture([*puzzles, ec.read("somacube")])


def test_long_names_are_broken_at_underscores() -> None:
    name = "dioctets_and_trioctets_any_octahedron_2"
    lines = lines_of(name)
    assert "".join(lines) == name
    assert len(lines) == 2
    assert max(map(len, lines)) <= LETTERS
    assert lines_of("a" * 60) == ["a" * 60]
    assert lines_of("") == []


def test_placements_need_no_puzzle() -> None:
    solution = ec.first(ec.read("pentominoes_20x3"))
    alone = pieces_of(ec.picture(solution.placements, lattice="square"))
    assert [path[:2] for path in alone] == [path[:2] for path in pieces_of(ec.picture(solution))]
    with pytest.raises(ec.ExactCoverError, match="on which lattice"):
        ec.picture(solution.placements)


@pytest.mark.parametrize("lattice", EVERY, ids=name_of)
def test_the_picture_of_a_lattice_has_coordinates(lattice: Lattice) -> None:
    root = parsed(ec.picture(lattice, layers=lattice.dimension == 3, cell=200))
    texts = [str(text.text) for text in root.iter(f"{SVG}text") if "=" not in str(text.text)]
    assert texts
    numbers = min(lattice.dimension, 3) + lattice.width - lattice.dimension
    if lattice.dimension > 2 and len(lattice.kinds) > 2:
        numbers = 1
        assert set(texts) <= {str(kind) for kind in range(len(lattice.kinds))}
    assert {len(text.split(",")) for text in texts} == {numbers}


def test_balls_that_are_covered_are_left_out() -> None:
    """One ball exactly behind another is covered; the pile without it looks the same."""
    fcc = get_lattice("fcc")
    cells = as_tuples(some_cells(fcc, 4))
    bodies = bodies_of(fcc)
    figure = figure_of(fcc, [Part((cell,), colour(0), title=str(cell)) for cell in cells])
    drawn = {shape.title for shape in figure.shapes if isinstance(shape, Disc)}
    middles = {cell: bodies.centre(cell) @ isometric.VIEW for cell in cells}
    radius = bodies.pitch / 2
    assert len(drawn) < len(cells)
    grid = np.linspace(-radius, radius, 41)
    inside = np.array([(x, y) for x in grid for y in grid if x * x + y * y < (0.99 * radius) ** 2])
    for cell, middle in middles.items():
        left = inside + middle[:2]
        for other in middles.values():
            if other[2] > middle[2] + 1e-9:
                left = left[np.linalg.norm(left - other[:2], axis=1) > radius]
        if str(cell) not in drawn:
            assert len(left) == 0
        elif len(left) == 0:
            raise AssertionError(f"{cell} is covered and drawn")
