"""Subscriptions: renewal rules, dates, billing periods and prorated prices."""
