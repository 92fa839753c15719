"""Totals of many checkouts in columns, with every figure of their lines. Decisions §3–§6.

The results equal those of ``faregate.totals.pipeline``, to the last cent. Baskets are priced tens of
thousands of lines at a time. The scalar function, equally exact but slower, prices a basket with a sum of
2**31 or more, with a code that limits its units, with several codes that the policy orders per basket, or
with automatic discounts that compete for the same units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.amount_due import vouchers as scalar
from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Cart, Line
from faregate.basket.policy import TotalsPolicy
from faregate.batch.amount_due.vouchers import VoucherColumns, redeemed
from faregate.batch.basket.carts import layout_of
from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.key_order import in_key_order
from faregate.batch.basket.lines import LineColumns
from faregate.batch.basket.terms import Terms
from faregate.batch.columns.offsets import sums_of
from faregate.batch.columns.values import Numbers, whole_numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.discounts.automatic import checked_ids
from faregate.batch.discounts.codes import CodeColumns, CodeResults, every_code
from faregate.batch.discounts.eligibility import counts_first_days, require_local_days
from faregate.batch.discounts.promo_codes import checked_codes
from faregate.batch.money.rounding import round_to_increment
from faregate.batch.tax.rates import RateTable
from faregate.batch.totals.figures import LineTotals, Priced
from faregate.batch.totals.steps import parts_of
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
from faregate.errors import InvalidAmount, InvalidInput
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate


class CheckoutTotals(NamedTuple):
    """Figures of all checkouts, named as in the scalar ``CheckoutTotals``: int64 ``[m]``.

    ``vouchers`` holds the payment by each voucher, int64 ``[v]``. For VAT per rate, call ``vat_breakdown``.
    """

    lines: LineTotals
    promo_codes: CodeResults
    list_price_gross: Numbers
    list_price_net: Numbers
    promo_code_discount: Numbers
    auto_discount_amount: Numbers
    total_discount_gross: Numbers
    total_discount_net: Numbers
    total_subscription_gross: Numbers
    total_subscription_net: Numbers
    donation: Numbers
    total_gross: Numbers
    total_net: Numbers
    vouchers: Numbers
    amount_due: Numbers
    cash_due: Numbers

    def _repr_html_(self) -> str:
        return columns_html(self)


class VatColumns(NamedTuple):
    """VAT of each checkout per rate: ascending rates, int64 ``[r]``, and amounts, int64 ``[r, m]``."""

    rates: Numbers
    net: Numbers
    vat: Numbers
    gross: Numbers

    def _repr_html_(self) -> str:
        return columns_html(self)


_DEFAULT_POLICY = TotalsPolicy()
_NO_CONTEXT = Context()


def checkout_totals(
    lines: LineColumns | Sequence[Line],
    *,
    automatic: Sequence[AutomaticDiscount] = (),
    promo_codes: Sequence[PromoCode | UnknownCode] = (),
    entered: CodeColumns | None = None,
    donation: npt.NDArray[np.integer] | MinorUnits = 0,
    vouchers: VoucherColumns | Sequence[Voucher] = (),
    policy: TotalsPolicy = _DEFAULT_POLICY,
    context: ContextColumns | Context = _NO_CONTEXT,
) -> CheckoutTotals:
    """Price many baskets, or one, as ``faregate.checkout_totals`` does.

    *automatic* discounts apply to every basket. *entered* selects the *promo_codes* of each basket, by
    default all of them. *donation* is int64 ``[m]``, or one amount for every basket. A single basket may be
    passed as lines and vouchers, as to the scalar function; the figures of the checkout are then 0-d arrays.

    >>> from faregate import Line, Percentage, PromoCode, VatRate
    >>> lines = LineColumns(
    ...     offsets=np.array([0, 2, 3]), unit_price=np.array([7900, 1200, 4900]),
    ...     quantity=np.array([2, 1, 1]), rate=np.array([81_000, 81_000, 81_000]),
    ... )
    >>> ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    >>> totals = checkout_totals(lines, promo_codes=[ten])
    >>> totals.total_gross, totals.lines.promo_code_discount
    (array([15300,  4410]), array([1580,  120,  490]))
    >>> one = checkout_totals([Line(1, 7900, 2, VatRate.percent("8.1"))], promo_codes=[ten])
    >>> int(one.total_gross), int(one.total_net)
    (14220, 13154)

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidLines: a line is invalid; the message names the first such line.
        InvalidAmount: a donation is negative, or a figure does not fit int64.
        InvalidDiscount: two codes or two discount ids are the same.
        InvalidVoucher: two vouchers of a basket are the same, or a balance is negative.
        InvalidPeriod: the expiry of a voucher is outside the years 1 to 9999.
        InvalidRate: the rate of a voucher is neither -1 nor valid for ``VatRate``.
        ContextRequired: a condition depends on something that *context* lacks.
    """
    checked_ids(automatic)
    checked_codes(promo_codes)
    rules = Terms(automatic, promo_codes, policy)
    columns = lines if isinstance(lines, LineColumns) else _columns_of(lines, context, rules)
    entered = every_code(len(promo_codes), columns.baskets) if entered is None else entered
    entered.check(columns.baskets, len(promo_codes))
    contexts = context if isinstance(context, ContextColumns) else ContextColumns.of(context)
    contexts.check(columns.baskets)
    require_local_days(contexts, rules)
    priced = Priced.empty(columns, entered)
    ordered, order = in_key_order(columns)
    for part in parts_of(ordered, contexts, policy, priced):
        part.price(rules)
    if order is not None:
        priced = priced.reordered(order)
    totals = _paid(priced, rules, donation, columns, vouchers, contexts)
    return totals if lines is columns else _of_one(totals)


def _columns_of(lines: Sequence[Line], context: ContextColumns | Context, rules: Terms) -> LineColumns:
    """Return the columns of one basket; UTC replaces a missing zone if no rule depends on first days."""
    zone = context.zone if isinstance(context, Context) else None
    return LineColumns.of([lines], zone="UTC" if zone is None and not counts_first_days(rules) else zone)


def _paid(
    priced: Priced,
    rules: Terms,
    donation: npt.NDArray[np.integer] | MinorUnits,
    columns: LineColumns,
    vouchers: VoucherColumns | Sequence[Voucher],
    contexts: ContextColumns,
) -> CheckoutTotals:
    lines, sums, codes = priced
    policy, count = rules.policy, len(sums.list_price_gross)
    given = _donations(donation, count)
    total_gross = _with_donations(sums.total_gross, given)
    due, paid = total_gross.copy(), np.zeros(0, np.int64)
    if vouchers:
        payable = total_gross if policy.vouchers_pay_donation else sums.total_gross
        paid, offsets = _redeemed(vouchers, payable, columns, lines, policy, contexts)
        due = total_gross - sums_of(paid, offsets, np.empty(len(paid) + 1, np.int64))
    cash_due = due.copy() if policy.cash_increment == 1 else round_to_increment(due, policy.cash_increment)
    figures = sums._asdict() | {
        "total_gross": total_gross,
        "total_net": _with_donations(sums.total_net, given),
    }
    return CheckoutTotals(
        lines, codes, donation=given, vouchers=paid, amount_due=due, cash_due=cash_due, **figures
    )


def _redeemed(
    vouchers: VoucherColumns | Sequence[Voucher],
    payable: Numbers,
    columns: LineColumns,
    lines: LineTotals,
    policy: TotalsPolicy,
    contexts: ContextColumns,
) -> tuple[Numbers, Numbers]:
    """Return the payment of each voucher, and the offsets of each basket's vouchers."""
    if not isinstance(vouchers, VoucherColumns):
        if columns.baskets != 1:
            raise InvalidInput(f"vouchers: expected VoucherColumns for {columns.baskets} baskets")
        context, goods = contexts.context(0), None
        if any(voucher.single_purpose is not None for voucher in vouchers):
            own = _in_key_order(columns, lines.total_gross.tolist())
            goods = scalar.Goods(*own, context, policy.single_purpose_rest)
        paid = scalar.redeem(vouchers, int(payable[0]), at=context.at, goods=goods)
        return np.array([own.amount for own in paid], np.int64), np.array([0, len(paid)])
    bought = None if vouchers.rates is None else _goods_by_rate(vat_breakdown(columns, lines), policy)
    return redeemed(vouchers, payable, at=contexts.at, goods=bought)


def _goods_by_rate(vat: VatColumns, policy: TotalsPolicy) -> list[scalar.Goods]:
    """Return each basket's goods as one line for each VAT rate, for vouchers without a scope."""
    rates = [VatRate(parts_per_million=parts) for parts in vat.rates.tolist()]
    cart = Cart.of([Line(key, 0, 1, rate) for key, rate in enumerate(rates)])
    rest = policy.single_purpose_rest
    return [scalar.Goods(cart, gross, _NO_CONTEXT, rest) for gross in vat.gross.T.tolist()]


def _in_key_order(columns: LineColumns, gross: list[int]) -> tuple[Cart, list[int]]:
    """Return the only basket as a cart, and its line totals, *gross*, in the order of the cart's lines."""
    basket = Cart.of(columns.basket(0))
    return basket, gross if basket.order is None else [gross[index] for index in basket.order]


def _donations(donation: npt.NDArray[np.integer] | MinorUnits, count: int) -> Numbers:
    column = whole_numbers("donation", donation)
    if not column.ndim:
        column = np.full(count, column)
    if len(column) != count:
        raise InvalidInput(f"donation: expected int64 [{count}], got int64 {list(column.shape)}")
    if column.min(initial=0) < 0:
        raise InvalidAmount(f"row {int(np.argmax(column < 0))}: the donation is negative")
    return column.copy()


def _with_donations(goods: Numbers, donations: Numbers) -> Numbers:
    """Return *goods* plus *donations*; both are at least 0, so a sum that does not fit int64 is negative."""
    sums: Numbers = goods + donations
    if sums.min(initial=0) < 0:
        row = int(np.argmax(sums < 0))
        raise InvalidAmount(f"row {row}: {goods[row]} plus a donation of {donations[row]} exceeds int64")
    return sums


def _of_one(totals: CheckoutTotals) -> CheckoutTotals:
    """Return the totals of a single checkout, with its figures as 0-d arrays."""
    names = [name for name in CheckoutTotals._fields if name not in {"lines", "promo_codes", "vouchers"}]
    return totals._replace(**{name: getattr(totals, name).reshape(()) for name in names})


def vat_breakdown(lines: LineColumns, totals: LineTotals) -> VatColumns:
    """Return each checkout's VAT per rate, summed over the lines with that rate.

    >>> lines = LineColumns(
    ...     offsets=np.array([0, 2]), unit_price=np.array([10810, 10260]),
    ...     quantity=np.array([1, 1]), rate=np.array([81_000, 26_000]),
    ... )
    >>> vat_breakdown(lines, checkout_totals(lines).lines).vat.tolist()
    [[260], [810]]
    """
    rates = RateTable.of(lines.rate)
    index = rates.index(lines.rate)
    cells = (index * lines.baskets + layout_of(lines).baskets).reshape(-1)
    net, gross = (np.zeros((len(rates.rates), lines.baskets), np.int64) for _ in range(2))
    np.add.at(net.reshape(-1), cells, totals.total_net.reshape(-1))
    np.add.at(gross.reshape(-1), cells, totals.total_gross.reshape(-1))
    return VatColumns(rates.rates, net, gross - net, gross)
