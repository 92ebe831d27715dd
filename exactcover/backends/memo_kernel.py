"""The loop of the `memo` engine: a search that remembers how many solutions a state has below it.

A state is the set of covered items, as bits: one bit for each item that is covered once, and small
numbers, the *fields*, for items with a range and for colours. With a fixed branching rule, the
state alone determines the subtree below it. So each state is searched once, and a table keeps its
number of solutions.

The invariants, true between any two steps:

- Keys are whole states. The hash only gives the place in the table to look at first.
- A state that is not in the table is searched again: forgetting one costs time, never a solution.
- Counts are whole numbers of as many words as necessary. A sum that does not fit changes nothing:
  the caller widens all counts, and the sum is made again.

D. E. Knuth's program dlx6 does the same on dancing links; he calls states by their signatures.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Index, Long
from exactcover.base.compiled import jit
from exactcover.base.compiled.bits import lowest

Flags = npt.NDArray[np.uint8]

# Why `explore` came back.
BUDGET, GROW, WIDEN, DONE = range(4)

# What it does next: it comes to a state, tries the next option of one, or has a count to hand up.
ENTER, TRY, HAND_UP = range(3)

# The registers: the state that must survive between two calls, beside the arrays.
LEVEL, PHASE, FITS, STATES, HITS, REGISTERS = range(6)

# The fields of a stack frame.
AT, BEGIN, END, FRAME = range(4)

# The effect of an option on a field: it adds one to a count, or requires a value of the field.
ADDS, SETS = range(2)

# The columns of `fields`.
WORD, SHIFT, MASK, DEED, VALUE, FIELD = range(6)

U0, U1 = np.uint64(0), np.uint64(1)
PROBES = 8
"""The number of places of the table in which a state is looked for."""

MANY = np.int64(1) << 62


@jit
def place_of(key: Bits, slots: int) -> np.int64:
    """The first place to look for a state in a table of 2^k places."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(key.size):
        mixed ^= key[word]
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(slots - 1))


@jit
def find(key: Bits, taken: Flags, keys: Bits) -> np.int64:
    """The place of a state in the table, or -1."""
    slots = taken.size
    first = place_of(key, slots)
    found = np.int64(-1)
    for step in range(PROBES):
        here = np.int64((first + step) & (slots - 1))
        if taken[here] == 0:
            break
        same = True
        for word in range(key.size):
            same = same and keys[here, word] == key[word]
        if same:
            found = here
            break
    return found


@jit
def remember(key: Bits, count: Bits, taken: Flags, keys: Bits, counts: Bits, force: int) -> int:
    """Put a state into the table: 1 if it took a free place, 0 if another's, -1 if there is none.

    It takes the place of another state only with `force`.
    """
    slots = taken.size
    first = place_of(key, slots)
    here = np.int64(-1)
    for step in range(PROBES):
        there = np.int64((first + step) & (slots - 1))
        if taken[there] == 0:
            here = there
            break
    was_free = here >= 0
    if not was_free and force:
        here = np.int64((first + np.int64(count[0] & np.uint64(PROBES - 1))) & (slots - 1))
    if here >= 0:
        taken[here] = 1
        for word in range(key.size):
            keys[here, word] = key[word]
        for word in range(count.size):
            counts[here, word] = count[word]
    return 1 if was_free else (0 if here >= 0 else -1)


@jit
def move(
    taken: Flags, keys: Bits, counts: Bits, new_taken: Flags, new_keys: Bits, new_counts: Bits
) -> int:
    """Copy a table to a larger one; return how many states found a place there."""
    moved = 0
    for here in range(taken.size):
        if taken[here]:
            moved += remember(keys[here], counts[here], new_taken, new_keys, new_counts, 0) == 1
    return moved


@jit
def _apply(
    option: np.uint32, key: Bits, below: Bits, masks: Bits, field_starts: Index, fields: Bits,
    ranged: int | None,
) -> bool:  # fmt: skip
    """Make the state below an option; False if the option does not fit."""
    fits = True
    for word in range(key.size):
        fits = fits and (key[word] & masks[option, word]) == U0
        below[word] = key[word] | masks[option, word]
    if ranged is not None and fits:
        for at in range(field_starts[option], field_starts[option + np.uint32(1)]):
            word, shift, mask = fields[at, WORD], fields[at, SHIFT], fields[at, MASK]
            value = fields[at, VALUE]
            now = (below[word] >> shift) & mask
            if fields[at, DEED] == np.uint64(ADDS):
                if now == value:
                    fits = False
                below[word] += U1 << shift
            else:
                if now != U0 and (now != value or value == mask):
                    fits = False
                below[word] |= value << shift
    return fits


@jit
def explore(
    steps: int, force: int, by_size: int, n_items: int, item_starts: Index, item_options: Index,
    masks: Bits, field_starts: Index, fields: Bits, ranged: int | None, least: Bits, forget: Bits,
    taken: Flags, keys: Bits, counts: Bits, stack: Long, stack_keys: Bits, stack_counts: Bits,
    value: Bits, registers: Long,
) -> int:  # fmt: skip
    """Go on for about `steps` choices; the arrays hold the whole state.

    force         whether a full table forgets a state; else the kernel returns, so that the caller
                  enlarges it
    by_size       whether the item with fewest options is taken, rather than the first one
    n_items       the items that are covered once, bits 0 up to here of a state
    item_starts, item_options  compressed rows: the options of each of them
    masks         [options, words]  the items of an option that are bits
    field_starts, fields  compressed rows [entries, FIELD]: the effects of an option on fields
    ranged        None: there are no fields. It is a type of its own, since the kernel without any
                  code for fields is seven times as fast
    least         [ranges, 4]: word, shift, mask and least value of each range with a least one
    forget        [items + 1, words]: bits that no longer matter once all items before are covered
    taken, keys, counts  [slots], [slots, words], [slots, wide]: the table
    stack         [levels, FRAME]; stack_keys [levels + 1, words]; stack_counts [levels, wide]
    value         [wide]: the count that is handed up; in the end the count of the whole tree
    """
    level, phase = registers[LEVEL], registers[PHASE]
    fits, states, hits = registers[FITS], registers[STATES], registers[HITS]
    words = masks.shape[1]
    status = BUDGET
    while steps > 0:
        key = stack_keys[level]
        if phase == ENTER:
            first = n_items
            for word in range(words):
                open_ = ~key[word]
                if open_ != U0:
                    first = min(first, 64 * word + lowest(open_))
                    break
            phase = HAND_UP
            if first >= n_items:  # all is covered: a solution, if every range has its least
                complete = True
                for at in range(least.shape[0]):
                    now = (key[least[at, 0]] >> least[at, 1]) & least[at, 2]
                    complete = complete and now >= least[at, 3]
                for word in range(value.size):
                    value[word] = U0
                value[0] = U1 if complete else U0
                continue
            if not by_size:
                for word in range(words):
                    key[word] |= forget[first, word]
            here = find(key, taken, keys)
            if here >= 0:
                hits += 1
                for word in range(value.size):
                    value[word] = counts[here, word]
                continue
            best = first
            if by_size:
                fewest = MANY
                for item in range(first, n_items):
                    if (key[item >> 6] >> np.uint64(item & 63)) & U1 == U0:
                        many = np.int64(0)
                        for at in range(item_starts[item], item_starts[item + 1]):
                            many += _apply(
                                item_options[at], key, stack_keys[level + 1], masks, field_starts,
                                fields, ranged,
                            )  # fmt: skip
                            if many >= fewest:
                                break
                        steps -= 1
                        if many < fewest:
                            best, fewest = item, many
                            if many == 0:
                                break
            stack[level, BEGIN] = item_starts[best]
            stack[level, AT] = item_starts[best]
            stack[level, END] = item_starts[best + 1]
            for word in range(value.size):
                stack_counts[level, word] = U0
            level += 1
            phase = TRY
        elif phase == HAND_UP:
            if level == 0:
                status = DONE
                break
            # The sum is made only if it fits.
            carry, above = U0, level - 1
            for word in range(value.size):
                one = stack_counts[above, word] + carry
                carry = U1 if one < carry else U0
                one += value[word]
                carry |= U1 if one < value[word] else U0
            if carry != U0:
                status = WIDEN
                break
            for word in range(value.size):
                one = stack_counts[above, word] + carry
                carry = U1 if one < carry else U0
                one += value[word]
                carry |= U1 if one < value[word] else U0
                stack_counts[above, word] = one
            phase = TRY
        else:
            above = level - 1
            at, end = stack[above, AT], stack[above, END]
            found = False
            while at < end and not found:
                found = _apply(
                    item_options[at], stack_keys[above], key, masks, field_starts, fields, ranged
                )
                at += 1
            steps -= 1 + ((at - stack[above, AT]) >> 4)
            if found:
                stack[above, AT] = at
                fits += 1
                phase = ENTER
                continue
            put = remember(stack_keys[above], stack_counts[above], taken, keys, counts, force)
            if put < 0:
                status = GROW
                break
            stack[above, AT] = at
            states += put
            for word in range(value.size):
                value[word] = stack_counts[above, word]
            level = above
            phase = HAND_UP
    registers[LEVEL], registers[PHASE] = level, phase
    registers[FITS], registers[STATES], registers[HITS] = fits, states, hits
    return status
