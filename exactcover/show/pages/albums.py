"""Solutions to page through: their pictures, one at a time or all on a sheet.

A notebook shows the picture of one value. A list of solutions has no picture of its own, so this
page shows them with buttons, a slider and keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from exactcover.base.values.arguments import check_flag, check_kind, check_whole
from exactcover.errors import ExactCoverError
from exactcover.search.result import Solution
from exactcover.show.pages.document import Page, page
from exactcover.show.render.picture import picture

BODY = """\
<main>
  <header class="row spread">
    <h1 id="title"></h1>
    <button id="sheet" aria-pressed="false">All on a sheet <kbd>A</kbd></button>
  </header>
  <section id="one" aria-labelledby="title">
    <div id="picture"></div>
    <div class="row" id="turn">
      <button id="back">Previous <kbd>←</kbd></button>
      <label class="unseen" for="number">Number of the solution</label>
      <input type="range" id="number" min="1" value="1">
      <button id="on">Next <kbd>→</kbd></button>
    </div>
  </section>
  <section id="all" aria-label="All solutions" hidden></section>
  <p id="said" role="status"></p>
</main>"""


def album(
    solutions: Iterable[Solution], *, limit: int = 100, layers: bool = False, names: bool = True
) -> Page:
    """A page on which one turns from the picture of one solution to the next.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_20x3")
        >>> page = ec.album(ec.solve(puzzle))
        >>> page.save("both.html")  # doctest: +SKIP

    A notebook shows the page below the cell; its arrow keys turn, too.

    solutions  of puzzles: a list, or the search itself, of which only `limit` are taken
    limit      the most solutions. Default: 100
    layers     cells in space are drawn in layers, one for each height. Default: False
    names      pieces are drawn with their names. Default: True

    Raises `ExactCoverError` if there is no solution, or for one of a plain problem.
    """
    check_kind("solutions", solutions, Iterable, "solutions of a puzzle")
    check_whole("limit", limit, least=1, optional=False)
    check_flag("layers", layers)
    check_flag("names", names)
    shown = list(islice(solutions, limit))
    if not shown:
        raise ExactCoverError("there is no solution, so there is no album")
    for one in shown:
        check_kind("solutions", one, Solution, "solutions of a puzzle")
    drawn = [picture(one, layers=layers, names=names) for one in shown]
    model = shown[0].model
    title = (model and model.puzzle.name) or "Solutions"
    height = max(one.height for one in drawn)
    return page(
        title,
        BODY,
        main="album.js",
        data={"title": title, "pictures": [one.svg for one in drawn]},
        styles=("album.css",),
        height=round(min(height, 700) + 150),
    )
