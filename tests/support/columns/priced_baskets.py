"""Many baskets under one set of rules, as columns and as requests of the scalar function."""

from dataclasses import replace
from datetime import UTC
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.batch.amount_due.vouchers import VoucherColumns
from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import NONE, LineColumns
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.discounts.eligibility import REASONS, VALID
from faregate.batch.totals.pipeline import CheckoutTotals as ColumnTotals
from faregate.batch.totals.pipeline import checkout_totals, vat_breakdown
from faregate.discounts.automatic import AppliedAutomatic
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidAmount
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.pipeline import checkout_totals as price_one
from support.baskets.strategies import (
    GROUPS,
    ZURICH,
    automatic_discounts,
    baskets,
    contexts,
    entered_codes,
    every_policy,
    rarely,
    scales,
    upto,
    vouchers,
)
from support.columns.lines import FIGURES, LINE_FIGURES
from support.columns.numbers import MOST

Rule = TypeVar("Rule", bound=AutomaticDiscount | PromoCode | UnknownCode)


def at_any_time(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the same rules without times of day, which columns and frames refuse."""
    return tuple(
        rule
        if isinstance(rule, UnknownCode)
        else replace(rule, conditions=replace(rule.conditions, time_of_day=None))
        for rule in rules
    )


class Baskets(NamedTuple):
    """The inputs of the column function, with a tuple per basket."""

    lines: tuple[tuple[Line, ...], ...]
    automatic: tuple[AutomaticDiscount, ...]
    promo_codes: tuple[PromoCode | UnknownCode, ...]
    entered: tuple[tuple[int, ...], ...]
    """Indexes of the promo codes that each basket entered."""
    donations: tuple[int, ...]
    vouchers: tuple[tuple[Voucher, ...], ...]
    policy: TotalsPolicy
    contexts: tuple[Context, ...]

    def scalar(self, index: int) -> CheckoutTotals:
        """Return the scalar totals of one basket."""
        return price_one(
            self.lines[index],
            automatic=self.automatic,
            promo_codes=[self.promo_codes[place] for place in self.entered[index]],
            donation=self.donations[index],
            vouchers=self.vouchers[index],
            policy=self.policy,
            context=self.contexts[index],
        )

    def columns(self, lines: LineColumns | None = None) -> ColumnTotals:
        """Return the column totals of all baskets."""
        return checkout_totals(
            LineColumns.of(self.lines, zone=ZURICH) if lines is None else lines,
            automatic=self.automatic,
            promo_codes=self.promo_codes,
            entered=CodeColumns(
                offsets=_offsets(self.entered),
                codes=np.array([place for own in self.entered for place in own], np.int64),
            ),
            donation=np.array(self.donations, np.int64),
            vouchers=self._voucher_columns(),
            policy=self.policy,
            context=self._context_columns(),
        )

    def _voucher_columns(self) -> VoucherColumns:
        every = [voucher for own in self.vouchers for voucher in own]
        expiries = [own.expires_at and own.expires_at.astimezone(UTC).replace(tzinfo=None) for own in every]
        ranks = {code: rank for rank, code in enumerate(sorted({voucher.code for voucher in every}))}
        return VoucherColumns(
            np.array([voucher.balance for voucher in every], np.int64),
            _offsets(self.vouchers),
            np.array(expiries, "datetime64[us]"),
            np.array([ranks[voucher.code] for voucher in every], np.int64),
            np.array(
                [-1 if own.single_purpose is None else own.single_purpose.parts_per_million for own in every],
                np.int64,
            ),
        )

    def _context_columns(self) -> ContextColumns:
        return ContextColumns(
            at=np.array([_at(own).astimezone(UTC).replace(tzinfo=None) for own in self.contexts], "M8[us]"),
            ordered_on=np.array([_at(own).date() for own in self.contexts], "M8[D]"),
            channel=np.array([own.channel for own in self.contexts], "U"),
            account=np.array(
                [NONE if own.account is None else own.account for own in self.contexts], np.int64
            ),
            customer_groups={
                group: np.array([group in own.customer_groups for own in self.contexts], bool)
                for group in GROUPS
            },
        )


def _at(context: Context) -> Any:
    return context.at


def _offsets(lists: tuple[tuple[Any, ...], ...]) -> Any:
    return np.cumsum([0, *map(len, lists)])


# The limits of exact floats, of sums below 2**31, and of products in int64.
_LARGE = (1, 10**5, 10**7, 2**31 - 1, 2**31, 2**33, 2**53 + 1, 2**61)


@st.composite
def enlarged(draw: st.DrawFn, basket: tuple[Line, ...]) -> tuple[Line, ...]:
    """Draw *basket* with one price or quantity far above the others."""
    if not basket:
        return basket
    place = draw(st.integers(0, len(basket) - 1))
    line, size = basket[place], draw(st.sampled_from(_LARGE))
    if draw(st.booleans()) and size < 2**40:
        line = line._replace(quantity=size, unit_price=min(line.unit_price, 3), floor_price=0)
    else:
        line = line._replace(unit_price=size, quantity=min(line.quantity, 3))
    line = line._replace(recurring_price=None)
    return (*basket[:place], line, *basket[place + 1 :])


@st.composite
def priced_baskets(
    draw: st.DrawFn, *, most_lines: int = 12, sizes: st.SearchStrategy[int] | None = None
) -> Baskets:
    """Draw up to nine baskets, of *sizes* lines if given."""
    scale = draw(scales)
    count = draw(st.sampled_from([1, 2, 3, 5, 9, 0]))
    least, most = (0, most_lines) if sizes is None else (size := draw(sizes), size)
    lines = [draw(baskets(scale=scale, min_lines=least, max_lines=most)) for _ in range(count)]
    lines = [draw(rarely(enlarged(basket), basket, one_in=6)) for basket in lines]
    codes = at_any_time(draw(entered_codes(scale)))
    every = tuple(range(len(codes)))
    return Baskets(
        tuple(lines),
        at_any_time(draw(automatic_discounts(scale))),
        codes,
        tuple(draw(rarely(_some_of(every), every, one_in=2)) for _ in lines),
        tuple(draw(rarely(upto(scale), 0)) for _ in lines),
        tuple(draw(vouchers(scale, max_size=3)) for _ in lines),
        draw(every_policy),
        tuple(draw(contexts) for _ in lines),
    )


@st.composite
def _some_of(draw: st.DrawFn, every: tuple[int, ...]) -> tuple[int, ...]:
    order = draw(st.permutations(every))
    return tuple(order[: draw(upto(len(every)))])


Told: TypeAlias = "list[dict[str, Any]] | str"
"""All compared values of each basket, or the first row with a figure out of range."""


def told_by_scalar(asked: Baskets) -> Told:
    """Return the values of the scalar function, whose figures are unbounded."""
    told = [_of_scalar(asked.scalar(index), asked) for index in range(len(asked.lines))]
    for row, own in enumerate(told):
        if max([own["list_price_gross"], *(line[0] for line in own["lines"])]) > MOST:
            return f"row {row}"
    return told


def _of_scalar(totals: CheckoutTotals, asked: Baskets) -> dict[str, Any]:
    places = {discount.id: place for place, discount in enumerate(asked.automatic)}
    assert all(isinstance(applied, AppliedAutomatic) for applied in totals.auto_discounts)
    return {
        "lines": [
            [
                *(getattr(row, name) for name in LINE_FIGURES),
                -1 if row.auto_discount is None else places[row.auto_discount.id],
            ]
            for row in totals.lines
        ],
        "codes": [
            (code.total_amount, code.unapplied, None)
            if isinstance(code, AppliedCode)
            else (0, 0, code.reason)
            for code in totals.promo_codes
        ],
        "vouchers": [redemption.amount for redemption in totals.vouchers],
        "vat": [(row.rate.parts_per_million, row.net, row.vat, row.gross) for row in totals.vat_breakdown],
        **{name: getattr(totals, name) for name in FIGURES},
    }


def told_by_columns(asked: Baskets, lines: LineColumns | None = None) -> Told:
    """Return the values of the column function; *lines* for another layout than flat."""
    columns = LineColumns.of(asked.lines, zone=ZURICH) if lines is None else lines
    try:
        found = asked.columns(columns)
    except InvalidAmount as refused:
        return str(refused).partition(":")[0]
    vat = vat_breakdown(columns, found.lines)
    return [_of_columns(found, vat, asked, columns, index) for index in range(len(asked.lines))]


def _of_columns(
    found: ColumnTotals, vat: Any, asked: Baskets, columns: LineColumns, index: int
) -> dict[str, Any]:
    own = columns.index_of(index)
    entries, paid = _own(asked.entered, index), _own(asked.vouchers, index)
    names = (*LINE_FIGURES, "auto_discount")
    line_columns = [getattr(found.lines, name)[own].tolist() for name in names]
    results = found.promo_codes
    rates = {line.rate.parts_per_million for line in asked.lines[index]}
    return {
        "lines": [list(row) for row in zip(*line_columns, strict=True)],
        "codes": [
            (amount, unapplied, None if reason == VALID else REASONS[reason])
            for amount, unapplied, reason in zip(
                *(column[entries].tolist() for column in results[1:]), strict=True
            )
        ],
        "vouchers": found.vouchers[paid].tolist(),
        "vat": [
            (rate, int(vat.net[place, index]), int(vat.vat[place, index]), int(vat.gross[place, index]))
            for place, rate in enumerate(vat.rates.tolist())
            if rate in rates
        ],
        **{name: int(getattr(found, name)[index]) for name in FIGURES},
    }


def _own(lists: tuple[tuple[Any, ...], ...], index: int) -> slice:
    start = sum(map(len, lists[:index]))
    return slice(start, start + len(lists[index]))
