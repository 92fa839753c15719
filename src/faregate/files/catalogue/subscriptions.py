"""On what terms a product is subscribed to, in a catalogue file.

::

    subscription:
      renewal: yearly-on:11-01
      firstPeriod: prorate
      dayCount: actual
      minimalRunPeriods: 1
      hasPickup: true
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from faregate.files.fields.types import FileModel, RenewalText
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.schedule import FirstPeriod, SubscriptionTerms

_MOST_PERIODS = 1200


class SubscriptionEntry(FileModel):
    """When it renews, what is paid until the first given date, and how long it must run.

    ``renewal`` is ``every-days:30``, ``monthly``, ``yearly``, ``monthly-on:15`` or ``yearly-on:11-01``.
    """

    renewal: RenewalText
    first_period: Annotated[FirstPeriod, Field(strict=False)] = FirstPeriod.WAIT
    day_count: Annotated[DayCount, Field(strict=False)] = DayCount.ACTUAL
    minimal_run_periods: Annotated[int, Field(ge=0, le=_MOST_PERIODS)] = 0
    has_pickup: bool = False

    @model_validator(mode="after")
    def _terms_agree(self) -> Self:
        self.to_core()
        return self

    def to_core(self) -> SubscriptionTerms:
        """The core's value."""
        return SubscriptionTerms(
            rule=self.renewal,
            first_period=self.first_period,
            minimal_run_periods=self.minimal_run_periods,
            has_pickup=self.has_pickup,
            day_count=self.day_count,
        )
