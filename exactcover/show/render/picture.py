"""Pictures of puzzles, solutions, pieces and proofs.

    picture(solution).save("solution.svg")

A `Picture` is SVG as text. The scene of each kind of thing is in `scenes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from pathlib import Path

from exactcover.base.values.arguments import check_choice, check_flag, check_kind, wrong
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import bodies_of
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Piece, Puzzle, Region
from exactcover.search.result import Solution
from exactcover.show.render.raster import saved
from exactcover.show.render.scenes import Wishes, scene_of
from exactcover.show.render.svg import AUTO, PIXELS_PER_MM, THEMES, Theme, Writer
from exactcover.trust.proofs import Certificate

CELL = 36.0
"""Pixels from a cell to the next, where the picture does not become too large."""

LARGEST = 1400.0
"""Pixels of the longer side of a picture whose size is not given."""

MARGIN = 8.0
"""Pixels round a picture."""


@dataclass(frozen=True)
class Picture:
    """A picture: SVG as text, and its size in pixels. Notebooks show it."""

    svg: str
    width: float
    height: float

    def save(self, path: str | Path, *, zoom: float = 1.0) -> None:
        """Write it to a file: `.svg`; with the extra `picture` also `.png` and `.pdf`.

        zoom  enlarges a PNG
        """
        saved(self.svg, Path(path), zoom)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self.width:.0f} x {self.height:.0f}>"


def picture(
    what: object,
    *,
    puzzle: Puzzle | None = None,
    lattice: Lattice | str | None = None,
    layers: bool = False,
    names: bool = True,
    order: bool = False,
    theme: Theme = AUTO,
    cell: float | None = None,
    unit: float | None = None,
    title: str | None = None,
) -> Picture:
    """A picture of a puzzle, a solution, pieces, a region or a proof, as SVG.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_10x6")
        >>> ec.picture(ec.first(puzzle))
        <Picture 376 x 232>

    what     a solution; a puzzle, drawn without its movable pieces; a piece or a region; the name
             of a set of pieces, such as "pentominoes"; a list of solutions, of puzzles, of pieces
             or of shapes (each a list of cells), drawn on one sheet; a list of placements; a
             lattice, of which a few cells are drawn with their coordinates; a proof that
             `find_proof` gave; or a graph that `solution_graph` or `piece_graph` gave
    puzzle   for a proof: the puzzle that has no solution. Default: None, the one that it was found
             for
    lattice  for pieces, shapes, placements and regions: a lattice, or its name. Default: None, that
             of the puzzle which they are taken from
    layers   cells in space are drawn in layers, one for each height. Default: False
    names    pieces are drawn with their names. Default: True
    order    pieces of a solution are numbered in the order of assembly, in place of their names.
             Default: False
    theme    "light", "dark", or "auto": as the reader of the picture prefers. Default: "auto"
    cell     pixels from a cell to the next. Default: 36, or less where the picture is large
    unit     millimetres of one unit of the lattice, as in `solids` and `cut_lines`: the picture is
             printed in this size. Default: None, a picture in pixels
    title    a title, which screen readers read out. Default: the name of the puzzle

    Raises `ExactCoverError` for what has no picture, such as a solution of a plain problem.
    """
    check_choice("theme", theme, THEMES)
    check_flag("layers", layers)
    check_flag("names", names)
    check_flag("order", order)
    if cell is not None and not (_is_number(cell) and 0 < cell <= LARGEST):
        raise wrong("cell", cell, f"a number of pixels, more than 0 and at most {LARGEST:.0f}")
    if unit is not None and not (_is_number(unit) and 0.1 <= unit <= 1000):
        raise wrong("unit", unit, "a number of millimetres, 0.1 to 1000")
    if title is not None:
        check_kind("title", title, str, "a text")
    if unit is not None and cell is not None:
        raise ExactCoverError("give one of cell, in pixels, and unit, in millimetres")
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    scene = scene_of(what, puzzle, chosen, Wishes(layers=layers, names=names, order=order))
    size = bodies_of(scene.lattice).pitch
    longest = max(*scene.figure.size, 1e-9)
    scale = min(CELL / size, LARGEST / longest) if cell is None else cell / size
    if unit is not None:
        scale = unit * PIXELS_PER_MM
    svg, width, height = Writer(theme, scale).document(
        scene.figure,
        MARGIN,
        title if title is not None else scene.title,
        scene.description,
        on_paper=unit is not None,
    )
    return Picture(svg, width, height)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def shown_in_notebook(what: object) -> str | None:
    """The picture that a notebook shows; None where there is none, so that it shows the text."""
    if isinstance(what, Solution) and what.model is None:
        return None
    if isinstance(what, Piece | Region) and what.lattice is None:
        return None
    if isinstance(what, Certificate) and what.posed is None:
        return None
    return picture(what).svg
