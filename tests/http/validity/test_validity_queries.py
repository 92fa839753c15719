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


@pytest.mark.parametrize("product", [2, 99, "x", "1.0", "-1", "01", "1e0", "9" * 40, "%00", "day", "1%2F2"])
@pytest.mark.parametrize("path", [JOURNEY, f"{JOURNEY}/suggested"])
def test_a_product_that_is_not_sold_here_is_404(client: TestClient, path: str, product: object) -> None:
    response = client.get(path.format(product), headers={"service-channel-uuid": VALLEY_STATION})

    assert response.status_code == 404


BAD_QUERIES = [
    ("dateFrom=2026-02-30", "dateFrom"),
    ("dateFrom=2026-2-3", "dateFrom"),
    ("dateFrom=", "dateFrom"),
    ("dateFrom=tomorrow", "dateFrom"),
    ("dateFrom=2026-12-27T00:00:00Z", "dateFrom"),
    ("dateFrom=0001-01-01", "dateFrom"),
    ("dateFrom=9999-12-31", "dateFrom"),
    ("dateFrom=2026-12-27&dateFrom=2026-12-28", "dateFrom"),
    ("dateFrom=%D9%A2%D9%A0%D9%A2%D9%A6-12-27", "dateFrom"),
    ("dateFrom=2026-12-27&dateTo=2026-12-26", "dateTo"),
    ("dateFrom=2026-01-01&dateTo=2027-01-02", "dateTo"),
    ("dateTo=2020-01-01", "dateTo"),
    ("duration=1D", "duration"),
    ("duration=P", "duration"),
    ("duration=P4D", "duration"),
    ("duration=P1D%20", "duration"),
    ("duration=" + "P1D" * 50, "duration"),
    ("duration=P1D&duration=PT", "duration"),
    ("productVariantId=1.5", "productVariantId"),
    ("productVariantId=abc", "productVariantId"),
    ("productVariantId=20", "productVariantId"),
    ("productVariantId=-10", "productVariantId"),
    ("quantity=0", "quantity"),
    ("quantity=-1", "quantity"),
    ("quantity=1.0", "quantity"),
    ("quantity=10001", "quantity"),
    ("quantity=1&quantity=1", "quantity"),
    ("quantity=%2B1", "quantity"),
    ("onlyAvailable=1", "onlyAvailable"),
    ("onlyAvailable=True", "onlyAvailable"),
    ("onlyAvailable=", "onlyAvailable"),
    ("checkoutId=42", "checkoutId"),
    ("checkoutId=7d9e6c1a0b514c588a103a3f6a1f2b77", "checkoutId"),
    ("checkoutId=00000000-0000-0000-0000-000000000000", "checkoutId"),
    ("limit=0", "limit"),
    ("limit=367", "limit"),
    ("limit=ten", "limit"),
    ("cursor=x", "cursor"),
    ("cursor=", "cursor"),
    ("cursor=%00", "cursor"),
    ("cursor=MTc5NzgwNzYwMDAwMDAwMC5QM0Q=", "cursor"),
    ("cursor=" + "A" * 4000, "cursor"),
    ("cursor=LTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5LlAxRA", "cursor"),
    ("cursor=LTYyMTM1NTk2ODAwMDAwMDAwLlAxRA", "cursor"),  # the first instant of year 1
    ("datefrom=2026-12-27", "datefrom"),
    ("page=2", "page"),
    ("quantity", "quantity"),
    ("=1", ""),
    ("limit=%zz", "limit"),
    ("limit=%ff", "limit"),
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
