"""`--style` and `--color`: how the commands that print solutions draw them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from exactcover.app.cli.options import choice

if TYPE_CHECKING:
    from exactcover.lattices.view import Style
    from exactcover.search.result import Solution
    from exactcover.show.render.colours import Wish

STYLES = ("letters", "outline", "blocks")
AUTO: Wish = "auto"


@dataclass(frozen=True)
class Look:
    """How solutions are drawn: options of a command that prints them.

    style  None: the style that suits
    """

    style: Style | None = choice(
        "--style", of=STYLES,
        help="How to draw: names in cells, walls between pieces, or filled cells. If you do not "
        "say, walls where a name occurs twice, else names.",
    )  # fmt: skip
    color: Wish = choice(
        "--color", "--colour", of=(AUTO, "always", "never"), default=AUTO,
        help="Colours: auto is on a terminal, unless NO_COLOR is set.",
    )  # fmt: skip

    def draw(self, solution: Solution, stream: IO[str] | None = None) -> str:
        """A picture of a solution for a stream, standard output if none is named."""
        from exactcover.api import draw

        stream = stream or sys.stdout
        style = self.style
        if style is None and not _writes_lines(stream):
            style = "letters"
        return draw(solution, style=style, color=self.in_colour(stream))

    def in_colour(self, stream: IO[str]) -> bool:
        """Whether a stream gets colours."""
        from exactcover.show.render.colours import in_colour

        return in_colour("color", self.color, stream)


def _writes_lines(stream: IO[str]) -> bool:
    """Whether a stream can write the lines of an outline; the encoding of an old terminal
    cannot."""
    try:
        "┼".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
