"""A node: a subtree of a search as a value. It pickles, and a ledger stores it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

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

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[Any, ...]]:
        return _unpickled, (self.to_bytes(), 0 if self.allowed is None else self.allowed.size)


ROOT = Node()
"""The whole tree of any plan, or the root of a branching."""


def _unpickled(raw: bytes, options: int) -> Node:
    return Node.from_bytes(raw, options)[0]
