"""Plans of small puzzles drawn at random, without filters."""

from __future__ import annotations

from hypothesis import reject
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = ["square", "hexagonal", "sticks-square", "cubic", "triangular"]


def drawn_plan(data: st.DataObject, lattice: str) -> Plan:
    """The plan of a puzzle with up to eight cells whose pieces may fill it."""
    try:
        model = told(data.draw(plain_puzzles(get_lattice(lattice), 8))).model
    except PuzzleError:
        reject()
    if model.reason:
        reject()
    return make_plan(Subject(model.problem, model), Strategy.parse("dlx:s"))
