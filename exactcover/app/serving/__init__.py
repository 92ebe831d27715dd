"""The local web page, `exactcover serve`: a server, its JSON interface, and the page.

server      starts all of it, and sends the files of the page
guard       addresses, origins, tokens, sizes of requests
interface   a table of all requests, what is read of each, and what answers it
children    the pool of processes that answer questions, and the puzzles that are kept for them
runs        child processes that search, the queue before them, what they found, events
worker      the program of a child process

The server process does no puzzle work, so that it always answers soon. A child answers questions
about `client_puzzles` with `page_boards`, `catalogue` and `advice`, or does a run with
`run_worker`. A request passes `guard`, `interface`, `children` and, in a child, `worker` and the
module that answers. All of them have the limits of the server, refusals and answers, which are
here. `docs/decisions/0052-the-page-and-its-server.md` says why it is done so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactcover.base.lazy import on_demand
from exactcover.base.machine import processors

if TYPE_CHECKING:
    from exactcover.app.serving.server import Server as Server
else:
    _, __getattr__, __dir__ = on_demand(__name__, {"app.serving.server": "Server"})

__all__ = ["Bounds", "Server"]

MIB = 1 << 20

JSON, SVG, PNG = "application/json", "image/svg+xml", "image/png"
TEXT = "text/plain; charset=utf-8"

OUT_OF_MEMORY = 77
"""The status with which a child ends that takes too much memory."""


@dataclass(frozen=True)
class Bounds:
    """The limits of a server: everything that a client can make grow has one.

    The defaults suit one person on one computer.
    """

    seconds: float = 600.0  # of a run
    mib: int = 2048  # of memory that a run, or a child that answers questions, may take
    runs: int = field(default_factory=lambda: max(2, processors()))  # at once
    queue: int = 8  # runs that may wait
    solutions: int = 10_000  # that are kept of a run; more are counted only
    body: int = 2 * MIB  # bytes of a request
    answer: int = 32 * MIB  # bytes of an answer
    question: float = 10.0  # seconds that a question about a puzzle may take
    waiting: int = 64  # questions that may wait for a child
    puzzles: int = 200  # that are kept; the one that was not used for longest goes
    stored: int = 32 * MIB  # bytes of all puzzles that are kept
    ended: int = 20  # runs that have ended and are remembered
    found: int = 32 * MIB  # bytes of the solutions that are kept of a run
    cells: int = 20_000  # of a board
    listeners: int = 64  # pages that may listen to runs at once
    clients: int = 256  # connections at once
    arrival: float = 10.0  # seconds in which the head of a request must come, and then its body
    idle: float = 15.0  # seconds after which a connection without a request is closed

    def public(self) -> dict[str, Any]:
        """Those that a page shows."""
        names = ("seconds", "mib", "runs", "queue", "solutions", "cells", "question")
        return {"bytes": self.body, **{name: getattr(self, name) for name in names}}


class Refusal(Exception):
    """A request that is refused.

    status   of HTTP, 4xx or 5xx
    message  a sentence that says what would be right
    """

    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message
        super().__init__(message)

    @property
    def answer(self) -> Answer:
        """The answer to the client."""
        return Answer.of({"error": self.message}, status=self.status)


@dataclass(frozen=True)
class Answer:
    """An answer to a client.

    body    its bytes
    kind    its media type
    status  of HTTP
    name    of the file, if it is to be saved as one
    keep    puzzles that the server is to keep: their texts by their digests
    """

    body: bytes
    kind: str = JSON
    status: int = 200
    name: str = ""
    keep: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: object, *, status: int = 200, keep: dict[str, str] | None = None) -> Answer:
        """An answer in JSON."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return cls(text.encode(), status=status, keep=keep or {})

    def sent(self) -> bytes:
        """The head and the body, as a child sends them; the head has the length of the body."""
        head = vars(self) | {"body": len(self.body)}
        return json.dumps(head).encode() + b"\n" + self.body
