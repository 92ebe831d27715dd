"""Pictures of puzzles and solutions: one module for each kind of picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.render.candidates import plot_tuning
    from exactcover.render.profiles import plot_estimates
    from exactcover.render.text import Drawer, draw_placements, draw_shape, draw_shapes
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "render.candidates": "plot_tuning",
            "render.profiles": "plot_estimates",
            "render.text": "Drawer draw_placements draw_shape draw_shapes",
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
