"""Pictures of puzzles and solutions: one module for each kind of picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.render.plots import plot_estimates, plot_tuning
    from exactcover.show.render.text import Drawer, draw_placements, draw_shape, draw_shapes
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.render.plots": "plot_estimates plot_tuning",
            "show.render.text": "Drawer draw_placements draw_shape draw_shapes",
        },
    )

__all__ = [
    "Drawer",
    "draw_placements",
    "draw_shape",
    "draw_shapes",
    "plot_estimates",
    "plot_tuning",
]
