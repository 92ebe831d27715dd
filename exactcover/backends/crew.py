"""Threads that do the parts of one piece of work side by side.

An engine that can share its work takes a crew from its caller, so no engine starts a thread. Its
compiled functions release the interpreter lock while they work on a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")


class Crew(Protocol):
    """Some threads; `runs.ThreadCrew` is one."""

    @property
    def number(self) -> int:
        """How many work side by side."""

    def map(self, do: Callable[[ItemT], DoneT], items: Iterable[ItemT], /) -> list[DoneT]:
        """The results of `do` for all items, in their order; the calls run side by side.

        It returns when all calls have ended, and raises what a call raised.
        """
