"""The limits of the server, and the error that refuses what goes beyond them.

Everything that a client can make grow has a limit here. The defaults suit one person on one
computer; to serve others, put a proxy in front (see docs/serve.md).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from exactcover.app.serving import json_types

MIB = 1 << 20


@dataclass(frozen=True)
class Bounds:
    """The limits of a server.

    seconds    of a run. Default: 600
    mib        of memory that a run, or a child that answers questions, may take. Default: 2048
    runs       how many run at once. Default: one for each processor, at least 2
    queue      how many more may wait. Default: 8
    solutions  that are kept of a run; more are counted only. Default: 10000
    body       bytes of a request. Default: 2 MiB
    answer     bytes of an answer. Default: 32 MiB
    question   seconds that a question about a puzzle may take. Default: 10
    waiting    questions that may wait for a child. Default: 32
    puzzles    how many are kept; the one that was not used for longest goes. Default: 200
    stored     bytes of all puzzles that are kept. Default: 32 MiB
    ended      runs that have ended and are remembered. Default: 20
    found      bytes of the solutions that are kept of a run. Default: 32 MiB
    cells      of a board. Default: 20000
    listeners  pages that may listen to runs at once. Default: 64
    clients    connections at once. Default: 256
    header     seconds in which the body of a request must have arrived. Default: 10
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
    waiting: int = 32
    puzzles: int = 200
    stored: int = 32 * MIB
    ended: int = 20
    found: int = 32 * MIB
    cells: int = 20_000
    listeners: int = 64
    clients: int = 256
    header: float = 10.0
    idle: float = 15.0

    def public(self) -> json_types.LimitsJson:
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
    def body(self) -> bytes:
        """The body of the answer."""
        return json.dumps({"error": self.message}, ensure_ascii=False).encode()
