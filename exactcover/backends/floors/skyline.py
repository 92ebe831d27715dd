"""The skyline engine as a backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.backends.base import FEATURES, Capabilities, Setting, Task
from exactcover.backends.floors.base import Filling, FloorBackend
from exactcover.rectangles import symmetries

if TYPE_CHECKING:
    from exactcover.rectangles import Floor

RULES = ("pruned", "plain")


class SkylineBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "skyline"
    summary = "rectangles in a rectangle, always at the lowest place, then the leftmost"
    capabilities = Capabilities(
        features=frozenset(FEATURES),
        heuristics=("largest", "widest", "given", "smallest"),
        settings={"rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES)},
    )

    def fill(self, floor: Floor, counted: str, task: Task) -> Filling:
        """A search for the solutions of a floor, not yet begun."""
        from exactcover.backends.skyline import SkylineSearch

        rule = task.settings.get("rule", "pruned")
        return SkylineSearch(floor, task.heuristic, rule, symmetries(floor, counted))


backend = SkylineBackend()
