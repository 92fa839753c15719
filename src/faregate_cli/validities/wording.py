"""The wording of a calendar of validity periods: its title, its cells and its legend."""

from collections.abc import Iterable, Iterator, Sequence

from faregate.dates.durations import Duration
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.render.calendars import OBSTACLES
from faregate.render.wording import day_label, duration_label, instant_label
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import ValidityOption
from faregate_cli.validities.calendars import Standing, ValidityCalendar

_ONE_DAY = Duration(days=1)
_MEANINGS = {
    "not on sale": "sales have not begun, or are over",
    "too late": "no longer sold",
    "too early": "not yet sold",
    "off season": "not running at that time of the year",
    "no start": "nothing begins that day",
    "other length": "too short or too long to begin that day",
}
"""Explanations of those obstacles to booking whose names are not self-explanatory."""


class CalendarWording:
    """The texts of *calendar*, which contain only ASCII characters if *in_ascii*."""

    def __init__(self, calendar: ValidityCalendar, *, in_ascii: bool) -> None:
        self.calendar = calendar
        self.days = calendar.by_day
        self._dash = "-" if in_ascii else "–"
        self._unlimited = "any" if in_ascii else "∞"

    def title(self) -> list[str]:
        """Return the parts of the title, for example ``Day ticket``, ``Adult``, ``1 day``, ``CHF``."""
        question = self.calendar.question
        product, quantity = question.product, question.query.quantity
        parts = [
            str(product.translation) or product.name,
            self._variants(),
            duration_label(self.calendar.duration),
            f"{quantity} at once" if quantity > 1 else "",
            question.currency.code,
        ]
        return [*filter(None, parts)]

    def as_of(self) -> str:
        """Return the instant of the query, with a note that nothing is assumed to have been sold."""
        return f"{instant_label(self.calendar.question.at)}, with nothing sold"

    def _variants(self) -> str:
        chosen, every = self.calendar.question.variants, self.calendar.question.product.variants
        if len(chosen) == len(every):
            return "all variants" if len(every) > 1 else ""
        return ", ".join(str(variant.translation) or variant.name for variant in chosen)

    def price(self, standing: Standing) -> str:
        """Return the lowest price, with a plus sign if prices differ, or "" if nothing is on sale."""
        if standing.obstacle not in {None, Obstacle.SOLD_OUT}:
            return ""
        price = standing.price
        return f"{self._money(price.min)}{'+' if price.max > price.min else ''}"

    def places(self, standing: Standing, *, says_left: bool = True) -> str:
        """Return the number of units left, followed by "left" if *says_left*, or the obstacle to booking."""
        obstacle, left = standing.obstacle, standing.left
        if obstacle is Obstacle.SOLD_OUT and left:
            return f"only {left}"
        if obstacle is not None:
            return OBSTACLES[obstacle]
        if left is None:
            return self._unlimited
        return f"{left} left" if says_left else str(left)

    def hours(self, option: ValidityOption) -> str:
        """Return the hours of a validity period, for example ``09:00–13:00``."""
        return f"{option.validity.start:%H:%M}{self._dash}{option.validity.end:%H:%M}"

    def summary(self) -> list[str]:
        """Return texts for the number of bookable days, their prices, and the next bookable day."""
        bookable = [standing.price for standing in self.days.values() if standing.obstacle is None]
        days = self.calendar.question.days.days
        following = self.calendar.next_bookable
        parts = [
            f"{len(bookable)} of {days} day{'' if days == 1 else 's'} can be booked",
            self._prices({price.min for price in bookable} | {price.max for price in bookable}),
            f"next on {day_label(following)}" if following else "none within a year",
        ]
        return [*filter(None, parts)]

    def _prices(self, prices: Iterable[MinorUnits]) -> str:
        known = sorted(prices)
        if not known:
            return ""
        ends = dict.fromkeys((known[0], known[-1]))
        return f"{' to '.join(map(self._money, ends))} {self.calendar.question.currency.code}"

    def legend(self, shown: Sequence[Standing], *, says_left: bool = True) -> list[str]:
        """Return explanations of words in the *shown* cells, except those that are self-explanatory."""
        return [*dict.fromkeys(self._meanings(shown, says_left=says_left))]

    def _meanings(self, shown: Sequence[Standing], *, says_left: bool) -> Iterator[str]:
        for standing in shown:
            word = self.places(standing)
            if word in _MEANINGS:
                yield f"{word}: {_MEANINGS[word]}"
        bookable = [standing for standing in shown if standing.obstacle is None]
        if any(standing.left is not None for standing in bookable):
            of = "".join(_places_of(bookable))
            if of or not says_left:
                yield f"{'left' if says_left else 'below the price'}: units{of}"
        if any(standing.left is None for standing in bookable):
            yield f"{self._unlimited}: any number of units"
        if any(self.price(standing).endswith("+") for standing in shown):
            yield "+: others cost more"
        if self.calendar.question.query.quantity > 1:
            yield "the price is per unit"
        if not self.calendar.is_of_hours and self.calendar.duration != _ONE_DAY:
            yield "each day is the first day of a validity period"

    def _money(self, amount: MinorUnits) -> str:
        return format_minor_units(amount, self.calendar.question.currency)


def _places_of(bookable: Sequence[Standing]) -> Iterator[str]:
    """Yield notes about the free units of a day, which may differ by variant or be a sum over start times."""
    ranges = [option.capacity for standing in bookable for option in standing.shown if option.capacity]
    if any(places.min < places.max for places in ranges):
        yield " of the variant with the most"
    if any(len(standing.options) > 1 for standing in bookable):
        yield " of all starts together, at most"
