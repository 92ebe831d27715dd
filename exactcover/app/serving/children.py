"""The child processes that answer questions about puzzles, and the puzzles that are kept for them.

A child answers one question at a time. A question that takes too long, or too much memory, ends its
child, and the next question gets a new one. So no puzzle can block the server, whatever it makes
the package do.

The server writes a line of JSON for each question. The child answers with a line of JSON, the
head, and as many bytes as the head says: so the server hands a large answer on without reading it.

A child leads a session of its own, so Ctrl-C in a terminal reaches the server alone, and the server
ends the child with its whole group. A child ends by itself when its standard input is closed, so
none is left behind if the server is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from exactcover.app.serving import MIB, OUT_OF_MEMORY, Answer, Bounds, Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

POOL = 3
"""Questions that are answered at once: two slow ones do not delay a quick one."""

LOOK = 0.5
"""Seconds between two looks whether the client of a question has gone."""

GRACE = 1.5
"""Seconds in which a question may still be answered whose client has gone: to start a new child
takes about as long."""

HEAD = 40 * MIB
"""Bytes of the head of an answer, with the puzzles that it lets the server keep."""

CLEAR = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Variables of libraries that would start threads of their own in each child."""


class Gone(Exception):
    """A child has ended in the middle of its work; `memory`: since it took too much."""

    def __init__(self, status: int | None) -> None:
        self.memory = status == OUT_OF_MEMORY
        super().__init__(f"a child ended with status {status}")


class Child:
    """A child process of a server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, role: str, *, mib: int, longest: int) -> Child:
        """Start a child.

        role     what it does, see `worker`
        mib      the memory that it may take
        longest  bytes of the longest line that it may write
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "exactcover.app.serving.worker", role, str(mib)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(CLEAR, "1"), "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
            limit=longest,
        )
        return cls(process)

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def say(self, message: Mapping[str, object]) -> None:
        """Send it a message; raises `Gone`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise Gone(await self._process.wait()) from None

    async def line(self) -> bytes:
        """The next line that it writes; raises `Gone`."""
        assert self._process.stdout is not None
        try:
            read = await self._process.stdout.readline()
        except ValueError:  # longer than it may be
            self.kill()
            raise Gone(None) from None
        if not read.endswith(b"\n"):
            raise Gone(await self._process.wait())
        return read

    async def exactly(self, number: int) -> bytes:
        """The next bytes that it writes; raises `Gone`."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readexactly(number)
        except asyncio.IncompleteReadError:
            raise Gone(await self._process.wait()) from None

    async def gone(self) -> None:
        """Wait until it has ended."""
        await self._process.wait()

    def kill(self) -> None:
        """End it, and all that it has started, at once, without waiting for that."""
        if not self.lives:
            return
        try:
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:  # it has just ended
            return


class KeptPuzzles:
    """The puzzles that clients have posted: their texts by their digests.

    Those that were not used for longest are dropped when there are too many; the page then posts
    its puzzle again.
    """

    def __init__(self, limits: Bounds) -> None:
        self._limits = limits
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._bytes = 0

    def keep(self, puzzles: dict[str, str]) -> None:
        """Keep puzzles, given by their digests."""
        for digest, text in puzzles.items():
            if digest not in self._texts:
                self._bytes += len(text)
            self._texts[digest] = text
            self._texts.move_to_end(digest)
        while len(self._texts) > 1 and (
            len(self._texts) > self._limits.puzzles or self._bytes > self._limits.stored
        ):
            _, gone = self._texts.popitem(last=False)
            self._bytes -= len(gone)

    def given(self, digest: str) -> dict[str, Any]:
        """A puzzle, for a child; raises `Refusal` if it is gone."""
        if digest not in self._texts:
            raise Refusal(404, f"the puzzle {digest[:40]!r} is not kept (any more): post it again")
        self._texts.move_to_end(digest)
        return {"id": digest, "text": self._texts[digest]}


class Questions:
    """The pool of children that answer questions, and the puzzles that are kept for them."""

    def __init__(self, limits: Bounds) -> None:
        self.limits = limits
        self.kept = KeptPuzzles(limits)
        self.children: list[Child] = []
        self._idle: list[Child] = []
        self._free = asyncio.Semaphore(POOL)
        self._waiting = 0

    async def ask(self, request: Request, question: str, given: Mapping[str, Any]) -> Answer:
        """The answer of a child to a question.

        request   that asks it; work for a client that has gone is given up
        question  the function that answers it: a module and a name in it
        given     what it is about

        Raises `Refusal` if no child answers, or too many questions wait.
        """
        if self._waiting >= self.limits.waiting:
            raise Refusal(503, f"{self._waiting} questions wait already: ask again in some seconds")
        self._waiting += 1
        begun = asyncio.Event()
        message = {"ask": question, "given": {**given, **self._most}}
        work = asyncio.create_task(self._answered(message, begun))
        try:
            while not (await asyncio.wait({work}, timeout=LOOK))[0]:
                if await request.is_disconnected():
                    raise Refusal(499, "the client has gone")
            answer = work.result()
        finally:
            if begun.is_set():
                await asyncio.wait({work}, timeout=GRACE)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            self._waiting -= 1
        self.kept.keep(answer.keep)
        return answer

    @property
    def _most(self) -> dict[str, int]:
        return {"most_cells": self.limits.cells, "most_bytes": self.limits.answer}

    async def _answered(self, message: Mapping[str, Any], begun: asyncio.Event) -> Answer:
        """The answer of a child, which is ended if it does not give one."""
        seconds = self.limits.question
        async with self._free:
            begun.set()
            child = await self._child()
            try:
                async with asyncio.timeout(seconds):
                    await child.say(message)
                    head = json.loads(await child.line())
                    head["body"] = await child.exactly(head["body"])
                self._idle.append(child)
                return Answer(**head)
            except TimeoutError:
                raise Refusal(
                    503,
                    f"this takes longer than {seconds:g} s for this puzzle: give a smaller puzzle, "
                    "or start the server with a higher --question",
                ) from None
            except Gone as gone:
                if gone.memory:
                    raise Refusal(
                        413,
                        f"this takes more than {self.limits.mib} MiB of memory for this puzzle: "
                        "give a smaller one, or start the server with a higher --memory",
                    ) from None
                raise Refusal(500, "the process that answers has failed; try it again") from None
            finally:
                # Also when the client has gone: the next question would get this answer.
                if child not in self._idle:
                    child.kill()
                    self.children.remove(child)

    async def _child(self) -> Child:
        """The child that has last answered, since it knows the puzzle; or else a new one."""
        while self._idle:
            if (child := self._idle.pop()).lives:
                return child
            self.children.remove(child)
        return await self._started()

    async def _started(self) -> Child:
        child = await Child.start("answer", mib=self.limits.mib, longest=HEAD)
        self.children.append(child)
        return child

    async def warm(self) -> None:
        """Start two children, so that the first questions need not wait for them."""
        for _ in range(2):
            self._idle.append(await self._started())
