"""Filters: they remove options or solutions that are not wanted. They read problems and layouts."""

from exactcover.problem.filters.kinds import Filtered, FilterKind
from exactcover.problem.filters.registry import filter_kinds, get_filter_kind, option_filter
from exactcover.problem.filters.tree import Subtree

__all__ = [
    "FilterKind",
    "Filtered",
    "Subtree",
    "filter_kinds",
    "get_filter_kind",
    "option_filter",
]
