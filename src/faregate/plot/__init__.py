"""Plots of prices with matplotlib; requires ``faregate[plot]``.

Every function draws on the given axes, or on the axes of a new figure, and returns the axes. The background
of the axes and of their figure is that of the *style*: ``light`` or ``dark``. No global state, such as the
current figure or style, is read or changed. To display a figure in a notebook, use
``price_distribution(...).figure``. ``alt_text`` returns a description of any plot.

Every function raises ``UnknownCurrency`` for a code that ISO 4217 does not list, and ``InvalidOption`` for
another style.
"""

from __future__ import annotations

try:
    from faregate.plot.bridge import amount_bridge, price_waterfall
    from faregate.plot.calendar import price_calendar
    from faregate.plot.distribution import price_distribution
    from faregate.plot.drawing import alt_text
    from faregate.plot.ecdf import price_ecdf
    from faregate.plot.histogram import LogAxis
    from faregate.plot.lead_times import lead_time_curves, lead_time_fan
    from faregate.plot.palettes import Style
    from faregate.plot.shifts import quantile_shifts
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"plots need {missing.name}: install faregate[plot]", name=missing.name
    ) from missing

__all__ = [
    "LogAxis",
    "Style",
    "alt_text",
    "amount_bridge",
    "lead_time_curves",
    "lead_time_fan",
    "price_calendar",
    "price_distribution",
    "price_ecdf",
    "price_waterfall",
    "quantile_shifts",
]
