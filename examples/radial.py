"""A heuristic of one's own: fill the cells farthest from a point first.

    exactcover count pentominoes_10x6 --plugin examples/radial.py \\
        --strategy "redundancy; volume; dlx:s; dlx:radial@5,3@11"

Or run this file: it counts the pentominoes in a box from both of its ends.
"""

import exactcover as ec


@ec.heuristic("radial", "the farthest from a point of mine first", arguments="x,y,...")
def radial(cell, state):
    """Minus the square of the distance: the cell with the least rating is filled next."""
    away = 0.0
    for axis in range(state.arguments.size):
        away += (state.positions[cell, axis] - state.arguments[axis]) ** 2
    return -away


if __name__ == "__main__":
    for point in ("0,0", "29,2"):
        strategy = f"redundancy; volume; dlx:radial@{point}"
        print(point, ec.count(ec.read("pentominoes_1s_30x3"), strategy=strategy))
