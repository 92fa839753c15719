"""How hard Hypothesis searches: ``dev`` by default, ``ci`` where the environment sets CI.

Another profile by name: ``pytest --hypothesis-profile=thorough``.
"""

import os
import sys

import pytest
from hypothesis import settings

settings.register_profile("dev", max_examples=60, deadline=None)
# For runs that look for something else than counterexamples, beside one that does.
settings.register_profile("brief", max_examples=20, deadline=None)
# The same examples in every run, so that a change is judged by what it changes; others are found by all
# other profiles. The blob replays a failure elsewhere.
settings.register_profile(
    "ci", max_examples=40, deadline=None, derandomize=True, database=None, print_blob=True
)
settings.register_profile("thorough", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the database server that the tests of this process have started, if they have."""
    if "serving.postgresql" in sys.modules:
        sys.modules["serving.postgresql"].end_server()
