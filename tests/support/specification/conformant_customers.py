"""Customers for schemathesis: they log in, request existing products, and remember the responses.

Values drawn from a schema never match a variant of the resort or the total of a checkout. In a matching
request some values are replaced here; a request that must be refused stays unchanged.
"""

import re
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from schemathesis.core.transport import Response
from schemathesis.python import asgi
from starlette.types import ASGIApp, Receive, Scope, Send

from support.payment.registering import body_of
from support.service.gate import ADULT
from support.service.service import KEY, SUNDAY, WEBSHOP, item
from support.specification.documented_examples import TOKEN
from support.specification.openapi_conformity import DOCUMENT, Json

_CASES_PER_ACCOUNT = 500

# Variants of the demo resort: with and without validity, refused together or alone, a subscription.
_VARIANTS = (101, 102, 103, 411, 412, 231, 311)
_WITH_VALIDITY = {101, 102, 103, 311}
_CODES = ("WINTER10", "GIFT-100", "SEASON2024", "NEWS5")
_ANSWERS: tuple[Json, ...] = (
    {"acceptTerms": True},
    {"acceptTerms": True, "donation": 2.5},
    {"donation": None, "hotel": "Edelweiss"},
)

# Schemathesis has its own generators for these headers, which ignore the declared pattern.
_TAGS = {
    part["name"]: re.compile(part["schema"]["pattern"])
    for part in (DOCUMENT["components"]["parameters"][name] for name in ("ifMatch", "ifNoneMatch"))
}


def name_of(case: Any) -> str:
    """Return the operation of *case*."""
    return str(case.operation.definition.raw["operationId"])


class FromHere:
    """A wrapper that sends requests from this machine: the development issuer refuses others."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["client"] = ("127.0.0.1", 50_000)
        await self._app(scope, receive, send)


class Customers:
    """The current customer: a new one after a fixed number of cases, since an account has limits."""

    def __init__(self, app: Any, channel: str, seed: int) -> None:
        self._app = app
        self._channel = channel
        self._chance = Random(seed)
        self._asked = 0
        self._tokens: dict[int, tuple[str, str]] = {}

    @property
    def turn(self) -> int:
        """The number of the current customer."""
        return self._asked // _CASES_PER_ACCOUNT

    def tokens(self) -> tuple[str, str]:
        """Return the ID token and the access token of the current customer."""
        self._asked += 1
        number = self.turn
        if number not in self._tokens:
            self._tokens[number] = self._new(f"customer-{number}")
        return self._tokens[number]

    def provider(self) -> type:
        """Return the class by which schemathesis gets and sets tokens."""
        tokens = self.tokens

        class Provider:
            """The access token of the current customer."""

            def get(self, _case: Any, _context: Any) -> str:
                return tokens()[1]

            def set(self, case: Any, data: str, _context: Any) -> None:
                case.headers["authorization"] = f"Bearer {data}"

        return Provider

    def open_checkout(self, *, is_anonymous: bool) -> Json:
        """Open a checkout with two lunches and accepted terms."""
        uuid = str(UUID(int=self._chance.getrandbits(128), version=4))
        account = {} if is_anonymous else {"authorization": f"Bearer {self.tokens()[1]}"}
        self._post(uuid, "items", {"items": [item(1, 411), item(2, 411)]}, account)
        return self._post(uuid, "checkout-conditions", {"formValues": {"acceptTerms": True}}, account)

    def buy(self) -> str:
        """Place an order as the current customer; return its id."""
        opened = self.open_checkout(is_anonymous=False)
        body = {"expectedTotal": opened["totalGross"], "provider": "ON_SITE"}
        account = {"authorization": f"Bearer {self.tokens()[1]}"}
        return str(self._post(opened["uuid"], "payment", body, account)["uuid"])

    def _post(self, checkout: str, what: str, body: Json, account: dict[str, str]) -> Json:
        url = f"http://localhost/api/checkout/{checkout}/{what}"
        headers = {"service-channel-uuid": self._channel, "service-channel-key": KEY, **account}
        with asgi.get_client(self._app) as client:
            answered = client.post(url, json=body, headers=headers)
        assert answered.status_code == 200, answered.text
        return answered.json()["data"]  # type: ignore[no-any-return]

    def _new(self, subject: str) -> tuple[str, str]:
        with asgi.get_client(self._app) as client:
            issued = client.post("http://localhost/dev/identity/token", json={"subject": subject})
            id_token = issued.json()["id_token"]
            entered = client.post(
                "http://localhost/api/accounts/authenticate",
                json={"idToken": id_token},
                headers={"service-channel-uuid": self._channel, "service-channel-key": KEY},
            )
            return id_token, entered.headers["access-token"]


class Realism:
    """A modifier that makes requests realistic, reproducibly for the same *seed*."""

    def __init__(self, channel: str, customers: Customers, seed: int) -> None:
        self._channel = channel
        self._is_till = channel != WEBSHOP
        self._customers = customers
        self._chance = Random(seed)
        self._keys = count(1)
        self._totals: dict[str, float] = {}
        self._turn = 0
        self._known: dict[str, Any] = {}
        self._bodies: dict[str, Callable[[Any], Any]] = {
            "addItems": self._items,
            "setConditions": self._conditions,
            "addCode": self._code,
            "payCheckout": self._payment,
            "authenticate": self._login,
            "addPerson": self._person,
            "changePerson": self._person,
            "registerPaymentDetail": self._registration,
            "priceAccess": self._admission,
        }

    # ------------------------------------------------------------ before a request

    def prepare(self, case: Any) -> None:
        """Change *case* in place: use a real channel and, in a matching request, further real values."""
        if _is_uuid(case.headers.get("service-channel-uuid")):
            case.headers["service-channel-uuid"] = self._channel
            case.headers["service-channel-key"] = KEY
        if self._is_till and "/checkout/" in case.operation.path:
            case.headers.pop("authorization", None)  # no authentication there
        if case.meta is None or not case.meta.generation.mode.is_positive:
            return
        self._prepare_headers(case.headers)
        self._prepare_path(case)
        if name_of(case) == "priceInsights" and self._chance.random() < 0.2:
            case.query = {"productId": 11}
        case.body = _as_sent(case.body)
        change = self._bodies.get(name_of(case))
        if change is not None and self._chance.random() < 0.75:
            case.body = change(case)

    def _prepare_headers(self, headers: Any) -> None:
        for name, pattern in _TAGS.items():
            if name in headers and (not pattern.search(headers[name]) or self._chance.random() < 0.5):
                headers[name] = "*"
        if "idempotency-key" in headers:
            headers["idempotency-key"] = f"key-{next(self._keys)}"

    def _prepare_path(self, case: Any) -> None:
        """Use an existing id of the customer in most cases."""
        path = case.path_parameters
        if self._turn != self._customers.turn:
            self._turn = self._customers.turn
            self._known.clear()
        if "checkoutId" in path and "checkoutId" not in self._known:
            self._remember(self._customers.open_checkout(is_anonymous=self._is_till))
        if "orderId" in path and "orderId" not in self._known and not self._is_till:
            self._known["orderId"] = self._customers.buy()
        known = {name: self._known[name] for name in path if name in self._known}
        if self._chance.random() < 0.7:
            path.update(known)

    def _items(self, case: Any) -> Any:
        return {**case.body, "items": [self._item(entry) for entry in case.body["items"][:5]]}

    def _item(self, entry: Json) -> Json:
        variant = self._chance.choice(_VARIANTS)
        return {
            **dict.fromkeys(entry),
            "id": entry["id"],
            "productVariantId": variant,
            "validity": SUNDAY if variant in _WITH_VALIDITY else None,
        }

    def _conditions(self, case: Any) -> Any:
        return {**case.body, "formValues": self._chance.choice(_ANSWERS)}

    def _code(self, case: Any) -> Any:
        return {**case.body, "voucherCode": self._chance.choice(_CODES)}

    def _payment(self, case: Any) -> Any:
        total = self._totals.get(str(case.path_parameters["checkoutId"]))
        return case.body if total is None else {"expectedTotal": total, "provider": "ON_SITE"}

    def _person(self, case: Any) -> Any:
        return {**case.body, "values": {"firstName": "Ada", "lastName": "Byron"}, "productIds": []}

    def _admission(self, case: Any) -> Any:
        """Return a day ticket at the gate, in the drawn quantity."""
        return {**ADULT, "quantity": case.body["quantity"]}

    def _registration(self, case: Any) -> Any:
        return body_of(isDefault=case.body["isDefault"])

    def _login(self, case: Any) -> Any:
        token, _ = self._customers.tokens()
        return {"idToken": token} if case.body.get("idToken") != TOKEN else {**case.body, "idToken": token}

    # ------------------------------------------------------------ after a request

    def learn(self, case: Any, response: Response) -> None:
        """Remember the ids in *response* if it is a success."""
        if response.status_code != 200:
            return
        data = response.json().get("data")
        match name_of(case), data:
            case "payCheckout", {"status": "CLOSED", "uuid": uuid}:
                self._known["orderId"] = uuid
                self._known.pop("checkoutId", None)
            case _, {"uuid": _, "totalGross": _}:
                self._remember(data)
            case "addPerson", {"id": person}:
                self._known["personId"] = person
            case "listPaymentDetails", [*_, {"id": detail}]:
                self._known["paymentDetailId"] = detail

    def _remember(self, checkout: Json) -> None:
        """Use *checkout* in later requests while it is open."""
        if checkout["status"] != "OPEN":
            self._known.pop("checkoutId", None)
            return
        self._totals[checkout["uuid"]] = checkout["totalGross"]
        self._known["checkoutId"] = checkout["uuid"]
        self._known["itemId"] = checkout["items"][0]["id"] if checkout["items"] else 1
        codes = [entry["code"] for entry in (*checkout["promoCodes"], *checkout["vouchers"])]
        self._known["code"] = codes[0] if codes else "WINTER10"


_MOST = 2.0**63
_LEAST = 1e-300


def _is_uuid(text: object) -> bool:
    try:
        return isinstance(text, str) and str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _as_sent(value: Any) -> Any:
    """Return *value* with numbers that the service accepts (decisions §15), which a schema cannot express.

    1 instead of 1.0, an integer in JSON Schema; no number with more than 64 digits or beyond 10^±308.
    """
    match value:
        case bool():
            return value
        case float() if value.is_integer() and abs(value) < _MOST:
            return int(value)
        case float() if abs(value) < _LEAST:
            return 0
        case int() if abs(value) >= 10**64:
            return 0
        case list():
            return [_as_sent(element) for element in value]
        case dict():
            return {name: _as_sent(part) for name, part in value.items()}
        case _:
            return value
