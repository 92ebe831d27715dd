"""Applications: the local page, pages to play, parts to make, burrs to take apart.

They use the public names of the package alone, and nothing imports them; their commands are entry
points of the group `exactcover.commands`, as those of another package would be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base import on_demand

if TYPE_CHECKING:
    from exactcover.studio.playing import play as play
else:
    __all__, __getattr__, __dir__ = on_demand(__name__, {"studio.playing": "play"})
