"""The processes that answer questions and search, all of one kind.

A process is kept for the next question, so that a small puzzle is answered without waiting for
imports. One place of the pool is kept free of searches: a picture never waits for one.

A message is a line of JSON, the head, and a body of `length` bytes. A question has the head `ask`,
`seconds`; an answer has `status`, `kind`, `name`, and `more` if further messages follow.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

MIB = 1 << 20

LATE, GRACE = 10.0, 3.0
"""Seconds after a search should have ended, and after it was stopped, until it is ended."""

WAITING = 64
"""Questions that may wait for a process."""

ANSWER = 64 * MIB
"""The most bytes of an answer."""


@dataclass(frozen=True)
class Limits:
    """The limits of a server. The defaults suit one person on one computer.

    seconds    of a search
    mib        of memory that a process may take
    processes  at once
    size       bytes of a request
    """

    seconds: float = 600.0
    mib: int = 2048
    processes: int = field(default_factory=lambda: max(3, 1 + (os.cpu_count() or 1)))
    size: int = 2 * MIB


class Refusal(Exception):
    """A request that is refused, with a status of HTTP and a sentence that says what would help."""

    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message
        super().__init__(message)


@dataclass(frozen=True)
class Message:
    """A part of an answer, often the only one.

    body    its bytes
    kind    its media type
    status  of HTTP
    name    of the file, if it is to be saved as one
    more    whether further messages follow
    """

    body: bytes
    kind: str = "application/json"
    status: int = 200
    name: str = ""
    more: bool = False

    @classmethod
    def of(cls, value: object, *, status: int = 200, more: bool = False) -> Message:
        """A message in JSON."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return cls(text.encode(), status=status, more=more)

    @classmethod
    def refusing(cls, refusal: Refusal) -> Message:
        """The answer to a request that is refused."""
        return cls.of({"error": refusal.message}, status=refusal.status)

    def packed(self) -> bytes:
        """Its bytes between processes."""
        head = vars(self) | {"body": len(self.body)}
        return json.dumps(head).encode() + b"\n" + self.body


class Process:
    """A child of the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._in, self._out = process, process.stdin, process.stdout

    @classmethod
    async def start(cls, mib: int) -> Process:
        """A new one; it ends itself when the server has gone."""
        program = "-m", "exactcover.studio.serving.worker", str(mib)
        pipe = asyncio.subprocess.PIPE
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable, *program, stdin=pipe, stdout=pipe, limit=MIB, start_new_session=True
            )
        )

    @property
    def lives(self) -> bool:
        """Whether it can answer."""
        return self._process.returncode is None

    async def say(self, head: dict[str, Any], body: bytes = b"") -> None:
        """Send it a question, or word to stop."""
        with suppress(BrokenPipeError, ConnectionResetError):  # `message` tells that it has gone
            self._in.write(json.dumps(head | {"length": len(body)}).encode() + b"\n" + body)
            await self._in.drain()

    async def message(self, seconds: float) -> Message:
        """Its next message; raises `Refusal` if there is none in time."""
        try:
            async with asyncio.timeout(seconds):
                head = json.loads(await self._out.readuntil(b"\n"))
                if head["body"] > ANSWER:
                    raise Refusal(
                        413, "the answer is too large for the page: give a smaller puzzle"
                    )
                return Message(**head | {"body": await self._out.readexactly(head["body"])})
        except TimeoutError:
            raise Refusal(503, "this takes too long for this puzzle: give a smaller one") from None
        except asyncio.IncompleteReadError:
            raise Refusal(
                413,
                "this takes too much memory for this puzzle: give a smaller one, or start the "
                "server with a higher --memory",
            ) from None

    async def end(self) -> None:
        """End it, and all that it has started, at once."""
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()


class ProcessPool:
    """The processes of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._places = asyncio.Semaphore(limits.processes)
        self._searches = asyncio.Semaphore(limits.processes - 1)
        self._all: set[Process] = set()
        self._idle: list[Process] = []
        self._waiting = 0
        self._ending: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(process.end() for process in self._all))

    async def answer(self, ask: str, body: bytes, seconds: float) -> Message:
        """The answer to a question that has one message."""
        async for message in self.messages(ask, body, seconds):
            return message
        raise AssertionError("every question has an answer")

    async def messages(
        self, ask: str, body: bytes, seconds: float, *, search: bool = False
    ) -> AsyncIterator[Message]:
        """The messages of the answer to a question.

        seconds  within which it must be there. Default for a search: when its process ends
        search   it may take long, and is stopped when nobody listens any more
        """
        if self._waiting >= WAITING:
            raise Refusal(503, f"{WAITING} questions wait already: ask again in some seconds")
        places = [self._searches] * search + [self._places]
        self._waiting += 1
        try:
            for place in places:
                await place.acquire()
        finally:
            self._waiting -= 1
        process, over = None, False
        try:
            process = await self._taken()
            until = monotonic() + seconds + LATE * search
            await process.say({"ask": ask, "seconds": seconds}, body)
            while not over:
                message = await process.message(until - monotonic())
                over = not message.more
                yield message
        finally:
            ending = asyncio.create_task(self._give_back(process, over, places))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _give_back(
        self, process: Process | None, over: bool, places: list[asyncio.Semaphore]
    ) -> None:
        """Keep a process for the next question; one that goes on is stopped first, or ended."""
        try:
            if process is not None and not over:
                try:
                    await process.say({"ask": "stop"})
                    async with asyncio.timeout(GRACE):
                        while (await process.message(GRACE)).more:
                            pass
                    over = True
                except (Refusal, TimeoutError):
                    self._all.discard(process)
                    await process.end()
            if process is not None and over:
                self._idle.append(process)
        finally:
            for place in places:
                place.release()

    async def _taken(self) -> Process:
        """The process that has last answered, since it knows the puzzle; or else a new one."""
        while self._idle:
            if (process := self._idle.pop()).lives:
                return process
            self._all.discard(process)
        return await self._start()

    async def _start(self) -> Process:
        process = await Process.start(self.limits.mib)
        self._all.add(process)
        return process
