"""How much a file may hold: bytes, cells, pieces, elements, words.

Whatever is read is bounded beforehand, so that no file keeps the program busy for long. Limits of
digits are in `base.text`, those of a region, which Python has too, in `geometry.cells`, and those
of clauses in `problem.clauses`. Brackets in brackets may be as deep as Python's own stack.
"""

from __future__ import annotations

from exactcover.base.text.files import MIB
from exactcover.errors import FormatError
from exactcover.geometry.cells import MAX_CELLS

POLYCUBE_BYTES = XMPUZZLE_BYTES = 16 * MIB
TOML_BYTES = 4 * MIB
NUMBERS_BYTES = 64 * MIB
"""Larger files of a format are refused: as much as its reader takes in some seconds. Packed files
are measured unpacked; those of numbers are Knuth's text and `ec`."""

MAX_LIST_BYTES = 64 * MIB
"""The most bytes of a list of puzzles, and of a file of records."""

LONGEST_LINE = MIB
"""Longer lines of a stream come in parts."""

MAX_TOTAL = 4 * MAX_CELLS
"""The most cells of a file: those of its regions, drawings and pieces together."""

WEIGHT = 250
"""As many cells of a file as a puzzle, a piece or a part of a region counts for."""

MAX_PIECES = 10_000
"""The most pieces in a puzzle."""

MAX_REMARK = 2_000
"""The most characters of a title or of all sources of a puzzle: a few paragraphs."""

MAX_WORDS = 200
"""The most characters in a text such as `pentominoes x 2` or `box 2x2 at 3,3`."""

MAX_ELEMENTS = 100_000
"""The most elements of an XML file that are kept."""

MAX_STATED = 50_000
"""A record of a count does not state a puzzle of more cells, or a problem of more entries."""


class Budget:
    """How many cells a file may still hold."""

    def __init__(self) -> None:
        self.left = MAX_TOTAL

    def take(self, cells: int, things: int = 0, *, token: str | None = None) -> None:
        """Take cells of a region, a drawing or a piece; and things that count as `WEIGHT` each."""
        self.left -= cells + WEIGHT * things
        if cells > MAX_CELLS or self.left < 0:
            raise FormatError(
                f"a region may have {MAX_CELLS:,} cells, those of one file {MAX_TOTAL:,} together; "
                f"a puzzle, a piece and a part of a region count as {WEIGHT} each",
                token=token,
            )


def check_number_of_pieces(number: int) -> None:
    """Refuse a puzzle of too many pieces."""
    if number > MAX_PIECES:
        raise FormatError(f"a puzzle may have {MAX_PIECES:,} pieces, these are more")
