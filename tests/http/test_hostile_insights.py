"""Questions about prices that cannot be: refused by name, all faults at once, with the right status."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from serving.piste import ADULT, CAR, CAR_PARK, DAY, GUIDE, piste
from serving.service import VALLEY_STATION, WEBSHOP, Json, running

PATH = "/api/pricing/insights/distribution"
SHOP = Path(__file__).with_name("product_shop.yaml")
SOUK = "00000000-0000-4000-8000-000000000103"
LONG = "9" * 4000


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Of a service with few places, on a Monday morning."""
    with piste(tmp_path_factory.mktemp("piste")) as client:
        yield client


@pytest.fixture(scope="module")
def souk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Of a service that sells in dinars of a thousand fils."""
    with running(tmp_path_factory.mktemp("souk"), catalogue=SHOP, channel=SOUK) as client:
        yield client


def refused(client: TestClient, query: str, **headers: str) -> list[str]:
    """The parameters or headers that are named in the refusal of a query, in order."""
    response = client.get(f"{PATH}?{query}", headers=headers)
    problem: Json = response.json()
    assert (response.status_code, problem["code"]) == (400, "invalid-request"), response.text
    assert all(error["reason"] for error in problem["errors"])
    return [error.get("parameter", error.get("header")) for error in problem["errors"]]


# ---------------------------------------------------------------- one fault

NO_IDS = (
    "",
    "0",
    "-1",
    "1.0",
    "1e0",
    "01",
    "+1",
    "%2B1",
    "%201",
    "x",
    "null",
    "true",
    "%00",
    "%EF%BC%91",
    LONG,
)
NO_DAYS = (
    "",
    "today",
    "2026-2-3",
    "2026-02-30",
    "2026-12-27T00:00:00Z",
    "1899-12-31",
    "9000-01-01",
    "20261227",
)
NO_STARTS = (
    "",
    "tomorrow",
    "2026-02-30",
    "2026-12-27T24:00",
    "2026-12-27 00:00",
    "2026-12-27T00:00:00+01:00",  # a plus sign that is not escaped is a blank
    "2026-12-27T00:00%2B99:00",
    "1899-12-31",
    "9000-01-01",
    "8999-12-31T23:30:00Z",  # in Zurich the year 9000
    "0001-01-01T00:00:00%2B14:00",
    "1798326000",
    "2026-W52-7",
    "2026-12-27T00:00:00.1234567Z",
    LONG,
)
NO_PRICES = (
    "",
    "-1",
    "-0",
    "1e1",
    "1.",
    ".5",
    "00.5",
    "01",
    "%2B5",
    "1,5",
    "1'000",
    "1_000",
    "0x10",
    "NaN",
    "Infinity",
    "CHF%205",
    "5.005",
    "0.001",
    "10000000000.01",
    "9999999999999999",
    "5%20",
    "%D9%A5",
    LONG,
)
NO_PERCENTAGES = (
    "",
    "-0.0001",
    "-0",
    "100.0001",
    "101",
    "1000",
    "33.33333",
    "0.00001",
    "1e1",
    "25%25",
    "1/4",
    "nan",
    ".5",
    "5.",
    "025",
    LONG,
)
BAD_VALUES = [
    *[(f"productId={text}", "productId") for text in NO_IDS],
    *[(f"productId=1&productVariantId={text}", "productVariantId") for text in NO_IDS],
    *[(f"productId=1&dateFrom={text}", "dateFrom") for text in NO_DAYS],
    *[(f"productId=1&dateTo={text}", "dateTo") for text in NO_DAYS],
    *[(f"productId=1&validFrom={text}", "validFrom") for text in NO_STARTS],
    *[(f"productId=1&price={text}", "price") for text in NO_PRICES],
    *[(f"productId=1&lowerPercentile={text}", "lowerPercentile") for text in NO_PERCENTAGES],
    *[(f"productId=1&upperPercentile={text}", "upperPercentile") for text in NO_PERCENTAGES],
    *[(f"productId=1&duration={text}", "duration") for text in ("", "1D", "P", "PT", "P4D", "P1D%20", LONG)],
]


@pytest.mark.parametrize(("query", "parameter"), BAD_VALUES, ids=lambda text: text[:60])
def test_a_bad_value_is_refused_by_the_name_of_its_parameter(
    client: TestClient, query: str, parameter: str
) -> None:
    assert refused(client, query) == [parameter]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "productId"),
        ("dateFrom=2026-12-27", "productId"),
        ("productId=1&productId=1", "productId"),
        ("productId=1&productId=2", "productId"),
        ("productId=1&productVariantId=10&productVariantId=11", "productVariantId"),
        ("productId=1&price=5&price=5", "price"),
        ("productId=1&validFrom=2026-12-27&validFrom=2026-12-28", "validFrom"),
        ("productId=1&lowerPercentile=1&lowerPercentile=2", "lowerPercentile"),
        ("productId=1&dateFrom=2026-12-27&dateFrom=2026-12-28", "dateFrom"),
        ("productId=1&" + "&".join(["duration=P1D"] * 501), "duration"),
        ("productId=1&duration=P1D&duration=P9D", "duration"),
        ("productId=1&productid=1", "productid"),
        ("productId=1&quantity=1", "quantity"),
        ("productId=1&limit=3", "limit"),
        ("productId=1&onlyAvailable=true", "onlyAvailable"),
        ("productId=1&percentile=25", "percentile"),
        ("productId=1&=1", ""),
        ("productId=1&price=%zz", "price"),
        ("productId=1&price=%ff", "price"),
        ("productId=1&lowerPercentile=80", "lowerPercentile"),
        ("productId=1&upperPercentile=20", "lowerPercentile"),
        ("productId=1&lowerPercentile=50.0001&upperPercentile=50", "lowerPercentile"),
        ("productId=1&price=60&validFrom=2026-12-27", "validFrom"),
        ("productId=1&dateFrom=2026-12-27&dateTo=2026-12-26", "dateTo"),
        ("productId=1&dateFrom=2026-01-01&dateTo=2027-01-02", "dateTo"),
        ("productId=1&dateTo=2020-01-01", "dateTo"),
        ("productId=1&dateFrom=8999-12-31", "dateTo"),
    ],
    ids=lambda text: text[:60],
)
def test_what_is_missing_twice_unknown_or_contradicts_itself_is_refused(
    client: TestClient, query: str, parameter: str
) -> None:
    assert parameter in refused(client, query)


# ---------------------------------------------------------------- several faults


def test_every_value_that_cannot_be_read_is_listed(client: TestClient) -> None:
    query = "dateFrom=x&dateTo=x&duration=x&validFrom=x&price=x&lowerPercentile=x&upperPercentile=x&nope=1"

    assert set(refused(client, query)) == {
        "productId",
        "dateFrom",
        "dateTo",
        "duration",
        "validFrom",
        "price",
        "lowerPercentile",
        "upperPercentile",
        "nope",
    }


def test_everything_that_contradicts_itself_is_listed(client: TestClient) -> None:
    query = (
        "productId=1&price=5.001&validFrom=8999-12-31T23:30:00Z&lowerPercentile=75&upperPercentile=25"
        "&duration=P8D&duration=P9D&dateFrom=2026-12-27&dateTo=2026-12-26"
    )

    assert refused(client, query) == [
        "validFrom",
        "lowerPercentile",
        "price",
        "duration",
        "duration",
        "dateTo",
        "validFrom",
    ]


def test_a_query_at_fault_is_told_before_a_product_that_is_not_there(client: TestClient) -> None:
    assert refused(client, "productId=99&price=5.001&lowerPercentile=80") == ["lowerPercentile", "price"]
    assert refused(client, "productId=99&validFrom=1899-12-31") == ["validFrom"]


def test_headers_are_told_with_the_query(client: TestClient) -> None:
    found = refused(client, "price=x", **{"service-channel-uuid": "x", "api-version": "1"})

    assert set(found) == {"service-channel-uuid", "api-version", "productId", "price"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("service-channel-uuid", ""),
        ("service-channel-uuid", WEBSHOP.replace("-", "")),
        ("api-version", "2025-02-19"),
        ("if-none-match", "7"),
        ("idempotency-key", "a b"),
    ],
)
def test_a_bad_header_is_refused(client: TestClient, name: str, value: str) -> None:
    assert refused(client, "productId=1", **{name: value}) == [name]


# ---------------------------------------------------------------- nothing of that name


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("productId=99", "unknown-product"),
        (f"productId={2**53 - 1}", "unknown-product"),
        ("productId=99&productVariantId=10", "unknown-product"),
        (f"productId={DAY}&productVariantId=99", "unknown-variant"),
        (f"productId={DAY}&productVariantId={CAR}", "unknown-variant"),
        (f"productId={CAR_PARK}&productVariantId={ADULT}", "unknown-variant"),
        (f"productId={GUIDE}", "no-data"),
    ],
)
def test_what_is_not_there_is_404(client: TestClient, query: str, code: str) -> None:
    response = client.get(f"{PATH}?{query}")

    assert (response.status_code, response.json()["code"]) == (404, code)


def test_what_another_channel_sells_is_not_there(client: TestClient) -> None:
    response = client.get(f"{PATH}?productId=2", headers={"service-channel-uuid": VALLEY_STATION})

    assert (response.status_code, response.json()["code"]) == (404, "unknown-product")


def test_an_unknown_channel_is_404(client: TestClient) -> None:
    response = client.get(f"{PATH}?productId=1", headers={"service-channel-uuid": str(uuid4())})

    assert (response.status_code, response.json()["code"]) == (404, "unknown-channel")


def test_what_is_sold_in_other_money_is_not_there(souk: TestClient) -> None:
    assert souk.get(f"{PATH}?productId=1").status_code == 404


def test_a_price_has_as_many_decimals_as_the_money(souk: TestClient) -> None:
    assert souk.get(f"{PATH}?productId=12&price=1.235").status_code == 200
    assert refused(souk, "productId=12&price=1.2351") == ["price"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_is_changed_here(client: TestClient, method: str) -> None:
    response = client.request(method, PATH)

    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", [f"{PATH}/", f"{PATH}/1", "/api/pricing/insights", PATH.upper()])
def test_a_path_has_one_spelling(client: TestClient, path: str) -> None:
    assert client.get(f"{path}?productId=1").status_code == 404


# ---------------------------------------------------------------- whatever is asked

_words = st.one_of(
    st.sampled_from(
        ["1", "10", "P1D", "2026-12-27", "25", "75", "0", "100", "60.5", "8999-12-31", "1900-01-01"]
    ),
    st.text(max_size=12),
)
_names = st.sampled_from(
    [
        "productId",
        "productVariantId",
        "duration",
        "dateFrom",
        "dateTo",
        "validFrom",
        "price",
        "lowerPercentile",
        "upperPercentile",
    ]
)


@given(st.lists(st.tuples(_names, _words), max_size=6))
def test_whatever_is_asked_is_answered_or_refused_by_name(
    client: TestClient, query: list[tuple[str, str]]
) -> None:
    response = client.get(PATH, params=[("productId", "1"), *query])

    assert response.status_code in {200, 400, 404}
    if response.status_code == 400:
        names = {"productId", *(name for name, _ in query)}
        # A window that ends too late by default is told of its end, crossed bounds of the lower.
        assert {error["parameter"] for error in response.json()["errors"]} <= names | {
            "dateTo",
            "lowerPercentile",
        }
