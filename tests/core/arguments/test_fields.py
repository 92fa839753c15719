"""The fields of public values of every kind, by name."""

import pickle
from datetime import UTC, datetime

from faregate.arguments.checks import _exact
from faregate.arguments.fields import field_names, fields_of
from faregate.arguments.suggestions import did_you_mean
from faregate.catalogue.calendars import MonthDay, Season, Span
from faregate.checkout.requirements import Customer
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval
from faregate.money.amounts import Money
from faregate.money.currency import currency


def test_a_dataclass_and_a_named_tuple_are_objects_alike() -> None:
    francs = currency("CHF")
    start, end = datetime(2027, 1, 2, tzinfo=UTC), datetime(2027, 1, 3, tzinfo=UTC)

    assert fields_of(Money(7900, francs)) == {"amount": 7900, "currency": francs}
    assert [*fields_of(Interval(start, end)).values()] == [start, end]
    assert field_names(Duration) == field_names(Duration(days=3)) == ("months", "days", "seconds")


def test_anything_else_has_no_fields() -> None:
    assert field_names(7900) == field_names(int) == ()


def test_copies_leave_out_what_is_derived() -> None:
    season = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 15)),))

    assert pickle.loads(pickle.dumps(season)) == season


def test_a_customer_is_hashed_without_answers_which_may_be_lists() -> None:
    assert hash(Customer({1: {"sports": ["ski"]}})) == hash(Customer({1: {"sports": []}}))


def test_a_tuple_of_two_is_checked_by_its_form_alone() -> None:
    assert _exact(tuple[int, str]) == (frozenset(), None)


def test_a_long_word_has_no_suggestion() -> None:
    assert did_you_mean("vatRate" * 20, ["vatRate"]) == ""
