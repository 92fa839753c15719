"""Requests about paying that must be refused: exactly how, and that nothing is paid or changed by them."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from serving.raw_requests import Headers, Reply, ask, places, problem_of, snapshot
from serving.service import PARTNERS, WEBSHOP, Json, data_of
from serving.till import Customer, Shop, database, meal, shop

UNKNOWN = "00000000-0000-4000-8000-000000000000"


class Scene(NamedTuple):
    """A shop with a checkout of 20.00 that can be paid, one that is paid, and somebody else's order."""

    till: Shop
    customer: Customer
    path: str
    order: str
    foreign: str


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with database("sqlite", tmp_path_factory.mktemp("hostile")) as url, shop(url) as till:
        customer, stranger = till.customer(), till.customer()
        orders = []
        for buyer in (customer, stranger):
            bought = till.opened(meal(1), **buyer.headers)
            data_of(till.pay(bought, 20, buyer.headers))
            orders.append(bought.rpartition("/")[2])
        yield Scene(till, customer, till.opened(meal(1)), *orders)


def state_of(scene: Scene) -> list[Any]:
    """All that a refused request could have changed."""
    rows = [scene.till.rows(kind) for kind in (PaymentRow, OrderRow, TicketRow)]
    return [snapshot(scene.till.client, scene.path), rows, list(scene.till.gateway.calls)]


def headers_of(scene: Scene, **overrides: str | None) -> Headers:
    """The headers of a good request, but for those that are named; None leaves one out."""
    headers: dict[str, str | None] = {
        "service-channel-uuid": WEBSHOP,
        "content-type": "application/json",
        **{name.replace("_", "-"): value for name, value in overrides.items()},
    }
    return [(name, value) for name, value in headers.items() if value is not None]


class Row(NamedTuple):
    """How something is refused."""

    status: int
    code: str
    places: tuple[str, ...] = ()


def refuse(scene: Scene, row: Row, reply: Reply) -> Json:
    """The problem that *reply* must be."""
    problem = problem_of(reply, row.status, row.code)
    assert places(problem) == list(row.places)
    return problem


def send(scene: Scene, method: str, target: str, *, headers: Headers, body: bytes = b"") -> Reply:
    """What is answered, when nothing was changed by it."""
    before = state_of(scene)
    reply = ask(scene.till.client, method, target, headers=headers, body=body)
    assert state_of(scene) == before
    return reply


# ---------------------------------------------------------------- bodies

_BODY, _PAYMENT = "invalid-body", "invalid-payment"
TOTAL, DETAIL, PROVIDER = "pointer /expectedTotal", "pointer /paymentDetailId", "pointer /provider"


def paying(**overrides: object) -> Json:
    """A good body, with a few fields spoilt."""
    return {"expectedTotal": 20, "provider": "ON_SITE", **overrides}


ODD_BODIES: dict[str, tuple[object, Row]] = {
    "nothing": ({}, Row(422, _BODY, (TOTAL,))),
    "a list": ([], Row(422, _BODY, ("pointer ",))),
    "null": (None, Row(422, _BODY, ("pointer ",))),
    "a number": (20, Row(422, _BODY, ("pointer ",))),
    "text": ("20", Row(422, _BODY, ("pointer ",))),
    "true": (True, Row(422, _BODY, ("pointer ",))),
    "an envelope": ({"data": paying()}, Row(422, _BODY, (TOTAL, "pointer /data"))),
    "a property more": (paying(amount=1), Row(422, _BODY, ("pointer /amount",))),
    "a status": (paying(status="SETTLED"), Row(422, _BODY, ("pointer /status",))),
    "a reference": (paying(referenceNumber="1"), Row(422, _BODY, ("pointer /referenceNumber",))),
    "snake case": (
        {"expected_total": 20, "provider": "ON_SITE"},
        Row(422, _BODY, (TOTAL, "pointer /expected_total")),
    ),
    "a name in capitals": (paying(Provider="ON_SITE"), Row(422, _BODY, ("pointer /Provider",))),
    "a prototype": (paying(__proto__={}), Row(422, _BODY, ("pointer /__proto__",))),
    "a total that is null": (paying(expectedTotal=None), Row(422, _BODY, (TOTAL,))),
    "a total as text": (paying(expectedTotal="20"), Row(422, _BODY, (TOTAL,))),
    "a total that is true": (paying(expectedTotal=True), Row(422, _BODY, (TOTAL,))),
    "a total as a list": (paying(expectedTotal=[20]), Row(422, _BODY, (TOTAL,))),
    "a total as an object": (paying(expectedTotal={"amount": 20}), Row(422, _BODY, (TOTAL,))),
    "a negative total": (paying(expectedTotal=-1), Row(422, _PAYMENT, (TOTAL,))),
    "a total of half a cent": (paying(expectedTotal=20.005), Row(422, _PAYMENT, (TOTAL,))),
    "a total beyond all": (paying(expectedTotal=10**13), Row(422, _PAYMENT, (TOTAL,))),
    "a negative total beyond all": (paying(expectedTotal=-(10**13)), Row(422, _PAYMENT, (TOTAL,))),
    "a total too low": (paying(expectedTotal=19.99), Row(409, "total-changed", (TOTAL,))),
    "a total too high": (paying(expectedTotal=20.01), Row(409, "total-changed", (TOTAL,))),
    "a total of nothing": (paying(expectedTotal=0), Row(409, "total-changed", (TOTAL,))),
    "a total in cents": (paying(expectedTotal=2000), Row(409, "total-changed", (TOTAL,))),
    "a provider as a number": (paying(provider=1), Row(422, _BODY, (PROVIDER,))),
    "a provider as a list": (paying(provider=["ON_SITE"]), Row(422, _BODY, (PROVIDER,))),
    "a provider that is true": (paying(provider=True), Row(422, _BODY, (PROVIDER,))),
    "no provider": (paying(provider=None), Row(422, _PAYMENT, (PROVIDER,))),
    "an empty provider": (paying(provider=""), Row(422, _PAYMENT, (PROVIDER,))),
    "a provider of ours": (paying(provider="VOUCHER_B"), Row(422, _PAYMENT, (PROVIDER,))),
    "a provider in small letters": (paying(provider="on_site"), Row(422, _PAYMENT, (PROVIDER,))),
    "a provider with a blank": (paying(provider="ON_SITE "), Row(422, _PAYMENT, (PROVIDER,))),
    "a provider with a NUL": (paying(provider="ON_SITE\x00"), Row(422, _PAYMENT, (PROVIDER,))),
    "the gateway without an account": (paying(provider="GATEWAY"), Row(422, _PAYMENT, (DETAIL,))),
    "a detail as text": (paying(paymentDetailId="1"), Row(422, _BODY, (DETAIL,))),
    "a detail with a fraction": (paying(paymentDetailId=1.5), Row(422, _BODY, (DETAIL,))),
    "a detail that is true": (paying(paymentDetailId=True), Row(422, _BODY, (DETAIL,))),
    "detail 0": (paying(paymentDetailId=0), Row(422, _BODY, (DETAIL,))),
    "a negative detail": (paying(paymentDetailId=-1), Row(422, _BODY, (DETAIL,))),
    "a detail beyond all": (paying(paymentDetailId=2**53), Row(422, _BODY, (DETAIL,))),
    "a detail as a list": (paying(paymentDetailId=[1]), Row(422, _BODY, (DETAIL,))),
    "a detail of nobody": ({"expectedTotal": 20, "paymentDetailId": 1}, Row(422, _PAYMENT, (DETAIL,))),
    "a detail on site": (paying(paymentDetailId=1), Row(422, _PAYMENT, (PROVIDER,))),
    "everything at once": (
        {"expectedTotal": "x", "provider": 1, "paymentDetailId": 0, "tip": 1},
        Row(422, _BODY, (TOTAL, DETAIL, PROVIDER, "pointer /tip")),
    ),
}


@pytest.mark.parametrize("name", ODD_BODIES)
def test_a_body_that_cannot_be_is_refused(scene: Scene, name: str) -> None:
    body, row = ODD_BODIES[name]

    refuse(
        scene, row, send(scene, "POST", f"{scene.path}/payment", headers=headers_of(scene), body=dumped(body))
    )


def dumped(value: object) -> bytes:
    return json.dumps(value).encode()


UNREADABLE: dict[str, tuple[bytes, Row]] = {
    "no body": (b"", Row(400, "invalid-json", ("pointer ",))),
    "half a body": (b'{"expectedTotal": 20', Row(400, "invalid-json", ("pointer ",))),
    "two bodies": (b"{}{}", Row(400, "invalid-json", ("pointer ",))),
    "a property twice": (
        b'{"expectedTotal": 1, "expectedTotal": 20}',
        Row(400, "invalid-json", ("pointer /expectedTotal",)),
    ),
    "not a number": (b'{"expectedTotal": NaN}', Row(400, "invalid-json", (TOTAL,))),
    "infinity": (b'{"expectedTotal": Infinity}', Row(400, "invalid-json", (TOTAL,))),
    "a plus": (b'{"expectedTotal": +20}', Row(400, "invalid-json", ("pointer ",))),
    "a zero before it": (b'{"expectedTotal": 020}', Row(400, "invalid-json", ("pointer ",))),
    "a form": (b"expectedTotal=20&provider=ON_SITE", Row(400, "invalid-json", ("pointer ",))),
    "another encoding": (b'{"provider": "\xff"}', Row(400, "invalid-json", ("pointer ",))),
    "UTF-16": ('{"expectedTotal": 20}'.encode("utf-16"), Row(400, "invalid-json", ("pointer ",))),
    "very deep": (b"[" * 5000, Row(400, "invalid-json", ("pointer ",))),
    "more than a mebibyte": (b" " * (2**20 + 1), Row(413, "body-too-large")),
    "a number of many digits": (
        b'{"expectedTotal": ' + b"9" * 4000 + b', "provider": "ON_SITE"}',
        Row(400, "invalid-json", (TOTAL,)),
    ),
    "an exponent beyond all": (
        b'{"expectedTotal": 1e400, "provider": "ON_SITE"}',
        Row(400, "invalid-json", (TOTAL,)),
    ),
    "a tiny number": (
        b'{"expectedTotal": 1e-400, "provider": "ON_SITE"}',
        Row(400, "invalid-json", (TOTAL,)),
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(scene: Scene, name: str) -> None:
    body, row = UNREADABLE[name]

    refuse(scene, row, send(scene, "POST", f"{scene.path}/payment", headers=headers_of(scene), body=body))


@pytest.mark.parametrize("total", [b"20", b"20.0", b"20.00", b"2e1", b"200e-1", b"0.2E+2"])
def test_one_total_can_be_written_in_several_ways(scene: Scene, total: bytes) -> None:
    path = scene.till.opened(meal(1))
    body = b'{"expectedTotal": ' + total + b', "provider": "ON_SITE"}'

    reply = ask(scene.till.client, "POST", f"{path}/payment", headers=headers_of(scene), body=body)

    assert (reply.status, reply.json()["data"]["status"]) == (200, "CLOSED")


# ---------------------------------------------------------------- headers

PAY, STATUS, NOTICES = "pay", "status", "notices"
OPERATIONS = {
    PAY: ("POST", "{path}/payment"),
    STATUS: ("GET", "{path}/payment/status"),
    NOTICES: ("GET", "/api/orders/{order}/notices"),
}


def target_of(scene: Scene, operation: str) -> tuple[str, str]:
    method, target = OPERATIONS[operation]
    return method, target.format(path=scene.path, order=scene.order)


HEADERS: dict[str, tuple[dict[str, str | None], Row]] = {
    "no channel": (
        {"service_channel_uuid": None},
        Row(400, "invalid-request", ("header service-channel-uuid",)),
    ),
    "a channel that is none": (
        {"service_channel_uuid": "web"},
        Row(400, "invalid-request", ("header service-channel-uuid",)),
    ),
    "an unknown channel": (
        {"service_channel_uuid": UNKNOWN},
        Row(404, "unknown-channel", ("header service-channel-uuid",)),
    ),
    "no scheme": ({"authorization": "token"}, Row(401, "invalid-token", ("header authorization",))),
    "another scheme": (
        {"authorization": "Basic bWU6c2VjcmV0"},
        Row(401, "invalid-token", ("header authorization",)),
    ),
    "a token of nobody": (
        {"authorization": "Bearer a.b.c"},
        Row(401, "invalid-token", ("header authorization",)),
    ),
    "another version": ({"api_version": "2024-01-01"}, Row(400, "invalid-request", ("header api-version",))),
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", HEADERS)
def test_a_request_of_nobody_or_nowhere_is_refused(scene: Scene, name: str, operation: str) -> None:
    overrides, row = HEADERS[name]
    method, target = target_of(scene, operation)
    token = scene.customer.headers if operation == NOTICES else {}
    headers = headers_of(scene, **{**token, **overrides})
    body = dumped(paying()) if operation == PAY else b""

    refuse(scene, row, send(scene, method, target, headers=headers, body=body))


OF_PAYMENTS: dict[str, tuple[dict[str, str | None], Row]] = {
    "no type": ({"content_type": None}, Row(415, "unsupported-media-type")),
    "a form": ({"content_type": "application/x-www-form-urlencoded"}, Row(415, "unsupported-media-type")),
    "text": ({"content_type": "text/plain"}, Row(415, "unsupported-media-type")),
    "a key with a blank": (
        {"idempotency_key": "a b"},
        Row(400, "invalid-request", ("header idempotency-key",)),
    ),
    "a very long key": (
        {"idempotency_key": "k" * 300},
        Row(400, "invalid-request", ("header idempotency-key",)),
    ),
    "an empty key": ({"idempotency_key": ""}, Row(400, "invalid-request", ("header idempotency-key",))),
    "a revision without quotes": ({"if_match": "1"}, Row(400, "invalid-request", ("header if-match",))),
    "another revision": ({"if_match": '"7.OPEN.en"'}, Row(412, "changed-meanwhile")),
    "a weak revision": ({"if_match": 'W/"1.OPEN.en"'}, Row(412, "changed-meanwhile")),
    "another channel": ({"service_channel_uuid": PARTNERS}, Row(404, "unknown-checkout")),
}


@pytest.mark.parametrize("name", OF_PAYMENTS)
def test_a_payment_with_odd_headers_is_refused(scene: Scene, name: str) -> None:
    overrides, row = OF_PAYMENTS[name]
    headers = headers_of(scene, **overrides)

    refuse(scene, row, send(scene, "POST", f"{scene.path}/payment", headers=headers, body=dumped(paying())))


# ---------------------------------------------------------------- paths, queries and methods

PATHS: dict[str, tuple[str, str, Row]] = {
    "pay nothing": (PAY, "/api/checkout/{unknown}/payment", Row(404, "unknown-checkout")),
    "pay no UUID": (PAY, "/api/checkout/1/payment", Row(404, "unknown-checkout")),
    "pay a NUL": (PAY, "/api/checkout/%00/payment", Row(404, "unknown-checkout")),
    "pay with quotes": (PAY, "/api/checkout/'%20OR%201=1/payment", Row(404, "unknown-checkout")),
    "pay in braces": (PAY, "/api/checkout/{{{unknown}}}/payment", Row(404, "unknown-checkout")),
    "pay what is paid": (PAY, "/api/checkout/{order}/payment", Row(404, "unknown-checkout")),
    "the status of nothing": (STATUS, "/api/checkout/{unknown}/payment/status", Row(404, "unknown-checkout")),
    "the status of no UUID": (STATUS, "/api/checkout/x/payment/status", Row(404, "unknown-checkout")),
    "the status of somebody's": (
        STATUS,
        "/api/checkout/{order}/payment/status",
        Row(404, "unknown-checkout"),
    ),
    "a status with a query": (
        STATUS,
        "{path}/payment/status?verbose=1",
        Row(400, "invalid-request", ("parameter verbose",)),
    ),
    "pay with a query": (PAY, "{path}/payment?dry=1", Row(400, "invalid-request", ("parameter dry",))),
    "notices with a query": (
        NOTICES,
        "/api/orders/{order}/notices?since=0",
        Row(400, "invalid-request", ("parameter since",)),
    ),
    "notices of nothing": (NOTICES, "/api/orders/{unknown}/notices", Row(404, "unknown-order")),
    "notices of no UUID": (NOTICES, "/api/orders/1/notices", Row(404, "unknown-order")),
    "notices of a NUL": (NOTICES, "/api/orders/%00/notices", Row(404, "unknown-order")),
    "notices of somebody's": (NOTICES, "/api/orders/{foreign}/notices", Row(404, "unknown-order")),
    "notices of a reference": (NOTICES, "/api/orders/ABCDE-FGHJK/notices", Row(404, "unknown-order")),
    "notices with dots": (NOTICES, "/api/orders/../notices", Row(404, "unknown-order")),
    "notices of a long id": (NOTICES, f"/api/orders/{'a' * 5000}/notices", Row(404, "unknown-order")),
    "a status with a slash": (STATUS, "{path}/payment/status/", Row(404, "not-found")),
    "a payment with a slash": (PAY, "{path}/payment/", Row(404, "not-found")),
}


@pytest.mark.parametrize("name", PATHS)
def test_what_is_not_there_is_refused(scene: Scene, name: str) -> None:
    operation, path, row = PATHS[name]
    method = OPERATIONS[operation][0]
    target = path.format(path=scene.path, order=scene.order, foreign=scene.foreign, unknown=UNKNOWN)
    token = scene.customer.headers if operation == NOTICES else {}

    headers = headers_of(scene, **token)
    refuse(scene, row, send(scene, method, target, headers=headers, body=dumped(paying())))


METHODS = [
    (PAY, "GET", "POST"),
    (PAY, "PUT", "POST"),
    (PAY, "PATCH", "POST"),
    (PAY, "DELETE", "POST"),
    (STATUS, "POST", "GET, HEAD"),
    (STATUS, "DELETE", "GET, HEAD"),
    (NOTICES, "POST", "GET, HEAD"),
    (NOTICES, "PUT", "GET, HEAD"),
]


@pytest.mark.parametrize(("operation", "method", "allowed"), METHODS)
def test_another_method_is_not_allowed(scene: Scene, operation: str, method: str, allowed: str) -> None:
    _, target = target_of(scene, operation)

    reply = send(scene, method, target, headers=headers_of(scene), body=dumped(paying()))

    refuse(scene, Row(405, "method-not-allowed"), reply)
    assert reply.header("allow") == allowed


@pytest.mark.parametrize("operation", [STATUS, NOTICES])
def test_head_is_as_get_without_a_body(scene: Scene, operation: str) -> None:
    _, target = target_of(scene, operation)
    token = scene.customer.headers if operation == NOTICES else {}

    reply = send(scene, "HEAD", target, headers=headers_of(scene, **token))

    assert (reply.status, reply.body) == (200, b"")


def test_there_are_enough_of_them() -> None:
    bodies, others = len(ODD_BODIES) + len(UNREADABLE), len(OF_PAYMENTS) + len(PATHS) + len(METHODS)

    assert bodies + others + len(HEADERS) * len(OPERATIONS) > 100
