"""Requests as operations see them."""

import asyncio
import gc
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote_plus, urlencode
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from starlette.types import Message, Scope

from faregate.files import demo_catalogue
from faregate_http.protocol import bodies
from faregate_http.protocol.bodies import MOST_BYTES, ClientGone
from faregate_http.protocol.parameters import Parameter, is_checkout_id, is_uuid, read_number
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import MOST_VALUES, PlainRequest, Request, parsed
from faregate_http.schemas.checkout_bodies import AddItemsBody, ConditionsBody, QuantityBody, VoucherBody
from faregate_http.schemas.payment_status import PayBody
from faregate_http.schemas.payments import RegisterPaymentDetailBody
from faregate_http.schemas.pricing import AccessPriceBody
from support.hostile.hostility import dumped
from support.service.raw_requests import CHANNEL, JSON, Headers
from support.service.service import VALLEY_STATION, WEBSHOP, channels_of

CATALOGUE = demo_catalogue()
CHANNELS = channels_of(CATALOGUE)
NUMBERS = Parameter("n", {"type": "array", "items": {"type": "integer"}}, "Numbers.", read_number)
NUMBER = Parameter("m", {"type": "integer"}, "A number.", read_number, is_required=True)
WORDS = Parameter("w", {"type": "array", "items": {"type": "string"}}, "Words.", str)


def called(
    *,
    headers: Headers = CHANNEL,
    query: bytes = b"",
    parameters: Iterable[Parameter[object]] = (),
    pieces: Any = (),
) -> Request:
    """Return a request whose body arrives in *pieces*, after which the client disconnects."""
    messages: Iterator[Message] = iter(
        [*({"type": "http.request", "body": piece, "more_body": more} for piece, more in pieces)]
    )

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    return Request(scope_of(headers, query), receive, channel_of=CHANNELS.named, parameters=tuple(parameters))


def scope_of(headers: Headers, query: bytes = b"") -> Scope:
    """Return the ASGI scope of a request."""
    raw = [(name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in headers]
    return {"method": "GET", "path": "/a", "path_params": {}, "query_string": query, "headers": raw}


async def nothing() -> Message:
    """Fail, because the request must not be read."""
    raise AssertionError("there is nothing to receive")


def faults(problem: Problem) -> list[tuple[str | None, str]]:
    return [(error.parameter or error.header or error.pointer, error.reason) for error in problem.errors]


@given(st.uuids())
def test_only_the_usual_spelling_of_a_uuid_is_accepted(uuid: UUID) -> None:
    assert is_uuid(str(uuid))
    assert is_uuid(str(uuid).upper())
    assert not is_uuid(uuid.hex)
    assert not is_uuid(uuid.urn)
    assert not is_uuid(f"{uuid}\n")


@given(st.integers(0, 2**128 - 1), st.sampled_from("0123456789abcdef"), st.sampled_from("0123456789abcdef"))
def test_the_id_of_a_checkout_is_a_uuid_of_version_4_or_7(number: int, version: str, variant: str) -> None:
    text = str(UUID(int=number))
    text = f"{text[:14]}{version}{text[15:19]}{variant}{text[20:]}"
    uuid = UUID(text)

    expected = uuid.variant == RFC_4122 and uuid.version in {4, 7}
    assert is_checkout_id(text) == is_checkout_id(text.upper()) == expected
    assert not is_checkout_id(uuid.hex)


@given(st.text(max_size=40))
def test_accepted_uuids_are_uuids(text: str) -> None:
    assert not is_uuid(text) or str(UUID(text)) == text.lower()


def test_a_request_has_its_channel_and_language() -> None:
    call = called(headers=((CHANNEL[0][0], VALLEY_STATION.upper()), ("accept-language", "de-CH, fr")))

    assert call.channel == CATALOGUE.channel(VALLEY_STATION)
    assert call.language == "de"
    assert (call.method, call.path, call.query, call.parameters) == ("GET", "/a", {}, {})


def test_lists_may_come_in_several_headers() -> None:
    tags = [("if-match", '"a"'), ("accept-language", "fr;q=0.1"), ("if-match", '"b"')]

    call = called(headers=(*CHANNEL, *tags))

    assert call.headers[b"if-match"] == '"a", "b"'
    assert call.language == "fr"


def test_a_header_repeated_with_the_same_value_counts_once() -> None:
    assert called(headers=(*CHANNEL, *CHANNEL)).channel.uuid == WEBSHOP


COMMON_HEADERS: Headers = (
    ("service-channel-uuid", "x"),
    ("service-channel-uuid", "y"),
    ("accept-language", "de"),
    ("idempotency-key", ""),
    ("if-match", "x"),
    ("if-none-match", "x"),
)


def test_a_plain_request_reads_only_the_body_and_version_headers() -> None:
    headers: Headers = (("api-version", "2025-02-18"), ("content-type", "a"), ("content-length", "1"))

    call = PlainRequest(scope_of((*COMMON_HEADERS, *headers, ("cookie", "x"))), nothing)

    assert call.headers == {name.encode(): value for name, value in headers}
    assert not hasattr(call, "channel")
    assert not hasattr(call, "language")


def test_every_issue_of_a_plain_request_is_reported() -> None:
    headers: Headers = (*COMMON_HEADERS, ("api-version", "1"), ("content-type", "a"), ("content-type", "b"))

    with pytest.raises(Problem) as refused:
        PlainRequest(scope_of(headers, b"x=1"), nothing, parameters=[NUMBER])

    assert refused.value.status == 400
    assert faults(refused.value) == [
        ("content-type", "occurs twice with different values"),
        ("x", "unknown parameter"),
        ("m", "is missing"),
        ("api-version", "unknown version, expected 2025-02-18"),
    ]


@given(st.lists(st.integers(-(10**17), 10**17)), st.integers(-(10**17), 10**17))
def test_whole_numbers_are_read_exactly(numbers: list[int], number: int) -> None:
    query = urlencode({"n": numbers, "m": number}, doseq=True).encode()

    call = called(query=query, parameters=[NUMBERS, NUMBER, WORDS])

    assert call.values(NUMBERS) == numbers
    assert call.value(NUMBER) == number
    assert call.value(WORDS) is None


def test_a_single_parameter_cannot_be_given_twice() -> None:
    query = b"m=1&m=2&" + b"&".join([b"n=1"] * (MOST_VALUES + 1))

    with pytest.raises(Problem) as refused:
        called(query=query, parameters=[NUMBERS, NUMBER])

    assert faults(refused.value) == [("n", "occurs too many times"), ("m", "occurs too many times")]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1)))
def test_any_text_can_be_a_value(values: list[str]) -> None:
    query = "&".join(f"w={quote_plus(value)}" for value in values)

    assert called(query=query.encode(), parameters=[WORDS]).query.get("w", []) == values


def refusal_of(ask: Callable[[], object]) -> Problem | None:
    """Return the problem that *ask* raises, if any."""
    try:
        ask()
    except Problem as problem:
        return problem
    return None


@given(st.binary(max_size=30))
def test_any_query_is_read_or_refused(query: bytes) -> None:
    def ask() -> None:
        call = called(query=query, parameters=[NUMBERS, WORDS])
        assert set(call.query) <= {"n", "w"}
        call.values(NUMBERS)

    refusal = refusal_of(ask)

    assert refusal is None or (refusal.status == 400 and refusal.errors)


def test_every_issue_of_a_query_is_reported() -> None:
    with pytest.raises(Problem) as refused:
        called(query=b"n=1&n=x&n=01&w=%&x=1", parameters=[NUMBERS, NUMBER, WORDS])

    assert faults(refused.value) == [
        ("w", "is not percent-encoded UTF-8"),
        ("x", "unknown parameter"),
        ("n", "expected a whole number, got 'x'"),
        ("n", "expected a whole number, got '01'"),
        ("m", "is missing"),
    ]


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_a_body_is_joined_from_its_pieces(body: bytes, cuts: list[int]) -> None:
    edges = sorted({0, *cuts, 200})
    parts = [body[start:end] for start, end in pairwise(edges)]
    pieces = [(part, index < len(parts) - 1) for index, part in enumerate(parts)]

    assert asyncio.run(called(headers=JSON, pieces=pieces).body()) == body


@pytest.mark.parametrize("pieces", [[], [(b"{}", True)], [(b"{", True), (b"}", True)]], ids=range(3))
def test_a_body_cut_off_by_the_client_is_abandoned(pieces: list[tuple[bytes, bool]]) -> None:
    with pytest.raises(ClientGone):
        asyncio.run(called(headers=JSON, pieces=pieces).body())


def test_a_body_that_is_too_large_is_read_no_further() -> None:
    pieces = iter([(b" " * MOST_BYTES, True), (b" ", True)])

    with pytest.raises(Problem) as refused:
        asyncio.run(called(headers=JSON, pieces=pieces).body())

    assert refused.value.status == 413


@pytest.mark.slow
def test_too_many_large_bodies_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small bodies are never refused."""
    gc.collect()  # release the bodies of earlier tests now
    monkeypatch.setattr(bodies, "MOST_LARGE_BYTES", bodies.Share.all_taken + 2 * MOST_BYTES)

    def call(size: int) -> PlainRequest:
        """Return a request with a body of *size* bytes."""
        return called(headers=JSON, pieces=[(b" " * (size // 2), True), (b" " * (size // 2), False)])

    at_work = [call(MOST_BYTES), call(MOST_BYTES)]
    assert [len(asyncio.run(each.body())) for each in at_work] == [MOST_BYTES] * 2
    with pytest.raises(Problem) as refused:
        asyncio.run(call(MOST_BYTES).body())
    assert (refused.value.status, refused.value.code) == (503, "busy")
    assert len(asyncio.run(call(60_000).body())) == 60_000
    at_work.pop()
    del refused
    assert len(asyncio.run(call(MOST_BYTES).body())) == MOST_BYTES


MODELS = [AddItemsBody, ConditionsBody, QuantityBody, VoucherBody, AccessPriceBody]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=70),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["items", "id", "validity", "from", "to", "delta", "voucherCode", "formValues", "x"]
            )
            | st.sampled_from(["productVariantId", "personId", "parentItemId"])
            | st.sampled_from(["quantity", "currency_code", "dta_product_id", "depot_flag", "valid_to"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("model", "body", "fault"),
    [
        (PayBody, {"expectedTotal": "5"}, ("/expectedTotal", "expected a number")),
        (PayBody, {"expectedTotal": None}, ("/expectedTotal", "expected a number")),
        (
            RegisterPaymentDetailBody,
            {
                "redirectUrls": dict.fromkeys(["success", "error", "cancel"], "https://shop.example"),
                "isDefault": True,
                "paymentMethods": [],
            },
            ("/paymentMethods", "expected at least 1 element"),
        ),
    ],
)
def test_the_reason_says_what_was_expected(
    model: type[BaseModel], body: dict[str, object], fault: tuple[str, str]
) -> None:
    with pytest.raises(Problem) as refused:
        parsed(dumped(body), model)

    assert faults(refused.value) == [fault]


@pytest.mark.parametrize("model", MODELS)
@given(value=JSON_VALUES)
def test_validation_errors_have_the_messages_of_the_interface(model: type[BaseModel], value: object) -> None:
    refusal = refusal_of(lambda: parsed(dumped(value), model))

    for error in refusal.errors if refusal and refusal.code == "invalid-body" else ():
        assert error.reason.startswith(("expected ", "is missing", "unknown property"))
        assert "{" not in error.reason


def test_an_unexpected_validation_error_is_a_problem() -> None:
    class Odd(BaseModel):
        number: float

    with pytest.raises(ValidationError):
        Odd.model_validate({"number": "x"})
    with pytest.raises(Problem) as refused:
        parsed(b'{"number": "x"}', Odd)

    assert faults(refused.value) == [("/number", "is not accepted")]
