"""Lines to cut: their lengths, each once, and files in millimetres."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely

import exactcover as ec
from exactcover.geometry.bodies import BAR, POLYGON, bodies_of
from exactcover.lattices import Lattice
from exactcover.studio.making import CutSheet, cut_lines
from tests.helpers.cell_graphs import random_shape
from tests.helpers.lattices_under_test import EVERY, name_of

FLAT = [lattice for lattice in EVERY if lattice.dimension <= 2]
POLYGONS = [lattice for lattice in FLAT if bodies_of(lattice).kinds[0].sort == POLYGON]
STICKS = [lattice for lattice in FLAT if bodies_of(lattice).kinds[0].sort == BAR]

SVG = "{http://www.w3.org/2000/svg}"

PENTOMINOES = ec.read("pentominoes_10x6")


def perimeter(lattice: Lattice, shapes: list[list[tuple[int, ...]]]) -> float:
    """The length of the edges round shapes, each edge once, in units; from exact corners."""
    bodies = bodies_of(lattice)
    edges: dict[frozenset[tuple[int, ...]], float] = {}
    for shape in shapes:
        times: Counter[frozenset[tuple[int, ...]]] = Counter()
        lengths = {}
        for cell in shape:
            corners = bodies.corners(cell)
            for a, b in bodies.body(cell).sides:
                edge = frozenset((corners[a], corners[b]))
                times[edge] += 1
                ends = bodies.in_space([corners[a], corners[b]])
                lengths[edge] = float(np.linalg.norm(ends[1] - ends[0]))
        edges |= {edge: lengths[edge] for edge, number in times.items() if number == 1}
    return sum(edges.values())


def segments(sheet: CutSheet) -> list[shapely.LineString]:
    return [
        shapely.LineString([a, b]) for stroke in sheet.strokes for a, b in pairwise(stroke.tolist())
    ]


# -- lengths and areas ----------------------------------------------------------------------------


@pytest.mark.parametrize("lattice", POLYGONS, ids=name_of)
@pytest.mark.parametrize("seed", range(4))
def test_the_length_is_that_of_the_outer_edges(lattice: Lattice, seed: int) -> None:
    cells = random_shape(lattice, 6, seed)
    made = cut_lines([cells], lattice=lattice, unit=10)
    assert made.length == pytest.approx(10 * perimeter(lattice, [cells]), rel=1e-6)
    assert made.parts[0].length == pytest.approx(made.length)


@pytest.mark.parametrize("lattice", FLAT, ids=name_of)
def test_the_kerf_moves_every_side_outwards(lattice: Lattice) -> None:
    """By Steiner's formula the area grows by about the length times the distance."""
    cells = random_shape(lattice, 5, 2)
    (plain,) = cut_lines([cells], lattice=lattice).parts
    (part,) = cut_lines([cells], lattice=lattice, kerf=0.02).parts
    assert part.area - plain.area == pytest.approx(0.01 * plain.length, rel=0.01)


def test_an_x_of_20_mm_with_a_kerf() -> None:
    """Each of 12 sides moves by 0.075 mm: 8 corners more than 4 valleys."""
    x = next(piece for piece in PENTOMINOES.pieces if piece.name == "X")
    (part,) = cut_lines(x, kerf=0.15).parts
    assert part.length == pytest.approx(240 + 8 * 0.075)
    assert part.area == pytest.approx(2000 + 240 * 0.075 + 4 * 0.075**2)


# -- solutions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "pentominoes_10x6",
        "hexagonal/tetrahexes_7x4",
        "triangular/hexiamonds_trapezoid",
        "hypercubic-1/rods_6",
        "square/dominoes_4x4",
    ],
)
def test_lines_between_pieces_are_cut_once(name: str) -> None:
    puzzle = ec.read(name)
    solution = ec.first(puzzle)
    assert solution is not None
    made = cut_lines(solution)
    shapes = [list(placement.cells) for placement in solution.placements]
    assert made.length == pytest.approx(20 * perimeter(puzzle.lattice, shapes), rel=1e-6)
    (sheet,) = made.sheets
    overlaps = [a.intersection(b).length for a, b in combinations(segments(sheet), 2)]
    assert max(overlaps, default=0) < 1e-6


# -- sticks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("lattice", STICKS, ids=name_of)
@pytest.mark.parametrize("seed", range(4))
def test_a_piece_of_sticks_is_one_polygon(lattice: Lattice, seed: int) -> None:
    made = cut_lines([random_shape(lattice, 5, seed)], lattice=lattice)
    assert len([s for s in made.sheets[0].strokes if shapely.Polygon(s).exterior.is_ccw]) <= 1
    (part,) = made.parts
    assert part.area > 0


def test_sticks_that_do_not_cross_do_not_overlap() -> None:
    """Each pair of bars at a point, straight or bent, beside the other pair."""
    for puzzle in ("tetrasticks_5x5_without_H", "tetrasticks_5x5_without_L"):
        solution = ec.first(ec.read(f"sticks-square/{puzzle}"))
        made = cut_lines(solution)  # raises where two pieces overlap
        assert len(made.parts) == 15


# -- sheets, trays, files -------------------------------------------------------------------------


def test_pieces_lie_apart_on_several_sheets(tmp_path: Path) -> None:
    made = cut_lines(PENTOMINOES, sheet="120x100", spacing=4)
    files = made.save(tmp_path / "sheet.svg")
    assert [file.name for file in files][:2] == ["sheet-1.svg", "sheet-2.svg"]
    assert len(files) == len(made.sheets) == len([*tmp_path.iterdir()])
    assert sum(len(sheet.strokes) for sheet in made.sheets) == 12
    for sheet in made.sheets:
        shapes = [shapely.Polygon(stroke) for stroke in sheet.strokes]
        room = shapely.box(4, 4, 116, 96).buffer(1e-6)
        assert all(room.covers(shape) for shape in shapes)
        assert all(a.distance(b) >= 4 - 1e-6 for a, b in combinations(shapes, 2))


def test_a_tray_is_a_frame_and_a_base() -> None:
    made = cut_lines(PENTOMINOES, tray=10, kerf=0.2)
    parts = {part.name: part for part in made.parts}
    assert parts["frame"].area == pytest.approx(
        parts["base"].area - (200 - 0.2) * (120 - 0.2), rel=1e-6
    )
    corners = (4 - np.pi) * 10.1**2
    assert parts["base"].area == pytest.approx(220.2 * 140.2 - corners, rel=1e-4)


def test_the_frame_of_a_solution_shares_its_lines() -> None:
    solution = ec.first(PENTOMINOES)
    alone, framed = cut_lines(solution), cut_lines(solution, tray=10)
    base = next(part for part in framed.parts if part.name == "base")
    assert framed.length == pytest.approx(alone.length + 2 * base.length)


def numbers(element: ElementTree.Element, name: str) -> list[float]:
    return [float(word) for word in re.findall(r"-?[\d.]+", element.attrib[name])]


def test_the_svg_is_in_millimetres(tmp_path: Path) -> None:
    made = cut_lines(PENTOMINOES, sheet=(300, 250), names=True)
    (file,) = made.save(tmp_path / "sheet.svg")
    root = ElementTree.parse(file).getroot()
    assert root.attrib["width"] == "300mm"
    assert root.attrib["height"] == "250mm"
    assert numbers(root, "viewBox") == [0, 0, 300, 250]
    total = 0.0
    for path in root.iter(f"{SVG}path"):
        assert path.attrib["d"].endswith("Z")
        points = np.array(numbers(path, "d")).reshape(-1, 2)
        total += shapely.LinearRing(points).length
    assert total == pytest.approx(made.length) == 142 * 20
    assert [text.text for text in root.iter(f"{SVG}text")] == [part.name for part in made.parts]


def test_the_dxf_has_the_same_lines(tmp_path: Path) -> None:
    made = cut_lines(ec.first(PENTOMINOES), names=True)
    (file,) = made.save(tmp_path / "sheet.dxf")
    lines = file.read_text().split("\n")[:-1]
    assert len(lines) % 2 == 0
    pairs = list(zip(map(int, lines[::2]), lines[1::2], strict=True))
    assert pairs[0] == (0, "SECTION")
    assert pairs[-1] == (0, "EOF")
    total, way, closed = 0.0, [], False
    for place, (code, value) in enumerate(pairs):
        if (code, value) == (0, "POLYLINE"):
            way, closed = [], (70, "1") in pairs[place : place + 4]
        elif (code, value) == (0, "VERTEX"):
            way.append([float(pairs[place + 2][1]), float(pairs[place + 3][1])])
        elif (code, value) == (0, "SEQEND"):
            total += (shapely.LinearRing if closed else shapely.LineString)(way).length
    assert total == pytest.approx(made.length) == 87 * 20
    texts = [value for (code, value), (before, _) in zip(pairs[1:], pairs, strict=False)
             if code == 1 and before == 40]  # fmt: skip
    assert sorted(texts) == sorted(part.name for part in made.parts)


# -- what cannot be cut ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "wishes", "message"),
    [
        (PENTOMINOES, {"sheet": "50x50"}, "L is 40 x 80 mm, which does not fit on a sheet of 50"),
        (PENTOMINOES, {"width": 3}, "square cells are no bars"),
        (ec.first(PENTOMINOES), {"kerf": 0.1}, "a piece on each side"),
        (ec.read("somacube"), {}, r"lie in space.*`solids`"),
        ("pentominoes", {"tray": 10}, "pieces alone have no board"),
        ("tetrasticks", {"width": 20}, "make them narrower"),
    ],
)
def test_wrong_wishes_are_told(what: object, wishes: dict[str, object], message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        cut_lines(what, **wishes)


# -- pieces whose cells do not all share sides ----------------------------------------------------

DIAGONAL = [[(0, 0), (1, 1)]]
"""Two squares that touch at a corner."""


def test_a_piece_that_touches_itself_at_a_corner_is_cut() -> None:
    """Once a kerf joined the two outlines, and the message was that nothing is left."""
    (one,) = cut_lines([[(0, 0)]], lattice="square", kerf=0.2).parts
    (part,) = cut_lines(DIAGONAL, lattice="square", kerf=0.2).parts
    assert part.polygons == 2
    assert part.area == pytest.approx(2 * one.area, abs=0.05)


def test_names_in_a_dxf_keep_their_letters(tmp_path: Path) -> None:
    """The escapes are read again as UTF-16."""
    name = "Ä漢😀x"
    made = cut_lines([ec.Piece(name, [(0, 0)])], lattice="square", names=True)
    (file,) = made.save(tmp_path / "one.dxf")
    (text,) = re.findall(r"\n40\n[\d.]+\n1\n(.*)\n", file.read_text("ascii"))
    found = re.sub(r"\\U\+([0-9A-F]{4})", lambda one: chr(int(one[1], 16)), text)
    assert found.encode("utf-16-be", "surrogatepass").decode("utf-16-be") == name
