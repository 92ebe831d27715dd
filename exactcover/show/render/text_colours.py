"""Colours for pieces, so that two that touch never share one.

A piece keeps its own colour from one solution to the next where that is possible; a copy that
touches one of the same colour takes the next that is free. The first colours are, as nearly as 256
colours allow, the set of Okabe and Ito that colour-blind readers can tell apart, then others of
clearly different brightness; the rest of the 256 follow, for puzzles in which very many pieces
touch each other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import IO, Literal, get_args

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import check_flag
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import corner_graph, neighbour_graph

FIRST_CHOICE = (214, 75, 29, 228, 25, 167, 182, 245, 54, 94, 121, 253)
"""Orange, sky blue, green, yellow, blue, vermilion, pink, grey, purple, brown, mint, near white."""

PALETTE = FIRST_CHOICE + tuple(
    code for code in (16 + step * 37 % 216 for step in range(216)) if code not in FIRST_CHOICE
)

TEXTURES = "█▒░▓#=*ox/:%" + "abcdefghijklmnpqrstuvwyz" + "ABCDEFGHIJKLMNPQRSTUVWYZ"
"""Characters to fill a cell without colours; the first twelve stand for `FIRST_CHOICE`."""

Wish = Literal["auto", "always", "never"]
WISHES: tuple[Wish, ...] = get_args(Wish)

RESET = "\x1b[0m"


def in_colour(name: str, wish: bool | Wish, stream: IO[str] | None = None) -> bool:
    """Whether a stream gets colours: always, never, or `auto`, if it is a terminal that wants them.

    name  of the argument that says the wish, for messages
    """
    check_flag(name, wish, words=WISHES)
    if wish != "auto":
        return wish in (True, "always")
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return (stream or sys.stdout).isatty() and not plain


def touching_cells(region: CellSet) -> npt.NDArray[np.int64]:
    """Pairs of positions in the region [n, 2] whose cells touch; in the plane also at a corner."""
    graphs = [neighbour_graph(region)]
    if region.lattice.dimension <= 2:
        graphs.append(corner_graph(region))
    pairs = [
        np.stack([np.repeat(np.arange(len(region)), np.diff(starts)), others], axis=1)
        for starts, others in graphs
    ]
    both = np.concatenate(pairs)
    return np.asarray(both[both[:, 0] < both[:, 1]], np.int64)


def choose_colours(
    owners: Sequence[int], touching: Iterable[tuple[int, int]], wanted: Sequence[int]
) -> list[int]:
    """A colour for each placement, as a position in `PALETTE`.

    owners    the placement that covers each cell, negative where none does
    touching  pairs of cells that touch
    wanted    the colour that each placement would like to have
    """
    neighbours: list[set[int]] = [set() for _ in wanted]
    for first, second in touching:
        a, b = owners[first], owners[second]
        if a != b and a >= 0 and b >= 0:
            neighbours[a].add(b)
            neighbours[b].add(a)
    chosen: list[int] = []
    for placement, first_wish in enumerate(wanted):
        taken = {chosen[other] for other in neighbours[placement] if other < placement}
        nearest = ((first_wish + step) % len(FIRST_CHOICE) for step in range(len(FIRST_CHOICE)))
        colours = chain(nearest, count(len(FIRST_CHOICE)))
        chosen.append(next(colour for colour in colours if colour not in taken))
    return chosen


def texture(colour: int) -> str:
    """A character that fills a cell instead of this colour."""
    return TEXTURES[colour] if colour < len(TEXTURES) else chr(0x100 + colour - len(TEXTURES))


def painted(text: str, colour: int) -> str:
    """The text on a ground of this colour, in black or white, whichever can be read."""
    code = PALETTE[colour % len(PALETTE)]
    ink = 16 if _brightness(code) > 110 else 231
    return f"\x1b[38;5;{ink};48;5;{code}m{text}{RESET}"


def _brightness(code: int) -> float:
    """How bright one of the 256 colours is, 0 to 255."""
    if code >= 232:
        return 8 + 10 * (code - 232)
    steps = (0, 95, 135, 175, 215, 255)
    red, green, blue = (steps[(code - 16) // 6**power % 6] for power in (2, 1, 0))
    return 0.299 * red + 0.587 * green + 0.114 * blue
