"""The parts of a purchase outside the generated clients, and the values of the purchase."""

import json
import re
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
ADULT, CHILD = 101, 103
CODES = ("WINTER10", "ALP-50")
PERSON = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10"}
ADDRESS = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}
ANSWERS: dict[str, Any] = {
    "donation": 2,
    "acceptTerms": True,
    "media": {"1": 1},
    "shippingAddress": ADDRESS,
}
PAGES = {ending: f"https://shop.example/{ending}" for ending in ("success", "error", "cancel")}


class _Stay(HTTPRedirectHandler):
    """A handler that follows no redirects: the page of the shop does not exist."""

    def redirect_request(self, *_: object) -> None:
        """Refuse the redirect."""


def id_token(server: str) -> str:
    """Return an ID token of the development server."""
    body = json.dumps({"subject": "ada", "email": "ada@byron.example"}).encode()
    issued = _asked(Request(f"{server}/dev/identity/token", body, {"content-type": "application/json"}))
    return str(json.loads(issued)["id_token"])


def register_card(page: str) -> None:
    """Submit the sandbox page as the customer would."""
    (token,) = re.findall(r'name="token" value="([^"]+)"', _asked(Request(page)))[:1]
    form = {"token": token, "action": "succeed", "method": "VIS", "instrument": "pays"}
    _asked(Request(page, urlencode(form).encode()))


def _asked(request: Request) -> str:
    try:
        with build_opener(_Stay).open(request) as response:
            return str(response.read().decode())
    except HTTPError as response:
        if response.code != HTTPStatus.SEE_OTHER:
            raise
        return ""
