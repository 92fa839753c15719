"""The validity options of a product, with prices and availability. Decisions §8.

The caller passes the current time as ``now`` and the units sold and held as ``capacity``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum
from fractions import Fraction

from faregate._values import public_value
from faregate.arguments.checks import as_int, checked
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration
from faregate.dates.instants import YEARS, DateRange, in_utc
from faregate.errors import InvalidInput, InvalidPeriod, Issues, UnknownEntry
from faregate.money.currency import Currency
from faregate.validity.bookability import running_days
from faregate.validity.offers import Cursor, Offer, OptionRow, PriceRange, ValidityOption

MAX_DAYS = 366
"""Maximum number of days in a query window."""

_USUAL_DAYS = 31
_SATURDAY = 5
_DAY = timedelta(days=1)


@public_value
@dataclass(frozen=True, slots=True)
@checked(InvalidInput, party=object)
class ValidityQuery:
    """A query for validity periods of ``product`` that begin between ``first_day`` and ``last_day``.

    The window includes both days; by default, it is 31 days from today. If ``durations`` or ``variants`` is
    empty, all are selected. ``limit`` is the maximum number of options; ``after`` is the ``next`` cursor of
    the previous page.

    ``quantity`` units of any one variant must be available. A ``party`` takes the place of ``variants`` and
    ``quantity``: units that must be available together, keyed by variant id.

    >>> ValidityQuery(11, party={101: 2, 103: 2}).party
    {101: 2, 103: 2}

    Raises:
        InvalidInput: a field has the wrong type.
    """

    product: int
    first_day: date | None = None
    last_day: date | None = None
    _: KW_ONLY
    durations: tuple[Duration, ...] = ()
    variants: tuple[int, ...] = ()
    quantity: int = 1
    only_available: bool = False
    limit: int | None = None
    after: Cursor | None = None
    party: Mapping[int, int] | None = field(default=None, hash=False)  # a dict has no hash


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityOptions:
    """A page of validity options, with all durations of the product and a cursor for the next page.

    Prices are in minor units of ``currency``, which is None if unknown.
    """

    options: tuple[ValidityOption, ...]
    has_capacities: bool
    durations: tuple[Duration, ...]
    next: Cursor | None = None
    currency: Currency | None = None

    def rows(self) -> list[OptionRow]:
        """Return one row per option and variant, for example for ``pandas.DataFrame(found.rows())``.

        >>> from datetime import UTC, date, datetime
        >>> from faregate.files import demo_catalogue
        >>> sunday = ValidityQuery(15, date(2027, 1, 3), date(2027, 1, 3), variants=(151, 152))
        >>> found = validity_options(
        ...     sunday, catalogue=demo_catalogue(), capacity={}, now=datetime(2026, 12, 1, tzinfo=UTC)
        ... )
        >>> for row in found.rows()[:3]:
        ...     print(row.first_day, row.duration, row.variant, row.price, row.places, row.pool)
        2027-01-03 P1D 151 6200 4000 mountain-grat
        2027-01-03 P1D 152 3400 4000 mountain-grat
        2027-01-03 P2D 151 11150 4000 mountain-grat
        """
        return [row for option in self.options for row in option.rows()]

    def __repr__(self) -> str:
        bookable = sum(option.is_available for option in self.options)
        return f"<ValidityOptions: {len(self.options)}, {bookable} bookable>"


class Suggestion(Enum):
    """The reason for suggesting a validity period; the first member that applies is used."""

    TODAY = "TODAY"
    TOMORROW = "TOMORROW"
    WEEKEND = "WEEKEND"
    NEXT = "NEXT"


@dataclass(frozen=True, slots=True)
class SuggestedValidity:
    """A validity period that can be booked, and the reason for suggesting it."""

    suggestion: Suggestion
    option: ValidityOption


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedValidities:
    """Suggested validity periods in chronological order, with statistics on the bookable days.

    ``days_until_next`` counts local days from today to the first bookable day; it is None if no day can be
    booked. ``mean_gap_days`` is the exact mean number of days from one bookable day to the next; it is None
    if fewer than two days can be booked. Prices are in minor units of ``currency``, which is None if unknown.
    """

    options: tuple[SuggestedValidity, ...]
    has_capacities: bool
    durations: tuple[Duration, ...]
    days_until_next: int | None
    mean_gap_days: Fraction | None
    currency: Currency | None = None


def validity_options(
    query: ValidityQuery, *, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> ValidityOptions:
    """Return the validity periods that match *query*, with prices and availability at *now*.

    *now* is timezone-aware. Periods for which none of the variants has a price are left out, as are periods
    that would begin on a day or at a time that the time zone skips. For a party, all variants need a price.

    Raises:
        UnknownEntry: the product, one of the variants or one of the durations does not exist.
        InvalidPeriod: the window ends before it begins, or has more than 366 days.
        InvalidInput: the quantity or the limit is below 1. The party is empty, has a variant that the product
            does not have or a number of units below 1, or stands beside variants or a quantity.
    """
    offer, durations = _asked(query, catalogue, capacity, now)
    days = window(query, offer.today)
    found: list[ValidityOption] = []
    following = None
    for option in _options(offer, days, durations, query.after, only_available=query.only_available):
        if len(found) == query.limit:
            following = found[-1].cursor
            break
        found.append(option)
    return ValidityOptions(
        options=tuple(found),
        has_capacities=offer.has_capacities,
        durations=offer.product.durations,
        next=following,
        currency=offer.currency,
    )


def suggest_validities(
    query: ValidityQuery, *, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> SuggestedValidities:
    """Return a few bookable validity periods worth showing first.

    Suggestions come from the current season, or else from the next: today, tomorrow, the coming weekend,
    the first bookable day, and the first bookable Saturday after that. Each day is suggested once, with its
    first bookable start and the shortest bookable duration. The window of *query* is ignored.

    Raises:
        UnknownEntry, InvalidInput: as in ``validity_options``.
    """
    offer, durations = _asked(query, catalogue, capacity, now)
    days = running_days(offer.product, catalogue.calendar, offer.today)
    bookable = _bookable_cursors(offer, days, durations)
    picked = _picked(offer.today, bookable)
    return SuggestedValidities(
        options=tuple(
            SuggestedValidity(why, option)
            for day, why in sorted(picked.items())[: query.limit]
            if (option := offer.option(*bookable[day]))
        ),
        has_capacities=offer.has_capacities,
        durations=offer.product.durations,
        days_until_next=min(((day - offer.today).days for day in bookable), default=None),
        mean_gap_days=_mean_gap([*bookable]),
        currency=offer.currency,
    )


def next_available(
    product: Product,
    *,
    catalogue: Catalogue,
    capacity: Capacity,
    now: datetime,
    party: Mapping[int, int] | None = None,
) -> ValidityOption | None:
    """Return the first validity period of *product* that can be booked within a year, or None.

    It is bookable for one unit of any variant or, if given, for the whole *party*, as in a ``ValidityQuery``.

    Raises:
        InvalidInput: the party is not valid, as in ``validity_options``.
    """
    offer = _offer(product, ValidityQuery(product.id, party=party), catalogue, capacity, now)
    days = DateRange(offer.today, offer.today + MAX_DAYS * _DAY)
    return next(_options(offer, days, sorted(set(product.durations)), only_available=True), None)


def price_ranges(
    product: Product, *, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> dict[int, PriceRange]:
    """Return the lowest and highest unit price of each variant, keyed by variant id.

    The range covers the bookable validity periods of the current season, or else of the next. Variants
    without a bookable period are left out.
    """
    offer = Offer(product, product.variants, catalogue=catalogue, capacity=capacity, now=now)
    days = running_days(product, catalogue.calendar, offer.today)
    ranges: dict[int, PriceRange] = {}
    for option in _options(offer, days, product.durations):
        if option.is_available:
            for unit in option.units:
                if unit.has(1):
                    known = ranges.get(unit.variant, PriceRange(unit.price, unit.price))
                    ranges[unit.variant] = PriceRange(min(known.min, unit.price), max(known.max, unit.price))
    return ranges


def _asked(
    query: ValidityQuery, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> tuple[Offer, tuple[Duration, ...]]:
    product = catalogue.product(query.product)
    if query.quantity < 1 or (query.limit is not None and query.limit < 1):
        given = f"quantity {query.quantity} and limit {query.limit}"
        raise InvalidInput(f"expected a quantity and a limit of at least 1, got {given}")
    for duration in query.durations:
        if duration not in product.durations:
            raise UnknownEntry("duration", str(duration), f"of product {product.id}")
    offer = _offer(product, query, catalogue, capacity, now)
    return offer, tuple(sorted(set(query.durations or product.durations)))


def _offer(
    product: Product, query: ValidityQuery, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> Offer:
    party = None if query.party is None else _party(query, query.party, product)
    return Offer(
        product,
        _variants(query, product),
        catalogue=catalogue,
        capacity=capacity,
        now=now,
        quantity=query.quantity,
        party=party,
    )


def _party(query: ValidityQuery, party: object, product: Product) -> dict[int, int]:
    issues = Issues()
    if query.variants or query.quantity != 1:
        issues.add(("party",), "expected neither variants nor a quantity beside a party")
    if not isinstance(party, Mapping) or not party:
        issues.add(("party",), f"expected units keyed by variant id, such as {{101: 2}}, got {party!r}")
        raise InvalidInput(*issues)
    known = {variant.id for variant in product.variants}
    for variant_id, units in party.items():
        if as_int(variant_id) not in known:
            issues.add(("party",), f"unknown variant {variant_id!r} of product {product.id}")
        if as_int(units, 0) < 1:
            issues.add(("party",), f"expected at least 1 unit of variant {variant_id!r}, got {units!r}")
    issues.check(InvalidInput)
    return {int(variant_id): int(units) for variant_id, units in party.items()}


def _variants(query: ValidityQuery, product: Product) -> tuple[Variant, ...]:
    known = {variant.id for variant in product.variants}
    for variant_id in query.variants:
        if variant_id not in known:
            raise UnknownEntry("variant", variant_id, f"of product {product.id}")
    return tuple(
        variant for variant in product.variants if not query.variants or variant.id in query.variants
    )


def window(query: ValidityQuery, today: date) -> DateRange:
    """Return the days on which the validity periods of *query* can begin.

    Raises:
        InvalidPeriod: the window is empty, has more than 366 days, or is outside the supported years.
    """
    try:
        first = query.first_day or today
        days = DateRange(first, (query.last_day or first + (_USUAL_DAYS - 1) * _DAY) + _DAY)
    except OverflowError as error:
        raise InvalidPeriod(f"from {query.first_day} to {query.last_day}: {error}") from error
    if not 1 <= days.days <= MAX_DAYS:
        raise InvalidPeriod(f"expected a window of 1 to {MAX_DAYS} days, got {days.days} from {first}")
    if days.start.year not in YEARS or (days.end - _DAY).year not in YEARS:
        raise InvalidPeriod(f"expected years from {YEARS[0]} to {YEARS[-1]}, got {first}")
    return days


def _options(
    offer: Offer,
    days: DateRange | None,
    durations: Iterable[Duration],
    after: Cursor | None = None,
    *,
    only_available: bool = False,
) -> Iterator[ValidityOption]:
    """Yield the options that begin on *days*, sorted; if *after* is given, only those after that position."""
    if days is None:
        return
    first = days.start if after is None else max(days.start, after.start.astimezone(offer.zone).date())
    behind = None if after is None else (in_utc(after.start), after.duration)
    for n in range((days.end - first).days):
        for option in offer.options_on(first + n * _DAY, durations, only_available=only_available):
            if behind is None or (in_utc(option.validity.start), option.duration) > behind:
                yield option


def _bookable_cursors(
    offer: Offer, days: DateRange | None, durations: Sequence[Duration]
) -> dict[date, Cursor]:
    """Return the first bookable start of each day, with its shortest bookable duration, keyed by day."""
    if days is None:
        return {}
    firsts = ((day, offer.first_bookable(day, durations)) for day in days.dates)
    return {day: cursor for day, cursor in firsts if cursor is not None}


def _picked(today: date, bookable: Iterable[date]) -> dict[date, Suggestion]:
    """Return the days in *bookable* that are worth suggesting, each mapped to the reason for it."""
    days = sorted(bookable)
    wanted = [
        (today, Suggestion.TODAY),
        (today + _DAY, Suggestion.TOMORROW),
        (coming_saturday(today), Suggestion.WEEKEND),
        *[(day, Suggestion.WEEKEND) for day in days if day.weekday() == _SATURDAY and day > days[0]][:1],
        *[(day, Suggestion.NEXT) for day in days[:1]],
    ]
    picked: dict[date, Suggestion] = {}
    for day, why in wanted:
        if day in days:
            picked.setdefault(day, why)
    return picked


def coming_saturday(today: date) -> date:
    """Return the next Saturday, or *today* if it is a Saturday.

    >>> from datetime import date
    >>> coming_saturday(date(2025, 12, 27)), coming_saturday(date(2025, 12, 28))
    (datetime.date(2025, 12, 27), datetime.date(2026, 1, 3))
    """
    return today + (_SATURDAY - today.weekday()) % 7 * _DAY


def _mean_gap(days: list[date]) -> Fraction | None:
    return Fraction((days[-1] - days[0]).days, len(days) - 1) if len(days) > 1 else None
