"""The questions: what the server says of puzzles, compared with the package itself."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace

import pytest

import exactcover as ec
from docs.pictures import shelf_list
from exactcover.formats import Document, parse, read_puzzle, write, written
from exactcover.formats.shipped import headings
from exactcover.puzzle.paint import Paint
from tests.helpers.real_server import Served


def test_a_shipped_puzzle_is_the_one_of_the_package(server: Served) -> None:
    said = server.shelf("square/pentominoes_10x6")
    puzzle = ec.read("pentominoes_10x6")
    [document] = parse(said["text"], "toml")
    assert document.puzzle is not None
    assert document.puzzle.model.problem.n_options == puzzle.model.problem.n_options
    assert said["board"]["cells"] == puzzle.space.cells.tolist()
    assert [piece["name"] for piece in said["pieces"]] == [piece.name for piece in puzzle.pieces]
    assert said["title"] == document.title == "Pentominoes 10×6"
    [again] = server.api("/open", {"name": "", "text": said["text"]})["puzzles"]
    assert again == said


def test_the_shelf_has_every_shipped_puzzle_with_cells(server: Served) -> None:
    shelf = {row["name"]: row for row in server.api("/shelf")}
    plain = {row.name for row in headings()} - shelf.keys()
    assert all(name.startswith("generic/") for name in plain), plain
    for row in headings():
        if row.name in shelf:
            counted = shelf[row.name]["counted"]
            assert shelf[row.name]["solutions"] == (row.counts[counted] if counted else None)
    assert {1, 2, 3, 4, 5} == {row["difficulty"] for row in shelf.values()} - {None}


@pytest.mark.slow
def test_the_models_of_the_first_page_are_up_to_date() -> None:
    kept = json.loads(shelf_list.LANDING.read_text("utf-8"))
    assert [row["name"] for row in kept] == [*shelf_list.LIVING]
    assert kept == json.loads(json.dumps(shelf_list.landing()))


def test_a_picture_of_the_shelf_has_the_region_and_its_pieces(server: Served) -> None:
    drawn = server.ask("/api/shelf/cubic/somacube.svg?dark=1")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.body.count(b"<svg ") == 3
    assert b"solution" not in drawn.body
    assert server.ask("/api/shelf/square/nothing.svg").status == 404


def test_the_collections_of_the_page_are_on_the_shelf(server: Served) -> None:
    [text] = re.findall(r"const COLLECTIONS = (.*?)\n\]", server.ask("/").body.decode(), re.DOTALL)
    named = set(re.findall(r'"([a-z0-9-]+/\w+)"(?!\))', text))
    assert len(named) > 20
    assert named <= {row["name"] for row in server.api("/shelf")}


@pytest.mark.parametrize(
    ("lattice", "shape"),
    [("square", "8x8"), ("triangular", "hexagon 3"), ("hexagonal", "hexagon 4"),
     ("cubic", "3x3x3"), ("sticks-square", "4x3"), ("hypercubic", "2x2x2x2")],
)  # fmt: skip
def test_a_region_in_words_can_be_drawn(server: Served, lattice: str, shape: str) -> None:
    drawn = server.api("/region", {"lattice": lattice, "name": shape})
    places = [at for layer in drawn["layers"] for at in layer["cells"]]
    assert sorted(places) == list(range(len(drawn["cells"])))  # each cell in one layer, once
    for layer in drawn["layers"]:
        assert len(layer["polygons"]) == len(layer["cells"])
        for polygon in layer["polygons"]:
            assert len(polygon) >= 3
            assert all(-0.01 <= x <= layer["width"] + 0.01 for x, _ in polygon)
            assert all(-0.01 <= y <= layer["height"] + 0.01 for _, y in polygon)


@pytest.mark.parametrize("size", ["1000x1000", "99999999999999x3", "30x30x30"])
def test_a_size_is_checked_before_a_board_is_made(server: Served, size: str) -> None:
    lattice = "cubic" if size.count("x") == 2 else "square"
    answer = server.ask("/api/region", {"lattice": lattice, "name": size})
    assert answer.status == 413
    assert "are too many for the page: up to 20,000" in answer.error


def test_a_draft_is_the_puzzle_that_was_drawn(server: Served) -> None:
    cells = [[x, y] for x in range(5) for y in range(4)]
    said = server.api(
        "/draft",
        {"title": "Five", "lattice": "square", "cells": cells, "pieces": [{"set": "tetrominoes"}]},
    )
    assert said["title"] == "Five"
    check = said["check"]
    assert check["volume"] == 20
    assert "there are 10 white and 10 black cells" in check["why"]
    assert {kind for _, kind in check["colours"]} == {0, 1}  # T covers three cells of one colour


def test_files_of_every_format_are_read(server: Served) -> None:
    [document] = read_puzzle("somacube")
    for form, name in (("toml", "a.toml"), ("polycube", "a.txt"), ("xmpuzzle", "a.xmpuzzle")):
        data = b64encode(written([document], form)).decode()
        [said] = server.api("/open", {"base64": data, "name": name})["puzzles"]
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
            [said] = server.api("/open", {"text": text, "name": ""})["puzzles"]
            text = said["text"]
        assert said["title"] == "Ends"
        left = server.api("/left", {"text": text, "placed": []})["left"]
        assert left == ec.count(puzzle, counted="all") == (2 if puzzle.paint else 3)


def test_files_of_a_solution_are_those_of_the_package(server: Served) -> None:
    text = server.shelf("cubic/somacube")["text"]
    row = next(one["rows"][0] for one in server.solve(text) if one.get("rows"))
    asked = {"text": text, "options": row["options"], "title": "Soma"}
    puzzle = parse(text)[0].puzzle
    assert puzzle is not None
    solution = next(one for one in ec.solve(puzzle) if list(one.options) == row["options"])
    drawn = server.ask("/api/file", {**asked, "format": "svg"})
    assert drawn.body.decode() == ec.picture(solution, title="Soma").svg
    assert drawn.headers["content-disposition"] == 'attachment; filename="soma.svg"'
    assert server.ask("/api/file", {**asked, "format": "txt"}).body.decode().split()
    pieces = server.api("/file", {**asked, "format": "json"})["pieces"]
    assert sorted(piece["piece"] for piece in pieces) == sorted("VLTZABP")
    solid = server.ask("/api/file", {**asked, "format": "stl"})
    assert len(solid.body) > 10_000
    assert "data-aid" in server.ask("/api/file", {**asked, "format": "html"}).body.decode()
    wrong = server.ask("/api/file", {**asked, "options": [10**6]})
    assert (wrong.status, wrong.error) == (400, "options: the puzzle has no such placements")


def test_a_page_gets_all_solutions_to_play_with(server: Served, box: str) -> None:
    said = server.api("/play", {"text": box})
    assert (said["total"], said["complete"]) == (8, True)


def test_what_is_left_is_counted_with_the_pieces_where_they_are(server: Served, box: str) -> None:
    """Compared with the solutions that have them, also with copies and pieces that may stay out."""
    dominoes = server.shelf("square/dominoes_4x4")["text"]
    for text in (box, dominoes, server.shelf("square/tetrominoes_any_5x4")["text"]):
        puzzle = parse(text)[0].puzzle
        assert puzzle is not None
        solutions = [{*one.placements} for one in ec.solve(puzzle, counted="all")]
        some = list(next(iter(solutions)))[:2]
        placed = [
            {"piece": one.piece, "cells": puzzle.space.find(list(one.cells)).tolist()}
            for one in some
        ]
        shapes = [{(one.piece, one.cells) for one in solution} for solution in solutions]
        wanted = {(one.piece, one.cells) for one in some}
        found = server.api("/left", {"text": text, "placed": placed})["left"]
        assert found == sum(wanted <= shape for shape in shapes)
        assert server.api("/left", {"text": text, "placed": []})["left"] == len(solutions)


def test_a_model_is_of_a_solution_or_of_the_board(server: Served, box: str) -> None:
    assert len(server.api("/model", {"text": box})["board"]["cells"]) == 60
    assert server.api("/model", {"text": box})["solutions"] is False
    row = next(one["rows"][0] for one in server.solve(box) if one.get("rows"))
    assert server.api("/model", {"text": box, "options": row["options"]})["solutions"] is True
