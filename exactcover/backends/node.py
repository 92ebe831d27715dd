"""A node: a subtree of a search as a value; and the part of a problem that it leaves.

A ledger stores nodes as bytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray, Problem

HEAD = struct.Struct("<idI")
WHOLE_TREE = -1
"""How the bytes of a node begin: pieces left, share, options chosen; and no number of pieces."""


class Node(NamedTuple):
    """A subtree of a search: every solution below it has the chosen options.

    chosen   the options chosen, in the order of choice
    allowed  bool [options]: the options that may be chosen besides; None: the node is the root of
             its plan
    left     the pieces left; None: not known yet
    share    how much of the tree it is, if sibling branches count equally
    """

    chosen: tuple[int, ...] = ()
    allowed: npt.NDArray[np.bool_] | None = None
    left: int | None = None
    share: float = 1.0

    def to_bytes(self) -> bytes:
        """Options alone, a bit for each that is allowed. The format is that of a task in a
        ledger, see `ledger.schema`."""
        left = WHOLE_TREE if self.left is None else self.left
        raw = HEAD.pack(left, self.share, len(self.chosen)) + np.array(self.chosen, "<u4").tobytes()
        if self.allowed is None:
            return raw + b"\0"
        return raw + b"\1" + np.packbits(self.allowed).tobytes()

    @staticmethod
    def from_bytes(raw: bytes, options: int, at: int = 0) -> tuple[Node, int]:
        """The node whose bytes begin at a place, and where they end; of a problem with this number
        of options. Raises `ValueError` or `struct.error` if they are damaged."""
        left, share, count = HEAD.unpack_from(raw, at)
        at += HEAD.size
        chosen, allowed = np.frombuffer(raw, "<u4", count, at), None
        at += 4 * count
        (restricted,) = struct.unpack_from("<B", raw, at)
        at += 1
        if restricted:
            bits = np.frombuffer(raw, np.uint8, -(-options // 8), at)
            allowed = np.unpackbits(bits, count=options).astype(bool)
            at += bits.size
        return Node((*chosen.tolist(),), allowed, None if left == WHOLE_TREE else left, share), at


ROOT = Node()
"""The whole tree of any plan, or the root of a branching."""


@dataclass(frozen=True, eq=False)
class Residue:
    """The part of a problem that a node leaves: the options that may be chosen, and the needs.

    Secondary items whose colour is settled are removed: only options that agree with it are left.

    options  int32 [left]      their numbers in the problem, ascending
    starts   int32 [left + 1]  where their nodes begin
    items, colours  int32 [nodes]
    need, room  int32 [primary]  how many more options each item needs, and can take
    """

    options: IntArray
    starts: IntArray
    items: IntArray
    colours: IntArray
    need: IntArray
    room: IntArray

    @classmethod
    def of(cls, problem: Problem, node: Node) -> Residue:
        """The problem below a node, whose chosen options do not conflict."""
        primary, chosen = problem.primary, np.array(node.chosen, np.int64)
        above = problem.rows(chosen)[1]
        taken = np.bincount(problem.entries[above], minlength=problem.n_items).astype(np.int32)
        settled = np.zeros(problem.n_items, np.int32)
        settled[problem.entries[above]] = problem.colours[above]
        need, room = problem.low - taken[:primary], problem.high - taken[:primary]
        allowed = problem.choosable.copy()
        if node.allowed is not None:
            allowed &= node.allowed
        allowed[chosen] = False
        options = np.flatnonzero(allowed)
        starts, nodes = problem.rows(options)
        items, colours = problem.entries[nodes], problem.colours[nodes]

        row_of = np.repeat(np.arange(options.size), np.diff(starts))
        open_ = taken == 0
        open_[:primary] = room > 0
        stays = open_[items]
        conflicts = ~stays & ((colours == 0) | (colours != settled[items]))
        fits = np.ones(options.size, bool)
        fits[row_of[conflicts]] = False
        kept = fits[row_of] & stays
        counts = np.bincount(row_of[kept], minlength=options.size)[fits]
        return cls(
            options=options[fits].astype(np.int32),
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            items=items[kept],
            colours=colours[kept],
            need=need,
            room=room,
        )
