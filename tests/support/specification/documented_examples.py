"""A visit to the demo resort that calls each operation once as the document shows it.

Values that vary between visits (random ids, tokens) are replaced by constants.
"""

import json
import re
from typing import Any, NamedTuple

from starlette.testclient import TestClient

from faregate_http.app import OPERATIONS
from support.payment.registering import body_of, services_of, submit
from support.service.service import Json, day_ticket, item
from support.specification.example_paths import example_path

CHECKOUT = example_path("/api/checkout/{checkoutId}")
TOKEN = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"

# Constants for random values.
ACCOUNT, PERSON, DETAIL = 4081516234, 4815162342, 2342481516
TRANSACTION = "8f14e45fceea167a5a36dedd4bea2543"
SECRET = "Zk3qN0vX5tB8yL1sW7cR2mH9dJ4gF6pA"
SERIALS = ("c4ca4238a0b923820dcc509a6f75849b", "c81e728d9d4c2f636f067f89cc14862c")

METHODS = {operation.name: operation.method for operation in OPERATIONS}
PATHS = {operation.name: operation.path for operation in OPERATIONS}


class Story:
    """The examples collected so far, and the replaced values."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.operations: Json = {}
        self.problems: Json = {}
        self._shown: dict[str, str] = {}

    def show(self, found: object, constant: object) -> None:
        """Replace *found* by *constant* in all examples."""
        self._shown[str(found)] = str(constant)

    def ask(self, name: str, body: Any = None, *, path: str | None = None, **content: Any) -> Any:
        """Call an operation as documented, record the example and return its data."""
        if body is not None:
            content["json"] = body
        response = self.client.request(METHODS[name], path or example_path(PATHS[name]), **content)
        assert response.status_code == 200, response.text
        self.operations[name] = {"answer": response.json()} if body is None else {
            "body": body,
            "answer": response.json(),
        }  # fmt: skip
        return response

    def fail(self, status: int, code: str, method: str, path: str, **content: Any) -> None:
        """Send a request that must be refused in this way, and record the example."""
        response = self.client.request(method, path, **content)
        problem = response.json()
        assert (response.status_code, problem["code"]) == (status, code), response.text
        self.problems[f"{status}-{code}"] = problem

    def told(self) -> Json:
        """Return all examples in their stored form."""
        text = json.dumps({"operations": self.operations, "problems": self.problems}, ensure_ascii=False)
        for found, constant in self._shown.items():
            text = re.sub(rf"(?<![0-9A-Za-z]){re.escape(found)}(?![0-9A-Za-z])", constant, text)
        return json.loads(text)  # type: ignore[no-any-return]


def tell(client: TestClient) -> Json:
    """Return the examples of a new service of the demo resort."""
    story = Story(client)
    look_around(story)
    log_in(story)
    fill(story)
    pay(story, register(story))
    story.ask("scheduleDeletion")
    be_refused(story)
    return story.told()


def look_around(story: Story) -> None:
    """Read products, validities and prices."""
    story.ask("getProduct", params={"include": "nextAvailability"})
    story.ask("listValidities", params={"dateFrom": "2026-12-26", "duration": "P1D", "limit": 2})
    story.ask("suggestValidities", params={"duration": "P1D"})
    story.ask(
        "priceInsights", params={"productId": 11, "productVariantId": 101, "duration": "P1D", "price": 79}
    )
    story.ask(
        "priceAccess",
        {
            "valid_from": "2027-01-16T08:30:00+01:00",
            "order_date": "2027-01-16T07:12:33.417Z",
            "quantity": 2,
            "currency_code": "CHF",
            "dta_product_id": 1,
            "dta_consumer_category": 1,
        },
    )


def log_in(story: Story) -> None:
    """Open an account and add a person."""
    token = story.client.post(
        "/dev/identity/token", json={"subject": "ada", "email": "ada@byron.example"}
    ).json()["id_token"]
    story.show(token, TOKEN)
    response = story.ask("authenticate", {"idToken": token, "language": "en"})
    story.show(response.json()["data"]["account"]["id"], ACCOUNT)
    story.client.headers["authorization"] = f"Bearer {response.headers['access-token']}"
    story.ask("getAccount")
    values = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10"}
    person = story.ask("addPerson", {"values": values, "productIds": [21]})
    person_id = person.json()["data"]["id"]
    story.show(person_id, PERSON)
    change = {"values": {"email": "ada@byron.example"}, "productIds": [21]}
    story.ask("changePerson", change, path=f"/api/accounts/current/persons/{person_id}")


def fill(story: Story) -> None:
    """Fill a checkout."""
    story.ask("addItems", {"items": [day_ticket(1), item(2, 411)]})
    story.ask("changeQuantity", {"delta": 1})
    story.ask("removeItems", params={"itemId": [2]})
    story.ask("addCode", {"voucherCode": "WINTER10"})
    story.ask("dropCode")
    story.ask("setConditions", {"formValues": {"acceptTerms": True, "donation": 2.5}})
    story.ask("getCheckout")
    story.ask("explainCheckout")


def register(story: Story) -> int:
    """Register a payment detail as the default, unset the default; return its id."""
    registered = story.ask("registerPaymentDetail", body_of(isDefault=True)).json()["data"]
    story.show(registered["redirectUrl"].partition(f"{registered['transactionId']}-")[2], SECRET)
    story.show(registered["transactionId"], TRANSACTION)
    story.client.follow_redirects = False
    assert submit(story.client, registered["transactionId"], instrument="pays").status_code == 303
    listed = story.ask("listPaymentDetails", params={"status": "ACTIVE", "type": "card"}).json()["data"]
    detail_id = listed[0]["id"]
    story.show(detail_id, DETAIL)
    story.show(f"PD-{detail_id}", f"PD-{DETAIL}")
    story.ask("unsetDefaultPaymentDetail", path=f"/api/payments/payment-details/{detail_id}/default")
    return int(detail_id)


def pay(story: Story, detail_id: int) -> None:
    """Pay the checkout and wait for its tickets."""
    total = story.client.get(CHECKOUT).json()["data"]["totalGross"]
    body = {"expectedTotal": total, "provider": "GATEWAY", "paymentDetailId": detail_id}
    paid = story.ask("payCheckout", body).json()["data"]
    story.show(paid["referenceNumber"], "FG-7KQ2M4XW")
    story.ask("getPaymentStatus")
    assert story.client.portal is not None
    story.client.portal.call(services_of(story.client).ticketing.work)
    sold = story.ask("getOrder").json()["data"]["items"]
    for entry, serial in zip(sold, SERIALS, strict=True):
        story.show(entry["ticket"]["serial"], serial)
    story.ask("getOrderNotices")


class Refusal(NamedTuple):
    """A request and its refusal."""

    status: int
    code: str
    method: str
    path: str
    content: Json = {}  # noqa: RUF012 - nobody changes it


_UNKNOWN = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
_DETAILS = "/api/payments/payment-details"
_PERSONS = "/api/accounts/current/persons"
_GATE = "/api/pricing/external/prices/access"
_GATE_BODY = {"valid_from": "2027-01-16", "order_date": "2027-01-16", "quantity": 1, "currency_code": "CHF"}
_OF_JSON = {"headers": {"content-type": "application/json"}}


def _adding(status: int, code: str, *items: Json) -> Refusal:
    return Refusal(status, code, "POST", "{open}/items", {"json": {"items": [*items]}})


REFUSALS = (
    Refusal(400, "invalid-request", "GET", CHECKOUT, {"params": {"version": 2}}),
    Refusal(400, "invalid-json", "POST", "{open}/items", {**_OF_JSON, "content": b"{"}),
    Refusal(401, "missing-token", "GET", "/api/accounts/current", {"headers": {"authorization": ""}}),
    Refusal(
        401, "invalid-token", "GET", "/api/accounts/current", {"headers": {"authorization": "Bearer ey"}}
    ),
    Refusal(404, "unknown-channel", "GET", CHECKOUT, {"headers": {"service-channel-uuid": _UNKNOWN}}),
    Refusal(404, "unknown-checkout", "GET", f"/api/checkout/{_UNKNOWN}"),
    Refusal(404, "unknown-item", "DELETE", "{open}/items", {"params": {"itemId": 7}}),
    Refusal(404, "unknown-code", "DELETE", "{open}/vouchers/WINTER10"),
    Refusal(404, "unknown-product", "GET", "/api/products/weekend-ticket"),
    Refusal(
        404,
        "unknown-variant",
        "GET",
        "/api/pricing/insights/distribution",
        {"params": {"productId": 11, "productVariantId": 1}},
    ),
    Refusal(
        404,
        "no-data",
        "GET",
        "/api/pricing/insights/distribution",
        {"params": {"productId": 11, "dateFrom": "2027-05-10", "dateTo": "2027-05-10"}},
    ),
    Refusal(404, "unknown-payment-detail", "DELETE", f"{_DETAILS}/7/default"),
    Refusal(404, "unknown-person", "PATCH", f"{_PERSONS}/7", {"json": {"values": {}}}),
    Refusal(404, "unknown-order", "GET", f"/api/orders/{_UNKNOWN}/notices"),
    Refusal(405, "method-not-allowed", "PUT", "{open}/items"),
    Refusal(409, "checkout-closed", "POST", f"{CHECKOUT}/vouchers", {"json": {"voucherCode": "WINTER10"}}),
    _adding(409, "id-taken", item(1, 412)),
    _adding(409, "id-used", item(2, 411)),
    Refusal(409, "total-changed", "POST", "{open}/payment", {"json": {"expectedTotal": 1}}),
    Refusal(
        412, "changed-meanwhile", "DELETE", "{open}/items?itemId=1", {"headers": {"if-match": '"1.OPEN.en"'}}
    ),
    Refusal(413, "body-too-large", "POST", "{open}/items", {**_OF_JSON, "content": b" " * (2**20 + 1)}),
    Refusal(415, "unsupported-media-type", "POST", "{open}/items", {"content": b"items=1"}),
    Refusal(422, "invalid-body", "POST", "{open}/items", {"json": {"items": [], "total": 0}}),
    _adding(422, "unknown-variant", item(3, 999)),
    _adding(422, "validity-required", item(3, 101)),
    _adding(422, "validity-not-wanted", day_ticket(3, 411)),
    _adding(422, "invalid-validity", item(3, 101, validity={"from": "2026-12-28", "to": "2026-12-27"})),
    _adding(422, "not-bookable", day_ticket(3, validity={"from": "2026-11-10", "to": "2026-11-10"})),
    _adding(422, "needs-parent", day_ticket(3, 511)),
    _adding(422, "unknown-discount-card", day_ticket(3, discountCardTypeId=99)),
    Refusal(422, "invalid-delta", "PATCH", "{open}/items/1/quantity", {"json": {"delta": -5}}),
    Refusal(422, "unknown-code", "POST", "{open}/vouchers", {"json": {"voucherCode": "NONE"}}),
    Refusal(
        422,
        "invalid-checkout",
        "POST",
        "{open}/checkout-conditions",
        {"json": {"formValues": {"donation": -1}}},
    ),
    Refusal(422, "invalid-person", "POST", _PERSONS, {"json": {"values": {"firstName": 1}}}),
    Refusal(
        422, "invalid-registration", "POST", f"{_DETAILS}/register", {"json": body_of(paymentMethods=["XXX"])}
    ),
    Refusal(422, "invalid-payment", "POST", "{open}/payment", {"json": {"expectedTotal": 22.50}}),
    Refusal(422, "mapping-required", "POST", _GATE, {"json": _GATE_BODY}),
    Refusal(
        422,
        "unknown-mapping",
        "POST",
        _GATE,
        {"json": {**_GATE_BODY, "system_product_id": "P9", "system_consumer_category": "A"}},
    ),
    Refusal(
        422,
        "currency-mismatch",
        "POST",
        _GATE,
        {"json": {**_GATE_BODY, "currency_code": "EUR", "dta_product_id": 1, "dta_consumer_category": 1}},
    ),
)


def be_refused(story: Story) -> None:
    """Send every request of the table beside an open checkout."""
    url = "/api/checkout/6ba7b811-9dad-41d1-80b4-00c04fd430c8"
    opened = story.client.post(f"{url}/items", json={"items": [item(1, 411), item(2, 411)]})
    assert opened.status_code == 200, opened.text
    assert story.client.delete(f"{url}/items?itemId=2").status_code == 200
    story.fail(422, "terms-not-accepted", "POST", f"{url}/payment", json={"expectedTotal": 22})
    terms = {"formValues": {"acceptTerms": True}}
    assert story.client.post(f"{url}/checkout-conditions", json=terms).status_code == 200
    for refusal in REFUSALS:
        content = dict(refusal.content)
        headers = {name: value for name, value in content.pop("headers", {}).items() if value}
        without = [name for name, value in refusal.content.get("headers", {}).items() if not value]
        kept = {name: story.client.headers.pop(name) for name in without}
        story.fail(
            refusal.status,
            refusal.code,
            refusal.method,
            refusal.path.replace("{open}", url),
            headers=headers,
            **content,
        )
        story.client.headers.update(kept)
