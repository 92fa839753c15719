"""A priced checkout as JSON, with the specification's names and exact numbers. Decisions §1.2, §3.7, §5."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

from faregate.discounts.kinds import Absolute, BuyXGetY, FixedPrice, Percentage, PerUnit
from faregate.discounts.promo_codes import AppliedCode
from faregate.trace import Rule
from faregate_cli.renewals.as_json import configuration_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faregate.amount_due.vouchers import Redemption
    from faregate.catalogue.catalogue import Product, Variant
    from faregate.checkout.model import CheckoutItem
    from faregate.discounts.eligibility import Missing
    from faregate.discounts.kinds import AutomaticDiscount, DiscountKind, PromoCode
    from faregate.discounts.promo_codes import CodeResult
    from faregate.explain.explanation import Explanation, PassedOver
    from faregate.money.amounts import MinorUnits
    from faregate.tax.rates import VatAmount
    from faregate.totals.pipeline import CheckoutTotals, LineTotals
    from faregate.trace import Step
    from faregate_cli.json_text import Json
    from faregate_cli.price.bill import Bill

__all__ = ["priced_json"]

_DISCOUNT_FIGURES = (
    "promo_code_discount",
    "auto_discount_amount",
    "total_discount_gross",
    "total_discount_net",
)


def priced_json(bill: Bill, *, is_explained: bool = False) -> dict[str, Json]:
    """All that pricing decides about a checkout and, where asked for, why.

    What only a stored checkout has (its id, its expiry, form values, payment) is not there. An amount
    is a ``Decimal`` in major units.
    """
    wire = _Wire(bill)
    body: dict[str, Json] = {"orderedAt": bill.ordered_at.isoformat(), **wire.checkout()}
    return body | {"explanation": wire.explanation(bill)} if is_explained else body


class _Wire:
    """One priced checkout in the words of the specification."""

    def __init__(self, bill: Bill) -> None:
        self.priced = bill.priced
        self.catalogue = bill.catalogue
        self.exponent = bill.currency.exponent
        self.variants = {item.id: item.variant for item in bill.priced.checkout.items}

    def money(self, amount: MinorUnits) -> Decimal:
        return Decimal(amount).scaleb(-self.exponent)

    def checkout(self) -> dict[str, Json]:
        channel, totals = self.priced.channel, self.priced.totals
        items = zip(self.priced.checkout.items, self.priced.items, strict=True)
        return {
            "salesChannel": {"uuid": channel.uuid, "name": channel.name, "type": channel.type.value},
            "items": [self.item(item, figures) for item, figures in items],
            "currency": channel.currency,
            **self.figures(totals, "list_price_gross", "list_price_net"),
            "promoCodes": [self.promo_code(result) for result in totals.promo_codes],
            "autoDiscounts": [self.discount(applied.discount) for applied in totals.auto_discounts],
            **self.figures(totals, *_DISCOUNT_FIGURES),
            "subscriptionConfiguration": self.priced.subscription
            and configuration_json(self.priced.subscription),
            **self.figures(totals, "total_subscription_gross", "total_subscription_net"),
            "donation": self.donation(totals.donation),
            **self.figures(totals, "total_gross", "total_net"),
            "vatBreakdown": self.vat_amounts(totals.vat_breakdown),
            "vouchers": [self.voucher(redemption) for redemption in totals.vouchers],
            "prepaid": self.vat_amounts(totals.prepaid),
            **self.figures(totals, "amount_due", "cash_due"),
        }

    def voucher(self, redemption: Redemption) -> Json:
        voucher, amount, reason = redemption
        told: dict[str, Json] = {"code": voucher.code, "system": "VOUCHER_B", "amount": self.money(amount)}
        return told | {"reason": reason.value} if reason else told

    def donation(self, amount: MinorUnits) -> Json:
        return {"type": "DONATION", "amount": self.money(amount)} if amount else None

    def figures(self, of: CheckoutTotals | LineTotals, *names: str) -> dict[str, Json]:
        return {to_camel(name): self.money(getattr(of, name)) for name in names}

    def item(self, item: CheckoutItem, figures: LineTotals) -> dict[str, Json]:
        winner = figures.auto_discount
        return {
            "id": item.id,
            "parentItemId": item.parent,
            "productVariant": self.variant(*self.catalogue.variant(item.variant)),
            "validity": item.validity
            and {"from": item.validity.start.isoformat(), "to": item.validity.end.isoformat()},
            "parentItem": None if item.parent is None else self.reference(item.parent),
            "childItems": [
                self.reference(child.id) for child in self.priced.checkout.items if child.parent == item.id
            ],
            **self.figures(figures, "list_price_gross", "list_price_net"),
            "autoDiscount": None if winner is None else self.discount(winner),
            **self.figures(figures, *_DISCOUNT_FIGURES, "total_gross", "total_net"),
            "vatRate": _percent(figures.rate.parts_per_million),
        }

    def reference(self, item_id: int) -> Json:
        return {"id": item_id, "productVariantId": self.variants[item_id]}

    def variant(self, product: Product, variant: Variant) -> Json:
        return {
            "id": variant.id,
            "productId": product.id,
            "name": variant.name,
            "translation": str(variant.translation) or variant.name,
            "vatRate": _percent(variant.rate.parts_per_million),
            "attributes": [
                {
                    "name": str(entry.name),
                    "identifier": entry.identifier,
                    "value": entry.value,
                    "sortOrder": entry.sort_order,
                    "translation": str(entry.translation),
                }
                for entry in variant.attributes
            ],
            "product": self.product(product),
        }

    def product(self, product: Product) -> Json:
        merchant = self.catalogue.merchant(product.merchant)
        return {
            "id": product.id,
            "sortOrder": product.sort_order,
            "name": product.name,
            "translation": str(product.translation) or product.name,
            "identifier": product.identifier,
            "type": product.type.value,
            "isSubscription": product.is_subscription,
            "standalone": product.standalone,
            "hasValidity": product.has_validity,
            "merchant": {"identifier": merchant.identifier, "timezone": merchant.timezone},
            "category": {"id": product.category, "name": self.category(product.category)},
            "slug": product.slug,
        }

    def category(self, category_id: int) -> str:
        return next((str(entry.name) for entry in self.catalogue.categories if entry.id == category_id), "")

    def promo_code(self, result: CodeResult) -> Json:
        if isinstance(result, AppliedCode):
            code = result.promo_code
            applied: dict[str, Json] = {"id": code.id, "code": code.code, **self.discount(code)}
            return applied | {"valid": True, "totalAmount": self.money(result.total_amount)}
        refused: dict[str, Json] = {
            "code": result.code,
            "valid": False,
            "totalAmount": self.money(0),
            "reason": result.reason.value,
        }
        return refused if result.missing is None else refused | {"missing": self.missing(result.missing)}

    def missing(self, missing: Missing) -> Json:
        said: dict[str, Json] = {}
        if missing.spend:
            said["spend"] = self.money(missing.spend)
        if missing.quantity:
            said["quantity"] = missing.quantity
        if missing.until is not None:
            said["until"] = missing.until.isoformat()
        return said

    def discount(self, discount: AutomaticDiscount | PromoCode) -> dict[str, Json]:
        return {
            "id": discount.id,
            "displayName": str(discount.name),
            "description": str(discount.description),
            "discountType": discount.kind.type.value,
            "discount": self.configured(discount.kind),
        }

    def configured(self, kind: DiscountKind) -> Decimal:
        """The one number that a discount is set up with: money, or percent."""
        match kind:
            case Absolute(amount=amount) | PerUnit(amount=amount) | FixedPrice(price=amount):
                return self.money(amount)
            case Percentage(parts_per_million=parts) | BuyXGetY(parts_per_million=parts):
                return _percent(parts)

    def vat_amounts(self, rows: Iterable[VatAmount]) -> list[Json]:
        return [{"vatRate": _percent(row.rate.parts_per_million), **self.figures_of_vat(row)} for row in rows]

    def figures_of_vat(self, row: VatAmount) -> dict[str, Json]:
        return {"net": self.money(row.net), "vat": self.money(row.vat), "gross": self.money(row.gross)}

    def explanation(self, bill: Bill) -> Json:
        explained = bill.explained
        return {
            "lines": [
                {
                    "line": ids[0],
                    "itemIds": list(ids),
                    "unitListPrice": [self.step(step) for step in bill.listed[ids[0]]],
                    "figures": self.steps(explained, ids[0]),
                }
                for ids in self.priced.members
            ],
            "checkout": self.steps(explained, None),
            "passedOver": [self.passed_over(entry) for entry in explained.passed_over],
        }

    def steps(self, explained: Explanation, line: int | None) -> Json:
        trace = explained.trace
        return {
            to_camel(figure): [self.step(step) for step in trace.of(figure, line=line)]
            for figure, of_line in trace.figures()
            if of_line == line
        }

    def step(self, step: Step) -> Json:
        source = to_camel(step.source) if step.rule is Rule.CARRIED else step.source
        return {
            "rule": step.rule.name,
            "source": source or None,
            "amount": self.money(step.amount),
            "note": step.note or None,
        }

    def passed_over(self, entry: PassedOver) -> Json:
        return self.discount(entry.discount) | {"wouldTake": self.money(entry.would_take)}


def _percent(parts_per_million: int) -> Decimal:
    return Decimal(parts_per_million).scaleb(-4)
