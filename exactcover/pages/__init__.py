"""Pages for a browser: one self-contained HTML file each, made of modules kept in `assets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.pages.albums import album
    from exactcover.pages.document import Page, page
    from exactcover.pages.film import Film, Filming, animate
    from exactcover.pages.viewing import view
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "pages.albums": "album",
            "pages.document": "Page page",
            "pages.film": "Film Filming animate",
            "pages.viewing": "view",
        },
    )

__all__ = ["Film", "Filming", "Page", "album", "animate", "page", "view"]
