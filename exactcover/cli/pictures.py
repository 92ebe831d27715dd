"""`--style` and `--color`: how the commands that print solutions draw them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from exactcover.lattices.view import Style
    from exactcover.render.colours import Wish
    from exactcover.search.result import Solution

STYLES = ("letters", "outline", "blocks")
AUTO: Wish = "auto"

Command = Callable[..., Any]


@dataclass(frozen=True)
class Look:
    """How solutions are drawn: the style, None for the one that suits; and when colours are
    used."""

    style: Style | None
    color: Wish

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
        from exactcover.render.colours import in_colour

        return in_colour("color", self.color, stream)


def _writes_lines(stream: IO[str]) -> bool:
    """Whether a stream can write the lines of an outline; the encoding of an old terminal
    cannot."""
    try:
        "┼".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def picture_options(command: Command) -> Command:
    """Add `--style` and `--color` to a command; `look_of` removes them from its options."""
    for option in (
        click.option(
            "--style",
            type=click.Choice(STYLES),
            help="How to draw: names in cells, walls between pieces, or filled cells. If you do "
            "not say, walls where a name occurs twice, else names.",
        ),
        click.option(
            "--color",
            "--colour",
            "color",
            type=click.Choice((AUTO, "always", "never")),
            default=AUTO,
            show_default=True,
            help="Colours: auto is on a terminal, unless NO_COLOR is set.",
        ),
    )[::-1]:
        command = option(command)
    return command


def look_of(options: dict[str, Any]) -> Look:
    """The look that the options ask for; removes these options from the others."""
    return Look(options.pop("style"), options.pop("color"))
