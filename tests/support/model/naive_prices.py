"""The price of a valley checkout, calculated naively: with fractions, one cent at a time.

Written from the decisions, §2 to §6, without code of the library.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from support.model.tables import AUTOMATIC, KINDS, PROMO_CODES, VARIANTS, VOUCHERS, Channel, Discount, Slot
from support.oracles.naive_readings import MILLION, half_up, hamilton, largest_remainder

Json = dict[str, Any]


def percent(amount: int, parts: int) -> int:
    """Return *parts* per million of *amount*."""
    return half_up(Fraction(amount * parts, MILLION))


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
    def is_fee(self) -> bool:
        return VARIANTS[self.variant].is_fee


def lines_of(entries: Iterable[Entry]) -> list[Line]:
    """Return the lines by ascending line key, the lowest id of each."""
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for entry in sorted(entries):
        groups[entry[1:]].append(entry.id)
    lines = [Line(ids, variant, card, price) for (variant, _, card, price), ids in groups.items()]
    return sorted(lines, key=lambda line: line.ids[0])


# ---------------------------------------------------------------- §3.2, §3.4


def taking(discount: Discount, lines: list[Line], left: list[int], limit: int | None) -> list[int]:
    """Return the amount that *discount* takes from each line, limited by *left*."""
    base = [
        price if discount.scope(line) and not line.is_fee else 0
        for line, price in zip(lines, left, strict=True)
    ]
    if discount.kind in {"cart percent", "cart absolute"}:
        of_all = percent(sum(base), discount.value)
        amount = of_all if discount.kind == "cart percent" else min(discount.value, sum(base))
        return hamilton(amount if limit is None else min(amount, limit), base)
    shares = [
        _of_line(discount, price, len(line.ids)) if price else 0
        for line, price in zip(lines, base, strict=True)
    ]
    return shares if limit is None or sum(shares) <= limit else hamilton(limit, shares)


def _of_line(discount: Discount, price: int, units: int) -> int:
    value = discount.value
    match discount.kind:
        case "line percent":
            return percent(price, value)
        case "line absolute":
            return min(value, price)
        case "per unit":
            return min(value * units, price)
        case _:
            return max(0, price - value * units)


def give_automatic(lines: list[Line]) -> None:
    """Give each line its largest automatic discount, of equals the one that ranks first."""
    listed = [line.listed for line in lines]
    for line in lines:
        line.left = line.listed
    for discount in sorted(AUTOMATIC, key=lambda discount: (-discount.priority, int(discount.name))):
        if short_of(discount, lines, listed):
            continue
        for line, amount in zip(lines, taking(discount, lines, listed, None), strict=True):
            if amount > line.automatic:
                line.automatic, line.winner, line.left = amount, int(discount.name), line.listed - amount


def short_of(discount: Discount, lines: list[Line], prices: list[int]) -> Json:
    """Return the shortfall from the minimum."""
    counted = [
        (len(line.ids), price)
        for line, price in zip(lines, prices, strict=True)
        if not line.is_fee and discount.counting(line)
    ]
    spend = discount.spend - sum(price for _, price in counted)
    quantity = discount.quantity - sum(units for units, _ in counted)
    missing = {"spend": spend / 100, "quantity": quantity}
    return {name: amount for name, amount in missing.items() if amount > 0}


# ---------------------------------------------------------------- §3.3, §3.7


@dataclass
class Codes:
    """The promo codes of a checkout, with instant, channel and the amounts used by others."""

    lines: list[Line]
    at: datetime
    channel: Channel
    spent: Mapping[Slot, int]
    results: dict[str, Json] = field(default_factory=dict)

    def apply(self, entered: list[str]) -> None:
        """Apply a valid exclusive code alone, otherwise the codes one after another."""
        ranked = sorted((PROMO_CODES[code] for code in entered), key=_rank)
        after_auto = [line.left for line in self.lines]
        for code in ranked:
            if code.is_exclusive and not self.refusal(code, after_auto):
                for other in ranked:
                    refused = self.refusal(other, after_auto)
                    self.results[other.name] = refused or {"reason": "NOT_COMBINABLE"}
                self.enter(code, after_auto)
                return
        for code in ranked:
            self.enter(code, after_auto)

    def enter(self, code: Discount, after_auto: list[int]) -> None:
        """Apply a code, if it is applicable."""
        refused = self.refusal(code, after_auto)
        shares = [0] * len(self.lines) if refused else self.shares(code)
        for line, share in zip(self.lines, shares, strict=True):
            line.left -= share
            line.taken.append(share)
        self.results[code.name] = refused or {"amount": sum(shares)}

    def shares(self, code: Discount) -> list[int]:
        limits = [code.at_most, self.rest(code, "budget")]
        limit = min([limit for limit in limits if limit is not None], default=None)
        return taking(code, self.lines, [line.left for line in self.lines], limit)

    def rest(self, code: Discount, what: str) -> int | None:
        size = code.uses if what == "uses" else code.budget
        return None if size is None else size - self.spent.get((code.name, what), 0)

    def refusal(self, code: Discount, after_auto: list[int]) -> Json:
        """Return why a code does not apply; nothing if it does."""
        if code.channel not in {None, self.channel.uuid}:
            return {"reason": "WRONG_CHANNEL"}
        if self.at < code.starts:
            until = f"{code.starts:%Y-%m-%dT%H:%M:%S.000Z}"
            return {"reason": "NOT_YET_VALID", "missing": {"until": until}}
        if self.at >= code.ends:
            return {"reason": "EXPIRED"}
        if any((rest := self.rest(code, what)) is not None and rest <= 0 for what in ("uses", "budget")):
            return {"reason": "USED_UP"}
        if not any(code.scope(line) and not line.is_fee for line in self.lines):
            return {"reason": "NOT_APPLICABLE"}
        missing = short_of(code, self.lines, after_auto)
        if missing:
            return {"reason": "MINIMUM_NOT_REACHED", "missing": missing}
        return {} if any(self.shares(code)) else {"reason": "NOT_APPLICABLE"}


def _rank(code: Discount) -> tuple[int, int, int, str]:
    return code.lane, -code.priority, KINDS.index(code.kind), code.name


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
            if "amount" in result and PROMO_CODES[code].uses is not None:
                claims[code, "uses"] = 1
            if "amount" in result and PROMO_CODES[code].budget is not None:
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
    give_automatic(lines)
    entered = Codes(lines, at, channel, spent)
    entered.apply([code for code in codes if code in PROMO_CODES])
    add_tax(lines, in_net=channel.in_net)
    rows = {item_id: row for line in lines for item_id, row in rows_of(line, in_net=channel.in_net).items()}
    goods, net = (sum(row.total[side] for row in rows.values()) for side in (0, 1))
    due = goods + donation if channel.vouchers_pay_donation else goods
    vouchers = [code for code in codes if code in VOUCHERS]
    paid = redeemed({code: _worth(code, at, spent) for code in vouchers}, due)
    in_order = {code: entered.results[code] for code in codes if code in PROMO_CODES}
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
