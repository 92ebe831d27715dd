"""`exactcover play`: a puzzle as one HTML file that plays without a server.

coded  the placements and the solutions of a puzzle, in few bytes
files  the page: the modules of the Play view of `serving`, with these as the source of its answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.app.playing.files import (
        PlayFile as PlayFile,
        Preparing as Preparing,
        play as play,
    )
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__, {"app.playing.files": "PlayFile Preparing play"}
    )
