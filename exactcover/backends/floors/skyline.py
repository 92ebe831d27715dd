"""The skyline engine as a backend."""

from __future__ import annotations

from exactcover.backends.base import FEATURES, Capabilities, Setting, Task
from exactcover.backends.floors.base import Filling, FloorBackend
from exactcover.backends.skyline.ways import ORDERS, RULES
from exactcover.errors import StrategyError
from exactcover.rectangles import Floor, Whole, symmetries
from exactcover.values.conventions import Convention


class SkylineBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "skyline"
    summary = "rectangles in a rectangle, bricks in a box: always in a gap of what is filled"
    capabilities = Capabilities(
        features=frozenset(FEATURES),
        heuristics=ORDERS,
        settings={
            "rule": Setting(f"one of {', '.join(RULES)}", lambda text: text in RULES, public=True)
        },
    )

    def fill(self, whole: Whole, counted: Convention, task: Task) -> Filling:
        """A search for the solutions of a floor or a box, not yet begun."""
        from exactcover.backends.skyline import BrickSearch, SkylineSearch

        rule, motions = task.settings.get("rule", RULES[0]), symmetries(whole, counted)
        if isinstance(whole, Floor):
            return SkylineSearch(whole, task.heuristic, rule, motions)
        if rule != RULES[0]:
            raise StrategyError(f"rule={rule} is for rectangles; for bricks leave it out")
        return BrickSearch(whole, task.heuristic, motions)


backend = SkylineBackend()
