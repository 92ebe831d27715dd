"""Searching: a subject and a strategy make a plan, and one driver runs the plan's search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base.lazy import on_demand

if TYPE_CHECKING:
    from exactcover.search.driver import Driver
    from exactcover.search.each import Answers, SolvingEach, solve_each
    from exactcover.search.engine import start_cutting, start_search
    from exactcover.search.estimates.monte_carlo import Rate, Totals, Trial, Trials, trials
    from exactcover.search.optimum import (
        Aim,
        Best,
        Optimizing,
        Optimum,
        Packing,
        best,
        minimize,
        pack,
    )
    from exactcover.search.plan import Applied, Plan, make_plan
    from exactcover.search.planned import PlannedSearch
    from exactcover.search.recording import Moment, Recorder, Recording, record
    from exactcover.search.result import Remaining, Result, Solution
    from exactcover.search.solving import Solving, solve
    from exactcover.search.strategy import Filter, Stage, Strategy
    from exactcover.search.subject import Solvable, Subject
    from exactcover.search.tuning import Tuning, tune
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "search.driver": "Driver",
            "search.each": "Answers SolvingEach solve_each",
            "search.estimates.monte_carlo": "Rate Totals Trial Trials trials",
            "search.optimum": "Aim Best Optimizing Optimum Packing best minimize pack",
            "search.engine": "start_cutting start_search",
            "search.plan": "Applied Plan make_plan",
            "search.planned": "PlannedSearch",
            "search.recording": "Moment Recorder Recording record",
            "search.result": "Remaining Result Solution",
            "search.solving": "Solving solve",
            "search.strategy": "Filter Stage Strategy",
            "search.subject": "Solvable Subject",
            "search.tuning": "Tuning tune",
        },
    )

__all__ = [
    "Aim", "Answers", "Applied", "Best", "Driver", "Filter", "Moment", "Optimizing", "Optimum",
    "Packing", "Plan", "PlannedSearch", "Rate", "Recorder", "Recording", "Remaining", "Result",
    "Solution", "Solvable", "Solving", "SolvingEach", "Stage", "Strategy", "Subject", "Totals",
    "Trial", "Trials", "Tuning", "best", "make_plan", "minimize", "pack", "record", "solve",
    "solve_each", "start_cutting", "start_search", "trials", "tune",
]  # fmt: skip
