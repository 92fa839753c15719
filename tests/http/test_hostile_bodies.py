"""Bodies at the edge of what is read: how large they may be, how they come, and how much is told of them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from faregate_http.wire.calls import MOST_BYTES
from faregate_http.wire.problems import MOST_ERRORS
from serving.hostile_families import GOOD
from serving.hostile_world import worlds_in
from serving.hostility import ADD, ANSWER, Family, Request, World, dumped
from serving.raw_requests import Headers, Reply, ask, ask_in_vain, problem_of
from serving.service import day_ticket

WITH_BODIES = {
    f"{family.value}: {name}": (family, request)
    for family, requests in GOOD.items()
    for name, request in requests.items()
    if ("content-type", "application/json") in request.headers
}
of_every_body = pytest.mark.parametrize(("family", "request_"), WITH_BODIES.values(), ids=WITH_BODIES)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[Family, World]]:
    with worlds_in(tmp_path_factory.mktemp("bodies")) as worlds:
        yield worlds


@pytest.fixture
def resort(tmp_path: Path) -> Iterator[World]:
    with worlds_in(tmp_path) as worlds:
        yield worlds[Family.CHECKOUT]


def sent(world: World, request: Request, body: bytes | list[bytes], *headers: tuple[str, str]) -> Reply:
    """What is answered to a body in one or more pieces."""
    given: Headers = [(name, world.filled(str(value))) for name, value in (*request.headers, *headers)]
    return ask(world.client, request.method, world.filled(request.target), headers=given, body=body)


@of_every_body
def test_a_body_may_have_a_mebibyte_and_not_a_byte_more(
    worlds: Mapping[Family, World], family: Family, request_: Request
) -> None:
    world = worlds[family]
    full = b'{"a": 1' + b" " * (MOST_BYTES - 8) + b"}"
    pieces = [full[at : at + 65_536] for at in range(0, MOST_BYTES, 65_536)]
    as_long, too_long = (("content-length", str(MOST_BYTES + extra)) for extra in (0, 1))

    whole = [sent(world, request_, full), sent(world, request_, full, as_long), sent(world, request_, pieces)]
    too_large = [
        sent(world, request_, full + b" "),
        sent(world, request_, full + b" ", too_long),
        sent(world, request_, [*pieces, b" "]),
        sent(world, request_, [*pieces, b"", b" " * MOST_BYTES]),
        sent(world, request_, [b""], too_long),  # refused before any of it is read
    ]

    for reply in whole:
        problem_of(reply, 422, "invalid-body")
    for reply in too_large:
        problem_of(reply, 413, "body-too-large")
    assert world.is_as_it_was


@of_every_body
@pytest.mark.parametrize("length", [0, 1, -1, None])
def test_who_goes_before_the_end_of_a_body_gets_nothing_and_changes_nothing(
    worlds: Mapping[Family, World], family: Family, request_: Request, length: int | None
) -> None:
    world = worlds[family]
    assert isinstance(request_.body, bytes)
    body = world.filled(request_.body.decode()).encode()[:length]
    headers = [(name, world.filled(str(value))) for name, value in request_.headers]

    reply = ask_in_vain(
        world.client,
        request_.method,
        world.filled(request_.target),
        headers=headers,
        body=[body] if body else [],
        disconnects=True,
    )

    assert reply is None
    assert world.is_as_it_was


def test_a_body_in_tiny_pieces_is_read_as_one(resort: World) -> None:
    assert isinstance(ADD.body, bytes)

    reply = sent(resort, ADD, [bytes([byte]) for byte in ADD.body])

    assert reply.status == 200


SPELLINGS = [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json ; charset="UTF-8"',
]


def test_json_has_more_than_one_spelling(resort: World) -> None:
    replies = [resort.asked(ADD.beside(("content-type", spelling))) for spelling in SPELLINGS]

    assert {reply.status for reply in replies} == {200}


FULL_OF_FAULTS = {
    "unknown properties": b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}",
    "empty items": dumped({"items": [{}] * 500}),
}


@pytest.mark.parametrize("body", FULL_OF_FAULTS.values(), ids=FULL_OF_FAULTS)
def test_of_very_many_faults_only_some_are_told(worlds: Mapping[Family, World], body: bytes) -> None:
    reply = worlds[Family.CHECKOUT].asked(ADD._replace(body=body))

    assert len(problem_of(reply, 422, "invalid-body")["errors"]) == MOST_ERRORS
    assert len(reply.body) < 200_000


MANY = {str(n): 1 for n in range(100, 70_000)}
TOO_MUCH_TO_LOOK_AT = {"/formValues": MANY, "/formValues/media": {"media": MANY}}


@pytest.mark.parametrize("pointer", TOO_MUCH_TO_LOOK_AT)
def test_more_answers_than_there_could_be_are_refused_unread(
    worlds: Mapping[Family, World], pointer: str
) -> None:
    reply = worlds[Family.CHECKOUT].asked(ANSWER.saying({"formValues": TOO_MUCH_TO_LOOK_AT[pointer]}))

    assert reply.status == 422
    assert [error["pointer"] for error in reply.json()["errors"]] == [pointer]


def test_what_is_bought_for_nobody_is_not_read(worlds: Mapping[Family, World]) -> None:
    nowhere = ADD._replace(target="/api/checkout/x/items").saying({"items": [day_ticket(1)] * 501})

    problem_of(worlds[Family.CHECKOUT].asked(nowhere), 404, "unknown-checkout")
