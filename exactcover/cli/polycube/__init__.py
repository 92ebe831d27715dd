"""`exactcover polycube`: the switches of polycube, understood."""

from exactcover.cli.polycube.command import polycube

__all__ = ["polycube"]
