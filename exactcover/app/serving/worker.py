"""A child of the server: `python -m exactcover.app.serving.worker desk 2048`.

It reads questions from its standard input and answers them, one at a time; a run searches. It ends
itself when the server has gone, or when it takes too much memory.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any, BinaryIO

from exactcover.app.serving import OUT_OF_MEMORY, Answer, Refusal
from exactcover.base.memory import memory_taken
from exactcover.errors import ExactCoverError, LimitReached, TooLarge, UnknownName

if TYPE_CHECKING:
    from exactcover.app.serving.client_puzzles import ClientPuzzle

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

        message = json.loads(heard.get())
        search(message["given"], out, heard)
        return
    known = questions()
    while True:
        message = json.loads(heard.get())
        out.write(answer(known[message["ask"]], message["given"]).sent())
        out.flush()


def _hear(pipe: BinaryIO, heard: SimpleQueue[bytes]) -> None:
    """Take the messages of the server; end when it has gone."""
    for said in pipe:
        heard.put(said)
    os._exit(0)


@dataclass(frozen=True)
class PageQuestion:
    """A question: its parameters by their names."""

    given: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.given[name]

    @property
    def one(self) -> ClientPuzzle:
        """The puzzle with the given id and text."""
        from exactcover.app.serving.client_puzzles import posed

        return posed(self["id"], self["text"])


Answering = Callable[[PageQuestion], Answer]


def questions() -> dict[str, Answering]:
    """The answers to all questions; a run needs none of these modules."""
    from exactcover.app.serving import advice, catalogue, client_puzzles, page_boards
    from exactcover.show.pages.viewing import data_of, data_of_board

    return {
        "about": lambda a: page_boards.about(a.one, a["strategy"]),
        "board in space": lambda a: Answer.of(data_of_board(a.one.puzzle)),
        "cells to draw on": lambda a: catalogue.cells_to_draw_on(
            a["lattice"],
            a["shape"],
            a["margin"],
            a["most_cells"],
            a.one if "id" in a.given else None,
        ),
        "check": lambda a: advice.check(a.one),
        "draft": lambda a: page_boards.describe(
            client_puzzles.drawn(a["draft"], a["most_cells"]), a["most_cells"]
        ),
        "estimate": lambda a: advice.estimate(a.one, a["strategy"], a["seconds"]),
        "file": lambda a: page_boards.read_file(
            a["name"], a["most_cells"], a["most_bytes"], a.given.get("text"), a.given.get("base64")
        ),
        "lattices": lambda _: catalogue.all_lattices(),
        "picture": lambda a: page_boards.picture_of_puzzle(a.one, a["dark"]),
        "picture of set": lambda a: catalogue.picture_of_set(a["name"], a["lattice"], a["dark"]),
        "picture of solution": lambda a: page_boards.picture_of_solution(
            a.one, a["options"], a["dark"]
        ),
        "play file": lambda a: page_boards.play_file(a.one),
        "puzzle": lambda a: page_boards.describe(a.one, a["most_cells"]),
        "puzzle in space": lambda a: Answer.of(data_of(a.one.puzzle)),
        "region in space": lambda a: page_boards.view_of_region(a["draft"], a["most_cells"]),
        "set": lambda a: catalogue.pieces_of_set(a["name"], a["lattice"]),
        "sheet": lambda a: page_boards.sheet(a.one, a["options"], a["dark"]),
        "shelved": lambda a: catalogue.shelved(a["lattice"], a["name"], a["most_cells"]),
        "solution as file": lambda a: page_boards.exported(
            a.one, a["options"], a["index"], a["format"]
        ),
        "solution in space": lambda a: page_boards.view_of_solution(a.one, a["options"]),
        "solutions to play": lambda a: page_boards.solutions_to_play(a.one),
        "strategies": lambda a: advice.strategies(a.one),
    }


def answer(answering: Answering, given: Mapping[str, Any]) -> Answer:
    """The answer to a question; what is wrong with it is an answer, too."""
    try:
        made = answering(PageQuestion(given))
        most = given["most_bytes"]
        if len(made.body) > most:
            size = f"{len(made.body) >> 20} MiB"
            raise Refusal(413, f"the answer would have {size}, at most {most >> 20} are sent")
        return made
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
