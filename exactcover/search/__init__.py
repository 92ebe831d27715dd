"""Searching: a subject and a strategy make a plan, and a session runs its search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.base import on_demand

if TYPE_CHECKING:
    from exactcover.search.comparing import (
        Comparison as Comparison,
        compare as compare,
    )
    from exactcover.search.counting.counts import Counting as Counting, count as count
    from exactcover.search.counting.sampling import sample as sample, usage as usage
    from exactcover.search.each import (
        Answers as Answers,
        solve_each as solve_each,
    )
    from exactcover.search.estimating import (
        Estimate as Estimate,
        Estimating as Estimating,
        estimate as estimate,
    )
    from exactcover.search.intervals import Interval as Interval
    from exactcover.search.optimum import (
        Best as Best,
        Optimizing as Optimizing,
        best as best,
    )
    from exactcover.search.plan import Applied as Applied, Plan as Plan, make_plan as make_plan
    from exactcover.search.recording import (
        Moment as Moment,
        Recording as Recording,
        record as record,
    )
    from exactcover.search.result import (
        Remaining as Remaining,
        Result as Result,
        Solution as Solution,
    )
    from exactcover.search.session import Session as Session
    from exactcover.search.solving import Solving as Solving, solve as solve
    from exactcover.search.stages import start_search as start_search
    from exactcover.search.strategy import Filter as Filter, Stage as Stage, Strategy as Strategy
    from exactcover.search.subject import Solvable as Solvable, Subject as Subject
else:
    __all__, __getattr__, __dir__ = on_demand(
        __name__,
        {
            "search.comparing": "Comparison compare",
            "search.counting.counts": "Counting count",
            "search.counting.sampling": "sample usage",
            "search.each": "Answers solve_each",
            "search.estimating": "Estimate Estimating estimate",
            "search.intervals": "Interval",
            "search.optimum": "Best Optimizing best",
            "search.plan": "Applied Plan make_plan",
            "search.recording": "Moment Recording record",
            "search.result": "Remaining Result Solution",
            "search.session": "Session",
            "search.solving": "Solving solve",
            "search.stages": "start_search",
            "search.strategy": "Filter Stage Strategy",
            "search.subject": "Solvable Subject",
        },
    )
