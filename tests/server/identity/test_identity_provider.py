"""Login with a third-party provider, with its own discovery, keys and tokens."""

import json
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import authlib.deprecate
import pytest
from starlette.testclient import TestClient

from support.service.customers import AUTHENTICATE, CURRENT, authenticated, bearer
from support.service.identity_provider import SECRET
from support.service.service import data_of, running

# A module of authlib warns at import that it is deprecated, regardless of pytest's filters.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", authlib.deprecate.AuthlibDeprecationWarning)
    from oidc_provider_mock import User, run_server_in_thread

# Its dependencies have deprecated the functions it uses.
pytestmark = pytest.mark.filterwarnings(r"ignore:.* is deprecated:DeprecationWarning:authlib\.")

BACK = "https://shop.example/back"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    ada = User(sub="ada", claims={"email": "ada@byron.example"})
    with run_server_in_thread(user_claims=[ada]) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, issuer: str) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("provider")
    given: Any = {"identity_issuer": issuer, "identity_audience": "tickets", "token_secret": SECRET}
    # This provider issues tokens with the current time.
    with running(folder, clock=lambda: datetime.now(UTC), **given) as client:
        yield client


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:
        return None


def posted(url: str, **fields: str) -> tuple[str | None, bytes]:
    """Return the redirect target of a form, and the response body."""
    try:
        with build_opener(_Stay).open(Request(url, urlencode(fields).encode()), timeout=10) as response:
            return None, response.read()
    except HTTPError as answer:
        with answer:
            return answer.headers["location"], answer.read()


def id_token(issuer: str, *, audience: str = "tickets", nonce: str = "n-1") -> str:
    """Return the ID token for an authorization code of *audience* (OpenID Connect Core 1.0, 3.1)."""
    asked = {
        "client_id": audience,
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid email",
        "state": "s",
        "nonce": nonce,
    }
    location, page = posted(f"{issuer}/oauth2/authorize?{urlencode(asked)}", sub="ada")
    assert location is not None, page
    [code] = parse_qs(urlsplit(location).query)["code"]
    _, answer = posted(
        f"{issuer}/oauth2/token",
        grant_type="authorization_code",
        code=code,
        redirect_uri=BACK,
        client_id=audience,
        client_secret="any",
    )
    return str(json.loads(answer)["id_token"])


def test_its_tokens_create_an_account_and_find_it_again(client: TestClient, issuer: str) -> None:
    first = data_of(authenticated(client, id_token(issuer), nonce="n-1"))
    again = authenticated(client, id_token(issuer))

    assert first["type"] == "new_account"
    assert data_of(again)["type"] == "existing_account"
    for token in (again.headers["access-token"], id_token(issuer)):
        shown = data_of(client.get(CURRENT, headers=bearer(token)))
        assert shown["id"] == first["account"]["id"]
        assert shown["email"] == "ada@byron.example"


def test_its_tokens_for_another_audience_or_nonce_are_refused(client: TestClient, issuer: str) -> None:
    for body in (
        {"idToken": id_token(issuer, audience="another-shop")},
        {"idToken": id_token(issuer), "nonce": "another"},
    ):
        response = client.post(AUTHENTICATE, json=body)
        assert (response.status_code, response.json()["code"]) == (401, "invalid-token")


def test_the_issuer_must_match_the_settings_exactly(tmp_path: Path, issuer: str) -> None:
    """127.0.0.1 has the same keys but is another issuer."""
    other = issuer.replace("localhost", "127.0.0.1")
    given: Any = {
        "identity_issuer": other,
        "identity_audience": "tickets",
        "identity_jwks": f"{issuer}/jwks",
        "token_secret": SECRET,
    }
    with running(tmp_path, clock=lambda: datetime.now(UTC), **given) as client:
        response = client.post(AUTHENTICATE, json={"idToken": id_token(issuer)})

    assert response.json()["errors"][0]["reason"] == "was not issued by the identity provider"
