"""The switches of polycube, parsed and translated into a strategy. No file is read here."""

from exactcover.app.cli.commands.polycube.switches.reading import (
    PolycubeSwitches,
    Sampling,
    configured,
    read_switches,
)
from exactcover.app.cli.commands.polycube.switches.table import DIALECTS, SWITCHES, Switch
from exactcover.app.cli.commands.polycube.switches.translation import Translation, translate

__all__ = [
    "DIALECTS",
    "SWITCHES",
    "PolycubeSwitches",
    "Sampling",
    "Switch",
    "Translation",
    "configured",
    "read_switches",
    "translate",
]
