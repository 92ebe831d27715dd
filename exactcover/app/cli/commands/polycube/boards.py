"""The printed forms of solutions and states: brief, full, or as a separate puzzle."""

from __future__ import annotations

from collections.abc import Iterable

from exactcover.errors import ConversionError
from exactcover.formats import Document
from exactcover.formats.polycube import write_polycube
from exactcover.puzzle import Placement
from exactcover.puzzle.placed import with_placed
from exactcover.show.render.text import Drawer, heading


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
        drawn = model is not None and way == "L" and amount != "S"
        self._drawer: Drawer | None = None
        if model is not None and drawn:
            # polycube draws copies alike.
            self._drawer = Drawer(model.puzzle, colour=colour, marked=False)

    def solution(self, number: int, options: tuple[int, ...]) -> str:
        """A solution, or a state that counts as one, under its heading."""
        text = self.state(options)
        return text if self._amount == "B" else f"{heading(number)}\n{text}"

    def state(self, options: tuple[int, ...]) -> str:
        """The pieces of these options in their places; no line break at the end."""
        if self._model is None:
            lines: Iterable[str] = map(" ".join, map(self._document.problem.words_of, options))
        elif self._amount == "S":
            part = with_placed(self._model, options)
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
