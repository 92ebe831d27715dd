"""Puzzles, boards and solutions as the page shows them: as data, as pictures, and as files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from exactcover.app.serving import SVG, TEXT, Answer, Refusal
from exactcover.app.serving.client_puzzles import ClientPuzzle, drawn, read, region_of
from exactcover.formats import Refused
from exactcover.geometry.cells import CellSet
from exactcover.puzzle import Puzzle
from exactcover.search.result import Solution
from exactcover.show import draw_placements
from exactcover.show.board import DrawnBoard, copies
from exactcover.show.palette import FIXED, PALETTE, Tone, colour, ink_on, own_colours
from exactcover.show.picture import Picture, picture
from exactcover.show.svg import Theme
from exactcover.show.viewing import data_of, data_of_board

MOST = 2000
"""Pieces of a puzzle that the page shows."""

ON_A_SHEET = 14.0
"""Pixels of a cell."""

HTML = "text/html; charset=utf-8"

SEARCH_SECONDS = 5.0
"""How long the solutions of a page that plays without a server are searched for."""


def described(one: ClientPuzzle, cells: int) -> dict[str, Any]:
    """The description of a puzzle for a page.

    cells  the most that it may have
    """
    return {
        "id": one.id,
        "title": one.title,
        "text": one.text,
        "form": "TOML" if one.puzzle.paint is None else "BurrTools",
        "link": one.link,
        "reflect": bool(one.puzzle.reflections),
        "undrawn": undrawn(one.puzzle),
        **on_the_table(one.puzzle, cells),
    }


def on_the_table(puzzle: Puzzle, cells: int) -> dict[str, Any]:
    """The board and the pieces of a puzzle.

    cells  the most that it may have
    """
    if len(puzzle.pieces) > MOST:
        raise Refusal(413, f"{len(puzzle.pieces):,} pieces are too many for the page: up to {MOST}")
    optional = puzzle.space.find(puzzle.region.optional)
    return {
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "board": board(puzzle.space, cells),
        "pieces": [
            _piece(puzzle, number, tone, cells) for number, tone in enumerate(_tones(puzzle))
        ],
        "secondary": optional.tolist(),
        "empty": list(puzzle.region.empty or (0, len(optional))),
    }


def _tones(puzzle: Puzzle) -> list[Tone]:
    """The colour of each piece, the same as on pictures."""
    own = own_colours(copies(puzzle.movable))
    return [
        FIXED if piece.stationary else colour(next(iter(own[piece.name]), number % len(PALETTE)))
        for number, piece in enumerate(puzzle.pieces)
    ]


def _piece(puzzle: Puzzle, number: int, tone: Tone, cells: int) -> dict[str, Any]:
    piece = puzzle.pieces[number]
    shape = CellSet.of(puzzle.lattice, piece.cells)
    return {
        "name": piece.name,
        "low": piece.low,
        "high": piece.high,
        "cells": piece.cells.tolist(),
        "stationary": piece.stationary,
        "colour": tone.light,
        "dark": tone.dark,
        "ink": ink_on(tone).light,
        "outline": board(shape, cells),
    }


def undrawn(puzzle: Puzzle) -> str | None:
    """The features of the puzzle that a draft cannot hold and would lose; None: nothing."""
    region = puzzle.region
    lost = {
        "its stationary pieces": bool(puzzle.stationary),
        "its wrapped edges": bool(region.wrap),
        "how many cells stay empty": region.empty is not None,
        "its colours": puzzle.paint is not None,
        "its costs": puzzle.has_costs,
        "what single pieces may do": any(
            piece.reflections is not None or piece.crossing is not None for piece in puzzle.pieces
        ),
        "that pieces may not cross": not puzzle.crossing,
    }
    found = [what for what, there in lost.items() if there]
    return f"Editing loses {' and '.join(found)}: the text keeps all." if found else None


def board(space: CellSet, most: int) -> dict[str, Any]:
    """The cells of a board and where each is drawn, in distances between neighbours.

    most  cells; raises `Refusal` if there are more
    """
    if len(space) > most:
        raise Refusal(413, f"{len(space):,} cells are too many for the page: up to {most:,}")
    return DrawnBoard.of(space).data(space=False)


# -- questions ------------------------------------------------------------------------------------


def describe(one: ClientPuzzle, most_cells: int) -> Answer:
    """The description of a puzzle, which the server is to keep."""
    return Answer.of(described(one, most_cells), keep={one.id: one.text})


def describe_draft(draft: Mapping[str, Any], most_cells: int) -> Answer:
    """The description of the puzzle of a draft."""
    return describe(drawn(draft), most_cells)


def about(one: ClientPuzzle, strategy: str | None) -> dict[str, Any]:
    """The data that a run needs; an invalid strategy is an error."""
    if strategy:
        from exactcover.app.serving.advice import allowed

        allowed(strategy)
    names = [piece.name for piece in one.puzzle.pieces]
    return {"title": one.title, "pieces": names, "cells": len(one.puzzle.space)}


def read_file(
    name: str,
    most_cells: int,
    most_bytes: int,
    text: str | None = None,
    base64: str | None = None,
) -> Answer:
    """The puzzles of a file."""
    puzzles, refused, keep = [], [], {}
    for entry in read(name, text, base64, most_bytes):
        if isinstance(entry, Refused):
            refused.append({"title": entry.name, "why": str(entry.error)})
            continue
        try:
            puzzles.append(described(entry, most_cells))
        except Refusal as refusal:
            refused.append({"title": entry.title, "why": refusal.message})
            continue
        keep[entry.id] = entry.text
    if not puzzles:
        raise Refusal(422, refused[0]["why"] if refused else "it holds no puzzle")
    return Answer.of({"puzzles": puzzles, "refused": refused}, keep=keep)


# -- pictures -------------------------------------------------------------------------------------


def pictured(made: Picture, name: str = "") -> Answer:
    """A picture as an answer; `name`: of the file, if it is saved as one."""
    return Answer(made.svg.encode(), SVG, name=name)


def picture_of_solution(one: ClientPuzzle, found: list[Solution], dark: Theme) -> Answer:
    """The picture of a solution."""
    return pictured(picture(found[0], theme=dark, title=f"{one.title}: a solution"))


def sheet(one: ClientPuzzle, found: list[Solution], dark: Theme) -> Answer:
    """Solutions side by side."""
    title = f"{one.title}: {len(found)} solutions"
    return pictured(picture(found, theme=dark, cell=ON_A_SHEET, title=title))


def view_of_region(draft: Mapping[str, Any]) -> dict[str, Any]:
    """The data of the region of a draft for the modules of `view`."""
    lattice, region = region_of(draft)
    return data_of(replace(region, lattice=lattice))


def view_of_puzzle(one: ClientPuzzle) -> dict[str, Any]:
    """The same of a puzzle."""
    return data_of(one.puzzle)


def view_of_board(one: ClientPuzzle) -> dict[str, Any]:
    """The same of the board of a puzzle alone."""
    return data_of_board(one.puzzle)


def view_of_solution(found: list[Solution]) -> dict[str, Any]:
    """The same of a solution."""
    return data_of(found)


def solutions_to_play(one: ClientPuzzle) -> dict[str, Any]:
    """The placements and the solutions with which the page plays a puzzle."""
    from exactcover.app.playing import Preparing

    preparing = Preparing(one.puzzle, title=one.title, time_limit=SEARCH_SECONDS)
    preparing.search()
    return preparing.aid()


def play_file(one: ClientPuzzle) -> Answer:
    """A page that plays a puzzle without a server."""
    from exactcover.app.playing import play

    made = play(one.puzzle, title=one.title, time_limit=SEARCH_SECONDS)
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in one.title).strip("-").lower()
    return Answer(made.html.encode(), HTML, name=f"{name or 'puzzle'}.html")


def exported(one: ClientPuzzle, found: list[Solution], index: int, format: str) -> Answer:  # noqa: A002
    """A solution as a file."""
    [solution] = found
    name = f"solution-{index + 1}.{format}"
    if format == "svg":
        return pictured(picture(solution, title=f"{one.title}: solution {index + 1}"), name)
    if format == "json":
        pieces = [{"piece": it.piece, "cells": it.cells} for it in solution.placements]
        record = {"puzzle": one.title, "lattice": one.puzzle.lattice.name, "pieces": pieces}
        return Answer(json.dumps(record, indent=1, ensure_ascii=False).encode(), name=name)
    cells, lattice = one.puzzle.space.cells, one.puzzle.lattice
    text = draw_placements(lattice, solution.placements, region_cells=cells, letters=True)
    return Answer(f"{text}\n".encode(), TEXT, name=name)
