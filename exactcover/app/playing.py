"""`exactcover play`: a puzzle as one HTML file that plays without a server.

The file has the modules of the Play view of `serve`. Both get their answers from `play-listed.js`,
which computes what is left, forced and lost from the list of all solutions. A puzzle with more
solutions than that list may hold plays with some of them, for hints, and without a count. A puzzle
in space has the turning model beside its layers, and three.js with it.

The page counts positions of the player, so it needs all solutions. The code of `Coding` holds one
of each class under the symmetries of the puzzle, and generators of the symmetries; the page makes
the others. The options are numbered anew, by the cells that they cover. All arrays are compressed
with deflate.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from exactcover.app.serving import Refusal
from exactcover.app.serving.page_boards import on_the_table
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray
from exactcover.puzzle import Model, Puzzle
from exactcover.puzzle.rectangles import need_cells
from exactcover.puzzle.symmetry import fixing
from exactcover.search.result import Solution
from exactcover.search.solving import Solving
from exactcover.show import Page
from exactcover.show.document import page
from exactcover.show.subjects import title_of
from exactcover.show.svg import plain
from exactcover.show.viewing import data_of_board

MOST = 10_000
"""Different solutions that a file holds at most."""

MOST_IN_ALL = 200_000
"""Solutions that a browser lists at most, with rotated ones."""

PLACEMENTS = 100_000
CELLS = 5_000

HEIGHT = 860
"""Pixels of the frame in a notebook."""

STYLES = ("app.css", "board.css", "play.css")

IN_SPACE = ("exactcover/model.js", "exactcover/scene.js")
"""Modules that the page of a puzzle in space imports when they are needed."""


@dataclass(frozen=True)
class PlayFile:
    """A page on which a puzzle is played.

    page        the page
    solutions   how many solutions it holds, up to rotations
    complete    whether these are all, so that the page counts the solutions left
    reason      why there is no solution, if that is known without a search
    counted_as  what counts as one solution, in words
    """

    page: Page
    solutions: int
    complete: bool
    reason: str = ""
    counted_as: str = ""

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
        if self.solutions == 1:
            return f"the only solution ({self.counted_as})"
        return f"all {many} ({self.counted_as})"


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
        check_kind("puzzle", puzzle, Puzzle, "a Puzzle, as `read` and `puzzle_of` give it")
        check_whole("solutions", solutions, least=0, optional=False)
        if solutions > MOST:
            raise ExactCoverError(f"solutions: a file holds at most {MOST:,}, not {solutions:,}")
        check_seconds("time_limit", time_limit)
        need_cells(puzzle.model, "playing by hand")
        self.puzzle, self.most = puzzle, solutions
        self.title = title_of(puzzle) if title is None else title
        self._check_size()
        self.solving = Solving(
            puzzle, counted="rotations", limit=solutions + 1, time_limit=time_limit
        )
        self._found: list[Solution] = []

    def _check_size(self) -> None:
        cells, placements = len(self.puzzle.space), self.puzzle.model.problem.n_options
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
        """The data of `play-listed.js`: the placements, and the solutions found so far."""
        coding = Coding.of(self.puzzle.model)
        over = len(self._found) > self.most
        rows = [coding.row(one.options) for one in self._found[: self.most]]
        complete = not over and self.solving.result.status in ("complete", "impossible")
        data = coding.data(rows, complete=complete)
        if complete and data["total"] > MOST_IN_ALL:
            data = coding.data(rows, complete=False)
        data["why"] = data["why"] or self.solving.result.reason
        return data

    def file(self, following: tuple[str, str] | None = None) -> PlayFile:
        """The file with the solutions found so far.

        following  the title of the next puzzle, and the name of its file in the same folder
        """
        aid = self.aid()
        made = self._page(aid, following)
        reason = self.solving.result.reason
        counted_as = self.puzzle.counted_as("rotations")
        return PlayFile(made, aid["different"], aid["complete"], reason, counted_as)

    def _page(self, aid: Mapping[str, Any], following: tuple[str, str] | None) -> Page:
        puzzle = self.puzzle
        try:
            shown = on_the_table(puzzle, CELLS)
        except Refusal as refusal:
            raise ExactCoverError(f"{self.title}: {refusal.message}") from None
        digest = sha256(repr([shown, aid["rows"]]).encode()).hexdigest()[:20]
        data: dict[str, object] = {
            "puzzle": {"id": digest, "title": self.title, **shown},
            "aid": aid,
            "next": following and {"title": following[0], "address": quote(following[1])},
        }
        solid = puzzle.lattice.dimension > 2
        if solid:
            data["board"] = data_of_board(puzzle)
        return page(
            self.title,
            BODY.replace("TITLE", plain(self.title)),
            main="page/play-file.js",
            data=data,
            styles=STYLES,
            height=HEIGHT,
            folder=files("exactcover.app.serving") / "page",
            later=IN_SPACE if solid else (),
        )


BODY = """\
<section id="notices" aria-label="Messages" aria-live="assertive"></section>
<main id="view" class="page play alone" tabindex="-1">
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
        >>> page = ec.play(ec.read("pentominoes_20x3"), title="A strip of pentominoes")
        >>> page.save("strip.html")  # doctest: +SKIP

    The page says after each move how many solutions are left, gives hints, and finds the way back
    from a mistake. It computes that from the list of all solutions, which it holds. With more
    solutions than it may hold, or than the time limit allows to find, it holds some of them for
    hints, and does not count.

    puzzle      a Puzzle
    title       the heading. Default: the name of the puzzle
    solutions   the most solutions that the page holds, unique up to rotations. Default: 10,000, the
                most that is allowed
    time_limit  seconds that the search for them may take. Default: 60

    Raises `ExactCoverError` for a puzzle that is too large for a page, and for rectangles that
    are placed without cells.
    """
    preparing = Preparing(puzzle, title=title, solutions=solutions, time_limit=time_limit)
    preparing.search()
    return preparing.file().page


# -- placements and solutions in few bytes --------------------------------------------------------

Rows = list[tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Coding:
    """The placements of a model in the order of the code.

    model   the puzzle
    order   int32 [placements]: the option of each
    number  int32 [options]: the placement of each option; -1: it places no piece
    """

    model: Model
    order: IntArray
    number: IntArray

    @classmethod
    def of(cls, model: Model) -> Coding:
        """Placements by their cells, ascending; holes are left out."""
        shapes = model.layout.option_shape
        keys = {
            option: (sorted(model.cells_of(option).tolist()), int(shapes[option]))
            for option in np.flatnonzero(shapes >= 0).tolist()
        }
        order = np.array(sorted(keys, key=keys.__getitem__), np.int32)
        number = np.full(model.problem.n_options, -1, np.int32)
        number[order] = np.arange(order.size, dtype=np.int32)
        return cls(model, order, number)

    def row(self, options: Iterable[int]) -> tuple[int, ...]:
        """A solution as placements, ascending."""
        return tuple(sorted(one for one in self.number[[*options]].tolist() if one >= 0))

    def symmetries(self) -> IntArray:
        """All symmetries that solutions are counted up to, as permutations of the placements."""
        permutations = self.model.symmetries.selected("rotations")
        return self.number[permutations[:, self.order]]

    def data(self, rows: Rows, *, complete: bool) -> dict[str, Any]:
        """The data with which a page plays, ready for JSON.

        rows      solutions, one of each class if they are complete
        complete  whether these are all
        """
        model = self.model
        on_board = model.puzzle.space.find(model.free.cells)
        cells = [np.sort(on_board[model.cells_of(option)]) for option in self.order.tolist()]
        extra = [self._further_items(option) for option in self.order.tolist()]
        symmetries = self.symmetries() if complete else np.zeros((0, 0), np.int32)
        return {
            "sizes": deflated([len(one) for one in cells]),
            "cells": deflated(np.concatenate(cells) if cells else []),
            "shapes": deflated(model.layout.option_shape[self.order]),
            "pieces": [
                [[piece.name, piece.low, piece.high] for piece in group.members]
                for group in model.groups
            ],
            "extra": [[int(x) for x in one] for one in extra] if any(extra) else [],
            "stationary": [
                model.puzzle.space.find(piece.cells).tolist() for piece in model.puzzle.stationary
            ],
            "lengths": deflated([len(row) for row in sorted(rows)]),
            "rows": deflated([*chain.from_iterable(sorted(rows))]),
            "different": len(rows),
            "complete": complete,
            "total": sum(len(symmetries) // fixing(symmetries, row) for row in rows)
            if complete
            else len(rows),
            "generators": [deflated(one) for one in generators(symmetries)],
            "why": model.reason,
        }

    def _further_items(self, option: int) -> list[int]:
        """The items of an option besides its shape and its cells, each with its colour."""
        problem, layout = self.model.problem, self.model.layout
        own = set(layout.cell_item.tolist())
        found = []
        for item, colour in zip(
            problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True
        ):
            if item not in own and item >= problem.primary:
                found += [item, colour]
        return found


# -- symmetries -----------------------------------------------------------------------------------


def generators(group: IntArray) -> list[IntArray]:
    """A few permutations of a group, the identity first, that make all others."""
    if not len(group):
        return []
    known = {group[0].tobytes()}
    made = [group[0]]
    chosen: list[IntArray] = []
    for one in group:
        if one.tobytes() in known:
            continue
        chosen.append(one)
        waiting = list(made)
        while waiting:
            start = waiting.pop()
            for step in chosen:
                after = step[start]
                if after.tobytes() not in known:
                    known.add(after.tobytes())
                    made.append(after)
                    waiting.append(after)
    return chosen


# -- arrays ---------------------------------------------------------------------------------------


def deflated(numbers: Sequence[int] | npt.NDArray[np.integer]) -> dict[str, str]:
    """Whole numbers from 0 in the smallest type that holds them, as base64 of a raw deflate
    stream."""
    array = np.asarray(numbers, np.int64)
    high = int(array.max(initial=0))
    kind = "Uint8" if high < 1 << 8 else "Uint16" if high < 1 << 16 else "Uint32"
    packer = zlib.compressobj(9, wbits=-15)
    content = packer.compress(array.astype(f"<u{int(kind[4:]) // 8}").tobytes()) + packer.flush()
    return {"type": kind, "deflated": b64encode(content).decode()}
