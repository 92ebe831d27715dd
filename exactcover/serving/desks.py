"""Desks: children that answer questions about puzzles, one at a time.

A question that takes too long, or too much memory, ends its child, and the next question gets a new
one. So no puzzle can block the server, whatever it makes the package do.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from exactcover.serving.bounds import MIB, Bounds
from exactcover.serving.children import Child, Gone
from exactcover.serving.messages import Answer
from exactcover.serving.refusals import Refusal

HEAD = 40 * MIB
"""Bytes of the head of an answer, with the puzzles that it lets the server keep."""


GRACE = 1.5
"""Seconds in which a question may still be answered whose client has gone: to start a new child
takes about as long."""


class Desk:
    """A child that answers questions, and those that wait for it.

    finishes  a question that has begun is answered, though its client has gone: the child remembers
              what it has worked out. Otherwise the child is soon ended then
    """

    def __init__(self, limits: Bounds, *, finishes: bool) -> None:
        self._limits, self._finishes = limits, finishes
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def ask(
        self, question: str, given: dict[str, Any], seconds: float | None = None
    ) -> Answer:
        """The answer to a question.

        question  its name, see `answers`
        given     what it is about
        seconds   that it may take. Default: None, as the limits say

        Raises `Refusal` if the child does not answer, or too many questions wait.
        """
        limits = self._limits
        if self._waiting >= limits.waiting:
            raise Refusal(503, f"{self._waiting} questions wait already: ask again in some seconds")
        allowed = limits.question if seconds is None else seconds
        self._waiting += 1
        try:
            async with self._turn:
                work = asyncio.create_task(self._answered(question, given, allowed))
                work.add_done_callback(_seen)
                try:
                    return await asyncio.shield(work)
                except asyncio.CancelledError:
                    await asyncio.wait({work}, timeout=None if self._finishes else GRACE)
                    work.cancel()
                    await asyncio.gather(work, return_exceptions=True)
                    raise
        finally:
            self._waiting -= 1

    async def _answered(self, question: str, given: dict[str, Any], seconds: float) -> Answer:
        """The answer of the child, which is ended if it does not give one."""
        answered = False
        try:
            child = await self.warm()
            async with asyncio.timeout(seconds):
                await child.say({"ask": question, "given": given})
                head = json.loads(await child.line())
                body = await child.exactly(head.pop("bytes"))
            answered = True
            return Answer(body, **head)
        except TimeoutError:
            raise Refusal(
                503,
                f"this takes longer than {seconds:g} s for this puzzle: give a smaller puzzle, or "
                "start the server with a higher --question",
            ) from None
        except Gone as gone:
            if gone.memory:
                raise Refusal(
                    413,
                    f"this takes more than {self._limits.mib} MiB of memory for this puzzle: give "
                    "a smaller one, or start the server with a higher --memory",
                ) from None
            raise Refusal(500, "the process that answers has failed; try it again") from None
        finally:
            if not answered:
                self.close()  # also when the client has gone: the answer would be the next one's

    async def warm(self) -> Child:
        """The child, started if there is none."""
        if self._child is None or not self._child.lives:
            self._child = await Child.start("desk", mib=self._limits.mib, longest=HEAD)
        return self._child

    @property
    def child(self) -> Child | None:
        """The child, if there is one."""
        return self._child

    def close(self) -> None:
        """End the child at once."""
        if self._child is not None:
            self._child.kill_now()
            self._child = None


def _seen(work: asyncio.Task[Answer]) -> None:
    """Take note of how a question ended for which nobody waits any more."""
    if not work.cancelled():
        work.exception()
