"""A crew of threads: it does the parts of one piece of work side by side, see `backends.crew`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")


class ThreadCrew:
    """Some threads. They start with the first work, and end when the crew is no longer used.

    number  how many work side by side
    """

    def __init__(self, number: int) -> None:
        self.number = number

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(self.number, "count")

    def map(self, do: Callable[[ItemT], DoneT], items: Iterable[ItemT], /) -> list[DoneT]:
        """What `do` returns for each item, in their order; the calls run side by side.

        It returns when all calls have ended, and raises what a call raised.
        """
        from concurrent.futures import wait

        calls = [self._pool.submit(do, item) for item in items]
        try:
            return [call.result() for call in calls]
        finally:
            wait(calls)  # after an error or Ctrl-C too: nothing works on while the caller goes on
