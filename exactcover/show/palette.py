"""Colours of pieces: of pictures, for colour-blind readers, with ink that can be read; and of text.

The first six colours are those of Okabe and Ito, without black and blue. Each further one is as far
as possible from all before it, for normal vision, deuteranopia and protanopia alike, and no colour
is dark: the lightness of OKLab is 0.6 to 0.9. So a side of a solid in the shade keeps its colour,
black letters can be read on every piece, and a piece has one colour on light and on dark ground. Up
to twenty pieces, copies counted, all have different colours. More are coloured as a graph, so that
two that touch never look alike.

Text has the same colours, as nearly as the 256 of a terminal allow; the rest of the 256 follow, for
puzzles in which very many pieces touch each other. A piece keeps its colour from one solution to
the next where that is possible; a copy that touches one of the same colour takes the next that is
free.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, islice
from typing import IO, Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import check_choice
from exactcover.geometry.cells import CellSet
from exactcover.geometry.neighbours import corner_graph, neighbour_graph, pairs_of

COLOURS = (
    *("E69F00", "56B4E9", "009E73", "F0E442", "D55E00", "CC79A7", "7474D8"),
    *("5DF7FF", "B9D193", "F093A2", "B25DA2", "8BF7C1", "7CD1FF", "E0C94D"),
    *("7C93F7", "64B274", "27C9C9", "D18B36", "2EA2C9", "64E0D1"),
)


class Tone(NamedTuple):
    """A colour on a light ground, and the one for it on a dark ground, as #RRGGBB."""

    light: str
    dark: str


GROUND = Tone("#FFFFFF", "#111418")
INK = Tone("#1B1F24", "#E6E8EB")
EMPTY = Tone("#E9ECF0", "#272C33")
"""Cells that are to be filled."""

OPTIONAL = Tone("#F7F8FA", "#1A1E24")
"""Cells that may stay empty."""

FAINT = Tone("#B4BBC4", "#4A525C")
"""The lines between empty cells."""

EDGE = Tone("#1B1F24", "#08090B")
"""The outlines of pieces."""

FIXED = Tone("#9AA2AD", "#6B737E")
"""Stationary pieces."""

BLACK, WHITE = "#000000", "#FFFFFF"

PALETTE = tuple(Tone(f"#{colour}", f"#{colour}") for colour in COLOURS)


def colour(number: int) -> Tone:
    """The colour of this number; behind the palette come paler copies of it."""
    round_, place = divmod(number, len(PALETTE))
    return mixed(PALETTE[place], GROUND, 1 - 0.8**round_)


def mixed(tone: Tone, other: Tone, share: float) -> Tone:
    """A colour between two: `share` of the other one."""
    light, dark = (
        _written([(1 - share) * x + share * y for x, y in zip(_parts(a), _parts(b), strict=True)])
        for a, b in zip(tone, other, strict=True)
    )
    return Tone(light, dark)


def shaded(tone: Tone, light: float) -> Tone:
    """The colour in this much light: 1 leaves it, less darkens it."""
    return mixed(tone, Tone(BLACK, BLACK), 1 - light)


def ink_on(tone: Tone) -> Tone:
    """Black or white, whichever has more contrast."""
    light, dark = (BLACK if _luminance(one) > 0.179 else WHITE for one in tone)
    return Tone(light, dark)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as the guidelines of the W3C define it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(text: str) -> float:
    red, green, blue = (
        x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4
        for x in (part / 255 for part in _parts(text))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(text: str) -> list[int]:
    return [int(text[start : start + 2], 16) for start in (1, 3, 5)]


def _written(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(part):02X}" for part in parts)


def own_colours(most: Mapping[str, int | None]) -> dict[str, Sequence[int]]:
    """The numbers of the colours that each piece has in every solution, one for each copy.

    Where the palette has not enough colours for all copies, only pieces of a single copy have
    colours of their own; where it has not enough for these, no piece has.

    most  for each piece of a puzzle how many copies there are at most; None: any number
    """
    if len(most) > len(PALETTE):
        return dict.fromkeys(most, ())
    if None in most.values() or sum(copies or 0 for copies in most.values()) > len(PALETTE):
        return {name: (place,) * (most[name] == 1) for place, name in enumerate(most)}
    numbers = iter(range(len(PALETTE)))
    return {name: tuple(islice(numbers, copies or 0)) for name, copies in most.items()}


def colour_numbers(
    names: Sequence[str], most: Mapping[str, int | None], touching: Iterable[tuple[int, int]]
) -> list[int]:
    """A number of a colour for each placement; those of placements that touch differ.

    A piece has its own colours, the same in every solution. The other placements share what is left
    of the palette.

    names     of the placed pieces
    most      for each piece of the puzzle how many copies there are at most; None: any number
    touching  pairs of placements that touch
    """
    own = {name: list(numbers) for name, numbers in own_colours(most).items()}
    taken = {number for numbers in own.values() for number in numbers}
    chosen = {place: own[name].pop(0) for place, name in enumerate(names) if own.get(name)}
    if len(chosen) < len(names):
        import networkx

        graph: networkx.Graph[Any] = networkx.Graph()
        graph.add_nodes_from(place for place in range(len(names)) if place not in chosen)
        graph.add_edges_from(pair for pair in touching if not chosen.keys() & set(pair))
        # DSATUR takes fewer colours, in quadratic time.
        strategy = "DSATUR" if len(graph) <= 500 else "smallest_last"
        shared: dict[int, int] = networkx.greedy_color(graph, strategy=strategy)
        left = (number for number in count() if number not in taken)
        numbers = list(islice(left, max(shared.values()) + 1))
        chosen |= {place: numbers[number] for place, number in shared.items()}
    return [chosen[place] for place in range(len(names))]


# -- text ------------------------------------------------------------------------------------------

FIRST_CHOICE = (
    *(178, 74, 35, 221, 166, 175, 104, 87, 150, 211),
    *(133, 121, 117, 185, 105, 72, 44, 173, 38, 80),
)
"""For each colour of pictures the nearest one of the 256 that no other has."""

TERMINAL = FIRST_CHOICE + tuple(
    code for code in (16 + step * 37 % 216 for step in range(216)) if code not in FIRST_CHOICE
)

Wish = Literal["auto", "always", "never"]
WISHES: tuple[Wish, ...] = get_args(Wish)

RESET = "\x1b[0m"


def in_colour(name: str, wish: bool | Wish, stream: IO[str] | None = None) -> bool:
    """Whether a stream gets colours: always, never, or `auto`, if it is a terminal that wants them.

    name  of the argument that says the wish, for messages
    """
    if not isinstance(wish, bool):
        check_choice(name, wish, WISHES)
    if wish != "auto":
        return wish in (True, "always")
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return (stream or sys.stdout).isatty() and not plain


def touching_cells(region: CellSet) -> npt.NDArray[np.int64]:
    """Pairs of positions in the region [n, 2] whose cells touch; in the plane also at a corner."""
    pairs = pairs_of(neighbour_graph(region))
    if region.lattice.dimension > 2:
        return pairs
    return np.concatenate([pairs, pairs_of(corner_graph(region))])


def choose_colours(
    owners: Sequence[int], touching: Iterable[tuple[int, int]], wanted: Sequence[int]
) -> list[int]:
    """A colour for each placement, as a position in `TERMINAL`.

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


def painted(text: str, colour: int) -> str:
    """The text on a ground of this colour, in black or white, whichever can be read."""
    code = TERMINAL[colour % len(TERMINAL)]
    ink = 16 if _brightness(code) > 110 else 231
    return f"\x1b[38;5;{ink};48;5;{code}m{text}{RESET}"


def _brightness(code: int) -> float:
    """How bright one of the 256 colours is, 0 to 255."""
    if code >= 232:
        return 8 + 10 * (code - 232)
    steps = (0, 95, 135, 175, 215, 255)
    red, green, blue = (steps[(code - 16) // 6**power % 6] for power in (2, 1, 0))
    return 0.299 * red + 0.587 * green + 0.114 * blue
