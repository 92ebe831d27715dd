"""Reachable lengths: the sums of sides of the pieces left, by the copies that are left.

A length is reachable if some of the copies left, laid end to end along an axis, have exactly this
length. The lengths are the bits of a line. The table has a line for each state of the copies,
numbered in mixed radix. If all kinds would make too many states, some are left out; they are loose.

A line has a part for each axis. If lengths are reachable alike along all axes, which is so where
every piece may turn, there is one part for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.base.patience import patiently
from exactcover.problem.rectangles.sizes import PieceKind

Long = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

MOST_WORDS = 1 << 19
"""The most words of the table: 4 MiB."""


class Reach(NamedTuple):
    """The reachable lengths of all states.

    lines    [states, words]
    parts    [axes]   where the part of each axis begins in a line, in words
    weight   [kinds]  of a copy in the number of a state; 0 for loose kinds
    loose             the kinds that are not part of the state
    lengths  [kinds, axes, ways]  the sides of a kind along each axis; some may be equal
    """

    lines: Words
    parts: Long
    weight: Long
    loose: Long
    lengths: Long


def lengths_of(kinds: Sequence[PieceKind], unit: int) -> Long:
    """The sides of each kind along each axis in units: [kinds, axes, ways], some repeated."""
    ways = max(len(kind.sizes) for kind in kinds)
    own = [np.resize(kind.sizes, (ways, len(kind.size))).T for kind in kinds]
    return np.array(own, np.int64) // unit


def reachable(copies: Long, lengths: Long, longest: int) -> Reach:
    """The reachable lengths up to the longest one."""
    axes, limbs = lengths.shape[1], longest // 64 + 1
    ordered = np.sort(lengths, axis=2)
    alike = bool((ordered == ordered[:, :1]).all())
    parts = 1 if alike else axes
    listed, loose = _kinds_of_state(copies, limbs * parts)
    weight = np.zeros(copies.size, np.int64)
    weight[listed] = np.cumprod([1, *(copies[listed] + 1)])[:-1]
    lines = np.zeros((1, parts, limbs), np.uint64)
    lines[:, :, 0] = 1
    for kind in patiently(listed):
        blocks = [lines]
        for _ in range(int(copies[kind])):
            blocks.append(_with_copy(blocks[-1], lengths[kind]))
        lines = np.concatenate(blocks)
    return Reach(
        lines.reshape(len(lines), parts * limbs),
        np.arange(axes) * (0 if alike else limbs),
        weight,
        np.array(loose, np.int64),
        lengths,
    )


def with_loose(reach: Reach, copies: Long) -> Reach:
    """The table as if all loose copies were left in every state: it excludes less, and is right."""
    parts = len(set(reach.parts.tolist()))
    lines = reach.lines.reshape(len(reach.lines), parts, -1)
    for kind in reach.loose.tolist():
        for _ in range(int(copies[kind])):
            lines = _with_copy(lines, reach.lengths[kind])
    return reach._replace(lines=lines.reshape(len(lines), -1))


def _with_copy(lines: Words, lengths: Long) -> Words:
    """The lengths with one more copy: [states, parts, words], and [axes, ways] of the copy."""
    longer = lines.copy()
    for part in range(lines.shape[1]):
        for length in {*lengths[part].tolist()}:
            _add_shifted(longer[:, part], lines[:, part], length)
    return longer


def _kinds_of_state(copies: Long, line: int) -> tuple[list[int], list[int]]:
    """The kinds that number the states, and the others.

    A kind with many copies adds few states for each piece, so those come first.

    line  the words of a line
    """
    listed: list[int] = []
    loose: list[int] = []
    states = 1
    for kind in np.argsort(-copies, kind="stable").tolist():
        more = states * (int(copies[kind]) + 1)
        if more * line <= MOST_WORDS:
            listed.append(kind)
            states = more
        else:
            loose.append(kind)
    return listed, loose


def _add_shifted(lines: Words, by: Words, length: int) -> None:
    """Add the lengths of each line of `by`, longer by a length; those too long are lost."""
    words, bits = divmod(length, 64)
    room = lines.shape[1] - words
    if room > 0:
        lines[:, words:] |= by[:, :room] << np.uint64(bits)
    if room > 1 and bits:
        lines[:, words + 1 :] |= by[:, : room - 1] >> np.uint64(64 - bits)
