"""Aid for a person who solves a puzzle by hand: what is left, what is forced, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.app.aid.hints import Hint as Hint
    from exactcover.app.aid.player import Aid as Aid
    from exactcover.app.aid.prospects import Prospect as Prospect
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "app.aid.hints": "Hint",
            "app.aid.player": "Aid",
            "app.aid.prospects": "Prospect",
        },
    )
