"""The engine `fila` and its searches: the position, and the way back from images to options."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from exactcover.backends.arrays import Index, Long, bits_of, numbers_of
from exactcover.backends.base import (
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
)
from exactcover.backends.matrix_search import KernelSearch
from exactcover.backends.node import Node
from exactcover.base import LazyModule
from exactcover.problem import Layout, Problem

if TYPE_CHECKING:
    from exactcover.backends.fila import kernel
else:
    kernel = LazyModule("exactcover.backends.fila.kernel")


NEVER = -1 << 60
"""Fewer pieces than ever remain."""

MOST_BYTES = 1 << 26
"""The lists that an opening keeps may take this much."""

MOST_BITS = 1024
"""With more items than this, word sets may be wide enough only once some cells are filled."""


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
        stages = self._tables.stages.reshape(-1, 4)
        plain = not stages[:, [kernel.RULE, kernel.STAGE]].any()
        plain &= not tally and cut is None
        self._tally = None if plain else np.zeros((board.remain + 1, 2), np.int64)
        self._counting = 1 if prepared.counting else None
        self._frame = 1 + words + kind_words
        self._frame += (0 if plain else 1) + (4 * words if self._counting else 0)
        self._stack = np.zeros(self._frame * (self._longest + 1), np.uint64)
        self._top = np.zeros(kernel.HEAD + 5 * words + 2 * kind_words, np.uint64)
        self._top[kernel.REMAIN] = remain
        self._top[kernel.SCAN] = 1 << 63
        self._avail_at = kernel.HEAD + words
        self._top[kernel.HEAD : self._avail_at] = np.bitwise_or.reduce(
            prepared.masks[placed], axis=0, initial=0
        )
        self._top[self._avail_at : self._avail_at + kind_words] = bits_of(
            np.flatnonzero(room > 0), kind_words
        )
        if prepared.blocked is not None:
            self._top[-4 * words :] = prepared.blocked_by(placed)
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
        """Where the search is; the images of a node count equally."""
        *above, last = self._states() or [TriedImages(0, 1, 0)]
        position = [(state.tried - 1, state.images) for state in above]
        behind, share = searched_share(position)
        share /= last.images
        return Where(
            progress=1.0 if self._done else min(behind + share * last.tried, 1.0),
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
        states = self._states()
        for level in range(int(self._registers[kernel.FLOOR]), len(states)):
            if states[level - 1].tried == states[level - 1].images:
                continue
            waiting, tries = self._untried(level)
            self._registers[kernel.FLOOR] = level + 1
            self._registers[kernel.TRIES] += tries
            self._registers[kernel.FITS] += waiting.size
            if self._tally is not None:
                self._tally[states[level - 1].remain] += tries, waiting.size
            if waiting.size:
                share = searched_share((0, state.images) for state in states[:level])[1]
                placed = np.concatenate([self._placed, self._images()[: level - 1]])
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

    def _states(self) -> list[TriedImages]:
        """The progress of each node on the stack, root first, the current one last."""
        top = self._top.tolist()
        words, kind_words = self._prepared.words, self._prepared.kind_words
        level, floor = self._registers[[kernel.LEVEL, kernel.FLOOR]].tolist()
        if level == 0:
            return []
        avail = numbers_of(top[self._avail_at : self._avail_at + kind_words])
        rest = numbers_of(top[self._avail_at + kind_words : self._avail_at + 2 * kind_words])
        remain = int(self._top[kernel.REMAIN].astype(np.int64))
        waiting = top[kernel.END] - top[kernel.AT]
        states = [self._tried_at(top[kernel.ROW], waiting, avail, rest, remain)]
        for frame in self._stack.reshape(-1, self._frame)[level - 1 : 0 : -1].tolist():
            kind, *rest = numbers_of(frame[1 + words : 1 + words + kind_words])
            avail = sorted({*avail, kind})
            remain += kind != self._tables.hole
            row, at = frame[0] >> 32, frame[0] & 0xFFFFFFFF
            waiting = int(self._tables.rows[row + 2 * kind_words + kind + 1]) - at
            states.append(self._tried_at(row, waiting, avail, rest, remain))
        states.reverse()
        given_back = [state._replace(images=state.tried) for state in states[: floor - 1]]
        return given_back + states[floor - 1 :]

    def _tried_at(
        self, row: int, waiting: int, avail: list[int], rest: list[int], remain: int
    ) -> TriedImages:
        """A node whose lists are those of a row; some images of one list wait."""
        begin = row + 2 * self._prepared.kind_words
        lists = self._tables.rows[begin : begin + self._tables.kinds + 1].astype(np.int64)
        lengths = np.diff(lists)
        images = int(lengths[avail].sum())
        return TriedImages(images - int(lengths[rest].sum()) - waiting, images, max(0, remain))


class TriedImages(NamedTuple):
    """The images of a node: how many were tried, and how many there are that it has not given back.

    remain  how many pieces remained at the node
    """

    tried: int
    images: int
    remain: int


class FilaBackend:
    """The engine: its capabilities, and how it is prepared."""

    name = "fila"
    summary = "fixed image lists (Busche's FILA): the fast engine for tilings"
    capabilities = Capabilities(
        features=frozenset({"secondary", "copies"}),
        heuristics=HEURISTICS,
        cuts=True,
        orders=True,
        phases=True,
        settings=SETTINGS,
    )

    def prepare(self, problem: Problem, layout: Layout | None, how: Branching) -> Begin:
        """A function that begins searches of nodes; they compile the kernel if necessary."""
        return FilaLists(problem, layout, how).begin


class FilaLists:
    """The lists of a root below which many searches begin.

    The lists are trimmed for each first option chosen below the root, and all searches that choose
    more share them. Those of the latest first options are kept: a search goes through them in
    order, a sampler does not. Tables are made anew if sets of cells then take fewer words.
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
            prepared = FilaRoot.of(self._problem, self._layout, self._how, node)
            placed = np.zeros(0, np.int64)
        return FilaSearch(prepared, node, cut, placed, tally=self._how.tally)

    def _prepared_for(self, chosen: tuple[int, ...]) -> FilaRoot:
        """The tables that all nodes that begin with these options share."""
        known = self._kept.pop(chosen, None)
        prepared = self._kept[chosen] = known or self._made(chosen)
        if known is None:  # those above and of this option stay, whatever they take
            size = sum(one.size for one in self._kept.values())
            while len(self._kept) > 2 and size > MOST_BYTES:
                size -= self._kept.pop(next(iter(self._kept))).size
        return prepared

    def _made(self, chosen: tuple[int, ...]) -> FilaRoot:
        root = self._how.root
        node = root._replace(chosen=chosen)
        if chosen != root.chosen and self._problem.n_items <= MOST_BITS:
            above = self._prepared_for(root.chosen)
            placed = above.placed(node)
            if placed is not None and not above.is_wide_beside(placed):
                return above.trimmed(placed)
        return FilaRoot.of(self._problem, self._layout, self._how, node)


backend = FilaBackend()
