"""Division of a refund among the means of payment. Decisions §20."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from faregate.amount_due.vouchers import Goods, Redemption, redemption_order
from faregate.basket.lines import Cart
from faregate.money.allocation import allocate
from faregate.money.amounts import MinorUnits
from faregate.refunds.history import History
from faregate.refunds.orders import PaidOrder, Payment
from faregate.refunds.policy import PayoutOrder
from faregate.tax.rates import VatAmount, VatRate, net_from_gross
from faregate.totals.pipeline import CheckoutTotals


class Payouts(NamedTuple):
    """Amounts paid back with each means of payment, and the tax of the single-purpose vouchers among them."""

    payments: tuple[Payment, ...]
    vouchers: tuple[Payment, ...]
    prepaid: tuple[VatAmount, ...]


def pay_out(
    order: PaidOrder,
    history: History,
    refunds: Mapping[int, MinorUnits],
    donation: MinorUnits,
    by: PayoutOrder,
) -> Payouts:
    """Divide the *refunds* of the lines and of the donation among the means of payment.

    What a single-purpose voucher paid for a line goes back to this voucher, and the rest to other means.
    """
    redeemed = sorted(
        [paid for paid in order.totals.vouchers if paid.amount],
        key=lambda paid: redemption_order(paid.voucher),
    )
    single = [paid for paid in redeemed if paid.voucher.single_purpose is not None]
    vouchers = _to_single_purpose(order.totals, single, history, refunds) if single else Counter[str]()
    prepaid = _prepaid(single, history.vouchers, vouchers)
    cards = {pay.name: pay.amount - history.payments[pay.name] for pay in order.payments}
    # In reverse order, the balances that last longest come back first.
    balances = {
        paid.voucher.code: paid.amount - history.vouchers[paid.voucher.code]
        for paid in reversed(redeemed)
        if paid.voucher.single_purpose is None
    }
    to_cards, to_vouchers = _divided(sum(refunds.values()) + donation - vouchers.total(), cards, balances, by)
    return Payouts(_rows(to_cards), _rows(vouchers + Counter(to_vouchers)), prepaid)


def _rows(amounts: Mapping[str, MinorUnits]) -> tuple[Payment, ...]:
    return tuple([Payment(name=name, amount=amount) for name, amount in amounts.items() if amount])


def _divided(
    amount: MinorUnits, cards: Mapping[str, MinorUnits], balances: Mapping[str, MinorUnits], by: PayoutOrder
) -> tuple[dict[str, MinorUnits], dict[str, MinorUnits]]:
    """Divide *amount* among payments and vouchers, which get back at most their own amounts."""
    limits = [*cards.values(), *balances.values()]
    if by is PayoutOrder.PROPORTIONAL:
        shares = allocate(amount, limits)
    elif by is PayoutOrder.PAYMENTS_FIRST:
        shares = _in_turn(amount, limits)
    else:
        shares = _in_turn(amount, limits[len(cards) :] + limits[: len(cards)])
        shares = shares[len(balances) :] + shares[: len(balances)]
    return dict(zip(cards, shares, strict=False)), dict(zip(balances, shares[len(cards) :], strict=True))


def _in_turn(amount: MinorUnits, limits: Sequence[MinorUnits]) -> tuple[MinorUnits, ...]:
    """Fill one limit after the other."""
    filled = []
    for limit in limits:
        filled.append(min(amount, limit))
        amount -= filled[-1]
    return tuple(filled)


def _to_single_purpose(
    totals: CheckoutTotals, single: Iterable[Redemption], history: History, refunds: Mapping[int, MinorUnits]
) -> Counter[str]:
    """Return the amount of *refunds* that goes back to each single-purpose voucher."""
    left = history.refunds + Counter(refunds)
    back = Counter[str]()
    for code, by_line in _paid_for(totals, single).items():
        for key, amount in by_line.items():
            taken = min(amount, left[key])
            left[key] -= taken
            back[code] += taken
    return back - history.vouchers


def _paid_for(totals: CheckoutTotals, single: Iterable[Redemption]) -> dict[str, dict[int, MinorUnits]]:
    """Return the amount that each single-purpose voucher paid for each line, as in ``redeem``."""
    request = totals.request
    cart, gross = Cart.of(request.lines), {line.key: line.total_gross for line in totals.lines}
    left = [gross[key] for key in cart.keys]
    goods = Goods(cart, tuple(left), request.context)
    paid: dict[str, dict[int, MinorUnits]] = {}
    for redemption in single:
        rate, rest = redemption.voucher.single_purpose, redemption.amount
        by_line = paid[redemption.voucher.code] = {}
        for index in goods.payable(rate, redemption.voucher.scope) if rate else ():
            taken = min(left[index], rest)
            left[index] -= taken
            rest -= taken
            by_line[cart.keys[index]] = taken
    return paid


def _prepaid(single: Iterable[Redemption], before: Counter[str], back: Counter[str]) -> tuple[VatAmount, ...]:
    """Return the amounts given *back* per rate, with the tax that their redemption had declared."""
    rows: dict[VatRate, VatAmount] = {}
    for redemption in single:
        voucher, rate = redemption.voucher, redemption.voucher.single_purpose
        gross = back[voucher.code]
        if rate is None or not gross:
            continue
        spent = voucher.redeemed + redemption.amount - before[voucher.code]
        net = net_from_gross(spent, rate) - net_from_gross(spent - gross, rate)
        row = rows.get(rate, VatAmount(rate, 0, 0, 0))
        rows[rate] = VatAmount(rate, row.net + net, row.vat + gross - net, row.gross + gross)
    return tuple([rows[rate] for rate in sorted(rows)])
