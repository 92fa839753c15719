"""The VAT rates of a catalogue file: a percentage such as 8.1, or an entry with a category.

For example::

    vatRate: {percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-132-1N}
"""

from functools import cached_property, lru_cache
from typing import Annotated, Self

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from faregate.files.fields.models import Entry
from faregate.files.fields.types import Day, Factor, Name, OneOf, read_factor
from faregate.tax.changes import RateChange
from faregate.tax.rates import VatCategory, VatRate


class VatRateEntry(Entry[VatRate]):
    """A VAT rate in percent with its category.

    By default, the category is S for a rate above 0 and Z for 0. ``reason`` and ``reasonCode`` are for the
    categories E, AE and O.
    """

    parts_per_million: Annotated[Factor, Field(alias="percent")]
    category: OneOf[VatCategory] | None = None
    reason_code: Name = ""
    reason: Name = ""

    @model_validator(mode="wrap")
    @classmethod
    def _number_or_entry(cls, value: object, read: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, dict):
            return cls._of_factor(read_factor(value))
        entry = read(value)
        entry.to_core()  # checks the category against the rate, and the reason against the category
        return entry

    @classmethod
    @lru_cache(maxsize=1024)  # a file has few rates, and each of its variants has one
    def _of_factor(cls, parts_per_million: int) -> Self:
        entry = cls.model_construct(parts_per_million=parts_per_million)
        entry.to_core()
        return entry

    def to_core(self, **_: object) -> VatRate:
        """Return the VAT rate; entries that were written as the same number share one object."""
        return self._rate

    @cached_property
    def _rate(self) -> VatRate:
        return super().to_core()


class RateChangeEntry(Entry[RateChange]):
    """The rate from a day on, as in ``{from: 2027-01-01, vatRate: 8.5}``."""

    since: Annotated[Day, Field(alias="from")]
    rate: Annotated[VatRateEntry, Field(alias="vatRate")]
