"""The annihilator of the options, row after row, compiled. See `annihilator`.

Both kernels carry a matrix of weights, items by generators: a column is a vector of weights under
which every option seen so far weighs 0. A new option weighs `values[g]` under generator g. One
generator of least order of divisibility becomes the pivot; it is subtracted from the others until
the option weighs 0 under them, and is itself multiplied until the option weighs 0 under it - which
makes it vanish where it was a unit, as it always is modulo a prime.

`state` is int64 [3]: the next option to look at, the number of generators, and whether some
generator still gives the totals a weight other than 0. Without one there is nothing to be found.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactcover.compiled import jit

Words = npt.NDArray[np.uint64]
Long = npt.NDArray[np.int64]
Residues = npt.NDArray[np.int32]

ZERO = np.uint64(0)
ONE = np.uint64(1)

ROW, GENERATORS, OPEN = 0, 1, 2


@jit
def annihilate_bits(
    state: Long,
    starts: Long,
    entries: Long,
    order: Long,
    weights: Words,
    totals: Words,
    values: Words,
    budget: int,
) -> None:
    """Modulo 2: bit g % 64 of weights[i, g // 64] is the weight of item i under generator g.

    order    int64 [options]: in which order to look at the options
    totals   uint64 [words]: what there is to cover weighs so much under each generator
    values   uint64 [words]: work space
    """
    last = min(len(order), state[ROW] + budget)
    for row in range(state[ROW], last):
        words = (state[GENERATORS] + 63) // 64
        values[:words] = ZERO
        option = order[row]
        for at in range(starts[option], starts[option + 1]):
            item = entries[at]
            for word in range(words):
                values[word] ^= weights[item, word]
        pivot = -1
        for word in range(words):
            if values[word] != ZERO:
                bit = 0
                while (values[word] >> np.uint64(bit)) & ONE == ZERO:
                    bit += 1
                pivot = 64 * word + bit
                break
        if pivot < 0:
            continue
        # The pivot is cleared by its own bit of `values`; the last generator takes its place.
        end = state[GENERATORS] - 1
        p_word, p_bit = pivot // 64, np.uint64(pivot % 64)
        e_word, e_bit = end // 64, np.uint64(end % 64)
        for item in range(len(weights)):
            if (weights[item, p_word] >> p_bit) & ONE != ZERO:
                for word in range(words):
                    weights[item, word] ^= values[word]
            moved = (weights[item, e_word] >> e_bit) & ONE
            weights[item, e_word] &= ~(ONE << e_bit)
            if pivot != end:
                weights[item, p_word] |= moved << p_bit
        if (totals[p_word] >> p_bit) & ONE != ZERO:
            for word in range(words):
                totals[word] ^= values[word]
        moved = (totals[e_word] >> e_bit) & ONE
        totals[e_word] &= ~(ONE << e_bit)
        if pivot != end:
            totals[p_word] |= moved << p_bit
        state[GENERATORS] = end
        state[OPEN] = 0
        for word in range(words):
            if totals[word] != ZERO:
                state[OPEN] = 1
        if state[OPEN] == 0:
            state[ROW] = len(order)
            return
    state[ROW] = last


@jit
def annihilate(
    state: Long,
    starts: Long,
    entries: Long,
    order: Long,
    weights: Residues,
    totals: Residues,
    values: Residues,
    modulus: int,
    divisor: Long,
    unit_inverse: Long,
    budget: int,
) -> None:
    """Modulo a power of a prime; `weights` are residues int32 [items, generators].

    divisor       int64 [modulus]: the greatest common divisor of each residue and the modulus
    unit_inverse  int64 [modulus]: u with residue * u = divisor
    """
    last = min(len(order), state[ROW] + budget)
    m = np.int32(modulus)
    for row in range(state[ROW], last):
        count = state[GENERATORS]
        option = order[row]
        values[:count] = 0
        for at in range(starts[option], starts[option + 1]):
            item = entries[at]
            for g in range(count):
                values[g] += weights[item, g]
        pivot, least = -1, modulus
        for g in range(count):
            values[g] %= m
            if values[g] != 0 and divisor[values[g]] < least:
                pivot, least = g, divisor[values[g]]
        if pivot < 0:
            continue
        # From here on `values` holds how often to add the pivot to each generator.
        factor = unit_inverse[values[pivot]]
        for g in range(count):
            if values[g] != 0:
                values[g] = modulus - (values[g] // least) * factor % modulus
        values[pivot] = modulus // least - 1
        end = count - 1
        vanished = least == 1
        if not vanished:
            vanished = True
            for item in range(len(weights)):
                if weights[item, pivot] % np.int32(least) != 0:
                    vanished = False
                    break
        for item in range(len(weights)):
            held = weights[item, pivot]
            if held != 0:
                for g in range(count):
                    weights[item, g] = (weights[item, g] + held * values[g]) % m
            if vanished:
                weights[item, pivot] = weights[item, end]
        held = totals[pivot]
        for g in range(count):
            totals[g] = (totals[g] + held * values[g]) % m
        if vanished:
            totals[pivot] = totals[end]
            state[GENERATORS] = end
        state[OPEN] = 0
        for g in range(state[GENERATORS]):
            if totals[g] != 0:
                state[OPEN] = 1
        if state[OPEN] == 0:
            state[ROW] = len(order)
            return
    state[ROW] = last
