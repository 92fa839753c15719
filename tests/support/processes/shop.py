"""A shop as separate processes, real except for the money; run as a script, this module is one.

Customers log in with a third-party OpenID provider. In each process, issuing a ticket fails once.
"""

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2

from support.processes.forked import Forked, serve_app

BACK = "https://shop.example/back"
AUDIENCE = "tickets"

_STOP_SECONDS = 20


@contextmanager
def openid_provider() -> Iterator[str]:
    """Yield the address of a provider that issues any identity."""
    import authlib.deprecate

    # A module of authlib warns at import that it is deprecated.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", authlib.deprecate.AuthlibDeprecationWarning)
        from oidc_provider_mock import run_server_in_thread
    with run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


def id_token(provider: str, subject: str) -> str:
    """Return the ID token of a login with an authorization code (OpenID Connect Core 1.0, 3.1)."""
    asked = {
        "client_id": AUDIENCE,
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid email",
        "nonce": f"nonce of {subject}",
    }
    with httpx2.Client(base_url=provider, trust_env=False, follow_redirects=False) as browser:
        sent_back = browser.post("/oauth2/authorize", params=asked, data={"sub": subject})
        (code,) = parse_qs(urlsplit(sent_back.headers["location"]).query)["code"]
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": AUDIENCE,
            "client_secret": "any",
        }
        return str(browser.post("/oauth2/token", data=form).json()["id_token"])


@contextmanager
def shop(database: str, provider: str, *, processes: int = 1) -> Iterator[list[str]]:
    """Yield the addresses of *processes* processes on one database; stop them after the block."""
    settings = {
        "database": database,
        "identity_issuer": provider,
        "identity_audience": AUDIENCE,
        "token_secret": "-" * 32,
        "sandbox": True,
    }
    asked = ("support.processes.shop", json.dumps(settings))
    started = [Forked(*asked, cwd=Path.cwd(), is_strict=True) for _ in range(processes)]
    try:
        yield [_address(process) for process in started]
    finally:
        for process in started:
            process.terminate()
        for process in started:
            with process:
                process.wait(_STOP_SECONDS)


def _address(process: Forked) -> str:
    port = process.stdout.readline().decode().strip()
    assert port, "the shop ended while it started"
    return f"http://127.0.0.1:{port}"


def _serve(settings: str) -> None:
    from faregate_http.ordering.ticketing import SerialNumbers
    from faregate_server.app import create_app
    from faregate_server.settings import Settings
    from support.payment.failing_issuer import FailingIssuer

    app = create_app(Settings(**json.loads(settings)), ticket_issuer=FailingIssuer(SerialNumbers(), 1))
    serve_app(app)


if __name__ == "__main__":
    _serve(sys.argv[1])
