"""The in-memory store satisfies the contract: the same tests, except those that read tables."""

from __future__ import annotations

import pytest

from faregate_http.store.memory import MemoryStore
from server.store.test_contract import *  # noqa: F403
from server.store.test_expiry import *  # noqa: F403
from server.store.test_hold_limits import *  # noqa: F403
from server.store.test_holds import *  # noqa: F403
from server.store.test_old_claims import *  # noqa: F403
from server.store.test_records import *  # noqa: F403

# These read the tables of a database or wait in its queue; the in-memory store has no foreign keys.
for _name in (
    "test_a_cancelled_caller_disturbs_nobody",
    "test_a_checkout_may_go_without_everything",
    "test_a_closed_store_is_unavailable",
    "test_expired_checkouts_are_released_and_counted",
    "test_making_way_for_a_checkout_does_not_release_its_own_holds",
    "test_what_has_expired_is_released_by_the_next_that_holds",
    "test_what_has_expired_makes_room_for_it",
    "test_what_is_refused_releases_what_has_expired_all_the_same",
    "test_what_is_sold_counts",
    "test_what_the_tables_do_not_take_is_refused",
    "test_what_there_is_no_room_for_is_gone_without",
    "test_what_there_is_room_for_is_held",
):
    del globals()[_name]


@pytest.fixture
def database_url(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a name for one store, which a test can open repeatedly."""
    store = MemoryStore()
    monkeypatch.setattr("support.stores.rows.open_store", lambda _: store)
    return "memory"
