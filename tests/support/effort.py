"""How far a search that draws for itself goes: in proportion to the examples that Hypothesis tries."""

from hypothesis import settings

FULL_EXAMPLES = 40


def share_of(count: int) -> int:
    """Return *count* in a full run, and a part of it in a brief one."""
    return min(count, max(1, count * settings().max_examples // FULL_EXAMPLES))
