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
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from exactcover.burrs.blocking import Blocking
from exactcover.burrs.disassembly import (
    Disassembly,
    GroupMove,
    Separation,
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

Places = npt.NDArray[np.int64]
"""int64 [pieces, 3]: where the first voxel of each piece is."""


@dataclass(frozen=True)
class Slot:
    """A copy of a shape: its name, and its voxels from its hot spot."""

    name: str
    voxels: Cells


def turned(voxels: Cells, turn: int) -> Cells:
    """Voxels after one of BurrTools' rotations."""
    columns = ["xyz".index(axis) for axis in TURNS[turn].lower()]
    signs = [1 if axis.islower() else -1 for axis in TURNS[turn]]
    found: Cells = voxels[:, columns] * np.array(signs)
    return found


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


@dataclass(frozen=True)
class _Assembly:
    """The pieces of an assembly that are used.

    slots   the slot of each
    starts  where BurrTools says that each is
    """

    slots: list[int]
    placements: tuple[Placement, ...]
    starts: Places


def _disassembly(solution: Element, slots: Sequence[Slot]) -> Disassembly:
    assembly = solution.only("assembly")
    used, placements, starts = [], [], []
    words = iter(assembly.text.split())
    for number, slot in enumerate(slots):
        first = next(words, UNUSED)
        if first == UNUSED:
            continue
        *start, turn = whole_words(assembly, [first, *(next(words, "") for _ in range(3))])
        if not 0 <= turn < len(TURNS):
            raise assembly.error("cubes have rotations 0 to 23", str(turn))
        cells = (turned(slot.voxels, turn) + start).tolist()
        used.append(number)
        placements.append(Placement(slot.name, tuple(sorted(map(tuple, cells)))))
        starts.append(start)
    if next(words, None) is not None:
        raise assembly.error("it has more numbers than the problem has pieces")
    if len(used) > MOST_PIECES:
        raise assembly.error(f"more than {MOST_PIECES} pieces")
    whole = _Assembly(used, tuple(placements), np.array(starts, np.int64).reshape(-1, 3))
    every = list(range(len(used)))
    separation = _separation(solution.only("separation"), whole, every, whole.starts)
    return Disassembly(get_lattice("cubic"), whole.placements, 0, separation)


def _separation(
    element: Element, whole: _Assembly, expected: list[int], there: Places
) -> Separation:
    """A separation with those inside it, which begins with the expected pieces where they are.

    Files nest them as deep as there are pieces.
    """
    element.check(("type",), ("pieces", "state", "separation"))
    named = element.only("pieces")
    pieces = []
    for slot in whole_words(named, named.text.split()):
        if slot not in whole.slots:
            raise named.error("it names a piece that the assembly does not have", str(slot))
        pieces.append(whole.slots.index(slot))
    states = [_state(state, len(pieces)) for state in element.every("state")]
    if len(states) < 2:
        raise element.error("a separation has two states at least")
    if sorted(pieces) != sorted(expected):
        raise element.error("it has other pieces than its part")
    there = there[[expected.index(piece) for piece in pieces]]
    if (states[0] - states[0][:1] != there - there[:1]).any():
        raise element.error("its pieces begin elsewhere than they are")
    moves = [
        _move(element, whole, number, pieces, before, after)
        for number, (before, after) in enumerate(pairwise(states), 1)
    ]
    parts = {part.attributes.get("type", ""): part for part in element.every("separation")}
    if not set(parts) <= {"left", "removed"}:
        raise element.error("a separation inside another one is of type left or removed")
    off = np.isin(pieces, moves[-1].pieces)
    found: list[Separation | None] = []
    for name, chosen in (("left", ~off), ("removed", off)):
        inside = [piece for piece, has in zip(pieces, chosen, strict=True) if has]
        there = states[-2][chosen]
        found.append(_separation(parts[name], whole, inside, there) if name in parts else None)
    return Separation(tuple(sorted(pieces)), tuple(moves), *found)


def _move(
    element: Element,
    whole: _Assembly,
    number: int,
    pieces: list[int],
    before: Places,
    after: Places,
) -> GroupMove:
    ways = after - before
    moving = np.array(ways.any(axis=1))
    if len(distinct := np.unique(ways[moving], axis=0)) != 1:
        raise element.error(f"in its move {number} pieces move by different distances")
    [way] = distinct
    if np.count_nonzero(way) != 1:
        raise element.error(f"its move {number} is not along an axis")
    step = tuple(np.sign(way).tolist())
    steps = int(abs(way).max())
    if steps >= FAR:
        shifts = before - whole.starts[pieces]
        here = [
            np.array(whole.placements[piece].cells) + shift
            for piece, shift in zip(pieces, shifts, strict=True)
        ]
        group, others = (
            box_of(np.concatenate([cells for cells, has in zip(here, chosen, strict=True) if has]))
            for chosen in (moving, ~moving)
        )
        steps = steps_until_clear(group, others, step)
    moved = sorted(piece for piece, has in zip(pieces, moving, strict=True) if has)
    return GroupMove(tuple(moved), step, steps)


def _state(element: Element, n_pieces: int) -> Places:
    element.check((), ("dx", "dy", "dz"))
    columns = []
    for axis in map(element.only, ("dx", "dy", "dz")):
        columns.append(whole_words(axis, axis.text.split()))
        if len(columns[-1]) != n_pieces:
            raise axis.error(f"{len(columns[-1])} numbers for {n_pieces} pieces")
    return np.array(columns, np.int64).T


def whole_words(element: Element, words: Sequence[str]) -> list[int]:
    for word in words:
        if not WHOLE.fullmatch(word):
            raise element.error("whole numbers are needed", word)
    return [int(word) for word in words]


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
        numbers = [0] * len(made.placements)
        starts = np.zeros((len(made.placements), 3), np.int64)
        waiting = defaultdict[str, list[int]](list)
        for place, placed in enumerate(made.placements):
            waiting[placed.piece].append(place)
        for name, cells, copies in slots:
            lying = waiting[name][:copies]
            for place in lying:
                numbers[place] = len(words)
                at, turn = _lying(cells, np.array(made.placements[place].cells))
                starts[place] = at - origin
                words.append(" ".join(map(str, (*starts[place], turn))))
            words += [UNUSED] * (copies - len(lying))
        yield f"     <assembly>{' '.join(words)}</assembly>"
        if made.separation is not None:
            yield from _separation_lines(made.separation, numbers, starts, "", 5)
        yield "    </solution>"
    yield "   </solutions>"


def _lying(shape: Cells, cells: Cells) -> tuple[Cells, int]:
    """Where the first voxel of a shape lies, and how the shape is turned, if it covers cells."""
    wanted = set(map(tuple, cells.tolist()))
    for turn in range(len(TURNS)):
        there = turned(shape - shape.min(axis=0), turn)
        shift = cells.min(axis=0) - there.min(axis=0)
        if set(map(tuple, (there + shift).tolist())) == wanted:
            return shift, turn
    raise NotRepresentable("that a piece is its mirror image in a solution")


def _separation_lines(
    separation: Separation, numbers: Sequence[int], at: Places, kind: str, indent: int
) -> Iterator[str]:
    """The lines of a separation and of those inside it; `at`: where all pieces are."""
    blank = " " * indent
    pieces = sorted(separation.pieces, key=numbers.__getitem__)
    yield f"{blank}<separation{kind}>"
    of = " ".join(str(numbers[piece]) for piece in pieces)
    yield f'{blank} <pieces count="{len(pieces)}">{of}</pieces>'
    before = at
    for number, move in enumerate((*separation.moves, None), 1):
        yield f"{blank} <state>"
        for axis, name in enumerate(("dx", "dy", "dz")):
            yield f"{blank}  <{name}>{' '.join(map(str, at[pieces, axis]))}</{name}>"
        yield f"{blank} </state>"
        if move is not None:
            before, at = at, at.copy()
            steps = AWAY if number == len(separation.moves) else move.steps
            at[list(move.pieces)] += steps * np.array(move.step)
    for part, kind_of in ((separation.stays, "left"), (separation.leaves, "removed")):
        if part is not None:
            yield from _separation_lines(part, numbers, before, f' type="{kind_of}"', indent + 1)
    yield f"{blank}</separation>"
