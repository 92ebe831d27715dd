"""A child process of the server, and the messages on the pipes between them.

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
from collections.abc import Mapping
from dataclasses import dataclass, field

JSON, SVG, TEXT = "application/json", "image/svg+xml", "text/plain; charset=utf-8"

OUT_OF_MEMORY = 77
"""The status with which a child ends that takes too much memory."""

CLEAR = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Variables of libraries that would start threads of their own in each child."""


@dataclass(frozen=True)
class Answer:
    """An answer to a client.

    body    its bytes
    kind    its media type
    status  of HTTP
    name    of the file, if it is to be saved as one
    keep    puzzles that the server is to keep: their TOML by their digest
    """

    body: bytes
    kind: str = JSON
    status: int = 200
    name: str = ""
    keep: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: object, *, keep: dict[str, str] | None = None) -> Answer:
        """An answer in JSON."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return cls(text.encode(), keep=keep or {})

    def sent(self) -> bytes:
        """The head and the body, as a child sends them."""
        head = {
            "bytes": len(self.body),
            "kind": self.kind,
            "status": self.status,
            "name": self.name,
            "keep": self.keep,
        }
        return json.dumps(head).encode() + b"\n" + self.body


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
