"""Price queries about unknown products and other currencies, and arbitrary queries."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from support.service.piste import ADULT, CAR, CAR_PARK, DAY, GUIDE, piste
from support.service.service import VALLEY_STATION, Json, running

PATH = "/api/pricing/insights/distribution"
SHOP = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"
SOUK = "00000000-0000-4000-8000-000000000103"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of a service with little capacity, on a Monday morning."""
    with piste(tmp_path_factory.mktemp("piste")) as client:
        yield client


@pytest.fixture(scope="module")
def souk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of a service that sells in Kuwaiti dinars of 1000 fils."""
    with running(tmp_path_factory.mktemp("souk"), catalogue=SHOP, channel=SOUK) as client:
        yield client


def refused(client: TestClient, query: str, **headers: str) -> list[str]:
    """Return the parameters or headers named in the refusal of a query, in order."""
    response = client.get(f"{PATH}?{query}", headers=headers)
    problem: Json = response.json()
    assert (response.status_code, problem["code"]) == (400, "invalid-request"), response.text
    assert all(error["reason"] for error in problem["errors"])
    return [error.get("parameter", error.get("header")) for error in problem["errors"]]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("productId=99", "unknown-product"),
        (f"productId={2**53 - 1}", "unknown-product"),
        (f"productId={DAY}&productVariantId=99", "unknown-variant"),
        (f"productId={DAY}&productVariantId={CAR}", "unknown-variant"),
        (f"productId={CAR_PARK}&productVariantId={ADULT}", "unknown-variant"),
        (f"productId={GUIDE}", "no-data"),
    ],
)
def test_an_unknown_product_or_variant_is_404(client: TestClient, query: str, code: str) -> None:
    response = client.get(f"{PATH}?{query}")

    assert (response.status_code, response.json()["code"]) == (404, code)


def test_a_product_of_another_channel_or_currency_is_unknown(client: TestClient, souk: TestClient) -> None:
    response = client.get(f"{PATH}?productId=2", headers={"service-channel-uuid": VALLEY_STATION})

    assert (response.status_code, response.json()["code"]) == (404, "unknown-product")
    assert souk.get(f"{PATH}?productId=1").status_code == 404


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("price=60&validFrom=2026-12-27", ["validFrom"]),
        ("lowerPercentile=80", ["lowerPercentile"]),
        ("duration=P9D", ["duration"]),
    ],
)
def test_a_contradictory_query_is_400(client: TestClient, query: str, named: list[str]) -> None:
    assert refused(client, f"productId={DAY}&{query}") == named


def test_a_price_may_have_as_many_decimals_as_the_currency(souk: TestClient) -> None:
    assert souk.get(f"{PATH}?productId=12&price=1.235").status_code == 200
    assert refused(souk, "productId=12&price=1.2351") == ["price"]


_words = st.one_of(
    st.sampled_from(
        ["1", "10", "P1D", "2026-12-27", "25", "75", "0", "100", "60.5", "8999-12-31", "1900-01-01"]
    ),
    st.text(max_size=12),
)
_names = st.sampled_from(
    [
        *("productId", "productVariantId", "duration", "dateFrom", "dateTo", "validFrom", "price"),
        *("lowerPercentile", "upperPercentile"),
    ]
)


@given(st.lists(st.tuples(_names, _words), max_size=6))
def test_any_query_is_accepted_or_refused_with_its_parameters(
    client: TestClient, query: list[tuple[str, str]]
) -> None:
    response = client.get(PATH, params=[("productId", "1"), *query])

    assert response.status_code in {200, 400, 404}
    if response.status_code == 400:
        names = {"productId", *(name for name, _ in query)}
        # A period that ends too late by default names its end; crossed bounds name the lower one.
        assert {error["parameter"] for error in response.json()["errors"]} <= names | {
            "dateTo",
            "lowerPercentile",
        }
