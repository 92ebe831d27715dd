"""Everything that is looked at: pictures, pages and films, text, graphs, parts to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base import on_demand

if TYPE_CHECKING:
    from exactcover.show.board import DrawnBoard as DrawnBoard
    from exactcover.show.document import Page as Page, page as page
    from exactcover.show.film import Film as Film, Filming as Filming, animate as animate
    from exactcover.show.plots import plot_comparison as plot_comparison
    from exactcover.show.text import (
        Drawer as Drawer,
        draw_placements as draw_placements,
        draw_shape as draw_shape,
        draw_shapes as draw_shapes,
    )
    from exactcover.show.viewing import view as view
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.board": "DrawnBoard",
            "show.document": "Page page",
            "show.film": "Film Filming animate",
            "show.plots": "plot_comparison",
            "show.text": "Drawer draw_placements draw_shape draw_shapes",
            "show.viewing": "view",
        },
    )
