"""Hostile requests get the declared problem, change nothing that is stored, and take little time."""

from collections.abc import Iterator

import pytest

from support.hostile import hostility
from support.hostile.bodies import full_rows, mebibyte_names, media_rows, size_rows, unreadable_mebibytes
from support.hostile.everywhere import (
    NO_CODES,
    NO_NUMBERS,
    NOT_FOUND,
    bearer_rows,
    body_rows,
    edge_rows,
    header_rows,
    id_rows,
    order_rows,
    order_secret_rows,
    path_rows,
    query_rows,
)
from support.hostile.hostility import (
    ADD,
    CHANGE,
    DROP,
    GET,
    OPERATIONS,
    Plain,
    Refusal,
    Request,
    Row,
    Rows,
    World,
    fault_of,
    of_each,
)
from support.hostile.operations import (
    BESIDE,
    CHANGE_PERSON,
    DEVELOPMENT,
    GUEST,
    GUESTS_NOTICES,
    INTERFACE,
    NOTICES,
    ORDER,
    PRODUCT,
    SHOW_PAGE,
    STATUS,
    UNSET,
    VALIDITIES,
    WITH_BODIES,
)
from support.hostile.world import development_world, world
from support.service.service import PARTNERS, day_ticket


@pytest.fixture(scope="module")
def development(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with development_world(tmp_path_factory.mktemp("hostile") / "development") as development:
        yield development


def checked(world: World, rows: Rows) -> None:
    """Check the response to each of *rows*."""
    told = [*rows]
    found = [fault for row in told if (fault := fault_of(world, row))]
    assert told, "there is no such table"
    assert not found, "\n".join([f"{len(found)} of {len(told)}:", *found[:20]])


@pytest.mark.parametrize("name", INTERFACE)
def test_every_operation_follows_the_common_rules(resort: World, name: str) -> None:
    checked(resort, edge_rows(INTERFACE[name]))


@pytest.mark.parametrize("name", WITH_BODIES)
def test_every_operation_with_a_body_follows_the_rules_for_bodies(
    resort: World, development: World, name: str
) -> None:
    checked(development if name in DEVELOPMENT else resort, body_rows(WITH_BODIES[name]))


@pytest.mark.parametrize("name", BESIDE)
def test_pages_outside_the_interface_are_read_only(resort: World, name: str) -> None:
    request = BESIDE[name]
    refused = Refusal(405, "method-not-allowed")
    rows = [Row(method, request._replace(method=method), refused) for method in ("POST", "TRACE", "")]
    rows += [Row(tail, request._replace(target=name + tail), NOT_FOUND) for tail in ("/a", "%00", "%0A")]
    odd = {"accept": ";;;,,,", "x-request-id": "a\r\nset-cookie: b", "accept-language": "d" + ",d" * 9999}
    rows += [Row(header, request.beside((header, value)), Plain(200)) for header, value in odd.items()]

    checked(resort, iter(rows))


ACCEPTED = [
    *("", "*/*", "\xff", "text/plain;version=a.b", "text/plain;version=\x00", "a/b," * 15_000),
    *(
        f"application/openmetrics-text;{what}"
        for what in ("version=x", f"version={'9' * 20}", "version=-1", "version", "escaping=x", "a;" * 9_000)
    ),
]


def test_metrics_are_served_for_any_accept_header(resort: World) -> None:
    metrics = BESIDE["/metrics"]

    checked(resort, (Row(text[:40], metrics.beside(("accept", text)), Plain(200)) for text in ACCEPTED))


@pytest.mark.parametrize(
    "rows", [header_rows, bearer_rows, query_rows, path_rows], ids=lambda rows: rows.__name__
)
def test_errors_outside_the_body_are_refused(resort: World, rows: hostility.Table) -> None:
    checked(resort, rows(GET))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_invalid_checkout_id_is_not_found(resort: World, operation: str) -> None:
    checked(resort, id_rows(OPERATIONS[operation]))


def test_unknown_items_and_codes_are_not_found(resort: World) -> None:
    items = ((text, f"<checkout>/items/{text}/quantity") for text in NO_NUMBERS)
    codes = ((text, f"<checkout>/vouchers/{text}") for text in NO_CODES)
    unknown_item, unknown_code = (Refusal(404, f"unknown-{what}") for what in ("item", "code"))

    checked(resort, (Row(text, CHANGE._replace(target=path), unknown_item) for text, path in items))
    checked(resort, (Row(text, DROP._replace(target=path), unknown_code) for text, path in codes))


@pytest.mark.parametrize("request_", [GUEST, GUESTS_NOTICES], ids=["the order", "its notices"])
def test_no_other_secret_opens_the_order_of_a_guest(resort: World, request_: Request) -> None:
    checked(resort, order_secret_rows(request_))


@pytest.mark.parametrize("request_", [ORDER, NOTICES], ids=["the order", "its notices"])
def test_an_order_without_access_is_not_found(resort: World, request_: Request) -> None:
    checked(resort, order_rows(request_))


@pytest.mark.parametrize(
    "rows", [media_rows, size_rows, unreadable_mebibytes], ids=lambda rows: rows.__name__
)
def test_invalid_bodies_are_refused(resort: World, rows: hostility.Table) -> None:
    checked(resort, rows(ADD))


BEFORE, _, AFTER = hostility.dumped({"items": [day_ticket(20, discountCardTypeId="*")]}).partition(b'"*"')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        (ADD, full_rows(BEFORE, AFTER, "/items/0/discountCardTypeId")),
        (
            hostility.ANSWER,
            full_rows(b'{"formValues":{"hotel":', b"}}", "/formValues/hotel", "invalid-checkout"),
        ),
        (ADD, mebibyte_names),
    ],
    ids=["an item", "an answer", "names"],
)
def test_a_mebibyte_of_input_is_handled_quickly(
    resort: World, request_: Request, rows: hostility.Table
) -> None:
    checked(resort, rows(request_))


def test_the_requests_succeed_before_they_are_modified(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Otherwise the requests could be refused for another reason."""
    folder = tmp_path_factory.mktemp("good")
    with world(folder / "resort") as resort, development_world(folder / "development") as here:
        replies = {name: resort.asked(request) for name, request in (INTERFACE | BESIDE).items()}  # type: ignore[operator]
        replies |= {name: here.asked(request) for name, request in DEVELOPMENT.items()}

    assert not {name: reply.body for name, reply in replies.items() if reply.status >= 400}


OF_OTHERS = {
    "a checkout": (GET, "<checkout>", "<foreign bound>", "/api/checkout/<unknown>"),
    "an item": (ADD, "<checkout>", "<foreign bound>", "/api/checkout/x"),
    "a payment": (STATUS, "<payable>", "<foreign bound>", "/api/checkout/<unknown>"),
    "a person": (CHANGE_PERSON, "<person>", "<foreign person>", "12345"),
    "a means of payment": (UNSET, "<detail>", "<foreign detail>", "12345"),
    "an order": (ORDER, "<order>", "<foreign order>", "<unknown>"),
    "the notices of an order": (NOTICES, "<order>", "<foreign order>", "<unknown>"),
    "the order of a guest": (GUEST, "<guest order>", "<foreign order>", "<unknown>"),
    "the notices of a guest": (GUESTS_NOTICES, "<guest order>", "<foreign order>", "<unknown>"),
    "a product": (VALIDITIES, "/11/", "/71/", "/99/"),
    "a page": (PRODUCT, "day-ticket", "partner-day-ticket", "nothing"),
}


@pytest.mark.parametrize(("request_", "own", "foreign", "unknown"), OF_OTHERS.values(), ids=OF_OTHERS)
def test_resources_of_others_look_unknown(
    resort: World, request_: Request, own: str, foreign: str, unknown: str
) -> None:
    of_another, of_nobody = (
        resort.asked(request_._replace(target=request_.target.replace(own, name)))
        for name in (foreign, unknown)
    )

    named = [resort.filled(name).encode() for name in (foreign, unknown)]
    assert of_another.status == of_nobody.status == 404
    assert of_another.body.replace(named[0], named[1]) == of_nobody.body


def test_a_checkout_of_another_channel_or_account_looks_unknown(resort: World) -> None:
    unknown = Refusal(404, "unknown-checkout")
    own = {name: OPERATIONS[name] for name in OPERATIONS}

    def rows(request: Request) -> Rows:
        yield Row("on another channel", request.beside(("service-channel-uuid", PARTNERS)), unknown)
        foreign = request._replace(target=request.target.replace("<checkout>", "<foreign bound>"))
        yield Row("of an account", foreign.beside(("authorization", "Bearer <token>")), unknown)

    checked(resort, of_each(own, rows))


def test_persons_of_others_are_unknown(resort: World) -> None:
    own = ADD._replace(target="<bound>/items").beside(("authorization", "Bearer <token>"))
    refusal = Refusal(422, "unknown-person", ("pointer /items/0/personId",))

    checked(
        resort,
        (
            Row(name, own.saying({"items": [day_ticket(20, personId=name)]}), refusal)
            for name in ("<#foreign person>", "<#detail>")
        ),
    )


def test_a_request_that_changes_the_database_is_detected(tmp_path_factory: pytest.TempPathFactory) -> None:
    with world(tmp_path_factory.mktemp("changed") / "resort") as resort:
        found = fault_of(resort, Row("an item", ADD, Plain(200)))

    assert found is not None
    assert found.startswith("an item: the database has changed")


def test_a_revealed_secret_is_detected(development: World) -> None:
    assert "a secret is revealed" in str(fault_of(development, Row("the form", SHOW_PAGE, Plain(200))))
