"""The command line: `exactcover COMMAND [PUZZLE ...]`.

These names, and the decorators of `exactcover.cli.options`, are those that commands of applications
need.
"""

from __future__ import annotations

from exactcover.base import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from exactcover.cli.ends import (
        DONE as DONE,
        INTERRUPTED as INTERRUPTED,
        exit_status as exit_status,
        say as say,
        watch as watch,
    )
    from exactcover.cli.files import (
        PAGES as PAGES,
        GivenPuzzles as GivenPuzzles,
        Target as Target,
        puzzle_in as puzzle_in,
        read_all as read_all,
        read_one as read_one,
    )
    from exactcover.cli.program import main as main
    from exactcover.cli.progress import nth_solution as nth_solution, searching as searching
    from exactcover.cli.reports import (
        Printer as Printer,
        end_words as end_words,
        quantity as quantity,
        solutions as solutions,
        table as table,
    )
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "cli.ends": "DONE INTERRUPTED exit_status say watch",
            "cli.files": "GivenPuzzles PAGES Target puzzle_in read_all read_one",
            "cli.program": "main",
            "cli.progress": "nth_solution searching",
            "cli.reports": "Printer end_words quantity solutions table",
        },
    )
