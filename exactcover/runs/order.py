"""The order in which the solutions of several searches are handed out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from exactcover.backends.base import Batch


class Order(Protocol):
    """What becomes of solutions that searches of several subtrees find, side by side.

    held  how many solutions wait until those before them are known
    """

    held: int

    def first(self, waiting: Sequence[Hashable]) -> int:
        """Which of the subtrees that wait, the largest first, is searched next."""

    def split(self, subtree: Hashable, parts: Sequence[Hashable]) -> None:
        """Note that a subtree was split: the parts come after what is left of it."""

    def add(self, subtree: Hashable, batch: Batch) -> list[Batch]:
        """The solutions that can be handed out once these are found."""

    def finish(self, subtree: Hashable) -> list[Batch]:
        """The solutions that can be handed out once a subtree is done."""

    def is_next(self, subtree: Hashable) -> bool:
        """Whether solutions of this subtree are handed out at once."""

    def drop(self) -> int:
        """Forget the solutions that wait; return how many they are."""


class AsFound:
    """Solutions are handed out as they are found."""

    held = 0

    def first(self, waiting: Sequence[Hashable]) -> int:
        """The largest one."""
        return 0

    def split(self, subtree: Hashable, parts: Sequence[Hashable]) -> None:
        """Nothing depends on it."""

    def add(self, subtree: Hashable, batch: Batch) -> list[Batch]:
        """All of them."""
        return [batch]

    def finish(self, subtree: Hashable) -> list[Batch]:
        """Nothing waits."""
        return []

    def is_next(self, subtree: Hashable) -> bool:
        """Always."""
        return True

    def drop(self) -> int:
        """Nothing waits."""
        return 0


class AsOneWould:
    """Solutions are handed out in the order in which one search of the whole tree finds them.

    A search hands back branches of its highest node, which come after all that it still does. So
    the subtrees in their order are a list, and the parts are inserted after the subtree that they
    come from.
    """

    def __init__(self, whole: Hashable) -> None:
        self._subtrees = [whole]
        self._found: dict[Hashable, list[Batch]] = {whole: []}
        self._done: set[Hashable] = set()
        self.held = 0

    def first(self, waiting: Sequence[Hashable]) -> int:
        """The first one in the tree."""
        return min(range(len(waiting)), key=lambda at: self._subtrees.index(waiting[at]))

    def split(self, subtree: Hashable, parts: Sequence[Hashable]) -> None:
        """Insert the parts after what is left of the subtree."""
        at = self._subtrees.index(subtree) + 1
        self._subtrees[at:at] = parts
        self._found |= {part: [] for part in parts}

    def add(self, subtree: Hashable, batch: Batch) -> list[Batch]:
        """The batch, if it is of the first subtree; else it waits."""
        if self.is_next(subtree):
            return [batch]
        self._found[subtree].append(batch)
        self.held += len(batch)
        return []

    def finish(self, subtree: Hashable) -> list[Batch]:
        """The solutions of the subtrees that come to the front."""
        self._done.add(subtree)
        batches: list[Batch] = []
        while self._subtrees and self._subtrees[0] in self._done:
            self._done.remove(self._subtrees[0])
            del self._found[self._subtrees.pop(0)]
            if self._subtrees:
                following = self._found[self._subtrees[0]]
                batches += following
                following.clear()
        self.held -= sum(map(len, batches))
        return batches

    def is_next(self, subtree: Hashable) -> bool:
        """Whether it is the first one in the tree."""
        return self._subtrees[0] == subtree

    def drop(self) -> int:
        """Forget the solutions that wait; return how many they are."""
        dropped, self.held = self.held, 0
        for batches in self._found.values():
            batches.clear()
        return dropped
