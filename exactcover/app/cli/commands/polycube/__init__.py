"""`exactcover polycube`: the switches of polycube, understood."""

from exactcover.app.cli.commands.polycube.command import polycube

__all__ = ["polycube"]
