"""The in-memory store satisfies the contract: the same tests, except those that read tables."""

import pytest

from faregate_http.store.memory import MemoryStore
from server.store.test_contract import *  # noqa: F403
from server.store.test_expiry import *  # noqa: F403
from server.store.test_hold_limits import *  # noqa: F403
from server.store.test_holds import *  # noqa: F403
from server.store.test_old_claims import *  # noqa: F403
from server.store.test_purging import *  # noqa: F403
from server.store.test_records import *  # noqa: F403

# These read the tables of a database or wait in its queue; the in-memory store has no foreign keys.
for _name in (
    "test_a_cancelled_caller_does_not_affect_others",
    "test_all_claims_of_a_checkout_may_be_dropped",
    "test_a_closed_store_is_unavailable",
    "test_expired_checkouts_are_released_and_counted",
    "test_making_room_for_a_checkout_does_not_release_its_own_holds",
    "test_expired_holds_are_released_by_the_next_save_with_holds",
    "test_expired_holds_make_room_for_old_claims",
    "test_a_refused_save_still_releases_expired_holds",
    "test_sold_units_count",
    "test_invalid_records_are_refused",
    "test_claims_without_capacity_are_dropped",
    "test_claims_with_capacity_are_held",
):
    del globals()[_name]


@pytest.fixture
def database_url(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a name for one store, which a test can open repeatedly."""
    store = MemoryStore()
    monkeypatch.setattr("support.stores.rows.open_store", lambda _: store)
    return "memory"
