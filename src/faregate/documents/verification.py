"""Verification of stored prices, recomputed with the stored rules and with today's rules. Decisions §19."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from faregate._values import public_value
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.documents.formats import dump, load
from faregate.documents.forms import Json, wrong
from faregate.errors import InvalidDocument, Loc
from faregate.explanations.differences import difference
from faregate.explanations.explanation import Explanation, explain
from faregate.money.amounts import MinorUnits
from faregate.refunds.orders import PaidOrder
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest
from faregate.trace import StepKind


@public_value
class FigureDifference(NamedTuple):
    """A figure whose stored value differs from the recomputed one; None stands for a missing key."""

    loc: Loc
    stored: object
    computed: object


@public_value
class RuleDifference(NamedTuple):
    """The amount that a rule adds to the amount due, under the stored rules and under today's rules."""

    rule: StepKind
    source: str
    stored: MinorUnits
    today: MinorUnits


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of recomputing a stored price.

    ``difference`` is the first figure that differs, or None. If today's rules are given, ``today`` holds the
    totals under those rules, and the differences in ``by_rule`` add up to the change in the amount due.
    """

    totals: CheckoutTotals
    difference: FigureDifference | None = None
    today: CheckoutTotals | None = None
    by_rule: tuple[RuleDifference, ...] = ()


def verify(document: Json, rules: PricingRules | None = None) -> Verification:
    """Recompute a stored price with its own rules and, if given, with *rules*.

    The document holds a pricing request, totals, an explanation or a paid order. Entered codes are looked up
    in *rules*; codes that *rules* lacks count as unknown. Lines, vouchers, donation and context are those of
    the document.

    >>> from faregate import Line, PricingRules, VatRate
    >>> stored = dump(checkout_totals([Line(1, 1000, 1, VatRate.percent("8.1"))]))
    >>> verify(stored).difference is None
    True
    >>> verify({**stored, "amountDue": 999}).difference
    FigureDifference(loc=('amountDue',), stored=999, computed=1000)

    Raises:
        InvalidDocument: the document is invalid or holds no price, or it is a request (which has no figures)
            and *rules* is None.
        FaregateError: the request cannot be priced, as in ``checkout_totals``.
    """
    stored = load(document)
    if isinstance(stored, PricingRequest) and rules is None:
        raise InvalidDocument("a pricing request has no figures to verify: pass rules, or store the totals")
    totals = stored.totals if isinstance(stored, Explanation | PaidOrder) else stored
    request = totals.request if isinstance(totals, CheckoutTotals) else totals
    if not isinstance(request, PricingRequest):
        raise wrong("a pricing request, totals, an explanation or a paid order", document["format"])
    computed = _priced(request)
    again = explain(computed) if isinstance(stored, Explanation) else computed
    figures, loc = (totals, ("totals",)) if isinstance(stored, PaidOrder) else (stored, ())
    first = None if stored is request else next(_differences(_figures(figures), _figures(again), loc), None)
    if rules is None:
        return Verification(totals=computed, difference=first)
    today = _priced(_under(rules, request))
    by_rule = tuple(_by_rule(computed, today))
    return Verification(totals=computed, difference=first, today=today, by_rule=by_rule)


def _priced(request: PricingRequest) -> CheckoutTotals:
    arguments = request._asdict()
    return checkout_totals(arguments.pop("lines"), **arguments)


def _under(rules: PricingRules, request: PricingRequest) -> PricingRequest:
    known = {code.code: code for code in rules.promo_codes}
    codes = [known.get(entered.code, UnknownCode(entered.code)) for entered in request.promo_codes]
    return request._replace(automatic=rules.automatic, promo_codes=tuple(codes), policy=rules.policy)


def _figures(priced: CheckoutTotals | Explanation) -> Json:
    """Return the document of *priced*, without the texts in its trace, which depend on the caller."""
    written = dump(priced)
    if isinstance(priced, Explanation):
        steps = written["trace"]["steps"]
        written["trace"] = {"steps": [{**step, "source": None, "note": None} for step in steps]}
    return written


def _differences(stored: Json, computed: Json, loc: Loc) -> Iterator[FigureDifference]:
    if isinstance(stored, dict) and isinstance(computed, dict):
        for key in {**computed, **stored}:
            yield from _differences(stored.get(key), computed.get(key), (*loc, key))
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        for index, pair in enumerate(zip(stored, computed, strict=True)):
            yield from _differences(*pair, (*loc, index))
    elif stored != computed:
        yield FigureDifference(loc, stored, computed)


def _by_rule(stored: CheckoutTotals, today: CheckoutTotals) -> Iterator[RuleDifference]:
    found = difference(explain(stored, name=_unique_name), explain(today, name=_unique_name))
    for row in found.by_rule("amount_due"):
        if row.delta:
            yield RuleDifference(row.rule, row.source, row.old, row.new)


def _unique_name(discount: AutomaticDiscount | PromoCode) -> str:
    return discount.code if isinstance(discount, PromoCode) else f"automatic discount {discount.id}"
