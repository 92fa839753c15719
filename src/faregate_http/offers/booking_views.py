"""Validity periods as JSON, with labels and the cursor for the next page."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from datetime import UTC, timedelta
from typing import NamedTuple

from faregate.catalogue.entries import Merchant
from faregate.dates.durations import Duration
from faregate.dates.instants import YEARS, Interval, service_days
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency
from faregate.validity.offers import CapacityRange, Cursor, PriceRange, ValidityOption
from faregate.validity.options import SuggestedValidities, SuggestedValidity, Suggestion, ValidityOptions
from faregate_http.offers.labels import day_label, duration_label, slot_label, suggestion_label
from faregate_http.protocol.instants import from_micros, micros
from faregate_http.protocol.numbers import major_units, rounded
from faregate_http.schemas import booking as wire
from faregate_http.schemas.checkout import ValidityView

_DAY = timedelta(days=1)
_ONE_DAY = Duration(days=1)
_GAP_DECIMALS = 2


class BookingViews(NamedTuple):
    """Builds the API views of one merchant's validity periods, with texts in one language."""

    merchant: Merchant
    language: str

    def options(self, found: ValidityOptions) -> wire.ValidityOptionsView:
        """Return *found*, one page of validity periods, as a view."""
        return wire.ValidityOptionsView(
            options=[self._option(option, self.label(option)) for option in found.options],
            has_capacities=found.has_capacities,
            available_durations=self._durations(found.durations),
            selection_mode="single",
        )

    def suggested(self, found: SuggestedValidities) -> wire.SuggestedValiditiesView:
        """Return *found*, suggested validity periods with statistics on the bookable days, as a view."""
        gap = found.mean_gap_days
        return wire.SuggestedValiditiesView(
            options=[self._option(suggested.option, self._why(suggested)) for suggested in found.options],
            has_capacities=found.has_capacities,
            available_durations=self._durations(found.durations),
            selection_mode="single",
            days_until_next_bookable_validity=found.days_until_next,
            mean_validity_gap_days=None if gap is None else rounded(gap, _GAP_DECIMALS),
        )

    def label(self, option: ValidityOption) -> str:
        """Return a label with the days of a validity period, and its times if it is measured in hours."""
        validity, duration = option.validity, option.duration
        if not duration.days and not duration.months:
            return slot_label(validity.start, validity.end, self.language, self.merchant.territory)
        days = service_days(validity)
        return day_label(days.start, days.end - _DAY, self.language, self.merchant.territory)

    def price(self, prices: PriceRange) -> wire.PriceRangeView:
        """Return *prices*, a range of list prices, in major units."""
        amount = self.amount
        return wire.PriceRangeView(amount(prices.min), amount(prices.max))

    @property
    def amount(self) -> Callable[[MinorUnits], float]:
        """Function that converts an amount in the merchant's currency from minor to major units."""
        return major_units(currency(self.merchant.currency))

    def _option(self, option: ValidityOption, label: str) -> wire.ValidityOptionView:
        view = wire.ValidityOptionView(
            value=validity_view(option.validity),
            available_capacity=capacity_view(option.capacity),
            label=label,
            is_available=option.is_available,
            price=self.price(option.price),
        )
        if option.total is not None:
            amount = self.amount
            view.total_price = amount(option.total)
            view.units = [
                wire.PartyUnitsView(unit.variant, unit.quantity, amount(unit.price)) for unit in option.units
            ]
        return view

    def _why(self, suggested: SuggestedValidity) -> str:
        why, option = suggested.suggestion, suggested.option
        is_named = why in {Suggestion.TODAY, Suggestion.TOMORROW} and option.duration == _ONE_DAY
        when = "" if is_named else self.label(option)
        return suggestion_label(why.value, self.language, when)

    def _durations(self, durations: Iterable[Duration]) -> tuple[wire.DurationView, ...]:
        territory = self.merchant.territory
        return tuple(
            wire.DurationView(str(duration), duration_label(*duration, self.language, territory))
            for duration in durations
        )


def validity_view(validity: Interval) -> ValidityView:
    """Return the start and end of a validity period as text, with the merchant's UTC offset."""
    return ValidityView(*(bound.isoformat(timespec="seconds") for bound in validity))


def capacity_view(capacity: CapacityRange | None) -> wire.CapacityView | None:
    """Return the range of available units as a view, or None if capacity is unlimited."""
    return capacity and wire.CapacityView("range", capacity.min, capacity.max)


def written_cursor(cursor: Cursor) -> str:
    """Return *cursor* as opaque text."""
    text = f"{micros(cursor.start)}.{cursor.duration}"
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def read_cursor(text: str) -> Cursor:
    """Return the cursor that ``written_cursor`` wrote as *text*.

    Raises:
        ValueError: the text does not come from ``written_cursor``.
    """
    try:
        written = urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}").decode()
        start, _, duration = written.partition(".")
        cursor = Cursor(from_micros(int(start), UTC), Duration.parse(duration))
    except (ValueError, OverflowError):
        cursor = None
    if cursor is None or cursor.start.year not in YEARS or written_cursor(cursor) != text:
        raise ValueError("expected the nextCursor of an earlier response")
    return cursor
