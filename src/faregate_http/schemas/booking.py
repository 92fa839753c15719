"""Answers of the booking operations, with the names and types of the specification."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from faregate_http.schemas.base import Amount, Envelope, View
from faregate_http.schemas.checkout import ValidityView


class CapacityView(View):
    """For how many units there are places: of the variant with the fewest, and of that with the most."""

    kind: Literal["range"]
    min: int
    max: int


class PriceRangeView(View):
    """List prices of one unit: of the cheapest, and of the dearest."""

    min_price: Amount
    max_price: Amount


class DurationView(View):
    """A length that validities have."""

    value: str
    label: str


class ValidityOptionView(View):
    """One validity and how it stands."""

    value: ValidityView
    available_capacity: CapacityView | None
    label: str
    is_available: bool
    price: PriceRangeView


class ValidityOptionsView(View):
    """Validities in order of time, then of duration."""

    options: list[ValidityOptionView]
    has_capacities: bool
    available_durations: tuple[DurationView, ...]
    selection_mode: Literal["single"]


class SuggestedValiditiesView(ValidityOptionsView):
    """Validities worth showing first, and how the days lie on which something can be booked."""

    days_until_next_bookable_validity: int | None
    mean_validity_gap_days: float | None


class PageView(View):
    """Where the next page begins; absent on the last."""

    next_cursor: str | UnsetType = UNSET


class ValidityOptionsEnvelope(View):
    """What is answered with validities, and with the place of the next page."""

    data: ValidityOptionsView
    meta: PageView


class SuggestedValiditiesEnvelope(Envelope[SuggestedValiditiesView]):
    """What is answered with suggestions."""
