"""Pages on which a puzzle, its solutions or its pieces turn.

The page gets the cells once, and for each solution which piece covers which cell;
everything else is up to its modules: `view.js` is the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from exactcover.base.values.arguments import check_kind
from exactcover.geometry.bodies import bodies_of
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Puzzle
from exactcover.show.complexes import Complex
from exactcover.show.contents import MOST, Contents, contents_of, of_board
from exactcover.show.document import Page, body_of, page, real, whole
from exactcover.show.palette import Tone
from exactcover.show.parts import touching
from exactcover.show.picture import picture
from exactcover.show.subjects import listed
from exactcover.show.svg import plain

PICTURES = 100_000
"""Characters of pictures, for browsers without WebGL, after which a page holds no further one."""

ONE_PICTURE = 4_000
"""Cells of a scene up to which a page holds pictures at all: they take long to draw."""

WRAPPED = "The board is joined at opposite sides, so pieces go on there."

HEIGHT = 720
"""Pixels of the frame in a notebook."""


def view(
    what: object, *, lattice: Lattice | str | None = None, title: str | None = None, note: str = ""
) -> Page:
    """A page on which a puzzle, its solutions or its pieces can be turned: one HTML file.

        >>> import exactcover as ec
        >>> page = ec.view(ec.first(ec.read("somacube")), title="The Soma cube")
        >>> "<h1>The Soma cube</h1>" in page.html
        True

    what     a solution, or solutions of one puzzle, of which a search gives its first 1,000; a
             puzzle, shown as its region with the pieces beside it; a piece or a region; the name of
             a set of pieces, such as "pentominoes"; a list of pieces or of shapes (each a list of
             cells)
    lattice  for pieces, shapes and regions: a lattice, or its name. Default: None, that of the
             puzzle which they are taken from
    title    the heading of the page. Default: the name of the puzzle
    note     a sentence below the heading. Default: none

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
    contents = contents_of(what, chosen)
    heading = contents.title if title is None else title
    if contents.wrapped:
        note = f"{note} {WRAPPED}".strip()
    pictures = _pictures(what, contents)
    body = body_of(
        "view.html", TITLE=plain(heading), NOTE=plain(note), PICTURES=pictures,
        INSTEAD="Here are pictures instead.",
    )  # fmt: skip
    data = {"view": _data(contents)}
    return page(heading, body, main="view.js", data=data, styles=("view.css",), height=HEIGHT)


def data_of(what: object) -> dict[str, object]:
    """The data of a puzzle, or of solutions, for the modules of the page, ready for JSON."""
    return _data(contents_of(what, None))


def data_of_board(puzzle: Puzzle) -> dict[str, object]:
    """The same of the board of a puzzle alone, its cells in the order of its space."""
    return _data(replace(of_board(puzzle), one=False))  # it needs no fourth dimension


def _data(contents: Contents) -> dict[str, object]:
    """The data for `view.js`."""
    bodies = bodies_of(contents.lattice)
    cells = Complex(bodies, contents.offsets, contents.spots)
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
            for part, state in zip(scene.parts, scene.states, strict=True)
        ]
        scenes.append({"owners": whole(scene.owners), "parts": parts, "order": scene.order})
    dimension = contents.lattice.dimension
    fourth = None
    if dimension == 4 and contents.one:
        fourth = _balls(contents.lattice, [cell for _, cell in contents.spots], bodies.pitch)
    return {
        "lattice": contents.lattice.name,
        "dimension": dimension,
        "pitch": bodies.pitch,
        "cells": len(contents.spots),
        "centres": real(cells.centres()),
        "blocks": whole([block for block, _ in contents.spots]),
        "offsets": real([x for offset in contents.offsets for x in offset]),
        "captions": contents.captions,
        "surface": cells.data(),
        "names": list(names),
        "tones": list(tones),
        "scenes": scenes,
        "fourth": fourth,
        "solutions": contents.solutions,
    }


def _balls(lattice: Lattice, cells: Sequence[Cell], pitch: float) -> dict[str, object]:
    """Cells of four dimensions, which turn there as balls: their centres, and pairs that touch."""
    centres = lattice.positions(np.array(cells, np.int64))
    pairs = ((one, other) for one, those in touching(centres, pitch) for other in those)
    joints = [number for pair in pairs for number in pair]
    return {"centres": real(centres), "joints": whole(joints)}


def _pictures(what: object, contents: Contents) -> str:
    """Pictures for browsers that cannot draw in space: of the first solutions, or of one scene."""
    if len(contents.spots) > ONE_PICTURE:
        return "<p>The puzzle is too large for a picture.</p>"
    drawn: list[str] = []
    for one in what if contents.solutions and isinstance(what, list) else [what]:
        svg = picture(one, lattice=contents.lattice).svg
        if drawn and sum(map(len, drawn)) + len(svg) > PICTURES:
            break
        drawn.append(f"<figure>{svg}</figure>")
    return "\n".join(drawn)
