"""The search loop of the `dlx` engine: Knuth's algorithms X, C and M on dancing cells.

The exact-cover matrix is kept as sparse sets instead of linked lists. The nodes of each item, one
for every option that has it, lie side by side in `cells`; those before the item's `mark` belong to
options that may still be chosen. Hiding a node lowers the mark and swaps the node behind it.
Raising the mark again brings back any number of hidden nodes. So nothing is unlinked, and undoing
takes no walk through the matrix: a trail keeps the marks of the active items.

The invariants, true between any two steps:

- `cells[first[i] : first[i + 1]]` are the nodes of item `i` in some order, those before `mark[i]`
  its set; `place` is the inverse permutation: `cells[place[n]] == n`.
- `active[:live]` are the primary items that still want options, `active[primary:wide]` the
  secondary items that may yet be covered, both in some order; `where` is the inverse permutation.
- An option in the set of an active item has no inactive item. A secondary item whose colour is
  settled stays active, with the options in its set that give it this colour.
- `floor[i]` is the least value of the mark of a primary item while the item is active: with fewer
  options than it needs there is no solution. So `mark - floor + 1` is the number of branches of
  algorithm M; for an item that is covered exactly once it is the number of options.
- While an item that takes one more option is branched on, no node of its set moves.

One source makes several kernels. A plain search pays nothing for colours, multiplicities, phases,
cuts and tallies: its argument `general` is None, the code that would read it is compiled away, and
the rest is Algorithm X. Triggers are a `watch`. `choose` is a heuristic that a user wrote; they all
have the same type, so the kernel that takes one is compiled once for all of them.

D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1. The step labels C1..C8
and M1..M9 in the comments are those of algorithms C and M there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import Bits, Flags, Index, Long, Reals
from exactcover.backends.bits import lowest
from exactcover.backends.heuristics.base import State
from exactcover.base.compiled import kernel, kernel_part

Counts = npt.NDArray[np.int32]

# Why `dance` came back.
BUDGET, FULL, DONE, FAILED = range(4)

# What it does next.
ENTER, RETREAT = range(2)

# The registers: the state that must survive between two calls, beside the arrays.
LEVEL, PHASE, LIVE, WIDE, TRAIL_END, FITS, FOUND, HELD, REGISTERS = range(9)

# The fields of a stack frame.
ITEM, NODE, BRANCH, BRANCHES, SHARED, LIVE_AT, WIDE_AT, TRAIL_AT, FRAME = range(9)

U0, U1 = np.uint32(0), np.uint32(1)
NO_COLOUR = np.uint32(0xFFFFFFFF)
W0, W1 = np.uint64(0), np.uint64(1)


LAST = np.int64(1) << 62
"""More than the number of any item, with its branches."""


class DlxState(NamedTuple):
    """The whole state of a search, but for what only some searches have.

    clamp              scores from here on count as equal: with 2, the item of least number is
                       taken, after items without an option and items with a single one
    primary, longest   how many items are primary; the most nodes of a solution
    begin_of, end_of   [nodes]       the nodes of a node's option: begin_of .. end_of - 1
    item_of, colour    [nodes]
    first              [items + 1]   cells, place: [nodes], mark, floor, active, where: [items]
    need               [primary]     how many more options an item needs
    saved              [items]       the mark of each active item when the deepest level with
                                     more than one branch was entered
    trail              [nodes + 1, 2]  items with their previous `saved`; no longer than this, since
                       each entry stands for nodes hidden on the way down
    stack              [levels, FRAME]
    registers          [REGISTERS]
    """

    clamp: int
    primary: int
    longest: int
    begin_of: Index
    end_of: Index
    item_of: Index
    colour: Index
    first: Index
    cells: Index
    place: Index
    mark: Index
    floor: Index
    active: Index
    where: Index
    need: Counts
    saved: Index
    trail: Index
    stack: Long
    registers: Long


class DlxRating(NamedTuple):
    """The data that a user's heuristic reads, see `State`, for phases in which it rates the cells.

    rates       [phases]  1 where it rates
    cell_item   [cells], shape_item  [shapes]: their items; a shape without one has -1 and keeps its
                number in `left`
    """

    rates: Long
    open: Flags
    fits: Long
    left: Long
    positions: Reals
    near_starts: Long
    near: Long
    arguments: Reals
    cell_item: Long
    shape_item: Long


class DlxWatch(NamedTuple):
    """The running numbers of the triggers, see `watch.Watch`, and the tables that they come from.

    option_of  [nodes]            the row in `steps` of a node's option
    steps      [options, 2 + 2t]  what an option adds to them
    ledger     [levels, 2 + 2t]   the pieces that remain, then index and slack of each table, then
                                  the row in the table of volumes
    down_to    [tables]           a table is looked at while at least this many pieces remain
    shortfall  [entries]          the tables, end to end
    parts_down_to                 the same for the parts of the open cells
    least                         no trigger looks with fewer pieces than this
    cell_of    [items]            the number of an item's cell, or -1
    near, optional, open          bits of cells: [cells, words], [words], [levels, words]
    work       [2, words]
    """

    option_of: Index
    steps: Long
    ledger: Long
    down_to: Long
    shortfall: Counts
    parts_down_to: int
    least: int
    cell_of: Counts
    near: Bits
    optional: Bits
    open: Bits
    work: Bits


class DlxGeneral(NamedTuple):
    """The data that a plain search does without: it covers each primary item once, has no colours,
    and branches in one way down to its solutions.

    room    [primary]        how many more options an item can take
    settled [items]          1 + the level at which the item's colour was settled, or 0
    places  [nodes]          1 where choosing the node's option places a piece, else 0
    left    [levels + 1]     the pieces left at each level
    cut                      a state with this many pieces left is handed out
    tally   [pieces + 1]     options chosen
    phase   [pieces + 1]     the phase in force
    clamps  [phases]         its clamp, see `DlxState`
    ranks   [phases, items]  its order of items, the same for items that tie
    """

    room: Counts
    settled: Index
    places: Long
    left: Long
    cut: int
    tally: Long
    phase: Long
    clamps: Long
    ranks: Long


class DlxTables(NamedTuple):
    """The nodes of the options that are left, as `DlxState` has them, and whose they are.

    options  [options]      the options left, in the order in which they are tried
    starts   [options + 1]  where their nodes begin
    owner    [nodes]        the number of a node's option in `options`
    """

    options: Counts
    starts: Index
    owner: Index
    item_of: Index
    colour: Index
    first: Index
    cells: Index
    place: Index


@kernel
def fill_tables(
    starts: Counts, entries: Counts, colours: Counts, primary: int, order: Counts, chosen: Counts,
    room: Counts, settled: Counts, out: DlxTables,
) -> int:  # fmt: skip
    """Fill tables with the options in `order` that fit beside the chosen ones; return how many.

    room     [items]  how many more options each item can take; the chosen ones are subtracted here
    settled  [items]  zeros; filled with the colours that the chosen ones give. An item that is
                      settled is left out

    Within an option, items with few options come first: hiding them finds dead ends soonest.
    """
    item_of, colour, first = out.item_of, out.colour, out.first
    for number in range(chosen.size):
        for at in range(starts[chosen[number]], starts[chosen[number] + 1]):
            room[entries[at]] -= 1
            settled[entries[at]] = colours[at]

    many = node = 0
    for number in range(order.size):
        option = order[number]
        begin, fits, has_primary = node, True, False
        for at in range(starts[option], starts[option + 1]):
            item = entries[at]
            has_primary |= item < primary
            if room[item] > 0:
                item_of[node], colour[node], out.owner[node] = item, colours[at], many
                node += 1
            else:
                fits &= colours[at] != 0 and colours[at] == settled[item]
        if not (fits and has_primary):
            node = begin
            continue
        for at in range(begin, node):
            first[item_of[at] + U1] += U1
        out.options[many] = option
        many += 1
        out.starts[many] = node

    for row in range(many):
        begin = out.starts[row]
        for at in range(begin + 1, out.starts[row + 1]):
            item, its, to = item_of[at], colour[at], at
            while to > begin and first[item_of[to - 1] + U1] > first[item + U1]:
                item_of[to], colour[to] = item_of[to - 1], colour[to - 1]
                to -= 1
            item_of[to], colour[to] = item, its

    for item in range(first.size - 1):
        first[item + 1] += first[item]
    for at in range(node):  # which moves where each item begins to where it ends
        there = first[item_of[at]]
        first[item_of[at]] += U1
        out.cells[there], out.place[at] = at, there
    for item in range(first.size - 1, 0, -1):
        first[item] = first[item - 1]
    first[0] = U0
    return many


@kernel_part
def _hide_option(node: np.uint32, live: int, state: DlxState) -> bool:
    """Take all nodes of an option out of their sets; False if an active item misses an option.

    Used where the option's items stay active, see `_hide_set` for the loop that counts.
    """
    alive = True
    for other in range(state.begin_of[node], state.end_of[node]):
        item = state.item_of[other]
        there = np.uint32(state.mark[item] - U1)
        state.mark[item] = there
        here, last = state.place[other], state.cells[there]
        state.cells[there], state.cells[here] = np.uint32(other), last
        state.place[other], state.place[last] = there, here
        if there < state.floor[item] and state.where[item] < live:
            alive = False
    return alive


@kernel_part
def _hide_set(
    item: np.uint32, wanted: np.uint32, live: int, state: DlxState, general: DlxGeneral | None
) -> bool:
    """Hide the options in an item's set from their other items: "cover", or with a colour "purify".

    Options that give the item the colour `wanted` stay. False, and broken off, as soon as one of
    the primary items `active[:live]` is left with fewer options than it needs.

    It goes through the set from its end, so an option's node in this same set is swapped with
    itself and needs no special case. The mark of a covered item is put back at the end.
    """
    begin, end = state.first[item], state.mark[item]
    alive = True
    at = end
    while at > begin:
        at = np.uint32(at - U1)
        node = state.cells[at]
        if general is not None:  # noqa: SIM102  (decided when it is compiled)
            if wanted != NO_COLOUR and state.colour[node] == wanted:
                continue
        other, stop = state.begin_of[node], state.end_of[node]
        while other < stop:
            its = state.item_of[other]
            there = np.uint32(state.mark[its] - U1)
            state.mark[its] = there
            here, last = state.place[other], state.cells[there]
            state.cells[there], state.cells[here] = other, last
            state.place[other], state.place[last] = there, here
            other = np.uint32(other + U1)
            if there < state.floor[its] and state.where[its] < live:
                alive = False
                at, other = begin, stop
    if wanted == NO_COLOUR:
        state.mark[item] = end
    return alive


@kernel_part
def _deactivate(item: np.uint32, last: int, state: DlxState) -> None:
    """Swap an active item to place `last`, the last one of its part of the list."""
    here, other = state.where[item], state.active[last]
    state.active[last], state.active[here] = item, other
    state.where[item], state.where[other] = np.uint32(last), here


@kernel_part
def _follow(node: np.int64, level: int, state: DlxState, watch: DlxWatch) -> bool:
    """Make a level's row from the row above; whether any trigger looks at it. Node -1: no option.

    Rows that no trigger looks at are not made: no trigger looks at a row below them either.
    """
    ledger, is_open, above = watch.ledger, watch.open, level - 1
    option = np.int64(-1) if node < 0 else np.int64(watch.option_of[node])
    ledger[level, 0] = ledger[above, 0] + (0 if node < 0 else watch.steps[option, 0])
    looked_at = ledger[level, 0] >= watch.least
    if looked_at:
        for at in range(1, ledger.shape[1]):
            ledger[level, at] = ledger[above, at] + (0 if node < 0 else watch.steps[option, at])
        for word in range(is_open.shape[1]):
            is_open[level, word] = is_open[above, word]
        if node >= 0 and is_open.shape[1] > 0:
            for other in range(state.begin_of[node], state.end_of[node]):
                cell = watch.cell_of[state.item_of[other]]
                if cell >= 0:
                    is_open[level, cell >> 6] &= ~(W1 << np.uint64(cell & 63))
    return bool(looked_at)


@kernel_part
def _parts_can_be_filled(level: int, row: int, watch: DlxWatch) -> bool:
    """Flood the open cells, part by part, and look up whether the pieces left can fill each.

    work[0] has the open cells not reached yet, work[1] those reached but not expanded yet.
    """
    work, words = watch.work, watch.work.shape[1]
    for at in range(words):
        work[0, at] = watch.open[level, at]
        work[1, at] = W0
    fine = True
    start = 0
    while fine and start < words:
        if work[0, start] == W0:
            start += 1
            continue
        bit = (~work[0, start] + W1) & work[0, start]
        work[0, start] ^= bit
        work[1, start] = bit
        size, spare = 0, 0
        more = True
        while more:
            more = False
            for at in range(words):
                while work[1, at] != W0:
                    bit = (~work[1, at] + W1) & work[1, at]
                    work[1, at] ^= bit
                    size += 1
                    if watch.optional[at] & bit:
                        spare += 1
                    cell = 64 * at + lowest(bit)
                    for word in range(words):
                        reached = watch.near[cell, word] & work[0, word]
                        work[0, word] ^= reached
                        work[1, word] |= reached
                        more |= word < at and reached != W0
        fine = bool(watch.shortfall[row + size] <= spare)
    return fine


@kernel
def can_be_completed(level: int, watch: DlxWatch) -> bool:
    """Whether no trigger shows that a level cannot be completed."""
    ledger, fine = watch.ledger, True
    for table in range(watch.down_to.size):
        if ledger[level, 0] >= watch.down_to[table]:
            entry, slack = ledger[level, 1 + 2 * table], ledger[level, 2 + 2 * table]
            if watch.shortfall[entry] > slack:
                fine = False
    if fine and ledger[level, 0] >= watch.parts_down_to:
        fine = _parts_can_be_filled(level, ledger[level, ledger.shape[1] - 1], watch)
    return fine


@kernel_part
def _branches(item: np.uint32, state: DlxState) -> np.int64:
    """The branches of an item; less than one: it has too few options."""
    return np.int64(state.mark[item]) - np.int64(state.floor[item]) + 1


@kernel_part
def _fewest(live: int, state: DlxState) -> np.int64:
    """The active item with the fewest branches, below them in one number; ties: the lowest one."""
    best = LAST
    for at in range(live):
        item = state.active[at]
        score = min(_branches(item, state), np.int64(state.clamp))
        best = min(best, (score << 32) + np.int64(item))
    return best


@kernel_part
def _first(live: int, level: int, state: DlxState, general: DlxGeneral) -> np.int64:
    """The same in the order of the phase, behind dead ends and single branches."""
    rule = general.phase[general.left[level]]
    clamp, ranks = general.clamps[rule], general.ranks
    best = smallest = LAST
    for at in range(live):
        item = state.active[at]
        score = _branches(item, state)
        key = (min(score, clamp) << 32) + ranks[rule, np.int64(item)]
        tie = (score << 32) + np.int64(item)
        if key < smallest or (key == smallest and tie < best):
            smallest, best = key, tie
    return best


@kernel_part
def _rated(
    live: int, level: int, choose: Callable[[State], int], rating: DlxRating, state: DlxState,
    general: DlxGeneral,
) -> np.int64:  # fmt: skip
    """The item of the cell that a user's heuristic chooses; -1: it failed, -2: no cell is open."""
    some_open = False
    for cell in range(rating.cell_item.size):
        item = rating.cell_item[cell]
        is_open = state.where[item] < live
        rating.open[cell] = is_open
        some_open = some_open or is_open
        fitting = np.int64(state.mark[item]) - np.int64(state.first[item])
        rating.fits[cell] = fitting if is_open else 0
    for shape in range(rating.shape_item.size):
        item = rating.shape_item[shape]
        if item >= 0:
            rating.left[shape] = np.int64(state.where[item] < live) * np.int64(general.room[item])
    chosen = np.int64(-2)
    if some_open:
        cell = choose(
            State(
                rating.open, rating.fits, rating.left, general.left[level], rating.positions,
                rating.near_starts, rating.near, rating.arguments,
            )
        )  # fmt: skip
        chosen = rating.cell_item[cell] if cell >= 0 else np.int64(-1)
    return chosen


@kernel_part
def _save(begin: int, end: int, trail_end: np.int64, state: DlxState) -> np.int64:
    """Save the marks of some active items; the end of the trail."""
    for at in range(begin, end):
        item = state.active[at]
        state.trail[trail_end, 0], state.trail[trail_end, 1] = item, state.saved[item]
        trail_end += state.mark[item] != state.saved[item]
        state.saved[item] = state.mark[item]
    return trail_end


@kernel_part
def _need(item: np.uint32, more: int, state: DlxState, general: DlxGeneral) -> None:
    """Add to the number of options that an item needs, and can take."""
    state.need[item] += more
    general.room[item] += more
    state.floor[item] = state.first[item] + np.uint32(max(state.need[item], 0))


@kernel
def dance(
    steps: int, keep: bool, capacity: int, state: DlxState, general: DlxGeneral | None,
    watch: DlxWatch | None, choose: Callable[[State], int] | None, rating: DlxRating | None,
    out_starts: Long, out_nodes: Index,
) -> int:  # fmt: skip
    """Go on for about `steps` choices; the arrays hold the whole state.

    general  what a plain search does without, or None
    watch    the triggers, or None; they need `general`
    choose   a user's heuristic, compiled: from a `State` to the cell to fill; None: there is none,
             and `rating` is None too

    Solutions go to `out_nodes`, one node for each option in the order of choice; the search goes
    on only while there is room for the longest one. A step is a choice, or as much other work.
    """
    primary, begin_of, end_of = state.primary, state.begin_of, state.end_of
    item_of, colour, first, cells = state.item_of, state.colour, state.first, state.cells
    mark, active, saved, trail = state.mark, state.active, state.saved, state.trail
    stack, registers = state.stack, state.registers
    nothing_live = registers[LEVEL] * 0  # of one type with `live`, so one function is compiled
    level, phase = registers[LEVEL], registers[PHASE]
    live, wide = registers[LIVE], registers[WIDE]
    trail_end = registers[TRAIL_END]
    fits, found = registers[FITS], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET
    if general is not None:
        room, settled, left = general.room, general.settled, general.left

    while steps > 0:
        if phase == ENTER:
            whole = live == 0  # C2: every item is covered
            if general is not None:
                whole = whole or left[level] <= general.cut
            if whole:
                phase = RETREAT
                found += 1
                if keep:
                    for above in range(level):
                        if stack[above, NODE] >= 0:
                            out_nodes[filled] = stack[above, NODE]
                            filled += 1
                    held += 1
                    out_starts[held] = filled
                    if held == capacity or out_nodes.size - filled < state.longest:
                        status = FULL
                        break
                continue

            # C3, M3: the item to branch on
            steps -= live >> 6
            if general is None:
                best = _fewest(live, state)
            else:
                best = _first(live, level, state, general)
                if choose is not None and rating is not None:  # noqa: SIM102
                    if rating.rates[general.phase[left[level]]] != 0 and best >> 32 >= 2:
                        steps -= rating.cell_item.size >> 3
                        rated = _rated(live, level, choose, rating, state, general)
                        if rated == -1:
                            status = FAILED
                            break
                        if rated >= 0:
                            best = rated
            item = np.uint32(best & 0xFFFFFFFF)
            branches = _branches(item, state)
            if branches <= 0:
                phase = RETREAT
                continue
            shared = False
            if general is not None:
                shared = room[item] > 1
            if not shared:  # C4: its options are hidden once, for all of its branches
                steps -= int(mark[item] - first[item]) >> 5
                live -= 1
                _deactivate(item, live, state)
                _hide_set(item, NO_COLOUR, nothing_live, state, general)
            branch = np.int64(0)
            stack[level, ITEM], stack[level, SHARED] = item, shared
            stack[level, BRANCH], stack[level, BRANCHES] = branch, branches
            stack[level, LIVE_AT], stack[level, WIDE_AT] = live, wide
            stack[level, TRAIL_AT] = trail_end
        else:
            if level == 0:  # C8
                status = DONE
                break
            level -= 1
            item = np.uint32(stack[level, ITEM])
            branch, branches = stack[level, BRANCH] + 1, stack[level, BRANCHES]
            shared = stack[level, SHARED] != 0
            live, wide = stack[level, LIVE_AT], stack[level, WIDE_AT]

            # C6, M7: undo the effects of the option other than hiding
            if general is not None:
                chosen = stack[level, NODE]
                if chosen >= 0:
                    for other in range(begin_of[chosen], end_of[chosen]):
                        its = item_of[other]
                        if its >= primary:
                            if settled[its] == level + 1:
                                settled[its] = 0
                        elif other != chosen or shared:
                            _need(its, 1, state, general)

            if branch < branches:
                stack[level, BRANCH] = branch
                steps -= live >> 6
                for at in range(live):
                    mark[active[at]] = saved[active[at]]
                for at in range(primary, wide):
                    mark[active[at]] = saved[active[at]]
            if branch == branches or shared:
                while trail_end > stack[level, TRAIL_AT]:
                    trail_end -= 1
                    saved[trail[trail_end, 0]] = trail[trail_end, 1]
            if branch == branches:
                continue
            # M5: the branches to come exclude the option just done with, so that a set # of options
            # is found once, and not in every order of choosing it
            if shared and not _hide_option(np.uint32(stack[level, NODE]), live, state):
                continue

        if (branch == 0 or shared) and branch + 1 < branches:
            trail_end = _save(0, live, trail_end, state)
            trail_end = _save(primary, wide, trail_end, state)

        # C5, M5: try the next option of the item
        steps -= 1
        if general is not None:
            # M6: or take no more of them, once the item has what it needs
            options = np.int64(mark[item] - first[item])
            if branch == options if not shared else options == 0:
                stack[level, NODE] = -1
                level += 1
                phase = ENTER
                left[level] = left[level - 1]
                if watch is not None:
                    _follow(np.int64(-1), level, state, watch)
                if shared:
                    live -= 1
                    _deactivate(item, live, state)
                continue
        node = cells[first[item] + np.uint32(0 if shared else branch)]
        stack[level, NODE] = node
        level += 1
        fits += 1
        if general is not None:
            general.tally[left[level - 1]] += 1
            left[level] = max(left[level - 1] - general.places[node], 0)
        done = np.int64(-1) if shared else np.int64(node)
        for other in range(begin_of[node], end_of[node]):
            its = item_of[other]
            if other == done:
                continue
            if its < primary:
                if general is not None:
                    _need(its, -1, state, general)
                    if room[its] > 0:
                        continue
                live -= 1
                _deactivate(its, live, state)
            else:
                if general is not None:  # noqa: SIM102
                    if colour[other] != 0:
                        if settled[its] == 0:
                            settled[its] = level
                        continue
                wide -= 1
                _deactivate(its, wide, state)
        alive = True
        if watch is not None:  # noqa: SIM102
            if _follow(np.int64(node), level, state, watch):
                steps -= watch.near.shape[0] >> 6
                alive = can_be_completed(level, watch)
        if shared and alive:
            alive = _hide_option(node, live, state)
        for other in range(begin_of[node], end_of[node]):
            if other == done or not alive:
                continue
            its = item_of[other]
            wanted = NO_COLOUR
            if general is not None:
                if its < primary and room[its] > 0:
                    continue
                if colour[other] != 0:
                    if settled[its] != level:
                        continue
                    wanted = colour[other]
            steps -= int(mark[its] - first[its]) >> 5
            alive = _hide_set(its, wanted, live, state, general)
        phase = ENTER if alive else RETREAT

    registers[LEVEL], registers[PHASE] = level, phase
    registers[LIVE], registers[WIDE] = live, wide
    registers[TRAIL_END] = trail_end
    registers[FITS], registers[FOUND], registers[HELD] = fits, found, held
    return status
