"""Invalid queries for validities and suggestions are refused with the name of the parameter."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from support.service.piste import DAY, JOURNEY, MORNING, piste
from support.service.service import VALLEY_STATION, Clock


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of an unchanged service with little capacity, on a Monday morning."""
    with piste(tmp_path_factory.mktemp("piste"), Clock(MORNING)) as client:
        yield client


@pytest.mark.parametrize("product", [2, 99, "x", "01", "9" * 40])
@pytest.mark.parametrize("path", [JOURNEY, f"{JOURNEY}/suggested"])
def test_a_product_that_is_not_sold_here_is_404(client: TestClient, path: str, product: object) -> None:
    response = client.get(path.format(product), headers={"service-channel-uuid": VALLEY_STATION})

    assert response.status_code == 404


BAD_QUERIES = [
    ("dateFrom=2026-02-30", "dateFrom"),
    ("dateFrom=9999-12-31", "dateFrom"),
    ("dateFrom=2026-12-27&dateFrom=2026-12-28", "dateFrom"),
    ("dateFrom=2026-12-27&dateTo=2026-12-26", "dateTo"),
    ("dateFrom=2026-01-01&dateTo=2027-01-02", "dateTo"),
    ("duration=P4D", "duration"),
    ("duration=" + "P1D" * 50, "duration"),
    ("productVariantId=abc", "productVariantId"),
    ("productVariantId=20", "productVariantId"),
    ("quantity=0", "quantity"),
    ("quantity=10001", "quantity"),
    ("quantity=1&quantity=1", "quantity"),
    ("onlyAvailable=True", "onlyAvailable"),
    ("checkoutId=42", "checkoutId"),
    ("checkoutId=00000000-0000-0000-0000-000000000000", "checkoutId"),
    ("limit=367", "limit"),
    ("cursor=x", "cursor"),
    ("cursor=MTc5NzgwNzYwMDAwMDAwMC5QM0Q=", "cursor"),
    ("cursor=" + "A" * 4000, "cursor"),
    ("cursor=LTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5LlAxRA", "cursor"),
    ("cursor=LTYyMTM1NTk2ODAwMDAwMDAwLlAxRA", "cursor"),  # the first instant of year 1
]


@pytest.mark.parametrize(("query", "parameter"), BAD_QUERIES)
def test_a_bad_query_is_400_and_names_the_parameter(client: TestClient, query: str, parameter: str) -> None:
    response = client.get(f"{JOURNEY.format(DAY)}?{query}")

    problem = response.json()
    assert (response.status_code, problem["code"]) == (400, "invalid-request")
    assert parameter in {error["parameter"] for error in problem["errors"]}


def test_every_issue_of_a_query_is_listed(client: TestClient) -> None:
    response = client.get(f"{JOURNEY.format(DAY)}?limit=0&quantity=x&dateFrom=now&nope=1")

    assert {error["parameter"] for error in response.json()["errors"]} == {
        "limit",
        "quantity",
        "dateFrom",
        "nope",
    }


@pytest.mark.parametrize("query", ["dateFrom=2026-12-27", "cursor=x", "onlyAvailable=true", "limit=0"])
def test_suggestions_accept_fewer_parameters(client: TestClient, query: str) -> None:
    assert client.get(f"{JOURNEY.format(DAY)}/suggested?{query}").status_code == 400


BAD_PARTIES = [
    ("units=10:0", {"units"}),
    ("units=10:10001", {"units"}),
    ("units=10%3A1%0A", {"units"}),
    ("units=20:1", {"units"}),
    ("units=10:1&units=10:2", {"units"}),
    ("units=10:1&productVariantId=10", {"productVariantId"}),
    ("units=10:1&quantity=1", {"quantity"}),
    (
        "units=20:1&units=10:1&units=10:1&productVariantId=10&quantity=2",
        {"units", "productVariantId", "quantity"},
    ),
]


@pytest.mark.parametrize(("query", "parameters"), BAD_PARTIES)
@pytest.mark.parametrize("path", [JOURNEY, f"{JOURNEY}/suggested"])
def test_a_bad_party_is_400_and_names_each_parameter(
    client: TestClient, path: str, query: str, parameters: set[str]
) -> None:
    response = client.get(f"{path.format(DAY)}?{query}")

    problem = response.json()
    assert (response.status_code, problem["code"]) == (400, "invalid-request")
    assert {error["parameter"] for error in problem["errors"]} == parameters


def test_every_issue_of_a_party_is_listed(client: TestClient) -> None:
    response = client.get(f"{JOURNEY.format(DAY)}?units=20:1&units=10:1&units=10:2&units=7:1&quantity=2")

    assert [error["reason"] for error in response.json()["errors"]] == [
        "unknown variant 20 of product 1",
        "unknown variant 7 of product 1",
        "variant 10 occurs 2 times",
        "cannot be combined with units",
    ]


def test_every_error_of_a_query_is_listed(client: TestClient) -> None:
    query = "duration=P9D&productVariantId=20&productVariantId=7&dateFrom=2027-01-02&dateTo=2027-01-01"

    response = client.get(f"{JOURNEY.format(DAY)}?{query}")

    assert [(error["parameter"], error["reason"]) for error in response.json()["errors"]] == [
        ("duration", "not a duration of product 1: P9D"),
        ("productVariantId", "unknown variant 20 of product 1"),
        ("productVariantId", "unknown variant 7 of product 1"),
        ("dateTo", "expected a window of 1 to 366 days, got 0 from 2027-01-02"),
    ]
