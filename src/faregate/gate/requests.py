"""Parsing of price requests from gates; all errors in a request are reported together. Decisions §9."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple, TypeAlias, cast
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.arguments.fields import field_names
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_ids import DTA_KINDS, SYSTEM_KINDS, AccessIds, AccessOffer, AccessPoint
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.dates.instants import (
    YEARS,
    Interval,
    day_begins,
    in_utc,
    instant_of,
    parse_instant,
    service_days,
)
from faregate.errors import InvalidPeriod, Issue, IssueCode, Issues
from faregate.list_prices.price import ListPriceQuery, duration_of

Moment: TypeAlias = datetime | date | str
"""A date-time (local if it has no UTC offset), a local date, or text that ``parse_instant`` accepts."""


class _Ids(NamedTuple):
    """A pair of id fields, the type of their values, and a description of that type."""

    kinds: tuple[str, str]
    kind: type
    expected: str


_DTA = _Ids(DTA_KINDS, int, "a whole number")
_SYSTEM = _Ids(SYSTEM_KINDS, str, "text")
# The zone in which dates are read if the variant is unknown: then only their form is checked.
_ANYWHERE = ZoneInfo("UTC")
_MAX_BITS = 64
_LAST_SECOND = time(23, 59, 59)
_SECOND = timedelta(seconds=1)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class GateRequest:
    """A price request with the field names that gates use; the ``dta`` or the ``system`` ids are required.

    A date means the start of the day or, in ``valid_to``, the end of the day. Without ``valid_to``, the
    product's first duration applies. A period from 09:00 to 23:59:59 is priced as a whole day, as is a day
    in UTC. By default, the sale is online and the ticket is not kept at the gate.
    """

    valid_from: Moment
    order_date: Moment
    quantity: int
    currency_code: str
    valid_to: Moment | None = None
    dta_product_id: int | None = None
    dta_consumer_category: int | None = None
    system_product_id: str | None = None
    system_consumer_category: str | None = None
    depot_flag: bool | None = None
    is_online_pos: bool | None = None


_FIELDS = field_names(GateRequest)


class AccessCase(NamedTuple):
    """A request resolved for pricing: the access point, the offer for the kind of sale, and the dates."""

    point: AccessPoint
    offer: AccessOffer
    occasion: ListPriceQuery


def read_request(request: GateRequest, catalogue: Catalogue) -> tuple[AccessCase | None, tuple[Issue, ...]]:
    """Return *request* resolved for pricing (None if its ids or dates are invalid), and all of its issues."""
    reader = _Reader(request, catalogue)
    case = reader.case()
    return case, tuple(reader.issues)


def in_order(issues: Iterable[Issue]) -> list[Issue]:
    """Return *issues* in the order of the fields of ``GateRequest``."""
    return sorted(issues, key=lambda issue: _FIELDS.index(str(issue.loc[0])))


class _Reader:
    """Reads one request and collects its ``issues``."""

    __slots__ = ("_catalogue", "_request", "issues")

    def __init__(self, request: GateRequest, catalogue: Catalogue) -> None:
        self._request = request
        self._catalogue = catalogue
        self.issues = Issues()

    def case(self) -> AccessCase | None:
        point = self._point()
        self._check_quantity()
        kind = self._kind_of_sale()
        if point is None:
            self._check_currency(None)
            self._instants(_ANYWHERE)
            return None
        offer = point.offers[kind]
        self._check_currency(point.currency)
        self._check_depot(point.product)
        occasion = self._occasion(point.product, offer, point.zone)
        return occasion and AccessCase(point, offer, occasion)

    # ------------------------------------------------------------ ids

    def _point(self) -> AccessPoint | None:
        """Return the access point for the ids; None if no pair is known or the two pairs disagree."""
        request = self._request
        by_dta = self._mapped(_DTA, request.dta_product_id, request.dta_consumer_category)
        by_system = self._mapped(_SYSTEM, request.system_product_id, request.system_consumer_category)
        if by_dta is None or by_system is None:
            if by_dta is by_system and not self.issues:
                wanted = f"{' with '.join(DTA_KINDS)}, or {' with '.join(SYSTEM_KINDS)}"
                self.issues.add((DTA_KINDS[0],), f"expected {wanted}", IssueCode.MAPPING_REQUIRED)
            return by_dta or by_system
        if by_dta is not by_system:
            message = f"is variant {by_system.variant.id}, but {DTA_KINDS[0]} is variant {by_dta.variant.id}"
            self.issues.add((SYSTEM_KINDS[0],), message, IssueCode.MAPPING_CONFLICT)
            return None
        return by_dta

    def _mapped(self, ids: _Ids, product: object, category: object) -> AccessPoint | None:
        """Return the access point for one pair of ids; None if the pair is missing, invalid or unknown."""
        if product is None and category is None:
            return None
        if type(product) is not ids.kind or type(category) is not ids.kind:
            self._check_id(ids, ids.kinds[0], product)
            self._check_id(ids, ids.kinds[1], category)
            return None
        point = self._catalogue.access_point(cast("AccessIds", (product, category)))
        if point is None:
            message = f"no variant has {_shown(product)} with {ids.kinds[1]} {_shown(category)}"
            self.issues.add((ids.kinds[0],), message, IssueCode.UNKNOWN_MAPPING)
        return point

    def _check_id(self, ids: _Ids, kind: str, value: object) -> None:
        if value is None:
            other = ids.kinds[kind == ids.kinds[0]]
            self.issues.add((kind,), f"is required together with {other}", IssueCode.MAPPING_REQUIRED)
        elif type(value) is not ids.kind:
            self.issues.add((kind,), f"expected {ids.expected}, got {_kind_of(value)}")

    # ------------------------------------------------------------ kind of sale

    def _check_quantity(self) -> None:
        quantity: object = self._request.quantity
        if type(quantity) is not int:
            self.issues.add(("quantity",), f"expected {_DTA.expected}, got {_kind_of(quantity)}")
        elif not 1 <= quantity <= MOST_UNITS:
            self.issues.add(("quantity",), f"expected 1 to {MOST_UNITS}, got {_shown(quantity)}")

    def _check_currency(self, currency: str | None) -> None:
        code: object = self._request.currency_code
        if not isinstance(code, str):
            self.issues.add(("currency_code",), f"expected a currency code, got {_kind_of(code)}")
        elif currency is not None and code != currency:
            message = f"expected {currency}, got {code!r}"
            self.issues.add(("currency_code",), message, IssueCode.CURRENCY_MISMATCH)

    def _kind_of_sale(self) -> tuple[bool, bool]:
        """Return two booleans: whether the sale is online, and whether the ticket is kept at the gate."""
        is_online, is_depot = self._request.is_online_pos, self._request.depot_flag
        self._check_flag("is_online_pos", is_online)
        self._check_flag("depot_flag", is_depot)
        return is_online is not False, is_depot is True

    def _check_flag(self, field: str, flag: object) -> None:
        if flag is not None and not isinstance(flag, bool):
            self.issues.add((field,), f"expected true, false or nothing, got {_kind_of(flag)}")

    def _check_depot(self, product: Product) -> None:
        if self._request.depot_flag is True and not product.allows_depot:
            message = f"tickets of product {product.id} cannot be kept at the gate"
            self.issues.add(("depot_flag",), message, IssueCode.DEPOT_NOT_ALLOWED)

    # ------------------------------------------------------------ dates

    def _occasion(self, product: Product, offer: AccessOffer, zone: ZoneInfo) -> ListPriceQuery | None:
        """Return the list price query for the dates; None if a date is invalid."""
        found = len(self.issues)
        start, end, ordered = self._instants(zone)
        duration = None
        if start is not None:
            if ordered is not None and ordered.date() > start.date():
                message = f"{ordered.date()} is after {start.date()}, the first day"
                self.issues.add(("order_date",), message, IssueCode.ORDERED_TOO_LATE)
            duration = self._duration(product, offer, start=start, end=end, zone=zone)
        if start is None or ordered is None or len(self.issues) > found:
            return None
        if not product.has_validity:
            return ListPriceQuery(ordered_on=ordered.date())
        return ListPriceQuery(duration, start.date(), ordered.date())

    def _instants(self, zone: ZoneInfo) -> tuple[datetime | None, datetime | None, datetime | None]:
        """Return the instants of start, end and order; None for each that is omitted or invalid."""
        request = self._request
        return (
            self._instant("valid_from", request.valid_from, zone),
            None if request.valid_to is None else self._instant("valid_to", request.valid_to, zone),
            self._instant("order_date", request.order_date, zone),
        )

    def _instant(self, field: str, moment: object, zone: ZoneInfo) -> datetime | None:
        try:
            if isinstance(moment, str):  # the usual case
                instant = parse_instant(moment, zone, is_end=field == "valid_to")
            else:
                instant = _instant_of(moment, zone, is_end=field == "valid_to")
        except InvalidPeriod as error:
            self.issues.add((field,), str(error), IssueCode.INVALID_VALIDITY)
            return None
        if instant.year in YEARS:
            return instant
        message = f"expected years from {YEARS[0]} to {YEARS[-1]}"
        self.issues.add((field,), message, IssueCode.INVALID_VALIDITY)
        return None

    def _duration(
        self, product: Product, offer: AccessOffer, *, start: datetime, end: datetime | None, zone: ZoneInfo
    ) -> Duration | None:
        """Return the duration of the validity period; None if it is invalid or does not affect the price."""
        if end is None:
            return product.durations[0] if product.durations else None
        if not _is_after(end, start):
            message = f"{end.isoformat()} is not after {start.isoformat()}"
            self.issues.add(("valid_to",), message, IssueCode.INVALID_VALIDITY)
            return None
        if not product.has_validity:
            return None
        try:
            return _length(product, offer, Interval(start, end), zone)
        except InvalidPeriod as error:
            self.issues.add(("valid_to",), str(error), IssueCode.INVALID_VALIDITY)
            return None


def _length(product: Product, offer: AccessOffer, validity: Interval, zone: ZoneInfo) -> Duration:
    """Return the length of *validity*: at most ``offer.longest`` days, or a duration of the product.

    A partial first day is counted in full, unless the exact length is a duration of the product.
    """
    days = Duration(days=_whole_days(validity, zone))
    if _is_offered(days, product, offer):
        return days
    try:
        return duration_of(product, validity, zone)
    except InvalidPeriod as error:
        days = Duration(days=_started_days(validity, zone))
        if _is_offered(days, product, offer):
            return days
        if not offer.longest:
            raise
        raise InvalidPeriod(f"{error}, or whole days up to {offer.longest}") from error


def _is_offered(days: Duration, product: Product, offer: AccessOffer) -> bool:
    return 0 < days.days <= offer.longest or days in product.durations


def _started_days(validity: Interval, zone: ZoneInfo) -> int:
    """Return the number of days in *validity*, with a partial first day counted as a whole day.

    The result is 0 unless *validity* ends at the end of a day in *zone* or consists of whole days in UTC.
    """
    if _begins_a_day(validity.end, zone):
        return service_days(validity).days
    start, end = in_utc(validity.start), in_utc(validity.end)
    if end.time() == _LAST_SECOND:
        end += _SECOND
    return (end.date() - start.date()).days if start.time() == end.time() == time.min else 0


def _is_after(end: datetime, start: datetime) -> bool:
    """Return True if *end* is after *start*; wall-clock times suffice unless the UTC offset changes."""
    return end > start if end.utcoffset() == start.utcoffset() else in_utc(end) > in_utc(start)


def _whole_days(validity: Interval, zone: ZoneInfo) -> int:
    """Return the number of days if *validity* starts and ends at the first instant of a day; otherwise 0."""
    start, end = validity
    if not (_begins_a_day(start, zone) and _begins_a_day(end, zone)):
        return 0
    if end.utcoffset() == start.utcoffset():
        return (end.date() - start.date()).days
    return service_days(validity).days  # some time zones have skipped a day


def _begins_a_day(instant: datetime, zone: ZoneInfo) -> bool:
    if instant.fold:  # the second of two equal clock times
        return False
    if not (instant.hour or instant.minute or instant.second or instant.microsecond):
        return True
    begin = day_begins(instant.date(), zone)  # where midnight was skipped
    return begin == instant and not begin.fold


def _instant_of(moment: object, zone: ZoneInfo, *, is_end: bool) -> datetime:
    if isinstance(moment, date):
        return instant_of(moment, zone, is_end=is_end)
    raise InvalidPeriod(f"expected a date or date-time, got {_kind_of(moment)}")


def _kind_of(value: object) -> str:
    """Return the type name of *value*, which has the wrong type and may be unsuitable for printing."""
    return type(value).__name__


def _shown(value: object) -> str:
    """Return *value* as text for a message; Python refuses to print numbers with thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"a number of {value.bit_length()} bits"
    return repr(value)
