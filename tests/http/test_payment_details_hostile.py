"""Requests about payment details that must be refused: exactly how, and that they change nothing."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from serving.paying import DETAILS, FORM, PAGES, SHOP, Customer, body_of, paying
from serving.paying_scene import Scene, in_state
from serving.raw_requests import Headers, ask, places, problem_of
from serving.service import PARTNERS, VALLEY_STATION, WEBSHOP, Json

REGISTER = f"{DETAILS}/register"


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with paying(tmp_path_factory.mktemp("hostile")) as client:
        yield Scene.new(client)


def headers_of(scene: Scene, **overrides: str | None) -> Headers:
    """The headers of a good request, but for those that are named; None leaves one out."""
    headers: dict[str, str | None] = {
        "host": "testserver",
        "service-channel-uuid": WEBSHOP,
        "content-type": "application/json",
        **scene.customer.headers,
        **{name.replace("_", "-"): value for name, value in overrides.items()},
    }
    return [(name, value) for name, value in headers.items() if value is not None]


class Row(NamedTuple):
    """What is wrong, and how it is refused."""

    status: int
    code: str
    places: tuple[str, ...] = ()


def refuse(scene: Scene, row: Row, method: str, target: str, *, headers: Headers, body: bytes = b"") -> Json:
    """The problem that a request gets, when everything is as it should be."""
    before = in_state(scene)

    reply = ask(scene.client, method, target, headers=headers, body=body)

    problem = problem_of(reply, row.status, row.code)
    assert places(problem) == list(row.places)
    assert in_state(scene) == before
    return problem


# ---------------------------------------------------------------- bodies


def with_urls(**urls: Any) -> Json:
    good = {name: f"{SHOP}/{name}" for name in ("success", "error", "cancel")}
    return body_of(redirectUrls={**good, **urls})


def without(name: str) -> Json:
    body = body_of()
    del body[name]
    return body


ODD_BODIES: dict[str, tuple[Any, Row]] = {
    "nothing": ({}, Row(422, "invalid-body", tuple(f"pointer /{n}" for n in body_of()))),
    "no object": ([], Row(422, "invalid-body", ("pointer ",))),
    "null": (None, Row(422, "invalid-body", ("pointer ",))),
    "no default": (without("isDefault"), Row(422, "invalid-body", ("pointer /isDefault",))),
    "no methods": (without("paymentMethods"), Row(422, "invalid-body", ("pointer /paymentMethods",))),
    "no pages": (without("redirectUrls"), Row(422, "invalid-body", ("pointer /redirectUrls",))),
    "an unknown property": (body_of(account=1), Row(422, "invalid-body", ("pointer /account",))),
    "an id of its own": (body_of(id=1), Row(422, "invalid-body", ("pointer /id",))),
    "a default as text": (body_of(isDefault="true"), Row(422, "invalid-body", ("pointer /isDefault",))),
    "a default as a number": (body_of(isDefault=1), Row(422, "invalid-body", ("pointer /isDefault",))),
    "a default that is null": (body_of(isDefault=None), Row(422, "invalid-body", ("pointer /isDefault",))),
    "no method": (body_of(paymentMethods=[]), Row(422, "invalid-body", ("pointer /paymentMethods",))),
    "a method that is no list": (
        body_of(paymentMethods="VIS"),
        Row(422, "invalid-body", ("pointer /paymentMethods",)),
    ),
    "a method that is an object": (
        body_of(paymentMethods=[{"type": "VIS"}]),
        Row(422, "invalid-body", ("pointer /paymentMethods/0",)),
    ),
    "a method that is null": (
        body_of(paymentMethods=["VIS", None]),
        Row(422, "invalid-body", ("pointer /paymentMethods/1",)),
    ),
    "a method without a name": (
        body_of(paymentMethods=[""]),
        Row(422, "invalid-body", ("pointer /paymentMethods/0",)),
    ),
    "very many methods": (
        body_of(paymentMethods=["VIS"] * 21),
        Row(422, "invalid-body", ("pointer /paymentMethods",)),
    ),
    "a method that there is not": (
        body_of(paymentMethods=["VIS", "XXX"]),
        Row(422, "invalid-registration", ("pointer /paymentMethods/1",)),
    ),
    "a method that this channel has not": (
        body_of(paymentMethods=["PAP", "TWI", "REK"]),
        Row(422, "invalid-registration", ("pointer /paymentMethods/0", "pointer /paymentMethods/2")),
    ),
    "a method in small letters": (
        body_of(paymentMethods=["vis"]),
        Row(422, "invalid-registration", ("pointer /paymentMethods/0",)),
    ),
    "a method twice": (
        body_of(paymentMethods=["VIS", "TWI", "VIS"]),
        Row(422, "invalid-registration", ("pointer /paymentMethods/2",)),
    ),
    "a filter for a method": (
        body_of(paymentMethods=["card"]),
        Row(422, "invalid-registration", ("pointer /paymentMethods/0",)),
    ),
    "pages that are a list": (
        body_of(redirectUrls=[SHOP]),
        Row(422, "invalid-body", ("pointer /redirectUrls",)),
    ),
    "a page that is missing": (
        body_of(redirectUrls={"success": SHOP, "error": SHOP}),
        Row(422, "invalid-body", ("pointer /redirectUrls/cancel",)),
    ),
    "a page more": (with_urls(pending=SHOP), Row(422, "invalid-body", ("pointer /redirectUrls/pending",))),
    "a page that is null": (
        with_urls(error=None),
        Row(422, "invalid-body", ("pointer /redirectUrls/error",)),
    ),
    "a page that is a number": (
        with_urls(error=1),
        Row(422, "invalid-body", ("pointer /redirectUrls/error",)),
    ),
    "no page": (with_urls(cancel=""), Row(422, "invalid-body", ("pointer /redirectUrls/cancel",))),
    "a very long page": (
        with_urls(success=f"{SHOP}/{'a' * 2000}"),
        Row(422, "invalid-body", ("pointer /redirectUrls/success",)),
    ),
    "everything at once": (
        {
            "redirectUrls": {"success": "http://evil.test", "error": "x", "cancel": SHOP},
            "isDefault": True,
            "paymentMethods": ["PAP"],
        },
        Row(
            422,
            "invalid-registration",
            (
                "pointer /redirectUrls/success",
                "pointer /redirectUrls/error",
                "pointer /paymentMethods/0",
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", ODD_BODIES)
def test_a_body_that_cannot_be_is_refused(scene: Scene, name: str) -> None:
    body, row = ODD_BODIES[name]

    refuse(scene, row, "POST", REGISTER, headers=headers_of(scene), body=json.dumps(body).encode())


HOSTILE_PAGES = {
    "another host": "https://evil.test/",
    "a longer host": "https://shop.example.evil.test/",
    "a host before it": "https://evilshop.example/",
    "user information": "https://shop.example@evil.test/",
    "user information with a port": "https://shop.example:443@evil.test/",
    "a backslash": "https://shop.example\\@evil.test/",
    "an encoded backslash": "https://shop.example/%5c%5cevil.test",
    "a backslash for a slash": "https:\\\\shop.example/",
    "a fragment": f"{SHOP}#done",
    "plain http": "http://shop.example/",
    "another port": "https://shop.example:8443/",
    "upper-case scheme": "HTTPS://shop.example/",
    "upper-case host": "https://Shop.Example/",
    "a Cyrillic letter": "https://sh\u043ep.example/",
    "a full-width dot": "https://shop\uff0eexample/",
    "an ideographic dot": "https://shop\u3002example/",
    "a dot at the end": "https://shop.example./",
    "an invisible character": "https://shop.example\u200d/",
    "reversed text": "https://shop.example/\u202egnp.exe",
    "a script": "javascript:alert(1)//https://shop.example",
    "data": "data:text/html,https://shop.example",
    "no scheme": "//shop.example/",
    "a path": "/checkout",
    "three slashes": "https:///shop.example/",
    "no slashes": "https:shop.example/",
    "a line feed": "https://shop.example/\nset-cookie: a=b",
    "a carriage return": "https://shop.example/\r",
    "a NUL": "https://shop.example/\x00",
    "an encoded line feed": "https://shop.example/%0d%0aset-cookie:a=b",
    "a blank": "https://shop.example/ x",
    "a tab in the scheme": "ht\ttps://shop.example/",
    "dots in the path": "https://shop.example/a/../b",
    "encoded dots in the path": "https://shop.example/%2e%2e/b",
    "markup": "https://shop.example/<script>alert(1)</script>",
    "a quote": 'https://shop.example/"x',
    "the loopback in digits": "http://2130706433/",
    "another loopback": "http://127.0.0.2/",
    "all addresses": "http://0.0.0.0/",
    "an IPv6 loopback that is not allowed": "http://[::1]/",
    "the service of metadata": "http://169.254.169.254/latest",
    "a host like the loopback": "http://localhost.evil.test/",
    "https on the loopback": "https://localhost/",
    "a port beyond all": "http://localhost:65536/",
    "a transaction of its own": f"{SHOP}?transactionId=1",
    "a transaction of its own, encoded": f"{SHOP}?a=1&transaction%49d=1",
}


@pytest.mark.parametrize("which", ["success", "error", "cancel"])
@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_customers_are_sent_nowhere_else(scene: Scene, name: str, which: str) -> None:
    row = Row(422, "invalid-registration", (f"pointer /redirectUrls/{which}",))
    body = json.dumps(with_urls(**{which: HOSTILE_PAGES[name]})).encode()

    problem = refuse(scene, row, "POST", REGISTER, headers=headers_of(scene), body=body)

    assert problem["errors"][0]["code"] == "redirect-not-allowed"


@pytest.mark.parametrize("channel", [PARTNERS, VALLEY_STATION])
def test_a_channel_without_methods_and_shops_registers_nothing(scene: Scene, channel: str) -> None:
    faults = [f"pointer /redirectUrls/{name}" for name in ("success", "error", "cancel")]
    row = Row(422, "invalid-registration", (*faults, "pointer /paymentMethods/0"))

    headers = headers_of(scene, service_channel_uuid=channel)
    refuse(scene, row, "POST", REGISTER, headers=headers, body=json.dumps(body_of()).encode())


UNREADABLE: dict[str, tuple[bytes, Row]] = {
    "half a body": (b"{", Row(400, "invalid-json", ("pointer ",))),
    "a property twice": (
        b'{"isDefault": true, "isDefault": false}',
        Row(400, "invalid-json", ("pointer /isDefault",)),
    ),
    "a form": (b"isDefault=true", Row(400, "invalid-json", ("pointer ",))),
    "a lone surrogate": (rb'{"isDefault": "\ud800"}', Row(400, "invalid-json", ("pointer /isDefault",))),
    "more than a mebibyte": (b" " * (2**20 + 1), Row(413, "body-too-large")),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_body_that_cannot_be_read_is_refused(scene: Scene, name: str) -> None:
    body, row = UNREADABLE[name]

    refuse(scene, row, "POST", REGISTER, headers=headers_of(scene), body=body)


# ---------------------------------------------------------------- headers

HEADERS: dict[str, tuple[dict[str, str | None], Row]] = {
    "no token": ({"authorization": None}, Row(401, "missing-token", ("header authorization",))),
    "no scheme": ({"authorization": "token"}, Row(401, "invalid-token", ("header authorization",))),
    "another scheme": (
        {"authorization": "Basic bWU6c2VjcmV0"},
        Row(401, "invalid-token", ("header authorization",)),
    ),
    "a token of nobody": (
        {"authorization": "Bearer a.b.c"},
        Row(401, "invalid-token", ("header authorization",)),
    ),
    "no channel": (
        {"service_channel_uuid": None},
        Row(400, "invalid-request", ("header service-channel-uuid",)),
    ),
    "an unknown channel": (
        {"service_channel_uuid": "00000000-0000-4000-8000-000000000000"},
        Row(404, "unknown-channel", ("header service-channel-uuid",)),
    ),
    "another version": ({"api_version": "2024-01-01"}, Row(400, "invalid-request", ("header api-version",))),
}


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("operation", ["register", "list", "default"])
def test_a_request_of_nobody_or_nowhere_is_refused(scene: Scene, name: str, operation: str) -> None:
    overrides, row = HEADERS[name]
    method, target = {
        "register": ("POST", REGISTER),
        "list": ("GET", DETAILS),
        "default": ("DELETE", f"{DETAILS}/{scene.default['id']}/default"),
    }[operation]

    body = json.dumps(body_of()).encode()
    refuse(scene, row, method, target, headers=headers_of(scene, **overrides), body=body)


OF_REGISTRATIONS: dict[str, tuple[dict[str, str | None], Row]] = {
    "no host": ({"host": None}, Row(400, "invalid-request", ("header host",))),
    "a host with a path": ({"host": "evil.test/a"}, Row(400, "invalid-request", ("header host",))),
    "a host with a user": ({"host": "me@evil.test"}, Row(400, "invalid-request", ("header host",))),
    "a host with markup": ({"host": "<script>"}, Row(400, "invalid-request", ("header host",))),
    "a host that is empty": ({"host": ""}, Row(400, "invalid-request", ("header host",))),
    "no type": ({"content_type": None}, Row(415, "unsupported-media-type")),
    "a form": ({"content_type": FORM}, Row(415, "unsupported-media-type")),
    "a key with a blank": (
        {"idempotency_key": "a b"},
        Row(400, "invalid-request", ("header idempotency-key",)),
    ),
}


@pytest.mark.parametrize("name", OF_REGISTRATIONS)
def test_a_registration_with_odd_headers_is_refused(scene: Scene, name: str) -> None:
    overrides, row = OF_REGISTRATIONS[name]

    body = json.dumps(body_of()).encode()
    refuse(scene, row, "POST", REGISTER, headers=headers_of(scene, **overrides), body=body)


# ---------------------------------------------------------------- queries, paths and methods

QUERIES: dict[str, Row] = {
    "status=active": Row(400, "invalid-request", ("parameter status",)),
    "status=": Row(400, "invalid-request", ("parameter status",)),
    "status=ACTIVE,PENDING": Row(400, "invalid-request", ("parameter status",)),
    "status=ACTIVE&status=GONE": Row(400, "invalid-request", ("parameter status",)),
    "type=VIS": Row(400, "invalid-request", ("parameter type",)),
    "type=Card": Row(400, "invalid-request", ("parameter type",)),
    "type=%27%20OR%201=1": Row(400, "invalid-request", ("parameter type",)),
    "type=%ff": Row(400, "invalid-request", ("parameter type",)),
    "account=1": Row(400, "invalid-request", ("parameter account",)),
    "limit=1": Row(400, "invalid-request", ("parameter limit",)),
    "status=x&type=y": Row(400, "invalid-request", ("parameter status", "parameter type")),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_filter_that_there_is_not_is_refused(scene: Scene, query: str) -> None:
    refuse(scene, QUERIES[query], "GET", f"{DETAILS}?{query}", headers=headers_of(scene))


IDS = [
    *("0", "-1", "1.0", "1e3", "01", "+1", "x", "null", "%20", "1%00", "9" * 16, "9" * 400, "\u0661", "7"),
    *("1%27%20OR%201=1", "1%3B", "__proto__", "%2e%2e"),
]


@pytest.mark.parametrize("text", IDS)
def test_a_detail_that_there_is_not_is_404(scene: Scene, text: str) -> None:
    row = Row(404, "unknown-payment-detail")

    refuse(scene, row, "DELETE", f"{DETAILS}/{text}/default", headers=headers_of(scene))


def test_the_detail_of_another_account_is_404_as_one_that_there_is_not(scene: Scene) -> None:
    row = Row(404, "unknown-payment-detail")
    replies = [
        refuse(scene, row, "DELETE", f"{DETAILS}/{name}/default", headers=headers_of(scene))
        for name in (scene.foreign["id"], 7)
    ]

    assert {**replies[0], "instance": ""} == {**replies[1], "instance": ""}


METHODS = [
    ("GET", REGISTER),
    ("PUT", REGISTER),
    ("DELETE", REGISTER),
    ("POST", DETAILS),
    ("DELETE", DETAILS),
    ("GET", f"{DETAILS}/1/default"),
    ("PUT", f"{DETAILS}/1/default"),
    ("PUT", f"{PAGES}/1"),
    ("DELETE", f"{PAGES}/1"),
    ("PATCH", f"{PAGES}/1"),
]


@pytest.mark.parametrize(("method", "target"), METHODS)
def test_a_method_that_there_is_not_is_405(scene: Scene, method: str, target: str) -> None:
    refuse(scene, Row(405, "method-not-allowed"), method, target, headers=headers_of(scene))


# ---------------------------------------------------------------- what cannot be kept


def test_a_method_that_supports_no_alias_cannot_be_registered(tmp_path: Path) -> None:
    resort = files("faregate_catalogue").joinpath("demo_resort.yaml").read_text("utf-8")
    catalogue = tmp_path / "resort.yaml"
    catalogue.write_text(resort.replace("{type: TWI, supportsAlias: true}", "{type: TWI}"), "utf-8")

    with paying(tmp_path, catalogue=catalogue) as client:
        refused = Customer.new(client).post(body_of(paymentMethods=["TWI", "VIS"]))

    [fault] = refused.json()["errors"]
    assert refused.status_code == 422
    assert fault == {
        "reason": "expected one of VIS, ECA, PFC",
        "pointer": "/paymentMethods/0",
        "code": "unsupported-method",
    }
