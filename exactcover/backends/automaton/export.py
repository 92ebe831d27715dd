"""A diagram of solutions, written for other programs: Graphviz, JSON, a ZDD."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from exactcover.backends.automaton.diagram import Diagram
from exactcover.errors import ExactCoverError

ZDD_NODES = 1 << 16
"""A ZDD has room for at least this many nodes, and for some more for each edge."""


def graphviz(diagram: Diagram) -> str:
    """The diagram in the language of Graphviz: `dot -Tsvg` draws it. Edges are named by options."""
    lines = ["digraph solutions {", "  rankdir=LR;", "  node [shape=point];"]
    for node, to, option in _edges(diagram):
        name = "empty" if option < 0 else str(option)
        lines.append(f'  {node} -> {to} [label="{name}"];')
    return "\n".join([*lines, "}", ""])


def as_json(diagram: Diagram) -> str:
    """The diagram as one JSON object.

    `edges` are lists of a node, the node it leads to, and the option chosen, -1 where a cell is
    left empty; the root is 0, the end the last node. `count` is a string: it may be very large.
    """
    return json.dumps(
        {
            "nodes": len(diagram),
            "count": str(diagram.count),
            "chosen": list(diagram.chosen),
            "edges": _edges(diagram),
        }
    )


def zdd(diagram: Diagram, manager: Any = None) -> tuple[Any, list[int]]:
    """The solutions as a zero-suppressed decision diagram of the package oxidd, and its variables.

    Variable `v` is the option `variables[v]`, counted from the first variable that is added to the
    `manager`, an `oxidd.zbdd.ZBDDManager`. The options of the task are in every solution and left
    out.
    """
    try:
        from oxidd.zbdd import ZBDDManager
    except ImportError:
        raise ExactCoverError(
            "a ZDD needs the package oxidd: pip install 'exactcover[zdd]'"
        ) from None
    labels = np.unique(diagram.label[diagram.option[diagram.label] >= 0])
    labels = labels[np.lexsort((labels, diagram.place[labels]))]
    manager = manager or ZBDDManager(ZDD_NODES + 4 * diagram.target.size, ZDD_NODES, 1)
    variables = manager.add_vars(labels.size)
    single = {
        label: manager.singleton(variable)
        for label, variable in zip(labels.tolist(), variables, strict=True)
    }
    made: list[Any] = [manager.empty()] * len(diagram)
    if made:
        made[-1] = manager.base()
    for node in range(len(diagram) - 2, -1, -1):
        edges = slice(int(diagram.starts[node]), int(diagram.starts[node + 1]))
        ways = sorted(
            zip(diagram.label[edges].tolist(), diagram.target[edges].tolist(), strict=True)
        )
        rest = manager.empty()
        for _, to in (way for way in ways if way[0] not in single):
            rest = rest | made[to]  # a cell left empty is no variable
        for label, to in (way for way in ways[::-1] if way[0] in single):
            rest = single[label].make_node(made[to], rest)
        made[node] = rest
    return made[0] if made else manager.empty(), diagram.option[labels].tolist()


def _edges(diagram: Diagram) -> list[list[int]]:
    """For each edge: its node, the node it leads to, and its option."""
    owner = np.repeat(np.arange(len(diagram)), np.diff(diagram.starts))
    option = diagram.option[diagram.label]
    edges: list[list[int]] = np.stack([owner, diagram.target, option], axis=1).tolist()
    return edges
