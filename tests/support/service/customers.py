"""Customers who log in at a service, with an identity provider or the development issuer."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from support.service.identity_provider import AUDIENCE, SECRET, Provider
from support.service.service import Clock, Json, data_of, running

AUTHENTICATE = "/api/accounts/authenticate"
CURRENT = "/api/accounts/current"
PERSONS = f"{CURRENT}/persons"

ADA = {"firstName": "Ada", "lastName": "Byron"}


@contextmanager
def serving_accounts(
    folder: Path, provider: Provider, *, clock: Clock | None = None, **options: Any
) -> Iterator[TestClient]:
    """Yield a client of a service that trusts *provider* and accepts payments without money."""
    given = {"identity_issuer": provider.url, "identity_audience": AUDIENCE, "token_secret": SECRET}
    with running(folder, clock=clock, **{"sandbox": True, **given, **options}) as client:
        yield client


def authenticated(client: TestClient, id_token: str, **body: Any) -> Any:
    """Return the response to a login, which must succeed."""
    response = client.post(AUTHENTICATE, json={"idToken": id_token, **body})
    assert response.status_code == 200, response.text
    return response


def bearer(token: str) -> dict[str, str]:
    """Return the header with *token*."""
    return {"authorization": f"Bearer {token}"}


def logged_in(client: TestClient, id_token: str) -> dict[str, str]:
    """Log in and return the authentication header."""
    return bearer(authenticated(client, id_token).headers["access-token"])


def new_person(client: TestClient, headers: dict[str, str], **values: Any) -> Json:
    """Create a person in the account of *headers* and return it."""
    body = {"values": {**ADA, **values}}
    return data_of(client.post(PERSONS, json=body, headers=headers))


def rows_of(client: TestClient, kind: Any, **values: Any) -> list[Any]:
    """Return the records of *kind* in the store of the service."""
    assert client.portal is not None
    store = client.app_state["services"].store

    async def find() -> list[Any]:
        return await store.find(kind, **values)  # type: ignore[no-any-return]

    return client.portal.call(find)


def save(client: TestClient, *records: Any) -> None:
    """Save rows as another part of the service would."""
    assert client.portal is not None
    store = client.app_state["services"].store

    async def write() -> None:
        await store.save(None, records=records)

    client.portal.call(write)
