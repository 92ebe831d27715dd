"""Pictures of puzzles and of solutions, their data for turning in space, and their files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import SVG, TEXT, Answer
from exactcover.app.serving.posed import Posed
from exactcover.formats import Document
from exactcover.search.result import Solution
from exactcover.show.pages.viewing import data_of
from exactcover.show.render import draw_placements
from exactcover.show.render.picture import picture
from exactcover.show.render.svg import Theme

SMALL = 10.0
"""Pixels of a cell on a thumbnail."""

ON_A_SHEET = 14.0

STL = "model/stl"


def drawn(one: Posed, theme: Theme) -> Answer:
    """The picture of a puzzle."""
    return Answer(picture(one.puzzle, theme=theme, title=one.title).svg.encode(), SVG)


def thumbnail(document: Document, theme: Theme) -> Answer:
    """A small picture of a shipped puzzle."""
    made = picture(document.content, theme=theme, cell=SMALL, title=document.title or document.name)
    return Answer(made.svg.encode(), SVG)


def viewed(what: object) -> Answer:
    """The data for the modules of `view`."""
    return Answer.of(data_of(what))


def solution(one: Posed, options: Sequence[int]) -> Solution:
    """A solution that a run has found, by its options."""
    model = one.puzzle.model
    return Solution(tuple(options), model.problem, model)


def drawn_solution(one: Posed, options: Sequence[int], theme: Theme) -> Answer:
    """The picture of a solution."""
    made = picture(solution(one, options), theme=theme, title=f"{one.title}: a solution")
    return Answer(made.svg.encode(), SVG)


def sheet(one: Posed, many: Sequence[Sequence[int]], theme: Theme) -> Answer:
    """Solutions side by side."""
    shown = [solution(one, options) for options in many]
    made = picture(
        shown, theme=theme, cell=ON_A_SHEET, title=f"{one.title}: {len(shown)} solutions"
    )
    return Answer(made.svg.encode(), SVG)


def exported(one: Posed, options: Sequence[int], index: int, form: str) -> Answer:
    """A solution as a file."""
    found = solution(one, options)
    name = f"solution-{index + 1}.{form}"
    if form == "svg":
        made = picture(found, title=f"{one.title}: solution {index + 1}")
        return Answer(made.svg.encode(), SVG, name=name)
    if form == "json":
        text = json.dumps(_record(one, found), indent=1, ensure_ascii=False)
        return Answer(text.encode(), name=name)
    if form == "txt":
        cells = one.puzzle.space.cells
        text = draw_placements(one.puzzle.lattice, found.placements, region_cells=cells)
        return Answer(f"{text}\n".encode(), TEXT, name=name)
    return Answer(_stl(found), STL, name=name)


def _record(one: Posed, found: Solution) -> dict[str, Any]:
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
