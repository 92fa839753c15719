"""Checks of ids and currencies in a catalogue file, in addition to those that ``Catalogue`` makes."""

from collections.abc import Iterator

from faregate.catalogue.channels import Channel
from faregate.catalogue.checks.parts import repeated_in
from faregate.catalogue.checks.products import fees
from faregate.catalogue.entries import Entries
from faregate.discounts.kinds import Absolute, AutomaticDiscount, FixedPrice, PerUnit, PromoCode
from faregate.errors import Issue, Loc


def file_issues(catalogue: Entries, currency: str) -> Iterator[Issue]:
    """Yield issues for repeated promo code ids, and for amounts that are used with another currency."""
    yield from repeated_in(("promo_codes",), catalogue.promo_codes, "id")
    yield from _mixed_currencies(catalogue, currency)


def _mixed_currencies(catalogue: Entries, currency: str) -> Iterator[Issue]:
    """Yield an issue for each amount that is used with another currency; amounts are never converted.

    Discounts, vouchers and the prices of media are in *currency*, that of the file. Discounts and vouchers
    must not reach a channel with another currency, and a merchant with another currency must not charge the
    price of a medium. A weather guarantee is in the currency of its product's merchant, which must match
    that of the variant it is sold as.
    """
    foreign = [channel for channel in catalogue.channels if channel.currency != currency]
    if foreign:
        for field in ("automatic_discounts", "promo_codes"):
            for index, discount in enumerate(getattr(catalogue, field)):
                yield from _foreign_discount((field, index), discount, foreign, currency)
        for index in range(len(catalogue.vouchers)):
            yield Issue(
                ("vouchers", index, "balance"),
                f"is in {currency}, but channel {foreign[0].uuid} sells in {foreign[0].currency}",
            )
    yield from _foreign_fees(catalogue, currency)


def _foreign_discount(
    loc: Loc, discount: AutomaticDiscount | PromoCode, foreign: list[Channel], currency: str
) -> Iterator[Issue]:
    where = discount.conditions.channels
    reached = [channel for channel in foreign if not where or channel.uuid in where]
    if reached and _names_an_amount(discount):
        yield Issue(
            loc,
            f"has amounts in {currency}, but channel {reached[0].uuid} sells in {reached[0].currency}: "
            "limit it by conditions.channels",
        )


def _names_an_amount(discount: AutomaticDiscount | PromoCode) -> bool:
    limits = (discount.max_amount, getattr(discount, "budget_left", None))
    return (
        isinstance(discount.kind, Absolute | FixedPrice | PerUnit)
        or any(limit is not None for limit in limits)
        or any(threshold.spend for threshold in discount.conditions.thresholds)
    )


def _foreign_fees(catalogue: Entries, currency: str) -> Iterator[Issue]:
    merchants = {merchant.identifier: merchant.currency for merchant in catalogue.merchants}
    currencies = [merchants.get(product.merchant, currency) for product in catalogue.products]
    sold_in = {
        variant.id: sold
        for product, sold in zip(catalogue.products, currencies, strict=True)
        for variant in product.variants
    }
    for loc, fee in fees(catalogue):
        expected = currencies[int(loc[1])] if loc[0] == "products" else currency
        actual = sold_in.get(fee.variant, expected)
        if actual != expected:
            message = f"is in {expected}, but product variant {fee.variant} is sold in {actual}"
            yield Issue((*loc, "price"), message)
