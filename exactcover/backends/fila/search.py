"""The engine `fila` and its searches: the position, and the way back from images to options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from exactcover.backends.arrays import Index, Long, bits_of, numbers_of
from exactcover.backends.base import (
    Backend,
    Begin,
    Branching,
    Capabilities,
    Tally,
    Tried,
    Where,
    searched_share,
)
from exactcover.backends.fila.prepared import (
    HEURISTICS,
    SETTINGS,
    FilaRoot,
    empty_words,
    fixed_orders,
)
from exactcover.backends.matrix_search import KernelSearch
from exactcover.backends.node import Node
from exactcover.base import LazyModule
from exactcover.errors import CapabilityError
from exactcover.problem import Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends.fila import kernel
else:
    kernel = LazyModule("exactcover.backends.fila.kernel")


NEVER = -1 << 60
"""Fewer pieces than ever remain."""

MOST_BYTES = 1 << 26
"""The lists that a root keeps may take this much."""


class FilaSearch(KernelSearch):
    """A search under way, of a node below a prepared one; all that changes is in its arrays."""

    _kernel = kernel

    def __init__(
        self, prepared: FilaRoot, node: Node, cut: int | None, placed: Long, *, tally: bool
    ) -> None:
        """Begin with these images placed: int64, the images of the node's options."""
        board, words, kind_words = prepared.board, prepared.words, prepared.kind_words
        self._prepared, self._node, self._placed = prepared, node, placed
        self._cut, self._tallies = cut, tally
        self._tables = prepared.tables
        used = np.bincount(board.kind[placed], minlength=board.room.size)
        room, need = board.room - used, (board.need - used).clip(0)
        single = bool((board.room == 1).all())
        self._copies: kernel.Copies | None = (
            None if single else kernel.Copies(room.copy(), room - need)
        )
        self._words = empty_words(words), empty_words(kind_words)
        self._chosen = np.array(node.chosen, np.int32)
        self._longest = board.n_cells + 1  # images, or levels
        remain = self._pieces_left(placed)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._registers[kernel.FLOOR] = 1
        stages = self._tables.stages.reshape(-1, 2)
        plain = not (stages.any() or tally or cut is not None)
        self._tally = None if plain else np.zeros((board.remain + 1, 2), np.int64)
        self._counting = 1 if stages[:, kernel.RULE].any() else None
        self._frame = 1 + words + kind_words + (4 * words if self._counting else 0)
        self._stack = np.zeros(self._frame * (self._longest + 1), np.uint64)
        self._top = np.zeros(kernel.HEAD + 5 * words + 2 * kind_words, np.uint64)
        self._top[kernel.REMAIN] = remain
        occupied = np.bitwise_or.reduce(prepared.masks[placed], axis=0, initial=0)
        sets = np.concatenate([occupied, bits_of(np.flatnonzero(room > 0), kind_words)])
        self._top[kernel.HEAD : kernel.HEAD + sets.size] = sets
        if prepared.blocked is not None:
            self._top[-4 * words :] = prepared.blocked_by(placed).ravel()
        self._done = board.hopeless

    def _figures(self) -> tuple[int, int, Tally]:
        figures = [kernel.FITS, kernel.TRIES]
        fits, tries = self._registers[figures].tolist()
        self._registers[figures] = 0
        tally: Tally = {}
        if self._tallies and self._tally is not None:
            rows = enumerate(self._tally.tolist())
            tally = {remain: Tried(tried, fit) for remain, (tried, fit) in rows if tried}
            self._tally[:] = 0
        return fits, tries - fits, tally

    def where(self) -> Where:
        """Where the search is; the images in the lists of a cell count equally."""
        *above, (tried, images) = self._branches() or [(0, 1)]
        position = [(number - 1, many) for number, many in above]
        behind, share = searched_share(position)
        share /= images
        return Where(
            progress=1.0 if self._done else min(behind + share * tried, 1.0),
            position=position,
            chosen=self._chosen_with(self._images()),
            share=share,
        )

    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        tally = (
            None
            if self._tally is None
            else kernel.Tally(self._tally, NEVER if self._cut is None else self._cut)
        )
        arrays = kernel.FilaState(self._top, self._stack, self._registers, self._longest)
        with np.errstate(over="ignore"):
            status: int = kernel.fill(
                steps, keep, capacity, *self._words, self._tables, self._copies, tally,
                self._counting, arrays, starts, numbers,
            )  # fmt: skip
        return status

    def _options_of(self, numbers: Index) -> Long:
        return self._prepared.board.option[self._tables.image_of[numbers]]

    # -- where it stands ----------------------------------------------------------------------

    def _chosen_with(self, images: Long) -> tuple[int, ...]:
        """The options of the node, then those of images placed below it."""
        options = self._prepared.board.option[images]
        return (*self._node.chosen, *options[options >= 0].tolist())

    def _state(self) -> Node:
        """The node of the state handed out last.

        Branches that fill a cell fill it with different images. Branches that place the last copy
        of a piece place it at different places. So no solution is below two branches, and all
        options that fit beside the images on the stack are allowed, including those tried before.
        """
        return self._below(np.concatenate([self._placed, self._images()]))

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun of the highest node that has any, see `_state`."""
        if self._done:
            return []
        branches = self._branches()
        for level in range(int(self._registers[kernel.FLOOR]), len(branches)):
            waiting, tries = self._untried(level)
            if not tries:
                continue
            placed = np.concatenate([self._placed, self._images()[: level - 1]])
            self._registers[kernel.FLOOR] = level + 1
            self._registers[kernel.TRIES] += tries
            self._registers[kernel.FITS] += waiting.size
            if self._tally is not None:
                self._tally[self._pieces_left(placed)] += tries, waiting.size
            if waiting.size:
                share = searched_share((0, images) for _, images in branches[:level])[1]
                return [self._below(np.append(placed, image), share) for image in waiting.tolist()]
        return []

    def _untried(self, level: int) -> tuple[Long, int]:
        """The images not tried at a level that fit there, and how many are not tried."""
        tables, words, kind_words = self._tables, self._prepared.words, self._prepared.kind_words
        frame = self._stack.reshape(-1, self._frame)[level]
        begin = int(frame[0] >> np.uint64(32)) + 2 * kind_words
        kind, *others = numbers_of(frame[1 + words : 1 + words + kind_words].tolist())
        at = int(frame[0] & np.uint64(0xFFFFFFFF))
        lists = [np.arange(at, tables.rows[begin + kind + 1])]
        for other in others:
            lists.append(np.arange(*tables.rows[begin + other : begin + other + 2]))
        places = np.concatenate(lists)
        masks = tables.masks.reshape(-1, words)[places]
        fit = ~(masks & frame[1 : 1 + words]).any(axis=1)
        return tables.image_of[places[fit]].astype(np.int64), places.size

    def _below(self, images: Long, share: float = 1.0) -> Node:
        """The node below these images."""
        chosen = self._chosen_with(images[self._placed.size :])
        return Node(chosen, self._prepared.allowed(images), self._pieces_left(images), share)

    def _pieces_left(self, images: Long) -> int:
        """The pieces left once these images are placed."""
        board = self._prepared.board
        return max(0, board.remain - int((board.kind[images] != board.hole).sum()))

    def _images(self) -> Long:
        """The images that are placed, in the order of choice, without the node's.

        The last one is there until the search goes on, also where it led to a dead end at once.
        """
        level = int(self._registers[kernel.LEVEL])
        places = self._stack.reshape(-1, self._frame)[1:level, 0] & np.uint64(0xFFFFFFFF)
        tried = self._top[kernel.AT]
        if level and tried and not self._done:  # no node was entered below the last one placed
            places = np.append(places, tried)
        return self._tables.image_of[places.astype(np.int64) - 1].astype(np.int64)

    def _branches(self) -> list[tuple[int, int]]:
        """How many images of its lists each node on the stack has behind it, and how many in all.

        The root comes first, the current node last. A node that gave back has all behind it.
        """
        level, floor = self._registers[[kernel.LEVEL, kernel.FLOOR]].tolist()
        if level == 0:
            return []
        rows, head = self._tables.rows, 2 * self._prepared.kind_words
        above = self._stack.reshape(-1, self._frame)[1:level, 0]
        row = np.append(above >> np.uint64(32), self._top[kernel.ROW]).astype(np.int64) + head
        at = np.append(above & np.uint64(0xFFFFFFFF), self._top[kernel.AT]).astype(np.int64)
        first, last = rows[row].astype(np.int64), rows[row + self._tables.kinds].astype(np.int64)
        behind, images = np.where(at > 0, at - first, 0), last - first
        images[: floor - 1] = behind[: floor - 1]
        return list(zip(behind.tolist(), images.tolist(), strict=True))


def _prepared(problem: Problem, layout: Layout | None, how: Branching) -> Begin:
    """A function that begins searches of nodes; they compile the kernel if necessary."""
    if len(orders := sorted(name for name, _ in fixed_orders(how.phases))) > 1:
        raise CapabilityError(
            f"fila fills cells in one fixed order, not in {' and '.join(orders)}; dlx can "
            "change it on the way"
        )
    return FilaLists(problem, layout, how).begin


class FilaLists:
    """The lists of a root below which many searches begin.

    The lists are made for each first option chosen below the root, and all searches that choose
    more share them: making them takes milliseconds, and starting a search in them a hundredth of
    that. Those of the latest first options are kept: a search goes through them in order, a
    sampler does not.
    """

    def __init__(self, problem: Problem, layout: Layout | None, how: Branching) -> None:
        self._problem, self._layout, self._how = problem, layout, how
        self._kept: dict[tuple[int, ...], FilaRoot] = {}  # by the options chosen, latest last

    def begin(self, node: Node, cut: int | None = None) -> FilaSearch:
        """A search of a node below the root."""
        shared = len(self._how.root.chosen) + (not self._how.first)
        prepared = self._prepared_for(node.chosen[:shared])
        placed = prepared.placed(node)
        if placed is None:
            prepared = self._made(node)
            placed = np.zeros(0, np.int64)
        return FilaSearch(prepared, node, cut, placed, tally=self._how.tally)

    def _prepared_for(self, chosen: tuple[int, ...]) -> FilaRoot:
        """The tables that all nodes that begin with these options share."""
        if (known := self._kept.pop(chosen, None)) is None:
            known = self._made(self._how.root._replace(chosen=chosen))
            size = known.size + sum(one.size for one in self._kept.values())
            while self._kept and size > MOST_BYTES:
                size -= self._kept.pop(next(iter(self._kept))).size
        self._kept[chosen] = known
        return known

    def _made(self, node: Node) -> FilaRoot:
        return FilaRoot.of(self._problem, self._layout, self._how, node)


backend = Backend(
    "fila",
    "fixed image lists (Busche's FILA): the fast engine for tilings",
    Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        cuts=True,
        orders=True,
        phases=True,
        settings=SETTINGS,
    ),
    _prepared,
)
