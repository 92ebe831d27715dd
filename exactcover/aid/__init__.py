"""Aid for a person who solves a puzzle by hand: what is left, what is forced, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.aid.hints import Hint
    from exactcover.aid.player import Aid
    from exactcover.aid.prospects import Prospect
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "aid.hints": "Hint",
            "aid.player": "Aid",
            "aid.prospects": "Prospect",
        },
    )

__all__ = ["Aid", "Hint", "Prospect"]
