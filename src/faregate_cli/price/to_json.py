"""A priced checkout as JSON: the specification's field names, exact numbers. Decisions §1.2, §3.7, §5."""

from collections.abc import Iterable
from decimal import Decimal

from faregate.amount_due.vouchers import Redemption
from faregate.arguments.fields import camel_case
from faregate.catalogue.products import Product, Variant
from faregate.checkout.model import CheckoutItem
from faregate.discounts.eligibility import Shortfall
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    DiscountKind,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
)
from faregate.discounts.promo_codes import AppliedCode, CodeResult
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatAmount, VatRate
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.trace import Step, StepKind
from faregate_cli.price.priced_basket import PricedBasket
from faregate_cli.subscriptions.to_json import configuration_json
from faregate_cli.terminal.json_text import Json, json_amounts, json_fields, major_units

_DISCOUNT_FIGURES = (
    "promo_code_discount",
    "auto_discount_amount",
    "total_discount_gross",
    "total_discount_net",
)


def priced_json(basket: PricedBasket, *, is_explained: bool = False) -> dict[str, Json]:
    """Return *basket* as JSON: all of its prices and, if *is_explained*, the reasons for them.

    Fields that only a stored checkout has (id, expiry, form values, payment) are left out. Amounts are
    ``Decimal`` in major units.
    """
    writer = _CheckoutJson(basket)
    fields: dict[str, Json] = {"orderedAt": basket.ordered_at.isoformat(), **writer.checkout()}
    return fields | {"explanation": writer.explanation()} if is_explained else fields


class _CheckoutJson:
    def __init__(self, basket: PricedBasket) -> None:
        self.basket = basket
        self.priced = basket.priced
        self.catalogue = basket.catalogue
        self.variants = {item.id: item.variant for item in basket.priced.checkout.items}

    def money(self, amount: MinorUnits) -> Decimal | None:
        return major_units(amount, self.basket.currency)

    def figures(
        self, of: CheckoutTotals | LineTotals | VatAmount | Shortfall, *names: str
    ) -> dict[str, Json]:
        return json_amounts(of, self.basket.currency, *names)

    def checkout(self) -> dict[str, Json]:
        channel, totals, subscription = self.priced.channel, self.priced.totals, self.priced.subscription
        items = zip(self.priced.checkout.items, self.priced.items, strict=True)
        return {
            "salesChannel": json_fields(channel, "uuid", "name", "type"),
            "items": [self.item(item, figures) for item, figures in items],
            "currency": channel.currency,
            **self.figures(totals, "list_price_gross", "list_price_net"),
            "promoCodes": [self.promo_code(result) for result in totals.promo_codes],
            "autoDiscounts": [self.discount(applied.discount) for applied in totals.auto_discounts],
            **self.figures(totals, *_DISCOUNT_FIGURES),
            "subscriptionConfiguration": configuration_json(subscription) if subscription else None,
            **self.figures(totals, "total_subscription_gross", "total_subscription_net"),
            "donation": self.donation(totals.donation),
            **self.figures(totals, "total_gross", "total_net"),
            "vatBreakdown": self.vat_amounts(totals.vat_breakdown),
            "vouchers": [self.voucher(redemption) for redemption in totals.vouchers],
            "prepaid": self.vat_amounts(totals.prepaid),
            **self.figures(totals, "amount_due", "cash_due"),
        }

    def voucher(self, redemption: Redemption) -> Json:
        code, amount, reason = redemption.voucher.code, self.money(redemption.amount), redemption.reason
        fields: dict[str, Json] = {"code": code, "system": "VOUCHER_B", "amount": amount}
        return fields | {"reason": reason.value} if reason else fields

    def donation(self, amount: MinorUnits) -> Json:
        return {"type": "DONATION", "amount": self.money(amount)} if amount else None

    def item(self, item: CheckoutItem, figures: LineTotals) -> dict[str, Json]:
        validity, winner, items = item.validity, figures.auto_discount, self.priced.checkout.items
        return {
            "id": item.id,
            "parentItemId": item.parent,
            "productVariant": self.variant(*self.catalogue.variant(item.variant)),
            "validity": validity and {"from": validity.start.isoformat(), "to": validity.end.isoformat()},
            "parentItem": None if item.parent is None else self.reference(item.parent),
            "childItems": [self.reference(child.id) for child in items if child.parent == item.id],
            **self.figures(figures, "list_price_gross", "list_price_net"),
            "autoDiscount": None if winner is None else self.discount(winner),
            **self.figures(figures, *_DISCOUNT_FIGURES, "total_gross", "total_net"),
            "vatRate": _percent(figures.rate),
        }

    def reference(self, item_id: int) -> Json:
        return {"id": item_id, "productVariantId": self.variants[item_id]}

    def variant(self, product: Product, variant: Variant) -> Json:
        attribute_names = ("name", "identifier", "value", "sort_order", "translation")
        return {
            "id": variant.id,
            "productId": product.id,
            "name": variant.name,
            "translation": str(variant.translation) or variant.name,
            "vatRate": _percent(variant.rate),
            "attributes": [json_fields(attribute, *attribute_names) for attribute in variant.attributes],
            "product": self.product(product),
        }

    def product(self, product: Product) -> Json:
        merchant = self.catalogue.merchant(product.merchant)
        categories = {category.id: str(category.name) for category in self.catalogue.categories}
        return {
            **json_fields(product, "id", "sort_order", "name"),
            "translation": str(product.translation) or product.name,
            **json_fields(product, "identifier", "type", "is_subscription", "standalone", "has_validity"),
            "merchant": json_fields(merchant, "identifier", "timezone"),
            "category": {"id": product.category, "name": categories.get(product.category, "")},
            "slug": product.slug,
        }

    def promo_code(self, result: CodeResult) -> Json:
        if isinstance(result, AppliedCode):
            code = json_fields(result.promo_code, "id", "code") | self.discount(result.promo_code)
            return code | {"valid": True, "totalAmount": self.money(result.total_amount)}
        fields: dict[str, Json] = {"code": result.code, "valid": False, "totalAmount": Decimal(0)}
        fields |= {"reason": result.reason.value}
        return fields if result.missing is None else fields | {"missing": self.missing(result.missing)}

    def missing(self, missing: Shortfall) -> Json:
        amount = self.figures(missing, "spend") if missing.spend else {}
        return amount | json_fields(
            missing, *(name for name in ("quantity", "until") if getattr(missing, name))
        )

    def discount(self, discount: AutomaticDiscount | PromoCode) -> dict[str, Json]:
        return {
            "id": discount.id,
            "displayName": str(discount.name),
            "description": str(discount.description),
            "discountType": discount.kind.type.value,
            "discount": self.configured(discount.kind),
        }

    def configured(self, kind: DiscountKind) -> Decimal | None:
        """Return the amount or the percentage in the configuration of a discount of *kind*."""
        match kind:
            case Absolute(amount=amount) | PerUnit(amount=amount) | FixedPrice(price=amount):
                return self.money(amount)
            case Bundle(price=int(amount)):
                return self.money(amount)
            case Percentage() | BuyXGetY() | Bundle():
                return _percent(kind)

    def vat_amounts(self, rows: Iterable[VatAmount]) -> list[Json]:
        return [{"vatRate": _percent(row.rate), **self.figures(row, "net", "vat", "gross")} for row in rows]

    def explanation(self) -> Json:
        unit, explained = self.basket.currency, self.basket.explained
        return {
            "lines": [
                {
                    "line": ids[0],
                    "itemIds": list(ids),
                    "unitListPrice": [self.step(step) for step in self.basket.listed[ids[0]]],
                    "figures": self.steps(ids[0]),
                }
                for ids in self.priced.members
            ],
            "checkout": self.steps(None),
            "passedOver": [
                self.discount(entry.discount) | json_amounts(entry, unit, "would_take")
                for entry in explained.passed_over
            ],
        }

    def steps(self, line: int | None) -> Json:
        trace = self.basket.explained.trace
        return {
            camel_case(figure): [self.step(step) for step in trace.of(figure, line=line)]
            for figure, of_line in trace.figures()
            if of_line == line
        }

    def step(self, step: Step) -> Json:
        source = camel_case(step.source) if step.rule is StepKind.CARRIED else step.source
        return {
            "rule": step.rule.name,
            "source": source or None,
            "amount": self.money(step.amount),
            "note": step.note or None,
        }


def _percent(rate: VatRate | Percentage | BuyXGetY | Bundle) -> Decimal:
    return Decimal(rate.parts_per_million or 0).scaleb(-4)
