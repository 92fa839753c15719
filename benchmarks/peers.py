"""A(n) with other Python packages: ``decimal``, prices (TaxedMoney) and py-moneyed.

``decimal`` follows the exact rule. The two money types have neither allocation nor tax rounded once per rate:
they price each line by itself with their own functions, so their results differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, localcontext
from operator import attrgetter
from typing import Any, NamedTuple

import moneyed
import prices

from benchmarks.workload import (
    DONATION,
    PERCENT_OFF,
    RATES_PER_MILLE,
    UNITS_OFF,
    Figures,
    Priced,
    basket,
)

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
HUNDRED = Decimal(100)

OFF = UNITS_OFF * CENT
GIFT = DONATION * CENT
PERCENT = PERCENT_OFF / HUNDRED
RATES = {rate: Decimal(rate) / 1000 for rate in RATES_PER_MILLE}


class Answer(NamedTuple):
    """Rows and sums in the order of ``Figures``, as tuples of one money type."""

    rows: list[tuple[object, ...]]
    totals: tuple[object, ...]


# ---------------------------------------------------------------- decimal


class DecimalLine(NamedTuple):
    unit_price: Decimal
    quantity: int
    rate: Decimal


def decimal_lines(n: int) -> list[DecimalLine]:
    return [DecimalLine(line.unit_price * CENT, line.quantity, RATES[line.per_mille]) for line in basket(n)]


def _shared(amount: Decimal, weights: Sequence[Decimal], whole: Decimal) -> list[Decimal]:
    """Allocate by largest remainder, kept as products: a quotient would be rounded to 28 digits."""
    shares, remainders = [], []
    rest = amount
    for weight in weights:
        scaled = amount * weight
        share = (scaled / whole).quantize(CENT, ROUND_FLOOR)
        shares.append(share)
        remainders.append(scaled - share * whole)
        rest -= share
    up = int(rest / CENT)
    if up:
        for i in sorted(range(len(shares)), key=remainders.__getitem__, reverse=True)[:up]:
            shares[i] += CENT
    return shares


def _nets(gross: Sequence[Decimal], by_rate: dict[Decimal, list[int]]) -> list[Decimal]:
    nets = [ZERO] * len(gross)
    for rate, lines in by_rate.items():
        own = [gross[i] for i in lines]
        total, taxed = sum(own, ZERO), 1 + rate
        net = total - (total * rate / taxed).quantize(CENT, ROUND_HALF_UP)
        # The shares of ``total / taxed``, the exact net, up to the rounded one.
        floors = [(amount / taxed).quantize(CENT, ROUND_FLOOR) for amount in own]
        up = int((net - sum(floors, ZERO)) / CENT)
        if up:
            remainders = [amount - floor * taxed for amount, floor in zip(own, floors, strict=True)]
            for i in sorted(range(len(own)), key=remainders.__getitem__, reverse=True)[:up]:
                floors[i] += CENT
        for i, floor in zip(lines, floors, strict=True):
            nets[i] = floor
    return nets


def with_decimal(lines: list[DecimalLine]) -> Answer:
    list_prices = [unit_price * quantity for unit_price, quantity, _ in lines]
    first = list_prices[:2]
    whole = sum(first, ZERO)
    automatic = _shared(min(OFF, whole), first, whole) + [ZERO] * (len(lines) - len(first))
    left = [price - share for price, share in zip(list_prices, automatic, strict=True)]
    whole = sum(left, ZERO)
    promo = _shared((whole * PERCENT).quantize(CENT, ROUND_HALF_UP), left, whole)
    discounts = [a + p for a, p in zip(automatic, promo, strict=True)]
    totals = [price - share for price, share in zip(left, promo, strict=True)]
    by_rate = defaultdict(list)
    for i, line in enumerate(lines):
        by_rate[line.rate].append(i)
    total_nets, discount_nets = _nets(totals, by_rate), _nets(discounts, by_rate)
    rows: list[tuple[object, ...]] = [
        (price, total_net + discount_net, auto, code, discount, discount_net, total, total_net)
        for price, auto, code, discount, discount_net, total, total_net in zip(
            list_prices, automatic, promo, discounts, discount_nets, totals, total_nets, strict=True
        )
    ]
    discount, discount_net = sum(discounts, ZERO), sum(discount_nets, ZERO)
    total, total_net = sum(totals, ZERO), sum(total_nets, ZERO)
    return Answer(
        rows,
        (
            total + discount,
            total_net + discount_net,
            sum(automatic, ZERO),
            sum(promo, ZERO),
            discount,
            discount_net,
            total + GIFT,
            total_net + GIFT,
        ),
    )


def read_decimal(answer: Answer) -> Priced:
    return _read(answer, _itself)


def _itself(figure: Any) -> Decimal:
    return Decimal(figure)


# ---------------------------------------------------------------- shared by both money types


def first_share(first: Decimal, second: Decimal) -> Decimal:
    """Return the first of two lines' share of the automatic discount."""
    return (OFF * first / (first + second)).quantize(CENT, ROUND_HALF_UP)


def read_money(answer: Answer) -> Priced:
    return _read(answer, attrgetter("amount"))


def _read(answer: Answer, amount_of: Callable[[Any], Decimal]) -> Priced:
    def figures(row: Iterable[object]) -> Figures:
        return Figures(*(int(amount_of(figure) / CENT) for figure in row))

    return Priced([figures(row) for row in answer.rows], figures(answer.totals))


# ---------------------------------------------------------------- prices


class PricesLine(NamedTuple):
    unit_price: prices.Money
    quantity: int
    rate: Decimal


PRICES_ZERO = prices.Money(ZERO, "CHF")
PRICES_OFF = prices.Money(OFF, "CHF")
PRICES_GIFT = prices.Money(GIFT, "CHF")


def prices_lines(n: int) -> list[PricesLine]:
    return [
        PricesLine(prices.Money(line.unit_price * CENT, "CHF"), line.quantity, RATES[line.per_mille])
        for line in basket(n)
    ]


def with_prices(lines: list[PricesLine]) -> Answer:
    """Use ``fixed_discount``, ``percentage_discount`` and ``flat_tax``, line by line."""
    flat_tax, percentage_discount = prices.flat_tax, prices.percentage_discount
    list_prices = [unit_price * quantity for unit_price, quantity, _ in lines]
    automatic = [PRICES_ZERO] * len(lines)
    automatic[0] = min(PRICES_OFF, list_prices[0])
    if len(lines) > 1:
        automatic[0] = prices.Money(first_share(list_prices[0].amount, list_prices[1].amount), "CHF")
        automatic[1] = PRICES_OFF - automatic[0]
    rows: list[tuple[object, ...]] = []
    listed_sum = total_sum = prices.TaxedMoney(PRICES_ZERO, PRICES_ZERO)
    promo_sum = PRICES_ZERO
    for price, auto, (_, _, rate) in zip(list_prices, automatic, lines, strict=True):
        left = prices.fixed_discount(price, auto)
        taken = percentage_discount(left, PERCENT_OFF, rounding=ROUND_HALF_UP)
        promo = left - taken
        listed = flat_tax(price, rate, keep_gross=True)
        total = flat_tax(taken, rate, keep_gross=True)
        discount = listed - total
        rows.append(
            (listed.gross, listed.net, auto, promo, discount.gross, discount.net, total.gross, total.net)
        )
        listed_sum += listed
        total_sum += total
        promo_sum += promo
    discount = listed_sum - total_sum
    total = total_sum + PRICES_GIFT
    auto = prices.sum(automatic[:2])
    totals = (listed_sum.gross, listed_sum.net, auto, promo_sum, discount.gross, discount.net)
    return Answer(rows, (*totals, total.gross, total.net))


# ---------------------------------------------------------------- py-moneyed


class MoneyedLine(NamedTuple):
    unit_price: moneyed.Money
    quantity: int
    rate: Decimal


CHF = moneyed.CHF
MONEYED_ZERO = moneyed.Money(ZERO, CHF)
MONEYED_OFF = moneyed.Money(OFF, CHF)
MONEYED_GIFT = moneyed.Money(GIFT, CHF)
# ``Money.round`` rounds by the context of ``decimal``.
COMMERCIAL = Context(rounding=ROUND_HALF_UP)


def moneyed_lines(n: int) -> list[MoneyedLine]:
    return [
        MoneyedLine(moneyed.Money(line.unit_price * CENT, CHF), line.quantity, RATES[line.per_mille])
        for line in basket(n)
    ]


def with_moneyed(lines: list[MoneyedLine]) -> Answer:
    """Use arithmetic of ``Money`` and ``round``, line by line."""
    with localcontext(COMMERCIAL):
        vat_in_gross = {rate: rate / (1 + rate) for rate in RATES.values()}
        list_prices = [unit_price * quantity for unit_price, quantity, _ in lines]
        automatic = [MONEYED_ZERO] * len(lines)
        automatic[0] = min(MONEYED_OFF, list_prices[0])
        if len(lines) > 1:
            automatic[0] = moneyed.Money(first_share(list_prices[0].amount, list_prices[1].amount), CHF)
            automatic[1] = MONEYED_OFF - automatic[0]
        rows: list[tuple[object, ...]] = []
        list_sum = list_net_sum = promo_sum = total_sum = net_sum = MONEYED_ZERO
        for price, auto, (_, _, rate) in zip(list_prices, automatic, lines, strict=True):
            left = price - auto
            promo = (left * PERCENT).round(2)
            total = left - promo
            list_net = price - (price * vat_in_gross[rate]).round(2)
            net = total - (total * vat_in_gross[rate]).round(2)
            rows.append((price, list_net, auto, promo, auto + promo, list_net - net, total, net))
            list_sum += price
            list_net_sum += list_net
            promo_sum += promo
            total_sum += total
            net_sum += net
        auto = sum(automatic[:2], MONEYED_ZERO)
        totals = (list_sum, list_net_sum, auto, promo_sum, auto + promo_sum, list_net_sum - net_sum)
        return Answer(rows, (*totals, total_sum + MONEYED_GIFT, net_sum + MONEYED_GIFT))
