"""The loop of the `memo` engine: a search that remembers how many solutions a state has below it.

A state is what is left to cover, in bits that are 1 when something is closed: one bit for each item
that is covered once, and small numbers, the *fields*, for items with a range and for colours. The
state alone determines the number of solutions below it. So each state is searched once, and a table
keeps its number.

If no option that is left joins two sets of items, the state falls into *parts*: each part is a
state in which all else is closed, and the numbers of the parts are multiplied.

The invariants, true between any two steps:

- Keys are whole states. The hash only gives the place in the table to look at first.
- A state that is not in the table is searched again: forgetting one costs time, never a solution.
- Counts are whole numbers of as many words as necessary. A result that does not fit changes
  nothing: the caller widens all counts, and it is made again.
- Options are sorted by their first item. So the options of the first open item lie side by side.

D. E. Knuth's program dlx6 keeps states on dancing links; Fang, Luo, Li, Huang and Guan (A parallel
approach to counting exact covers based on decomposability property, SAT 2026) split them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Flags, Long
from exactcover.backends.bits import lowest, population
from exactcover.base.compiled import jit

if TYPE_CHECKING:
    from exactcover.backends.memo import Frames, Remembered, States

Int = npt.NDArray[np.int32]

# Why `explore` came back.
BUDGET, GROW, WIDEN, ROOM, DONE = range(5)

# What it does next: it comes to a state, tries the next option of one, keeps its count, or hands
# the count up.
ENTER, TRY, KEEP, HAND_UP = range(4)

# The registers: the state that must survive between two calls, beside the arrays.
LEVEL, PHASE, STATES, HITS, TESTS, SPLITS, DEAD, REGISTERS = range(8)

# The fields of a stack frame: its branches in `live`, or its parts; the options that may be left,
# in `live`; where `live` is free; the frame that it is a part of, -1: none.
AT, BEGIN, END, LIVE, LIVE_END, TOP, OWNER, FRAME = range(8)

# The effect of an option on a field: it adds one to a count, or requires a value of the field.
ADDS, SETS = range(2)

# The columns of `fields`; `NODE` is the number of the field among the things that join options.
WORD, SHIFT, MASK, DEED, VALUE, NODE, FIELD = range(7)

# The scratch space of `sift` by node.
PARENT, COUNT, HOLDER, SCRATCH = range(4)

U0, U1 = np.uint64(0), np.uint64(1)
PROBES = 16
"""The number of places of the table in which a state is looked for."""

ALWAYS, SELDOM = 500, 16
"""This many states are sifted, then all while that pays, else one in `SELDOM`. A state that is not
sifted costs less; its number is the same."""

SPLIT_PAYS, DEAD_PAYS = 20.0, 1.25
"""Sifting pays if one state in 20 falls into parts, or four in five have no solution."""


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
def find(key: Bits, table: Remembered) -> np.int64:
    """The place of a state in the table; else -1 less the free place for it, or that of another."""
    slots = table.taken.size
    first = place_of(key, slots)
    found = -1 - first
    for step in range(PROBES):
        here = np.int64((first + step) & (slots - 1))
        same = table.taken[here] != 0
        if not same:
            found = -1 - here
            break
        for word in range(key.size):
            same = same and table.keys[here, word] == key[word]
        if same:
            found = here
            break
    return found


@jit
def remember(key: Bits, count: Bits, table: Remembered, force: int) -> int:
    """Put a state into the table: 1 if it took a free place, 0 if another's, -1 if there is none.

    It takes the place of another state only with `force`.
    """
    here = -1 - find(key, table)
    if here < 0:  # it is there
        return 0
    was_free = table.taken[here] == 0
    if not was_free and not force:
        return -1
    if not was_free:
        here = np.int64(
            (here + np.int64(count[0] & np.uint64(PROBES - 1))) & (table.taken.size - 1)
        )
    table.taken[here] = 1
    for word in range(key.size):
        table.keys[here, word] = key[word]
    for word in range(count.size):
        table.counts[here, word] = count[word]
    return 1 if was_free else 0


@jit
def move(table: Remembered, new: Remembered) -> int:
    """Copy a table to a larger one; return how many states found a place there."""
    moved = 0
    for here in range(table.taken.size):
        if table.taken[here]:
            moved += remember(table.keys[here], table.counts[here], new, 0) == 1
    return moved


# -- counts of several words -----------------------------------------------------------------------


@jit
def add(one: Bits, other: Bits, total: Bits) -> bool:
    """The sum of two numbers; False if it does not fit."""
    carry = U0
    for word in range(one.size):
        total[word] = one[word] + carry
        carry = U1 if total[word] < carry else U0
        total[word] += other[word]
        carry |= U1 if total[word] < other[word] else U0
    return bool(carry == U0)


@jit
def multiply(one: Bits, other: Bits, product: Bits) -> bool:
    """The product of two numbers; False if it does not fit."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    fits = True
    for at in range(product.size):
        product[at] = U0
    for at in range(2 * one.size):
        digit = (one[at >> 1] >> (half * np.uint64(at & 1))) & low
        carry = U0
        for to in range(2 * other.size + 1):
            here, by = at + to, U0
            if to < 2 * other.size:
                by = (other[to >> 1] >> (half * np.uint64(to & 1))) & low
            total = digit * by + carry
            if here >= 2 * product.size:
                fits = fits and total == U0
                continue
            shift = half * np.uint64(here & 1)
            total += (product[here >> 1] >> shift) & low
            carry = total >> half
            product[here >> 1] &= ~(low << shift)
            product[here >> 1] |= (total & low) << shift
    return fits


# -- states ----------------------------------------------------------------------------------------


@jit
def fits(option: np.int32, key: Bits, states: States) -> bool:
    """Whether an option can be chosen in a state."""
    free = True
    for word in range(key.size):
        if (key[word] & states.masks[option, word]) != U0:
            free = False
            break
    if states.ranged is not None and free:
        fields = states.fields
        for at in range(states.field_starts[option], states.field_starts[option + 1]):
            mask, value = fields[at, MASK], fields[at, VALUE]
            now = (key[fields[at, WORD]] >> fields[at, SHIFT]) & mask
            if fields[at, DEED] == np.uint64(ADDS):
                if now == mask:
                    free = False
            elif now != U0 and (now != value or value == mask):
                free = False
    return free


@jit
def choose(option: np.int32, key: Bits, below: Bits, states: States) -> None:
    """Make the state below an option that fits."""
    for word in range(key.size):
        below[word] = key[word] | states.masks[option, word]
    if states.ranged is not None:
        fields = states.fields
        for at in range(states.field_starts[option], states.field_starts[option + 1]):
            word, shift = fields[at, WORD], fields[at, SHIFT]
            if fields[at, DEED] == np.uint64(ADDS):
                below[word] += U1 << shift
            else:
                below[word] |= fields[at, VALUE] << shift


@jit
def name(key: Bits, out: Bits, states: States) -> None:
    """The state with the closed items of each class first: equal for states that are copies."""
    for word in range(key.size):
        out[word] = key[word]
    for one in range(states.class_masks.shape[0]):
        row = states.class_starts[one]
        for word in range(key.size):
            row += population(key[word] & states.class_masks[one, word])
        for word in range(key.size):
            out[word] = (out[word] & ~states.class_masks[one, word]) | states.prefixes[row, word]


@jit
def settle(key: Bits, states: States) -> int:
    """Close what no longer matters in a state; return its first open item, or `n_items`."""
    item = states.n_items
    for word in range(key.size):
        if ~key[word] != U0:
            item = min(item, 64 * word + lowest(~key[word]))
            break
    for word in range(key.size):
        key[word] |= states.forget[item, word]
    return item


@jit
def is_complete(key: Bits, least: Bits) -> bool:
    """Whether every range has its least."""
    complete = True
    for at in range(least.shape[0]):
        now = (key[least[at, 0]] >> least[at, 1]) & least[at, 2]
        complete = complete and now >= least[at, 3]
    return complete


@jit
def run_of(item: int, live: Int, begin: int, end: int, first: Int) -> int:
    """Where the options begin whose first item is this one or a later one."""
    low, high = begin, end
    while low < high:
        middle = (low + high) >> 1
        if first[live[middle]] < item:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def root_of(node: np.int32, nodes: Int) -> np.int32:
    """The node that stands for a part, in a union-find forest that it flattens."""
    while nodes[PARENT, node] != node:
        nodes[PARENT, node] = nodes[PARENT, nodes[PARENT, node]]
        node = nodes[PARENT, node]
    return node


@jit
def unite(one: np.int32, node: np.int32, option: np.int32, parts: int, nodes: Int) -> int:
    """Join a node of an option to its first item; return the number of parts."""
    nodes[COUNT, node] += 1
    nodes[HOLDER, node] = option
    if parts > 1:
        mine, other = root_of(one, nodes), root_of(node, nodes)
        if mine != other:
            nodes[PARENT, other] = mine
            parts -= 1
    return parts


@jit
def sift(level: int, item: int, states: States, work: Frames) -> tuple[int, np.int64]:
    """Keep the options that fit the state of a frame, join what they have, and make the parts.

    item  its first open item

    It returns the number of parts (0: the state has no solution), each in a frame above, the
    smallest one on top; and an option that is the only one of its item, -1: there is none.
    """
    live, nodes, touched, fields = work.live, work.nodes, work.touched, states.fields
    key, frame = work.keys[level], work.stack[level]
    begin, end, top = (
        run_of(item, live, frame[LIVE], frame[LIVE_END], states.first),
        frame[LIVE_END],
        frame[TOP],
    )
    for node in range(nodes.shape[1]):
        nodes[PARENT, node] = node
        nodes[COUNT, node] = 0
    parts, left = 0, 0
    for word in range(key.size):
        touched[word] = U0
        parts += population(~key[word] & states.asked[word])
    for at in range(begin, end):
        option = live[at]
        if not fits(option, key, states):
            continue
        live[top + left] = option
        left += 1
        for word in range(key.size):
            touched[word] |= states.touch[option, word]
        one = states.items[states.item_starts[option]]
        for entry in range(states.item_starts[option], states.item_starts[option + 1]):
            node = states.items[entry]
            if node >= states.n_items and nodes[COUNT, node] == 0:
                parts += 1
            parts = unite(one, node, option, parts, nodes)
        if states.ranged is not None:
            for entry in range(states.field_starts[option], states.field_starts[option + 1]):
                now = (key[fields[entry, WORD]] >> fields[entry, SHIFT]) & fields[entry, MASK]
                # If it has a colour, all options left agree with that, and change nothing.
                if fields[entry, DEED] == np.uint64(ADDS) or now == U0:
                    field = np.int32(fields[entry, NODE])
                    parts += nodes[COUNT, field] == 0
                    parts = unite(one, field, option, parts, nodes)
    forced = np.int64(-1)
    for word in range(key.size):
        open_ = ~key[word] & states.asked[word]
        while open_ != U0:
            item = 64 * word + lowest(open_)
            open_ &= open_ - U1
            if nodes[COUNT, item] == 0:
                parts = 0
            elif nodes[COUNT, item] == 1 and forced < 0:
                forced = np.int64(nodes[HOLDER, item])
    for at in range(states.least.shape[0]):
        word, shift, mask = states.least[at, 0], states.least[at, 1], states.least[at, 2]
        lacks = ((key[word] >> shift) & mask) < states.least[at, 3]
        if lacks and (touched[word] >> shift) & mask == U0:
            parts = 0
    frame[LIVE], frame[LIVE_END], frame[TOP] = top, top + left, top + left
    for word in range(key.size):
        key[word] |= ~touched[word]
    if parts > 1:
        lay_out(level, parts, states, work)
    return parts, forced


@jit
def lay_out(level: int, parts: int, states: States, work: Frames) -> None:
    """Make a frame of each part of a state that was sifted, the smallest one on top."""
    live, nodes, stack, touched = work.live, work.nodes, work.stack, work.touched
    begin, end = stack[level, LIVE], stack[level, LIVE_END]
    for node in range(nodes.shape[1]):
        nodes[COUNT, node] = 0
    for at in range(begin, end):
        nodes[COUNT, root_of(states.items[states.item_starts[live[at]]], nodes)] += 1
    top = end
    for above in range(level + 1, level + parts + 1):
        root, most = np.int32(0), np.int32(0)
        for node in range(nodes.shape[1]):
            if nodes[COUNT, node] > most:
                root, most = np.int32(node), nodes[COUNT, node]
        nodes[COUNT, root] = 0
        for word in range(touched.size):
            touched[word] = U0
        stack[above, LIVE] = top
        for at in range(begin, end):
            option = live[at]
            if root_of(states.items[states.item_starts[option]], nodes) == root:
                live[top] = option
                top += 1
                for word in range(touched.size):
                    touched[word] |= states.touch[option, word]
        stack[above, LIVE_END] = top
        stack[above, OWNER] = level
        stack[above, END] = 0
        for word in range(touched.size):
            work.keys[above, word] = work.keys[level, word] | ~touched[word]
    for above in range(level + 1, level + parts + 1):
        stack[above, TOP] = top


@jit
def explore(steps: int, force: int, states: States, table: Remembered, work: Frames) -> int:
    """Go on for about `steps` choices; the arrays hold the whole state.

    force  whether a full table forgets a state; else the kernel returns, so that the caller
           enlarges it
    """
    stack, value, registers = work.stack, work.value, work.registers
    level, phase = registers[LEVEL], registers[PHASE]
    status = BUDGET
    while steps > 0:
        key = work.keys[level]
        if phase == ENTER:
            phase = HAND_UP
            item = settle(key, states)
            if item == states.n_items:  # all is covered
                for word in range(value.size):
                    value[word] = U0
                value[0] = U1 if is_complete(key, states.least) else U0
                continue
            name(key, work.names[level], states)
            here = find(work.names[level], table)
            if here >= 0:
                registers[HITS] += 1
                for word in range(value.size):
                    value[word] = table.counts[here, word]
                continue
            room = 2 * (stack[level, LIVE_END] - stack[level, LIVE]) + 1
            if stack[level, TOP] + room > work.live.size:
                phase, status = ENTER, ROOM
                break
            for word in range(value.size):
                work.counts[level, word] = U0
            forced = np.int64(-1)
            gain = registers[SPLITS] * SPLIT_PAYS + registers[DEAD] * DEAD_PAYS
            made = registers[STATES]
            registers[STATES] += 1
            if gain > registers[TESTS] or made < ALWAYS or made % SELDOM == 0:
                steps -= (room - 1) >> 5
                registers[TESTS] += 1
                parts, forced = sift(level, item, states, work)
                if parts == 0:
                    registers[DEAD] += 1
                    phase = KEEP
                    continue
                if parts > 1:
                    registers[SPLITS] += 1
                    stack[level, BEGIN], stack[level, AT], stack[level, END] = 0, 1, parts
                    work.counts[level, 0] = U1
                    level += parts
                    phase = ENTER
                    continue
            begin, end = stack[level, LIVE], stack[level, LIVE_END]
            if forced >= 0:
                work.live[end] = forced
                begin, end = end, end + 1
                stack[level, TOP] = end
            else:
                begin = run_of(item, work.live, begin, end, states.first)
                end = run_of(item + 1, work.live, begin, end, states.first)
            stack[level, BEGIN], stack[level, AT], stack[level, END] = begin, begin, end
            phase = TRY
        elif phase == TRY:
            before, end = stack[level, AT], stack[level, END]
            at = before
            while at < end and not fits(work.live[at], key, states):
                at += 1
            steps -= 1 + ((at - before) >> 4)
            phase = KEEP
            if at < end:
                choose(work.live[at], key, work.keys[level + 1], states)
                stack[level, AT] = at + 1
                for column in (LIVE, LIVE_END, TOP):
                    stack[level + 1, column] = stack[level, column]
                level += 1
                stack[level, OWNER] = -1
                phase = ENTER
        elif phase == KEEP:
            if remember(work.names[level], work.counts[level], table, force) < 0:
                status = GROW
                break
            for word in range(value.size):
                value[word] = work.counts[level, word]
            phase = HAND_UP
        elif level == 0:
            status = DONE
            break
        elif stack[level, OWNER] < 0:
            if not add(work.counts[level - 1], value, work.spare):
                status = WIDEN
                break
            for word in range(value.size):
                work.counts[level - 1, word] = work.spare[word]
            level -= 1
            phase = TRY
        else:
            owner = stack[level, OWNER]
            if not multiply(work.counts[owner], value, work.spare):
                status = WIDEN
                break
            none = True
            for word in range(value.size):
                work.counts[owner, word] = work.spare[word]
                none = none and work.spare[word] == U0
            stack[owner, AT] += 1
            level -= 1
            phase = ENTER
            if none or level == owner:
                level, phase = owner, KEEP
    registers[LEVEL], registers[PHASE] = level, phase
    return status


# -- a diagram of all states -----------------------------------------------------------------------


@jit
def unfold(
    begin: int, keys: Bits, states: States, work: Frames, owner: Long, label: Int, below: Bits
) -> tuple[int, int]:
    """Write the states below some that are not complete, each from its parts or by one choice.

    keys   uint64 [states, words]: what is left of them from row `begin` on
    owner  int64 [edges]: the row of a state; `label`, int32 [edges]: the option chosen, -1: a part
    below  uint64 [edges, words]: the state that is left

    It returns the row at which there was no more room, and the number of edges.
    """
    live, key, frame, many = work.live, work.keys[0], work.stack[0], states.first.size
    at, made = begin, 0
    while at < keys.shape[0]:
        for word in range(key.size):
            key[word] = keys[at, word]
        frame[LIVE], frame[LIVE_END], frame[TOP] = 0, many, many
        item = settle(key, states)
        parts, forced = sift(0, item, states, work)
        start, stop = 0, parts
        if parts == 1:
            start = run_of(item, live, many, frame[LIVE_END], states.first)
            stop = run_of(item + 1, live, start, frame[LIVE_END], states.first)
            if forced >= 0:
                start, stop = frame[TOP], frame[TOP] + 1
                live[start] = forced
        if made + stop - start > label.size:
            break
        for place in range(start, stop):
            owner[made], label[made] = at, np.int32(-1)
            if parts == 1:
                label[made] = live[place]
                choose(live[place], key, below[made], states)
            else:
                for word in range(key.size):
                    below[made, word] = work.keys[1 + place, word]
            settle(below[made], states)
            made += 1
        at += 1
    return at, made


@jit
def completes(keys: Bits, least: Bits, complete: Flags) -> None:
    """Whether every range has its least in states in which all items are covered."""
    for row in range(keys.shape[0]):
        complete[row] = is_complete(keys[row], least)
