"""A child of the server: `python -m exactcover.app.serving.worker answer 2048`.

It reads questions from its standard input and answers them, one at a time; a run searches. It ends
itself when the server has gone, or when it takes too much memory.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from inspect import signature
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any, BinaryIO

from exactcover.app.serving import OUT_OF_MEMORY, Answer, Refusal
from exactcover.base.machine import memory_taken
from exactcover.errors import ExactCoverError, LimitReached, TooLarge, UnknownName

LOOK = 0.1
"""Seconds between two looks at the memory."""

SPARE = 1024
"""MiB that the system refuses beyond the limit: a single huge array is refused at once, before the
next look."""

NICE = 10
"""How much the server goes before its children."""

REFUSALS: dict[type[Exception], tuple[int, str]] = {
    LimitReached: (503, "this takes too long for this puzzle: give a smaller one"),
    TooLarge: (413, ""),
    UnknownName: (404, ""),
    ExactCoverError: (422, ""),
    MemoryError: (413, "this takes too much memory for this puzzle: give a smaller one"),
    RecursionError: (422, "this is nested too deeply to be read"),
}
"""The status and the message of an error, whose own message is taken where there is none; the first
kind that fits counts."""


def main(role: str, mib: int) -> None:
    """Answer questions, or search, until the server closes the pipe."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    _bound(mib)
    heard: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_hear, args=(sys.stdin.buffer, heard), daemon=True).start()
    if role == "run":
        from exactcover.app.serving.run_worker import search

        search(json.loads(heard.get()), out)
        return
    while True:
        out.write(answer(**json.loads(heard.get())).sent())
        out.flush()


def _hear(pipe: BinaryIO, heard: SimpleQueue[bytes]) -> None:
    """Take the messages of the server; end when it has gone."""
    for said in pipe:
        heard.put(said)
    os._exit(0)


def answer(ask: str, given: dict[str, Any]) -> Answer:
    """The answer to a question; what is wrong with it is an answer, too.

    ask    the function that answers: a module and a name in it
    given  its parameters, and others; `id` and `text` make the parameter `one`, a puzzle, and
           `options` the parameter `found`, solutions of it
    """
    from exactcover.app.serving.client_puzzles import posed
    from exactcover.search.result import Solution

    try:
        module, _, name = ask.partition(".")
        function = getattr(import_module(f"exactcover.app.serving.{module}"), name)
        wanted = signature(function).parameters
        if "id" in given:
            given["one"] = posed(given["id"], given["text"])
        if "options" in given:
            model = given["one"].puzzle.model
            given["found"] = [Solution((*one,), model.problem, model) for one in given["options"]]
        made = function(**{name: given[name] for name in wanted if name in given})
        sent = made if isinstance(made, Answer) else Answer.of(made)
        most = given["most_bytes"]
        if len(sent.body) > most:
            size = f"{len(sent.body) >> 20} MiB"
            raise Refusal(413, f"the answer would have {size}, at most {most >> 20} are sent")
        return sent
    except Refusal as refusal:
        return refusal.answer
    except tuple(REFUSALS) as error:
        status, message = next(REFUSALS[kind] for kind in REFUSALS if isinstance(error, kind))
        return Refusal(status, message or str(error)).answer
    except Exception:
        traceback.print_exc()
        return Refusal(500, "the server has made a mistake; its terminal says which").answer


# -- memory ---------------------------------------------------------------------------------------


def _bound(mib: int) -> None:
    """Let this process take no more memory than this."""
    try:
        os.nice(NICE)
        import resource
    except (AttributeError, ImportError, OSError):  # Windows, where the server has no limit either
        return
    most = (mib + SPARE) << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    Thread(target=_watch, args=(mib,), daemon=True).start()


def _watch(mib: int) -> None:
    while True:
        sleep(LOOK)
        if (memory_taken() or 0) >> 20 > mib:
            os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
