"""The VAT rates of a catalogue file: a number of percent such as 8.1, or an entry that names the category.

For example::

    vatRate: {percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-132-1N}
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, ModelWrapValidatorHandler, model_validator

from faregate.files.fields.types import Factor, FileModel, Name, read_factor
from faregate.tax.rates import VatCategory, VatRate


class VatRateEntry(FileModel):
    """A rate of VAT in percent with its category (decisions §4).

    Without ``category`` it is S above 0 and Z at 0. ``reason`` and ``reasonCode`` belong to E, AE and O.
    """

    percent: Factor
    category: Annotated[VatCategory, Field(strict=False)] | None = None
    reason_code: Name = ""
    reason: Name = ""

    @model_validator(mode="wrap")
    @classmethod
    def _number_or_entry(cls, value: object, read: ModelWrapValidatorHandler[Self]) -> Self:
        entry = read(value) if isinstance(value, dict) else cls.model_construct(percent=read_factor(value))
        entry.to_core()  # whether the category fits the rate, and a reason the category
        return entry

    def to_core(self) -> VatRate:
        """The core's value."""
        given = {} if self.category is None else {"category": self.category}
        return VatRate(
            parts_per_million=self.percent, reason_code=self.reason_code, reason=self.reason, **given
        )
