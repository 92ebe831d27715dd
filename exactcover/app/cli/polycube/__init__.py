"""`exactcover polycube`: the switches of polycube, understood."""

from exactcover.app.cli.polycube.command import polycube

__all__ = ["polycube"]
