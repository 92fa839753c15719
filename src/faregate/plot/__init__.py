"""Plots of prices with matplotlib; requires ``faregate[plot]``.

Every function draws on the given axes, or on the axes of a new figure, and returns the axes. No global
state, such as the current figure or style, is read or changed. To display a figure in a notebook, use
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
