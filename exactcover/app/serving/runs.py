"""Runs: children that search, the queue before them, and what they have found.

A run goes on whether or not a page listens to it. The server keeps its state and a bounded part of
its solutions, so that a page which comes back sees all of them.

Pages listen by server-sent events: the state of the run at once, then each change, then its end.
`id:` counts the solutions that were sent, so a browser that connects again (`Last-Event-ID`) gets
those that it has not seen. A slow client gets fewer events of progress, and every solution.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from array import array
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from exactcover.app.serving import MIB, Bounds, Refusal
from exactcover.app.serving.children import Child, Gone

GRACE = 5.0
"""Seconds after its time limit within which a child has to end by itself."""

REMEMBERED = 3
"""All runs keep at most this many times what one may; beyond, the oldest is forgotten."""

EVENT = 8 * MIB
"""Bytes of the longest line of a child that searches."""

ALIVE = 15.0
"""Seconds after which a comment says that the connection still lives."""

PACE = 0.2
"""The least seconds between two events of progress."""

AT_ONCE = 200
"""The most solutions that are sent without a pause."""


@dataclass(frozen=True)
class KeptSolution:
    """A solution of a run.

    options    of the problem of the puzzle
    owners     the number of the piece that covers each cell, -1: none
    parts      the number of the placement that covers each cell, for copies of one piece
    symmetric  whether a symmetry of the puzzle takes it to itself; None: not known
    """

    index: int
    options: array[int]
    owners: array[int]
    parts: array[int]
    symmetric: bool | None

    def record(self) -> dict[str, Any]:
        """It, for a client."""
        return {
            "index": self.index,
            "owners": self.owners.tolist(),
            "parts": self.parts.tolist(),
            "symmetric": self.symmetric,
        }

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return 4 * (len(self.options) + len(self.owners) + len(self.parts)) + 400


@dataclass
class PageRun:
    """A search of a puzzle.

    task    what the child is given
    text    the puzzle
    state   waiting or running; then complete, limit, stopped, failed or impossible
    facts   the latest progress of the child
    """

    id: str
    puzzle: str
    title: str
    pieces: tuple[str, ...]
    cells: int
    task: dict[str, Any]
    text: str
    state: str = "waiting"
    facts: dict[str, Any] = field(default_factory=dict)
    found: list[KeptSolution] = field(default_factory=list)
    taken: int = 0
    error: str | None = None
    changes: int = 0
    child: Child | None = None
    job: asyncio.Task[None] | None = None
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.state not in ("waiting", "running")

    def record(self) -> dict[str, Any]:
        """Its state, for a client."""
        facts = self.facts
        return {
            "id": self.id,
            "puzzle": self.puzzle,
            "puzzleTitle": self.title,
            "what": self.task["what"],
            "unique": self.task["unique"],
            "limit": self.task["limit"],
            "state": self.state,
            "solutions": facts.get("solutions", 0),
            "kept": len(self.found),
            "placements": facts.get("placements"),
            "done": facts.get("done"),
            "left": facts.get("left"),
            "seconds": facts.get("seconds", 0.0),
            "strategy": facts.get("strategy", ""),
            "why": facts.get("why", ""),
            "error": self.error,
        }

    def progress(self) -> dict[str, Any]:
        """Its state with the board and the tree, for an event of its progress."""
        board, profile = self.facts.get("board"), self.facts.get("profile", [])
        return {**self.record(), "board": board, "profile": profile}

    def solution(self, index: int) -> KeptSolution:
        """A solution that is kept; raises `Refusal`."""
        if not 0 <= index < len(self.found):
            have = f"it keeps {len(self.found)}, numbered from 0"
            raise Refusal(404, f"the run {self.id} has no solution {index}: {have}")
        return self.found[index]

    def chosen(
        self, symmetric: bool | None, piece: str | None, cell: int | None
    ) -> list[KeptSolution]:
        """The solutions that are kept and have this property; None: any."""
        number = -1
        if piece is not None:
            if piece not in self.pieces:
                raise Refusal(400, f"the puzzle has no piece {piece[:40]!r}")
            number = self.pieces.index(piece)
        if cell is not None and not 0 <= cell < self.cells:
            raise Refusal(400, f"there is no cell {cell}: they are numbered 0 to {self.cells - 1}")
        if (piece is None) != (cell is None):
            raise Refusal(400, "give both piece and cell: the piece that covers the cell")
        return [
            one
            for one in self.found
            if (symmetric is None or one.symmetric is symmetric)
            and (cell is None or one.owners[cell] == number)
        ]


class Runs:
    """The runs of a server."""

    def __init__(self, limits: Bounds) -> None:
        self._limits = limits
        self._runs: dict[str, PageRun] = {}
        self.listeners = 0  # pages that listen to events

    def __iter__(self) -> Iterator[PageRun]:
        return iter(self._runs.values())

    def run(self, name: str) -> PageRun:
        """The run of this name; raises `Refusal`."""
        if name not in self._runs:
            raise Refusal(404, f"there is no run {name[:40]!r} (any more)")
        return self._runs[name]

    def check_room(self) -> None:
        """Raise a `Refusal` if no more runs may wait."""
        limits = self._limits
        open_ = sum(not run.over for run in self)
        if open_ >= limits.runs + limits.queue:
            raise Refusal(
                429,
                f"as many runs go on and wait as the server allows, {limits.runs} and "
                f"{limits.queue}: stop one, or wait until one has ended",
            )

    def begin(self, puzzle: str, text: str, about: dict[str, Any], task: dict[str, Any]) -> PageRun:
        """A new run; it starts when there is room for it.

        about  title, pieces and cells of the puzzle
        """
        self.check_room()
        run = PageRun(
            secrets.token_hex(6),
            puzzle,
            str(about["title"]),
            tuple(about["pieces"]),
            int(about["cells"]),
            task,
            text,
        )
        self._runs[run.id] = run
        self._forget_old()
        self._start_next()
        return run

    def _forget_old(self) -> None:
        over = [run for run in self if run.over]
        while over and (
            len(over) > self._limits.ended
            or sum(run.taken for run in self) > REMEMBERED * self._limits.found
        ):
            del self._runs[over.pop(0).id]

    def _start_next(self) -> None:
        """Start the runs for which there is room."""
        going = sum(run.state == "running" for run in self)
        for run in self:
            if going < self._limits.runs and run.state == "waiting":
                run.state = "running"
                run.job = asyncio.create_task(self._search(run))
                going += 1

    async def _search(self, run: PageRun) -> None:
        """Let a child search; take its messages until it ends."""
        try:
            await self._listen(run)
        except Gone as gone:
            if not run.over:
                memory = (
                    f"it took more than {self._limits.mib} MiB of memory: give a smaller puzzle"
                )
                run.error = memory if gone.memory else "the process that searched has failed"
                run.state = "failed"
        except TimeoutError:
            run.state = "limit"
        finally:
            if not run.over:
                run.state = "stopped"
            if run.state == "stopped":
                run.facts.pop("why", None)  # what it was doing, as in "Compiling fila"
            if run.child is not None:
                run.child.kill()
                await run.child.gone()
            await self._changed(run)
            self._start_next()

    async def _listen(self, run: PageRun) -> None:
        run.child = await Child.start("run", mib=self._limits.mib, longest=EVENT)
        async with asyncio.timeout(run.task["seconds"] + GRACE):
            await run.child.say({**run.task, "text": run.text})
            while not run.over:
                self._take(run, json.loads(await run.child.line()))
                await self._changed(run)

    def _take(self, run: PageRun, event: dict[str, Any]) -> None:
        """Take a message of a child."""
        for one in event["solutions"]:
            options, owners, parts = (
                array("i", one[key]) for key in ("options", "owners", "parts")
            )
            found = KeptSolution(len(run.found), options, owners, parts, one["symmetric"])
            if len(run.found) < self._limits.solutions and run.taken < self._limits.found:
                run.found.append(found)
                run.taken += found.bytes
        run.facts |= event["facts"]
        if "state" in event:
            run.error = event.get("error")
            run.state = event["state"]

    async def _changed(self, run: PageRun) -> None:
        """Wake the pages that listen."""
        async with run.changed:
            run.changes += 1
            run.changed.notify_all()

    async def stop(self, run: PageRun) -> None:
        """Stop a run at once."""
        if run.over:
            return
        run.state = "stopped"
        if run.job is None:
            await self._changed(run)
            return
        run.job.cancel()
        with suppress(asyncio.CancelledError):
            await run.job

    def forget(self, run: PageRun) -> None:
        """Forget a run that has ended."""
        del self._runs[run.id]

    @property
    def children(self) -> list[Child]:
        """The children that search."""
        return [run.child for run in self if run.child is not None]


# -- events ---------------------------------------------------------------------------------------


async def events(run: PageRun, seen: int) -> AsyncIterator[bytes]:
    """The events of a run.

    seen  how many of its solutions the client has
    """
    sent = max(0, min(seen, len(run.found)))
    yield b"retry: 1000\n\n"
    while True:
        changes, over = run.changes, run.over
        yield _written("progress", run.progress(), sent)
        while sent < len(run.found):
            for one in run.found[sent : sent + AT_ONCE]:
                sent += 1
                yield _written("solution", one.record(), sent)
            await asyncio.sleep(0)
        if over:
            yield _written("end", run.progress(), sent)
            return
        while not await _waited(run, changes):
            yield b": the run goes on\n\n"
        await asyncio.sleep(PACE)


async def _waited(run: PageRun, changes: int) -> bool:
    """Wait for a change; return whether there was one."""
    try:
        async with asyncio.timeout(ALIVE), run.changed:
            await run.changed.wait_for(lambda: run.changes != changes)
    except TimeoutError:
        return False
    return True


def _written(name: str, value: object, sent: int) -> bytes:
    text = json.dumps(value, separators=(",", ":"))
    return f"event: {name}\nid: {sent}\ndata: {text}\n\n".encode()
