"""Requests about accounts that must be refused: with what status, why and where, and that nothing changes."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from starlette.testclient import TestClient

from faregate_http.settings import FailureLimit
from faregate_http.store.records import AccountRow, PersonRow
from serving.customers import (
    ADA,
    AUTHENTICATE,
    CURRENT,
    PERSONS,
    bearer,
    logged_in,
    new_person,
    serving_accounts,
)
from serving.identity_provider import (
    EC,
    RSA,
    SECRET,
    STRANGER,
    Provider,
    new_key,
    providing,
    signed,
    with_secret,
)
from serving.raw_requests import JSON, Headers, Reply, ask, places, problem_of
from serving.service import START, Json

NOW = int(START.timestamp())
BROKEN = b'{"idToken": '


class Customer(NamedTuple):
    """A service, its provider, and somebody who has logged in there and has a person; and somebody else."""

    client: TestClient
    provider: Provider
    token: str
    person: int
    other: int

    @property
    def good(self) -> Headers:
        return (*JSON, ("authorization", f"Bearer {self.token}"))


@pytest.fixture(scope="module")
def customer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Customer]:
    folder = tmp_path_factory.mktemp("hostile-accounts")
    unlimited = FailureLimit(10_000, 1)
    with providing() as provider, serving_accounts(folder, provider, login_failures=unlimited) as client:
        headers = logged_in(client, provider.token(sub="victim"))
        person = new_person(client, headers)["id"]
        other = new_person(client, logged_in(client, provider.token(sub="other")))["id"]
        yield Customer(client, provider, headers["authorization"].removeprefix("Bearer "), person, other)


def state_of(customer: Customer) -> tuple[Any, Any]:
    """All accounts and persons there are."""
    portal, store = customer.client.portal, customer.client.app_state["services"].store
    assert portal is not None
    return portal.call(store.find, AccountRow), portal.call(store.find, PersonRow)


def refused(
    customer: Customer,
    reply_to: tuple[str, str, Headers, bytes],
    expected: tuple[int, str, tuple[str, ...]],
) -> Reply:
    """The reply to a request that must be refused so, and must change nothing."""
    before = state_of(customer)
    method, path, headers, body = reply_to
    status, code, where = expected

    reply = ask(customer.client, method, path, headers=headers, body=body)

    problem = problem_of(reply, status, code)
    assert tuple(places(problem)) == where, problem
    assert reply.header("www-authenticate") == ("Bearer" if status == 401 else None)
    assert state_of(customer) == before
    return reply


# ---------------------------------------------------------------- ID tokens that are not believed


def hostile_tokens(provider: Provider, access: str) -> dict[str, str]:
    """Every way in which a token is not one of the provider for this service."""
    good = provider.claims(sub="mallory")
    header, claims, signature = signed(good).split(".")
    return {
        "not a token": "ada",
        "blank": " ",
        "two parts": f"{header}.{claims}",
        "four parts": f"{header}.{claims}.{signature}.{signature}",
        "five parts": "a.b.c.d.e",
        "no signature": f"{header}.{claims}.",
        "another signature": f"{header}.{claims}.{signature[::-1]}",
        "short signature": f"{header}.{claims}.AAAA",
        "other claims": f"{header}.{signed(provider.claims(sub='victim')).split('.')[1]}.{signature}",
        "no JSON": f"bm90.{claims}.{signature}",
        "list of claims": signed(b"[]"),
        "claims are text": signed(b'"victim"'),
        "claims twice": signed(b'{"sub":"mallory","sub":"victim"}'),
        "deep claims": signed(b'{"sub":' + b"[" * 100 + b"]" * 100 + b"}"),
        "no claims": signed({}),
        "nothing": "..",
        "many dots": "." * 1000,
        "none": f"eyJhbGciOiJub25lIn0.{claims}.AAAA",
        "None": f"eyJhbGciOiJOb25lIn0.{claims}.AAAA",
        "no algorithm": f"e30.{claims}.{signature}",
        "a secret": with_secret("-" * 32, good, kid="ec-1"),
        "the service's secret": with_secret(SECRET, good),
        "the public key as a secret": with_secret(json.dumps(EC.as_dict(private=False)), good, kid="ec-1"),
        "wrong algorithm for the key": signed(good, RSA, algorithm="RS256", kid="ec-1"),
        "stranger": signed(good, STRANGER),
        "stranger's own key within": signed(good, STRANGER, jwk=STRANGER.as_dict(private=False)),
        "stranger's keys elsewhere": signed(good, STRANGER, jku="https://mallory.example/jwks"),
        "unknown key": signed(good, new_key("P-256", "ec-9")),
        "critical header": signed(good, EC, crit=["exp"]),
        "not encoded": f"eyJhbGciOiJFUzI1NiIsImI2NCI6ZmFsc2V9.{claims}.{signature}",
        "access token of the service": access,
        "access token of the provider": signed(good, typ="at+jwt"),
        "logout token": signed(good, typ="logout+jwt"),
        "another issuer": provider.token(iss="https://mallory.example"),
        "issuer with a slash": provider.token(iss=f"{provider.url}/"),
        "no issuer": provider.token(iss=None),
        "another audience": provider.token(aud="mallory"),
        "no audience": provider.token(aud=None),
        "several audiences": provider.token(aud=["tickets", "mallory"]),
        "another party": provider.token(aud=["tickets", "mallory"], azp="mallory"),
        "expired": provider.token(exp=NOW - 60),
        "no expiry": provider.token(exp=None),
        "expiry as text": provider.token(exp="never"),
        "endless expiry": signed(json.dumps(good)[:-1].encode() + b', "exp": 1e999}'),
        "from the future": provider.token(iat=NOW + 61),
        "not yet": provider.token(nbf=NOW + 61),
        "no instant of issue": provider.token(iat=None),
        "nobody": provider.token(sub=None),
        "empty name": provider.token(sub=""),
        "a number": provider.token(sub=1),
        "long name": provider.token(sub="a" * 256),
        "name with a zero": provider.token(sub="victim\0"),
        "name of two lines": provider.token(sub="victim\n"),
        "list of names": provider.token(sub=["victim"]),
    }


TOKENS = list(hostile_tokens(Provider("http://127.0.0.1:1"), "access"))


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_that_is_not_believed_opens_nothing(customer: Customer, name: str) -> None:
    token = hostile_tokens(customer.provider, customer.token)[name]
    body = json.dumps({"idToken": token}).encode()

    refused(customer, ("POST", AUTHENTICATE, JSON, body), (401, "invalid-token", ("pointer /idToken",)))


@pytest.mark.parametrize("name", TOKENS)
def test_nor_is_it_believed_as_a_bearer_of_an_account(customer: Customer, name: str) -> None:
    token = hostile_tokens(customer.provider, customer.token)[name]
    if token == customer.token:
        token = f"{token}x"
    headers = (*JSON, ("authorization", f"Bearer {token}"))

    refused(customer, ("GET", CURRENT, headers, b""), (401, "invalid-token", ("header authorization",)))


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "missing-token"),
        ("", "invalid-token"),
        ("Bearer", "invalid-token"),
        ("Bearer ", "invalid-token"),
        ("Basic dmljdGltOnNlY3JldA==", "invalid-token"),
        ("Token {token}", "invalid-token"),
        ("{token}", "invalid-token"),
        ("Bearer{token}", "invalid-token"),
        ("Bearer {token} {token}", "invalid-token"),
        ("Bearer {token}, Bearer {token}", "invalid-token"),
        ("Bearer\t{token}", "invalid-token"),
        ('Bearer "{token}"', "invalid-token"),
        ("Bearer null", "invalid-token"),
        ("Bearer " + "a" * 20_000, "invalid-token"),
        ("Bearer \xff", "invalid-token"),
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", CURRENT),
        ("POST", f"{CURRENT}/schedule-deletion"),
        ("POST", PERSONS),
        ("PATCH", f"{PERSONS}/1"),
    ],
)
def test_what_needs_an_account_is_refused_without_its_token(
    customer: Customer, method: str, path: str, value: str | None, code: str
) -> None:
    headers = JSON if value is None else (*JSON, ("authorization", value.format(token=customer.token)))

    refused(customer, (method, path, headers, b"{"), (401, code, ("header authorization",)))


def test_two_different_tokens_are_not_one(customer: Customer) -> None:
    headers = (*customer.good, ("authorization", "Bearer other"))

    refused(customer, ("GET", CURRENT, headers, b""), (400, "invalid-request", ("header authorization",)))


# ---------------------------------------------------------------- bodies of a login

LOGINS: dict[str, tuple[bytes, int, str, tuple[str, ...]]] = {
    "empty": (b"", 400, "invalid-json", ("pointer ",)),
    "cut off": (BROKEN, 400, "invalid-json", ("pointer ",)),
    "not UTF-8": (b'{"idToken": "\xff"}', 400, "invalid-json", ("pointer ",)),
    "twice": (b'{"idToken": "a", "idToken": "b"}', 400, "invalid-json", ("pointer /idToken",)),
    "a list": (b"[]", 422, "invalid-body", ("pointer ",)),
    "null": (b"null", 422, "invalid-body", ("pointer ",)),
    "nothing": (b"{}", 422, "invalid-body", ("pointer /idToken",)),
    "null token": (b'{"idToken": null}', 422, "invalid-body", ("pointer /idToken",)),
    "numeric token": (b'{"idToken": 1}', 422, "invalid-body", ("pointer /idToken",)),
    "empty token": (b'{"idToken": ""}', 422, "invalid-body", ("pointer /idToken",)),
    "huge token": (
        b'{"idToken": "' + b"a" * 16_385 + b'"}',
        422,
        "invalid-body",
        ("pointer /idToken",),
    ),
    "snake case": (
        b'{"id_token": "a"}',
        422,
        "invalid-body",
        ("pointer /idToken", "pointer /id_token"),
    ),
    "language": (b'{"idToken": "a", "language": "es"}', 422, "invalid-body", ("pointer /language",)),
    "language in capitals": (
        b'{"idToken": "a", "language": "DE"}',
        422,
        "invalid-body",
        ("pointer /language",),
    ),
    "numeric language": (b'{"idToken": "a", "language": 1}', 422, "invalid-body", ("pointer /language",)),
    "empty nonce": (b'{"idToken": "a", "nonce": ""}', 422, "invalid-body", ("pointer /nonce",)),
    "long nonce": (
        b'{"idToken": "a", "nonce": "' + b"n" * 256 + b'"}',
        422,
        "invalid-body",
        ("pointer /nonce",),
    ),
    "email": (b'{"idToken": "a", "email": "a@b.ch"}', 422, "invalid-body", ("pointer /email",)),
    "account": (b'{"idToken": "a", "accountId": 1}', 422, "invalid-body", ("pointer /accountId",)),
    "type": (b'{"idToken": "a", "type": "ADMIN"}', 422, "invalid-body", ("pointer /type",)),
    "large": (b'{"idToken": "' + b"a" * 2**20 + b'"}', 413, "body-too-large", ()),
}


@pytest.mark.parametrize(("body", "status", "code", "where"), LOGINS.values(), ids=LOGINS)
def test_a_login_of_another_shape_is_refused(
    customer: Customer, body: bytes, status: int, code: str, where: tuple[str, ...]
) -> None:
    refused(customer, ("POST", AUTHENTICATE, JSON, body), (status, code, where))


@pytest.mark.parametrize("path", [AUTHENTICATE, PERSONS])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; x=1"])
def test_a_body_of_another_type_is_refused(customer: Customer, path: str, kind: str) -> None:
    headers = [pair for pair in customer.good if pair[0] != "content-type"]

    refused(
        customer,
        ("POST", path, [*headers, ("content-type", kind)], b"{}"),
        (415, "unsupported-media-type", ()),
    )


# ---------------------------------------------------------------- persons

GOOD: Json = {"values": ADA}
PERSON_BODIES: dict[str, tuple[Any, int, str, tuple[str, ...]]] = {
    "nothing": ({}, 422, "invalid-body", ("pointer /values",)),
    "a list": ([], 422, "invalid-body", ("pointer ",)),
    "values are a list": ({"values": []}, 422, "invalid-body", ("pointer /values",)),
    "values are null": ({"values": None}, 422, "invalid-body", ("pointer /values",)),
    "owner": ({**GOOD, "isOwner": True}, 422, "invalid-body", ("pointer /isOwner",)),
    "account": ({**GOOD, "accountId": 1}, 422, "invalid-body", ("pointer /accountId",)),
    "id": ({**GOOD, "id": 1}, 422, "invalid-body", ("pointer /id",)),
    "products are null": ({**GOOD, "productIds": None}, 422, "invalid-body", ("pointer /productIds",)),
    "product as text": ({**GOOD, "productIds": ["21"]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product is true": ({**GOOD, "productIds": [True]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product 0": ({**GOOD, "productIds": [0]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product half": ({**GOOD, "productIds": [21.5]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "many products": ({**GOOD, "productIds": [21] * 101}, 422, "invalid-body", ("pointer /productIds",)),
    "unknown products": (
        {**GOOD, "productIds": [21, 999, 2**53 - 1]},
        422,
        "unknown-product",
        ("pointer /productIds/1", "pointer /productIds/2"),
    ),
    "variant for product": (
        {**GOOD, "productIds": [211]},
        422,
        "unknown-product",
        ("pointer /productIds/0",),
    ),
    "unknown question": (
        {"values": {**ADA, "shoeSize": 1}},
        422,
        "invalid-person",
        ("pointer /values/shoeSize",),
    ),
    "unknown question, null": (
        {"values": {**ADA, "shoeSize": None}},
        422,
        "invalid-person",
        ("pointer /values/shoeSize",),
    ),
    "odd names": (
        {"values": {**ADA, "a/b": 1, "c~d": 2, "": 3, "__proto__": 4}},
        422,
        "invalid-person",
        ("pointer /values/a~1b", "pointer /values/c~0d", "pointer /values/", "pointer /values/__proto__"),
    ),
    "long name": ({"values": {**ADA, "x" * 300: 1}}, 422, "invalid-person", ("pointer /values",)),
    "many values": ({"values": {f"x{n}": 1 for n in range(201)}}, 422, "invalid-body", ("pointer /values",)),
    "number for a name": (
        {"values": {**ADA, "firstName": 1}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "object for a name": (
        {"values": {**ADA, "firstName": {"a": None}}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "empty name": (
        {"values": {**ADA, "firstName": ""}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "name of two lines": (
        {"values": {**ADA, "lastName": "a\nb"}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "name with a zero": (
        {"values": {**ADA, "lastName": "a\0"}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "very long name": (
        {"values": {**ADA, "lastName": "a" * 81}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "no such day": (
        {"values": {**ADA, "dateOfBirth": "2001-02-30"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",),
    ),
    "day in letters": (
        {"values": {**ADA, "dateOfBirth": "1.2.2001"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",),
    ),
    "date-time": (
        {"values": {**ADA, "dateOfBirth": "2001-02-03T00:00:00Z"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",) * 2,
    ),
    "no address": (
        {"values": {**ADA, "email": "ada"}},
        422,
        "invalid-person",
        ("pointer /values/email",) * 2,
    ),
    "null for a required name": (
        {"values": {"firstName": "A", "lastName": None}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
}


@pytest.mark.parametrize(("body", "status", "code", "where"), PERSON_BODIES.values(), ids=PERSON_BODIES)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_person_that_the_form_does_not_take_is_refused(
    customer: Customer, method: str, body: Any, status: int, code: str, where: tuple[str, ...]
) -> None:
    path = PERSONS if method == "POST" else f"{PERSONS}/{customer.person}"

    refused(customer, (method, path, customer.good, json.dumps(body).encode()), (status, code, where))


def test_everything_that_is_wrong_with_a_person_is_told(customer: Customer) -> None:
    body = {"values": {"firstName": "", "dateOfBirth": 1, "shoeSize": 1}, "productIds": [21]}
    expected = ("/values/shoeSize", "/values/firstName", "/values/dateOfBirth", "/values/lastName")

    reply = ask(customer.client, "POST", PERSONS, headers=customer.good, body=json.dumps(body).encode())

    assert sorted(places(problem_of(reply, 422, "invalid-person"))) == sorted(
        f"pointer {place}" for place in expected
    )


UNKNOWN_IDS = [
    "0",
    "-1",
    "x",
    "1.0",
    "%31%30x",
    "9" * 17,
    "99999999999999999999",
    "1e3",
    "%EF%BC%90",
    "null",
    "current",
]


@pytest.mark.parametrize("person_id", UNKNOWN_IDS)
def test_an_unknown_person_is_not_found(customer: Customer, person_id: str) -> None:
    body = json.dumps(GOOD).encode()
    path = f"{PERSONS}/{person_id}"

    refused(customer, ("PATCH", path, customer.good, body), (404, "unknown-person", ()))


def test_the_person_of_another_account_is_as_unknown_as_any(customer: Customer) -> None:
    body = json.dumps({"values": {"firstName": "Mallory"}}).encode()

    of_another, of_nobody = (
        refused(customer, ("PATCH", f"{PERSONS}/{number}", customer.good, body), (404, "unknown-person", ()))
        for number in (customer.other, 12345)
    )

    assert of_another.body.replace(str(customer.other).encode(), b"12345") == of_nobody.body


METHODS = [
    ("GET", AUTHENTICATE, "POST"),
    ("PUT", CURRENT, "GET, HEAD"),
    ("DELETE", CURRENT, "GET, HEAD"),
    ("GET", PERSONS, "POST"),
    ("GET", f"{PERSONS}/1", "PATCH"),
    ("DELETE", f"{PERSONS}/1", "PATCH"),
    ("GET", f"{CURRENT}/schedule-deletion", "POST"),
]


@pytest.mark.parametrize(("method", "path", "allowed"), METHODS)
def test_other_methods_are_refused(customer: Customer, method: str, path: str, allowed: str) -> None:
    reply = refused(customer, (method, path, customer.good, b""), (405, "method-not-allowed", ()))

    assert reply.header("allow") == allowed


@pytest.mark.parametrize(
    ("headers", "status", "code", "where"),
    [
        ((("content-type", "application/json"),), 400, "invalid-request", ("header service-channel-uuid",)),
        ((("service-channel-uuid", "x"),), 400, "invalid-request", ("header service-channel-uuid",)),
        (
            (("service-channel-uuid", "7d9e6c1a-0b51-4c58-8a10-000000000000"),),
            404,
            "unknown-channel",
            ("header service-channel-uuid",),
        ),
        ((*JSON, ("api-version", "2024-01-01")), 400, "invalid-request", ("header api-version",)),
        ((*JSON, ("idempotency-key", "")), 400, "invalid-request", ("header idempotency-key",)),
    ],
)
@pytest.mark.parametrize("path", [AUTHENTICATE, PERSONS])
def test_the_headers_that_all_have_are_checked_first(
    customer: Customer, path: str, headers: Headers, status: int, code: str, where: tuple[str, ...]
) -> None:
    refused(customer, ("POST", path, headers, BROKEN), (status, code, where))


def test_unknown_parameters_are_refused(customer: Customer) -> None:
    target = f"{CURRENT}?access_token={customer.token}"

    reply = refused(
        customer, ("GET", target, JSON, b""), (400, "invalid-request", ("parameter access_token",))
    )

    assert customer.token.encode() not in reply.body


# ---------------------------------------------------------------- too often


def test_who_guesses_waits_and_others_do_not(tmp_path: Any) -> None:
    with (
        providing() as provider,
        serving_accounts(tmp_path, provider, login_failures=FailureLimit(3, 60)) as client,
    ):
        answers = [client.post(AUTHENTICATE, json={"idToken": "guess"}) for _ in range(4)]
        good = client.post(AUTHENTICATE, json={"idToken": provider.token()})
        transport: Any = client._transport
        transport.client = ("192.0.2.1", 50_000)
        elsewhere = client.post(AUTHENTICATE, json={"idToken": provider.token()})

    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert (good.status_code, good.json()["code"]) == (429, "too-many-failures")
    assert 1 <= int(good.headers["retry-after"]) <= 60
    assert elsewhere.status_code == 200


def test_who_logs_in_well_never_waits(tmp_path: Any) -> None:
    with (
        providing() as provider,
        serving_accounts(tmp_path, provider, login_failures=FailureLimit(1, 60)) as client,
    ):
        answers = [client.post(AUTHENTICATE, json={"idToken": provider.token()}) for _ in range(20)]
        answers += [client.post(AUTHENTICATE, json={}) for _ in range(20)]

    assert [answer.status_code for answer in answers] == [200] * 20 + [422] * 20


def test_a_good_token_is_good(customer: Customer) -> None:
    """Else everything above could be refused for another reason."""
    assert customer.client.get(CURRENT, headers=bearer(customer.token)).status_code == 200
    changed = ask(
        customer.client,
        "PATCH",
        f"{PERSONS}/{customer.person}",
        headers=customer.good,
        body=json.dumps(GOOD).encode(),
    )
    assert changed.status == 200
