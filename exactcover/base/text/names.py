"""One way to give distinct names to copies, and to pieces of the same name, wherever they occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence


def numbered(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Distinct names: those that occur several times, or are taken, get numbers: `L1`, `L2`.

    A name that ends in a digit is numbered `I5_1`. No number makes a name that is there already.
    """
    times, number = Counter(names), Counter[str]()
    reserved = {*names, *taken}
    found = []
    for name in names:
        if times[name] > 1 or name in taken:
            own = name
            while own in reserved:
                number[name] += 1
                own = f"{name}{'_' * name[-1:].isdigit()}{number[name]}"
            reserved.add(own)
            name = own
        found.append(name)
    return found
