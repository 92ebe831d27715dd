"""Standard error: messages of the program, and the progress of a search on a terminal.

The progress is a bar and a line of figures below it, drawn with rich, which is imported when the
first of them is drawn. They are drawn again in their place, and taken away before anything is
printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

BAR = 24
"""Columns of the bar."""


on_screen: list[Display] = []


def clear_screen() -> None:
    """Take away the bar that is drawn, if there is one, so that a message can be printed."""
    for display in on_screen:
        display.clear()


def say(message: str) -> None:
    """Print a message of the program."""
    clear_screen()
    sys.stderr.write(f"exactcover: {message}\n")
    sys.stderr.flush()


class Display:
    """The drawing on the terminal."""

    def __init__(self) -> None:
        self._console: Console | None = None
        self._lines = 0

    def draw(self, name: str, text: str, done: float | None, facts: Sequence[str]) -> None:
        """Draw a bar with a name before it and a text behind it, and the facts below.

        There is no bar if the share that is done is unknown. Lines are cut where the terminal ends.
        """
        from rich.console import Console
        from rich.text import Text

        if self._console is None:
            self._console = Console(file=sys.stderr, highlight=False)
        console = self._console
        with console.capture() as drawn:
            console.print(_head(name, text, done, console.width))
            if facts:
                line = Text(f"  {' · '.join(facts)}", style="dim")
                console.print(line, no_wrap=True, overflow="ellipsis")
        text = drawn.get()
        sys.stderr.write(self._up() + text)
        sys.stderr.flush()
        self._lines = text.count("\n")
        if self not in on_screen:
            on_screen.append(self)

    def clear(self) -> None:
        """Take away what is drawn."""
        if self._lines:
            sys.stderr.write(self._up())
            sys.stderr.flush()
            self._lines = 0
            on_screen.remove(self)

    def _up(self) -> str:
        """To the first line of what is drawn, with everything below erased."""
        return f"\r\033[{self._lines}A\033[J" if self._lines else "\r"


def _head(name: str, text: str, done: float | None, width: int) -> RenderableType:
    """The first line: what runs, and how far it is. A long name is cut before the text is."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar = BAR if done is not None else 0
    line = Table.grid(padding=(0, 1))
    room = max(width - bar - len(text) - 3, width // 4)
    line.add_column(no_wrap=True, overflow="ellipsis", style="bold", max_width=room)
    cells: list[RenderableType] = [Text(name)]
    if done is not None:
        line.add_column(width=bar)
        cells.append(ProgressBar(total=1.0, completed=done, width=bar))
    line.add_column(no_wrap=True, overflow="ellipsis")
    line.add_row(*cells, Text(text))
    return line
