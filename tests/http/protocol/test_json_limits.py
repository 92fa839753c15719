"""JSON is read to a maximum depth, and reports about its errors stay small."""

import json
import pickle

import pytest

from faregate.errors import FaregateError
from faregate_http.protocol.json_input import MAX_ISSUES, MAX_LEVELS, MAX_POINTER_CHARACTERS, read_json
from support.service.json_reading import refusal, same

NESTS = pytest.mark.parametrize(
    ("start", "end"),
    [("[", "]"), ('{"a":', "}"), ('["\\ud83d\\ude00",', "]"), ("[0,", "]"), ('{"b":"[{","a":', "}")],
)


@NESTS
def test_nesting_up_to_the_limit_is_read(start: str, end: str) -> None:
    levels = MAX_LEVELS
    body = (start * levels + "1" + end * levels).encode()

    assert same(read_json(body), json.loads(body))


@NESTS
@pytest.mark.parametrize("levels", [MAX_LEVELS + 1, 500])
def test_deeper_nesting_is_refused(start: str, end: str, levels: int) -> None:
    error = refusal((start * levels + "1" + end * levels).encode())

    assert error.reason == "nested deeper than 32 levels"
    assert error.pointer.count("/") == MAX_LEVELS


@NESTS
@pytest.mark.parametrize("closed", [True, False])
def test_a_mebibyte_of_nesting_is_refused_unread(start: str, end: str, closed: bool) -> None:
    levels = (1 << 20) // len(start + end)

    error = refusal((start * levels + end * levels * closed).encode())

    assert error.reason == "more than 10000 arrays and objects"


def test_many_containers_are_limited_in_number_not_depth() -> None:
    assert read_json(b"[" + b"[[]]," * 4_999 + b"{}]") == [*([[[]]] * 4_999), {}]
    assert refusal(b"[" + b"[[]]," * 5_000 + b"{}]").reason == "more than 10000 arrays and objects"


def test_excessive_depth_is_found_after_many_shallow_values() -> None:
    deep = b"[" * MAX_LEVELS + b"]" * MAX_LEVELS

    assert refusal(b"[" + b"{}," * 1_000 + deep + b"]").pointer == "/1000" + "/0" * (MAX_LEVELS - 1)


def test_the_number_of_reported_issues_is_limited() -> None:
    error = refusal(b"[" + b"NaN," * 1_000 + b"1]")

    assert [pointer for _, pointer in error.found] == [f"/{index}" for index in range(MAX_ISSUES)]


@pytest.mark.parametrize(
    ("length", "pointer"), [(0, "/b/"), (197, "/b/" + "k" * 197), (198, "/b"), (9_999, "/b")]
)
def test_a_pointer_that_would_be_too_long_ends_at_the_parent(length: int, pointer: str) -> None:
    assert len(pointer) <= MAX_POINTER_CHARACTERS

    assert refusal(json.dumps({"a": 0, "b": {"k" * length: float("nan")}}).encode()).pointer == pointer


def test_a_long_key_is_cut() -> None:
    error = refusal(b'{"' + b"k" * 41 + b'": 0, "' + b"k" * 41 + b'": 0}')

    assert error.reason == f'duplicate key "{"k" * 40}…"'


def test_the_error_is_a_faregate_error_and_survives_pickling() -> None:
    error = refusal(b'{"a": 1, "a": 2, "b": NaN}').error

    assert isinstance(error, FaregateError)
    assert error.code == "invalid-json"
    assert error.messages == ('a: duplicate key "a"', "b: NaN is not a JSON number")
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)
