"""Pairs of solutions that differ in few pieces, found without a comparison of all pairs.

Two solutions that differ in `k` pieces have a set of placements in common: either one
without its `k` changed pieces. So every solution without `k` of its pieces gets a key, and only
solutions with a common key are compared. A key must not depend on how a solution is turned: it is
the least sum of random numbers, one for each placement, over all symmetries. These form a group,
so turned copies of a set have the same key. Different sets have the same key with a probability of
2^-64, and the comparison finds such a pair out, so the result is exact.

For `n` solutions of `p` pieces these are n * (p choose k) keys. Where there are more keys than
pairs, all pairs are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from exactcover.errors import ExactCoverError
from exactcover.problem import IntArray

Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]

MOST_PAIRS = 5_000_000
"""A graph with more edges would not fit the memory of a small machine."""

AT_ONCE = 1 << 24
"""The most entries of an array for comparing pairs."""

KEYS_AT_ONCE = 1 << 23
"""The most keys in memory."""

BLOCK = 4096
"""Keys are made for this many solutions at once."""

SEED = 13
"""The seed of the random numbers; the result does not depend on it."""

NONE = -1
"""Fills the rows of solutions with fewer pieces than others have."""

Tell = Callable[[str], object]


def similar_pairs(rows: IntArray, symmetries: IntArray, most: int, tell: Tell) -> Numbers:
    """Every pair of solutions that differ in at most `most` pieces, in order: int64 [pairs, 4].

    In each row are the two solutions by number, the smaller first; how many pieces differ; and the
    symmetry that makes the second solution most like the first.

    rows        int32 [n, p]: the placements of each solution, NONE behind the last one
    symmetries  int32 [s, placements]: a group of permutations of placements, the identity first
    tell        reports the progress
    """
    n, sizes = len(rows), (rows >= 0).sum(axis=1)
    if keys_needed(sizes, most) > n * (n - 1) // 2:
        pairs = np.flatnonzero(np.tri(n, k=-1, dtype=bool).T)
    else:
        pairs = _with_common_keys(rows, symmetries, sizes, most, tell)
    first, second = np.divmod(pairs, max(n, 1))
    found = np.stack([first, second, *compared(rows, symmetries, first, second, tell)], axis=1)
    return np.asarray(found[found[:, 2] <= most])


def compared(
    rows: IntArray, symmetries: IntArray, first: Numbers, second: Numbers, tell: Tell
) -> tuple[Numbers, Numbers]:
    """How many pieces of two solutions differ, and under which symmetry of the second one.

    Solutions with different numbers of pieces differ in the pieces of the larger one.
    """
    sizes = (rows >= 0).sum(axis=1)
    moved = np.concatenate(
        [symmetries, np.full((len(symmetries), 1), NONE - 1, np.int32)], axis=1
    )  # NONE takes the last entry, which equals nothing
    shared, motion = np.empty((2, len(first)), np.int64)
    step = max(1, AT_ONCE // max(1, rows.shape[1] ** 2))
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        if start:
            tell(f"{start:,} of {len(first):,} pairs compared")
        ours, theirs = rows[first[part], :, None], rows[second[part]]
        same = np.array([(ours == one[theirs][:, None]).sum(axis=(1, 2)) for one in moved])
        shared[part], motion[part] = same.max(axis=0), same.argmax(axis=0)
    return np.maximum(sizes[first], sizes[second]) - shared, motion


def _removed(sizes: Numbers, most: int) -> list[tuple[int, int]]:
    """Pairs of a number of pieces and how many of them are left out of a key.

    Where all solutions have the same number of pieces, leaving out just `most` is enough. If two
    have different numbers, fewer pieces are removed from the smaller one.
    """
    there = np.unique(sizes).tolist()
    if len(there) == 1:
        return [(there[0], min(most, there[0]))]
    return [(size, left) for size in there for left in range(min(most, size) + 1)]


def keys_needed(sizes: Numbers, most: int) -> int:
    many = np.bincount(sizes).tolist()
    return sum(many[size] * comb(size, left) for size, left in _removed(sizes, most))


def _with_common_keys(
    rows: IntArray, symmetries: IntArray, sizes: Numbers, most: int, tell: Tell
) -> Numbers:
    """The pairs that have a key in common, each as first * n + second, ascending.

    If there are too many keys for the memory, they are made several times, and each time a part of
    them is kept.
    """
    parts = -(-keys_needed(sizes, most) // KEYS_AT_ONCE)
    known = np.zeros(0, np.int64)
    for part in range(parts):
        found = list(_keys(rows, symmetries, sizes, most, part, parts, tell))
        keys = np.concatenate([keys for keys, _ in found])
        owners = np.concatenate([owners for _, owners in found])
        del found
        order = np.argsort(keys)
        known = np.union1d(known, _pairs_of(keys[order], owners[order], len(rows)))
        _check_number(len(known))
    return known


def _keys(
    rows: IntArray,
    symmetries: IntArray,
    sizes: Numbers,
    most: int,
    part: int,
    parts: int,
    tell: Tell,
) -> Iterator[tuple[Keys, IntArray]]:
    """The keys that belong to one of the parts, and the solutions that have them."""
    random = np.random.default_rng(SEED)
    numbers = random.integers(0, 1 << 64, symmetries.shape[1], np.uint64)
    of_moved = numbers[symmetries]
    for size, left in _removed(sizes, most):
        here = np.flatnonzero(sizes == size).astype(np.int32)
        for start in range(0, len(here), BLOCK):
            tell(f"solutions are indexed, {start:,} of {len(here):,}")
            block = here[start : start + BLOCK]
            values = of_moved[:, rows[block, :size].T]  # [symmetries, pieces, solutions]
            whole = values.sum(axis=1)
            for gone in combinations(range(size), left):
                keys = (whole - values[:, list(gone)].sum(axis=1)).min(axis=0)
                mine = slice(None) if parts == 1 else keys % np.uint64(parts) == part
                yield keys[mine], block[mine]


def _pairs_of(keys: Keys, owners: IntArray, n: int) -> Numbers:
    """The pairs of owners of equal keys; the keys are in order."""
    found = [np.zeros(0, np.int64)]
    many, apart = 0, 0
    starts = np.arange(len(keys))
    while len(starts):
        apart += 1
        starts = starts[starts < len(keys) - apart]
        starts = starts[keys[starts] == keys[starts + apart]]
        one, other = owners[starts].astype(np.int64), owners[starts + apart]
        pairs = np.minimum(one, other) * n + np.maximum(one, other)
        found.append(np.unique(pairs[one != other]))
        many += len(found[-1])
        if many > 2 * MOST_PAIRS:
            found = [np.unique(np.concatenate(found))]
            many = len(found[0])
            _check_number(many)
    return np.unique(np.concatenate(found))


def _check_number(pairs: int) -> None:
    if pairs > MOST_PAIRS:
        raise ExactCoverError(
            f"more than {MOST_PAIRS:,} pairs of solutions are this similar: "
            "choose fewer solutions, or a smaller number of pieces that may differ"
        )
