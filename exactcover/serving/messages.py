"""What the server and a child say to each other on the pipes between them.

The server writes a line of JSON for each question. The child answers with a line of JSON, the
head, and as many bytes as the head says: so the server hands a large answer on without reading it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

JSON, SVG, TEXT = "application/json", "image/svg+xml", "text/plain; charset=utf-8"

OUT_OF_MEMORY = 77
"""The status with which a child ends that takes too much memory."""


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

    @classmethod
    def refusing(cls, status: int, message: str) -> Answer:
        """An answer that refuses."""
        text = json.dumps({"error": message}, ensure_ascii=False)
        return cls(text.encode(), status=status)

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


def line(value: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
