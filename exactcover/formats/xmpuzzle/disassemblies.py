"""Disassemblies in BurrTools' puzzle files: read, checked, and written.

    <solution asmNum="11">
     <assembly>1 6 3 2 6 3 1 5</assembly>
     <separation>
      <pieces count="2">0 1</pieces>
      <state><dx>1 6</dx><dy>6 3</dy><dz>3 1</dz></state>
      <state><dx>1 20006</dx><dy>6 3</dy><dz>3 1</dz></state>
     </separation>
    </solution>

An assembly has four numbers for each copy of each shape: where the voxel 0 0 0 of the shape lies,
and which of the 24 rotations it has; `x` for a copy that is not used. The states of a separation
say where its pieces are before the first move and after each one. Pieces that come off are 20,000
steps away in the last state. Two separations may follow: `left` for the pieces that stay, `removed`
for those that came off.

A stored disassembly is replayed before it is handed out. Only cubes are read and written, since the
rotations of other grids are not documented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from exactcover.burrs.blocking import Blocking
from exactcover.burrs.disassembly import (
    Disassembly,
    GroupMove,
    Separation,
    Vector,
    box_of,
    steps_until_clear,
)
from exactcover.burrs.search import MOST_PIECES
from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats.contents import NotRepresentable
from exactcover.formats.xmpuzzle.xml import Element
from exactcover.lattices import Cells, get_lattice
from exactcover.puzzle import Placement

TURNS = (
    *("xyz", "xZy", "xYZ", "xzY", "Zyx", "YZx", "zYx", "yzx"),
    *("XyZ", "XZY", "XYz", "Xzy", "zyX", "yZX", "ZYX", "YzX"),
    *("Yxz", "zxy", "yxZ", "ZxY", "yXz", "ZXy", "YXZ", "zXY"),
)
"""BurrTools' rotations: which coordinates x, y and z become, capitals with a minus."""

FAR = 10_000
"""A piece that lies farther away than this has come off."""

AWAY = 20_000
"""How far away BurrTools puts it."""

WHOLE = re.compile(r"-?[0-9]{1,9}")

UNUSED = "x"
"""In the place of the numbers of a copy that is not used."""

Voxel = tuple[int, int, int]


@dataclass(frozen=True)
class Slot:
    """A copy of a shape: its name, and its voxels from its hot spot."""

    name: str
    voxels: tuple[Voxel, ...]


def turned(voxel: Sequence[int], turn: int) -> Voxel:
    """A voxel after one of BurrTools' rotations."""
    x, y, z = (
        voxel["xyz".index(axis.lower())] * (1 if axis.islower() else -1) for axis in TURNS[turn]
    )
    return x, y, z


# -- reading --------------------------------------------------------------------------------------


def read_disassemblies(
    solutions: Element, slots: Sequence[Slot]
) -> Iterator[Disassembly | FormatError]:
    """The disassemblies of a problem, each checked by replaying it; an error for one that is wrong.

    Solutions that BurrTools could not take apart, or did not try to, are left out.
    """
    blocking = Blocking(get_lattice("cubic"))
    for solution in solutions.every("solution"):
        if not solution.has("separation"):
            continue
        try:
            made = _disassembly(solution, slots)
            with solution.errors():
                try:
                    made.check(blocking)
                except ExactCoverError as error:
                    raise solution.error(str(error)) from None
        except FormatError as error:
            yield error
        else:
            yield made


def _disassembly(solution: Element, slots: Sequence[Slot]) -> Disassembly:
    assembly = solution.only("assembly")
    placed: dict[int, Placement] = {}
    origins: dict[int, Vector] = {}
    words = iter(assembly.text.split())
    for number, slot in enumerate(slots):
        first = next(words, UNUSED)
        if first == UNUSED:
            continue
        x, y, z, turn = whole_words(assembly, [first, *(next(words, "") for _ in range(3))])
        if not 0 <= turn < len(TURNS):
            raise assembly.error("cubes have rotations 0 to 23", str(turn))
        cells = [
            tuple(a + b for a, b in zip(turned(voxel, turn), (x, y, z), strict=True))
            for voxel in slot.voxels
        ]
        placed[number], origins[number] = Placement(slot.name, tuple(sorted(cells))), (x, y, z)
    if next(words, None) is not None:
        raise assembly.error("it has more numbers than the problem has pieces")
    if len(placed) > MOST_PIECES:
        raise assembly.error(f"more than {MOST_PIECES} pieces")
    places = {slot: place for place, slot in enumerate(placed)}
    placements = tuple(placed.values())
    starts = {places[slot]: at for slot, at in origins.items()}
    reader = _Separations(places, placements, starts)
    separation = reader.read(solution.only("separation"), starts)
    return Disassembly(get_lattice("cubic"), placements, 0, separation)


@dataclass(frozen=True)
class _Separations:
    """Reads the separations of one assembly.

    places  the number of the placement in each slot
    starts  where BurrTools says that each placement is in the assembly
    """

    places: dict[int, int]
    placements: tuple[Placement, ...]
    starts: dict[int, Vector]

    def read(self, element: Element, expected: dict[int, Vector]) -> Separation:
        """A separation with those inside it, which begins with its pieces where they are expected.

        Files nest them as deep as there are pieces.
        """
        element.check(("type",), ("pieces", "state", "separation"))
        named = element.only("pieces")
        pieces = []
        for slot in whole_words(named, named.text.split()):
            if slot not in self.places:
                raise named.error("it names a piece that the assembly does not have", str(slot))
            pieces.append(self.places[slot])
        states = [_state(state, pieces) for state in element.every("state")]
        if len(states) < 2:
            raise element.error("a separation has two states at least")
        if set(pieces) != set(expected):
            raise element.error("it has other pieces than its part")
        if _relative(states[0]) != _relative(expected):
            raise element.error("its pieces begin elsewhere than they are")
        moves = [
            self._move(element, number, before, after)
            for number, (before, after) in enumerate(pairwise(states), 1)
        ]
        parts = {part.attributes.get("type", ""): part for part in element.every("separation")}
        if not set(parts) <= {"left", "removed"}:
            raise element.error("a separation inside another one is of type left or removed")
        off = set(moves[-1].pieces)
        found: list[Separation | None] = []
        for name, removed in (("left", False), ("removed", True)):
            there = {piece: at for piece, at in states[-2].items() if (piece in off) == removed}
            found.append(self.read(parts[name], there) if name in parts else None)
        return Separation(tuple(sorted(pieces)), tuple(moves), *found)

    def _move(
        self, element: Element, number: int, before: dict[int, Vector], after: dict[int, Vector]
    ) -> GroupMove:
        ways = {piece: _minus(after[piece], before[piece]) for piece in before}
        moving = tuple(sorted(piece for piece, way in ways.items() if any(way)))
        if len({ways[piece] for piece in moving}) != 1:
            raise element.error(f"in its move {number} pieces move by different distances")
        way = ways[moving[0]]
        if sum(map(bool, way)) != 1:
            raise element.error(f"its move {number} is not along an axis")
        step = tuple(int(np.sign(x)) for x in way)
        steps = max(map(abs, way))
        if steps >= FAR:
            group, others = (
                box_of(
                    _plus(cell, _minus(before[piece], self.starts[piece]))
                    for piece in before
                    if (piece in moving) == inside
                    for cell in self.placements[piece].cells
                )
                for inside in (True, False)
            )
            steps = steps_until_clear(group, others, step)
        return GroupMove(moving, step, steps)


def _state(element: Element, pieces: Sequence[int]) -> dict[int, Vector]:
    element.check((), ("dx", "dy", "dz"))
    axes = [element.only(name) for name in ("dx", "dy", "dz")]
    columns = [whole_words(axis, axis.text.split()) for axis in axes]
    for axis, column in zip(axes, columns, strict=True):
        if len(column) != len(pieces):
            raise axis.error(f"{len(column)} numbers for {len(pieces)} pieces")
    return dict(zip(pieces, zip(*columns, strict=True), strict=True))


def whole_words(element: Element, words: Sequence[str]) -> list[int]:
    for word in words:
        if not WHOLE.fullmatch(word):
            raise element.error("whole numbers are needed", word)
    return [int(word) for word in words]


def _relative(places: dict[int, Vector]) -> dict[int, Vector]:
    """Positions from that of the first piece."""
    first = places[min(places)]
    return {piece: _minus(at, first) for piece, at in places.items()}


def _minus(a: Sequence[int], b: Sequence[int]) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _plus(a: Sequence[int], b: Sequence[int]) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


# -- writing --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """The solutions of a puzzle that come apart, for a file.

    assemblies      how many solutions the puzzle has, or were looked at
    complete        whether these are all of them
    disassemblies   the number of each solution, from 1 on, and how it comes apart
    """

    assemblies: int
    complete: bool
    disassemblies: tuple[tuple[int, Disassembly], ...]


def solution_lines(
    solved: Solved, slots: Sequence[tuple[str, Cells, int]], origin: Sequence[int]
) -> Iterator[str]:
    """The lines of the solutions of a problem.

    slots   each shape of the problem: its name, its cells, and how many copies there are at most
    origin  the lowest coordinates of the result shape
    """
    yield "   <solutions>"
    for number, (assembly, made) in enumerate(solved.disassemblies, 1):
        yield f'    <solution asmNum="{assembly}" solNum="{number}">'
        words: list[str] = []
        numbers: dict[int, int] = {}
        starts: dict[int, Vector] = {}
        waiting: dict[str, list[int]] = {}
        for place, placed in enumerate(made.placements):
            waiting.setdefault(placed.piece, []).append(place)
        slot = 0
        for name, cells, copies in slots:
            for copy in range(copies):
                if copy < len(waiting.get(name, ())):
                    place = waiting[name][copy]
                    at, turn = _lying(cells, made.placements[place].cells)
                    numbers[place], starts[place] = slot, _minus(at, origin)
                    words.append(" ".join(map(str, (*starts[place], turn))))
                else:
                    words.append(UNUSED)
                slot += 1
        yield f"     <assembly>{' '.join(words)}</assembly>"
        if made.separation is not None:
            yield from _separation_lines(made.separation, numbers, starts, "", 5)
        yield "    </solution>"
    yield "   </solutions>"


def _lying(shape: Cells, cells: Sequence[Sequence[int]]) -> tuple[Vector, int]:
    """Where the first voxel of a shape lies, and how the shape is turned, if it covers cells."""
    voxels = [tuple(voxel) for voxel in (shape - shape.min(axis=0)).tolist()]
    wanted = {tuple(cell) for cell in cells}
    low = box_of(wanted)[0]
    for turn in range(len(TURNS)):
        there = [turned(voxel, turn) for voxel in voxels]
        shift = _minus(low, box_of(there)[0])
        if {_plus(voxel, shift) for voxel in there} == wanted:
            return shift, turn
    raise NotRepresentable("that a piece is its mirror image in a solution")


def _separation_lines(
    separation: Separation,
    numbers: dict[int, int],
    starts: dict[int, Vector],
    kind: str,
    indent: int,
) -> Iterator[str]:
    """The lines of a separation and of those inside it; `starts`: where its pieces are."""
    blank = " " * indent
    pieces = sorted(separation.pieces, key=numbers.__getitem__)
    yield f"{blank}<separation{kind}>"
    of = " ".join(str(numbers[piece]) for piece in pieces)
    yield f'{blank} <pieces count="{len(pieces)}">{of}</pieces>'
    at = {piece: starts[piece] for piece in pieces}
    last = len(separation.moves)
    before = at
    for number in range(last + 1):
        yield f"{blank} <state>"
        for axis, name in enumerate(("dx", "dy", "dz")):
            yield f"{blank}  <{name}>{' '.join(str(at[piece][axis]) for piece in pieces)}</{name}>"
        yield f"{blank} </state>"
        if number < last:
            move, before = separation.moves[number], at
            steps = AWAY if number == last - 1 else move.steps
            way = tuple(steps * x for x in move.step)
            at = {p: _plus(here, way) if p in move.pieces else here for p, here in at.items()}
    for part, kind_of in ((separation.stays, "left"), (separation.leaves, "removed")):
        if part is not None:
            yield from _separation_lines(part, numbers, before, f' type="{kind_of}"', indent + 1)
    yield f"{blank}</separation>"
