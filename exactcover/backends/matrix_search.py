"""The common part of searches with a kernel, and of all searches of an exact-cover matrix.

A kernel keeps its state in arrays, hands out solutions as compressed rows of numbers, and can be
called again where it stopped. `KernelSearch` makes slices of them. `MatrixSearch` is for kernels
that keep a stack of frames; it also reports, and hands branches over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from exactcover.backends.arrays import Index, Long
from exactcover.backends.base import (
    NO_OPTIONS,
    NO_STARTS,
    Slice,
    Status,
    Tally,
    Tried,
    Where,
    check_capacity,
    searched_share,
)
from exactcover.backends.node import Node, Residue
from exactcover.problem import IntArray, Problem
from exactcover.problem.layout import Layout, pieces_left

BUFFER = 1 << 18
"""Solutions are handed out when they hold about this many option numbers."""

NO_CUT = -1
"""Fewer pieces than can be left."""


class KernelSearch(ABC):
    """A search under way; all that changes while it runs is in its arrays.

    A subclass sets these and says how its kernel is called.

    _kernel     the module of the kernel
    _chosen     int32, the options of the node
    _longest    the most numbers of a solution
    _registers  int64 [REGISTERS]
    _done       the whole tree has been searched
    _cut        the pieces left at the states that it hands out; None: it is not cut
    """

    _kernel: Any
    _chosen: IntArray
    _longest: int
    _registers: Long
    _done: bool
    _cut: int | None = None

    @abstractmethod
    def _run(self, steps: int, keep: bool, capacity: int, starts: Long, numbers: Index) -> int:
        """Call the kernel; return why it came back."""

    @abstractmethod
    def _options_of(self, numbers: Index) -> IntArray | Long:
        """The options that the numbers of solutions stand for; -1: none."""

    @abstractmethod
    def _figures(self) -> tuple[int, int, Tally]:
        """The fits and no-fits since it was last called, also by the number of pieces left."""

    def _state(self) -> Node | None:
        """The node of the state handed out last, of a search that is cut."""
        return None

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for about `steps` fits, see `Search.advance`."""
        check_capacity(capacity)
        room = min(capacity * self._longest, max(BUFFER, self._longest)) if keep else 0
        starts = np.zeros(capacity + 1 if keep else 1, np.int64)
        numbers = np.empty(room, np.uint32)
        kernel = self._kernel
        status = kernel.DONE
        self._registers[kernel.HELD] = 0
        if not self._done:
            status = self._run(steps, keep, capacity, starts, numbers)
            self._done = status == kernel.DONE
        held = int(self._registers[kernel.HELD])
        rows, state = (NO_STARTS, NO_OPTIONS), None
        if held:
            options = self._options_of(numbers[: starts[held]])
            rows = sorted_rows(starts[: held + 1], options, self._chosen)
            state = None if self._cut is None else self._state()
        found = int(self._registers[kernel.FOUND])
        self._registers[kernel.FOUND] = 0
        fits, nofits, tally = self._figures()
        outcome = (Status.BUDGET, Status.FULL, Status.DONE)[status]
        return Slice(outcome, *rows, found, fits, nofits, tally, state)


class MatrixSearch(KernelSearch):
    """A search whose kernel keeps a stack of frames.

    A subclass sets these besides.

    _problem, _layout  what is searched
    _node       the subtree that is searched
    _option_of  int32 [nodes], the option that each node of a solution stands for
    _stack      int64 [levels, FRAME]
    _tally      int64 [pieces + 1]: options chosen, by the number of pieces left; None: not counted
    _tallies    whether the tally is wanted
    """

    _problem: Problem
    _layout: Layout | None
    _node: Node
    _option_of: IntArray
    _stack: Long
    _tally: Long | None
    _tallies: bool

    def _options_of(self, numbers: Index) -> IntArray:
        options: IntArray = self._option_of[numbers]
        return options

    @abstractmethod
    def _untried(self, level: int) -> IntArray | None:
        """The options of the branches not begun at a level.

        None: the nodes below them cannot be written by the options chosen alone.
        """

    @abstractmethod
    def _selectable(self) -> IntArray:
        """The options that can still be chosen at the state handed out last."""

    def _figures(self) -> tuple[int, int, Tally]:
        """Options that do not fit are hidden, so none is tried."""
        tally: Tally = {}
        if self._tallies and self._tally is not None:
            counts = enumerate(self._tally.tolist())
            tally = {left: Tried(many, many) for left, many in counts if many}
            self._tally[:] = 0
        fits = int(self._registers[self._kernel.FITS])
        self._registers[self._kernel.FITS] = 0
        return fits, 0, tally

    def where(self) -> Where:
        """Where the search is."""
        kernel = self._kernel
        branch, branches = self._frames()
        position = list(zip(branch.tolist(), branches.tolist(), strict=True))
        behind, share = searched_share(position)
        progress = behind + share * float(self._registers[kernel.PHASE] == kernel.RETREAT)
        return Where(
            progress=1.0 if self._done else min(progress, 1.0),
            position=position,
            chosen=self._placed(),
            share=share,
        )

    def _placed(self) -> tuple[int, ...]:
        """The options on the stack, in the order of choice, after those of the node."""
        kernel = self._kernel
        nodes = self._stack[: self._registers[kernel.LEVEL], kernel.NODE]
        return (*self._node.chosen, *self._option_of[nodes[nodes >= 0]].tolist())

    def _state(self) -> Node:
        """With the options that are not hidden."""
        allowed = np.zeros(self._problem.n_options, bool)
        allowed[self._selectable()] = True
        return Node(self._placed(), allowed)

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun of the highest node that has any.

        Each item of a frame is covered by different options in different branches, so the branches
        have no solution in common.
        """
        if self._done:
            return []
        kernel = self._kernel
        branch, branches = self._frames()
        waiting = np.flatnonzero(branch + 1 < branches)
        if not waiting.size:
            return []
        level = int(waiting[0])
        options = self._untried(level)
        if options is None:
            return []
        above = self._option_of[self._stack[:level, kernel.NODE]].tolist()
        chosen = (*self._node.chosen, *above)
        share = float(np.prod(1.0 / branches[: level + 1]))
        self._stack[level, kernel.BRANCHES] = branch[level] + 1
        self._registers[kernel.FITS] += options.size
        if self._tally is not None:
            self._tally[pieces_left(self._problem, self._layout, chosen)] += options.size
        nodes = (self._below((*chosen, option), share) for option in options.tolist())
        return [node for node in nodes if node is not None]

    def _below(self, chosen: tuple[int, ...], share: float) -> Node | None:
        """The node below these options, with the options that do not conflict with them.

        None: an item has too few of them. The search would see that before it goes there, or hands
        it over to another engine.
        """
        residue = Residue.of(self._problem, Node(chosen, self._node.allowed))
        primary = self._problem.primary
        if (np.bincount(residue.items, minlength=primary)[:primary] < residue.need).any():
            return None
        allowed = np.zeros(self._problem.n_options, bool)
        allowed[residue.options] = True
        return Node(chosen, allowed, pieces_left(self._problem, self._layout, chosen), share)

    def _frames(self) -> tuple[Long, Long]:
        """The number of the branch being searched, and of all branches, at each level."""
        kernel = self._kernel
        stack = self._stack[: self._registers[kernel.LEVEL]]
        return stack[:, kernel.BRANCH], stack[:, kernel.BRANCHES]


def sorted_rows(starts: Long, options: IntArray | Long, chosen: IntArray) -> tuple[Long, IntArray]:
    """Rows of option numbers, -1 left out, each with the chosen options added and ascending."""
    rows = starts.size - 1
    row_of = np.repeat(np.arange(rows), np.diff(starts))[options >= 0]
    options = options[options >= 0]
    counts = np.bincount(row_of, minlength=rows) + chosen.size
    ends = np.concatenate([[0], np.cumsum(counts)])
    if rows and (counts == counts[0]).all():  # a table is sorted six times as fast
        table = np.empty((rows, counts[0]), np.int32)
        table[:, : chosen.size] = chosen
        table[:, chosen.size :] = options.reshape(rows, -1)
        table.sort(axis=1)
        return ends, table.reshape(-1)
    keys = np.concatenate([row_of, np.repeat(np.arange(rows), chosen.size)]) << 32
    keys |= np.concatenate([options, np.tile(chosen, rows)])
    keys.sort()
    return ends, (keys & 0xFFFFFFFF).astype(np.int32)


def places(options: IntArray, layout: Layout | None) -> Long:
    """Whether choosing each option places a piece, 1 or 0: int64 [options]."""
    if layout is None:
        return np.ones(options.size, np.int64)
    return (layout.option_shape[options] >= 0).astype(np.int64)


def pieces_by_level(problem: Problem, layout: Layout | None, node: Node, levels: int) -> Long:
    """Room for the pieces left at each level of a search, the first entry filled in."""
    left = np.zeros(levels, np.int64)
    left[0] = pieces_left(problem, layout, node.chosen) if node.left is None else node.left
    return left
