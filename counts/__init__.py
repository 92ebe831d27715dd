"""Published numbers of solutions beside our own; `python -m counts` makes them again."""
