"""The compiled search: breadth-first over the states of some pieces.

A state is the position of each piece, up to moving all of them together. Along one direction, let
`room[a, b]` be the number of steps that piece a can take before it hits piece b. A set of pieces
can take k steps together if none of them has less room than k to a piece outside of it. So each
piece has a least set that moves with it, its closure under "a has less than k steps to b", and the
sets that can move are the unions of closures. A set that has room without end is free of the rest.

To move a set one way is to move the other pieces the other way, so one direction of each two is
enough. Positions are relative to the first piece.

The room of two pieces depends on their relative position alone. It is computed once, and kept in a
hash table that all searches of a lattice share: `RoomTable`.

A kernel stops when a table is full or its budget is used up. The caller makes room and calls again:
the state in hand is then expanded once more, which adds nothing twice.
"""

from __future__ import annotations

import numpy as np

from exactcover.base.compiled import jit, part
from exactcover.studio.burrs.blocking import (
    IMAGES,
    Ints,
    MoveStates,
    Numbers,
    RoomTable,
    Shapes,
    Shorts,
    Words,
)

FREE = 32767
"""The room of a piece that never hits the other one."""

SPAN = 1 << 9
"""Positions of two pieces differ by less than this in each coordinate."""

GOING_ON, SEPARATED, EXHAUSTED, STATES_FULL, ROWS_FULL, TOO_FAR = range(6)
"""How a search stops."""

HEAD, TAIL, WAY, PIECE = range(4)
"""The entries of `progress`: the state in hand, the number of states, and once pieces come apart
the direction, and a piece whose closure is free."""

U0, U1 = np.uint64(0), np.uint64(1)
PRIME = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
TOUCHING = 1e-6


@jit
def clear(shapes: Shapes, a: int, b: int, offset: Ints, out: Shorts) -> None:
    """How many steps image a can take along each direction before it hits image b, into `out`.

    offset   int64 [3], of image b from image a
    """
    _, steps, starts, cells, faces, normals, reaches, slopes, gaps, places, ways = shapes
    n_kinds = int(np.sqrt(faces.shape[0] - 1))
    most = 0
    for pair in range(faces.shape[0] - 1):
        most = max(most, faces[pair + 1] - faces[pair])
    limits = np.empty(most, np.int64)
    for way in range(steps.shape[0]):
        out[way] = FREE
    for i in range(starts[a], starts[a + 1]):
        for j in range(starts[b], starts[b + 1]):
            x = cells[j, 0] + offset[0] - cells[i, 0]
            y = cells[j, 1] + offset[1] - cells[i, 1]
            z = cells[j, 2] + offset[2] - cells[i, 2]
            pair = cells[i, 3] * n_kinds + cells[j, 3]
            first, last = faces[pair], faces[pair + 1]
            if first == last:
                scale = float(gaps[pair, 3])
                u, v, w = (
                    x + gaps[pair, 0] / scale,
                    y + gaps[pair, 1] / scale,
                    z + gaps[pair, 2] / scale,
                )
                px = u * places[0, 0] + v * places[1, 0] + w * places[2, 0]
                py = u * places[0, 1] + v * places[1, 1] + w * places[2, 1]
                pz = u * places[0, 2] + v * places[1, 2] + w * places[2, 2]
                pitch = places[3, 0]
                for way in range(steps.shape[0]):
                    along = px * ways[way, 0] + py * ways[way, 1] + pz * ways[way, 2]
                    across = px * px + py * py + pz * pz - along * along
                    if along > TOUCHING and across < (pitch - TOUCHING) ** 2:
                        far = along - np.sqrt(pitch * pitch - max(across, 0.0))
                        room = int(np.floor(far / ways[way, 3] + TOUCHING))
                        if room < out[way]:
                            out[way] = max(room, 0)
                continue
            for face in range(first, last):
                limits[face - first] = (
                    normals[face, 0] * x + normals[face, 1] * y + normals[face, 2] * z
                ) * gaps[pair, 3] + reaches[face]
            for way in range(steps.shape[0]):
                if out[way] == 0:
                    continue
                # They meet at the times between `entry` and `leave`, fractions of a step.
                entry, entry_below, leave, leave_below = 0, 1, 1, 0
                beside = False
                for face in range(first, last):
                    slope, limit = slopes[way, face], limits[face - first]
                    if slope > 0:
                        if limit * leave_below < leave * slope:
                            leave, leave_below = limit, slope
                    elif slope < 0:
                        if limit * entry_below < entry * slope:
                            entry, entry_below = -limit, -slope
                    elif limit <= 0:
                        beside = True
                        break
                if not beside and entry * leave_below < leave * entry_below:
                    room = entry // entry_below
                    out[way] = min(out[way], room)


@part
def population(word: np.uint64) -> int:
    """How many bits of a word are set."""
    number = 0
    while word != U0:
        word &= word - U1
        number += 1
    return number


@part
def _home(key: np.uint64, mask: int) -> np.int64:
    """The slot at which the search for a key begins."""
    mixed = key * PRIME
    return np.int64((mixed ^ (mixed >> SHIFT)) & np.uint64(mask))


@part
def find_row(room: RoomTable, a: int, b: int, x: int, y: int, z: int) -> np.int64:
    """The place of a pair in the hash table of rows: the slot, whether it is filled or not."""
    keys, slots, used = room.keys, room.slots, room.used
    side = 2 * SPAN
    place = ((x + SPAN) * side + y + SPAN) * side + z + SPAN
    key = np.uint64((a * IMAGES + b) * side**3 + place)
    mask = slots.shape[0] - 1
    slot = _home(key, mask)
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    if slots[slot] < 0 and used[0] < keys.shape[0]:
        keys[used[0]] = key
    return slot


@jit
def spread(states: MoveStates, budget: int, shapes: Shapes, room: RoomTable) -> int:
    """Expand states in order until pieces come apart; return how it stops.

    budget  the states to expand in this call
    """
    progress, opposite = states.progress, shapes.opposite
    n = states.images.shape[0]
    all_bits = U0
    for piece in range(n):
        all_bits |= U1 << np.uint64(piece)
    row_of = np.empty((n, n), np.int64)
    closed = np.empty(n, np.uint64)
    own = np.empty(n, np.uint64)
    order = np.empty(n, np.int64)
    stack = np.empty(2 * n + 2, np.uint64)
    depths = np.empty(2 * n + 2, np.int64)
    while progress[HEAD] < progress[TAIL]:
        if budget == 0:
            return GOING_ON
        budget -= 1
        ended = _find_rows(states, shapes, room, row_of)
        if ended != GOING_ON:
            return ended
        if _comes_off(states, shapes, room, row_of, closed, all_bits):
            return SEPARATED
        for way in range(opposite.shape[0]):
            if way > opposite[way]:
                continue
            k = 0
            while True:
                k += 1
                close(row_of, room.rows, way, opposite[way], k, closed)
                count = _components(closed, order, own)
                if count == 1:
                    break
                # Each union of components that has all that they need can move.
                top = 1
                stack[0], depths[0] = U0, 0
                while top > 0:
                    top -= 1
                    moving, number = stack[top], depths[top]
                    if number < count:
                        stack[top], depths[top] = moving, number + 1
                        top += 1
                        needed = closed[order[number]] & ~own[number]
                        if needed & ~moving == U0:
                            stack[top], depths[top] = moving | own[number], number + 1
                            top += 1
                    elif U0 < moving < all_bits and not _add(states, shapes, moving, way, k):
                        return STATES_FULL
        progress[HEAD] += 1
    return EXHAUSTED


@part
def _find_rows(states: MoveStates, shapes: Shapes, room: RoomTable, row_of: Ints) -> int:
    """Find the row of each two pieces in the state in hand; GOING_ON, TOO_FAR or ROWS_FULL."""
    images, slots, used = states.images, room.slots, room.used
    here = states.positions[states.progress[HEAD]]
    offset = np.empty(3, np.int64)
    for a in range(images.shape[0]):
        for b in range(a + 1, images.shape[0]):
            for axis in range(3):
                offset[axis] = np.int64(here[b, axis]) - np.int64(here[a, axis])
                if offset[axis] >= SPAN or offset[axis] < -SPAN:
                    return TOO_FAR
            slot = find_row(room, images[a], images[b], offset[0], offset[1], offset[2])
            if slots[slot] < 0:
                if used[0] >= room.rows.shape[0]:
                    return ROWS_FULL
                clear(shapes, images[a], images[b], offset, room.rows[used[0]])
                slots[slot] = used[0]
                used[0] += 1
            row_of[a, b] = slots[slot]
    return GOING_ON


@part
def _comes_off(
    states: MoveStates,
    shapes: Shapes,
    room: RoomTable,
    row_of: Ints,
    closed: Words,
    all_bits: np.uint64,
) -> bool:
    """Whether a set of pieces is free. The one with the fewest pieces, on either side, is noted."""
    progress, opposite, n = states.progress, shapes.opposite, closed.shape[0]
    fewest = n
    for way in range(opposite.shape[0]):
        if way > opposite[way]:
            continue
        close(row_of, room.rows, way, opposite[way], FREE, closed)
        for a in range(n):
            if closed[a] != all_bits:
                size = population(closed[a])
                size = min(size, n - size)
                if size < fewest:
                    fewest = size
                    progress[WAY], progress[PIECE] = way, a
    if fewest == n:
        return False
    close(row_of, room.rows, progress[WAY], opposite[progress[WAY]], FREE, closed)
    states.groups[states.groups.shape[0] - 1] = closed[progress[PIECE]]
    return True


@part
def _components(closed: Words, order: Ints, own: Words) -> int:
    """The pieces that always move together: how many sets there are.

    order  a piece of each, after those of the sets that it needs
    own    the pieces of each, as bits
    """
    count = 0
    for a in range(closed.shape[0]):
        new = True
        for b in range(a):
            if closed[b] == closed[a]:
                new = False
                break
        if new:
            place = count
            while place > 0 and population(closed[order[place - 1]]) > population(closed[a]):
                order[place] = order[place - 1]
                place -= 1
            order[place] = a
            count += 1
    for number in range(count):
        own[number] = U0
        for b in range(closed.shape[0]):
            if closed[b] == closed[order[number]]:
                own[number] |= U1 << np.uint64(b)
    return count


@jit
def close(row_of: Ints, rows: Shorts, way: int, back: int, least: int, closed: Words) -> None:
    """The least set that moves with each piece, as bits, for a move of `least` steps."""
    n = closed.shape[0]
    for a in range(n):
        closed[a] = U1 << np.uint64(a)
    for a in range(n):
        for b in range(a + 1, n):
            row = row_of[a, b]
            if rows[row, way] < least:
                closed[a] |= U1 << np.uint64(b)
            if rows[row, back] < least:
                closed[b] |= U1 << np.uint64(a)
    for c in range(n):
        for a in range(n):
            if (closed[a] >> np.uint64(c)) & U1 != U0:
                closed[a] |= closed[c]


@part
def _add(states: MoveStates, shapes: Shapes, moving: np.uint64, way: int, steps: int) -> bool:
    """Add the state after a move of the state in hand, unless it is known; False: no room."""
    positions, table, progress = states.positions, states.table, states.progress
    head, tail = progress[HEAD], progress[TAIL]
    if tail >= positions.shape[0] - 1:
        return False
    for piece in range(positions.shape[1]):
        times = np.int64((moving >> np.uint64(piece)) & U1) - np.int64(moving & U1)
        for axis in range(3):
            positions[tail, piece, axis] = (
                positions[head, piece, axis] + times * steps * shapes.steps[way, axis]
            )
    slot = _place(positions, tail, table)
    if table[slot] < 0:
        table[slot] = tail
        states.parents[tail] = head
        states.moves[tail, 0], states.moves[tail, 1] = way, steps
        states.groups[tail] = moving
        progress[TAIL] = tail + 1
    return True


@part
def _place(positions: Shorts, state: int, table: Numbers) -> np.int64:
    """The slot of a state in the table: it is there, or the slot is empty."""
    mixed = U0
    for piece in range(positions.shape[1]):
        for axis in range(3):
            mixed = (mixed ^ np.uint64(np.int64(positions[state, piece, axis]) + 32768)) * PRIME
            mixed ^= mixed >> SHIFT
    mask = table.shape[0] - 1
    slot = np.int64(mixed & np.uint64(mask))
    while table[slot] >= 0:
        known = True
        for piece in range(positions.shape[1]):
            for axis in range(3):
                if positions[table[slot], piece, axis] != positions[state, piece, axis]:
                    known = False
        if known:
            break
        slot = (slot + 1) & mask
    return slot


@jit
def enter(states: MoveStates) -> None:
    """Put the states into an empty table."""
    for state in range(states.progress[TAIL]):
        states.table[_place(states.positions, state, states.table)] = state
