"""`exactcover play`: a puzzle as one HTML file that plays without a server.

The file has the modules of the Play view of `serve`. Both compute what is left, forced and lost
from the list of all solutions, in every position, since a player places pieces in any of them. The
placements are numbered by the cells that they cover; all arrays are compressed with deflate. A
puzzle with more solutions than the list may hold plays with some of them, for hints.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import chain
from typing import Any
from urllib.parse import quote

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model, Puzzle
from exactcover.search import Solution, Solving
from exactcover.show import Page, page
from exactcover.show.document import IN_SPACE
from exactcover.show.viewing import data_of_board
from exactcover.studio.serving.boards import board_and_pieces
from exactcover.studio.serving.pool import Refusal

MOST = 50_000
"""Solutions that a file holds at most, symmetric ones included."""

PLACEMENTS = 100_000
CELLS = 5_000

HEIGHT = 860
"""Pixels of the frame in a notebook."""

STYLES = ("board.css", "studio.css", "play.css")


@dataclass(frozen=True)
class PlayFile:
    """A page on which a puzzle is played.

    page       the page
    solutions  how many solutions it holds, symmetric ones included
    complete   whether these are all, so that the page counts the solutions left
    reason     why there is no solution, if that is known without a search
    """

    page: Page
    solutions: int
    complete: bool
    reason: str = ""

    @property
    def words(self) -> str:
        """The contents of the page, for a reader."""
        many = f"{self.solutions:,} solution{'' if self.solutions == 1 else 's'}"
        if not self.complete:
            found = "one solution" if self.solutions == 1 else f"the first {many}"
            found = found if self.solutions else "no solution found so far"
            return f"{found}; the page does not count what is left"
        if not self.solutions:
            why = f": {self.reason}" if self.reason else ""
            return f"the puzzle has no solution{why}"
        return (
            "the only solution" if self.solutions == 1 else f"all {many}, symmetric ones included"
        )


class Preparing:
    """The search for the solutions of a file, and the file.

    puzzle      to play
    title       its heading. Default: the name of the puzzle
    solutions   the most solutions that the file holds
    time_limit  seconds that the search may take. Default: None, any
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        title: str | None = None,
        solutions: int = MOST,
        time_limit: float | None = None,
    ) -> None:
        if not isinstance(puzzle, Puzzle):
            raise ExactCoverError(
                f"play({puzzle!r:.40}): a Puzzle is needed, as `read` and `puzzle_of` give it"
            )
        if not 0 <= solutions <= MOST:
            raise ExactCoverError(f"solutions: a file holds 0 to {MOST:,}, not {solutions:,}")
        self.puzzle, self.most = puzzle, solutions
        self.title = puzzle.name.rpartition("/")[2] or "Puzzle" if title is None else title
        self._check_size()
        self.solving = Solving(puzzle, counted="all", limit=solutions + 1, time_limit=time_limit)
        self._found: list[Solution] = []

    def _check_size(self) -> None:
        model = self.puzzle.model
        if not isinstance(model, Model):
            raise ExactCoverError(
                f"{self.title}: its rectangles are placed without cells, so there is no board to "
                "play on"
            )
        cells, placements = len(self.puzzle.space), model.problem.n_options
        for many, most, what in ((cells, CELLS, "cells"), (placements, PLACEMENTS, "placements")):
            if many > most:
                raise ExactCoverError(
                    f"{self.title}: {many:,} {what} are too many for a page to play on: up to "
                    f"{most:,}"
                )

    def search(self) -> None:
        """Search for the solutions; an interrupt leaves those that were found."""
        self._found.extend(self.solving)

    def aid(self) -> dict[str, Any]:
        """The data of `aid.js`: the placements, and the solutions found so far."""
        result = self.solving.result
        over = len(self._found) > self.most
        complete = not over and result.whole
        data = coded(self.puzzle.model, self._found[: self.most])
        why = self.puzzle.model.reason or result.reason
        return data | {"complete": complete, "why": why}

    def file(self, following: tuple[str, str] | None = None) -> PlayFile:
        """The file with the solutions found so far.

        following  the title of the next puzzle, and the name of its file in the same folder
        """
        aid = self.aid()
        made = self._page(aid, following)
        return PlayFile(made, aid["total"], aid["complete"], aid["why"])

    def _page(self, aid: Mapping[str, Any], following: tuple[str, str] | None) -> Page:
        try:
            shown = board_and_pieces(self.puzzle)
        except Refusal as refusal:
            raise ExactCoverError(f"{self.title}: {refusal.message}") from None
        digest = sha256(repr([shown, aid["rows"]]).encode()).hexdigest()[:20]
        data: dict[str, object] = {
            "puzzle": {"id": digest, "title": self.title, **shown},
            "aid": aid,
            "next": following and {"title": following[0], "address": quote(following[1])},
        }
        solid = self.puzzle.lattice.dimension > 2
        if solid:
            data["board"] = data_of_board(self.puzzle)
        return page(
            self.title,
            BODY.replace("TITLE", escape(self.title)),
            main="page/play-file.js",
            data=data,
            styles=STYLES,
            height=HEIGHT,
            folder=files("exactcover.studio.serving") / "page",
            later=IN_SPACE if solid else (),
        )


BODY = """\
<section id="notices" aria-label="Messages" aria-live="assertive"></section>
<main id="view" class="alone" tabindex="-1">
  <header class="heading"><h1 tabindex="-1">TITLE</h1>
    <button type="button" id="theme" aria-label="Light or dark" title="Light or dark">◐</button>
  </header>
  <noscript><p class="wait">Playing needs JavaScript. The page loads nothing.</p></noscript>
</main>
<p id="said" class="unseen" role="status" aria-live="polite"></p>"""


def play(
    puzzle: Puzzle,
    *,
    title: str | None = None,
    solutions: int = MOST,
    time_limit: float | None = 60.0,
) -> Page:
    """A page on which a puzzle is played by hand: one HTML file that needs no server.

        >>> import exactcover as ec
        >>> from exactcover.studio import play
        >>> page = play(ec.read("pentominoes_20x3"), title="A strip of pentominoes")
        >>> page.save("strip.html")  # doctest: +SKIP

    The page says after each move how many solutions are left, gives hints, and finds the way back
    from a mistake. It computes that from the list of all solutions, which it holds. With more
    solutions than it may hold, or than the time limit allows to find, it holds some of them for
    hints, and does not count.

    puzzle      a Puzzle
    title       the heading. Default: the name of the puzzle
    solutions   the most solutions that the page holds, symmetric ones included. Default: 50,000,
                the most that is allowed
    time_limit  seconds that the search for them may take. Default: 60

    Raises `ExactCoverError` for a puzzle that is too large for a page, and for rectangles that
    are placed without cells.
    """
    preparing = Preparing(puzzle, title=title, solutions=solutions, time_limit=time_limit)
    preparing.search()
    return preparing.file().page


# -- placements and solutions in few bytes --------------------------------------------------------


def coded(model: Model, found: list[Solution]) -> dict[str, Any]:
    """The placements of a model and its solutions, ready for JSON.

    A placement is numbered by its place in the order of the cells that it covers; options without a
    piece, for cells that stay empty, are left out.
    """
    layout, problem, space = model.layout, model.problem, model.puzzle.space
    shapes = layout.option_shape
    on_board = space.find(model.free.cells)
    cells = {
        option: sorted(on_board[model.cells_of(option)].tolist())
        for option in np.flatnonzero(shapes >= 0).tolist()
    }
    order = sorted(cells, key=lambda option: (cells[option], int(shapes[option])))
    number = {option: at for at, option in enumerate(order)}
    own = set(layout.cell_item.tolist())

    def further(option: int) -> list[int]:
        """The items of an option besides its shape and its cells, each with its colour."""
        pairs = zip(
            problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True
        )
        return [x for item, tint in pairs if item not in own and item >= problem.primary
                for x in (item, tint)]  # fmt: skip

    extra = [further(option) for option in order]
    rows = sorted(sorted(number[one] for one in solution.options if one in number)
                  for solution in found)  # fmt: skip
    return {
        "sizes": deflated(len(cells[option]) for option in order),
        "cells": deflated(chain.from_iterable(cells[option] for option in order)),
        "shapes": deflated(int(shapes[option]) for option in order),
        "pieces": [[[piece.name, piece.low, piece.high] for piece in group.members]
                   for group in model.groups],
        "extra": extra if any(extra) else [],
        "stationary": [space.find(piece.cells).tolist() for piece in model.puzzle.stationary],
        "lengths": deflated(map(len, rows)),
        "rows": deflated(chain.from_iterable(rows)),
        "total": len(rows),
    }  # fmt: skip


def deflated(numbers: Iterable[int]) -> dict[str, str]:
    """Whole numbers from 0 in the smallest type that holds them, as base64 of a raw deflate
    stream."""
    array = np.fromiter(numbers, np.int64)
    high = int(array.max(initial=0))
    kind = "Uint8" if high < 1 << 8 else "Uint16" if high < 1 << 16 else "Uint32"
    packer = zlib.compressobj(9, wbits=-15)
    content = packer.compress(array.astype(f"<u{int(kind[4:]) // 8}").tobytes()) + packer.flush()
    return {"type": kind, "deflated": b64encode(content).decode()}
