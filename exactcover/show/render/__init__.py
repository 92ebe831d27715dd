"""Pictures of puzzles and solutions: one module for each kind of picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.render.plots import plot_comparison as plot_comparison
    from exactcover.show.render.text import (
        Drawer as Drawer,
        draw_placements as draw_placements,
        draw_shape as draw_shape,
        draw_shapes as draw_shapes,
    )
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.render.plots": "plot_comparison",
            "show.render.text": "Drawer draw_placements draw_shape draw_shapes",
        },
    )
