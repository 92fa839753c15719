"""Settings without limits on holds and failures, for tests of other features."""

from typing import Any

from faregate_http.options import FailureLimit
from faregate_http.store.contract import HoldLimits

FREE_HOLDS: dict[str, Any] = {
    "hold_limits": HoldLimits(units=None, share=None),
    "scarce_percent": None,
    "admission": None,
}
"""Unlimited holds for as long as the channel allows, and any number of requests at once."""

UNLIMITED: dict[str, Any] = {
    "login_failures": FailureLimit(10**6, 1),
    "code_failures": FailureLimit(10**6, 1),
    "key_failures": FailureLimit(10**6, 1),
    **FREE_HOLDS,
}
"""No rate limit after failures either."""
