"""Subscriptions: renewal rules, dates, billing periods and prorated prices."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
