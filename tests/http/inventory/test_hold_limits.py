"""Limits on anonymous holds on a public channel, and their exceptions. Decisions §11.7."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.checkouts.holders import Holders
from faregate_http.options import DEFAULT_HOLD_LIMITS
from faregate_http.store.contract import HoldLimits
from faregate_server.settings import InvalidSettings, Settings
from support.service.customers import logged_in, serving_accounts
from support.service.identity_provider import Provider
from support.service.piste import SUNDAY, ticket
from support.service.raw_requests import reasons
from support.service.service import VALLEY_STATION, Clock, Json, data_of, new_url, running

ARENA = Path(__file__).parents[2] / "support" / "catalogues" / "arena.yaml"
ARENA_SEAT, HALL_SEAT = 10, 20
MONDAY = "2026-12-28"

AS_SERVED: dict[str, Any] = {"catalogue": ARENA, "hold_limits": DEFAULT_HOLD_LIMITS, "scarce_percent": 80}
AT_THE_COUNTER = {"service-channel-uuid": VALLEY_STATION}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """Yield a client of a service with the default limits of the server."""
    with running(tmp_path, clock=clock, **AS_SERVED) as client:
        yield client


def ask(
    client: TestClient,
    units: int,
    variant: int = ARENA_SEAT,
    *,
    url: str | None = None,
    day: str = SUNDAY,
    address: str | None = None,
    **headers: Any,
) -> Any:
    """Return the response to a client at *address* that adds *units* seats to a checkout."""
    if address is not None:
        client._transport.client = (address, 50_000)  # type: ignore[attr-defined]
    target = url or new_url()
    first = 1 if url is None else len(items_of(client, target, **headers)) + 1
    items = [ticket(first + n, variant, day) for n in range(units)]
    return client.post(f"{target}/items", json={"items": items}, **headers)


def items_of(client: TestClient, url: str, **headers: Any) -> list[Json]:
    shown = client.get(url, **headers)
    return data_of(shown)["items"] if shown.status_code == 200 else []


def hold(client: TestClient, units: int, variant: int = ARENA_SEAT, **others: Any) -> Json:
    return data_of(ask(client, units, variant, **others))


def fill(client: TestClient, units: int, *, day: str = SUNDAY) -> None:
    """Hold units of the arena at the counter, which has no limits."""
    hold(client, units, day=day, headers=AT_THE_COUNTER)


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


def taken(client: TestClient, pool: str = "arena", day: str = SUNDAY) -> int:
    assert client.portal is not None
    services = client.app_state["services"]

    async def count() -> int:
        counts = await services.store.taken([pool], day, day, at=0)
        return sum(count.held for count in counts)

    return client.portal.call(count)


def test_a_checkout_without_an_account_has_60_units_on_a_public_channel(client: TestClient) -> None:
    url = new_url()
    hold(client, 60, url=url)

    assert code_of(ask(client, 1, url=url)) == (422, "too-many-units")
    quantity = client.patch(f"{url}/items/1/quantity", json={"delta": 1})
    assert code_of(quantity) == (422, "too-many-units")
    assert taken(client) == 60


def test_an_account_lifts_the_limits(tmp_path: Path, provider: Provider, clock: Clock) -> None:
    with serving_accounts(tmp_path, provider, clock=clock, **AS_SERVED) as client:
        mine = logged_in(client, provider.token())

        hold(client, 450, headers=mine)
        hold(client, 300, headers=mine)

        hold(client, 60)


def test_logging_in_releases_the_holds_of_the_address(
    tmp_path: Path, provider: Provider, clock: Clock
) -> None:
    with serving_accounts(tmp_path, provider, clock=clock, **AS_SERVED) as client:
        url = new_url()
        hold(client, 12, HALL_SEAT, url=url)
        assert code_of(ask(client, 1, HALL_SEAT)) == (429, "too-many-held")

        data_of(client.get(url, headers=logged_in(client, provider.token())))

        hold(client, 12, HALL_SEAT)


def test_exceeding_a_limit_that_waiting_cannot_lift_is_422(client: TestClient) -> None:
    refused = ask(client, 13, HALL_SEAT)

    assert code_of(refused) == (422, "too-many-units")
    assert "retry-after" not in refused.headers
    assert reasons(refused.json()) == [
        "expected at most 12 units of hall on 2026-12-27 without an account, got 13"
    ]


def test_a_refusal_says_when_the_clients_first_hold_ends(client: TestClient, clock: Clock) -> None:
    hold(client, 6, HALL_SEAT)
    clock.turn(minutes=4)
    hold(client, 6, HALL_SEAT)
    clock.turn(seconds=30.5)

    refused = ask(client, 6, HALL_SEAT)

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1530")
    clock.turn(seconds=1530)
    hold(client, 6, HALL_SEAT)


def test_ipv6_addresses_are_limited_by_network(client: TestClient) -> None:
    hold(client, 12, HALL_SEAT, address="2001:db8:0:1::1")

    assert code_of(ask(client, 1, HALL_SEAT, address="2001:db8:0:1:ffff::2")) == (429, "too-many-held")
    hold(client, 12, HALL_SEAT, address="2001:db8:0:2::1")


def test_addresses_are_hashed_under_the_secret_of_the_service() -> None:
    def holders(**settings: Any) -> Holders:
        options = Settings(**{"database": "sqlite:///one.db", **settings}).options()
        return Holders(options.hold_limits, options.holder_key)

    one, other = holders(), holders(database="sqlite:///other.db")

    assert one.holder("192.0.2.1") == holders().holder("192.0.2.1") != one.holder("192.0.2.2")
    assert one.holder("192.0.2.1") != other.holder("192.0.2.1")
    assert one.holder("\ud800") != one.holder("192.0.2.1")
    secret = {"is_development": True, "token_secret": "-" * 32}
    assert holders(**secret).key == holders(database="sqlite:///other.db", **secret).key != one.key


def remaining(checkout: Json, clock: Clock) -> timedelta:
    return datetime.fromisoformat(checkout["expiresAt"]) - clock.now


def test_holds_are_shorter_once_four_fifths_of_a_day_are_taken(client: TestClient, clock: Clock) -> None:
    fill(client, 450)
    fill(client, 349)
    early, url = hold(client, 1, day=MONDAY), new_url()

    last = hold(client, 1, url=url)

    assert remaining(early, clock) == timedelta(minutes=30)
    assert remaining(last, clock) == timedelta(minutes=10)
    clock.turn(minutes=9)
    conditions = client.post(f"{url}/checkout-conditions", json={"formValues": {}})
    assert remaining(data_of(conditions), clock) >= timedelta(minutes=1)
    clock.turn(minutes=11)
    assert data_of(client.get(url))["status"] == "EXPIRED"


def test_holds_keep_their_full_length_just_below_the_threshold(client: TestClient, clock: Clock) -> None:
    fill(client, 450)
    fill(client, 347)
    url = new_url()

    for _ in range(2):
        assert remaining(hold(client, 1, url=url), clock) == timedelta(minutes=30)
    assert remaining(hold(client, 1), clock) == timedelta(minutes=10)


def test_other_clients_holds_are_read_again_after_a_second(client: TestClient, clock: Clock) -> None:
    assert remaining(hold(client, 1), clock) == timedelta(minutes=30)
    fill(client, 450)
    fill(client, 450)
    clock.turn(seconds=2)

    assert remaining(hold(client, 1, day=MONDAY), clock) == timedelta(minutes=30)
    assert remaining(hold(client, 1), clock) == timedelta(minutes=10)


def test_other_clients_holds_are_read_again_when_the_clock_is_set_back(
    client: TestClient, clock: Clock
) -> None:
    assert remaining(hold(client, 1), clock) == timedelta(minutes=30)
    fill(client, 450)
    fill(client, 450)
    clock.turn(seconds=-5)

    assert remaining(hold(client, 1), clock) == timedelta(minutes=10)


def test_refused_and_shorter_holds_are_counted(client: TestClient) -> None:
    ask(client, 61)
    hold(client, 12, HALL_SEAT)
    ask(client, 1, HALL_SEAT)
    fill(client, 450)
    fill(client, 450)
    hold(client, 1)

    text = client.get("/metrics").text

    assert 'faregate_problems_total{code="too-many-units"} 1.0' in text
    assert 'faregate_problems_total{code="too-many-held"} 1.0' in text
    assert "faregate_short_holds_total 1.0" in text


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"hold_limits": HoldLimits(units=0)}, "expected units >= 1 and always >= 0, got 0 and 12"),
        ({"hold_limits": HoldLimits(always=-1)}, "expected units >= 1 and always >= 0, got 400 and -1"),
        ({"hold_limits": HoldLimits(share=101)}, "share: expected 0 to 100 percent, got 101"),
        ({"hold_limits": HoldLimits(anonymous_share=-1)}, "anonymous_share: expected 0 to 100"),
        ({"scarce_percent": 101}, "scarce_percent: expected 0 to 100 percent, got 101"),
    ],
)
def test_impossible_limits_are_refused(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidSettings, match=fault):
        Settings(**settings)
