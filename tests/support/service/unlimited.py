"""Settings under which one address may hold all it likes, for tests of something else."""

from typing import Any

from faregate_http.options import FailureLimit
from faregate_http.store.contract import HoldLimits

FREE_HOLDS: dict[str, Any] = {"hold_limits": HoldLimits(units=None, share=None), "scarce_percent": None}
"""Any number of units for as long as the channel says."""

UNLIMITED: dict[str, Any] = {
    "login_failures": FailureLimit(10**6, 1),
    "code_failures": FailureLimit(10**6, 1),
    "key_failures": FailureLimit(10**6, 1),
    **FREE_HOLDS,
}
"""Nobody is held up after failures either."""
