"""Price insights over HTTP: the prices that count, the price that is compared, the result. Decisions §10.

In the shop of ``piste.yaml``, each of the 31 days from Monday 21 December 2026 costs 60.00, the eight weekend
days 70.00, Christmas 80.00; Christmas Eve is closed.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate.validity.offered_prices import offered_prices as really
from support.service.piste import ADULT, DAY, FAMILY, MORNING, SUNDAY, piste, ticket
from support.service.service import VALLEY_STATION, Clock, Json, data_of, open_checkout, running

PATH = "/api/pricing/insights/distribution"
SHOP = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"
SOUK = "00000000-0000-4000-8000-000000000103"
CHRISTMAS = "2026-12-25"


@pytest.fixture
def clock() -> Clock:
    """Return a clock on a Monday morning."""
    return Clock(MORNING)


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """Yield a client of a service with little capacity."""
    with piste(tmp_path, clock) as client:
        yield client


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of a service with all kinds of products, in Kuwaiti dinars."""
    with running(tmp_path_factory.mktemp("shop"), catalogue=SHOP, channel=SOUK) as client:
        yield client


def judged(client: TestClient, product: int = DAY, **query: Any) -> Json:
    """Return the insights, by default about validities of one day."""
    asked: dict[str, Any] = {"productId": product, "duration": "P1D", **query}
    return data_of(client.get(PATH, params=asked))


def benchmark(client: TestClient, product: int = DAY, **query: Any) -> tuple[object, ...]:
    """Return price, percentile and interpolated percent of the compared price."""
    found = judged(client, product, **query)["benchmark"]
    return found["price"], found["percentile"], found["interpolatedPercent"]


def thresholds(client: TestClient, product: int = DAY, **query: Any) -> tuple[object, object]:
    """Return the prices of the lower and upper threshold."""
    found = judged(client, product, **query)["thresholds"]
    return found["lower"]["price"], found["upper"]["price"]


def no_data(client: TestClient, product: int = DAY, **query: Any) -> str:
    """Return the parameter named in the refusal of a query without prices."""
    asked: dict[str, Any] = {"productId": product, **query}
    response = client.get(PATH, params=asked)
    problem = response.json()
    assert (response.status_code, problem["code"]) == (404, "no-data")
    (error,) = problem["errors"]
    return error["parameter"]  # type: ignore[no-any-return]


def test_a_response_says_how_todays_price_compares(client: TestClient) -> None:
    found = judged(client)

    # 21 of 30 cost 60.00: mid-rank 10.5/30; the middle of ranks 1 to 21 is at 10/29.
    assert found == {
        "benchmark": {"interpolatedPercent": Decimal("34.4828"), "price": 60, "percentile": 35},
        "thresholds": {"upper": {"price": 70, "percentile": 75}, "lower": {"price": 60, "percentile": 25}},
    }


@pytest.mark.parametrize("percent", ["0", "25", "97.5", "33.3333", "50.0", "7.50000", "100"])
def test_percentiles_are_echoed_exactly(client: TestClient, percent: str) -> None:
    found = judged(client, lowerPercentile=percent, upperPercentile=100)["thresholds"]

    assert (found["lower"]["percentile"], found["upper"]["percentile"]) == (Decimal(percent), 100)


def test_the_standard_variant_is_the_default(client: TestClient) -> None:
    assert thresholds(client, productVariantId=ADULT) == thresholds(client) == (60, 70)
    assert thresholds(client, productVariantId=FAMILY) == (150, 150)


def test_todays_price_is_that_of_the_product_page(client: TestClient, clock: Clock) -> None:
    for _ in range(8):
        today = data_of(client.get("/api/products/day"))["standardPriceToday"]
        if today is not None:
            assert benchmark(client, duration=[])[0] == today
        clock.turn(hours=24)


def test_if_today_cannot_be_booked_the_first_bookable_day_is_compared(
    client: TestClient, clock: Clock
) -> None:
    clock.now = MORNING.replace(day=25, hour=16)  # at 17:00, after the cut-off

    assert benchmark(client, dateTo="2027-01-04")[0] == 70  # a Saturday; the last is a Monday


@pytest.mark.parametrize(
    ("start", "price"),
    [
        (CHRISTMAS, 80),
        ("2026-12-25T00:00:00+01:00", 80),
        ("2026-12-24T23:00:00Z", 80),
        ("2026-12-25T00:00", 80),
        (SUNDAY, 70),
        ("2026-12-24", 60),  # closed, but it has a price
        ("2027-02-06", 70),  # not in the window
    ],
)
def test_the_price_of_the_requested_start_is_compared(client: TestClient, start: str, price: int) -> None:
    assert benchmark(client, validFrom=start)[0] == price


def test_a_window_without_bookable_days_has_no_data(client: TestClient) -> None:
    assert no_data(client, dateFrom="2026-12-24", dateTo="2026-12-24") == "dateFrom"
    assert no_data(client, dateFrom="2026-07-01", dateTo="2026-07-02", price=60) == "dateFrom"


@pytest.mark.parametrize(
    "start", ["2026-12-25T09:00:00+01:00", "2026-12-25T00:00:01+01:00", "2026-12-25T00:00Z"]
)
def test_a_start_without_offers_has_no_data_even_if_later_periods_have_a_price(
    client: TestClient, start: str
) -> None:
    problem = client.get(PATH, params={"productId": DAY, "validFrom": start}).json()

    assert problem["code"] == "no-data"
    assert [(error["parameter"], error["reason"]) for error in problem["errors"]] == [
        ("validFrom", "no validity period that begins then has a price")
    ]


def test_prices_are_in_the_currency_of_the_channel(shop: TestClient) -> None:
    found = judged(shop, 12, price="1.234")

    assert found == {
        "benchmark": {"interpolatedPercent": 0, "price": Decimal("1.234"), "percentile": 0},
        "thresholds": {
            "upper": {"price": Decimal("1.235"), "percentile": 75},
            "lower": {"price": Decimal("1.235"), "percentile": 25},
        },
    }


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the products whose prices are computed."""
    asked: list[int] = []

    def offered_prices(query: Any, **others: Any) -> Any:
        asked.append(query.product)
        return really(query, **others)

    monkeypatch.setattr("faregate_http.routes.insights.offered_prices", offered_prices)
    return asked


def test_equal_requests_within_a_second_are_computed_once(
    client: TestClient, clock: Clock, worked_out: list[int]
) -> None:
    first = judged(client)
    clock.turn(seconds=0.9)
    assert judged(client) == first
    assert len(worked_out) == 1

    clock.turn(seconds=0.2)
    judged(client)
    judged(client, price=70)
    assert len(worked_out) == 3


def test_a_new_booking_is_seen_at_once(client: TestClient, worked_out: list[int]) -> None:
    judged(client)
    open_checkout(client, ticket(1))
    judged(client)

    assert len(worked_out) == 2


def test_responses_are_cached_for_each_channel_and_language(
    client: TestClient, worked_out: list[int]
) -> None:
    judged(client)
    client.headers["accept-language"] = "de"
    response = client.get(PATH, params={"productId": DAY, "duration": "P1D"})

    assert response.headers["content-language"] == "de"
    client.headers["service-channel-uuid"] = VALLEY_STATION
    judged(client)
    assert len(worked_out) == 3
