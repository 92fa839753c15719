"""Holds of a checkout count as available only for clients with access to the checkout."""

from starlette.testclient import TestClient

from support.service.customers import logged_in
from support.service.identity_provider import Provider
from support.service.service import Clock, day_ticket, new_url

VALIDITIES = "/api/booking/products/11/journey/validities"


def test_holds_of_a_checkout_are_hidden_without_access(
    service_with_accounts: tuple[TestClient, Clock], provider: Provider, subject: str
) -> None:
    client, _ = service_with_accounts
    owner = logged_in(client, provider.token(sub=subject))
    other = logged_in(client, provider.token(sub=f"another {subject}"))
    url = new_url()

    def free(headers: dict[str, str]) -> int:
        """Return the available units of the day in a query that names the checkout."""
        question = {"dateFrom": "2026-12-27", "dateTo": "2026-12-27", "checkoutId": url.rpartition("/")[2]}
        answer = client.get(VALIDITIES, params=question, headers=headers)
        assert answer.status_code == 200, answer.text
        capacity: int = answer.json()["data"]["options"][0]["availableCapacity"]["max"]
        return capacity

    before = free({})
    client.post(f"{url}/items", json={"items": [day_ticket(1), day_ticket(2)]})
    unbound = [free({}), free(other)]
    client.get(url, headers=owner)
    bound = [free(owner), free(other), free({}), free(owner)]

    assert unbound == [before, before]
    assert bound == [before, before - 2, before - 2, before]


def test_an_invalid_token_is_refused_here_too(
    service_with_accounts: tuple[TestClient, Clock],
) -> None:
    client, _ = service_with_accounts
    question = {"checkoutId": new_url().rpartition("/")[2]}

    answer = client.get(VALIDITIES, params=question, headers={"authorization": "Bearer no.token.here"})

    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")
