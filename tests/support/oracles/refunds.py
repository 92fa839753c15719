"""An independent reading of decisions §20: refunds in fractions, one return after another.

It prices with ``checkout_totals`` and computes everything else by itself.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis
from faregate.discounts.kinds import EVERYTHING, Absolute, DiscountLevel, Percentage, PerUnit, Scope
from faregate.discounts.promo_codes import AppliedCode
from faregate.refunds.policy import FeeStep, RefundBasis, RefundPolicy
from faregate.tax.rates import VatLevel, VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.oracles.naive_readings import half_up, lines_in_scope, net_of

MILLION = 10**6
Unit = tuple[int, int]
"""The key of a line, and the position of a unit in it."""


class Paid(NamedTuple):
    gross: int
    net: int
    rate: VatRate


class Row(NamedTuple):
    """The refund of one line: gross and net given back, kept, and the fee."""

    gross: int
    net: int
    kept_gross: int
    kept_net: int
    fee: int


class Refund(NamedTuple):
    """One refund: its lines with returned or credited units, and its fees per rate."""

    rows: dict[int, Row]
    fees: dict[VatRate, tuple[int, int]]


def paid_by_units(totals: CheckoutTotals) -> dict[Unit, Paid]:
    """Return what each unit paid: automatic discounts unit by unit, then codes by the amounts left."""
    policy = totals.request.policy
    in_net = policy.price_basis is PriceBasis.NET
    codes = sorted((c for c in totals.promo_codes if isinstance(c, AppliedCode)), key=lambda c: c.position)
    found = {}
    for index, line in enumerate(totals.lines):
        price = (line.list_price_net if in_net else line.list_price_gross) // line.quantity
        left = [price] * line.quantity
        first = 0
        for _, units, amount in line.auto_discounts:
            for n in range(units):
                left[first + n] -= amount // units + (n < amount % units)
            first += units
        for code in codes:
            shares = hamilton(code.shares[index], left)
            left = [own - share for own, share in zip(left, shares, strict=True)]
        if policy.vat_level is VatLevel.UNIT:
            others = hamilton(line.total_gross if in_net else line.total_net, left)
        else:
            others = _other_side(
                left, line.rate, line.total_gross if in_net else line.total_net, in_net=in_net
            )
        pairs = zip(others, left, strict=True) if in_net else zip(left, others, strict=True)
        for n, (gross, net) in enumerate(pairs):
            found[line.key, n] = Paid(gross, net, line.rate)
    return found


def _other_side(amounts: list[int], rate: VatRate, target: int, *, in_net: bool) -> list[int]:
    """Convert amounts exactly, round down, and raise the largest remainders up to *target*."""
    taxed = MILLION + rate.parts_per_million
    exact = [Fraction(a * taxed, MILLION) if in_net else Fraction(a * MILLION, taxed) for a in amounts]
    floors = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda n: (floors[n] - exact[n], n))
    for n in order[: target - sum(floors)]:
        floors[n] += 1
    assert sum(floors) == target
    return floors


def hamilton(amount: int, weights: list[int]) -> list[int]:
    """Allocate by largest remainder; ties go to the first."""
    total = sum(weights) or 1
    shares = [amount * weight // total for weight in weights]
    order = sorted(range(len(weights)), key=lambda n: (-(amount * weights[n] % total), n))
    for n in order[: amount - sum(shares)]:
        shares[n] += 1
    return shares


def own_price(totals: CheckoutTotals, gone: set[Unit]) -> int:
    """Return the price of the units that are not gone, by the rules of the order."""
    lines, _, promo_codes, _, _, policy, context = totals.request
    left = [line._replace(quantity=line.quantity - sum(key == line.key for key, _ in gone)) for line in lines]
    return checkout_totals(
        [line for line in left if line.quantity],
        automatic=totals.request.automatic,
        promo_codes=promo_codes,
        policy=policy,
        context=context,
    ).total_gross


def amount_for(totals: CheckoutTotals, units: dict[Unit, Paid], gone: set[Unit], basis: RefundBasis) -> int:
    """Return the refund for a set of units if nothing was refunded before."""
    share = sum(paid.gross for unit, paid in units.items() if unit not in gone)
    value = {
        RefundBasis.SHARE: lambda: share,
        RefundBasis.REPRICE: lambda: own_price(totals, gone),
        RefundBasis.FLOOR: lambda: max(share, own_price(totals, gone)),
    }[basis]()
    return max(sum(paid.gross for paid in units.values()) - value, 0)


def refunds(
    totals: CheckoutTotals, returns: Iterable[set[Unit]], policy: RefundPolicy, at: datetime
) -> list[Refund]:
    """Return the refund of each return, in turn."""
    units = paid_by_units(totals)
    credited: Counter[Unit] = Counter()
    gone: set[Unit] = set()
    found = []
    for returned in returns:
        gone |= returned
        due = max(amount_for(totals, units, gone, policy.basis) - credited.total(), 0)
        before = Counter(credited)
        for group in (gone, units.keys() - gone):
            order = [unit for unit in units if unit in group]
            open_amounts = [units[unit].gross - before[unit] for unit in order]
            part = min(due, sum(open_amounts))
            for unit, share in zip(order, hamilton(part, open_amounts), strict=True):
                credited[unit] += share
            due -= part
        found.append(_refund(totals, units, returned, (before, credited), policy, at))
    return found


def _refund(
    totals: CheckoutTotals,
    units: dict[Unit, Paid],
    returned: set[Unit],
    credited: tuple[Counter[Unit], Counter[Unit]],
    policy: RefundPolicy,
    at: datetime,
) -> Refund:
    before, after = credited
    request, rows = totals.request, {}
    lines = {line.key: line for line in request.lines}
    kept_lines, covered = (
        {
            request.lines[n].key
            for n in (lines_in_scope(list(request.lines), scope, request.context) if scope else ())
        }
        for scope in _scopes(policy)
    )
    for key in lines:
        own = [unit for unit in units if unit[0] == key]
        gross = sum(after[unit] - before[unit] for unit in own)
        if not gross and not any(unit in returned for unit in own):
            continue
        net = _net(units, own, after) - _net(units, own, before)
        kept = 0
        if key in kept_lines:
            kept = gross
        elif key in covered and policy.guarantee:
            kept = gross - half_up(Fraction(gross * policy.guarantee.payout.parts_per_million, MILLION))
        rows[key] = Row(gross, net, kept, half_up(Fraction(net * kept, gross)) if kept else 0, 0)
    payers = [key for key in rows if key not in covered and any(unit[0] == key for unit in returned)]
    fees: Counter[VatRate] = Counter()
    for step in policy.fees:
        own_lines = [key for key in payers if _step_of(lines[key], policy.fees, at) is step]
        counts = [sum(unit[0] == key for unit in returned) for key in own_lines]
        amounts = [rows[key].gross - rows[key].kept_gross for key in own_lines]
        for key, fee in zip(own_lines, _fees(step, amounts, counts), strict=True):
            rows[key] = rows[key]._replace(fee=fee)
            if step.rate is not None:
                fees[step.rate] += fee
    tie = request.policy.tie
    return Refund(rows, {rate: (net_of(fee, rate, tie), fee) for rate, fee in fees.items() if fee})


def _scopes(policy: RefundPolicy) -> tuple[Scope | None, Scope | None]:
    return policy.non_refundable, policy.guarantee.scope if policy.guarantee else None


def _net(units: dict[Unit, Paid], own: Sequence[Unit], credited: Counter[Unit]) -> int:
    exact = [
        Fraction(units[unit].net * credited[unit], units[unit].gross) for unit in own if units[unit].gross
    ]
    return half_up(sum(exact, Fraction()))


def _step_of(line: Line, steps: Sequence[FeeStep], at: datetime) -> FeeStep:
    for step in steps:
        if line.validity is None or step.notice is None:
            return step
        latest = line.validity.start - step.notice
        if at.astimezone(UTC) <= latest.astimezone(UTC):
            return step
    raise AssertionError(steps)


def _fees(step: FeeStep, amounts: list[int], counts: list[int]) -> list[int]:
    match step.fee:
        case Percentage(parts_per_million=parts, level=DiscountLevel.CART):
            return hamilton(half_up(Fraction(sum(amounts) * parts, MILLION)), amounts)
        case Percentage(parts_per_million=parts):
            return [half_up(Fraction(amount * parts, MILLION)) for amount in amounts]
        case PerUnit(amount=fee):
            return [min(fee * count, amount) for amount, count in zip(amounts, counts, strict=True)]
        case Absolute(amount=fee, level=DiscountLevel.CART):
            return hamilton(min(fee, sum(amounts)), amounts)
        case Absolute(amount=fee):
            return [min(fee, amount) for amount in amounts]
        case _:
            return [0] * len(amounts)


def paid_with_single_purpose(totals: CheckoutTotals) -> list[tuple[str, int, int]]:
    """Return what single-purpose vouchers paid: code, line and amount, in the order in which they paid."""
    request = totals.request
    gross = {line.key: line.total_gross for line in totals.lines}
    single = [paid for paid in totals.vouchers if paid.voucher.single_purpose and paid.amount]
    single.sort(key=lambda p: (p.voucher.scope == EVERYTHING, p.voucher.balance, p.voucher.code))
    found = []
    for paid in single:
        left, rate = paid.amount, paid.voucher.single_purpose
        scoped = lines_in_scope(list(request.lines), paid.voucher.scope, request.context)
        for key in sorted(request.lines[n].key for n in scoped):
            own = next(line.rate for line in request.lines if line.key == key)
            if rate and own.parts_per_million == rate.parts_per_million:
                taken = min(gross[key], left)
                gross[key] -= taken
                left -= taken
                found.append((paid.voucher.code, key, taken))
        assert not left
    return found


def given_back(totals: CheckoutTotals, refunded: Counter[int]) -> Counter[str]:
    """Return what single-purpose vouchers get back in all, from the amounts *refunded* for each line."""
    left, found = Counter(refunded), Counter[str]()
    for code, key, amount in paid_with_single_purpose(totals):
        taken = min(amount, left[key])
        left[key] -= taken
        found[code] += taken
    return +found


def in_turn(amount: int, *groups: dict[str, int]) -> list[Counter[str]]:
    """Give every name of the first group up to its own amount, then those of the second."""
    found = []
    for group in groups:
        found.append(Counter[str]())
        for name, limit in group.items():
            found[-1][name] = min(amount, limit)
            amount -= found[-1][name]
    assert not amount
    return [+each for each in found]
