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

from faregate.files.fields.models import Entry
from faregate.files.fields.types import OneOf, RenewalText
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.schedule import FirstPeriod, SubscriptionTerms

_MOST_PERIODS = 1200


class SubscriptionEntry(Entry[SubscriptionTerms]):
    """When it renews, what is paid until the first given date, and how long it must run.

    ``renewal`` is ``every-days:30``, ``monthly``, ``yearly``, ``monthly-on:15`` or ``yearly-on:11-01``.
    """

    rule: Annotated[RenewalText, Field(alias="renewal")]
    first_period: OneOf[FirstPeriod] = FirstPeriod.WAIT
    day_count: OneOf[DayCount] = DayCount.ACTUAL
    minimal_run_periods: Annotated[int, Field(ge=0, le=_MOST_PERIODS)] = 0
    has_pickup: bool = False

    @model_validator(mode="after")
    def _terms_agree(self) -> Self:
        self.to_core()
        return self
