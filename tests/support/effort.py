"""The number of examples in searches that draw for themselves, in proportion to that of Hypothesis."""

from hypothesis import settings

FULL_EXAMPLES = 40


def share_of(count: int) -> int:
    """Return *count* in a full run and a part of it in a brief one."""
    return min(count, max(1, count * settings().max_examples // FULL_EXAMPLES))
