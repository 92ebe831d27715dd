"""How a search is to be done, as one object with one text form.

A strategy names the backend and how it chooses what to branch on: `dlx:s`. `Strategy.parse` and
`str` are exact inverses.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.errors import StrategyError


@dataclass(frozen=True)
class Strategy:
    """A backend and its heuristic."""

    backend: str = "dlx"
    heuristic: str = "s"

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """The strategy that a text such as `dlx:s` or `dlx` names."""
        from exactcover.backends import get_backend

        name, colon, heuristic = text.strip().partition(":")
        if not name or (colon and not heuristic):
            raise StrategyError(
                f"{text!r} is no strategy: it is written backend:heuristic, for example dlx:s"
            )
        known = get_backend(name).capabilities.heuristics
        if not colon:
            return cls(name, known[0])
        if heuristic not in known:
            raise StrategyError(f"{name} has no heuristic {heuristic!r}: it has {', '.join(known)}")
        return cls(name, heuristic)

    def __str__(self) -> str:
        return f"{self.backend}:{self.heuristic}"
