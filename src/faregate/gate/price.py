"""The access price: the amount that a gate charges for the units of a request. Decisions §9."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity
from faregate.catalogue.price_rules import reduced
from faregate.dates.durations import Duration
from faregate.errors import InvalidAccessRequest, Issue, IssueCode, UnknownEntry
from faregate.gate.requests import AccessCase, GateRequest, in_order, read_request
from faregate.list_prices.price import list_price
from faregate.list_prices.steps import ListPrice
from faregate.money.amounts import MinorUnits, format_percent
from faregate.money.currency import currency
from faregate.tax.rates import VatRate, gross_from_net
from faregate.trace import Step, StepKind, Trace


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class GatePrice:
    """The gross price that a gate charges for one unit and for all units, before any discount.

    ``calculated_price`` is ``unit_price`` times ``quantity``, less the reduction for a quantity ``tier``.
    ``rate`` is the VAT rate added to a net ``list_price``; it is None if the list price is gross. ``tariff``
    is the source of the prices; None means the variant's own prices.
    """

    unit_price: MinorUnits
    calculated_price: MinorUnits
    currency: str
    quantity: int
    list_price: ListPrice
    rate: VatRate | None = None
    tariff: AccessTariff | None = None
    tier: QuantityTier | None = None

    @property
    def trace(self) -> Trace:
        """Steps that add up to the figures ``list_price``, ``unit_price`` and ``calculated_price``."""
        return Trace(_steps_of(self), currency=currency(self.currency))


def gate_price(request: GateRequest, *, catalogue: Catalogue, sold: Capacity = NOTHING_TAKEN) -> GatePrice:
    """Return the price of *request*: the gross list price of a unit, times the quantity.

    The variant's first tariff for this kind of sale, if any, replaces its own prices. More days never cost
    less: the price is the lowest for the requested number of whole days or any larger number that has a
    price. If one day is listed at 100.00 and two days at 40.00 each, one day costs 80.00. STEPPED prices
    depend on the number of local days from ``order_date`` to ``valid_from``, and on the units *sold*. No date
    is compared with the current time.

    If every channel that sells the product in the merchant's currency uses net prices, its list prices are
    net and the unit price is converted to gross once. A quantity tier reduces the total of all units.

    >>> from faregate.files import demo_catalogue
    >>> asked = GateRequest(valid_from="2027-01-09", order_date="2027-01-02", quantity=3, currency_code="CHF",
    ...                     dta_product_id=1, dta_consumer_category=1)
    >>> price = gate_price(asked, catalogue=demo_catalogue())
    >>> price.unit_price, price.calculated_price, price.currency
    (7900, 23700, 'CHF')

    Raises:
        InvalidAccessRequest: the request is invalid; the error lists every issue with its field.
    """
    case, issues = read_request(request, catalogue)
    cheapest = case and _cheapest(case, catalogue, sold)
    if isinstance(cheapest, Issue):
        issues = (*issues, cheapest)
    if case is None or cheapest is None or isinstance(cheapest, Issue) or issues:
        raise InvalidAccessRequest(*in_order(issues))
    return _priced(case, cheapest, request.quantity)


def _cheapest(case: AccessCase, catalogue: Catalogue, sold: Capacity) -> ListPrice | Issue:
    """Return the lowest list price for the requested validity period or a larger number of whole days."""
    product, variant, calendar = case.point.product, case.offer.variant, catalogue.calendar
    duration = case.occasion.duration
    try:
        price = list_price(variant, case.occasion, product=product, calendar=calendar, capacity=sold)
    except UnknownEntry as error:
        return Issue(("valid_from",), str(error), IssueCode.NO_PRICE)
    for longer in _longer_than(duration, case):
        occasion = case.occasion._replace(duration=longer)
        with suppress(UnknownEntry):
            other = list_price(variant, occasion, product=product, calendar=calendar, capacity=sold)
            price = min(price, other, key=attrgetter("amount"))
    return price


def _longer_than(duration: Duration | None, case: AccessCase) -> tuple[Duration, ...]:
    """Return the durations that have more days than *duration* but may cost less."""
    if duration is None or duration.months or duration.seconds:
        return ()
    return case.offer.longer.get(duration.days, ())


def _priced(case: AccessCase, price: ListPrice, quantity: int) -> GatePrice:
    supplied = case.occasion.first_day or case.occasion.ordered_on
    rate = case.point.variant.rate_on(supplied) if case.point.is_net and supplied else None
    unit_price = price.amount if rate is None else gross_from_net(price.amount, rate)
    total = unit_price * quantity
    tier = _tier(case.point.product.quantity_tiers, quantity)
    if tier is not None:
        total = reduced(total, tier.parts_per_million, increment=tier.increment)
    return GatePrice(
        unit_price=unit_price,
        calculated_price=total,
        currency=case.point.currency,
        quantity=quantity,
        list_price=price,
        rate=rate,
        tariff=case.offer.tariff,
        tier=tier,
    )


def _tier(tiers: tuple[QuantityTier, ...], quantity: int) -> QuantityTier | None:
    reached = [tier for tier in tiers if tier.min_quantity <= quantity]
    return max(reached, key=attrgetter("min_quantity")) if reached else None


def _steps_of(price: GatePrice) -> Iterator[Step]:
    net = price.list_price.amount
    yield from price.list_price.trace()
    yield _step("unit_price", StepKind.CARRIED, "list_price", net, _kind_of_sale(price.tariff))
    if price.rate is not None:
        yield _step("unit_price", StepKind.VAT, str(price.rate), price.unit_price - net)
    total, units = price.unit_price * price.quantity, f"{price.quantity} × {price.unit_price}"
    yield _step("calculated_price", StepKind.CARRIED, "unit_price", total, units)
    if price.tier is not None:
        source = f"at least {price.tier.min_quantity} units"
        note = f"{format_percent(price.tier.parts_per_million)} % off"
        yield _step("calculated_price", StepKind.QUANTITY_TIER, source, price.calculated_price - total, note)


def _kind_of_sale(tariff: AccessTariff | None) -> str:
    """Return a description of the sales to which *tariff* applies; empty without a tariff."""
    if tariff is None:
        return ""
    told = (
        (tariff.is_online is not None, "online" if tariff.is_online else "not online"),
        (tariff.is_depot is not None, "kept at the gate" if tariff.is_depot else "not kept at the gate"),
    )
    return f"tariff: {', '.join(words for is_told, words in told if is_told) or 'all sales'}"


def _step(figure: str, rule: StepKind, source: str, amount: MinorUnits, note: str = "") -> Step:
    return Step(figure, None, rule, source, amount, note)
