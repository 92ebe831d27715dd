"""The printed output: solutions and states, and what `-i` prints of the puzzle and the search.

A solution or state is printed in full, on one line, or as a separate puzzle. The tables of attempts
and fits are in polycube's layout, so programs that read its output can read ours. All other lines
are comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exactcover.base.text.names import numbered
from exactcover.cli.commands.polycube.switches import Translation
from exactcover.errors import ConversionError
from exactcover.formats import Document
from exactcover.formats.polycube import write_polycube
from exactcover.puzzle import Placement
from exactcover.puzzle.model import Model
from exactcover.puzzle.pieces import Piece
from exactcover.puzzle.puzzle import Puzzle
from exactcover.show.text import Drawer, heading

if TYPE_CHECKING:
    from exactcover.cli.commands.polycube.walk import Walk
    from exactcover.search.plan import Applied


def properties(document: Document, applied: Sequence[Applied]) -> Iterator[str]:
    """The puzzle's properties, and the options that the filters removed before the search."""
    yield f"# --- PUZZLE {document.name} ---"
    model = document.model
    if model is None:
        problem = document.problem
        yield f"# items: {problem.n_items}; options: {problem.n_options}"
    else:
        puzzle = model.puzzle
        sizes = np.ptp(puzzle.space.cells, axis=0) + 1
        stationary = sum(len(piece.cells) for piece in puzzle.stationary)
        yield f"# box: {' x '.join(map(str, sizes.tolist()))}, lattice {puzzle.lattice.name}"
        yield f"# cells: {len(puzzle.space)}, of them {stationary} of stationary pieces"
        movable = sum(piece.low for piece in puzzle.movable)
        yield (
            f"# pieces: {movable} mobile of {len(model.groups)} shapes, "
            f"{len(puzzle.stationary)} stationary"
        )
        yield f"# placements: {int((model.layout.option_shape >= 0).sum())}"
        yield f"# symmetries: {int(model.symmetries.rotation.sum())} rotations"
        for colours in model.colourings():
            yield f"# cells by parity: {', '.join(map(str, np.bincount(colours).tolist()))}"
    for one in applied:
        note = f" ({one.note})" if one.note else ""
        yield f"# {one.filter}: {one.removed} options removed, {one.left} left{note}"


def statistics(
    document: Document, walk: Walk, translation: Translation, run_time: float
) -> Iterator[str]:
    """The figures of the search: attempts and fits by the number of pieces left before each."""
    yield "# --- STATISTICS ---"
    lefts = sorted(left for left in walk.by_remaining if left > 0)
    digits = max(2, len(str(max(lefts, default=0))))
    for title, name in (("placement attempts", "ATTEMPTS"), ("fits", "FITS")):
        yield f"# Number of {title} when N pieces were left to be placed:"
        counts = [getattr(walk.by_remaining[left], name.lower()) for left in lefts]
        width = max((len(str(count)) for count in counts), default=1)
        for left, count in zip(lefts, counts, strict=True):
            yield f"{name}[{left:{digits}}]= {count:{width}}"
    yield f"# total: {walk.fits + walk.nofits} attempts, {walk.fits} fits"
    yield solutions_line(document, walk, translation)
    yield f"# search time: {clock(walk.clock.seconds)}"
    yield f"# run time:    {clock(run_time)}"


def solutions_line(document: Document, walk: Walk, translation: Translation) -> str:
    """The number of solutions found, and whether these are all."""
    reason = walk.plan.reason
    end = f": {reason}" if reason else "" if walk.finished else ", interrupted"
    return f"# {walk.found} solutions ({document.counted_as(translation.counted)}){end}"


def clock(seconds: float) -> str:
    """A time as hh:mm:ss.mmm."""
    milli = round(seconds * 1000)
    hours, rest = divmod(milli, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"


# -- solutions and states --------------------------------------------------------------------------


class Boards:
    """Writes the states of one puzzle in one format.

    amount  `F`: in full, `B`: on one line, `S`: as a puzzle in which the placed pieces stay put
    way     `L`: drawn, `C`: by coordinates
    """

    def __init__(self, document: Document, amount: str, way: str, *, colour: bool = False) -> None:
        model = document.model
        if model is None and amount == "S":
            raise ConversionError(f"{document.name} is a plain problem: it has no sub-puzzles")
        self._document, self._model = document, model
        self._amount, self._way = amount, way
        if amount == "S" and model is not None and len(model.puzzle.region.optional):
            self.state(())  # raises: the format has no cells that may stay empty
        drawn = model is not None and way == "L" and amount != "S"
        self._drawer: Drawer | None = None
        if model is not None and drawn:
            # polycube draws copies alike.
            self._drawer = Drawer(model.puzzle, colour=colour, letters=True, marked=False)

    def solution(self, number: int, options: tuple[int, ...]) -> str:
        """A solution, or a state that counts as one, under its heading."""
        text = self.state(options)
        return text if self._amount == "B" else f"{heading(number)}\n{text}"

    def state(self, options: tuple[int, ...]) -> str:
        """The pieces of these options in their places; no line break at the end."""
        if self._model is None:
            lines: Iterable[str] = map(" ".join, map(self._document.problem.words_of, options))
        elif self._amount == "S":
            part = _with_placed(self._model, options)
            name = self._document.name
            return write_polycube([Document(name, part)], drawn=self._way == "L").rstrip("\n")
        elif self._drawer is not None:
            lines = self._drawer.draw(self._model.placements(options)).split("\n")
        else:
            lines = map(_coordinates, self._model.placements(options))
        return (" / " if self._amount == "B" else "\n").join(lines)


def _coordinates(placement: Placement) -> str:
    """A piece in its place, as a line of a puzzle file."""
    cells = ((*cell, 0) if len(cell) == 2 else cell for cell in placement.cells)
    layout = ", ".join(" ".join(map(str, cell)) for cell in cells)
    return f"C:name={placement.piece}:type=S:layout={layout}"


def _with_placed(model: Model, options: Iterable[int]) -> Puzzle:
    """The puzzle with the pieces of these options stationary: the part below a state of a search.

    Its solutions are those of the whole that have these pieces where they lie. One copy of several
    has a number behind the name of its piece.
    """
    puzzle = model.puzzle
    placed = model.placements(sorted(options))[len(puzzle.stationary) :]
    used = Counter(placement.piece for placement in placed)
    left = []
    for piece in puzzle.pieces:
        many = 0 if piece.stationary else used[piece.name]
        if not many or piece.high != many:
            high = None if piece.high is None else piece.high - many
            left.append(replace(piece, low=max(0, piece.low - many), high=high))
    names = numbered([placement.piece for placement in placed], {piece.name for piece in left})
    stationary = [
        Piece(own, np.array(placement.cells, np.int64), stationary=True)
        for own, placement in zip(names, placed, strict=True)
    ]
    return replace(puzzle, pieces=(*left, *stationary))
