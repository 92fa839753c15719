"""Prices to look at, with matplotlib: needs ``faregate[plot]``.

Every function draws on the axes it is given, or on those of a new figure, and returns them. Nothing
global is read or changed: no current figure, no style. In a notebook the figure shows as
``price_distribution(...).figure``.
"""

from __future__ import annotations

try:
    from faregate.plot.calendar import price_calendar
    from faregate.plot.distribution import price_distribution
    from faregate.plot.lead_times import lead_time_curves
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"plots need {missing.name}: install faregate[plot]", name=missing.name
    ) from missing

__all__ = ["lead_time_curves", "price_calendar", "price_distribution"]
