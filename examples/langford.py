"""Put two each of 1..n into a row, with k numbers between the two of k.

    python examples/langford.py

Here a symmetry is broken by hand: each row has a reversal, and one of the two is left out.
"""

import exactcover as ec


def langford(n: int, *, mirrored: bool = False) -> ec.Problem:
    """The rows of two each of 1..n; options are named `(number, first place)`, both from 1.

    With `mirrored`, rows and their reversals both count. Otherwise one number, n or n - 1,
    whichever cannot be its own mirror image, is in the first half only.
    """
    halved = 0 if mirrored else n - (n % 2 == 0)
    options = {
        (k, place): [("number", k), ("place", place), ("place", place + k + 1)]
        for k in range(1, n + 1)
        for place in range(1, 2 * n - k)
        if k != halved or 2 * place < 2 * n - k
    }
    numbers = [("number", k) for k in range(1, n + 1)]
    places = [("place", place) for place in range(1, 2 * n + 1)]
    return ec.Problem.from_options(options, primary=[*numbers, *places])


if __name__ == "__main__":
    print(*(ec.count(langford(n)) for n in range(1, 10)))  # OEIS A014552
    print(ec.count(langford(7, mirrored=True)))
