"""All solutions as one diagram, and solutions drawn from it at random.

    for solution in ec.sample(ec.read("pentominoes_15x4"), 3, seed=1):
        print(ec.draw(solution))

The diagram is made by the automaton, so it takes what that takes: tilings, and plain problems
without colours, as long as their states fit the memory; `TooLarge` says when they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from exactcover.backends import get_backend, require
from exactcover.backends.base import Task
from exactcover.solver import Solution, Subject, problem_of

if TYPE_CHECKING:
    from exactcover.backends.automaton.diagram import Diagram


def diagram(subject: Subject, *, chosen: Sequence[int] = (), memory: int | None = None) -> Diagram:
    """All solutions, or those with the chosen options, as a diagram.

    `memory` bounds what its states may take, in MiB; None: half of what is free.
    """
    from exactcover.backends.automaton import diagram as made

    problem, model = problem_of(subject)
    require(get_backend("automaton"), problem)
    settings = {} if memory is None else {"memory": str(memory)}
    layout = None if model is None else model.layout
    return made(problem, layout, Task(tuple(chosen), settings=settings))


def sample(
    subject: Subject,
    many: int = 1,
    *,
    seed: int | None = None,
    chosen: Sequence[int] = (),
    memory: int | None = None,
) -> list[Solution]:
    """Solutions drawn at random, each as likely as any other, symmetric copies among them.

    Nothing is drawn where there is no solution. The same one may be drawn twice.
    """
    problem, model = problem_of(subject)
    drawn = diagram(subject if model is not None else problem, chosen=chosen, memory=memory)
    return [Solution(options, problem, model) for options in drawn.sample(many, seed)]
