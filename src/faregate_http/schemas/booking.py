"""Responses of the booking operations, with the specification's names and types."""

from typing import Literal

from msgspec import UNSET, UnsetType

from faregate_http.schemas.base import Amount, Envelope, View
from faregate_http.schemas.checkout import ValidityView


class CapacityView(View):
    """Units still available: the lowest and the highest number across the variants."""

    kind: Literal["range"]
    min: int
    max: int


class PriceRangeView(View):
    """Lowest and highest list price of one unit."""

    min_price: Amount
    max_price: Amount


class DurationView(View):
    """Duration of a validity period."""

    value: str
    label: str


class ValidityOptionView(View):
    """A validity period with its availability and price."""

    value: ValidityView
    available_capacity: CapacityView | None
    label: str
    is_available: bool
    price: PriceRangeView


class ValidityOptionsView(View):
    """Validity periods, ordered by start, then by duration."""

    options: list[ValidityOptionView]
    has_capacities: bool
    available_durations: tuple[DurationView, ...]
    selection_mode: Literal["single"]


class SuggestedValiditiesView(ValidityOptionsView):
    """Suggested validity periods, with statistics on the bookable days."""

    days_until_next_bookable_validity: int | None
    mean_validity_gap_days: float | None


class PageView(View):
    """Cursor of the next page; absent on the last page."""

    next_cursor: str | UnsetType = UNSET


class ValidityOptionsEnvelope(View):
    """Response with validity periods and the cursor of the next page."""

    data: ValidityOptionsView
    meta: PageView


class SuggestedValiditiesEnvelope(Envelope[SuggestedValiditiesView]):
    """Response with suggested validity periods."""
