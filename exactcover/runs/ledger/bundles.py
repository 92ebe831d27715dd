"""Bundles of subtrees as bytes, for the ledger: small, documented, and readable by later versions.

A bundle is what one worker takes at once. Its bytes are packed by zlib, which also notices damage.
Unpacked, all numbers are little-endian:

    uint8    1, the number of this format
    uint32   how many options the problem has
    uint32   how many subtrees follow; of each:
      int32    pieces left there; -1: it is the whole tree
      float64  its share of the whole tree
      uint32   how many options are chosen, then their numbers in the order of choice: uint32 each
      uint8    1: a bit per option follows, 1 where it may be chosen besides; 0: all may be

The bits fill whole bytes, the highest bit first.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from exactcover.backends.base import Task
from exactcover.errors import LedgerError
from exactcover.runs.jobs import Bundle, Subtree

FORMAT = 1
HEAD = struct.Struct("<BII")
SUBTREE = struct.Struct("<idI")
WHOLE = -1


def bundle_bytes(bundle: Bundle, options: int) -> bytes:
    """A bundle as bytes, of a problem with this number of options."""
    parts = [HEAD.pack(FORMAT, options, len(bundle))]
    for subtree in bundle:
        task, remaining = subtree.task, subtree.remaining
        left = WHOLE if remaining is None else remaining
        parts.append(SUBTREE.pack(left, subtree.share, len(task.chosen)))
        parts.append(np.array(task.chosen, "<u4").tobytes())
        parts.append(bytes([task.allowed is not None]))
        if task.allowed is not None:
            parts.append(np.packbits(task.allowed).tobytes())
    return zlib.compress(b"".join(parts), 1)


def bundle_of(raw: bytes, options: int) -> Bundle:
    """The bundle that the bytes hold; raises `LedgerError` if they are damaged."""
    try:
        plain = memoryview(zlib.decompress(raw))
        form, of_options, subtrees = HEAD.unpack_from(plain)
        if form != FORMAT:
            raise LedgerError(f"a task is written in format {form}: use a later version")
        if of_options != options:
            raise LedgerError(f"a task is one of {of_options} options, not of {options}")
        return (*_subtrees(plain, HEAD.size, options, subtrees),)
    except (zlib.error, struct.error, ValueError) as error:
        raise LedgerError(f"a task in the ledger is damaged: {error}") from None


def _subtrees(plain: memoryview, at: int, options: int, subtrees: int) -> Iterator[Subtree]:
    """The subtrees that begin at this byte."""
    width = -(-options // 8)
    for _ in range(subtrees):
        left, share, chosen = SUBTREE.unpack_from(plain, at)
        at += SUBTREE.size
        numbers = np.frombuffer(plain, "<u4", chosen, at)
        at += 4 * chosen
        allowed = None
        (restricted,) = struct.unpack_from("<B", plain, at)
        at += 1
        if restricted:
            bits = np.frombuffer(plain, np.uint8, width, at)
            allowed = np.unpackbits(bits, count=options).astype(bool)
            at += width
        task = Task(chosen=tuple(numbers.tolist()), allowed=allowed)
        yield Subtree(task, None if left == WHOLE else left, share)
    if at != len(plain):
        raise ValueError(f"{len(plain) - at} bytes too many")
