"""Pictures of puzzles and of solutions, their data for turning in space, and their files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import SVG, TEXT, Answer
from exactcover.app.serving.client_puzzles import ClientPuzzle, known, posed, region_of
from exactcover.puzzle.library import piece_set
from exactcover.search.result import Solution
from exactcover.show.pages.viewing import data_of, data_of_board
from exactcover.show.render import draw_placements
from exactcover.show.render.picture import Picture, picture

ON_A_SHEET = 14.0
"""Pixels of a cell."""

MOST_OF_A_SET = 120
"""Pieces of a set that is drawn small."""

STL = "model/stl"
HTML = "text/html; charset=utf-8"

SEARCH_SECONDS = 5.0
"""How long the solutions of a page that plays without a server are searched for."""


def _answer(made: Picture, name: str = "") -> Answer:
    return Answer(made.svg.encode(), SVG, name=name)


def _solution(one: ClientPuzzle, options: Sequence[int]) -> Solution:
    """A solution that a run has found, by its options."""
    model = one.puzzle.model
    return Solution(tuple(options), model.problem, model)


def picture_of_puzzle(given: Mapping[str, Any]) -> Answer:
    """The picture of a puzzle."""
    one = posed(given)
    return _answer(picture(one.puzzle, theme=given["theme"], title=one.title))


def picture_of_set(given: Mapping[str, Any]) -> Answer:
    """The pieces of a set, side by side."""
    lattice = None if given["lattice"] is None else known(given["lattice"])
    found = piece_set(given["name"], lattice)
    if len(found) > MOST_OF_A_SET:
        raise Refusal(413, f"{found.name} are {len(found):,} pieces, too many for a small picture")
    made = picture(found, names=False, theme=given["theme"], cell=ON_A_SHEET, title=found.name)
    return _answer(made)


def picture_of_solution(given: Mapping[str, Any]) -> Answer:
    """The picture of a solution."""
    one = posed(given)
    found = _solution(one, given["options"][0])
    return _answer(picture(found, theme=given["theme"], title=f"{one.title}: a solution"))


def sheet(given: Mapping[str, Any]) -> Answer:
    """Solutions side by side."""
    one = posed(given)
    shown = [_solution(one, options) for options in given["options"]]
    title = f"{one.title}: {len(shown)} solutions"
    return _answer(picture(shown, theme=given["theme"], cell=ON_A_SHEET, title=title))


def view_of_puzzle(given: Mapping[str, Any]) -> Answer:
    """The data of a puzzle for the modules of `view`."""
    return Answer.of(data_of(posed(given).puzzle))


def turning_board(given: Mapping[str, Any]) -> Answer:
    """The data of the board of a puzzle for the modules of `view`."""
    return Answer.of(data_of_board(posed(given).puzzle))


def view_of_region(given: Mapping[str, Any]) -> Answer:
    """The data of the region of a draft for the modules of `view`."""
    lattice, region = region_of(given["draft"], given["limits"]["cells"])
    return Answer.of(data_of(replace(region, lattice=lattice)))


def view_of_solution(given: Mapping[str, Any]) -> Answer:
    """The data of a solution for the modules of `view`."""
    return Answer.of(data_of([_solution(posed(given), given["options"][0])]))


def play_file(given: Mapping[str, Any]) -> Answer:
    """A page that plays a puzzle without a server."""
    from exactcover.app.playing import play

    one = posed(given)
    made = play(one.puzzle, title=one.title, time_limit=SEARCH_SECONDS)
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in one.title).strip("-").lower()
    return Answer(made.html.encode(), HTML, name=f"{name or 'puzzle'}.html")


def exported(given: Mapping[str, Any]) -> Answer:
    """A solution as a file."""
    one, form = posed(given), given["format"]
    found = _solution(one, given["options"][0])
    number = given["index"] + 1
    name = f"solution-{number}.{form}"
    if form == "svg":
        return _answer(picture(found, title=f"{one.title}: solution {number}"), name)
    if form == "json":
        text = json.dumps(_record(one, found), indent=1, ensure_ascii=False)
        return Answer(text.encode(), name=name)
    if form == "txt":
        cells = one.puzzle.space.cells
        text = draw_placements(one.puzzle.lattice, found.placements, region_cells=cells)
        return Answer(f"{text}\n".encode(), TEXT, name=name)
    return Answer(_stl(found), STL, name=name)


def _record(one: ClientPuzzle, found: Solution) -> dict[str, Any]:
    return {
        "puzzle": one.title,
        "lattice": one.puzzle.lattice.name,
        "pieces": [
            {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}
            for placement in found.placements
        ],
    }


def _stl(found: Solution) -> bytes:
    """The pieces in their places as one file for a printer; needs the extra `make`."""
    from importlib.util import find_spec

    from exactcover.show.making import solids

    if any(find_spec(name) is None for name in ("trimesh", "manifold3d", "shapely")):
        raise Refusal(
            501, 'STL needs the extra "make" on the computer that serves: '
            'pip install "exactcover[make]"'
        )  # fmt: skip
    with TemporaryDirectory() as folder:
        [file, *_] = solids(found).save(Path(folder) / "solution.stl")
        return file.read_bytes()
