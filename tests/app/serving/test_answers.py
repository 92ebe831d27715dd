"""The interface: what it says of puzzles, compared with the package itself."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode, urlsafe_b64decode
from dataclasses import replace

import pytest

import exactcover as ec
from exactcover.formats import Document, parse, read_puzzle, write, written
from exactcover.formats.shipped import headings
from exactcover.lattices import lattices
from exactcover.puzzle.paint import Paint
from tests.helpers.real_server import Served


def test_a_shipped_puzzle_is_the_one_of_the_package(server: Served) -> None:
    said = server.api("/shelf/square/pentominoes_10x6")
    puzzle = ec.read("pentominoes_10x6")
    [document] = parse(said["text"], "toml")
    assert document.puzzle is not None
    assert document.puzzle.model.problem.n_options == puzzle.model.problem.n_options
    assert said["board"]["cells"] == puzzle.space.cells.tolist()
    assert [piece["name"] for piece in said["pieces"]] == [piece.name for piece in puzzle.pieces]
    packed = said["link"].removeprefix("#puzzle=")
    text = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15)
    assert text.decode() == said["text"]
    assert server.api(f"/puzzles/{said['id']}") == said


def test_the_shelf_has_every_shipped_puzzle_with_cells(server: Served) -> None:
    shelf = {row["name"]: row for row in server.api("/shelf")}
    plain = {row.name for row in headings()} - shelf.keys()
    assert all(name.startswith("generic/") for name in plain), plain
    for row in headings():
        if row.name in shelf:
            counted = shelf[row.name]["counted"]
            assert shelf[row.name]["solutions"] == (row.counts[counted] if counted else None)
    assert {1, 2, 3, 4, 5} == {row["difficulty"] for row in shelf.values()} - {None}


def test_the_shelf_and_its_pictures_are_files(server: Served) -> None:
    """So the first view of the page draws nothing, and compiles nothing."""
    assert server.ask("/api/shelf/square/nothing/picture.svg").status == 404
    for row in server.api("/shelf"):
        for theme in ("light", "dark"):
            name = row["name"].replace("#", "%23")
            dark = int(theme == "dark")
            picture = server.ask(f"/api/shelf/{name}/picture.svg?dark={dark}")
            assert (name, picture.status, picture.body[:4]) == (name, 200, b"<svg")
            coarse = server.ask(f"/api/shelf/{name}/picture.png?dark={dark}")
            assert (name, coarse.status) == (name, 200 if row["solved"] else 404)
            assert not row["solved"] or coarse.body[1:4] == b"PNG"
        assert not (row["solved"] and row["solutions"] == 0)


def test_a_set_is_drawn_and_a_region_without_pieces_has_a_model(server: Served) -> None:
    drawn = server.ask("/api/sets/hexiamonds/picture.svg?dark=0")
    assert drawn.body.count(b"<title>") >= 12
    assert server.ask("/api/sets/octominoes/picture.svg").status == 413
    draft = {"lattice": "cubic", "cells": [[0, 0, 0], [1, 0, 0]], "pieces": []}
    assert len(server.api("/draft/view.json", draft)["board"]["cells"]) == 2


def test_the_collections_of_the_page_are_on_the_shelf(server: Served) -> None:
    page = server.ask("/page/collections.js").body.decode()
    named = set(re.findall(r'^  "([a-z0-9-]+/\w+)",$', page, re.MULTILINE))
    assert len(named) > 20
    assert named <= {row["name"] for row in server.api("/shelf")}


QUICK = ("square", "hexagonal", "sticks-square", "octet", "hypercubic")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)
        for name in sorted(lattices())
    ],
)
def test_the_example_of_every_board_can_be_drawn(server: Served, name: str) -> None:
    [row] = [row for row in server.api("/lattices") if row["name"] == name]
    assert row["sets"]
    for board in row["boards"]:
        shape = board["example"].replace(" ", "%20")
        drawn = server.api(f"/boards/{name}?shape={shape}")
        places = [at for layer in drawn["layers"] for at in layer["cells"]]
        assert sorted(places) == list(range(len(drawn["cells"])))  # each cell in one layer, once
        for layer in drawn["layers"]:
            assert len(layer["polygons"]) == len(layer["cells"])
            for polygon in layer["polygons"]:
                assert len(polygon) >= 3
                assert all(-0.01 <= x <= layer["width"] + 0.01 for x, _ in polygon)
                assert all(-0.01 <= y <= layer["height"] + 0.01 for _, y in polygon)


def test_a_board_around_a_puzzle_holds_its_cells(server: Served) -> None:
    said = server.api("/shelf/hexagonal/tetrahexes_7x4")
    drawn = server.api(f"/boards/hexagonal?around={said['id']}&margin=2")
    assert {*map(tuple, said["board"]["cells"])} < {*map(tuple, drawn["cells"])}


def test_a_draft_is_the_puzzle_that_was_drawn(server: Served) -> None:
    cells = [[x, y] for x in range(5) for y in range(4)]
    tetrominoes = [{"set": "tetrominoes", "low": 1, "high": 1}]
    said = server.api(
        "/draft",
        {"title": "Five in a box", "lattice": "square", "cells": cells, "pieces": tetrominoes},
    )
    assert said["title"] == "Five in a box"
    verdict = server.api(f"/puzzles/{said['id']}/check")
    assert verdict["verdict"] == "impossible"  # T covers three cells of one colour
    assert {entry["class"] for entry in verdict["colours"]} == {0, 1}
    assert (verdict["volume"], verdict["cells"]) == ([20, 20], 20)


def test_files_of_every_format_are_read(server: Served) -> None:
    [document] = read_puzzle("somacube")
    for form, name in (("toml", "a.toml"), ("polycube", "a.txt"), ("xmpuzzle", "a.xmpuzzle")):
        data = b64encode(written([document], form)).decode()
        [said] = server.api("/puzzles", {"base64": data, "name": name})["puzzles"]
        assert (len(said["pieces"]), len(said["board"]["cells"])) == (7, 27)


def test_colours_are_kept(server: Served) -> None:
    """The painted end of the domino lies on an end of the row, without colours anywhere."""
    ground = {(x, 0, 0): colour for x, colour in enumerate((1, 2, 2, 1))}
    paint = Paint(ground, {"A": (1, 0)}, frozenset({(1, 1)}))
    row, domino = [(x, 0, 0) for x in range(4)], [(0, 0, 0), (1, 0, 0)]
    pieces = (ec.Piece("A", domino), ec.Piece("B", [(0, 0, 0)], 2, 2))
    painted = ec.Puzzle("cubic", ec.Region(row), pieces, paint=paint)
    for puzzle in (painted, replace(painted, paint=None)):
        text = write([Document("x", puzzle, "Ends")], "xmpuzzle" if puzzle.paint else "toml")
        for _ in range(2):  # the second time by the text that the page keeps
            [said] = server.api("/puzzles", {"text": text, "name": ""})["puzzles"]
            text = said["text"]
        assert said["title"] == "Ends"
        assert said["form"] == ("BurrTools" if puzzle.paint else "TOML")
        run = server.ended(server.run(said["id"], what="count", unique="all")["id"])
        assert run["solutions"] == ec.count(puzzle, counted="all") == (2 if puzzle.paint else 3)


def test_pictures_are_those_of_the_package(server: Served, box: str) -> None:
    run = server.run(box, what="first")["id"]
    server.ended(run)
    drawn = server.ask(f"/api/runs/{run}/solutions/0/picture.svg?dark=1")
    assert drawn.headers["content-type"] == "image/svg+xml"
    [record] = server.api(f"/runs/{run}/solutions")["solutions"]
    puzzle = ec.read("pentominoes_20x3")
    names = [puzzle.pieces[owner].name for owner in record["owners"]]
    [same] = [
        one
        for one in ec.solve(puzzle, counted="all")
        if {cell: placed.piece for placed in one.placements for cell in placed.cells}
        == dict(zip(map(tuple, puzzle.space.cells.tolist()), names, strict=True))
    ]
    title = f"{server.api(f'/puzzles/{box}')['title']}: a solution"
    assert drawn.body.decode() == ec.picture(same, theme="dark", title=title).svg
    assert len(server.ask(f"/api/puzzles/{box}/view.json").json["board"]["cells"]) == 120


def test_a_page_gets_all_solutions_to_play_with(server: Served, box: str) -> None:
    said = server.api(f"/puzzles/{box}/aid.json")
    assert (said["total"], said["different"], said["complete"]) == (8, 2, True)


def test_strategies_search_the_puzzle(server: Served, box: str) -> None:
    named = server.api(f"/strategies?puzzle={box}")
    assert len(named) > 3
    run = server.run(box, what="all", strategy=named[-1]["name"])
    assert server.ended(run["id"])["solutions"] == 2


def test_an_estimate_without_an_upper_bound_has_no_value(server: Served) -> None:
    """In a tenth of a second there are hardly three walks, and no number is shown without them."""
    puzzle = server.api("/shelf/hypercubic/pentatesseracts_11x3x2x2")["id"]
    said = server.api(f"/puzzles/{puzzle}/estimate?seconds=0.1")
    assert said["status"] == "limit"
    for number in (said["solutions"], said["nodes"]):
        assert (number["value"] is None) == (number["high"] is None)


def test_the_layers_of_a_board_share_their_coordinates(server: Served) -> None:
    """So the layers of a piece show where its cells lie above each other."""
    pictures = {}
    for piece in server.api("/shelf/cubic/somacube")["pieces"]:
        layers = piece["outline"]["layers"]
        assert len({(one["width"], one["height"]) for one in layers}) == 1
        pictures[piece["name"]] = json.dumps([one["polygons"] for one in layers])
    assert len(set(pictures.values())) == len(pictures)
    bcc = server.api("/shelf/bcc/pairs_3x2x2")["board"]["layers"]
    assert [one["title"] for one in bcc] == ["layer 1", "layer 2", "layer 3"]
    (left, *_), (between, *_) = (
        sorted(min(x for x, _ in polygon) for polygon in one["polygons"]) for one in bcc[:2]
    )
    assert left == 0 < between
