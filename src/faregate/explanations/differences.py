"""Differences of two explanations: the rules that changed a price, and by how much. Decisions §21."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import require
from faregate.basket.policy import PriceBasis
from faregate.errors import CurrencyMismatch, InvalidInput
from faregate.explanations.explanation import Explanation
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.trace import Step, StepKind, Trace


@public_value
class StepDifference(NamedTuple):
    """The amount that a rule adds to a figure in the old and in the new price; 0 where it does not apply.

    ``line`` is the key of a line, or None for steps of the whole basket. ``source`` tells apart rules of the
    same kind, as in ``Step``.
    """

    figure: str
    line: int | None
    rule: StepKind
    source: str
    old: MinorUnits
    new: MinorUnits

    @property
    def delta(self) -> MinorUnits:
        """New amount less old amount."""
        return self.new - self.old


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference of two explanations, step by step.

    The rows of a figure add up to the figure: their old amounts to the old figure, their new amounts to the
    new figure. This holds for the rows of one line and for all rows together. Rows that did not change are
    included. ``total_vat`` is ``total_gross`` less ``total_net``.
    """

    rows: tuple[StepDifference, ...]
    currency: Currency | None = None

    def of(self, figure: str, *, line: int | None = None) -> tuple[StepDifference, ...]:
        """Return the rows of *figure* for one line or, if *line* is None, for the whole basket."""
        return tuple([row for row in self.rows if row.figure == figure and line in (None, row.line)])

    def changes(self, figure: str, *, line: int | None = None) -> tuple[StepDifference, ...]:
        """Return the rows of *figure* that have a delta."""
        return tuple([row for row in self.of(figure, line=line) if row.delta])

    def delta(self, figure: str, *, line: int | None = None) -> MinorUnits:
        """Return the change of *figure* from the old to the new price."""
        return sum([row.delta for row in self.of(figure, line=line)])

    def by_rule(self, figure: str) -> tuple[StepDifference, ...]:
        """Return the rows of *figure*, with the amounts of all lines added up for each rule."""
        old = [Step(figure, None, row.rule, row.source, row.old) for row in self.of(figure)]
        new = [Step(figure, None, row.rule, row.source, row.new) for row in self.of(figure)]
        return _matched(old, new)


def difference(old: Explanation | Trace, new: Explanation | Trace) -> Difference:
    """Compare two explanations, or two traces of the same kind of price, step by step.

    Lines are matched by key, rules by kind and source. Extra units from allocation count towards the
    discount or tax that they belong to.

    >>> from faregate import Line, Percentage, PromoCode, VatRate, checkout_totals, explain
    >>> line = Line(1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"))
    >>> ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    >>> tuesday = explain(checkout_totals([line], promo_codes=[ten]))
    >>> sunday = explain(checkout_totals([line._replace(unit_price=8900)], promo_codes=[ten]))
    >>> found = difference(tuesday, sunday)
    >>> for row in found.changes("total_gross"):
    ...     print(row.rule.value, row.source, row.old, row.new, row.delta)
    list_price  15800 17800 2000
    promo_code TEN -1580 -1780 -200
    >>> found.delta("total_gross"), found.delta("total_vat")
    (1800, 134)

    Raises:
        CurrencyMismatch: the amounts are in different currencies.
        InvalidInput: an argument is neither an explanation nor a trace.
    """
    require(Explanation | Trace, old, "old", InvalidInput)
    require(Explanation | Trace, new, "new", InvalidInput)
    currency = _common(_trace(old).currency, _trace(new).currency)
    return Difference(rows=_matched(_steps(old), _steps(new)), currency=currency)


def _trace(explained: Explanation | Trace) -> Trace:
    return explained.trace if isinstance(explained, Explanation) else explained


def _common(old: Currency | None, new: Currency | None) -> Currency | None:
    """Return the currency of both amounts; None is an unknown currency, which matches any other."""
    if old and new and old.code != new.code:
        raise CurrencyMismatch(expected=old.code, actual=new.code)
    return new or old


def _matched(old: Iterable[Step], new: Iterable[Step]) -> tuple[StepDifference, ...]:
    """Add up the steps of both sides by figure, line, rule and source, and pair the sums."""
    before, after = _sums(old), _sums(new)
    rows = [StepDifference(*key, before.get(key, 0), after.get(key, 0)) for key in {**before, **after}]
    return tuple(sorted(rows, key=_order))


def _sums(steps: Iterable[Step]) -> dict[tuple[str, int | None, StepKind, str], MinorUnits]:
    sums: dict[tuple[str, int | None, StepKind, str], MinorUnits] = {}
    for figure, line, rule, source, amount, _ in steps:
        key = figure, line, rule, source
        sums[key] = sums.get(key, 0) + amount
    return sums


_RULES = {rule: position for position, rule in enumerate(StepKind)}


def _order(row: StepDifference) -> tuple[str, bool, int, int, str]:
    """Return a sort key that is the same in both directions; steps of the whole basket come last."""
    return row.figure, row.line is None, row.line or 0, _RULES[row.rule], row.source


def _steps(explained: Explanation | Trace) -> Iterable[Step]:
    return explained if isinstance(explained, Trace) else _attributed(explained)


def _attributed(explained: Explanation) -> Iterator[Step]:
    """Yield the steps behind each figure of the basket, each for the line it belongs to."""
    trace = explained.trace
    in_net = explained.totals.request.policy.price_basis is PriceBasis.NET
    basis, other = ("net", "gross") if in_net else ("gross", "net")
    for line in explained.totals.lines:
        parts = _line_parts(trace, line.key, basis=basis, other=other)
        vat = _rules(trace, f"total_{other}", line.key, StepKind.VAT)
        parts["total_vat"] = vat if in_net else _negated(vat)
        parts["amount_due"] = parts["cash_due"] = parts["total_gross"]
        yield from _assigned(parts)
    yield from _assigned(_basket_parts(trace))


def _assigned(parts: dict[str, list[Step]]) -> Iterator[Step]:
    for figure, steps in parts.items():
        for step in steps:
            yield step._replace(figure=figure)


def _line_parts(trace: Trace, key: int, *, basis: str, other: str) -> dict[str, list[Step]]:
    """Return the steps of a line's figures; tax is a step on the side that is not the price basis."""
    listed = [*trace.of(f"list_price_{basis}", line=key)]
    automatic = _rules(trace, "auto_discount_amount", key, StepKind.AUTOMATIC_DISCOUNT)
    codes = _rules(trace, "promo_code_discount", key, StepKind.PROMO_CODE)
    vat = _rules(trace, f"total_{other}", key, StepKind.VAT)
    vat_of_discount = _rules(trace, f"total_discount_{other}", key, StepKind.VAT)
    discount = automatic + codes
    total = listed + _negated(discount)
    return {
        f"list_price_{basis}": listed,
        f"list_price_{other}": listed + vat + vat_of_discount,
        "auto_discount_amount": automatic,
        "promo_code_discount": codes,
        f"total_discount_{basis}": discount,
        f"total_discount_{other}": discount + vat_of_discount,
        f"total_{basis}": total,
        f"total_{other}": total + vat,
    }


def _rules(trace: Trace, figure: str, key: int, rule: StepKind) -> list[Step]:
    """Return the steps of a figure as steps of *rule*, with extra units but without carried figures."""
    steps = trace.of(figure, line=key)
    return [step._replace(rule=rule) for step in steps if step.rule is not StepKind.CARRIED]


def _negated(steps: Iterable[Step]) -> list[Step]:
    return [step._replace(amount=-step.amount) for step in steps]


def _basket_parts(trace: Trace) -> dict[str, list[Step]]:
    """Return the steps of the whole basket: donation, vouchers, cash rounding and subscriptions."""
    donation = [*trace.of("donation")]
    vouchers = [step for step in trace.of("amount_due") if step.rule is StepKind.VOUCHER]
    rounding = [step for step in trace.of("cash_due") if step.rule is StepKind.CASH_ROUNDING]
    return {
        "donation": donation,
        "total_gross": donation,
        "total_net": donation,
        "amount_due": donation + vouchers,
        "cash_due": donation + vouchers + rounding,
        "total_subscription_gross": [*trace.of("total_subscription_gross")],
        "total_subscription_net": [*trace.of("total_subscription_net")],
    }
