"""The errors that a client is told: a status of HTTP, and a sentence that says what is right."""

from __future__ import annotations

import json


class Refusal(Exception):
    """A request that is refused.

    status  of HTTP, 4xx or 5xx
    """

    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message
        super().__init__(message)


def told(message: str) -> bytes:
    """The body of an answer that refuses."""
    return json.dumps({"error": message}, ensure_ascii=False).encode()
