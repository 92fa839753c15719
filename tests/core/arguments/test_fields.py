"""The fields of public values of every kind, by name."""

import pickle
from datetime import UTC, datetime

from faregate.arguments.checks import _exact
from faregate.arguments.fields import camel_case, field_names, fields_of
from faregate.arguments.suggestions import did_you_mean
from faregate.catalogue.calendars import MonthDay, Season, Span
from faregate.checkout.requirements import Customer
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval
from faregate.money.amounts import Money
from faregate.money.currency import currency


def test_dataclasses_and_named_tuples_both_have_fields() -> None:
    francs = currency("CHF")
    start, end = datetime(2027, 1, 2, tzinfo=UTC), datetime(2027, 1, 3, tzinfo=UTC)

    assert fields_of(Money(7900, francs)) == {"amount": 7900, "currency": francs}
    assert [*fields_of(Interval(start, end)).values()] == [start, end]
    assert field_names(Duration) == field_names(Duration(days=3)) == ("months", "days", "seconds")


def test_other_values_have_no_fields() -> None:
    assert field_names(7900) == field_names(int) == ()


def test_copies_leave_out_derived_fields() -> None:
    season = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 15)),))

    assert pickle.loads(pickle.dumps(season)) == season


def test_the_hash_of_a_customer_ignores_answers_because_they_may_be_lists() -> None:
    assert hash(Customer({1: {"sports": ["ski"]}})) == hash(Customer({1: {"sports": []}}))


def test_a_pair_has_no_exact_type_check() -> None:
    assert _exact(tuple[int, str]) == (frozenset(), None)


def test_a_long_word_has_no_suggestion() -> None:
    assert did_you_mean("vatRate" * 20, ["vatRate"]) == ""


def test_a_field_is_written_in_camel_case() -> None:
    assert camel_case("list_price_gross") == "listPriceGross"
