"""Conversion of file entries to values of the core, including defaults."""

from collections.abc import Iterator
from inspect import signature
from typing import Any

import pytest

from faregate.catalogue.calendars import Holiday, MonthDay
from faregate.catalogue.pools import PoolSize
from faregate.files.catalogue.calendars import HolidayEntry
from faregate.files.catalogue.catalogue import CatalogueFile
from faregate.files.catalogue.pools import PoolSizeEntry
from faregate.files.fields import models
from faregate.files.fields.models import Entry
from faregate.files.rules import RulesFile


def entries(kind: type[Entry[Any]] = Entry) -> Iterator[type[Entry[Any]]]:
    """Yield every subclass of *kind* that stands for a value."""
    for entry in kind.__subclasses__():
        yield entry
        yield from entries(entry)


OPTIONAL = [
    pytest.param(entry, name, id=f"{entry.__name__}.{name}")
    for entry in sorted({*entries()} - {CatalogueFile, RulesFile}, key=lambda entry: entry.__name__)
    for name, field in sorted(entry.model_fields.items())
    if not field.is_required() and field.get_default(call_default_factory=True) is not None
]


@pytest.mark.parametrize(("entry", "name"), OPTIONAL)
def test_defaults_of_an_entry_equal_those_of_its_value(entry: type[Entry[Any]], name: str) -> None:
    default = entry.model_fields[name].get_default(call_default_factory=True)

    assert models._core_value(default) == signature(entry._core).parameters[name].default


def test_null_is_read_as_the_default_of_the_core() -> None:
    entry = HolidayEntry.model_validate({"on": "12-25", "name": None})

    assert entry.to_core() == Holiday(MonthDay(12, 25))


def test_unlimited_size_is_none_in_the_core() -> None:
    assert PoolSizeEntry.model_validate({"size": "unlimited"}).to_core() == PoolSize(None)
