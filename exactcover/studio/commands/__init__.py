"""The commands of the applications, each a command of click: see pyproject.toml."""
