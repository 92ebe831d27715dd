"""Which manner the next job gets: the upper-confidence rule of bandits, by counts alone.

The reward of a job is how few cells it left open. A manner that is good or little tried comes next.
No clock is read, so a run with the same seed chooses the same.
"""

from __future__ import annotations

from math import log, sqrt

CURIOSITY = 0.7


class Race:
    """The manners of a race and what each has come to.

    many   how many manners there are
    scale  the cells that a job leaves open if it does not even begin
    """

    def __init__(self, many: int) -> None:
        self._tried = [0] * many
        self._given = [0] * many
        self._mean = [0.0] * many
        self._spread = 1.0

    def give(self) -> int:
        """The manner of the next job."""
        fresh = [number for number, given in enumerate(self._given) if not given]
        if fresh and sum(self._given) % 2 == 0:
            chosen = fresh[0]
        else:
            chosen = max(range(len(self._given)), key=self._promise)
        self._given[chosen] += 1
        return chosen

    def turns(self, manner: int) -> int:
        """How many jobs a manner was given."""
        return self._given[manner]

    def learn(self, manner: int, left_open: float) -> None:
        """Take in what a job with this manner left open."""
        self._tried[manner] += 1
        self._mean[manner] += (left_open - self._mean[manner]) / self._tried[manner]
        means = [mean for mean, tried in zip(self._mean, self._tried, strict=True) if tried]
        self._spread = max(1.0, sum(means) / len(means))

    def _promise(self, manner: int) -> float:
        if not self._tried[manner]:
            return -float("inf")
        curious = sqrt(log(1 + sum(self._given)) / self._given[manner])
        return CURIOSITY * curious - self._mean[manner] / self._spread

    def best(self) -> int:
        """The manner with the best mean so far; 0 if none was tried."""
        tried = [number for number, many in enumerate(self._tried) if many]
        return min(tried, key=lambda number: self._mean[number], default=0)


def luby(number: int) -> int:
    """The lengths of restarts that are nearly as good as the best fixed length, whatever it is:
    1, 1, 2, 1, 1, 2, 4 and so on (Luby, Sinclair and Zuckerman, 1993); `number` counts from 1."""
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2
