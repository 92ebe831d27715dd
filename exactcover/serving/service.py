"""What answers requests: the children, the puzzles that are kept, and the runs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from starlette.requests import Request

from exactcover.serving.bounds import Bounds
from exactcover.serving.desks import Desk
from exactcover.serving.kept import Kept
from exactcover.serving.messages import Answer
from exactcover.serving.refusals import Refusal
from exactcover.serving.searches import Searches

QUICK, SLOW, AID = "quick", "slow", "aid"
"""The desks: for questions that a page waits for, for those that may take seconds, and for the aid,
which remembers what it has counted."""

GONE = 0.5
"""Seconds between two looks whether the client of a question has gone."""


class Service:
    """What a server has."""

    def __init__(self, limits: Bounds) -> None:
        self.limits = limits
        self.kept = Kept(limits)
        self.searches = Searches(limits)
        self.desks = {name: Desk(limits, finishes=name != SLOW) for name in (QUICK, SLOW, AID)}
        self.listeners = 0
        self._told: dict[str, Answer] = {}

    async def ask(
        self,
        request: Request,
        question: str,
        given: dict[str, Any],
        *,
        desk: str = QUICK,
        seconds: float | None = None,
    ) -> Answer:
        """The answer of a child; nobody works for a client that has gone."""
        limits = {"cells": self.limits.cells, "bytes": self.limits.answer}
        job = asyncio.create_task(
            self.desks[desk].ask(question, {**given, "limits": limits}, seconds)
        )
        try:
            while not job.done():
                await asyncio.wait({job}, timeout=GONE)
                if not job.done() and await request.is_disconnected():
                    raise Refusal(499, "the client has gone")
        finally:
            if not job.done():
                job.cancel()
                with suppress(asyncio.CancelledError, Refusal):
                    await job
        answer = job.result()
        self.kept.keep(answer.keep)
        return answer

    async def ask_once(
        self, request: Request, question: str, given: dict[str, Any], key: str, seconds: float
    ) -> Answer:
        """An answer that never changes: the child is asked once."""
        if key not in self._told:
            answer = await self.ask(request, question, given, desk=SLOW, seconds=seconds)
            if answer.status != 200:
                return answer
            self._told[key] = answer
        return self._told[key]

    async def puzzle(self, request: Request) -> dict[str, Any]:
        """The puzzle that the address of a request names, for a child."""
        digest = request.path_params["puzzle"]
        return {"id": digest, "text": self.kept.text(digest)}

    async def warm(self) -> None:
        """Start the children, so that the first questions need not wait for them."""
        for desk in self.desks.values():
            await desk.warm()

    async def close(self) -> None:
        """End all children at once."""
        desks = (desk.child for desk in self.desks.values())
        children = [*self.searches.children, *filter(None, desks)]
        for child in children:
            child.kill_now()
        for child in children:
            await child.gone()
