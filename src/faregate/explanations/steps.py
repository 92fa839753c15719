"""The steps that explain a priced checkout, computed with the functions that priced it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import sub
from typing import NamedTuple

from faregate.basket.lines import Cart, Line
from faregate.basket.policy import PriceBasis, Stacking
from faregate.discounts.automatic import automatic_candidates, of_items
from faregate.discounts.automatic_choice import unit_groups
from faregate.discounts.eligibility import REASONS, selected
from faregate.discounts.kinds import AutomaticDiscount, Bundle, DiscountLevel, Percentage, PromoCode
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidLines
from faregate.explanations.descriptions import describe_kind, effect, how_many
from faregate.money.allocation import allocate_in_turn, split_evenly
from faregate.money.amounts import MILLION, MinorUnits, format_amount, format_percent
from faregate.money.currency import Currency
from faregate.tax.rates import VatLevel, VatRate
from faregate.totals.items import WITHOUT_PARTS, has_parts, item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals, subscription_amounts
from faregate.trace import Step, StepKind


class PassedOver(NamedTuple):
    """An automatic discount that applied but was best on no line, and what it would take off on its own."""

    discount: AutomaticDiscount
    would_take: MinorUnits


class _Part(NamedTuple):
    """A part of the discount on a line; ``figure`` names the line total that includes it."""

    figure: str
    rule: StepKind
    source: str
    amount: MinorUnits
    note: str


class _Shared(NamedTuple):
    """A line's share of ``total``, rounded down; ``whole`` is the sum of the prices that share it."""

    floor: MinorUnits
    total: MinorUnits
    price: MinorUnits
    whole: MinorUnits


class Replay:
    """Replays the pricing of a checkout to yield its steps, line by line in ascending order of key.

    Raises:
        InvalidLines: the totals have other lines than their request, as after ``with_parts``.
    """

    def __init__(
        self,
        totals: CheckoutTotals,
        currency: Currency | None,
        name: Callable[[AutomaticDiscount | PromoCode], str],
    ) -> None:
        if has_parts(totals):
            raise InvalidLines(WITHOUT_PARTS)
        self.totals = totals
        self.currency = currency
        self.name = name
        self.request = totals.request
        self.columns = Cart.of(self.request.lines)
        self.rows: dict[int, LineTotals] = {row.key: row for row in totals.lines}
        in_net = self.request.policy.price_basis is PriceBasis.NET
        self.basis, self.other = ("net", "gross") if in_net else ("gross", "net")
        self.codes = sorted(
            (result for result in totals.promo_codes if isinstance(result, AppliedCode)),
            key=lambda result: result.position,
        )

    def steps(self) -> Iterator[Step]:
        """Yield the steps of every line, then those of the checkout."""
        parts = self._discount_parts()
        for line in self.columns.lines:
            yield from self._line_in_basis(line, parts[line.key])
            yield from self._line_on_other_side(self.rows[line.key])
        yield from self.checkout_steps()

    def checkout_steps(self) -> Iterator[Step]:
        """Yield the steps of the checkout itself."""
        yield from self._checkout_in_basis()
        yield from self._checkout_on_other_side()
        yield from self._subscription()
        yield from self._payment()

    def item_steps(self, members: Sequence[Sequence[int]]) -> Iterator[Step]:
        """Yield the steps of every item; an item is explained as a line of one unit."""
        rows = {row.key: row for row in item_totals(self.totals, members)}
        parts = self._discount_parts()
        for index, (line, ids) in enumerate(zip(self.request.lines, members, strict=True)):
            shared = [parts[line.key]] if len(ids) == 1 else self._shared_out(index)
            for item_id, of_item in zip(sorted(ids), shared, strict=True):
                yield from self._line_in_basis(line._replace(key=item_id, quantity=1), of_item)
                yield from self._line_on_other_side(rows[item_id])

    def _shared_out(self, index: int) -> list[list[_Part]]:
        """Return, for each item of the line at *index*, the parts of the discounts that it received."""
        row = self.totals.lines[index]
        price = self.request.lines[index].unit_price
        winners = of_items(row.auto_discounts, row.quantity)
        after_auto = [price if winner is None else price - winner.amount for winner in winners]
        by_code, _ = allocate_in_turn([code.shares[index] for code in self.codes], after_auto)
        parts: list[list[_Part]] = [[] for _ in range(row.quantity)]
        first = 0
        for discount, units, amount in row.auto_discounts:
            self._hand_out(parts[first : first + units], discount, split_evenly(amount, units))
            first += units
        for code, taken in zip(self.codes, by_code, strict=True):
            self._hand_out(parts, code.promo_code, taken)
        return parts

    def _hand_out(
        self, parts: list[list[_Part]], discount: AutomaticDiscount | PromoCode, taken: Sequence[MinorUnits]
    ) -> None:
        kind = effect(discount, currency=self.currency)
        note = f"{kind}: {self._text(sum(taken))} over {len(taken)} items"
        for of_item, share in zip(parts, taken, strict=True):
            if share:
                of_item.append(_Part(*_counted(discount), self.name(discount), share, note))

    def passed_over(self) -> Iterator[PassedOver]:
        """Yield the automatic discounts that applied but were best on no line."""
        request = self.request
        winners = {applied.discount.id for applied in self.totals.auto_discounts}
        for discount, (shares, _) in automatic_candidates(
            self.columns, request.automatic, request.context, request.policy
        ):
            if discount.id not in winners:
                yield PassedOver(discount, sum(shares))

    def _discount_parts(self) -> dict[int, list[_Part]]:
        """Return the parts of all discounts, keyed by line key, in the order in which they were applied."""
        parts: dict[int, list[_Part]] = {key: [] for key in self.columns.keys}
        left = after_auto = self.columns.list_prices
        for automatic in self.totals.auto_discounts:
            shares = self._by_key(automatic.shares)
            self._split(parts, automatic.discount, left, shares)
            after_auto = list(map(sub, after_auto, shares))
        left = after_auto
        for code in self.codes:
            additive = self.request.policy.stacking is Stacking.ADDITIVE
            of = after_auto if additive and isinstance(code.promo_code.kind, Percentage) else left
            shares = self._by_key(code.shares)
            self._split(parts, code.promo_code, of, shares)
            left = list(map(sub, left, shares))
        return parts

    def _by_key(self, shares: Sequence[MinorUnits]) -> list[MinorUnits]:
        by_key = dict(zip([line.key for line in self.request.lines], shares, strict=True))
        return [by_key[key] for key in self.columns.keys]

    def _split(
        self,
        parts: dict[int, list[_Part]],
        discount: AutomaticDiscount | PromoCode,
        prices: Sequence[MinorUnits],
        shares: Sequence[MinorUnits],
    ) -> None:
        """Add *discount* to *parts*: each line's share and, separately, any extra minor unit."""
        source = self.name(discount)
        figure, rule = _counted(discount)
        for key, share, shared in zip(
            self.columns.keys, shares, self._shared(discount, prices, shares), strict=True
        ):
            floor = share if shared is None else shared.floor
            if floor:
                note = effect(discount, currency=self.currency)
                if shared is not None and shared.whole != shared.price:  # one line gets all of it
                    total, whole = self._text(shared.total), self._text(shared.whole)
                    note = f"{note}: {total} x {self._text(shared.price)} / {whole}"
                parts[key].append(_Part(figure, rule, source, floor, note))
            if share > floor:
                parts[key].append(_Part(figure, StepKind.LARGEST_REMAINDER, source, share - floor, _ODD_UNIT))

    def _shared(
        self,
        discount: AutomaticDiscount | PromoCode,
        prices: Sequence[MinorUnits],
        shares: Sequence[MinorUnits],
    ) -> Sequence[_Shared | None]:
        """Return each line's share in proportion to its price; all None if *shares* are split otherwise."""
        weights = self._weights(discount, prices)
        total, whole = sum(shares), sum(weights.values())
        told: list[_Shared | None] = [_Shared(0, total, 0, whole)] * len(shares)
        for index, price in weights.items():
            told[index] = _Shared(total * price // whole, total, price, whole)
        # If floor prices make a share differ by more than the odd unit, the share becomes a single part.
        odd = all(0 <= share - part.floor <= 1 for share, part in zip(shares, told, strict=True) if part)
        return told if weights and odd else [None] * len(shares)

    def _weights(
        self, discount: AutomaticDiscount | PromoCode, prices: Sequence[MinorUnits]
    ) -> dict[int, MinorUnits]:
        """Return the prices by which lines share *discount*; none if it has its own amount on each line."""
        if isinstance(discount.kind, Bundle):
            return {} if isinstance(discount, PromoCode) else self._in_bundles(discount)
        if getattr(discount.kind, "level", DiscountLevel.LINE) is DiscountLevel.LINE or how_many(discount):
            return {}
        scope = selected(discount.scope, self.columns, self.columns.discountable, self.request.context)
        return {index: prices[index] for index in scope}

    def _in_bundles(self, discount: AutomaticDiscount) -> dict[int, MinorUnits]:
        """Return the price of the units in bundles; none if not all of these units are known."""
        units = {
            index: own.units
            for index, key in enumerate(self.columns.keys)
            for own in self.rows[key].auto_discounts
            if own.discount == discount
        }
        groups = unit_groups(discount, self.request.policy)
        if not isinstance(groups, Bundle) or sum(units.values()) % groups.group_size:
            return {}
        return {index: self.columns.lines[index].unit_price * count for index, count in units.items()}

    def _text(self, amount: MinorUnits) -> str:
        return format_amount(amount, self.currency)

    def _line_in_basis(self, line: Line, parts: Sequence[_Part]) -> Iterator[Step]:
        key, total = line.key, f"total_{self.basis}"
        for figure in (f"list_price_{self.basis}", total):
            yield from self._list_price(line, figure)
        for figure, rule, source, amount, note in parts:
            yield Step(figure, key, rule, source, amount, note)
            yield Step(f"total_discount_{self.basis}", key, rule, source, amount, note)
            yield Step(total, key, rule, source, -amount, note)

    def _list_price(self, line: Line, figure: str) -> Iterator[Step]:
        price, quantity = line.unit_price, line.quantity
        whole = price if line.recurring_price is None else line.recurring_price
        yield Step(
            figure, line.key, StepKind.LIST_PRICE, "", whole * quantity, f"{quantity} x {self._text(whole)}"
        )
        if price != whole:
            note = f"{quantity} x {self._text(price)} for the first period"
            yield Step(figure, line.key, StepKind.FIRST_PERIOD, "", (price - whole) * quantity, note)

    def _line_on_other_side(self, row: LineTotals) -> Iterator[Step]:
        for name in ("total", "total_discount"):
            figure = f"{name}_{self.other}"
            yield from self._converted(row, f"{name}_{self.basis}", figure)
            amount = self._figure(row, figure)
            yield Step(f"list_price_{self.other}", row.key, StepKind.CARRIED, figure, amount)

    def _converted(self, row: LineTotals, figure: str, other: str) -> Iterator[Step]:
        """Yield the steps from *figure* to *other*: the tax, and any extra minor unit for the line."""
        amount, converted = self._figure(row, figure), self._figure(row, other)
        yield Step(other, row.key, StepKind.CARRIED, figure, amount)
        exact = converted
        if self.request.policy.vat_level is VatLevel.RATE:
            taxed = MILLION + row.rate.parts_per_million
            exact = amount * taxed // MILLION if self.basis == "net" else amount * MILLION // taxed
        if exact != amount:
            side = (
                "" if self.request.policy.vat_level is not VatLevel.RATE else f", {self.other} rounded down"
            )
            note = f"{self._vat_of(row.rate, amount)}{side}"
            yield Step(other, row.key, StepKind.VAT, str(row.rate), exact - amount, note)
        if converted != exact:
            note = f"odd unit of the {self.other} at that rate"
            yield Step(other, row.key, StepKind.GIVE_BACK, str(row.rate), converted - exact, note)

    def _checkout_in_basis(self) -> Iterator[Step]:
        totals, total = self.totals, f"total_{self.basis}"
        yield from self._per_line(f"list_price_{self.basis}")
        list_price = self._figure(totals, f"list_price_{self.basis}")
        yield Step(total, None, StepKind.CARRIED, f"list_price_{self.basis}", list_price)
        for figure, rule, source, amount, note in self._discounts():
            yield Step(figure, None, rule, source, amount, note)
            yield Step(f"total_discount_{self.basis}", None, rule, source, amount, note)
            yield Step(total, None, rule, source, -amount, note)
        if totals.donation:
            for figure in ("donation", total):
                yield Step(figure, None, StepKind.DONATION, "", totals.donation)

    def _discounts(self) -> Iterator[_Part]:
        for discount, amount, _, _ in self.totals.auto_discounts:
            note = describe_kind(discount.kind, currency=self.currency)
            source = self.name(discount)
            yield _Part("auto_discount_amount", StepKind.AUTOMATIC_DISCOUNT, source, amount, note)
        for code in self.codes:
            kind = describe_kind(code.promo_code.kind, currency=self.currency)
            note = f"{kind}{how_many(code.promo_code)}"
            source = self.name(code.promo_code)
            yield _Part("promo_code_discount", StepKind.PROMO_CODE, source, code.total_amount, note)

    def _checkout_on_other_side(self) -> Iterator[Step]:
        yield from self._per_line(f"list_price_{self.other}")
        yield from self._per_line(f"total_discount_{self.other}")
        total, sign = f"total_{self.other}", 1 if self.basis == "net" else -1
        in_basis = self._figure(self.totals, f"total_{self.basis}")
        yield Step(total, None, StepKind.CARRIED, f"total_{self.basis}", in_basis)
        for row in self.totals.vat_breakdown:
            note = self._vat_of(row.rate, row.net if self.basis == "net" else row.gross)
            yield Step(total, None, StepKind.VAT, str(row.rate), sign * row.vat, note)

    def _subscription(self) -> Iterator[Step]:
        columns = self.columns
        after_auto = list(columns.list_prices)
        for automatic in self.totals.auto_discounts:
            after_auto = list(map(sub, after_auto, self._by_key(automatic.shares)))
        rows = [self.rows[key] for key in columns.keys]
        amounts = subscription_amounts(columns, rows, after_auto, self.request)
        note = f"{self.request.policy.subscription_basis.value.replace('_', ' ')} of a subscription"
        for index, (gross, net) in zip(columns.subscriptions, amounts, strict=True):
            source = f"line {columns.keys[index]}"
            yield Step("total_subscription_gross", None, StepKind.CARRIED, source, gross, note)
            yield Step("total_subscription_net", None, StepKind.CARRIED, source, net, note)

    def _payment(self) -> Iterator[Step]:
        totals = self.totals
        yield Step("amount_due", None, StepKind.CARRIED, "total_gross", totals.total_gross)
        for paid in totals.vouchers:
            note = REASONS[paid.reason] if paid.reason else ""
            yield Step("amount_due", None, StepKind.VOUCHER, paid.voucher.code, -paid.amount, note)
        yield Step("cash_due", None, StepKind.CARRIED, "amount_due", totals.amount_due)
        if totals.cash_rounding:
            note = f"to the nearest {self._text(self.request.policy.cash_increment)}"
            yield Step("cash_due", None, StepKind.CASH_ROUNDING, "", totals.cash_rounding, note)

    def _vat_of(self, rate: VatRate, amount: MinorUnits) -> str:
        """Return the tax computation as text; *amount* is net or gross, according to the price basis."""
        percent = format_percent(rate.parts_per_million)
        if self.basis == "net":
            return f"{percent} % of {self._text(amount)}"
        return f"{percent}/{format_percent(MILLION + rate.parts_per_million)} of {self._text(amount)}"

    def _per_line(self, figure: str) -> Iterator[Step]:
        for key in self.columns.keys:
            amount = self._figure(self.rows[key], figure)
            yield Step(figure, None, StepKind.CARRIED, f"line {key}", amount)

    @staticmethod
    def _figure(of: LineTotals | CheckoutTotals, name: str) -> MinorUnits:
        amount: MinorUnits = getattr(of, name)
        return amount


def _counted(discount: AutomaticDiscount | PromoCode) -> tuple[str, StepKind]:
    """Return the name of the line total that includes *discount*, and the kind of its step."""
    if isinstance(discount, PromoCode):
        return "promo_code_discount", StepKind.PROMO_CODE
    return "auto_discount_amount", StepKind.AUTOMATIC_DISCOUNT


_ODD_UNIT = "odd unit of the share"
