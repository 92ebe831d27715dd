"""Pages for a browser: one self-contained HTML file each, made of modules kept in `assets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.show.pages.document import Page as Page, page as page
    from exactcover.show.pages.film import Film as Film, Filming as Filming, animate as animate
    from exactcover.show.pages.viewing import view as view
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "show.pages.document": "Page page",
            "show.pages.film": "Film Filming animate",
            "show.pages.viewing": "view",
        },
    )
