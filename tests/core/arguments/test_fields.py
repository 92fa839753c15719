"""The fields of public values of every kind, by name."""

from datetime import UTC, datetime

from faregate.arguments.fields import field_names, fields_of
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
