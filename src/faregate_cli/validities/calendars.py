"""Validity periods of a product: a query for them, and the calendars that answer it. Decisions §8."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import NOTHING_TAKEN, PoolSlot
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.money.currency import Currency, currency
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import MAX_DAYS, ValidityOptions, ValidityQuery, validity_options, window

_DAY = timedelta(days=1)
_FEW = 10


class Question(NamedTuple):
    """A query for validity periods at the instant ``at``, assuming that nothing has been sold."""

    query: ValidityQuery
    catalogue: Catalogue
    at: datetime

    @property
    def product(self) -> Product:
        """The product to book."""
        return self.catalogue.product(self.query.product)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The product variants in the query."""
        return tuple(variant for variant in self.product.variants if variant.id in self.query.variants)

    @property
    def days(self) -> DateRange:
        """The range of days on which validity periods may begin."""
        return window(self.query, self.at.date())

    @property
    def currency(self) -> Currency:
        """The currency of the prices: that of the merchant."""
        return currency(self.catalogue.merchant(self.product.merchant).currency)

    def answer(self) -> ValidityOptions:
        """Return the validity periods that match the query, ordered by start."""
        return validity_options(self.query, catalogue=self.catalogue, capacity=NOTHING_TAKEN, now=self.at)

    def next_bookable(self) -> date | None:
        """Return the first bookable day among those of the query and the year after them, or None."""
        for question in (self, self._for_the_year_after()):
            first = question._replace(query=replace(question.query, only_available=True, limit=1))
            if options := first.answer().options:
                return options[0].validity.first_day
        return None

    def _for_the_year_after(self) -> Question:
        first = max(self.days.end, self.at.date())
        last = first + (MAX_DAYS - 1) * _DAY
        return self._replace(query=replace(self.query, first_day=first, last_day=last))


class Standing(NamedTuple):
    """Validity periods that are shown together: all that begin on the same day, or a single one."""

    options: tuple[ValidityOption, ...]

    @property
    def shown(self) -> tuple[ValidityOption, ...]:
        """The bookable periods, or all of them if none can be booked."""
        return tuple(option for option in self.options if option.is_available) or self.options

    @property
    def obstacle(self) -> Obstacle | None:
        """The obstacle to booking, or None if a period can be booked.

        The last period determines it, because earlier periods may merely be too late to book.
        """
        return self.shown[-1].obstacle

    @property
    def price(self) -> PriceRange:
        """The lowest and the highest price of the shown periods."""
        prices = [option.price for option in self.shown]
        return PriceRange(min(price.min for price in prices), max(price.max for price in prices))

    @property
    def left(self) -> int | None:
        """The maximum number of units available in all shown periods together; None if unlimited.

        Of the periods that have the same bottleneck (a pool on a day), only the one with the most units is
        counted. The true number can be lower, because the counted periods may share units of other pools.
        """
        places: dict[PoolSlot | None, int] = {}
        for option in self.shown:
            units = [unit.left for unit in option.units]
            if None in units or option.capacity is None:
                return None
            places[option.bottleneck] = max(option.capacity.max, places.get(option.bottleneck, 0))
        return sum(places.values())


class ValidityCalendar(NamedTuple):
    """The validity periods of a product for one duration, and the next bookable day."""

    question: Question
    duration: Duration
    options: tuple[ValidityOption, ...]
    next_bookable: date | None

    @property
    def is_of_hours(self) -> bool:
        """True if the duration is in hours, so that several periods may begin on one day."""
        return not self.duration.days and not self.duration.months

    @property
    def by_day(self) -> dict[date, Standing]:
        """The validity periods grouped by the day on which they begin, in chronological order."""
        days = groupby(self.options, key=lambda option: option.validity.first_day)
        return {day: Standing(tuple(options)) for day, options in days}

    def is_nearly_sold_out(self, standing: Standing) -> bool:
        """Return True if each shown period is limited by a pool with at most a tenth of its units left."""
        limits = {option.bottleneck for option in standing.shown}
        return all(limit is not None and self._is_scarce(limit) for limit in limits)

    def _is_scarce(self, limit: PoolSlot) -> bool:
        catalogue = self.question.catalogue
        pool = catalogue.pool(limit.pool)
        sizes = [size for size in (pool.size, *(entry.size for entry in pool.sizes)) if size is not None]
        left = pool.for_sale(limit.day, catalogue.calendar)
        return left is not None and _FEW * left <= max(sizes)


def calendars(question: Question) -> list[ValidityCalendar]:
    """Return a calendar for each duration in *question*."""
    return [_calendar(question, duration) for duration in question.query.durations]


def _calendar(question: Question, duration: Duration) -> ValidityCalendar:
    alone = question._replace(query=replace(question.query, durations=(duration,)))
    return ValidityCalendar(alone, duration, alone.answer().options, alone.next_bookable())


def following_month(day: date) -> date:
    """Return the first day of the month after *day*.

    >>> following_month(date(2026, 12, 27))
    datetime.date(2027, 1, 1)
    """
    return (day.replace(day=1) + 31 * _DAY).replace(day=1)
