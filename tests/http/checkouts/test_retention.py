"""Personal data in abandoned checkouts is removed a day after they expired. Decisions §11.2."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from faregate_http.checkouts import retention
from faregate_http.checkouts.retention import Retention
from faregate_http.store.contract import CheckoutRow
from support.payment.fake_gateway import Act, Plan
from support.payment.till import STRICT, Shop, meal, shop
from support.service.service import data_of
from support.stores.capacity import ask

SECRETS = ("Lindenhof", "Rose Cottage", "Scutari", '"person"')
ADDRESS = {"addressLine1": "Lindenhof 3", "zip": "7000", "city": "Chur", "countryCode": "CH"}
ANSWERS = {
    "billingAddress": ADDRESS,
    "shippingAddress": {**ADDRESS, "addressLine1": "Rose Cottage"},
    "hotel": "Scutari",
    "donation": 2,
    "acceptTerms": True,
}
AT_STRICT = {"service-channel-uuid": STRICT}


@pytest.fixture
def place(till_url: str) -> Iterator[Shop]:
    """Yield a separate shop on each database."""
    with shop(till_url) as opened:
        yield opened


def abandoned(place: Shop, **headers: str) -> str:
    """Return the path of a checkout with much personal data, and a person if it has an account."""
    at_strict = {**headers, **AT_STRICT}
    url = place.opened(meal(1), **at_strict)
    said = place.client.post(f"{url}/checkout-conditions", json={"formValues": ANSWERS}, headers=at_strict)
    data_of(said)
    return url


def a_day_after_its_end(place: Shop) -> None:
    place.clock.turn(hours=24, minutes=30)


def walked(place: Shop, walker: Retention) -> int:
    """Walk once, and return how many checkouts were blanked."""
    blanked: int = place.call(walker.walk, place.clock.now)
    return blanked


def tidied(place: Shop) -> int:
    """Run the housekeeping from the first checkout on."""
    return walked(place, Retention(place.services.store))


def stored(url: str) -> list[Any]:
    return ask(url, "SELECT inputs, revision, changed_at, expires_at FROM checkouts ORDER BY id")


def test_a_day_after_its_end_only_the_personal_data_is_removed(place: Shop, till_url: str) -> None:
    customer = place.customer({"firstName": "Florence"})
    at_strict = {**customer.headers, **AT_STRICT}
    url = place.opened(meal(1, personId=customer.persons[0]), **at_strict)
    said = place.client.post(f"{url}/checkout-conditions", json={"formValues": ANSWERS}, headers=at_strict)
    data_of(said)
    [(before, revision, *times)] = stored(till_url)
    a_day_after_its_end(place)

    assert tidied(place) == 1

    [(after, *others)] = stored(till_url)
    assert all(secret in before and secret not in after for secret in SECRETS)
    assert others == [revision + 1, *times]
    assert (json.loads(after)["donation"], json.loads(after)["items"][0]["variant"]) == (200, 30)


def test_nothing_is_removed_until_then(place: Shop, till_url: str) -> None:
    abandoned(place)
    a_day_after_its_end(place)
    place.clock.turn(milliseconds=-1)
    before = stored(till_url)

    assert tidied(place) == 0

    assert stored(till_url) == before


def test_paid_checkouts_keep_all_data(place: Shop, till_url: str) -> None:
    customer = place.customer(method="ECA")
    headers = {**customer.headers, **AT_STRICT}
    data_of(place.pay(abandoned(place, **customer.headers), 22, headers))
    a_day_after_its_end(place)
    before = stored(till_url)

    assert tidied(place) == 0

    assert stored(till_url) == before


def test_a_payment_still_pending_by_then_is_cancelled(place: Shop) -> None:
    customer = place.customer(method="ECA")
    url = abandoned(place, **customer.headers)
    place.gateway.plans.append(Plan.WAIT)
    data_of(place.pay(url, 22, {**customer.headers, **AT_STRICT}))
    a_day_after_its_end(place)
    [pending] = place.payments(url)

    assert tidied(place) == 1

    place.gateway.confirm(pending.id, Act.CAPTURED)
    place.work()
    [ended] = place.payments(url)
    assert (pending.status, ended.status) == ("PENDING", "CANCELLED")


def test_all_checkouts_are_covered_in_limited_steps(
    place: Shop, till_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 3)
    monkeypatch.setattr(retention, "_STEPS", 2)
    for _ in range(10):
        abandoned(place)
    a_day_after_its_end(place)
    walker = Retention(place.services.store)

    assert [walked(place, walker) for _ in range(3)] == [6, 4, 0]

    assert not any(secret in text for text, *_ in stored(till_url) for secret in SECRETS)


def test_a_walk_that_starts_in_the_middle_wraps_around(place: Shop, till_url: str) -> None:
    for _ in range(3):
        abandoned(place)
    a_day_after_its_end(place)
    [_, (second,), _] = ask(till_url, "SELECT id FROM checkouts ORDER BY id")
    walker = Retention(place.services.store, begun=second)

    assert [walked(place, walker) for _ in range(3)] == [1, 2, 0]
    place.clock.turn(hours=30 * 24)
    walked(place, walker)
    assert walker.deleted == 3


def test_a_row_changed_by_another_process_is_skipped(place: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        abandoned(place)
    a_day_after_its_end(place)
    store = place.services.store
    found = store.walk

    async def overtaken(*, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        rows = await found(after=after, limit=limit)
        if rows:
            await store.save(rows[0]._replace(revision=rows[0].revision + 1, inputs=b"{}"))
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(store, "walk", overtaken)
        first = tidied(place)

    assert (first, tidied(place)) == (1, 0)


def test_after_thirty_days_only_abandoned_checkouts_are_deleted(place: Shop, till_url: str) -> None:
    customer = place.customer(method="ECA")
    headers = {**customer.headers, **AT_STRICT}
    paid = abandoned(place, **customer.headers)
    data_of(place.pay(paid, 22, headers))
    declined = abandoned(place, **customer.headers)
    place.gateway.plans.append(Plan.DECLINE)
    place.pay(declined, 22, headers)
    gone = abandoned(place)
    walker = Retention(place.services.store)
    place.clock.turn(minutes=31)
    kept = {path.rpartition("/")[2] for path in (paid, declined)}

    place.clock.turn(hours=30 * 24 - 1)
    walked(place, walker)
    assert (walker.deleted, len(stored(till_url))) == (0, 3)
    place.clock.turn(hours=1)
    walked(place, walker)

    assert walker.deleted == 1
    assert {row for (row,) in ask(till_url, "SELECT id FROM checkouts")} == kept
    assert gone.rpartition("/")[2] not in kept
    assert ask(till_url, "SELECT id FROM orders") == [(paid.rpartition("/")[2],)]
