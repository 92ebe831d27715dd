"""Counting by remembering: each state of a search is searched once.

The items left to cover determine the number of solutions below a state. If many choices lead to the
same state - dominoes on a board, matchings, bits of a circuit - the time of a count grows with the
number of states instead of the number of solutions. If few do, `dlx` is quicker.

It counts and lists nothing. Every option must have an item that is covered exactly once, so that
the order of choosing does not matter. The loop is in `memo_kernel`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Flags, Index, Long, bit_rows, compressed, whole
from exactcover.backends.base import (
    MEBIBYTES,
    Batch,
    Capabilities,
    Report,
    Search,
    Setting,
    Status,
    Task,
    searched_share,
)
from exactcover.backends.tasks import Residue
from exactcover.errors import CapabilityError, TooLarge
from exactcover.problem import Layout, Problem

HEURISTICS = ("f", "s")

FIRST_SLOTS = 1 << 12
PATIENCE, AGAIN = 1 << 16, 0.5
"""The setting `patience` gives up a count that has more states than the first number if the share
of states met again is below the second."""

MEMORY = 1024
"""The most MiB of the table, unless the setting `memory` says otherwise."""

SETTINGS = {
    "memory": MEBIBYTES,
    "patience": Setting("a word alone, without a value", lambda text: not text, public=True),
}


@dataclass(frozen=True, eq=False)
class States:
    """A problem below a task as bits, for the kernel.

    n_items  items covered once: the first bits of a state, in the order of branching
    item_starts, item_options  compressed rows: the options of each of these items
    masks, field_starts, fields, least, forget: see `memo_kernel.explore`
    """

    n_items: int
    item_starts: Index
    item_options: Index
    masks: Bits
    field_starts: Index
    fields: Bits
    least: Bits
    forget: Bits

    @classmethod
    def of(cls, problem: Problem, residue: Residue) -> States:
        """The bits and fields of the part of a problem that a task leaves."""
        from exactcover.backends.memo_kernel import FIELD

        owner = np.repeat(np.arange(residue.options.size), np.diff(residue.starts))
        sizes = np.bincount(residue.items, minlength=problem.n_items)
        once = np.zeros(problem.n_items, bool)
        once[: problem.primary] = (residue.need == 1) & (residue.room == 1)
        _require_once(problem, residue, once, owner)
        bit = np.full(problem.n_items, -1)
        bit[once] = np.arange(once.sum())

        # A field may not lie across two words, so fields stand before single bits.
        made = _fields(problem, residue, sizes)
        end = n_items = int(once.sum())
        for field in made.values():
            if end % 64 + field.width > 64:
                end += 64 - end % 64
            bit[field.item] = end
            end += field.width
        single = sizes > 1
        single[list(made)] = False
        single[: problem.primary] &= (residue.need <= 0) & (residue.room == 1)
        single &= ~once
        bit[single] = end + np.arange(single.sum())
        words = max(1, -(-(end + int(single.sum())) // 64))

        is_bit = (once | single)[residue.items]
        masks = bit_rows(owner[is_bit], bit[residue.items[is_bit]], residue.options.size, words)
        in_field = np.flatnonzero(np.isin(residue.items, list(made)))
        rows = [
            made[int(residue.items[at])].row(bit, int(residue.colours[at]))
            for at in in_field.tolist()
        ]
        asked = once[residue.items]
        item_starts, item_options = compressed(bit[residue.items[asked]], owner[asked], n_items)
        field_starts, _ = compressed(owner[in_field], in_field, residue.options.size)
        return cls(
            n_items=n_items,
            item_starts=item_starts.astype(np.uint32),
            item_options=item_options.astype(np.uint32),
            masks=masks,
            field_starts=field_starts.astype(np.uint32),
            fields=np.array(rows, np.uint64).reshape(len(rows), FIELD),
            least=np.array(
                [(*f.place(bit), int(residue.need[i])) for i, f in made.items() if f.asks],
                np.uint64,
            ).reshape(-1, 4),
            forget=_forget(residue, owner, bit, once, single, made, words),
        )


@dataclass(frozen=True)
class Field:
    """An item that is more than a bit of a state.

    width    how many bits it takes
    most     a range: how many options it takes; 0: colours
    colours  the colours that it may have, ascending
    asks     whether it must be covered
    """

    item: int
    width: int
    most: int = 0
    colours: tuple[int, ...] = ()
    asks: bool = False

    def place(self, bit: Long) -> tuple[int, int, int]:
        """Its word, its shift, and its mask when shifted down."""
        at = int(bit[self.item])
        return at // 64, at % 64, (1 << self.width) - 1

    def row(self, bit: Long, colour: int) -> tuple[int, int, int, int, int]:
        """The effect of an option on it; without a colour the option closes the item to all
        others."""
        from exactcover.backends.memo_kernel import ADDS, SETS

        word, shift, mask = self.place(bit)
        if self.most:
            return word, shift, mask, ADDS, self.most
        return word, shift, mask, SETS, self.colours.index(colour) + 1 if colour else mask


def _require_once(problem: Problem, residue: Residue, once: Flags, owner: Long) -> None:
    """Raise `CapabilityError` if an option has no item that is covered exactly once."""
    asked = np.zeros(residue.options.size, bool)
    asked[owner[once[residue.items]]] = True
    if not asked.all():
        option = problem.option_name(int(residue.options[int((~asked).argmax())]))
        raise CapabilityError(
            f"memo needs an item that is covered just once in every option, and option "
            f"{option!r} has none; dlx counts such problems"
        )


def _fields(problem: Problem, residue: Residue, sizes: Long) -> dict[int, Field]:
    """The items that are more than a bit: ranges that bind, and colours."""
    made: dict[int, Field] = {}
    for item in range(problem.primary):
        need, room, size = int(residue.need[item]), int(residue.room[item]), int(sizes[item])
        if room > 1 and (need > 0 or room < size):
            most = min(room, size)
            made[item] = Field(item, max(1, most.bit_length()), max(1, most), asks=need > 0)
    coloured = residue.colours != 0
    for item in np.unique(residue.items[coloured]).tolist():
        here = coloured & (residue.items == item)
        colours = tuple(np.unique(residue.colours[here]).tolist())
        made[item] = Field(item, (len(colours) + 1).bit_length(), colours=colours)
    return made


def _forget(
    residue: Residue,
    owner: Long,
    bit: Long,
    once: Flags,
    single: Flags,
    made: dict[int, Field],
    words: int,
) -> Bits:
    """The bits that no longer matter once all items before one are covered.

    An item's bits no longer matter if each of its options has an item among the covered ones.
    """
    n_items = int(once.sum())
    asked = once[residue.items]
    first = np.full(residue.options.size, n_items)
    np.minimum.at(first, owner[asked], bit[residue.items[asked]])
    last = np.full(once.size, -1)
    np.maximum.at(last, residue.items, first[owner])
    at = [(int(last[i]) + 1, int(bit[i])) for i in np.flatnonzero(single).tolist()]
    for item, field in made.items():
        if not field.asks:
            at += [(int(last[item]) + 1, int(bit[item]) + i) for i in range(field.width)]
    numbers, bits = np.array(at, np.int64).reshape(-1, 2).T
    return np.bitwise_or.accumulate(bit_rows(numbers, bits, n_items + 1, words), axis=0)


class MemoSearch:
    """A count under way; all that changes while it runs is in its arrays."""

    def __init__(self, problem: Problem, task: Task, memory: int, *, limited: bool = False) -> None:
        from exactcover.backends import memo_kernel as kernel

        residue = Residue.of(problem, task)
        self._states = States.of(problem, residue)
        self._by_size = int(task.heuristic == "s")
        self._ranged = 1 if self._states.fields.size else None
        words, levels = self._states.masks.shape[1], self._states.n_items + 2
        self._stack = np.zeros((levels, kernel.FRAME), np.int64)
        self._stack_keys = np.zeros((levels + 1, words), np.uint64)
        self._stack_counts = np.zeros((levels, 1), np.uint64)
        self._value = np.zeros(1, np.uint64)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._table = _table(FIRST_SLOTS, words, 1)
        self._memory = memory << 20
        self._full = False
        self._limited = limited
        lacking = (residue.need > residue.room) | ((residue.need > 0) & (residue.room <= 0))
        self._done = bool(lacking.any())

    @property
    def states(self) -> int:
        """How many different states the table holds."""
        return int(self._table[0].sum())

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Count on for about `steps` fits, see `Search.advance`; it never lists solutions."""
        from exactcover.backends import memo_kernel as kernel

        if keep:
            raise CapabilityError("memo counts solutions and lists none; dlx lists them")
        del capacity
        states, status = self._states, kernel.DONE
        while not self._done:
            with np.errstate(over="ignore"):
                status = kernel.explore(
                    steps, int(self._full), self._by_size, states.n_items, states.item_starts,
                    states.item_options, states.masks, states.field_starts, states.fields,
                    self._ranged, states.least, states.forget, *self._table, self._stack,
                    self._stack_keys, self._stack_counts, self._value, self._registers,
                )  # fmt: skip
            if status == kernel.GROW:
                self._grow()
            elif status == kernel.WIDEN:
                self._widen()
            else:
                self._done = status == kernel.DONE
                break
        return Batch.of(Status.DONE if self._done else Status.BUDGET)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the count. The solutions are those below the finished branches of the root;
        options that do not fit are passed over, not tried."""
        from exactcover.backends.memo_kernel import FITS, LEVEL

        fits = int(self._registers[FITS])
        report = Report(fits, 0, whole(self._value if self._done else self._stack_counts[0]))
        if brief:
            return report
        frames = self._stack[: int(self._registers[LEVEL])].tolist()
        position = [(max(0, at - begin - 1), max(1, end - begin)) for at, begin, end in frames]
        progress = 1.0 if self._done else searched_share(position)[0]
        return replace(report, progress=progress, position=position)

    def _grow(self) -> None:
        """Give the table twice the room; if that exceeds its memory, let it forget states.

        Raises `TooLarge` with the setting `patience`, if few states are met again: the others cost
        more than in a plain search.
        """
        from exactcover.backends.memo_kernel import HITS, move

        states = self.states
        if self._limited and states > PATIENCE and self._registers[HITS] < states * AGAIN:
            raise TooLarge("states that are seldom met again", states, self._memory)
        taken, keys, counts = self._table
        needed = 3 * self.table_bytes()  # the old one stays until the new one is filled
        if needed > self._memory:
            self._full = True
            return
        table = _table(2 * taken.size, keys.shape[1], counts.shape[1])
        move(taken, keys, counts, *table)
        self._table = table

    def table_bytes(self) -> int:
        return sum(part.nbytes for part in self._table)

    def _widen(self) -> None:
        """Give every count twice as many words."""
        taken, keys, counts = self._table
        self._table = taken, keys, _widened(counts)
        self._stack_counts = _widened(self._stack_counts)
        self._value = _widened(self._value)


def _table(slots: int, words: int, wide: int) -> tuple[npt.NDArray[np.uint8], Bits, Bits]:
    """An empty table of states."""
    return (
        np.zeros(slots, np.uint8),
        np.zeros((slots, words), np.uint64),
        np.zeros((slots, wide), np.uint64),
    )


def _widened(counts: Bits) -> Bits:
    """The same counts in twice as many words, the new ones the highest."""
    return np.concatenate([counts, np.zeros_like(counts)], axis=-1)


class MemoBackend:
    """The engine: its capabilities, and the start of a count."""

    name = "memo"
    summary = "counts by remembering states (Knuth's dlx6): where many choices leave the same"
    capabilities = Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=HEURISTICS,
        lists_solutions=False,
        settings=SETTINGS,
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A count of the task's subtree; compiles the kernel if necessary."""
        memory = int(task.settings.get("memory", MEMORY))
        return MemoSearch(problem, task, memory, limited="patience" in task.settings)


backend = MemoBackend()
