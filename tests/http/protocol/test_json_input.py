"""Untrusted JSON is read exactly, or refused with the location of each error."""

from __future__ import annotations

import decimal
import json
from collections import Counter
from decimal import Decimal
from typing import TypeAlias

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate_http.protocol import json_input
from faregate_http.protocol.json_input import InvalidJson, Json, read_json
from support.service.json_reading import described, refusal, same

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | float | None"

KEYS = st.one_of(st.sampled_from(["a", "b", "A", "", "é", "a/b~", ":"]), st.text(max_size=4))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**64) + 1, 10**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
VALUES: st.SearchStrategy[Plain] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
# Pieces that often form JSON, or nearly.
_SIGNS = rb'[ ] { } , : " \ - 0 1 . e + true null NaN 1e400 {} []'.split()
_PARTS = rb'"a" "a": "b":1 [1, {"a": \ud83d \ude00 \u003a "\uD83D"'.split()
_BYTES = [b" ", b"\n", b"\x00", b"\xc3\xa9", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf"]
PIECES = st.lists(st.sampled_from([*_SIGNS, *_PARTS, *_BYTES]), max_size=12).map(b"".join)


def text_of(pairs: list[tuple[str, str]]) -> bytes:
    return ("{" + ",".join(f"{json.dumps(key)}: {value}" for key, value in pairs) + "}").encode()


def outcome(body: bytes) -> Json | InvalidJson:
    try:
        return read_json(body)
    except InvalidJson as error:
        return error


def exactly(value: Plain) -> Json:
    """Return the expected result of reading *value*: floats as the numbers that json.dumps writes."""
    match value:
        case float():
            number = Decimal(json.dumps(value))
            return int(number) if value.is_integer() and abs(value) < 1e64 else number
        case list():
            return [exactly(element) for element in value]
        case dict():
            return {key: exactly(member) for key, member in value.items()}
    return value


@given(value=VALUES, is_ascii=st.booleans(), indent=st.sampled_from([None, 0, 3]))
def test_json_output_is_read_back_exactly(value: Plain, is_ascii: bool, indent: int | None) -> None:
    body = json.dumps(value, ensure_ascii=is_ascii, indent=indent).encode()

    read = outcome(body)

    if isinstance(read, InvalidJson):  # a float may be smaller than 1e-308
        assert {issue.message for issue in read.issues} == {"number out of range"}
        assert "e-3" in body.decode()
    else:
        assert same(read, exactly(value))


@given(body=PIECES | st.binary(max_size=40))
@example(b'["\\ud83d\\ude00"]')
@example(b'"\\ud83d\\\\ude00"')
def test_any_bytes_are_a_value_or_invalid_json(body: bytes) -> None:
    read = outcome(body)

    if isinstance(read, InvalidJson):
        assert str(read).encode()
        assert read.issues
    else:
        assert same(read, json.loads(body, parse_float=Decimal))
        assert json.dumps(read, default=str, ensure_ascii=False).encode()


@given(body=PIECES)
def test_accepted_bodies_have_no_issues(body: bytes) -> None:
    read = outcome(body.decode(errors="ignore").encode())

    if not isinstance(read, InvalidJson):
        assert not [*json_input._issues(read, ())]


@given(pairs=st.lists(st.tuples(KEYS, st.sampled_from(["1", "{}", "[1.5]", '"x"'])), max_size=6))
def test_every_duplicate_key_is_reported(pairs: list[tuple[str, str]]) -> None:
    repeated = {key for key, count in Counter(key for key, _ in pairs).items() if count > 1}
    tokens = {"/" + key.replace("~", "~0").replace("/", "~1") for key in repeated}

    read = outcome(text_of(pairs))

    if isinstance(read, InvalidJson):
        assert sorted(pointer for _, pointer in described(read).found) == sorted(tokens)
    else:
        assert not tokens
        assert isinstance(read, dict)
        assert list(read) == [key for key, _ in pairs]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"null", None),
        (b" \t\r\n1 \t\r\n", 1),
        (b'{"a": 1, "A": 2}', {"a": 1, "A": 2}),
        (b'[{"a": 1}, {"a": 1}]', [{"a": 1}, {"a": 1}]),
        (b'{"\\u00e9": 1, "e\\u0301": 2}', {"é": 1, "e\u0301": 2}),
        # numbers
        (b"-0", 0),
        (b"9007199254740993", 9007199254740993),
        (b"18446744073709551616", 2**64),
        (b"9" * 64, 10**64 - 1),
        (b"-" + b"9" * 64, -(10**64) + 1),
        (b"0.1", Decimal("0.1")),
        (b"-0.0", 0),
        (b"79.90", Decimal("79.90")),
        (b"1.0", 1),
        (b"0e1", 0),
        (b"1E22", 10**22),
        (b"1.5E+2", 150),
        (b"1e0007", 10**7),
        (b"1e64", Decimal("1e64")),
        (b"1e308", Decimal("1e308")),
        (b"-1e-308", Decimal("-1e-308")),
        (b"0." + b"1" * 64, Decimal("0." + "1" * 64)),
        (b"0." + b"0" * 200 + b"1", Decimal("1e-201")),
        (b"-1." + b"1" * 63, Decimal("-1." + "1" * 63)),
        # strings
        (b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
        (b'"\\u0041\\u00e9\\u20AC"', "Aé€"),
        (b'"\\u0000"', "\0"),
        ('"é€😀"'.encode(), "é€😀"),
        (b'"\\uDBFF\\uDFFF"', "\U0010ffff"),
        (b'"\\\\ud800"', "\\ud800"),
        (b'"\\ud7ff\\ue000"', "\ud7ff\ue000"),
        ('"\u2028\u2029\ufeff\ufffe"'.encode(), "\u2028\u2029\ufeff\ufffe"),
        (b'"NaN [[[[ {{{{ // /* */"', "NaN [[[[ {{{{ // /* */"),
        (b'"' + b"[" * 100 + b'"', "[" * 100),
        (b'{"\\u003a": ":", "a": "\\u003A"}', {":": ":", "a": ":"}),
        (b'{"\\ud83d\\ude00": [{"a": 1.50}]}', {"😀": [{"a": Decimal("1.50")}]}),
    ],
)
def test_valid_text_is_read(body: bytes, value: object) -> None:
    assert same(read_json(body), value)


@pytest.mark.parametrize("body", [b" ", b"[1,]", b"[1] x", b"01", b"True", b'"\x00"', b"\xc2\xa01"])
def test_invalid_syntax_is_refused(body: bytes) -> None:
    assert [issue.loc for issue in refusal(body).error.issues] == [()]


@pytest.mark.parametrize(
    "body",
    [
        *(b"\xff\xfe[\x00]\x00", b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"'),
        *(b'"\xf4\x90\x80\x80"', b'"a\xc3', b'{"\xff": 1}', b"[1]\xff"),
    ],
)
def test_invalid_utf_8_is_refused(body: bytes) -> None:
    assert refusal(body).reason == "not UTF-8"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "empty body"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"\xef\xbb\xbf", "byte order mark"),
        ('["é", x]'.encode(), "expecting value"),
        (b"[1] 2", "extra data"),
        (b"NaN", "NaN is not a JSON number"),
        (b"[1, Infinity]", "/1: Infinity is not a JSON number"),
        (b'{"a": -Infinity}', "/a: -Infinity is not a JSON number"),
        (b"[NaN, 1e400]", "/0: NaN is not a JSON number; /1: number out of range"),
        (b'{"a": 1, "a": 1}', '/a: duplicate key "a"'),
        (b'{"a": 1, "\\u0061": 1}', '/a: duplicate key "a"'),
        (b'{"a": 1, "a": 1, "a": 1}', '/a: duplicate key "a"'),
        (b'{"": 1, "": 1}', '/: duplicate key ""'),
        (b'[{}, {"a": {"b": 1, "b": [2]}}]', '/1/a/b: duplicate key "b"'),
        (b'{"a/b~": 1, "a/b~": 1}', '/a~1b~0: duplicate key "a/b~"'),
        (b'{"\\n\\"": 1, "\\n\\"": 1}', '/\n": duplicate key "\\n\\""'),
        ('{"é": 1, "é": 1}'.encode(), '/é: duplicate key "é"'),
        (
            b'{"a": 1, "a": NaN, "b": {"c": 1, "c": 2}}',
            '/a: duplicate key "a"; /b/c: duplicate key "c"',
        ),
        (b'"\\ud800"', "lone surrogate in a string"),
        (b'"\\uDFFF"', "lone surrogate in a string"),
        (b'["\\ude00\\ud83d"]', "/0: lone surrogate in a string"),
        (b'["\\ud83d\\ud83d\\ude00"]', "/0: lone surrogate in a string"),
        (b'["\\ud83d x \\ude00"]', "/0: lone surrogate in a string"),
        (b'{"a": {"\\udbff": NaN}}', "/a: lone surrogate in a string"),
        (b'{"\\ud83d\\ude00": ["\\ud800"]}', "/😀/0: lone surrogate in a string"),
    ],
)
def test_an_issue_is_reported_with_its_location(body: bytes, message: str) -> None:
    found = [f"{pointer}: {reason}".removeprefix(": ") for reason, pointer in refusal(body).found]

    assert "; ".join(found) == message


@pytest.mark.parametrize(
    "number",
    [
        *("1e309", "-1e309", "10e308", "1e400", "1e-309"),
        *("-1e-400", "123e-10000000", "1e999999999", "1e-999999999"),
        *("1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999"),
        *("0e400", "0.1e310"),
        *("1" + "0" * 64, "-1" + "0" * 64, "1" * 5_000),
        *("-" + "1" * 1_000_000, "0." + "1" * 65, "1." + "1" * 64),
        *("0." + "1" * 1_000_000, "0." + "0" * 1_000_000 + "1", "1e" + "9" * 1_000_000, "1" * 65 + "e-60"),
    ],
    ids=lambda number: f"{number[:24]}({len(number)})",
)  # fmt: skip
def test_number_out_of_range_is_refused(number: str) -> None:
    error = refusal(f'{{"items": [0, {number}]}}'.encode())

    assert error.found == (("number out of range", "/items/1"),)


def test_the_callers_decimal_context_has_no_effect() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, Emin=-5, traps=[])):
        assert same(read_json(b"[1.23456, 1e300]"), [Decimal("1.23456"), Decimal("1e300")])
        assert refusal(b"1e99999999999999999999").reason == "number out of range"
