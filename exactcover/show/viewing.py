"""Pages on which a puzzle, its solutions or its pieces turn.

The page gets the cells once, and for each solution only which piece covers which cell; everything
else is up to its modules: `view.js` is the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

import numpy as np

from exactcover.base.values.arguments import check_kind, shown
from exactcover.base.values.products import Floats
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import bodies_of
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Piece, Puzzle
from exactcover.search.result import Solution
from exactcover.show.arrays import whole
from exactcover.show.board import MAX_CELLS, BoardState, DrawnBoard, Part, ground_of, state_of
from exactcover.show.document import IN_SPACE, Page, body_of, page
from exactcover.show.palette import PALETTE, Tone, colour
from exactcover.show.picture import picture, puzzle_of
from exactcover.show.space import Space, Spot, extent, nested
from exactcover.show.subjects import (
    PieceList,
    cells_to_fill,
    known,
    listed,
    subject_of,
    title_of,
)
from exactcover.show.svg import columns_of, grid, plain

PICTURES = 100_000
"""Characters of pictures, for browsers without WebGL, after which a page holds no further one."""

ONE_PICTURE = 4_000
"""Cells of a scene up to which a page holds pictures at all: they take long to draw."""

WRAPPED = "The board is joined at opposite sides, so pieces go on there."

HEIGHT = 720
"""Pixels of the frame in a notebook."""


Assembled = Mapping[str, object]
"""How a solution is put together, as `exactcover.studio.burrs.assembled` says."""


def view(
    what: object,
    *,
    lattice: Lattice | str | None = None,
    title: str | None = None,
    note: str = "",
    assemblies: Sequence[Assembled | None] = (),
) -> Page:
    """A page on which a puzzle, its solutions or its pieces can be turned: one HTML file.

        >>> import exactcover as ec
        >>> page = ec.view(ec.first(ec.read("somacube")), title="The Soma cube")
        >>> "<h1>The Soma cube</h1>" in page.html
        True

    what        a solution, or solutions of one puzzle, of which a search gives its first 1,000; a
             puzzle, shown as its region with the pieces beside it; a piece or a region; the name of
             a set of pieces, such as "pentominoes"; a list of pieces or of shapes (each a list of
             cells)
    lattice  for pieces, shapes and regions: a lattice, or its name. Default: None, that of the
             puzzle which they are taken from
    title    the heading of the page. Default: the name of the puzzle
    note     a sentence below the heading. Default: none
    assemblies  for each solution, how it is put together: what `exactcover.studio.burrs.assembled`
             returns. Default: none is known in space; flat pieces are put down from above

    Raises `ExactCoverError` for what has no page, such as a solution of a plain problem.
    """
    check_kind("note", note, str, "a sentence")
    if isinstance(what, Iterator):  # a search may have more solutions than a page
        what = list(islice(what, MOST + 1))
        if len(what) > MOST:
            what.pop()
            note = f"{note} These are the first {MOST:,}; there are more.".strip()
    what = listed(what)
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    contents = contents_of(what, chosen, assemblies)
    heading = contents.title if title is None else title
    if contents.wrapped:
        note = f"{note} {WRAPPED}".strip()
    pictures = _pictures(what, contents)
    body = body_of(
        "view.html", TITLE=plain(heading), NOTE=plain(note), PICTURES=pictures,
        INSTEAD="Here are pictures instead.",
    )  # fmt: skip
    return page(
        heading, body, main="view.js", data={"view": _data(contents)}, styles=("view.css",),
        height=HEIGHT, later=IN_SPACE,
    )  # fmt: skip


def data_of(what: object, assembled: Assembled | None = None) -> dict[str, object]:
    """The data of a puzzle, or of a solution, for the modules of the page, ready for JSON."""
    return _data(contents_of(what, None, [assembled]))


def data_of_board(puzzle: Puzzle) -> dict[str, object]:
    """The same of the board of a puzzle alone, with its layers."""
    state = state_of(puzzle)
    states = [SHOWN if part.whole else OUTLINED for part in state.parts]
    made = _on_board(puzzle, [PageScene(state, states)])
    return _data(replace(made, board=DrawnBoard.of(puzzle).data()))


def _data(contents: Contents) -> dict[str, object]:
    """The data for `view.js`."""
    tones: dict[Tone, int] = {}
    names: dict[str, int] = {}
    scenes = []
    for scene in contents.scenes:
        parts = [
            [
                names.setdefault(part.title, len(names)),
                tones.setdefault(part.tone, len(tones)),
                int(part.whole),
                state,
            ]
            for part, state in zip(scene.state.parts, scene.states, strict=True)
        ]
        scenes.append({"owners": whole(scene.state.owners), "parts": parts, "order": scene.order})
    return {
        "board": contents.board,
        "names": list(names),
        "tones": list(tones),
        "scenes": scenes,
        "solutions": contents.solutions,
    }


def _pictures(what: object, contents: Contents) -> str:
    """Pictures for browsers that cannot draw in space: of the first solutions, or of one scene."""
    if contents.cells > ONE_PICTURE:
        return "<p>The puzzle is too large for a picture.</p>"
    drawn: list[str] = []
    for one in what if contents.solutions and isinstance(what, list) else [what]:
        svg = picture(one, lattice=contents.lattice).svg
        if drawn and sum(map(len, drawn)) + len(svg) > PICTURES:
            break
        drawn.append(f"<figure>{svg}</figure>")
    return "\n".join(drawn)


# -- the contents of a page ------------------------------------------------------------------------

MOST = 1000
"""The most solutions of one page."""

SHOWN, OUTLINED = "shown", "outlined"


@dataclass(frozen=True)
class Contents:
    """The contents of a page.

    board      the cells, as data
    cells      how many they are
    scenes     what covers the cells
    solutions  the scenes are solutions
    wrapped    the board is joined at opposite sides
    """

    lattice: Lattice
    title: str
    board: Mapping[str, object]
    cells: int
    scenes: Sequence[PageScene]
    solutions: bool = False
    wrapped: bool = False


@dataclass(frozen=True)
class PageScene:
    """A state that is shown.

    states    how each part is shown at first
    order     how a solution is put together
    """

    state: BoardState
    states: Sequence[str]
    order: Assembled | None = None


def contents_of(
    what: object, lattice: Lattice | None, assemblies: Sequence[Assembled | None] = ()
) -> Contents:
    """The contents of a page of this; raises `ExactCoverError` if it has no page."""
    sort, read = subject_of(what, lattice)
    if sort in ("solution", "solutions"):
        return _of_solutions(read if sort == "solutions" else [read], assemblies)
    if sort == "puzzle":
        return _of_puzzle(read)
    if sort == "region":
        chosen = known(lattice or read.lattice)
        cells = cells_to_fill(read, chosen)
        title = f"{len(cells)} {chosen.name} cells"
        return _side_by_side(chosen, title, ground_of(read, cells), [])
    if sort == "pieces":
        return _side_by_side(read.lattice, read.title, [], _in_colours(read))
    raise ExactCoverError(
        f"there is no page of {shown(what)}: give a solution, a puzzle, a piece, a region, a set "
        "of pieces, or a list of solutions, of pieces or of shapes"
    )


# -- solutions ------------------------------------------------------------------------------------


def _of_solutions(
    solutions: Sequence[Solution], assemblies: Sequence[Assembled | None]
) -> Contents:
    if len(solutions) > MOST:
        raise ExactCoverError(f"{len(solutions):,} solutions are too many: up to {MOST:,}")
    puzzle, *others = map(puzzle_of, solutions)
    if any(other is not puzzle and other != puzzle for other in others):
        raise ExactCoverError("solutions on one page must be of one puzzle")
    empty = OUTLINED if puzzle.lattice.dimension > 2 else SHOWN
    flat = not (puzzle.region.wrap or bodies_of(puzzle.lattice).solid)
    scenes = []
    for one, order in zip_longest(solutions, assemblies[: len(solutions)]):
        state = state_of(puzzle, one.placements)
        parts = [part if part.whole else replace(part, title="empty cells") for part in state.parts]
        states = [SHOWN if part.whole else empty for part in parts]
        scenes.append(
            PageScene(
                BoardState(state.owners, parts), states, order or (_lifted(one) if flat else None)
            )
        )
    return replace(_on_board(puzzle, scenes), solutions=True)


def _lifted(solution: Solution) -> Assembled:
    """Flat pieces are put down from above, one after the other."""
    assert solution.model is not None
    fixed = len(solution.model.puzzle.stationary)
    moves = [
        {"parts": [piece], "vector": [0.0, 0.0, -1.0], "joins": True, "seen": None}
        for piece in range(fixed, len(solution.placements))
    ]
    return {"level": "", "reason": "", "steps": moves}


# -- puzzles, pieces and regions ------------------------------------------------------------------


def _of_puzzle(puzzle: Puzzle) -> Contents:
    """The region with its stationary pieces, and the movable pieces beside it."""
    state = state_of(puzzle)
    cells: list[list[Cell]] = [[] for _ in state.parts]
    for cell, owner in zip(puzzle.space.cells.tolist(), state.owners, strict=True):
        cells[owner].append(tuple(cell))
    wanted = PieceList(puzzle.pieces, puzzle.lattice, title_of(puzzle))
    movable = _in_colours(wanted, without=puzzle.stationary)
    board = [*zip(cells, state.parts, strict=True)]
    made = _side_by_side(wanted.lattice, wanted.title, board, movable)
    return replace(made, wrapped=bool(puzzle.region.wrap))


def _on_board(puzzle: Puzzle, scenes: Sequence[PageScene]) -> Contents:
    """Scenes on the cells of a region."""
    board = DrawnBoard.of(puzzle)
    return Contents(
        puzzle.lattice, title_of(puzzle), board.data(layers=False, space=True), len(puzzle.space),
        scenes, wrapped=bool(puzzle.region.wrap),
    )  # fmt: skip


Group = tuple[Sequence[Cell], Part]
"""Cells, and how they look."""


def _in_colours(wanted: PieceList, without: Sequence[Piece] = ()) -> list[Group]:
    """Pieces, each in the next colour; some only take their colour."""
    return [
        (cells, Part(colour(number % len(PALETTE)), "", piece.name + noted))
        for number, (piece, cells, noted) in enumerate(wanted.with_cells())
        if piece not in without
    ]


def _side_by_side(
    lattice: Lattice, title: str, board: Sequence[Group], pieces: Sequence[Group]
) -> Contents:
    """A board, and to the right of it pieces in rows: one scene."""
    bodies = bodies_of(lattice)
    groups = [[*board]] * bool(board) + [[piece] for piece in pieces]
    every = [cell for group in groups for cells, _ in group for cell in cells]
    if not every:
        raise ExactCoverError("there are no cells to show")
    if len(every) > MAX_CELLS:
        raise ExactCoverError(f"{len(every):,} cells are too many to show: up to {MAX_CELLS:,}")
    gap = bodies.pitch
    inner, boxes = [], []
    for group in groups:
        cells = [cell for those, _ in group for cell in those]
        offsets = nested(bodies, cells)
        low, high = extent(bodies, cells)
        low = low + np.min([*offsets.values()], axis=0)
        high = high + np.max([*offsets.values()], axis=0)
        inner.append({place: offset - low for place, offset in offsets.items()})
        boxes.append(high - low)
    places = [np.array([0.0, -boxes[0][1] / 2, 0.0])] * bool(board)
    right = float(boxes[0][0]) + 2 * gap if board else 0.0
    if pieces:
        sizes = [(float(box[0]), float(box[1])) for box in boxes[len(places) :]]
        corners = grid(sizes, columns_of(sizes, gap, 0.8 if board else 1.3), gap)
        fronts = [-(y + deep) for (_, y), (_, deep) in zip(corners, sizes, strict=True)]
        places += [
            np.array([x + right, front - min(fronts) / 2, 0.0])
            for (x, _), front in zip(corners, fronts, strict=True)
        ]
    spots: list[Spot] = []
    owners: list[int] = []
    steps: list[Floats] = []
    parts: list[Part] = []
    for group, blocks, origin in zip(groups, inner, places, strict=True):
        numbers = {place: len(steps) + count for count, place in enumerate(blocks)}
        steps += [offset + origin for offset in blocks.values()]
        for those, part in group:
            spots += [(numbers[bodies.block(cell)], cell) for cell in those]
            owners += [len(parts)] * len(those)
            parts.append(part)
    covered = any(part.whole for _, part in board) and lattice.dimension > 2
    states = [SHOWN if part.whole or not covered else OUTLINED for part in parts]
    data = {
        "lattice": lattice.name, "dimension": lattice.dimension, "pitch": bodies.pitch,
        "cells": [cell for _, cell in spots], "layers": [],
        "space": Space(bodies, steps, spots).data(turning=len(groups) == 1),
    }  # fmt: skip
    scenes = [PageScene(BoardState(owners, parts), states)]
    return Contents(lattice, title, data, len(spots), scenes)
