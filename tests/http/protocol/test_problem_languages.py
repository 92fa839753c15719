"""All problems are in the language that the request prefers. Decisions §15."""

import pytest
from starlette.testclient import TestClient

from support.service.service import new_url


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        pytest.param("/api/nothing", 404, "Introuvable", id="no such path"),
        pytest.param("/api/products/x%2fy", 404, "Introuvable", id="an encoded path"),
        pytest.param("/api/products/nothing", 404, "Produit inconnu", id="a refusal"),
        pytest.param("/api/products/day-ticket?x=1", 400, "En-têtes ou paramètres non valides", id="a query"),
    ],
)
def test_a_problem_is_in_the_language_of_the_request(
    client: TestClient, path: str, status: int, title: str
) -> None:
    response = client.get(path, headers={"accept-language": "es, fr-CH;q=0.8, de;q=0.5"})

    assert (response.status_code, response.json()["title"]) == (status, title)
    assert response.headers["content-language"] == "fr"


def test_a_replayed_problem_keeps_its_language(client: TestClient) -> None:
    url, body = f"{new_url()}/vouchers", {"voucherCode": "NOTHING"}
    key = {"idempotency-key": "k-1"}

    first = client.post(url, json=body, headers={**key, "accept-language": "de"})
    again = client.post(url, json=body, headers={**key, "accept-language": "it"})

    assert first.json()["title"] == again.json()["title"]
    assert again.headers["content-language"] == first.headers["content-language"] == "de"
