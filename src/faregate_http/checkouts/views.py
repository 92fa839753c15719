"""A priced checkout as JSON: money in major units, texts in the requested language."""

from collections.abc import Callable
from dataclasses import astuple
from typing import Any, Literal, NamedTuple

import msgspec

from faregate.checkout.changes import is_deletable
from faregate.checkout.model import Address, Checkout, CheckoutItem, ComponentSource
from faregate.checkout.priced import PricedCheckout
from faregate.checkout.requirements import requirements_of
from faregate.checkout.surcharges import weather_guarantee_price
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Shortfall
from faregate.discounts.kinds import AutomaticDiscount
from faregate.discounts.promo_codes import AppliedCode, CodeResult, RejectedCode
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate.totals.pipeline import LineTotals
from faregate_http.checkouts.records import CheckoutRecord
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.protocol.instants import instant_text
from faregate_http.protocol.numbers import major_units, percent
from faregate_http.schemas import checkout as wire
from faregate_http.schemas.payments import PaymentMethodView


class Particulars(NamedTuple):
    """Data shown with a checkout besides its inputs and prices.

    ``defaults`` are suggested answers; ``reference`` is set once the checkout is settled, ``payment_method``
    once a payment has begun; ``cash_due`` is the amount paid in cash.
    """

    defaults: dict[str, Any] | None = None
    reference: str | None = None
    payment_method: PaymentMethodView | None = None
    cash_due: MinorUnits | None = None


_NO_PARTICULARS = Particulars()


def checkout_body(
    record: CheckoutRecord,
    priced: PricedCheckout,
    language: str,
    views: CatalogueViews,
    particulars: Particulars = _NO_PARTICULARS,
) -> bytes:
    """Return a checkout as JSON in a response envelope; *priced* is its price as of the last change.

    Raises:
        UnknownEntry: an item is no longer in the catalogue.
    """
    writer = _Writer(record, priced, language, views, particulars)
    return _encode(wire.CheckoutEnvelope(writer.checkout()))


_encode = msgspec.json.Encoder().encode


class _Writer:
    def __init__(
        self,
        record: CheckoutRecord,
        priced: PricedCheckout,
        language: str,
        views: CatalogueViews,
        particulars: Particulars,
    ) -> None:
        self.record = record
        self.priced = priced
        self.channel = priced.channel
        self.language = language
        self.views = views
        self.particulars = particulars
        self.amount: Callable[[MinorUnits], float] = major_units(currency(priced.channel.currency))
        # Keyed by identity: items mostly share a validity object, and comparing values costs more than
        # writing.
        self.written_validities: dict[int, wire.ValidityView] = {}

    def checkout(self) -> wire.CheckoutView:
        record, amount, views = self.record, self.amount, self.views
        checkout, uuid, particulars = record.checkout, self.channel.uuid, self.particulars
        totals = self.priced.totals
        required = requirements_of(checkout, catalogue=views.catalogue)
        return wire.CheckoutView(
            uuid=record.uuid,
            expires_at=instant_text(record.expires_at),
            started_at=instant_text(record.started_at),
            last_update_at=instant_text(record.changed_at),
            status=record.status,
            reference_number=particulars.reference,
            sales_channel=views.channel(uuid),
            checkout_conditions=self.conditions(checkout),
            supported_payment_methods=views.payment_methods(uuid),
            items=self.items(checkout, self.priced.items),
            currency=self.channel.currency,
            list_price_gross=amount(totals.list_price_gross),
            list_price_net=amount(totals.list_price_net),
            promo_codes=[self.promo_code(result) for result in totals.promo_codes],
            promo_code_discount=amount(totals.promo_code_discount),
            subscription_configuration=_subscription(self.priced.subscription),
            auto_discounts=[self.auto_discount(applied.discount) for applied in totals.auto_discounts],
            auto_discount_amount=amount(totals.auto_discount_amount),
            total_discount_gross=amount(totals.total_discount_gross),
            total_discount_net=amount(totals.total_discount_net),
            total_subscription_gross=amount(totals.total_subscription_gross),
            total_subscription_net=amount(totals.total_subscription_net),
            donation=wire.DonationView("DONATION", amount(totals.donation)) if totals.donation else None,
            total_gross=amount(totals.total_gross),
            total_net=amount(totals.total_net),
            requires_owner=required.owner,
            requires_billing_address=required.billing_address,
            requires_shipping_address=required.shipping_address,
            billing_address=_address(checkout.conditions.billing_address, 1, "BILLING"),
            shipping_address=_address(checkout.conditions.shipping_address, 2, "SHIPPING"),
            payment_method=particulars.payment_method,
            vouchers=[
                wire.VoucherView(
                    paid.voucher.code, "VOUCHER_B", amount(paid.amount), paid.reason or msgspec.UNSET
                )
                for paid in totals.vouchers
            ],
            can_use_promo_codes=self.channel.can_use_promo_codes,
            can_use_vouchers=self.channel.can_use_vouchers,
            metadata=wire.MetadataView(self.weather_guarantee(checkout)),
            cash_due=msgspec.UNSET if particulars.cash_due is None else amount(particulars.cash_due),
        )

    def conditions(self, checkout: Checkout) -> wire.CheckoutConditionsView:
        return wire.CheckoutConditionsView(
            default_values=self.particulars.defaults or {},
            form_definition=self.views.form_definition(self.channel.uuid, self.language),
            values=self.views.form(self.channel.uuid).answered(checkout.conditions),
        )

    def items(self, checkout: Checkout, figures: tuple[LineTotals, ...]) -> list[wire.CheckoutItemView]:
        references = {item.id: wire.ItemReferenceView(item.id, item.variant) for item in checkout.items}
        children: dict[int, list[wire.ItemReferenceView]] = {}
        guaranteed: set[int | None] = set()
        for item in checkout.items:
            if item.parent is not None:
                children.setdefault(item.parent, []).append(references[item.id])
            if item.component is not None and item.component.source is ComponentSource.WEATHER_GUARANTEE:
                guaranteed.add(item.parent)
        return [
            self.item(
                item,
                row,
                None if item.parent is None else references[item.parent],
                children.get(item.id, []),
                has_weather_guarantee=item.id in guaranteed,
            )
            for item, row in zip(checkout.items, figures, strict=True)
        ]

    def item(
        self,
        item: CheckoutItem,
        row: LineTotals,
        parent: wire.ItemReferenceView | None,
        children: list[wire.ItemReferenceView],
        *,
        has_weather_guarantee: bool,
    ) -> wire.CheckoutItemView:
        amount, views, language = self.amount, self.views, self.language
        product, _ = views.catalogue.variant(item.variant)
        return wire.CheckoutItemView(
            id=item.id,
            parent_item_id=item.parent,
            status=self.record.status.item_status,
            product_variant=views.variant(item.variant, language),
            validity=self.validity(item.validity),
            parent_item=parent,
            child_items=children,
            list_price_gross=amount(row.list_price_gross),
            list_price_net=amount(row.list_price_net),
            promo_code_discount=amount(row.promo_code_discount),
            auto_discount=self.auto_discount(row.auto_discount) if row.auto_discount else None,
            auto_discount_amount=amount(row.auto_discount_amount),
            total_discount_gross=amount(row.total_discount_gross),
            total_discount_net=amount(row.total_discount_net),
            total_gross=amount(row.total_gross),
            total_net=amount(row.total_net),
            vat_rate=percent(row.rate.parts_per_million),
            display_price=product.display_price,
            is_deletable=is_deletable(item, views.catalogue),
            requires_personalization=product.requires_personalization,
            requires_validation=product.requires_validation,
            requires_medium=product.requires_medium,
            is_confirmation_required=product.is_confirmation_required,
            is_flex_ticket=product.is_flex_ticket,
            is_max_one_ticket_per_person=product.is_max_one_ticket_per_person,
            is_unique_item=product.is_unique_item,
            supports_weather_guarantee=product.supports_weather_guarantee,
            has_weather_guarantee=has_weather_guarantee,
            person_fields_definition=views.person_fields(product.id, language),
        )

    def validity(self, validity: Interval | None) -> wire.ValidityView | None:
        if validity is None:
            return None
        written = self.written_validities.get(id(validity))
        if written is None:
            start, end = (bound.isoformat(timespec="seconds") for bound in validity)
            written = self.written_validities[id(validity)] = wire.ValidityView(start, end)
        return written

    def auto_discount(self, discount: AutomaticDiscount) -> wire.AutoDiscountView:
        return self.views.auto_discount(discount.id, self.channel.uuid, self.language)

    def promo_code(self, result: CodeResult) -> wire.PromoCodeView | wire.InvalidPromoCodeView:
        if not isinstance(result, AppliedCode):
            return self.invalid_promo_code(result)
        promo_code = result.promo_code
        return wire.PromoCodeView(
            id=promo_code.id,
            code=promo_code.code,
            display_name=promo_code.name.in_language(self.language),
            description=promo_code.description.in_language(self.language),
            discount=self.views.configured(promo_code.kind, self.channel.uuid),
            discount_type=promo_code.kind.type,
            valid=True,
            total_amount=self.amount(result.total_amount),
        )

    def invalid_promo_code(self, result: RejectedCode) -> wire.InvalidPromoCodeView:
        missing = self.missing(result.missing) if result.missing else msgspec.UNSET
        return wire.InvalidPromoCodeView(result.code, False, 0, result.reason, missing)

    def missing(self, missing: Shortfall) -> wire.MissingView:
        return wire.MissingView(
            spend=self.amount(missing.spend) if missing.spend else msgspec.UNSET,
            quantity=missing.quantity or msgspec.UNSET,
            until=instant_text(missing.until) if missing.until else msgspec.UNSET,
        )

    def weather_guarantee(self, checkout: Checkout) -> wire.WeatherGuaranteeView:
        price = weather_guarantee_price(checkout, self.views.catalogue)
        return wire.WeatherGuaranteeView(
            available=price is not None,
            selected=bool(checkout.conditions.weather_guarantee),
            price=self.amount(price or 0),
        )


def _subscription(
    configuration: SubscriptionConfiguration | None,
) -> wire.SubscriptionConfigurationView | None:
    if configuration is None:
        return None
    return wire.SubscriptionConfigurationView(
        starts_on=configuration.starts_on.isoformat(timespec="seconds"),
        next_billing_date=configuration.next_billing_date.isoformat(timespec="seconds"),
        has_pickup=configuration.has_pickup,
        start_configuration=configuration.start_configuration,
        minimal_run_periods=configuration.minimal_run_periods,
        renewal=wire.RenewalView(*configuration.renewal),
    )


def _address(
    address: Address | None, number: int, purpose: Literal["BILLING", "SHIPPING"]
) -> wire.AddressView | None:
    if address is None:
        return None
    line1, line2, postal_code, city, state, country = (part or "" for part in astuple(address))
    return wire.AddressView(number, line1, line2, postal_code, city, state, country, (purpose,))
