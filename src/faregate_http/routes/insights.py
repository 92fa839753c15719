"""Price insights: a price compared with the offers of a product. Decisions §10."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.catalogue.products import Product
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import DateRange, parse_instant
from faregate.errors import InvalidInput
from faregate.insights.distribution import (
    LOWER_PERCENT,
    UPPER_PERCENT,
    PriceDistribution,
    PriceInsight,
    price_insight,
)
from faregate.money.amounts import MinorUnits, parse_minor_units
from faregate.money.currency import currency
from faregate.validity.offered_prices import OfferedPrice, current_price, offered_prices, price_from
from faregate.validity.options import ValidityQuery, window
from faregate_http.aside import aside, calendar_steps
from faregate_http.operations import Operation
from faregate_http.protocol.numbers import major_units, rounded
from faregate_http.protocol.parameters import (
    DATE_FROM,
    DATE_TO,
    DURATIONS,
    Parameter,
    number,
    read_amount,
    read_percent,
    read_start,
)
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import CURRENT, Response, json_response
from faregate_http.schemas import insights as wire
from faregate_http.schemas.base import LARGEST_SAFE
from faregate_http.services import Services

_DECIMALS = 4
_DATE = len("2026-12-27")

# ---------------------------------------------------------------- query parameters


def _percent(name: str, usual: int, description: str, *, example: float) -> Parameter[Fraction]:
    schema: dict[str, object] = {
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "default": usual,
        "examples": [usual, example],
    }
    return Parameter(name, schema, f"{description} At most 4 decimals.", read_percent)


_PRODUCT = number("productId", "Id of the product.", most=LARGEST_SAFE, example=11, is_required=True)
_VARIANT = number(
    "productVariantId", "Id of the variant. Defaults to the standard one.", most=LARGEST_SAFE, example=101
)
_DURATIONS = replace(
    DURATIONS,
    description=f"{DURATIONS.description} Prices depend on the duration: select one for a fair comparison.",
)
_START = Parameter(
    "validFrom",
    {
        "type": "string",
        "minLength": 10,
        "maxLength": 40,
        "examples": ["2026-12-27", "2026-12-27T00:00:00+01:00"],
    },
    "Compare the price of the shortest validity period that begins on this date or at this date-time."
    " Defaults to today's price, or to the first price of the period if nothing can be booked today."
    " Not allowed with price.",
    read_start,
)
_PRICE = Parameter(
    "price",
    {"type": "number", "minimum": 0, "examples": [79, 49.5]},
    "Price to compare, in major units, with no more decimal places than the currency has.",
    read_amount,
)
_LOWER = _percent(
    "lowerPercentile", LOWER_PERCENT, "Percentile of the prices below which a price is low.", example=12.5
)
_UPPER = _percent(
    "upperPercentile", UPPER_PERCENT, "Percentile of the prices above which a price is high.", example=97.5
)


# ---------------------------------------------------------------- query


class _Question(NamedTuple):
    """Query about a product at the instant ``at``; ``zone`` is the merchant's time zone."""

    product: Product
    zone: ZoneInfo
    query: ValidityQuery
    at: datetime

    @property
    def today(self) -> date:
        """Today's date in the merchant's time zone."""
        return self.at.astimezone(self.zone).date()

    @property
    def days(self) -> DateRange:
        """The days on which the compared validity periods begin."""
        return window(self.query, self.today)

    def window_of(self, start: date | datetime | None) -> DateRange:
        """Return a range of one day: the local day of *start*, or today for None.

        Raises:
            InvalidPeriod: the day is outside the supported years.
        """
        day = start.astimezone(self.zone).date() if isinstance(start, datetime) else start or self.today
        return window(replace(self.query, first_day=day, last_day=day), day)


def _question(request: Request, services: Services, at: datetime) -> _Question:
    """Return the query of *request*.

    Raises:
        Problem: 400, with all errors in the query; 404, the channel does not have the product or variant.
    """
    faults = [*_faults(request)]
    try:
        product = _product(request, services)
    except Problem:
        _refuse(faults)
        raise
    query = ValidityQuery(
        product.id,
        first_day=request.value(DATE_FROM),
        last_day=request.value(DATE_TO),
        durations=tuple(request.values(_DURATIONS)),
        variants=tuple(request.values(_VARIANT)),
    )
    question = _Question(product, zone_of(product, services.catalogue), query, at)
    _refuse([*faults, *_faults_about(question, request)])
    if not {variant.id for variant in product.variants}.issuperset(query.variants):
        raise Problem(404, "unknown-variant")
    return question


def _product(request: Request, services: Services) -> Product:
    (product_id,) = request.values(_PRODUCT)
    return services.sold_on(request.channel, partial(services.catalogue.product, product_id))


def _refuse(faults: Sequence[ErrorView]) -> None:
    if faults:
        raise Problem(400, "invalid-request", errors=faults)


def _faults(request: Request) -> Iterator[ErrorView]:
    """Yield the errors in parameters that can be checked without the product."""
    if _PRICE.name in request.query and _START.name in request.query:
        yield ErrorView("cannot be combined with price", parameter=_START.name)
    lower, upper = _bounds(request)
    if lower > upper:
        yield ErrorView("expected at most upperPercentile", parameter=_LOWER.name)
    yield from _faults_of(_PRICE, partial(_price, request))


def _faults_about(question: _Question, request: Request) -> Iterator[ErrorView]:
    """Yield the errors in parameters that depend on the product."""
    product = question.product
    for duration in question.query.durations:
        if duration not in product.durations:
            yield ErrorView(f"not a duration of product {product.id}: {duration}", parameter=_DURATIONS.name)
    yield from _faults_of(DATE_TO, lambda: question.days)
    yield from _faults_of(_START, lambda: question.window_of(_start(request, question.zone)))


def _faults_of(parameter: Parameter[object], read: Callable[[], object]) -> Iterator[ErrorView]:
    try:
        read()
    except InvalidInput as error:
        yield ErrorView(str(error), parameter=parameter.name)


def _bounds(request: Request) -> tuple[Fraction, Fraction]:
    lower, upper = request.value(_LOWER), request.value(_UPPER)
    return (
        Fraction(LOWER_PERCENT) if lower is None else lower,
        Fraction(UPPER_PERCENT) if upper is None else upper,
    )


def _price(request: Request) -> MinorUnits | None:
    """Return the price in the query, in minor units of the channel's currency, or None if it has none."""
    text = request.value(_PRICE)
    return None if text is None else parse_minor_units(text, currency(request.channel.currency))


def _start(request: Request, zone: ZoneInfo) -> date | datetime | None:
    """Return the requested start of the validity period whose price is compared, or None."""
    text = request.value(_START)
    if text is None:
        return None
    return date.fromisoformat(text) if len(text) == _DATE else parse_instant(text, zone)


# ---------------------------------------------------------------- response


async def _distribution(request: Request, services: Services) -> Response:
    at = services.clock()
    return await services.remembered(request, partial(_answer, request, services, at), at=at, is_exact=True)


async def _answer(request: Request, services: Services, at: datetime) -> Response:
    question = _question(request, services, at)
    days = question.days
    capacity = await services.inventory.around(question.product, days.start, days.end, at=question.at)
    work = partial(
        offered_prices, question.query, catalogue=services.catalogue, capacity=capacity, now=question.at
    )
    offered = await aside(work, steps=calendar_steps(question.product, services.catalogue, days))
    if not offered:
        raise _no_data("nothing can be booked in this period", DATE_FROM)
    price = _price(request)
    if price is None:
        price = await _judged(question, request, services, offered=offered)
    lower, upper = _bounds(request)
    distribution = PriceDistribution.from_prices(entry.price for entry in offered)
    insight = price_insight(distribution, price, lower=lower, upper=upper)
    view = _view(insight, major_units(currency(request.channel.currency)))
    return json_response(wire.PriceInsightsEnvelope(view), CURRENT, language=request.language)


async def _judged(
    question: _Question, request: Request, services: Services, *, offered: Sequence[OfferedPrice]
) -> MinorUnits:
    """Return the price to compare: that of the shortest period with the requested start.

    If no start is requested, this is today's price or, failing that, the first of *offered*.
    """
    start = _start(request, question.zone)
    days = question.window_of(start)
    capacity = await services.inventory.around(question.product, days.start, days.end, at=question.at)
    if start is None:
        now = current_price(question.query, catalogue=services.catalogue, capacity=capacity, now=question.at)
        return offered[0].price if now is None else now
    price = price_from(
        start, question.query, catalogue=services.catalogue, capacity=capacity, now=question.at
    )
    if price is None:
        raise _no_data("no validity period that begins then has a price", _START)
    return price


def _no_data(reason: str, parameter: Parameter[object]) -> Problem:
    return Problem(404, "no-data", errors=[ErrorView(reason, parameter=parameter.name)])


def _view(insight: PriceInsight, amount: Callable[[MinorUnits], float]) -> wire.PriceInsightsView:
    upper, lower = [
        wire.PriceThresholdView(amount(threshold.price), rounded(Fraction(threshold.percent), _DECIMALS))
        for threshold in (insight.upper, insight.lower)
    ]
    benchmark = wire.PriceBenchmarkView(
        interpolated_percent=rounded(insight.benchmark.interpolated_percent, _DECIMALS),
        price=amount(insight.benchmark.price),
        percentile=rounded(insight.benchmark.percentile, _DECIMALS),
    )
    return wire.PriceInsightsView(benchmark, wire.PriceThresholdsView(upper, lower))


OPERATIONS = (
    Operation(
        method="GET",
        path="/api/pricing/insights/distribution",
        handler=_distribution,
        name="priceInsights",
        summary="Compare a price with the prices of everything that can be booked in a period.",
        answer=wire.PriceInsightsEnvelope,
        query=(_PRODUCT, _VARIANT, _DURATIONS, DATE_FROM, DATE_TO, _START, _PRICE, _LOWER, _UPPER),
    ),
)
