"""What the commands share: reading puzzles, JSON lines, progress on a terminal, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.solver import Solving

INTERRUPTED = 130
PROGRESS_AFTER = 1.0
PROGRESS_EVERY = 0.25

puzzle_argument = click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a puzzle and nothing else."
)


def read_all(places: Sequence[str]) -> Iterator[Document]:
    """The puzzles at these places, one after the other."""
    from exactcover.formats import read_puzzle

    for place in places:
        yield from read_puzzle(place)


def emit(record: dict[str, Any]) -> None:
    """One JSON object on a line of standard output."""
    click.echo(json.dumps(record, ensure_ascii=False))


def wants_colour() -> bool:
    """Whether standard output is a terminal that wants colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


class Progress:
    """A line on standard error that says how far a long search is; silent where no one looks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.began = monotonic()
        self.next = self.began + PROGRESS_AFTER
        self.shown = False
        self.enabled = sys.stderr.isatty()

    def show(self, solving: Solving) -> None:
        """Bring the line up to date, a few times a second at most."""
        if not self._due():
            return
        done, spent = solving.progress, monotonic() - self.began
        left = f", about {_duration(spent * (1 - done) / done)} left" if done > 1e-4 else ""
        self._write(f"{solving.found:,} found, {done:.2%} searched in {_duration(spent)}{left}")

    def tell(self, text: str) -> None:
        """Bring the line up to date with a text."""
        if self._due():
            self._write(f"{text}, {_duration(monotonic() - self.began)}")

    def _due(self) -> bool:
        return self.enabled and monotonic() >= self.next

    def _write(self, text: str) -> None:
        self.next = monotonic() + PROGRESS_EVERY
        self.shown = True
        sys.stderr.write(f"\r\033[K{self.name}: {text}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.shown = False


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


@contextmanager
def stopping_on_interrupt(solving: Solving) -> Iterator[None]:
    """Ctrl-C stops the search between two steps, so nothing that was found is lost.

    A second Ctrl-C gives up at once.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        solving.stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
