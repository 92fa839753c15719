"""Login to a development server, by the same steps as with a real identity provider."""

import json
from http.client import HTTPResponse
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from faregate.errors import InvalidInput
from faregate_http.protocol.hosts import is_loopback
from faregate_server.demo.development.issuer import PATH
from faregate_server.settings import url_fault

_SECONDS = 10
_NOT_FOUND = 404

# The option for each location that a problem may name.
_OPTIONS = {"service-channel-uuid": "--channel", "/subject": "--subject", "/email": "--email"}


class LoginFailed(InvalidInput):
    """The server cannot be used to log in, or it refuses the login."""

    code = "login-failed"


class Login(NamedTuple):
    """The data needed to log in: the server, the sales channel and the person."""

    server: str
    channel: str
    subject: str
    email: str | None
    channel_key: str | None = None


class Session(NamedTuple):
    """The account that has logged in, and its access token."""

    type: str
    account: int
    token: str
    seconds: str


def log_in(login: Login) -> Session:
    """Get an ID token from the development issuer of a server, and log in with it.

    Raises:
        LoginFailed: the server is not local, cannot be reached, is not for development, or refuses the login.
    """
    server = login.server.rstrip("/")
    wrong = url_fault(server)
    if wrong or not is_loopback(urlsplit(server).hostname or ""):
        raise LoginFailed(f"--server: {login.server} {wrong or 'is not on this machine'}")
    try:
        return _logged_in(server, login)
    except (KeyError, TypeError):
        raise LoginFailed(f"{server}: the response to the login is not from a faregate server") from None


def _logged_in(server: str, login: Login) -> Session:
    wanted = {"subject": login.subject, "email": login.email}
    id_token = _posted(f"{server}{PATH}/token", wanted)[0]["id_token"]
    channel = {"service-channel-uuid": login.channel}
    if login.channel_key is not None:
        channel["service-channel-key"] = login.channel_key
    answer, headers = _posted(f"{server}/api/accounts/authenticate", {"idToken": id_token}, **channel)
    data = answer["data"]
    return Session(
        data["type"], data["account"]["id"], headers["access-token"], headers["access-token-expires-in"]
    )


def _posted(url: str, body: dict[str, Any], **headers: str) -> tuple[Any, Any]:
    """Send *body* as JSON to *url*; return the JSON in the response, and the response headers."""
    headers |= {"content-type": "application/json", "accept-language": "en"}
    request = Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - checked to be on this machine
    response: HTTPResponse
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=_SECONDS) as response:
            return json.loads(response.read()), response.headers
    except HTTPError as error:
        with error:
            raise LoginFailed(_refusal(url, error)) from None
    except (URLError, OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        advice = "start one with faregate serve --dev, or name another after --server"
        raise LoginFailed(f"{url}: cannot be read: {why}; {advice}") from None


def _refusal(url: str, error: HTTPError) -> str:
    if error.code == _NOT_FOUND and url.endswith(f"{PATH}/token"):
        return f"{url}: there is no development issuer: start the server with --dev"
    try:
        problem = json.loads(error.read())
        detail = f"{problem['detail']} {'; '.join(map(_fault, problem.get('errors', ())))}".rstrip()
    except (ValueError, AttributeError, LookupError, TypeError):
        detail = error.reason
    return f"{url}: {error.code} {detail}"


def _fault(error: dict[str, str]) -> str:
    """Return a message with the command-line option that *error* is about, and the reason."""
    where = error.get("header") or error.get("pointer", "")
    return f"{_OPTIONS.get(where, where)}: {error['reason']}"
