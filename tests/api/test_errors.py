"""Every error survives pickling, as a process pool needs it."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import exactcover as ec
from exactcover import errors

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "AlreadyRunning": (),
    "BrokenSearch": (KeyboardInterrupt(),),
    "LimitReached": (7, 1.5),
    "TimeUp": (),
    "TooLarge": ("states", 5, 1 << 20, 1e6),
    "UnknownName": ("piece", "Q", ["P"]),
}


NAMES = [
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.ExactCoverError)
]


@pytest.mark.parametrize("name", NAMES)
def test_an_error_is_pickled_with_all_it_carries(name: str) -> None:
    made = getattr(errors, name)(*ARGUMENTS.get(name, ("wrong",)))
    if isinstance(made, errors.LimitReached):
        made.best = ec.first({"x": ["a"]})
    if isinstance(made, errors.FormatError):
        made.at(line=3, file="a.toml")
    copy = pickle.loads(pickle.dumps(made))
    assert (type(copy), str(copy), vars(copy)) == (type(made), str(made), vars(made))
