"""The drawing of a region, laid out once, into which any number of solutions are filled.

A sheet is a list of strings that make the drawing of the empty region when joined. To draw a
solution is to replace those that change: the tokens of covered cells, the walls with different
pieces on their sides, the nodes where walls meet. Where there are tokens only, as with squares and
cubes, that is one look-up a cell and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from textwrap import wrap
from unicodedata import east_asian_width

from exactcover.errors import PuzzleError
from exactcover.puzzle import Cell, Placement
from exactcover.show.render.palette import FIRST_CHOICE, choose_colours, painted, texture

OUTSIDE = -2
UNCOVERED = -1

Edge = tuple[int, int, int, str]
"""A part between two cells, and its text: (part, cell, cell, text)."""


@dataclass(frozen=True, eq=False)
class TextSheet:
    """A region laid out for drawing. Cells are numbered; the number after the last is outside.

    numbers   the number of each cell
    parts     the drawing of the empty region, cut up
    slots     for each cell, the part that is its token
    tokens    the text of a slot, by the name of the piece
    short     the token alone, by the name of the piece
    strokes   for each cell, parts that appear where it is covered, with their text
    walls     parts that appear between two pieces
    joints    parts between two cells, coloured where one piece covers both
    nodes     parts where walls meet: which walls, and the bit that each sets
    node_text the text of a node, by the bits
    vertices  parts where sticks meet: which sticks, and the bit that each sets
    vertex_text  the text of a vertex where all that meet are of one piece, by the bits
    fill      the width of a token where cells are filled; 0: they show names
    touching  pairs of cells that touch, for colours
    """

    numbers: Mapping[Cell, int]
    parts: Sequence[str]
    slots: Sequence[int]
    tokens: Mapping[str, str]
    short: Mapping[str, str]
    strokes: Sequence[Sequence[tuple[int, str]]] = ()
    walls: Sequence[Edge] = ()
    joints: Sequence[Edge] = ()
    nodes: Sequence[tuple[int, Sequence[tuple[int, int]]]] = ()
    node_text: str = ""
    vertices: Sequence[tuple[int, Sequence[tuple[int, int]]]] = ()
    vertex_text: str = ""
    fill: int = 0
    touching: Sequence[tuple[int, int]] = field(default=(), repr=False)

    def draw(self, placements: Iterable[Placement], *, colour: bool = False) -> str:
        """The drawing of pieces in their places."""
        placed = list(placements)
        try:
            if colour or self.fill or self.walls or self.strokes or self.vertices:
                drawing = self._draw_in_full(placed, colour)
            else:
                parts, numbers, slots = list(self.parts), self.numbers, self.slots
                for placement in placed:
                    token = self.tokens[placement.piece]
                    for cell in placement.cells:
                        parts[slots[numbers[cell]]] = token
                drawing = "".join(parts)
        except KeyError:
            raise self._stranger(placed) from None
        if self.fill or all(name == token for name, token in self.short.items()):
            return drawing
        names = {placement.piece for placement in placed}
        below = legend(entry for entry in self.short.items() if entry[0] in names)
        return f"{drawing}\n{below}" if below else drawing

    def _draw_in_full(self, placed: Sequence[Placement], colour: bool) -> str:
        parts = list(self.parts)
        owners = [UNCOVERED] * len(self.slots) + [OUTSIDE]
        for owner, placement in enumerate(placed):
            for cell in placement.cells:
                owners[self.numbers[cell]] = owner
        colours: list[int] = []
        if colour or self.fill:  # a name has its own wish, the same in every solution
            wishes = {name: number % len(FIRST_CHOICE) for number, name in enumerate(self.tokens)}
            wanted = [wishes.get(placement.piece, 0) for placement in placed]
            colours = choose_colours(owners, self.touching, wanted)

        def inked(text: str, owner: int) -> str:
            if owner < 0:
                return text
            if self.fill and not colour:
                return texture(colours[owner]) * len(text)
            return painted(text, colours[owner]) if colour else text

        block = " " * self.fill
        for number, owner in enumerate(owners[:-1]):
            if owner >= 0:
                token = block or self.tokens[placed[owner].piece]
                parts[self.slots[number]] = inked(token, owner)
                for part, text in self.strokes[number] if self.strokes else ():
                    parts[part] = inked(" " * len(text) if self.fill else text, owner)
        for part, first, second, text in self.joints if colour or self.fill else ():
            if owners[first] == owners[second]:
                parts[part] = inked(text, owners[first])
        drawn = [owners[first] != owners[second] for _, first, second, _ in self.walls]
        for is_drawn, (part, _, _, text) in zip(drawn, self.walls, strict=True):
            if is_drawn:
                parts[part] = text
        for part, arms in self.nodes:
            bits = 0
            for wall, bit in arms:
                if drawn[wall]:
                    bits |= bit
            inside = owners[self.walls[arms[0][0]][1]] if bits == 0 else UNCOVERED
            parts[part] = inked(self.node_text[bits], inside)
        for part, sticks in self.vertices:
            there = {owners[cell] for cell, _ in sticks} - {UNCOVERED}
            if len(there) == 1:
                [owner] = there
                bits = sum({bit for cell, bit in sticks if owners[cell] == owner})
                parts[part] = inked(" " if self.fill else self.vertex_text[bits], owner)
        text = "".join(parts)
        return "\n".join(line.rstrip() for line in text.split("\n"))

    def _stranger(self, placed: Sequence[Placement]) -> PuzzleError:
        """The error for placements that do not belong on this sheet."""
        for placement in placed:
            name = placement.piece
            if name not in self.tokens:
                return PuzzleError(f"the puzzle that is drawn has no piece {name}")
            for cell in placement.cells:
                if cell not in self.numbers:
                    message = f"piece {name} lies on {cell}, outside what is drawn"
                    return PuzzleError(message, piece=name)
        raise AssertionError("all of these pieces and cells are on the sheet")


EMPTY = "."
RESERVED = frozenset({EMPTY, "~L", "~D"})
LEGEND_WIDTH = 78

_SPARE = (
    range(ord("A"), ord("Z") + 1),
    range(ord("a"), ord("z") + 1),
    range(ord("0"), ord("9") + 1),
    range(0x100, 0x180),  # Latin with accents
    range(0x410, 0x450),  # Cyrillic
    range(0x1401, 0x1600),  # Canadian syllabics
)
"""Characters of one column, to be given to pieces whose own letters are all taken."""


def short_names(names: Iterable[str], longest: int | None) -> dict[str, str]:
    """A distinct token for each name: itself where it is plain and no longer than `longest`."""
    ordered = list(dict.fromkeys(names))
    tokens = {name: name for name in ordered if _is_plain(name, longest)}
    taken = set(tokens)
    for name in ordered:
        if name not in tokens:
            tokens[name] = next((c for c in _candidates(name) if c not in taken), "?")
            taken.add(tokens[name])
    return tokens


def legend(tokens: Iterable[tuple[str, str]]) -> str:
    """Lines that say which token stands for which name, as comments; empty where all are plain."""
    entries = [
        f"{token}={name if name.isprintable() else ascii(name)}"
        for name, token in tokens
        if name != token
    ]
    lines = wrap(
        " ".join(entries), LEGEND_WIDTH, initial_indent="# ", subsequent_indent="# ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)


def _is_plain(name: str, longest: int | None) -> bool:
    return (
        (longest is None or len(name) <= longest)
        and name not in RESERVED
        and name.isprintable()
        and not any(c in ",#" or east_asian_width(c) in "WF" for c in name)
    )


def _candidates(name: str) -> Iterator[str]:
    """First the letters of the name itself, then any others."""
    own = [c for c in name if c.isascii() and c.isalnum()]
    return chain(own, (c.swapcase() for c in own), (chr(code) for code in chain(*_SPARE)))
