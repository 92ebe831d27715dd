"""The part of a problem that a task leaves, as a model of CP-SAT: a variable for each option.

The solutions of the model and of the problem must correspond one to one, or listing would give some
twice. The only other variables are the colours of secondary items. Each is true exactly if some
option gives the item that colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from exactcover.backends.tasks import Residue
from exactcover.base.patience import patiently
from exactcover.problem import IntArray, Problem

if TYPE_CHECKING:
    from exactcover.backends.cpsat.cp_sat import CpModel


def stated(problem: Problem, residue: Residue) -> CpModel | None:
    """The model; its first variables are the options left, in their order.

    None if some item has fewer options left than it needs.
    """
    from exactcover.backends.cpsat.cp_sat import CpModel

    sizes = np.bincount(residue.items, minlength=problem.n_items)
    if (residue.need > sizes[: problem.primary]).any():
        return None
    model = CpModel()
    chosen = np.array([model.new_bool_var("") for _ in patiently(residue.options)], object)
    order = np.argsort(residue.items, kind="stable")
    owners = np.repeat(np.arange(residue.options.size), np.diff(residue.starts))[order]
    colours = residue.colours[order]
    ends = np.cumsum(sizes)
    for item in patiently(np.flatnonzero(sizes).tolist()):
        rows = slice(ends[item] - sizes[item], ends[item])
        listed = chosen[owners[rows]].tolist()
        if item < problem.primary:
            _cover(model, listed, int(residue.need[item]), int(residue.room[item]))
        else:
            _agree(model, listed, colours[rows])
    return model


def _cover(model: CpModel, chosen: Sequence[Any], need: int, room: int) -> None:
    """An item is covered by at least `need` and at most `room` of these options."""
    need, room = max(need, 0), min(room, len(chosen))
    if need == room == 1:
        model.add_exactly_one(chosen)
        return
    if room == 1:
        model.add_at_most_one(chosen)
    elif room < len(chosen):
        model.add(sum(chosen) <= room)
    if need == 1:
        model.add_bool_or(chosen)
    elif need > 1:
        model.add(sum(chosen) >= need)


def _agree(model: CpModel, chosen: Sequence[Any], colours: IntArray) -> None:
    """A secondary item is covered once, or by options that give it one colour."""
    if not colours.any():
        model.add_at_most_one(chosen)
        return
    rivals = [option for option, colour in zip(chosen, colours, strict=True) if not colour]
    for colour in np.unique(colours[colours > 0]):
        alike = [option for option, own in zip(chosen, colours, strict=True) if own == colour]
        shown = alike[0]
        if len(alike) > 1:
            shown = model.new_bool_var("")
            for option in alike:
                model.add_implication(option, shown)
            model.add_bool_or([*alike, ~shown])
        rivals.append(shown)
    model.add_at_most_one(rivals)
