"""The price of a valley checkout, calculated naively: with fractions, one cent at a time.

Written from the decisions, §2 to §6. The oracles calculate the discounts, without the code under test.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from faregate.basket.lines import Line as PricedLine
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import PromoCode
from faregate.tax.rates import VatRate
from faregate.totals.request import PricingRequest
from support.model.tables import AUTOMATIC, PROMO_CODES, VARIANTS, VOUCHERS, ZURICH, Channel, Slot
from support.oracles.naive_readings import MILLION, Taking, half_up, hamilton, largest_remainder
from support.oracles.stacking import Refused, best_automatic, promo_codes

Json = dict[str, Any]


# ---------------------------------------------------------------- §3.1


class Entry(NamedTuple):
    """The properties that determine the price of an item."""

    id: int
    variant: int
    period: tuple[str, str] | None
    card: int | None
    price: int


@dataclass
class Line:
    """Equal items and their discounted total; §4 adds the other side."""

    ids: list[int]
    variant: int
    card: int | None
    price: int
    left: int = 0
    automatic: int = 0
    winner: int | None = None
    taken: list[int] = field(default_factory=list)
    other_left: int = 0
    other_discount: int = 0

    @property
    def listed(self) -> int:
        return self.price * len(self.ids)

    @property
    def priced(self) -> PricedLine:
        """This line as the oracles read it."""
        variant = VARIANTS[self.variant]
        return PricedLine(
            self.ids[0],
            self.price,
            len(self.ids),
            VatRate(parts_per_million=variant.rate),
            product=variant.product,
            variant=self.variant,
            category=variant.category,
            discount_card=self.card,
            discountable=not variant.is_fee,
            counted=not variant.is_fee,
        )


def lines_of(entries: Iterable[Entry]) -> list[Line]:
    """Return the lines by ascending line key, the lowest id of each."""
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for entry in sorted(entries):
        groups[entry[1:]].append(entry.id)
    lines = [Line(ids, variant, card, price) for (variant, _, card, price), ids in groups.items()]
    return sorted(lines, key=lambda line: line.ids[0])


# ---------------------------------------------------------------- §3.2 to §3.7


def discount(
    lines: list[Line], codes: Iterable[str], at: datetime, channel: Channel, spent: Mapping[Slot, int]
) -> dict[str, Json]:
    """Discount the lines, and return the result of each code; *spent* has the amounts used by others."""
    request = PricingRequest(
        lines=tuple([line.priced for line in lines]),
        automatic=AUTOMATIC,
        promo_codes=tuple([_with_rest(PROMO_CODES[code], spent) for code in codes]),
        donation=0,
        vouchers=(),
        policy=TotalsPolicy(),
        context=Context(at=at, channel=channel.uuid, zone=ZURICH),
    )
    won = best_automatic(request)
    for line, amount, winner in zip(lines, won.amounts, won.ids, strict=True):
        line.automatic, line.winner, line.left = amount, winner, line.listed - amount
    left, outcomes = promo_codes(request, [line.left for line in lines])
    for n, line in enumerate(lines):
        line.left = left[n]
        line.taken = [taken.shares[n] for taken in outcomes.values() if isinstance(taken, Taking)]
    return {
        code: {"amount": sum(result.shares)} if isinstance(result, Taking) else _shown(result)
        for code, result in outcomes.items()
    }


def _with_rest(code: PromoCode, spent: Mapping[Slot, int]) -> PromoCode:
    uses, budget = code.uses_left, code.budget_left
    return replace(
        code,
        uses_left=None if uses is None else uses - spent.get((code.code, "uses"), 0),
        budget_left=None if budget is None else budget - spent.get((code.code, "budget"), 0),
    )


def _shown(refused: Refused) -> Json:
    missing = refused.missing
    if missing is None:
        return {"reason": refused.reason.name}
    if missing.until is not None:
        shown: Json = {"until": f"{missing.until:%Y-%m-%dT%H:%M:%S.000Z}"}
    else:
        short = {"spend": missing.spend / 100, "quantity": missing.quantity}
        shown = {name: amount for name, amount in short.items() if amount}
    return {"reason": refused.reason.name, "missing": shown}


# ---------------------------------------------------------------- §4


def add_tax(lines: list[Line], *, in_net: bool) -> None:
    """Give each line its other side; the tax is calculated once per rate."""
    for rate in {VARIANTS[line.variant].rate for line in lines}:
        alike = [line for line in lines if VARIANTS[line.variant].rate == rate]
        totals = [line.left for line in alike]
        discounts = [line.listed - line.left for line in alike]
        sides = zip(
            alike, other_sides(totals, rate, in_net), other_sides(discounts, rate, in_net), strict=True
        )
        for line, total, discount in sides:
            line.other_left, line.other_discount = total, discount


def other_sides(values: list[int], rate: int, in_net: bool) -> list[int]:
    total = sum(values)
    tax = half_up(Fraction(total * rate, MILLION if in_net else MILLION + rate))
    return given_back(values, rate, total + tax if in_net else total - tax, in_net=in_net)


def given_back(values: list[int], rate: int, target: int, *, in_net: bool) -> list[int]:
    """Return the other side of each value: rounded down, with the largest remainders rounded up."""
    factor = Fraction(MILLION + rate, MILLION)
    return largest_remainder([value * factor if in_net else value / factor for value in values], target)


# ---------------------------------------------------------------- §3.1, §5


class Row(NamedTuple):
    """The price of an item."""

    winner: int | None
    automatic: int
    promo: int
    discount: tuple[int, int]
    """Gross and net, like the total."""
    total: tuple[int, int]


def rows_of(line: Line, *, in_net: bool) -> dict[int, Row]:
    """Return the price of each item of a line; each discount is shared in proportion to the rest."""
    count, rate = len(line.ids), VARIANTS[line.variant].rate
    automatic = hamilton(line.automatic, [1] * count)
    left = [line.price - share for share in automatic]
    for amount in line.taken:
        left = [price - share for price, share in zip(left, hamilton(amount, left), strict=True)]
    discounts = [line.price - price for price in left]
    other_left = given_back(left, rate, line.other_left, in_net=in_net)
    other_discounts = given_back(discounts, rate, line.other_discount, in_net=in_net)
    return {
        line.ids[n]: Row(
            line.winner if automatic[n] else None,
            automatic[n],
            discounts[n] - automatic[n],
            _gross_first(discounts[n], other_discounts[n], in_net=in_net),
            _gross_first(left[n], other_left[n], in_net=in_net),
        )
        for n in range(count)
    }


def _gross_first(own: int, other: int, *, in_net: bool) -> tuple[int, int]:
    return (other, own) if in_net else (own, other)


# ---------------------------------------------------------------- §6


class Bill(NamedTuple):
    """The price of a checkout and its payment; ``vouchers`` in the order they were entered."""

    rows: dict[int, Row]
    codes: dict[str, Json]
    vouchers: dict[str, int]
    total_gross: int
    total_net: int

    @property
    def due(self) -> int:
        return self.total_gross - sum(self.vouchers.values())

    @property
    def claims(self) -> dict[Slot, int]:
        """Return the units that payment uses of each code's limits."""
        claims: dict[Slot, int] = {}
        for code, result in self.codes.items():
            if "amount" in result and PROMO_CODES[code].uses_left is not None:
                claims[code, "uses"] = 1
            if "amount" in result and PROMO_CODES[code].budget_left is not None:
                claims[code, "budget"] = result["amount"]
        return claims | {(code, "balance"): amount for code, amount in self.vouchers.items() if amount}


def bill_of(
    entries: Iterable[Entry],
    codes: Iterable[str],
    donation: int,
    *,
    at: datetime,
    channel: Channel,
    spent: Mapping[Slot, int],
) -> Bill:
    """Return the bill at *at*, when others had *spent* their amounts."""
    lines = lines_of(entries)
    results = discount(lines, [code for code in codes if code in PROMO_CODES], at, channel, spent)
    add_tax(lines, in_net=channel.in_net)
    rows = {item_id: row for line in lines for item_id, row in rows_of(line, in_net=channel.in_net).items()}
    goods, net = (sum(row.total[side] for row in rows.values()) for side in (0, 1))
    due = goods + donation if channel.vouchers_pay_donation else goods
    vouchers = [code for code in codes if code in VOUCHERS]
    paid = redeemed({code: _worth(code, at, spent) for code in vouchers}, due)
    in_order = {code: results[code] for code in codes if code in PROMO_CODES}
    return Bill(rows, in_order, {code: paid[code] for code in vouchers}, goods + donation, net + donation)


def redeemed(worth: Mapping[str, tuple[int, int]], due: int) -> dict[str, int]:
    """Return the payment of each voucher: by earliest expiry, smaller balance, then code."""
    paid: dict[str, int] = {}
    for code in sorted(worth, key=lambda code: (VOUCHERS[code].expires, worth[code][0], code)):
        paid[code] = min(worth[code][1], due)
        due -= paid[code]
    return paid


def _worth(code: str, at: datetime, spent: Mapping[Slot, int]) -> tuple[int, int]:
    """Return the remaining balance, and the part that can be used now."""
    balance = max(0, VOUCHERS[code].balance - spent.get((code, "balance"), 0))
    return balance, balance if at < VOUCHERS[code].expires else 0
