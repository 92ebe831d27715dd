"""The tables that a search by skyline reads: sets of ways to lie, and what corners forbid.

A set of ways is a row of words with a bit for each way. The ways that fit into a segment are the
intersection of three sets: those with a copy left, those narrow enough, and those low enough. So no
way that does not fit is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.rectangles.placing import Images, corner_rules
from exactcover.backends.rectangles.reach import reachable
from exactcover.backends.rectangles.ways import Way
from exactcover.errors import CapabilityError
from exactcover.rectangles import Floor

Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

LONGEST = 1 << 13
"""The longest side of a floor, in units of the common divisor of all sizes."""


class SkylineTables(NamedTuple):
    """The tables of a search; nothing in them changes.

    pruned        1: dead ends are found early; 0: only the width and the height decide
    width, height of the floor, in units of the common divisor
    kind_of, way_wide, way_high  [ways]     the kind and the size of each way
    copies        [kinds]
    weight        [kinds]                   of a copy in the number of a state
    narrowest, area  [kinds]                the least width, and the area of a copy
    lengths       [kinds, 2, 2]             two lengths across and two upright; they may be equal
    ways_of       [kinds, words]            the ways of each kind
    narrow, low   [length + 1, words]       the ways at most this wide, or this high
    exactly_wide, exactly_high              the ways exactly this wide, or this high
    forbidden     [ways, corners, words]    see `corner_rules`, without the first corner
    at_first      [words]                   the ways allowed at the first corner
    reach         [states + levels, words]  the reachable lengths by state of the copies, then lines
                                            for the search to write; see `reach.Reach`
    upright       where the lengths upright begin in a line, in words
    loose                                   the kinds that are not part of the state
    """

    pruned: int
    width: int
    height: int
    kind_of: Index
    way_wide: Long
    way_high: Long
    copies: Long
    weight: Long
    narrowest: Long
    area: Long
    lengths: Long
    ways_of: Words
    narrow: Words
    low: Words
    exactly_wide: Words
    exactly_high: Words
    forbidden: Words
    at_first: Words
    reach: Words
    upright: int
    loose: Long


def planned(floor: Floor, ways: Sequence[Way], images: Images, *, pruned: bool) -> SkylineTables:
    """The tables of a floor.

    ways    in the order of the search
    images  of places, under the motions that identify solutions
    """
    width, height = images.sides.tolist()
    longest = max(width, height)
    if longest > LONGEST:
        raise CapabilityError(
            f"the floor has a side of {longest} units, and skyline takes at most {LONGEST}: "
            "choose sizes that have a common divisor, or let CP-SAT pack them"
        )
    kind = np.array([way.kind for way in ways], np.int64)
    wide, high = images.sizes.T.copy()
    copies = np.array([one.copies for one in floor.rectangles], np.int64)
    kinds = np.arange(copies.size)
    first = np.array([np.flatnonzero(kind == one)[0] for one in kinds])
    last = np.array([np.flatnonzero(kind == one)[-1] for one in kinds])
    lengths = np.stack([wide[first], wide[last], high[first], high[last]], axis=1)
    lengths = lengths.reshape(copies.size, 2, 2)
    # A plain search reads no lengths.
    reach = reachable(copies if pruned else copies[:0], lengths[: copies.size * pruned], longest)
    spare = np.zeros((floor.pieces + 1, reach.lines.shape[1]), np.uint64)
    forbidden, at_first = corner_rules(images if pruned else images.none())
    across, up = np.arange(width + 1)[:, None], np.arange(height + 1)[:, None]
    return SkylineTables(
        pruned=int(pruned),
        width=width,
        height=height,
        kind_of=kind.astype(np.uint32),
        way_wide=wide,
        way_high=high,
        copies=copies,
        weight=reach.weight if pruned else np.zeros(copies.size, np.int64),
        narrowest=lengths[:, 0].min(axis=1),
        area=wide[first] * high[first],
        lengths=lengths,
        ways_of=_bits(kind == kinds[:, None]),
        narrow=_bits(wide <= across),
        low=_bits(high <= up),
        exactly_wide=_bits(wide == across),
        exactly_high=_bits(high == up),
        forbidden=_bits(forbidden[:, 1:]),
        at_first=_bits(at_first),
        reach=np.concatenate([reach.lines, spare]),
        upright=int(reach.parts[1]),
        loose=reach.loose,
    )


def _bits(flags: Flags) -> Words:
    """The last axis as bits of words."""
    size = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-size // 64) * 64), bool)
    padded[..., :size] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)
