"""Counting by remembering: each state of a search is searched once, and split if it falls apart.

The items left to cover determine the number of solutions below a state. If many choices lead to the
same state - dominoes on a board, matchings, bits of a circuit - the time of a count grows with the
number of states instead of the number of solutions. If no option joins two sets of the items left,
the number is a product; if two items can be swapped in all options, it is the same with either one
left. Both save most states of problems that are like trees, or that have many symmetries.

It counts and lists nothing. Every option must have an item that is covered exactly once, so that
the order of choosing does not matter. The loop is in `memo_kernel`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import (
    Bits,
    Flags,
    Index,
    Long,
    Rows,
    bit_rows,
    bits_of,
    compressed,
    whole,
)
from exactcover.backends.automaton.sweep import narrow_by_rows
from exactcover.backends.base import (
    MEBIBYTES,
    Backend,
    Branching,
    Capabilities,
    Setting,
    Slice,
    Status,
    Where,
    searched_share,
)
from exactcover.backends.diagram import ADVICE, PART, Diagram, Unfolded, draw_up
from exactcover.backends.heuristics.orders import cell_order
from exactcover.backends.memory import STATES, Memory
from exactcover.backends.node import Node, Residue
from exactcover.backends.tasks import checked
from exactcover.base import LazyModule
from exactcover.errors import CapabilityError, TooLarge
from exactcover.problem import IntArray, Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends import memo_kernel as kernel
else:
    kernel = LazyModule("exactcover.backends.memo_kernel")

HEURISTICS = ("narrow", "f")
"""The order of the items: one with few states, or as they are."""

FIRST_SLOTS = 1 << 12
PATIENCE, AGAIN, APART = 1 << 16, 0.5, 0.2
"""The setting `patience` gives up a count, up to four times the first number of states, if the
share of states met again is below the second, and that of states that fall apart below the third.
`patience=parts` looks at those that fall apart only."""

MEMORY = 1024
"""The most MiB of the table, unless the setting `memory` says otherwise."""

SETTINGS = {
    "memory": MEBIBYTES,
    "patience": Setting("a word alone, or parts", lambda text: text in ("", "parts")),
}


class States(NamedTuple):
    """A problem below a node as bits. Options are numbered in the order of their first items.

    options    int32 [options]: the number of each in the problem
    root       uint64 [words]: the state in which nothing is chosen
    n_items    the items that are covered once: the first bits, in the order of branching
    asked      uint64 [words]: these bits
    n_nodes    how many things join options: these items, other bits, fields
    first      int32 [options]: the first of these items of each option
    item_starts, items  compressed rows: the nodes of each option, ascending, without fields
    masks      uint64 [options, words]: the items of an option that are bits
    touch      uint64 [options, words]: all bits that it may change
    field_starts, fields  compressed rows [entries, FIELD]: the effects of an option on fields
    ranged     None: there are no fields. It is a type of its own, since the kernel without any code
               for fields is seven times as fast
    least      uint64 [ranges, 4]: word, shift, mask and least value of each range with a least one
    forget     uint64 [items + 1, words]: bits that no longer matter once all items before are
               covered
    class_masks   uint64 [classes, words]: interchangeable items
    class_starts  int64 [classes]: where the rows of each class begin in `prefixes`
    prefixes   uint64 [rows, words]: the first bits of each class: none, one, and so on
    """

    options: IntArray
    root: Bits
    n_items: int
    asked: Bits
    n_nodes: int
    first: IntArray
    item_starts: Index
    items: IntArray
    masks: Bits
    touch: Bits
    field_starts: Index
    fields: Bits
    ranged: int | None
    least: Bits
    forget: Bits
    class_masks: Bits
    class_starts: Long
    prefixes: Bits

    @classmethod
    def of(cls, problem: Problem, layout: Layout | None, how: Branching, below: Node) -> States:
        """The bits and fields of the part of a problem that a node leaves."""
        residue = Residue.of(problem, below)
        owner = np.repeat(np.arange(residue.options.size), np.diff(residue.starts))
        once = np.zeros(problem.n_items, bool)
        once[: problem.primary] = (residue.need == 1) & (residue.room == 1)
        _require_once(problem, residue, once, owner)
        bit, order = np.full(problem.n_items, -1), _order(residue, layout, once, how.heuristic)
        bit[order] = np.arange(order.size)
        sizes = np.bincount(residue.items, minlength=problem.n_items)
        n_items = order.size
        made, end = _fields(problem, residue, sizes, n_items)
        single = (sizes > 1) & ~once
        single[: problem.primary] &= (residue.need <= 0) & (residue.room == 1)
        single[list(made)] = False
        bit[single] = end + np.arange(single.sum())
        words = max(1, -(-(end + int(single.sum())) // 64))
        nodes = np.concatenate([order, np.flatnonzero(single), np.array(list(made), np.int64)])
        node = np.full(problem.n_items, -1)
        node[nodes] = np.arange(nodes.size)

        asked = once[residue.items]
        first = np.full(residue.options.size, n_items)
        np.minimum.at(first, owner[asked], bit[residue.items[asked]])
        sequence = np.argsort(first, kind="stable")
        owner, first = np.argsort(sequence)[owner], first[sequence]
        entries = np.lexsort((node[residue.items], owner))
        owner, items, colours = owner[entries], residue.items[entries], residue.colours[entries]
        is_bit = (once | single)[items]
        masks = bit_rows(owner[is_bit], bit[items[is_bit]], first.size, words)
        in_field = np.flatnonzero(np.isin(items, list(made)))
        effects = zip(items[in_field].tolist(), colours[in_field].tolist(), strict=True)
        rows = [(*made[item].row(colour), node[item]) for item, colour in effects]
        fields = np.array(rows, np.uint64).reshape(len(rows), kernel.FIELD)
        touch = masks.copy()
        at = owner[in_field], fields[:, 0].astype(np.int64)
        np.bitwise_or.at(touch, at, fields[:, 2] << fields[:, 1])
        item_starts, nodes_of = compressed(owner[is_bit], node[items[is_bit]], first.size)
        field_starts, _ = compressed(owner[in_field], in_field, first.size)
        asked = once[items]
        options_of = compressed(bit[items[asked]], owner[asked], n_items)
        root, least = ~bits_of(bit[once | single], words), []
        kept = asked_bits = bits_of(np.arange(n_items), words)
        for item, field in made.items():
            word, shift, mask, most, _ = field
            root[word] &= ~np.uint64((most or mask) << shift)
            if item < problem.primary and residue.need[item] > 0:
                least.append((word, shift, mask, mask - most + int(residue.need[item])))
                kept = kept | bits_of(64 * word + shift + np.arange(mask.bit_length()), words)
        left = np.zeros((n_items + 1, words), np.uint64)  # what options with later items change
        np.bitwise_or.at(left, first, touch)
        left = np.bitwise_or.accumulate(left[::-1], axis=0)[::-1]
        return cls(
            options=residue.options[sequence],
            root=root,
            n_items=n_items,
            asked=asked_bits,
            n_nodes=nodes.size,
            first=first.astype(np.int32),
            item_starts=item_starts.astype(np.uint32),
            items=nodes_of.astype(np.int32),
            masks=masks,
            touch=touch,
            field_starts=field_starts.astype(np.uint32),
            fields=fields,
            ranged=1 if made else None,
            least=np.array(least, np.uint64).reshape(-1, 4),
            forget=~(left | kept),
            **_classes(masks, fields, field_starts, options_of),
        )


class Remembered(NamedTuple):
    """The states that are remembered, at places that follow from their hashes."""

    taken: npt.NDArray[np.uint8]
    keys: Bits
    counts: Bits

    @classmethod
    def of(cls, slots: int, words: int, wide: int) -> Remembered:
        """An empty table; `wide`: the words of a count."""
        keys, counts = np.zeros((slots, words), np.uint64), np.zeros((slots, wide), np.uint64)
        return cls(np.zeros(slots, np.uint8), keys, counts)

    @property
    def bytes(self) -> int:
        return sum(part.nbytes for part in self)


class Frames(NamedTuple):
    """All that changes while a count goes on, beside the table.

    live      lists of options, see the stack
    stack     int64 [levels, FRAME]: a frame for each state on the way, and each part that waits
    keys, names  uint64 [levels, words]: their states, as they are and as they are remembered
    counts    uint64 [levels, wide]: the sums or products so far
    value     uint64 [wide]: the count that is handed up; in the end the count of the whole tree
    nodes, spare, touched  scratch space
    registers  int64 [REGISTERS]
    """

    live: IntArray
    stack: Long
    keys: Bits
    names: Bits
    counts: Bits
    value: Bits
    nodes: IntArray
    spare: Bits
    touched: Bits
    registers: Long

    @classmethod
    def of(cls, states: States) -> Frames:
        """At the root."""
        words, many, levels = states.root.size, states.first.size, 3 * states.n_items + 4
        stack = np.zeros((levels, kernel.FRAME), np.int64)
        stack[0, [kernel.LIVE_END, kernel.TOP]], stack[0, kernel.OWNER] = many, -1
        keys = np.zeros((levels, words), np.uint64)
        keys[0] = states.root
        return cls(
            live=np.resize(np.arange(many, dtype=np.int32), 4 * many + 64),
            stack=stack,
            keys=keys,
            names=keys.copy(),
            counts=np.zeros((levels, 1), np.uint64),
            value=np.zeros(1, np.uint64),
            nodes=np.zeros((kernel.SCRATCH, states.n_nodes), np.int32),
            spare=np.zeros(1, np.uint64),
            touched=np.zeros(words, np.uint64),
            registers=np.zeros(kernel.REGISTERS, np.int64),
        )


class Field(NamedTuple):
    """An item that is more than a bit of a state. All its bits are 1 when it is closed.

    word, shift, mask  where its bits are, and their mask when shifted down
    most     a range: how many options it takes; 0: colours
    colours  the colours that it may have, ascending
    """

    word: int
    shift: int
    mask: int
    most: int
    colours: tuple[int, ...]

    def row(self, colour: int) -> tuple[int, int, int, int, int]:
        """The effect of an option on it; without a colour the option closes the item to all
        others."""
        if self.most:
            return *self[:3], kernel.ADDS, 1
        return *self[:3], kernel.SETS, self.colours.index(colour) + 1 if colour else self.mask


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


def _order(residue: Residue, layout: Layout | None, once: Flags, heuristic: str) -> Long:
    """The items that are covered once, in the order of branching."""
    items = np.flatnonzero(once)
    if heuristic != HEURISTICS[0]:
        return items
    if layout is not None:  # cells first
        rank = np.full(once.size, layout.n_cells)
        rank[layout.cell_item[cell_order("narrow", layout)]] = np.arange(layout.n_cells)
        return items[np.argsort(rank[items], kind="stable")]
    asked = once[residue.items]
    owner = np.repeat(np.arange(residue.options.size), np.diff(residue.starts))[asked]
    orders, states = narrow_by_rows(items.size, owner, np.cumsum(once)[residue.items[asked]] - 1)
    return items[orders[int(np.argmin(states))]]


def _fields(
    problem: Problem, residue: Residue, sizes: Long, end: int
) -> tuple[dict[int, Field], int]:
    """The items that are more than a bit: ranges that bind, and colours; and where their bits end.

    The bits begin at `end`; no field lies across two words.
    """
    wanted: list[tuple[int, int, int, tuple[int, ...]]] = []
    for item in range(problem.primary):
        need, room, size = int(residue.need[item]), int(residue.room[item]), int(sizes[item])
        if room > 1 and (need > 0 or room < size):
            most = max(1, min(room, size))
            wanted.append((item, most.bit_length(), most, ()))
    coloured = residue.colours != 0
    for item in np.unique(residue.items[coloured]).tolist():
        colours = tuple(np.unique(residue.colours[coloured & (residue.items == item)]).tolist())
        wanted.append((item, (len(colours) + 1).bit_length(), 0, colours))
    made: dict[int, Field] = {}
    for item, width, most, colours in wanted:
        if end % 64 + width > 64:
            end += 64 - end % 64
        made[item] = Field(end // 64, end % 64, (1 << width) - 1, most, colours)
        end += width
    return made, end


def _classes(masks: Bits, fields: Bits, field_starts: Long, rows: Rows) -> dict[str, Any]:
    """The interchangeable items: if two of a class are swapped, the options are the same.

    rows  the options of each item that is covered once

    The classes as they are in `States`.
    """
    words, (starts, options) = masks.shape[1], rows
    whole_rows = np.hstack([masks, _kinds(fields, field_starts)])
    groups: dict[object, list[list[int]]] = {}
    found: list[list[int]] = []
    for item, (begin, end) in enumerate(pairwise(starts.tolist())):
        mine, one = options[begin:end], bits_of(np.array([item]), words)
        near = np.bitwise_or.reduce(masks[mine], axis=0)
        # Two that can be swapped have the same neighbours, with or without themselves.
        keys = [(some.tobytes(), mine.size) for some in (near | one, near & ~one)]
        alike: list[int] | None = None
        for other in chain.from_iterable(groups.get(key, ()) for key in keys):
            at = other[0]
            if _can_swap(whole_rows, item, mine, at, options[starts[at] : starts[at + 1]]):
                alike = other
                break
        if alike is None:
            alike = []
            found.append(alike)
            for key in keys:
                groups.setdefault(key, []).append(alike)
        alike.append(item)
    found = [one for one in found if len(one) > 1]
    firsts = [one[:many] for one in found for many in range(len(one) + 1)]
    begins = np.cumsum([0, *(len(one) + 1 for one in found)])
    masks_of = [bits_of(np.array(one, np.int64), words) for one in (*found, *firsts)]
    every = np.array(masks_of, np.uint64).reshape(-1, words)
    masks, prefixes = every[: len(found)], every[len(found) :]
    return {"class_masks": masks, "class_starts": begins[:-1], "prefixes": prefixes}


def _kinds(fields: Bits, field_starts: Index | Long) -> Bits:
    """A number for each option, equal for those of the same effects on fields: [options, 1]."""
    effects = [fields[a:b].tobytes() for a, b in pairwise(field_starts.tolist())]
    number = {one: place for place, one in enumerate(dict.fromkeys(effects))}
    return np.array([number[one] for one in effects], np.uint64).reshape(-1, 1)


def _can_swap(rows: Bits, one: int, of_one: Long, other: int, of_other: Long) -> bool:
    """Whether the options stay the same if two items are swapped."""
    apart = []
    for item, its, without in ((one, of_one, other), (other, of_other, one)):
        left = rows[its]
        left = left[(left[:, without >> 6] >> np.uint64(without & 63)) & np.uint64(1) == 0]
        left[:, item >> 6] &= ~(np.uint64(1) << np.uint64(item & 63))
        apart.append(left[np.lexsort(left.T)])
    return np.array_equal(*apart)


class MemoSearch:
    """A count under way; all that changes while it runs is in its arrays."""

    def __init__(
        self,
        problem: Problem,
        layout: Layout | None,
        how: Branching,
        node: Node,
        cut: int | None = None,
    ) -> None:
        self._states = States.of(problem, layout, how, node)
        self._work = Frames.of(self._states)
        self.table = Remembered.of(FIRST_SLOTS, self._states.root.size, 1)
        self._memory = int(how.settings.get("memory", MEMORY)) << 20
        self._full = self._done = False
        self._before = 0, 0  # the states and the solutions of earlier slices
        self._patience = how.settings.get("patience")

    @property
    def states(self) -> int:
        """How many different states the table holds."""
        return int(self.table.taken.sum())

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Count on for about `steps` fits, see `Search.advance`; it never lists solutions."""
        if keep:
            raise CapabilityError("memo counts solutions and lists none; dlx lists them")
        del capacity
        while not self._done:
            with np.errstate(over="ignore"):
                status = kernel.explore(
                    steps, int(self._full), self._states, self.table, self._work
                )
            if status == kernel.GROW:
                self._grow()
            elif status == kernel.WIDEN:
                self._widen()
            elif status == kernel.ROOM:
                live = self._work.live
                self._work = self._work._replace(live=np.append(live, np.zeros_like(live)))
            else:
                self._done = status == kernel.DONE
                break
        states, found = int(self._work.registers[kernel.STATES]), self._found()
        (before, known), self._before = self._before, (states, found)
        reason = Status.DONE if self._done else Status.BUDGET
        return Slice(reason, found=found - known, fits=states - before)

    def _found(self) -> int:
        """The solutions below the finished branches of the root."""
        work = self._work
        if self._done:
            return whole(work.value)
        if work.registers[kernel.LEVEL] and work.stack[1, kernel.OWNER] == 0:
            return 0  # the root is a product that is not complete
        return whole(work.counts[0])

    def where(self) -> Where:
        """Where the count is."""
        frames = self._work.stack[: int(self._work.registers[kernel.LEVEL]) + 1]
        begun = frames[:-1][frames[:-1, kernel.END] > 0]
        position = [
            (max(0, at - begin - 1), max(1, end - begin))
            for at, begin, end in begun[:, [kernel.AT, kernel.BEGIN, kernel.END]].tolist()
        ]
        progress = 1.0 if self._done else searched_share(position)[0]
        return Where(progress, position)

    def _grow(self) -> None:
        """Give the table twice the room; if that exceeds its memory, let it forget states.

        Raises `TooLarge` with the setting `patience`, if few states are met again: the others cost
        more than in a plain search.
        """
        self._check_patience()
        table = self.table
        if 3 * table.bytes > self._memory:  # the old one stays until the new one is filled
            self._full = True
            return
        self.table = Remembered.of(2 * table.taken.size, table.keys.shape[1], table.counts.shape[1])
        kernel.move(table, self.table)

    def _check_patience(self) -> None:
        """Raise `TooLarge` if the count is to be given up."""
        states, work = self.states, self._work.registers
        if self._patience is None or not PATIENCE < states <= 4 * PATIENCE:
            return
        met = self._patience != "parts" and work[kernel.HITS] >= AGAIN * states
        if not met and work[kernel.SPLITS] < APART * work[kernel.TESTS]:
            raise TooLarge("states that seldom fall apart", states, self._memory)

    def _widen(self) -> None:
        """Give every count one more word, the highest."""
        self.table = self.table._replace(counts=_widened(self.table.counts))
        work = self._work
        counts, value, spare = (_widened(one) for one in (work.counts, work.value, work.spare))
        self._work = work._replace(counts=counts, value=value, spare=spare)


def _widened(counts: Bits) -> Bits:
    return np.append(counts, np.zeros_like(counts[..., :1]), axis=-1)


backend = Backend(
    "memo",
    "counts by remembering states and splitting them: where many choices leave the same",
    Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=HEURISTICS,
        lists_solutions=False,
        settings=SETTINGS,
    ),
    lambda problem, layout, how: partial(MemoSearch, problem, layout, how),
)


# -- the diagram of all states ---------------------------------------------------------------------

EDGES = 1 << 14
"""The number of edges made between two checks for Ctrl-C."""


def diagram(problem: Problem, layout: Layout | None, how: Branching) -> Diagram:
    """All solutions below a root as one diagram, with products where a state falls apart.

    Only a count takes states for one if their items are interchangeable: here they are different
    nodes, since their solutions have different options. Raises `TooLarge` if it does not fit, and
    `CapabilityError` as a count does.
    """
    how = checked(backend, problem, layout, how)
    memory = Memory.by(how.settings, ADVICE)
    memory.what = STATES
    states = States.of(problem, layout, how, how.root)
    work, room = Frames.of(states), EDGES + max(states.n_items, states.first.size)

    def edges(_: int, keys: Bits) -> Iterator[Unfolded]:
        begin = 0
        while begin < len(keys):
            owner, label = np.empty(room, np.int64), np.empty(room, np.int32)
            below = np.empty((room, keys.shape[1]), np.uint64)
            with np.errstate(over="ignore"):
                begin, made = kernel.unfold(begin, keys, states, work, owner, label, below)
            option = np.where(label[:made] < 0, PART, states.options[label[:made]]).astype(np.int64)
            left = np.bitwise_count(~below[:made] & states.asked).sum(axis=1).astype(np.int64)
            yield owner[:made], option, below[:made], states.n_items - left

    def complete(keys: Bits) -> Flags:
        fine = np.ones(len(keys), bool)
        kernel.completes(keys, states.least, fine)
        return fine

    return draw_up(states.root, states.n_items, edges, complete, memory, how.root.chosen)
