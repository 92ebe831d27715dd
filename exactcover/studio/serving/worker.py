"""A process of the pool: `python -m exactcover.studio.serving.worker 2048`.

It reads questions from its standard input and answers them, one at a time. It ends when the server
has gone. A stop that is heard while a search goes on ends this search.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

import msgspec

from exactcover.errors import ExactCoverError, LimitReached, TooLarge, UnknownName
from exactcover.studio.serving.answers import ANSWERS, Told, warm
from exactcover.studio.serving.pool import Message, Refusal

Question = tuple[dict[str, Any], bytes, Event]
"""The head of a question, its body, and whether it is stopped."""

SPARE = 512
"""MiB for the program itself, beyond what a puzzle may take."""

IDLE = 0.3
"""Seconds without a question, after which it loads what most puzzles need. Pictures of the shelf do
not wait for that."""

NICE = 10
"""How much the server goes before its processes."""

REFUSALS: dict[type[Exception], tuple[int, str]] = {
    LimitReached: (503, "this takes too long for this puzzle: give a smaller one"),
    TooLarge: (413, ""),
    UnknownName: (404, ""),
    ExactCoverError: (422, ""),
    MemoryError: (413, "this takes too much memory for this puzzle: give a smaller one"),
    RecursionError: (422, "this is nested too deeply to be read"),
    msgspec.MsgspecError: (400, ""),
}
"""The status and the message of an error, whose own message is taken where there is none; the first
kind that fits counts."""


def main(mib: int) -> None:
    """Answer questions until the server closes the pipe."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    _bound(mib)
    heard: SimpleQueue[Question] = SimpleQueue()
    Thread(target=_hear, args=(heard,), daemon=True).start()

    def tell(message: Message) -> None:
        out.write(message.packed())
        out.flush()

    warmed = False
    while True:
        question = None
        with suppress(Empty):
            question = heard.get(timeout=None if warmed else IDLE)
        if not warmed and (question is None or question[0]["ask"] != "shelf-picture"):
            warm()
            warmed = True
        if question is not None:
            head, body, stopped = question
            tell(_answer(head, body, Told(tell, head["seconds"], stopped)))


def _hear(heard: SimpleQueue[Question]) -> None:
    """Take the questions of the server; end when it has gone. A stop is for the latest question."""
    pipe, stopped = sys.stdin.buffer, Event()
    for line in pipe:
        head = json.loads(line)
        if head["ask"] == "stop":
            stopped.set()
        else:
            stopped = Event()
            heard.put((head, pipe.read(head["length"]), stopped))
    os._exit(0)


def _answer(head: dict[str, Any], body: bytes, told: Told) -> Message:
    """The last message of the answer to a question; what is wrong with it is an answer, too."""
    try:
        made = ANSWERS[head["ask"]](body, told)
        return made if isinstance(made, Message) else Message.of(made)
    except Refusal as refusal:
        return Message.refusing(refusal)
    except tuple(REFUSALS) as error:
        status, message = next(REFUSALS[kind] for kind in REFUSALS if isinstance(error, kind))
        return Message.refusing(Refusal(status, message or str(error)))
    except Exception:
        traceback.print_exc()
        return Message.refusing(
            Refusal(500, "the server has made a mistake; its terminal says which")
        )


def _bound(mib: int) -> None:
    """Let this process take no more memory than this, where the system can see to it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    os.nice(NICE)
    most = (mib + SPARE) << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


if __name__ == "__main__":
    main(int(sys.argv[1]))
