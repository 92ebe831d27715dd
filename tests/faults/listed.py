"""The faults that `faults.toml` lists."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """A fault to put into the package; `faults.toml` explains the fields."""

    name: str
    says: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def put_into(self, package: Path) -> Path:
        """Put the fault into a copy of the package; return the changed file."""
        path = package / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has its old text {text.count(self.old)}x")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return path


def listed() -> list[Fault]:
    """The faults, in the order of the file."""
    text = Path(__file__).with_name("faults.toml").read_text(encoding="utf-8")
    return [Fault(**one | {"tests": (*one["tests"],)}) for one in tomllib.loads(text)["fault"]]
