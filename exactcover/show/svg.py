"""Shapes on paper, SVG made of them, and files: PNG by a package of the extra `picture`.

A figure is a list of shapes in units of its own, y downwards. Colours are presentation attributes,
so every reader of SVG shows them. Only a picture for light and dark screens has a rule of style,
which changes the colours where the reader prefers dark ones; a class is named after its two
colours, so that several pictures on one page do not disturb each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import ceil, sqrt
from pathlib import Path as File
from typing import Literal

import numpy as np
import numpy.typing as npt

from exactcover.base.text.files import ending_of, write_bytes
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import Block
from exactcover.show.packages import package
from exactcover.show.palette import GROUND, INK, Tone

Ground = Literal["light", "dark"]
Theme = Literal["auto"] | Ground
AUTO: Theme = "auto"
LIGHT: Ground = "light"
DARK: Ground = "dark"
THEMES: tuple[Theme, ...] = (AUTO, LIGHT, DARK)

GLOSS = "exactcover-gloss"
"""The name of the gradient that makes a disc a ball."""

FONT = "system-ui, DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif"

Point = tuple[float, float]
Loops = tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class Path:
    """Loops filled with a colour; lines, where there is no colour to fill them.

    width   of the line, in pixels; of lines that are bars, in units
    """

    loops: Loops
    fill: Tone | None = None
    line: Tone | None = None
    width: float = 1.0
    title: str = ""
    scaled: bool = False


@dataclass(frozen=True)
class Disc:
    """A disc, or a ball where it is glossy."""

    centre: Point
    radius: float
    fill: Tone
    line: Tone
    title: str = ""
    glossy: bool = False


@dataclass(frozen=True)
class Label:
    """A word round a point, `size` units high; or with its start or its end there.

    anchor  "middle", "start" or "end"
    """

    at: Point
    text: str
    size: float
    ink: Tone
    anchor: str = "middle"


Shape = Path | Disc | Label


@dataclass(frozen=True)
class Figure:
    """Shapes, and the box round them: least x and y, greatest x and y."""

    shapes: tuple[Shape, ...]
    low: Point
    high: Point

    @property
    def size(self) -> Point:
        return self.high[0] - self.low[0], self.high[1] - self.low[1]

    def at(self, x: float, y: float) -> Figure:
        """The figure with the left upper corner of its box here."""
        (left, top), (width, height) = self.low, self.size
        shapes = moved(self.shapes, (x - left, y - top))
        return Figure(tuple(shapes), (x, y), (x + width, y + height))

    def scaled(self, factor: float) -> Figure:
        """The figure in another size, its lines somewhat thinner or wider."""
        shapes = moved(self.shapes, (0.0, 0.0), factor, factor**0.5)
        low, high = ((factor * x, factor * y) for x, y in (self.low, self.high))
        return Figure(tuple(shapes), low, high)

    @classmethod
    def around(cls, shapes: Iterable[Shape], points: npt.NDArray[np.float64]) -> Figure:
        """A figure whose box holds these points."""
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return cls(tuple(shapes), (low[0], low[1]), (high[0], high[1]))


def joined(figures: Sequence[Figure]) -> Figure:
    """Several figures as one, each where it is."""
    corners = np.array([corner for figure in figures for corner in (figure.low, figure.high)])
    return Figure.around([shape for figure in figures for shape in figure.shapes], corners)


def in_grid(figures: Sequence[Figure], columns: int, gap: float) -> Figure:
    """Figures in rows, each column as wide and each row as high as its largest figure."""
    places = grid([figure.size for figure in figures], columns, gap)
    return joined([figure.at(*place) for figure, place in zip(figures, places, strict=True)])


def grid(sizes: Sequence[Point], columns: int, gap: float) -> list[Point]:
    """The left upper corners of boxes of these sizes in rows, each in the middle of its place."""
    rows = [sizes[start : start + columns] for start in range(0, len(sizes), columns)]
    widths = [max(row[c][0] for row in rows if c < len(row)) for c in range(len(rows[0]))]
    places, y = [], 0.0
    for row in rows:
        height = max(down for _, down in row)
        x = 0.0
        for (across, down), width in zip(row, widths, strict=False):
            places.append((x + (width - across) / 2, y + (height - down) / 2))
            x += width + gap
        y += height + gap
    return places


def nested_grid(blocks: Iterable[Block], size: Point, gap: float) -> dict[Block, Point]:
    """The left upper corners of blocks of one size.

    The first of their coordinates counts across the page, the second down, the third across again,
    each with a wider gap, so that grids are nested.
    """
    corners = {block: [0.0, 0.0] for block in blocks}
    axes = [sorted(set(values)) for values in zip(*corners, strict=True)]
    lengths = [*size]
    for axis, values in enumerate(axes):
        way = axis % 2
        step = lengths[way] + gap * (1 + axis)
        for block, corner in corners.items():
            corner[way] += step * values.index(block[axis])
        lengths[way] += step * (len(values) - 1)
    return {block: (x, y) for block, (x, y) in corners.items()}


def columns_of(sizes: Sequence[Point], gap: float, ratio: float) -> int:
    """The columns of a grid of boxes that is about `ratio` times as wide as it is high."""
    across = max(width for width, _ in sizes) + gap
    down = max(height for _, height in sizes) + gap
    return max(1, min(len(sizes), ceil(sqrt(len(sizes) * ratio * down / across))))


def moved(
    shapes: Iterable[Shape], by: Point, factor: float = 1.0, lines: float = 1.0
) -> Iterator[Shape]:
    """Shapes whose points are multiplied by a factor, then moved.

    lines  by what the widths of lines in pixels are multiplied
    """

    def there(point: Point) -> Point:
        return factor * point[0] + by[0], factor * point[1] + by[1]

    for shape in shapes:
        if isinstance(shape, Path):
            loops = tuple(tuple(map(there, loop)) for loop in shape.loops)
            width = shape.width * (factor if shape.scaled else lines)
            yield replace(shape, loops=loops, width=width)
        elif isinstance(shape, Disc):
            yield replace(shape, centre=there(shape.centre), radius=shape.radius * factor)
        else:
            yield replace(shape, at=there(shape.at), size=shape.size * factor)


class Writer:
    """Writes figures as SVG.

    theme  which of its two colours a tone has
    scale  pixels for each unit
    """

    def __init__(self, theme: str, scale: float) -> None:
        self._theme, self._scale = theme, scale
        self._rules: set[str] = set()

    def document(
        self, figure: Figure, margin: float, title: str, description: str
    ) -> tuple[str, float, float]:
        """The SVG of a figure, and its width and height in pixels."""
        width, height = (side * self._scale + 2 * margin for side in figure.size)
        by = margin - self._scale * figure.low[0], margin - self._scale * figure.low[1]
        body = [self._written(shape) for shape in moved(figure.shapes, by, self._scale)]
        ground = self._element("rect", {"width": "100%", "height": "100%", "fill": GROUND})
        lines = [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{number(width)}' "
            f"height='{number(height)}' viewBox='0 0 {number(width)} {number(height)}' "
            "role='img'>",
            f"<title>{plain(title)}</title>",
        ]
        if description:
            lines.append(f"<desc>{plain(description)}</desc>")
        if self._theme == AUTO:
            rules = "".join(sorted(self._rules))
            lines.append(f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>")
        if any(isinstance(shape, Disc) and shape.glossy for shape in figure.shapes):
            lines.append(_GLOSS)
        lines += [ground, _GROUP, *body, "</g>"]
        return "\n".join([*lines, "</svg>", ""]), width, height

    def _written(self, shape: Shape) -> str:
        """One shape, in pixels."""
        if isinstance(shape, Path):
            return self._path(shape)
        if isinstance(shape, Disc):
            x, y = shape.centre
            place = {"cx": number(x), "cy": number(y), "r": number(shape.radius)}
            coloured: dict[str, str | Tone] = {**place, "fill": shape.fill, "stroke": shape.line}
            body = self._element("circle", coloured, titled(shape.title))
            gloss = self._element("circle", {**place, "fill": f"url(#{GLOSS})"})
            return body + gloss * shape.glossy
        x, y = shape.at[0], shape.at[1] + 0.36 * shape.size
        attributes = {"x": number(x), "y": number(y), "font-size": number(shape.size)}
        if shape.anchor != "middle":
            attributes["text-anchor"] = shape.anchor
        return self._element("text", {**attributes, "fill": shape.ink}, plain(shape.text))

    def _path(self, path: Path) -> str:
        steps = "".join(
            "M"
            + "L".join(f"{number(x)} {number(y)}" for x, y in loop)
            + "Z" * (path.fill is not None)
            for loop in path.loops
        )
        attributes: dict[str, str | Tone] = {"d": steps, "fill": path.fill or "none"}
        if path.fill and len(path.loops) > 1:
            attributes["fill-rule"] = "evenodd"
        if path.line:
            attributes |= {"stroke": path.line, "stroke-width": number(path.width)}
        return self._element("path", attributes, titled(path.title))

    def _element(self, name: str, attributes: Mapping[str, str | Tone], inside: str = "") -> str:
        """An element; a colour that differs on dark ground has a class."""
        said, classes = "", []
        for attribute, value in attributes.items():
            text = value
            if isinstance(value, Tone):
                text = value.dark if self._theme == DARK else value.light
                if self._theme == AUTO and value.light != value.dark:
                    classes.append(f"{attribute[0]}{value.light[1:]}-{value.dark[1:]}")
                    self._rules.add(f".{classes[-1]}{{{attribute}:{value.dark}}}")
            said += f" {attribute}='{text}'"
        if classes:
            said += f" class='{' '.join(classes)}'"
        return f"<{name}{said}>{inside}</{name}>" if inside else f"<{name}{said}/>"


_GROUP = (
    f"<g stroke-linejoin='round' stroke-linecap='round' font-family='{FONT}' text-anchor='middle'>"
)

_GLOSS = (
    f"<defs><radialGradient id='{GLOSS}' cx='.35' cy='.3' r='.75'>"
    "<stop offset='0' stop-color='#FFF' stop-opacity='.55'/>"
    "<stop offset='.45' stop-color='#FFF' stop-opacity='0'/>"
    "<stop offset='1' stop-color='#000' stop-opacity='.35'/></radialGradient></defs>"
)


def titled(text: str) -> str:
    """The element with the text that is shown when a reader points at what has it."""
    return f"<title>{plain(text)}</title>" if text else ""


@lru_cache(maxsize=1 << 14)
def number(value: float) -> str:
    """A number with up to two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def plain(text: str) -> str:
    """A text for XML, which has no place for a few characters."""
    return escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text))


# -- figures below their names ---------------------------------------------------------------------


def captioned(figure: Figure, text: str, size: float) -> Figure:
    """A figure with a line of text above it, `size` units high."""
    middle = (figure.low[0] + figure.high[0]) / 2
    wide = max(figure.size[0], 0.6 * size * len(text))  # about as wide as the text
    label = Label((middle, figure.low[1] - 0.9 * size), text, size, INK)
    return Figure(
        (*figure.shapes, label),
        (middle - wide / 2, figure.low[1] - 1.7 * size),
        (middle + wide / 2, figure.high[1]),
    )


TILE = 10
"""The longest side of a tile, in distances from a cell to the next; larger figures are shrunk."""

LETTERS = 25
"""The letters of a line above a tile; a longer name has several lines."""

TEXT = 0.65
"""The height of a name, in distances from a cell to the next."""


def sheet(figures: Sequence[Figure], pitch: float) -> Figure:
    """Figures in a grid that is about as wide as it is high."""
    columns = columns_of([figure.size for figure in figures], pitch, 1.3)
    return in_grid(figures, columns, 0.9 * pitch)


def tile(figure: Figure, name: str, pitch: float) -> Figure:
    """A figure that is not too large, below its name, which may be empty."""
    figure = figure.scaled(min(1.0, TILE * pitch / max(figure.size)))
    for line in reversed(lines_of(name)):
        figure = captioned(figure, line, TEXT * pitch)
    return figure


def lines_of(name: str) -> list[str]:
    """A name in lines of at most `LETTERS`, as far as it can be broken at underscores."""
    lines: list[str] = []
    for word in re.findall(r"[^_]+_*|_+", name):
        if lines and len(lines[-1] + word) <= LETTERS:
            lines[-1] += word
        else:
            lines.append(word)
    return lines


# -- files ----------------------------------------------------------------------------------------

SUFFIXES = (".svg", ".png")

_RULE = re.compile(r"<style>.*?</style>\n")


def saved(svg: str, path: File, zoom: float) -> None:
    """Write a picture to a file whose ending says what it becomes; PNG in light colours."""
    suffix = ending_of(path, SUFFIXES)
    if not 0 < zoom <= 20:
        raise ExactCoverError(f"zoom={zoom}: a number up to 20 is needed")
    content = svg.encode()
    if suffix == ".png":
        width = float(svg.partition("width='")[2].partition("'")[0])
        draw = package("resvg_py", "picture").svg_to_bytes
        content = bytes(
            draw(svg_string=_RULE.sub("", svg), width=max(1, round(width * zoom)), dpi=96)
        )
    write_bytes(path, content)
