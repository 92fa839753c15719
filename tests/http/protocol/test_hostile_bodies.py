"""Bodies at their limits: size, transfer, and amount of reported errors."""

import pytest

from faregate_http.protocol.bodies import MOST_BYTES
from faregate_http.protocol.problems import MOST_ERRORS
from support.hostile.hostility import ADD, ANSWER, Request, World, dumped
from support.hostile.operations import WITH_BODIES
from support.service.raw_requests import Headers, Reply, ask, ask_in_vain, problem_of
from support.service.service import day_ticket


def sent(world: World, request: Request, body: bytes | list[bytes], *headers: tuple[str, str]) -> Reply:
    """Return the response to a body in one or more pieces."""
    given: Headers = [(name, world.filled(str(value))) for name, value in (*request.headers, *headers)]
    return ask(world.client, request.method, world.filled(request.target), headers=given, body=body)


def test_a_body_may_have_at_most_one_mebibyte(resort: World) -> None:
    full = b'{"a": 1' + b" " * (MOST_BYTES - 8) + b"}"
    pieces = [full[at : at + 65_536] for at in range(0, MOST_BYTES, 65_536)]
    as_long, too_long = (("content-length", str(MOST_BYTES + extra)) for extra in (0, 1))

    whole = [sent(resort, ADD, full), sent(resort, ADD, full, as_long), sent(resort, ADD, pieces)]
    too_large = [
        sent(resort, ADD, full + b" "),
        sent(resort, ADD, full + b" ", too_long),
        sent(resort, ADD, [*pieces, b" "]),
        sent(resort, ADD, [*pieces, b"", b" " * MOST_BYTES]),
        sent(resort, ADD, [b""], too_long),  # refused before any of the body is read
    ]

    for reply in whole:
        problem_of(reply, 422, "invalid-body")
    for reply in too_large:
        problem_of(reply, 413, "body-too-large")
    assert resort.is_as_it_was


# One operation of each kind, since all read bodies in the same way.
READ_FROM = ["items", "quantity", "pay", "gate"]


@pytest.mark.parametrize("length", [0, 1, -1, None])
@pytest.mark.parametrize("name", READ_FROM)
def test_an_incomplete_body_changes_nothing(resort: World, name: str, length: int | None) -> None:
    request = WITH_BODIES[name]
    assert isinstance(request.body, bytes)
    body = resort.filled(request.body.decode()).encode()[:length]
    headers = [(name, resort.filled(str(value))) for name, value in request.headers]

    reply = ask_in_vain(
        resort.client,
        request.method,
        resort.filled(request.target),
        headers=headers,
        body=[body] if body else [],
        disconnects=True,
    )

    assert reply is None
    assert resort.is_as_it_was


SPELLINGS = [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json ; charset="UTF-8"',
]


def test_the_json_media_type_has_several_spellings(fresh: World) -> None:
    replies = [fresh.asked(ADD.beside(("content-type", spelling))) for spelling in SPELLINGS]

    assert {reply.status for reply in replies} == {200}


FULL_OF_FAULTS = {
    "unknown properties": b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}",
    "empty items": dumped({"items": [{}] * 500}),
}


@pytest.mark.slow
@pytest.mark.parametrize("body", FULL_OF_FAULTS.values(), ids=FULL_OF_FAULTS)
def test_the_number_of_reported_issues_is_limited(resort: World, body: bytes) -> None:
    reply = resort.asked(ADD._replace(body=body))

    assert len(problem_of(reply, 422, "invalid-body")["errors"]) == MOST_ERRORS
    assert len(reply.body) < 200_000


MANY = {str(n): 1 for n in range(100, 70_000)}
TOO_MUCH_TO_LOOK_AT = {"/formValues": MANY, "/formValues/media": {"media": MANY}}


@pytest.mark.parametrize("pointer", TOO_MUCH_TO_LOOK_AT)
def test_too_many_answers_are_refused_unread(resort: World, pointer: str) -> None:
    reply = resort.asked(ANSWER.saying({"formValues": TOO_MUCH_TO_LOOK_AT[pointer]}))

    assert reply.status == 422
    assert [error["pointer"] for error in reply.json()["errors"]] == [pointer]


def test_items_of_an_unknown_checkout_are_not_read(resort: World) -> None:
    nowhere = ADD._replace(target="/api/checkout/x/items").saying({"items": [day_ticket(1)] * 501})

    problem_of(resort.asked(nowhere), 404, "unknown-checkout")
