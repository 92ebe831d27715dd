"""A search that several threads may share: one advances it at a time, and all may look at it.

Compiled kernels release the interpreter lock, so two threads that advance one search at the same
time would search the same nodes twice and hand out solutions twice. So each step is a turn, and
turns exclude each other. Two things never wait for a turn:

* `stop` only sets a flag, so a signal handler may call it in the middle of a step.
* A look at a search between two turns shows its current state. A look during a turn shows the last
  snapshot, see `underway`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock
from typing import Any, Self

from exactcover.errors import AlreadyRunning


class Shared:
    """A search with turns; `with` closes it."""

    def __init__(self) -> None:
        self._turns: Any = RLock()  # its type does not declare `_is_owned`
        self._stopped = False
        self._closed = False

    def stop(self) -> None:
        """End the search after the step that it is in; any thread or signal handler may call it."""
        self._stopped = True

    def close(self) -> None:
        """End the search and free its memory; its result can still be read.

        It waits for a step that another thread is in. A signal handler that interrupts a step
        cannot wait for it; there, `close` does the same as `stop`.
        """
        self.stop()
        if self._turns._is_owned():
            return
        with self._turns:
            if not self._closed:
                self._let_go()
                self._closed = True

    def _let_go(self) -> None:
        """Free the memory; the search cannot go on after this."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn(self) -> AbstractContextManager[object]:
        """A turn, for a `with` statement: other threads wait until it is over."""
        if self._turns._is_owned():
            raise AlreadyRunning
        # The lock itself is entered, in C: Ctrl-C cannot come between taking and holding it.
        turn: AbstractContextManager[object] = self._turns
        return turn

    @contextmanager
    def _only_turn(self) -> Iterator[None]:
        """A turn of a search that is one long step; raises if another turn is in progress."""
        if self._turns._is_owned() or not self._turns.acquire(blocking=False):
            raise AlreadyRunning
        try:
            yield
        finally:
            self._turns.release()

    def __getstate__(self) -> dict[str, Any]:
        """All but the lock: a copy of a search is a search of its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_turns"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _turns=RLock())
