"""Colours of pictures: a palette for colour-blind readers, and ink that can be read on it.

The first seven colours are those of Okabe and Ito, without black. Each further one is as far as
possible from all before it, for normal vision, deuteranopia and protanopia alike; for a dark ground
there is a palette of its own. Up to twenty pieces all have different colours. More pieces are
coloured as a graph, so that two that touch never look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

LIGHT = (
    *("E69F00", "56B4E9", "009E73", "F0E442", "0072B2", "D55E00", "CC79A7"),
    *("68130B", "472D49", "95D7A2", "1C04A6", "525B51", "C8CDDB", "A7320C"),
    *("4E6376", "6381F8", "4D8683", "423433", "B2F89B", "205185"),
)
DARK = (
    *("E69F00", "56B4E9", "009E73", "F0E442", "0072B2", "D55E00", "CC79A7"),
    *("DFF0E9", "355753", "8C2809", "7FD091", "1D4B70", "B4DEFC", "C4FFB0"),
    *("247148", "567977", "6381F8", "ADBFBC", "0939C5", "39677B"),
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

FIXED = Tone("#7B838D", "#868E98")
"""Stationary pieces."""

BLACK, WHITE = "#000000", "#FFFFFF"

PALETTE = tuple(Tone(f"#{light}", f"#{dark}") for light, dark in zip(LIGHT, DARK, strict=True))


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


def colour_numbers(
    names: Sequence[str], known: Mapping[str, int], touching: Iterable[tuple[int, int]]
) -> list[int]:
    """A number of a colour for each placement; those of placements that touch differ.

    names     of the placed pieces
    known     the place of each name among the pieces of the puzzle
    touching  pairs of placements that touch
    """
    own = [known.get(name, len(known)) for name in names]
    if len(set(own)) == len(own) and max(own, default=0) < len(PALETTE):
        return own
    if len(own) <= len(PALETTE):
        return list(range(len(own)))
    import networkx

    graph: networkx.Graph[Any] = networkx.Graph()
    graph.add_nodes_from(range(len(names)))
    graph.add_edges_from(touching)
    numbers: dict[int, int] = networkx.greedy_color(graph, strategy="DSATUR")
    return [numbers[placement] for placement in range(len(names))]
