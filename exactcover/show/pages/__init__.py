"""Pages for a browser: one self-contained HTML file each, made of modules kept in `assets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.pages.document import Page, page
    from exactcover.show.pages.film import Film, Filming, animate
    from exactcover.show.pages.viewing import view
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.pages.document": "Page page",
            "show.pages.film": "Film Filming animate",
            "show.pages.viewing": "view",
        },
    )

__all__ = ["Film", "Filming", "Page", "animate", "page", "view"]
