"""Each format number keeps its golden document, its schema and its reader."""

from datetime import datetime, timedelta, tzinfo
from typing import Any

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.documents import FORMATS, decode, dump, load, schema
from faregate.documents.objects import form_of
from faregate.errors import InvalidDocument
from faregate.insights.distribution import PriceBenchmark
from faregate.list_prices.steps import ListPrice
from faregate.tax.rates import VatRate
from support.documents.stored_values import GOLDEN, GUIDE, TICKET, VALUES, golden


def issues_of(document: Any) -> list[str]:
    with pytest.raises(InvalidDocument) as caught:
        load(document)
    return [str(issue) for issue in caught.value.issues]


def test_every_format_has_a_golden_document_and_vice_versa() -> None:
    assert set(FORMATS) == set(VALUES)
    assert {path.name.partition(".")[0] for path in GOLDEN.iterdir()} == {
        text.removeprefix("faregate.").replace("/", "-") for text in FORMATS
    }


@pytest.mark.parametrize("text", FORMATS)
def test_the_golden_document_is_read_and_written_exactly(text: str) -> None:
    document = golden(text)

    assert dump(load(document)) == document
    if text != "faregate.explanation/1":  # its notes are prose, which may change
        assert load(document) == VALUES[text]
        assert dump(VALUES[text]) == document


@pytest.mark.parametrize("text", FORMATS)
def test_the_schema_matches_the_golden_schema(text: str) -> None:
    assert schema(text) == golden(text, "schema.json")


def test_a_list_is_written_like_a_tuple_and_an_empty_list_needs_its_format() -> None:
    assert dump([TICKET, GUIDE]) == golden("faregate.lines/1")
    assert load(dump([], format="faregate.vouchers/1")) == ()
    with pytest.raises(InvalidDocument, match="pass it as the argument format"):
        dump([])


def test_all_issues_are_reported_with_their_locations() -> None:
    document = golden("faregate.pricing_request/1")
    document["lines"][0]["rate"]["partsPerMillions"] = document["lines"][0]["rate"].pop("partsPerMillion")
    document["lines"][1]["quantity"] = True
    document["promoCodes"][0]["kind"]["type"] = "PerUnits"
    document["automatic"][0]["kind"]["partsPerMillion"] = 100_000.0
    document["policy"]["vatLevel"] = "RATE"
    del document["donation"]

    assert issues_of(document) == [
        "donation: missing key",
        "lines[0].rate.partsPerMillions: unknown key: did you mean 'partsPerMillion'?",
        "lines[0].rate.partsPerMillion: missing key",
        "lines[1].quantity: expected an int, got True",
        "automatic[0].kind.partsPerMillion: expected an int, got 100000.0",
        (
            "promoCodes[0].kind.type: expected one of Absolute, Percentage, FixedPrice, PerUnit, BuyXGetY"
            ", Bundle: did you mean 'PerUnit'?"
        ),
        "policy.vatLevel: expected one of 'rate', 'line', 'unit', got 'RATE'",
    ]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([], "expected a document, which is a JSON object, got []"),
        ("{}", "expected a document, which is a JSON object, as json.loads returns it, got '{}'"),
        ({}, "format: missing key, expected one of faregate.lines/1, "),
        (
            {"format": "faregate.line/1"},
            "format: unknown format 'faregate.line/1': did you mean 'faregate.lines/1'?",
        ),
        ({"format": 1}, "format: unknown format 1"),
        ({"format": "faregate.lines/0"}, "format: unknown format 'faregate.lines/0'"),
        (
            {"format": "faregate.lines/2", "lines": []},
            "format: 'faregate.lines/2' is newer than this version of faregate, which reads up to",
        ),
        ({"format": "faregate.lines/1"}, "expected the keys 'format' and 'lines', got ['format']"),
        ({"format": "faregate.lines/1", "lines": {}}, "lines: expected a list, got {}"),
        (
            {"format": "faregate.policy/1", "cashIncrement": 0},
            "cash_increment is 0, expected an int of at least 1",
        ),
        ({"format": "faregate.context/1", "zone": "Europe/Zürich"}, "unknown time zone 'Europe/Zürich'"),
        (
            {"format": "faregate.context/1", "at": "2026-12-27T08:30:00Z"},
            "at: expected an instant like '2026-12-27T08:30:00+01:00[Europe/Zurich]', written '2026",
        ),
        (
            {"format": "faregate.context/1", "at": "2026-12-27T08:30:00+05:00[Europe/Zurich]"},
            "at: expected an instant like",
        ),
    ],
)
def test_a_malformed_document_is_refused(document: Any, expected: str) -> None:
    assert issues_of(document)[0].startswith(expected)


def test_lines_are_checked_as_a_basket() -> None:
    document = dump([TICKET, TICKET])

    assert issues_of(document) == ["line 1: the key is used twice"]


def test_a_list_under_a_wrong_key_names_its_location() -> None:
    document = {"format": "faregate.vouchers/1", "vouchers": [{"code": "A", "balance": "1"}]}

    assert issues_of(document) == ["vouchers[0].balance: expected an int, got '1'"]


def test_a_document_nested_too_deeply_is_refused() -> None:
    document: Any = {"amount": 1, "beforeReduction": 1}
    for _ in range(100_000):
        document = {"amount": 1, "beforeReduction": 1, "parts": [document]}

    with pytest.raises(InvalidDocument, match="nested too deeply"):
        decode(ListPrice, document)


class Summer(tzinfo):
    """A zone of another library."""

    def utcoffset(self, _: datetime | None) -> timedelta:
        return timedelta(hours=2)

    def dst(self, _: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, _: datetime | None) -> str:
        return "summer"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Context(at=datetime(2026, 7, 1, tzinfo=Summer())), "at: expected an instant like"),
        (Context(zone=Summer()), "zone.value: expected a zone like 'Europe/Zurich'"),
        ([Line(1, 10.5, 1, VatRate.percent(8))], "lines[0].unitPrice: expected an int, got 10.5"),  # type: ignore[arg-type]
        ([Line(1, 10, 1, VatRate.percent(8), counted=1)], "lines[0].counted: expected a bool, got 1"),  # type: ignore[arg-type]
        (PriceBenchmark(price=1, percentile=0.5, interpolated_percent=0), "expected a value of one of"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_cannot_be_stored_exactly_is_refused(value: Any, expected: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        dump(value)

    assert str(caught.value.issues[0]).startswith(expected)


def test_a_value_that_does_not_match_the_given_format_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="expected a TotalsPolicy"):
        dump(Context(), format="faregate.policy/1")


def test_a_union_of_classes_without_a_type_key_has_no_form() -> None:
    with pytest.raises(TypeError, match="classes that write their type"):
        decode(Context | TotalsPolicy, {})
    with pytest.raises(TypeError, match="no written form"):
        form_of(complex)
