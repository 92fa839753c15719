"""Hostile files: the result is always a catalogue, a basket, or the one error that lists the faults."""

import json
from contextlib import suppress
from decimal import Decimal
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.checkout.priced import price_checkout
from faregate.errors import FaregateError, InvalidCatalogue, InvalidCheckout
from faregate.files import FileFormat, demo_catalogue, load_catalogue, parse_basket, parse_catalogue
from faregate.files.text.yaml_text import read_yaml
from support.effort import share_of
from support.files.bookable import BOOKABLE
from support.files.everything import EVERYTHING
from support.files.samples import BASKET, CATALOGUE, WEB, as_json, basket_faults, catalogue_faults, spoilt

pytestmark = pytest.mark.search
LONGEST_FAULT = 1000
DEMO = demo_catalogue()
CATALOGUE_DATA, _ = read_yaml(CATALOGUE)
EVERYTHING_DATA, _ = read_yaml(EVERYTHING)
BOOKABLE_DATA, _ = read_yaml(BOOKABLE)
BASKET_DATA, _ = read_yaml(BASKET)

TEXTS: list[str | bytes] = [
    # no text at all
    *(b"\xff\xfe", b"\x00", b"\x80abc", b"\xed\xa0\x80", b"PK\x03\x04", b"\x1f\x8b\x08", b"\xef\xbb\xbf"),
    *("\ud800", "\udfff: 1", "\ufeff\ufeff", "\x85", "\u2028", "\x7f", "\r", "\t"),
    # values that are not a mapping
    *("null", "true", "1", "1.5", "[]", "{}", '""', "~", "NaN", "-Infinity", "---", "...", "--- ---"),
    # syntax
    *("{", "[", '"', "'", "}", "]", ":", ",", "{]", "[}", "{,}", "a: b: c", "- a\nb: c", "a:\n\t- b", "%"),
    *(
        "%YAML 1.1\n---\na: 1",
        "%TAG ! tag:x,2000:\n---\n!a b",
        "!",
        "!!",
        "!<>",
        "&",
        "*",
        "&a",
        "*a",
        "? ",
        "|",
        ">",
    ),
    *("|9\n a", "a: |+\n", ">-\n", "@", "`", "#", "a #", '"\\x"', '"\\ud800"', '"\\U00110000"', "'\n\n'"),
    # tags
    *(
        "!!python/object/apply:os.system ['true']",
        "!!python/name:os.system ''",
        "!!binary AAAA",
        "!!timestamp x",
    ),
    *("!!int x", "!!float '1'", "!!bool yes", "!!null ''", "!!omap [a: 1]", "!!merge x", "<<: *a"),
    # keys
    *("{a: 1, a: 2}", '{"a": 1, "a": 2}', "? [a]\n: b", "? {a: 1}\n: b", "1: 2", "null: 1", "~: 1", "? : 1"),
    *("__proto__: 1", "__class__: {}", "model_config: {}", "currency: CHF\nmodel_fields: {}", "'': 1"),
    # depth and size
    *("[" * 5000, '{"a":' * 5000, "- " * 5000, "[" * 5000 + "]" * 5000, "a: " * 5000, "((" * 5000),
    *("a" * 1_000_000, "9" * 100_000, "1e" + "9" * 100_000),
    # aliases
    *("&a [*a]", "a: &a {b: *a}", "&a a: *a", "*a : 1", "a: &x 1\nb: &x 2\nc: *x", "a: *nothing"),
    "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40)),
    "a: &a " + "s" * 100_000 + "\nproducts: [" + "*a, " * 10_000 + "]",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_hostile_text_is_refused_with_short_messages(text: str | bytes) -> None:
    for faults in [read(text, form) for form in FileFormat for read in (catalogue_faults, basket_faults)]:
        assert faults
        assert max(map(len, faults)) < LONGEST_FAULT
        assert all(fault.isprintable() for fault in faults)


VALUES: list[object] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, -(2**63), 2**64, 10**30, 10**63, 10**70),
    *(Decimal("0.1"), Decimal("1E+400"), Decimal("1E-400"), Decimal("-0.0"), Decimal("1E+999999")),
    *(
        "",
        " ",
        "\n",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "a" * 100_000,
        "ß",
        "İ",
        "null",
        "NaN",
        "Infinity",
    ),
    *("0x10", "1_0", "\u0661", "1e3", "1e999999999", "-1", "+1", " 1", "1 ", "1,5", "½", "٣"),
    *("0000-00-00", "9999-12-31", "0001-01-01", "2026-02-30", "2026-12-27T24:00:00Z", "2026-12-27T23:59:60Z"),
    *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2026-12-27T00:00:00+99:99", "2026-W01-1"),
    *("P", "PT", "P0D", "P999999999Y", "P1Y2M3DT4H5M6S", "-P1D", "P1.5D", "PT0S", "P1W", "p1d"),
    *(
        "Europe",
        "Europe/",
        "/etc/passwd",
        "../Zurich",
        "localtime",
        "posixrules",
        "UTC",
        "Etc/GMT+14",
        "\u0130",
    ),
    *("CHF", "chf", "XXX", "XAU", "DEM", WEB, WEB.upper(), "{" + WEB + "}", WEB.replace("-", "")),
    *(
        [],
        {},
        [[]],
        [{}],
        [None],
        {"en": 1},
        {"en": "x", "xx": "y"},
        {"": ""},
        [1, "1", None, {}],
        {"a": {"b": {}}},
    ),
]


def places(value: object) -> list[tuple[str | int, ...]]:
    """Return the path of every plain value."""
    entries: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = list(enumerate(value))
    return [(), *((key, *rest) for key, entry in entries for rest in places(entry))]


def with_value(data: object, place: tuple[str | int, ...], value: object) -> object:
    """Return a copy of *data* with *value* at *place*."""
    if not place:
        return value
    key, *rest = place
    if isinstance(data, dict):
        return {
            name: with_value(entry, tuple(rest), value) if name == key else entry
            for name, entry in data.items()
        }
    assert isinstance(data, list)
    return [with_value(entry, tuple(rest), value) if n == key else entry for n, entry in enumerate(data)]


LANGUAGES = {"en", "de", "fr", "it"}


def ways(data: object) -> list[tuple[str | int, ...]]:
    """Return one path per kind of value: entries of a list, and languages of a text, are read alike."""
    found = {
        tuple("en" if part in LANGUAGES else part for part in place if isinstance(part, str)): place
        for place in places(data)
    }
    return [*found.values()]


def some(values: list[object], place: tuple[str | int, ...]) -> list[object]:
    """Return all *values* in a full run, or every sixteenth in a brief run, depending on *place*."""
    step = (len(values) // share_of(len(values))) ** 2
    return values[crc32(str(place).encode()) % step :: step]


def parse_with_each_of(values: list[object], data: object, place: tuple[str | int, ...]) -> None:
    for value in some(values, place):
        with suppress(InvalidCatalogue):
            parse_catalogue(as_json(with_value(data, place, value)), file_format=FileFormat.JSON)


@pytest.mark.parametrize("place", ways(CATALOGUE_DATA), ids=str)
def test_no_value_in_a_catalogue_raises_another_error(place: tuple[str | int, ...]) -> None:
    parse_with_each_of(VALUES, CATALOGUE_DATA, place)


FOR_CHECKOUTS = {
    *("imageUrl", "isDeletable", "requiresMedium", "weatherGuarantee", "personFields", "metaInformation"),
    *("paymentMethods", "form", "requiresTerms", "canUseVouchers", "expiresAfter", "expiresAtMost"),
    "redirectUrls",
    *("externalIds", "accessTariffs", "allowsDepot", "quantityTiers"),
}


@pytest.mark.parametrize(
    "place", [place for place in ways(EVERYTHING_DATA) if FOR_CHECKOUTS & {*place}], ids=str
)
def test_no_value_needed_for_checkouts_raises_another_error(place: tuple[str | int, ...]) -> None:
    parse_with_each_of(VALUES, EVERYTHING_DATA, place)


FOR_BOOKINGS = {
    *("territory", "seasons", "holidays", "pools", "soldPool", "degression", "cardReductions", "booking"),
    *("uses", "steps", "when", "minSold", "images", "tags", "seoKeywords", "banner"),
}
BOOKING_PLACES = [place for place in ways(BOOKABLE_DATA) if FOR_BOOKINGS & {*place}]


@pytest.mark.parametrize("place", BOOKING_PLACES, ids=str)
def test_no_value_needed_for_bookings_raises_another_error(place: tuple[str | int, ...]) -> None:
    parse_with_each_of(VALUES, BOOKABLE_DATA, place)


DAYS_AND_TIMES: list[object] = [
    *("02-29", "02-30", "00-00", "99-99", "easter", "easter-0", "easter+999", "easter-999", "easter+٣"),
    *("1900-01-01", "8999-12-31", "9999-12-31", "00:00", "23:59", "24:00", "unlimited"),
]
DAY_KEYS = {"from", "to", "on", "dates", "spans", "startTimes", "at", "size"}


@pytest.mark.parametrize("place", [place for place in BOOKING_PLACES if DAY_KEYS & {*place[-2:]}], ids=str)
def test_no_day_or_time_raises_another_error(place: tuple[str | int, ...]) -> None:
    parse_with_each_of(DAYS_AND_TIMES, BOOKABLE_DATA, place)


KEYS: list[object] = [value for value in VALUES if isinstance(value, str)]


@pytest.mark.parametrize(
    ("data", "name", "entry", "is_valid"),
    [
        *[
            (EVERYTHING_DATA, "metaInformation", text, text == "text")
            for text in ("text", 1, None, {"[key]": 1})
        ],
        *[(BOOKABLE_DATA, "uses", places_taken, False) for places_taken in (1, -1, None, {"[key]": 1})],
    ],
    ids=range(8),
)
def test_invalid_key_or_entry_is_reported_in_short_lines(
    data: object, name: str, entry: object, *, is_valid: bool
) -> None:
    place = next(place for place in places(data) if place[-1:] == (name,))
    for key in (*some(KEYS, (name, str(entry))), "[key]", "discount", name):
        faults = faults_of(with_value(data, place, {key: entry}))

        assert faults or is_valid, key
        assert all(len(fault) < LONGEST_FAULT and fault.isprintable() for fault in faults), key


def faults_of(data: object) -> tuple[str, ...]:
    """Return the faults of a catalogue that may be valid."""
    try:
        parse_catalogue(as_json(data), file_format=FileFormat.JSON)
    except InvalidCatalogue as refused:
        return refused.messages
    return ()


@pytest.mark.parametrize("place", places(BASKET_DATA), ids=str)
def test_no_value_in_a_basket_raises_another_error(place: tuple[str | int, ...]) -> None:
    for value in some(VALUES, place):
        with suppress(InvalidCheckout):
            checkout, ordered_at, _ = parse_basket(as_json(with_value(BASKET_DATA, place, value)), DEMO)
            with suppress(FaregateError):
                price_checkout(checkout, catalogue=DEMO, at=ordered_at)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", "/proc/self/mem", "/dev/full"])
def test_path_that_is_not_a_regular_file_is_refused(path: str) -> None:
    with pytest.raises(InvalidCatalogue):
        load_catalogue(path)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.decimals(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for file_format in FileFormat:
        with suppress(InvalidCatalogue):
            parse_catalogue(text, file_format=file_format)
        with suppress(InvalidCheckout):
            parse_basket(text, DEMO, file_format=file_format)


@given(st.binary())
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for file_format in FileFormat:
        with suppress(InvalidCatalogue):
            parse_catalogue(content, file_format=file_format)


@given(st.sampled_from(places(CATALOGUE_DATA)), json_values)
def test_any_value_anywhere_in_a_catalogue_is_read_or_refused(
    place: tuple[str | int, ...], value: object
) -> None:
    with suppress(InvalidCatalogue):
        parse_catalogue(as_json(with_value(CATALOGUE_DATA, place, value)), file_format=FileFormat.JSON)


@given(st.integers(0, len(CATALOGUE)), st.integers(0, 20), st.text(max_size=5))
def test_any_damaged_catalogue_is_read_or_refused(start: int, length: int, instead: str) -> None:
    with suppress(InvalidCatalogue):
        parse_catalogue(CATALOGUE[:start] + instead + CATALOGUE[start + length :])


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_any_amount_of_two_decimals_is_read_exactly_in_both_formats(amount: Decimal) -> None:
    for text in (
        spoilt(CATALOGUE, "79.50", str(amount)),
        spoilt(CATALOGUE, "79.50", json.dumps(str(amount))),
    ):
        assert parse_catalogue(text).products[0].variants[0].prices[0].amount == int(amount * 100)
