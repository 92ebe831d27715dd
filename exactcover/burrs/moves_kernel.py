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

A kernel stops when a table is full or its budget is used up. The caller enlarges the table and
calls again: the state in hand is then expanded once more, which adds nothing twice.
"""

from __future__ import annotations

import numpy as np

from exactcover.base.compiled import jit
from exactcover.base.compiled.bits import population
from exactcover.burrs.blocking import IMAGES, MoveStates, RoomTable, Shapes, Shorts, Words
from exactcover.geometry.sweep import Ints

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


@jit
def find_row(room: RoomTable, a: int, b: int, x: int, y: int, z: int) -> np.int64:
    """The place of a pair in the hash table of rows: the slot, whether it is filled or not."""
    keys, slots, used = room.keys, room.slots, room.used
    side = 2 * SPAN
    place = ((x + SPAN) * side + y + SPAN) * side + z + SPAN
    key = np.uint64((a * IMAGES + b) * side**3 + place)
    mask = slots.shape[0] - 1
    mixed = key * PRIME
    slot = np.int64((mixed ^ (mixed >> SHIFT)) & np.uint64(mask))
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    if slots[slot] < 0 and used[0] < keys.shape[0]:
        keys[used[0]] = key
    return slot


@jit
def place_rows(room: RoomTable) -> None:
    """Put the rows into an empty hash table."""
    keys, slots, count = room.keys, room.slots, room.used[0]
    mask = slots.shape[0] - 1
    for row in range(count):
        mixed = keys[row] * PRIME
        slot = np.int64((mixed ^ (mixed >> SHIFT)) & np.uint64(mask))
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = row


@jit
def spread(states: MoveStates, budget: int, shapes: Shapes, room: RoomTable) -> int:
    """Expand states in order until pieces come apart; return how it stops.

    budget  the states to expand in this call
    """
    images, positions, parents, moves, groups, table, progress = states
    opposite, steps = shapes.opposite, shapes.steps
    slots, rows, used = room.slots, room.rows, room.used
    n = images.shape[0]
    capacity = positions.shape[0]
    mask = table.shape[0] - 1
    all_bits = U0
    for piece in range(n):
        all_bits |= U1 << np.uint64(piece)
    row_of = np.empty((n, n), np.int64)
    closed = np.empty(n, np.uint64)
    own = np.empty(n, np.uint64)
    order = np.empty(n, np.int64)
    stack = np.empty(2 * n + 2, np.uint64)
    depths = np.empty(2 * n + 2, np.int64)
    offset = np.empty(3, np.int64)
    while progress[HEAD] < progress[TAIL]:
        if budget == 0:
            return GOING_ON
        budget -= 1
        head = progress[HEAD]
        for a in range(n):
            for b in range(a + 1, n):
                for axis in range(3):
                    offset[axis] = np.int64(positions[head, b, axis]) - np.int64(
                        positions[head, a, axis]
                    )
                    if offset[axis] >= SPAN or offset[axis] < -SPAN:
                        return TOO_FAR
                slot = find_row(room, images[a], images[b], offset[0], offset[1], offset[2])
                if slots[slot] < 0:
                    if used[0] >= rows.shape[0]:
                        return ROWS_FULL
                    clear(shapes, images[a], images[b], offset, rows[used[0]])
                    slots[slot] = used[0]
                    used[0] += 1
                row_of[a, b] = slots[slot]
        # Is a set of pieces free? The one with the fewest pieces, on either side, comes off.
        fewest = n
        for way in range(steps.shape[0]):
            if way > opposite[way]:
                continue
            close(row_of, rows, way, opposite[way], FREE, closed)
            for a in range(n):
                if closed[a] != all_bits:
                    size = population(closed[a])
                    size = min(size, n - size)
                    if size < fewest:
                        fewest = size
                        progress[WAY], progress[PIECE] = way, a
        if fewest < n:
            close(row_of, rows, progress[WAY], opposite[progress[WAY]], FREE, closed)
            groups[capacity - 1] = closed[progress[PIECE]]
            return SEPARATED
        for way in range(steps.shape[0]):
            if way > opposite[way]:
                continue
            k = 0
            while True:
                k += 1
                close(row_of, rows, way, opposite[way], k, closed)
                # The components, each after those that it needs.
                count = 0
                for a in range(n):
                    new = True
                    for b in range(a):
                        if closed[b] == closed[a]:
                            new = False
                            break
                    if new:
                        place = count
                        while place > 0 and population(closed[order[place - 1]]) > population(
                            closed[a]
                        ):
                            order[place] = order[place - 1]
                            place -= 1
                        order[place] = a
                        count += 1
                if count == 1:
                    break
                for number in range(count):
                    a = order[number]
                    own[number] = U0
                    for b in range(n):
                        if closed[b] == closed[a]:
                            own[number] |= U1 << np.uint64(b)
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
                        continue
                    if not U0 < moving < all_bits:
                        continue
                    tail = progress[TAIL]
                    if tail >= capacity - 1:
                        return STATES_FULL
                    mixed = U0
                    for piece in range(n):
                        moved = (moving >> np.uint64(piece)) & U1 != U0
                        for axis in range(3):
                            value = np.int64(positions[head, piece, axis])
                            if moved:
                                value += k * steps[way, axis]
                            if moving & U1 != U0:
                                value -= k * steps[way, axis]
                            positions[tail, piece, axis] = value
                            mixed = (mixed ^ np.uint64(value + 32768)) * PRIME
                            mixed ^= mixed >> SHIFT
                    at = np.int64(mixed & np.uint64(mask))
                    known = False
                    while table[at] >= 0:
                        other = table[at]
                        known = True
                        for piece in range(n):
                            for axis in range(3):
                                if positions[other, piece, axis] != positions[tail, piece, axis]:
                                    known = False
                        if known:
                            break
                        at = (at + 1) & mask
                    if not known:
                        table[at] = tail
                        parents[tail] = head
                        moves[tail, 0], moves[tail, 1] = way, k
                        groups[tail] = moving
                        progress[TAIL] = tail + 1
        progress[HEAD] = head + 1
    return EXHAUSTED


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


@jit
def enter(states: MoveStates) -> None:
    """Put the states into an empty table."""
    positions, table, count = states.positions, states.table, states.progress[TAIL]
    mask = table.shape[0] - 1
    for state in range(count):
        mixed = U0
        for piece in range(positions.shape[1]):
            for axis in range(3):
                value = np.int64(positions[state, piece, axis])
                mixed = (mixed ^ np.uint64(value + 32768)) * PRIME
                mixed ^= mixed >> SHIFT
        slot = np.int64(mixed & np.uint64(mask))
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = state
