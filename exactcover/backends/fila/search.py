"""A search by fila: from a task to tables and phases, and the way back from images to options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Batch, Capabilities, Phase, Search, Status, Task
from exactcover.backends.fila.board import Board
from exactcover.errors import CapabilityError, StrategyError, UnknownName
from exactcover.heuristics.orders import fixed_order, is_fixed_order

if TYPE_CHECKING:
    from exactcover.backends.fila.kernel import Copies, Tables
    from exactcover.backends.fila.tables import Lists
    from exactcover.layout import Layout
    from exactcover.problem import Problem

Long = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

HEURISTICS = ("f", "e", "s")

NEAR = 6
"""So many cells near a cell are looked at where nothing else is asked for, in a fixed order."""

MOST_ADJACENT = 8
"""So many of its neighbours are looked at, at most."""

MOST_NEAR = 10

PLANES = 15
"""So many blocked neighbours of a cell are counted at most."""

BUFFER = 1 << 18
"""Solutions are handed out when they have filled about so many option numbers."""

SETTINGS = {
    "nof": "the cells looked at near a cell: a number, 0 for none, or `adjacent`",
    "words": "at least so many 64-bit words for the cells",
}


@dataclass(frozen=True)
class Rule:
    """A phase, read: how cells are chosen while no more than so many pieces remain.

    order          int64 [cells]: the cells in a fixed order; None: chosen by `heuristic`
    most_near, only_adjacent: see `tables.make_lists`
    """

    heuristic: str
    remaining: int | None
    order: Long | None
    most_near: int
    only_adjacent: bool


class FilaSearch:
    """A search under way; all that changes while it runs is in its arrays."""

    def __init__(
        self, problem: Problem, layout: Layout | None, task: Task, *, by_remaining: bool = False
    ) -> None:
        from exactcover.backends.fila import kernel
        from exactcover.backends.fila.tables import words_for

        board = Board.of(problem, layout, task)
        phases = task.phases or (Phase(task.heuristic, None, task.settings),)
        rules = [_rule(phase, board, layout) for phase in phases]
        _check_descent(rules)
        # The bits stand in the order of the last fixed order: the first open cell is the lowest.
        last = [rule.order for rule in rules if rule.order is not None]
        numbering = last[-1] if last else _fixed("f", board, layout)
        board = board.numbered(numbering)
        ranks = [_rank(rule, numbering) for rule in rules]

        least_words = max((int(phase.settings.get("words", 1)) for phase in phases), default=1)
        words = max(words_for(board.n_bits), words_for(64 * least_words))
        kind_words = words_for(board.room.size)
        self._tables = _tables(board, layout, rules, ranks, words)
        single = bool((board.room == 1).all())
        self._copies: Copies | None = (
            None if single else kernel.Copies(board.room.copy(), board.room - board.need)
        )
        self._most_left = board.room - board.need
        self._planes = 1 if any(rule.heuristic == "e" for rule in rules) else None
        self._words = _empty(words), _empty(kind_words)
        self._option = board.option
        self._chosen = np.array(task.chosen, np.int32)
        self._longest = board.n_cells + 1  # images, or levels
        self._remain = board.remain
        self._tally = np.zeros((board.remain + 1, 2), np.int64) if by_remaining else None
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._ordered = 1 if self._tables.order.size else None
        self._frame = 1 + words + kind_words
        self._frame += (1 if self._ordered else 0) + (4 * words if self._planes else 0)
        self._stack = np.zeros(self._frame * (self._longest + 1), np.uint64)
        self._top = np.zeros(kernel.HEAD + 5 * words + 2 * kind_words, np.uint64)
        self._top[kernel.REMAIN] = board.remain
        self._top[kernel.SCAN] = 1 << 63
        self._avail_at = kernel.HEAD + words
        self._top[self._avail_at : self._avail_at + kind_words] = _bits(
            np.flatnonzero(board.room > 0), kind_words
        )
        if self._planes:
            self._top[-4 * words :] = _blocked(board, layout, words)
        self._done = board.hopeless

    @property
    def _kernel(self) -> Any:
        """The compiled part; not an attribute, so that a search can be pickled."""
        from exactcover.backends.fila import kernel

        return kernel

    @property
    def fits(self) -> int:
        """Images placed so far; a cell that was left empty by choice counts as one."""
        return int(self._registers[self._kernel.FITS])

    @property
    def nofits(self) -> int:
        """Images tried so far that did not fit."""
        kernel = self._kernel
        waiting = sum(state.waiting for state in self._states())
        return int(self._registers[kernel.TRIES]) - self.fits - waiting

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return int(self._registers[self._kernel.FOUND])

    @property
    def by_remaining(self) -> dict[int, tuple[int, int]]:
        """Images tried, and of these placed, by the number of remaining pieces, where asked for."""
        if self._tally is None:
            return {}
        counts = self._tally.tolist()
        return {remain: (tried, placed) for remain, (tried, placed) in enumerate(counts) if tried}

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search on for about `steps` choices, see `Search.advance`."""
        if capacity < 1:
            raise ValueError(f"a batch must have room for a solution, not for {capacity}")
        kernel = self._kernel
        room = min(capacity * self._longest, max(BUFFER, self._longest)) if keep else 0
        starts = np.zeros(capacity + 1 if keep else 1, np.int64)
        images = np.empty(room, np.uint32)
        status = kernel.DONE
        self._registers[kernel.HELD] = 0
        if not self._done:
            with np.errstate(over="ignore"):
                status = kernel.fill(
                    steps, keep, capacity, self._longest, *self._words, self._tables, self._copies,
                    self._ordered, self._planes, self._tally, self._top, self._stack,
                    self._registers, starts, images,
                )  # fmt: skip
            self._done = status == kernel.DONE
        held = int(self._registers[kernel.HELD])
        options = self._option[self._tables.image_of[images[: starts[held]]]]
        reason = (Status.BUDGET, Status.FULL, Status.DONE)[status]
        return Batch(reason, *_solutions(starts[: held + 1], options, self._chosen))

    def progress(self) -> float:
        """How much of the tree is behind it, taking the images of a node as equals."""
        if self._done:
            return 1.0
        behind, share = 0.0, 1.0
        *above, last = self._states() or [Progress(0, 1, 0)]
        for state in above:
            share /= state.images
            behind += share * (state.tried - 1)
        return min(behind + share * last.tried / last.images, 1.0)

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which image of how many is placed at each level."""
        return [(state.tried - 1, state.images) for state in self._states()[:-1]]

    def _states(self) -> list[Progress]:
        """How far each node on the stack has come, root first, the one under way last."""
        kernel, top = self._kernel, self._top.tolist()
        words, kind_words = self._tables.branch.size, self._tables.must.size
        level = int(self._registers[kernel.LEVEL])
        if level == 0:
            return []
        avail = _numbers(top[self._avail_at : self._avail_at + kind_words])
        rest = _numbers(top[self._avail_at + kind_words : self._avail_at + 2 * kind_words])
        states = [self._state(top[kernel.ROW], top[kernel.AT], top[kernel.END], avail, rest)]
        for frame in self._stack.reshape(-1, self._frame)[level - 1 : 0 : -1].tolist():
            kind, *rest = _numbers(frame[1 + words : 1 + words + kind_words])
            avail = sorted({*avail, kind})
            row, at = frame[0] >> 32, frame[0] & 0xFFFFFFFF
            end = int(self._tables.rows[row + 2 * kind_words + kind + 1])
            states.append(self._state(row, at, end, avail, rest))
        return states[::-1]

    def _state(self, row: int, at: int, end: int, avail: list[int], rest: list[int]) -> Progress:
        begin = row + 2 * self._tables.must.size
        lists = self._tables.rows[begin : begin + self._tables.kinds + 1].astype(np.int64)
        lengths = np.diff(lists)
        images = int(lengths[avail].sum())
        return Progress(images - int(lengths[rest].sum()) - (end - at), images, end - at)


@dataclass(frozen=True)
class Progress:
    """How many images of a node have been tried, of how many, and how many wait in the list."""

    tried: int
    images: int
    waiting: int


# -- phases ---------------------------------------------------------------------------------------


def _rule(phase: Phase, board: Board, layout: Layout | None) -> Rule:
    """A phase, with its order and its settings read; raises what tells the user what is wrong."""
    name = phase.heuristic
    if name not in HEURISTICS and not is_fixed_order(name):
        raise UnknownName("heuristic of fila", name, (*HEURISTICS, "x", "R", "l@a,b,c", "a@angle"))
    for setting in phase.settings:
        if setting not in SETTINGS:
            raise CapabilityError(f"fila has no setting {setting!r}; it has {', '.join(SETTINGS)}")
    order = None if name in ("e", "s") else _fixed(name, board, layout)
    most_near, only_adjacent = _near(phase.settings.get("nof", ""), order is not None)
    return Rule(name, phase.remaining, order, most_near, only_adjacent)


def _near(text: str, fixed: bool) -> tuple[int, bool]:
    """How many cells near a cell are looked at, and whether only those that share a side."""
    if text == "adjacent" or (not text and not fixed):
        return MOST_ADJACENT, True
    if not text:
        return NEAR, False
    if not text.isdecimal() or int(text) > MOST_NEAR:
        raise StrategyError(f"nof={text}: it is adjacent, or a number of cells up to {MOST_NEAR}")
    return int(text), not fixed


def _check_descent(rules: Sequence[Rule]) -> None:
    """Each phase must begin where fewer pieces remain than in the one before."""
    for before, after in pairwise(rules):
        late = after.remaining is not None and after.remaining < (before.remaining or 1 << 30)
        if not late:
            raise StrategyError(
                f"the phase {after.heuristic} must begin where fewer pieces remain than the phase "
                f"{before.heuristic} before it"
            )


def _fixed(name: str, board: Board, layout: Layout | None) -> Long:
    """The cells of the board in a fixed order; those that lie nowhere come last."""
    nowhere = board.place < 0
    if layout is None:
        if name != "f":
            raise CapabilityError(f"{name!r} orders cells, and the problem has none; f, s, e do")
        return np.arange(board.n_cells)
    rank = np.empty(layout.n_cells, np.int64)
    rank[fixed_order(name, layout.positions)] = np.arange(layout.n_cells)
    return np.lexsort((rank[board.place], nowhere)).astype(np.int64)


def _rank(rule: Rule, numbering: Long) -> Long | None:
    """The place of each cell in the order of a rule, cells numbered by another order."""
    if rule.order is None:
        return None
    rank = np.empty(numbering.size, np.int64)
    rank[rule.order] = np.arange(numbering.size)
    return rank[numbering]


# -- tables ---------------------------------------------------------------------------------------


def _tables(
    board: Board,
    layout: Layout | None,
    rules: Sequence[Rule],
    ranks: Sequence[Long | None],
    words: int,
) -> Tables:
    """The tables of all phases, one after the other."""
    from exactcover.backends.fila import kernel
    from exactcover.backends.fila.tables import Images, make_lists, masks_of

    near = _neighbours(board, layout)
    images = Images(board.n_cells, board.n_bits, *board.rows(), board.kind, board.room.size, near)
    masks = masks_of(images, words)
    parts: list[Lists] = []
    orders: list[Long] = []
    stages = np.zeros((board.remain + 1, 4), np.uint64)
    rows = entries = 0
    head = 2 * words_of(board.room.size)
    for number, (rule, rank) in enumerate(zip(rules, ranks, strict=True)):
        part = make_lists(images, words, rank, rule.most_near, rule.only_adjacent)
        part.cells[:, -1] += np.uint64(rows)
        part.rows[:, head:] += np.uint32(entries)
        rows += len(part.rows)
        entries += part.image_of.size
        how = {"e": kernel.ESTIMATE, "s": kernel.SIZE}.get(rule.heuristic, kernel.FIRST)
        order_at = 0
        if rank is not None and (np.diff(rank) != 1).any():
            how = kernel.ORDERED
            order_at = sum(order.size for order in orders)
            orders.append(np.argsort(rank))
        begin = board.remain if rule.remaining is None else min(rule.remaining, board.remain)
        if number == 0:
            begin = board.remain
        stages[: begin + 1] = how, number * board.n_cells, order_at, number
        parts.append(part)
    estimates = np.flatnonzero(stages[:, kernel.RULE] == kernel.ESTIMATE)
    image_of = np.concatenate([part.image_of for part in parts])
    must = _bits(np.flatnonzero(board.need), words_of(board.room.size))
    return kernel.Tables(
        branch=_bits(np.arange(board.n_cells), words),
        must=must if (board.room == 1).all() else np.zeros_like(must),
        stages=stages.ravel(),
        counted=int(estimates.min(initial=1 << 30)),
        hole=board.hole,
        kinds=board.room.size,
        cells=np.concatenate([part.cells.ravel() for part in parts]),
        order=np.concatenate([np.zeros(0, np.int64), *orders]).astype(np.uint64),
        rows=np.concatenate([part.rows.ravel() for part in parts]),
        masks=masks[image_of].ravel(),
        image_of=image_of,
        planes=_image_planes(board, near, words) if estimates.size else np.zeros(0, np.uint64),
    )


def words_of(bits: int) -> int:
    from exactcover.backends.fila.tables import words_for

    return words_for(bits)


def _neighbours(board: Board, layout: Layout | None) -> tuple[Long, Long]:
    """The cells of the board that share a side with each, compressed rows."""
    n_cells = board.n_cells
    if layout is None:
        return np.zeros(n_cells + 1, np.int64), np.zeros(0, np.int64)
    number = np.full(layout.n_cells + 1, -1, np.int64)
    number[board.place] = np.where(board.place >= 0, np.arange(n_cells), -1)
    number[-1] = -1
    starts, others = layout.adjacent
    owner = number[np.repeat(np.arange(layout.n_cells), np.diff(starts))]
    other = number[others]
    wanted = (owner >= 0) & (other >= 0)
    owner, other = owner[wanted], other[wanted]
    order = np.lexsort((other, owner))
    counts = np.bincount(owner, minlength=n_cells)
    return np.concatenate([[0], np.cumsum(counts)]), other[order]


def _image_planes(board: Board, near: tuple[Long, Long], words: int) -> Bits:
    """How many neighbours of each cell each image blocks, as bit-planes [images, 4, words]."""
    starts, others = near
    n_images = board.kind.size
    cells = board.bits < board.n_cells
    bits, owner = board.bits[cells], board.owner[cells]
    lengths = np.diff(starts)[bits]
    owner = np.repeat(owner, lengths)
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    reached = others[np.repeat(starts[bits], lengths) + inside]
    pairs, counts = np.unique(owner * board.n_bits + reached, return_counts=True)
    return _planes(pairs // board.n_bits, pairs % board.n_bits, counts, n_images, words).ravel()


def _blocked(board: Board, layout: Layout | None, words: int) -> Bits:
    """How many neighbours of each cell are blocked at the start, as bit-planes [4, words]."""
    open_ = np.diff(_neighbours(board, layout)[0])
    blocked = open_.max(initial=0) - open_
    numbers = np.arange(board.n_cells)
    return _planes(np.zeros_like(numbers), numbers, blocked, 1, words).ravel()


def _planes(owner: Long, bits: Long, counts: Long, many: int, words: int) -> Bits:
    """Counts of bits as bit-planes: uint64 [many, 4, words]."""
    planes = np.zeros((many, 4, words), np.uint64)
    one = np.uint64(1) << (bits % 64).astype(np.uint64)
    counts = counts.clip(0, PLANES)
    for plane in range(4):
        some = (counts >> plane & 1) > 0
        np.bitwise_or.at(planes[:, plane], (owner[some], bits[some] // 64), one[some])
    return planes


# -- bits and rows --------------------------------------------------------------------------------


def _empty(words: int) -> Any:
    """An empty word set of so many words."""
    return np.uint64(0) if words == 1 else (np.uint64(0),) * words


def _bits(numbers: Long, words: int) -> Bits:
    """Numbers as the bits of so many words."""
    out = np.zeros(words, np.uint64)
    np.bitwise_or.at(out, numbers // 64, np.uint64(1) << (numbers % 64).astype(np.uint64))
    return out


def _numbers(words: Sequence[int]) -> list[int]:
    """The numbers of the bits that are set."""
    return [64 * at + bit for at, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def _solutions(
    starts: Long, options: Long, chosen: npt.NDArray[np.int32]
) -> tuple[Long, npt.NDArray[np.int32]]:
    """Rows of option numbers, -1 left out, the chosen ones added, each ascending."""
    rows = starts.size - 1
    row_of = np.repeat(np.arange(rows), np.diff(starts))[options >= 0]
    options = options[options >= 0]
    keys = np.concatenate([row_of, np.repeat(np.arange(rows), chosen.size)]) << 32
    keys |= np.concatenate([options, np.tile(chosen, rows)])
    keys.sort()
    counts = np.bincount(row_of, minlength=rows) + chosen.size
    return np.concatenate([[0], np.cumsum(counts)]), (keys & 0xFFFFFFFF).astype(np.int32)


class FilaBackend:
    """The backend: what it can do, and how a search of it starts."""

    name = "fila"
    summary = "fixed image lists (Busche's FILA): the fast engine for tilings"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        orders=True,
        settings=("nof", "words"),
    )

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names; compiles the kernel where it must."""
        return FilaSearch(problem, layout, task)
