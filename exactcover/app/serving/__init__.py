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
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactcover.base.lazy import on_demand

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

    The defaults suit one person on one computer; to serve others, put a proxy in front.

    seconds    of a run. Default: 600
    mib        of memory that a run, or a child that answers questions, may take. Default: 2048
    runs       how many run at once. Default: one for each processor, at least 2
    queue      how many more may wait. Default: 8
    solutions  that are kept of a run; more are counted only. Default: 10000
    body       bytes of a request. Default: 2 MiB
    answer     bytes of an answer. Default: 32 MiB
    question   seconds that a question about a puzzle may take. Default: 10
    waiting    questions that may wait for a child. Default: 64
    puzzles    how many are kept; the one that was not used for longest goes. Default: 200
    stored     bytes of all puzzles that are kept. Default: 32 MiB
    ended      runs that have ended and are remembered. Default: 20
    found      bytes of the solutions that are kept of a run. Default: 32 MiB
    cells      of a board. Default: 20000
    listeners  pages that may listen to runs at once. Default: 64
    clients    connections at once. Default: 256
    arrival    seconds in which the head of a request must have arrived, and then its body.
               Default: 10
    idle       seconds after which a connection without a request is closed. Default: 15
    """

    seconds: float = 600.0
    mib: int = 2048
    runs: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))
    queue: int = 8
    solutions: int = 10_000
    body: int = 2 * MIB
    answer: int = 32 * MIB
    question: float = 10.0
    waiting: int = 64
    puzzles: int = 200
    stored: int = 32 * MIB
    ended: int = 20
    found: int = 32 * MIB
    cells: int = 20_000
    listeners: int = 64
    clients: int = 256
    arrival: float = 10.0
    idle: float = 15.0

    def public(self) -> dict[str, Any]:
        """Those that a page shows."""
        return {
            "seconds": self.seconds,
            "mib": self.mib,
            "runs": self.runs,
            "queue": self.queue,
            "bytes": self.body,
            "solutions": self.solutions,
            "cells": self.cells,
            "question": self.question,
        }


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
