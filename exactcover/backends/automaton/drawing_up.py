"""A diagram of all solutions, made from the states of a count.

The states are made forward from the empty board, and all are kept. At the end, states are dropped
if the pieces left cannot fill the board from there. This takes more memory than counting from both
ends.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.automaton.copy_fields import CopyFields
from exactcover.backends.automaton.diagram import Diagram
from exactcover.backends.automaton.expecting import TOO_MANY, ExpectedStates
from exactcover.backends.automaton.memory import Memory
from exactcover.backends.automaton.relaxed import MIXER, Automaton, Building
from exactcover.backends.automaton.states import StateLevels
from exactcover.backends.automaton.sweep import Sweep
from exactcover.backends.automaton.tables import STATES, KeyFormat, StateTable
from exactcover.patience import check, patiently

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

STEPS = 1 << 22
"""The number of edges made between two checks for Ctrl-C."""

AT_MOST = 30.0
"""The states that are expected before any is made are at most about this many times the truth."""

EDGE_BYTES = 60
"""The bytes of an edge while a diagram is made."""


def draw_up(
    sweep: Sweep, used: CopyFields, memory: Memory, chosen: tuple[int, ...] = ()
) -> Diagram:
    """The diagram of all solutions; raises `TooLarge` if it does not fit."""
    board = sweep.board
    label_cells = np.zeros((board.kind.size, board.n_cells), bool)
    inside = board.bits < board.n_cells
    label_cells[board.owner[inside], board.bits[inside]] = True
    place = np.zeros(board.kind.size, np.int64)
    place[sweep.image] = sweep.first
    empty = Diagram(
        np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64),
        board.option, label_cells, place, chosen,
    )  # fmt: skip
    if board.hopeless or used.hopeless:
        return empty
    if not sweep.n_cells:
        one_node = replace(empty, starts=np.zeros(2, np.int64))
        return one_node if used.enough(used.start[None])[0] else empty
    building = Building(sweep, used, memory)
    while not building.advance(STEPS):
        check()
    automaton = building.automaton
    assert automaton is not None
    if not automaton.n_nodes:
        return empty
    key_format = KeyFormat.of(automaton)
    if used.any:
        expected = float(ExpectedStates.of(automaton).ahead.sum()) / AT_MOST
        if expected * (8 * key_format.words + EDGE_BYTES) > memory.limit:
            raise memory.refusal(STATES, 0, expected * AT_MOST / TOO_MANY)
    levels = StateLevels(
        automaton, memory, MIXER, forward=True, key_format=key_format, beside=EDGE_BYTES
    )
    for number in range(1, sweep.n_cells + 1):
        steps = [STEPS]
        for _ in patiently(levels.make(number, steps)):
            steps[0] = STEPS
    return _linked(empty, automaton, key_format, levels, memory)


def _linked(
    empty: Diagram, automaton: Automaton, key_format: KeyFormat, levels: StateLevels, memory: Memory
) -> Diagram:
    """The states with their edges; the end is the last level's states with enough of all pieces."""
    sweep, last = automaton.sweep, automaton.sweep.n_cells
    keys = [_keys(levels, number) for number in range(last + 1)]
    first = np.cumsum([0, *map(len, keys)])
    fine = automaton.copy_fields.enough(key_format.used(keys[last]))
    sources, targets, labels = [], [], []
    for number in patiently(range(last)):
        for size in sweep.sizes:
            if number + size > last or not len(keys[number]) or not len(keys[number + size]):
                continue
            owner, edge, made = _steps(
                automaton, key_format, levels, keys[number], number, number + size
            )
            found = _find(keys[number + size], made)
            there = found >= 0
            if number + size == last:
                there &= fine[found]
                found = np.zeros_like(found)
            sources.append(owner[there] + first[number])
            targets.append(found[there] + first[number + size])
            labels.append(sweep.image[automaton.image[edge[there]]])
            memory.take(EDGE_BYTES * int(there.sum()), STATES, int(first[-1]))
    source = np.concatenate([np.zeros(0, np.int64), *sources])
    target = np.concatenate([np.zeros(0, np.int64), *targets])
    label = np.concatenate([np.zeros(0, np.int64), *labels])
    in_order = np.lexsort((label, source))
    counts = np.bincount(source, minlength=int(first[last]) + 1)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    whole = replace(empty, starts=starts, target=target[in_order], label=label[in_order])
    return whole.trimmed()


def _steps(
    automaton: Automaton,
    key_format: KeyFormat,
    levels: StateLevels,
    keys: Bits,
    number: int,
    goal: int,
) -> tuple[Long, Long, Bits]:
    """The edges of states to one level: the state of each, its number, the key that it leads to."""
    numbers, _, _ = levels.direction.edges(number, goal)
    steps = levels.direction.steps(number, goal, levels.direction.closed(goal))
    node, used = key_format.nodes(keys) - steps.base, key_format.used(keys)
    degree = steps.starts[node + 1] - steps.starts[node]
    owner = np.repeat(np.arange(len(keys)), degree)
    inside = np.arange(owner.size) - np.repeat(np.cumsum(degree) - degree, degree)
    edge = steps.starts[node][owner] + inside
    kind = steps.kind[edge].astype(np.int64)
    word = steps.word[kind]
    fits = (used[owner, word] & steps.mask[kind]) != steps.stop[kind]
    owner, edge, kind, word = owner[fits], edge[fits], kind[fits], word[fits]
    fields = used[owner]
    fields[np.arange(owner.size), word] += steps.change[kind]
    made = np.zeros((owner.size, key_format.words), np.uint64)
    made[:, : key_format.fields] = fields
    made[:, -1] |= (steps.to[edge].astype(np.uint64) + np.uint64(1)) << np.uint64(key_format.shift)
    return owner, numbers[edge], made


def _keys(levels: StateLevels, number: int) -> Bits:
    """The keys of a level, sorted."""
    table = levels.tables[number]
    assert isinstance(table, StateTable)  # diagrams spill nothing
    keys, _ = table.states()
    return keys[np.lexsort(keys.T[::-1])]


def _find(keys: Bits, wanted: Bits) -> Long:
    """The row of each wanted key among sorted keys, -1: it is not there."""
    if keys.shape[1] == 1:
        found = np.searchsorted(keys[:, 0], wanted[:, 0]).clip(max=len(keys) - 1)
        return np.where(keys[found, 0] == wanted[:, 0], found, -1).astype(np.int64)
    row_of = {row.tobytes(): number for number, row in enumerate(keys)}
    return np.array([row_of.get(row.tobytes(), -1) for row in wanted], np.int64)
