"""The cells whose state is looked up at each cell, and the numbers of these states.

At a cell, only images are tried that no filled cell near it excludes. This module chooses the near
cells that are worth looking at. It also turns their state into the number of a row of lists: the
occupancy is masked, multiplied and shifted. A search finds a multiplier that gives every state its
own number; sometimes the number takes a bit or two more than there are cells.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]

U0, U1 = np.uint64(0), np.uint64(1)

SPARE_BITS = 4
"""The number of a state may have at most this many more bits than there are near cells."""

TRIALS = 100
"""The number of multipliers tried for each number of bits."""


@jit
def choose_near(
    near: Long,
    most: int,
    only_adjacent: bool,
    order: Long,
    firsts: Long,
    n_bits: int,
    starts: Long,
    bits: Long,
    adjacent_starts: Long,
    adjacent: Long,
    covering_starts: Long,
    covering: Long,
    candidate_starts: Long,
    candidates: Long,
) -> None:
    """Choose the cells to look at for each cell: adjacent ones, then the most useful others.

    The usefulness of a cell is the number of images at hand that cover it, times the probability
    that it is filled: the share of the images covering it that begin earlier in the order.
    """
    n_cells = near.shape[0]
    in_all = np.zeros(n_bits, np.int64)
    for at in range(bits.size):
        in_all[bits[at]] += 1
    earlier = np.zeros(n_bits, np.int64)
    score = np.zeros(n_bits, np.float64)
    here, here_all, here_earlier = (
        np.zeros(n_bits, np.int64),
        np.zeros(n_bits, np.int64),
        np.zeros(n_bits, np.int64),
    )
    fixed = order.size > 0
    for place in range(n_cells):
        cell = order[place] if fixed else place
        here[:] = 0
        for which in range(candidate_starts[cell], candidate_starts[cell + 1]):
            image = candidates[which]
            for at in range(starts[image], starts[image + 1]):
                here[bits[at]] += 1
        here[cell] = 0
        if fixed:
            here_all[:] = 0
            here_earlier[:] = 0
            for which in range(covering_starts[cell], covering_starts[cell + 1]):
                image = covering[which]
                for at in range(starts[image], starts[image + 1]):
                    here_all[bits[at]] += 1
                    here_earlier[bits[at]] += firsts[image] < place
            for other in range(n_bits):
                ways = in_all[other] - here_all[other]
                score[other] = 0.0
                if ways > 0:
                    score[other] = here[other] * (earlier[other] - here_earlier[other]) / ways
            for which in range(candidate_starts[cell], candidate_starts[cell + 1]):
                image = candidates[which]
                for at in range(starts[image], starts[image + 1]):
                    earlier[bits[at]] += 1
        chosen = 0
        for turn in range(2):
            if turn == 1 and (only_adjacent or not fixed):
                break
            while chosen < most:
                best, useful = -1, 0.0
                if turn == 0:
                    for at in range(adjacent_starts[cell], adjacent_starts[cell + 1]):
                        if here[adjacent[at]] > useful:
                            best, useful = adjacent[at], float(here[adjacent[at]])
                else:
                    for other in range(n_bits):
                        if here[other] > 0 and score[other] > useful:
                            best, useful = other, score[other]
                if best < 0:
                    break
                near[cell, chosen] = best
                here[best] = 0
                chosen += 1


@jit
def number_states(near: Long, words: int, cells: Bits, numbers: Index) -> int:
    """Find for each cell the multipliers that number the states of the cells near it.

    Fills in the rows of `cells` and the number of each state; returns the number of rows. A
    multiplier has a bit for each near cell: this bit moves the cell's bit of the occupancy to a
    chosen place at the top. Other products may collide with it, so each multiplier is tested. It
    works on all words merged into one; if two cells have the same bit in two words, one of them is
    left out.
    """
    rows = 0
    random = np.uint64(0x9E3779B97F4A7C15)
    part = np.zeros(numbers.shape[1], np.uint64)
    taken = np.zeros(numbers.shape[1] << SPARE_BITS, np.int64)
    trial = last_width = 0
    goal = np.zeros(near.shape[1] + SPARE_BITS, np.int64)
    for cell in range(near.shape[0]):
        many, seen = 0, U0
        for which in range(near.shape[1]):
            bit = near[cell, which]
            near[cell, which] = -1
            one = U1 << np.uint64(bit & 63)
            if bit >= 0 and not seen & one:
                near[cell, many] = bit
                seen |= one
                many += 1
        width = many
        found = many == 0
        # First try the multiplier of the cell before: their near cells are often placed alike.
        multiplier = U0
        tries = 0
        while not found:
            if tries == TRIALS:
                tries = 0
                width += 1
                if width > many + SPARE_BITS:  # it does without the last of them
                    many -= 1
                    near[cell, many] = -1
                    width = many
                    if many == 0:
                        break
            tries += 1
            trial += 1
            if tries > 1 or width != last_width:
                for place in range(width):
                    goal[place] = place
                for place in range(width - 1, 0, -1):
                    random ^= random << np.uint64(13)
                    random ^= random >> np.uint64(7)
                    random ^= random << np.uint64(17)
                    other = np.int64(random >> np.uint64(33)) % (place + 1)
                    goal[place], goal[other] = goal[other], goal[place]
            last_width = width
            if tries == 2:  # the order of the bits
                for which in range(many):
                    goal[which] = width - many
                    for lower in range(many):
                        goal[which] += (near[cell, lower] & 63) < (near[cell, which] & 63)
            multiplier = U0
            for which in range(many):
                shift = 64 - width + goal[which] - (near[cell, which] & 63)
                if shift >= 0:
                    multiplier |= U1 << np.uint64(shift)
            found = True
            part[0] = U0
            taken[0] = trial
            for state in range(1, 1 << many):
                low = 0
                while not state >> low & 1:
                    low += 1
                bit = near[cell, low]
                moved = multiplier << np.uint64(bit & 63)
                part[state] = part[state & (state - 1)] + moved
                number = np.int64(part[state] >> np.uint64(64 - width))
                if taken[number] == trial:
                    found = False
                    break
                taken[number] = trial
                numbers[cell, state] = number
        for which in range(many):
            bit = near[cell, which]
            cells[cell, bit >> 6] |= U1 << np.uint64(bit & 63)
        cells[cell, words] = multiplier
        cells[cell, words + 1] = np.uint64(64 - width if width else 63)
        cells[cell, words + 2] = np.uint64(rows)
        rows += 1 << width
    return rows
