"""Searching: from a subject and a strategy to a plan, to a search, to what one driver collects."""
