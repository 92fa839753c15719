"""The requirements for paying a checkout, and the code limits used up by the payment. Decisions §6, §11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import datetime

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.person_form import missing_fields
from faregate.catalogue.products import MediumIntent, Product
from faregate.checkout.admission import age_issues
from faregate.checkout.code_limits import CodeLimit, LimitKind
from faregate.checkout.model import Address, Checkout, CheckoutItem
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidCheckout, Issue, IssueCode, Issues
from faregate.totals.pipeline import CheckoutTotals

# The required fields of an address and their names in the form.
_ADDRESS_PARTS = {
    "address_line1": "addressLine1",
    "zip": "zip",
    "city": "city",
    "country_code": "countryCode",
}


@public_value
@dataclass(frozen=True, slots=True)
class Customer:
    """The paying customer: each person's answers, keyed by person id, and the id of the account owner."""

    persons: Mapping[int, Mapping[str, object]]
    _: KW_ONLY
    owner: int | None = None

    def __hash__(self) -> int:  # without the answers, which may be lists
        return hash((self.owner, frozenset(self.persons)))


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """Requirements that the items of a checkout impose before payment."""

    owner: bool
    billing_address: bool
    shipping_address: bool


def requirements_of(checkout: Checkout, *, catalogue: Catalogue) -> Requirements:
    """Return the combined requirements of the products in *checkout* and of media sent by post.

    Raises:
        UnknownEntry: an item is no longer sold.
    """
    products = _products(checkout, catalogue).values()
    return Requirements(
        owner=any(product.requires_owner for product in products),
        billing_address=any(product.requires_billing_address for product in products),
        shipping_address=_is_sent(checkout, catalogue)
        or any(product.requires_shipping_address for product in products),
    )


def check_payable(checkout: Checkout, customer: Customer, *, catalogue: Catalogue, at: datetime) -> None:
    """Check that a checkout meets all requirements for its payment at the instant *at*.

    The ``loc`` of an issue points to an answer in the form (``values``), an item, or the account owner.

    Raises:
        InvalidCheckout: lists all unmet requirements.
        UnknownEntry: an item is no longer sold.
    """
    issues = Issues(_general(checkout, customer, catalogue))
    issues += _of_items(checkout, customer, catalogue)
    issues += age_issues(enumerate(checkout.items), customer.persons, catalogue=catalogue, at=at)
    issues.check(InvalidCheckout)


def claimed_code_limits(totals: CheckoutTotals) -> dict[CodeLimit, int]:
    """Return the part of each code limit that paying *totals* uses up; amounts are in minor units.

    >>> from faregate import Line, VatRate, Voucher, checkout_totals
    >>> gift = Voucher(code="GIFT", balance=5000)
    >>> totals = checkout_totals([Line(1, 7900, 1, VatRate(parts_per_million=0))], vouchers=[gift])
    >>> claimed_code_limits(totals)
    {CodeLimit(kind=<LimitKind.BALANCE: 'balance'>, code='GIFT'): 5000}
    """
    claimed: dict[CodeLimit, int] = {}
    for result in totals.promo_codes:
        if isinstance(result, AppliedCode):
            if result.promo_code.uses_left is not None:
                claimed[CodeLimit(LimitKind.USES, result.code)] = 1
            if result.promo_code.budget_left is not None:
                claimed[CodeLimit(LimitKind.BUDGET, result.code)] = result.total_amount
    for redemption in totals.vouchers:
        if redemption.amount:
            claimed[CodeLimit(LimitKind.BALANCE, redemption.voucher.code)] = redemption.amount
    return claimed


def _products(checkout: Checkout, catalogue: Catalogue) -> dict[int, Product]:
    found = [catalogue.variant(item.variant)[0] for item in checkout.items]
    return {product.id: product for product in found}


def _is_sent(checkout: Checkout, catalogue: Catalogue) -> bool:
    """Return True if at least one of the chosen media is sent by post."""
    return any(
        component.intent is MediumIntent.SENDING_FEE
        for _, medium in checkout.conditions.media
        for component in catalogue.medium(medium).price_components
    )


def _general(checkout: Checkout, customer: Customer, catalogue: Catalogue) -> Iterator[Issue]:
    channel, conditions = catalogue.channel(checkout.channel), checkout.conditions
    required = requirements_of(checkout, catalogue=catalogue)
    if not checkout.items:
        yield Issue(("items",), "the checkout is empty", IssueCode.EMPTY_CHECKOUT)
    if required.owner and customer.owner is None:
        yield Issue(("owner",), "an account holder is required", IssueCode.OWNER_REQUIRED)
    if required.billing_address:
        yield from _address_issues("billingAddress", conditions.billing_address)
    if required.shipping_address:
        yield from _address_issues("shippingAddress", conditions.shipping_address)
    if not conditions.accept_terms and _needs_consent(checkout, channel, catalogue):
        message = "the terms and conditions must be accepted"
        yield Issue(("values", "acceptTerms"), message, IssueCode.TERMS_NOT_ACCEPTED)
    answered = dict(conditions.answers)
    for field in channel.form:
        if field.required and field.name not in answered:
            yield Issue(("values", field.name), "answer required", IssueCode.ANSWER_REQUIRED)


def _needs_consent(checkout: Checkout, channel: Channel, catalogue: Catalogue) -> bool:
    products = _products(checkout, catalogue).values()
    return channel.requires_terms or any(product.is_confirmation_required for product in products)


def _address_issues(name: str, address: Address | None) -> Iterator[Issue]:
    if address is None:
        yield Issue(("values", name), "required", IssueCode.ADDRESS_REQUIRED)
        return
    for part, shown in _ADDRESS_PARTS.items():
        if getattr(address, part) is None:
            yield Issue(("values", name, shown), "required", IssueCode.ADDRESS_REQUIRED)


def _of_items(checkout: Checkout, customer: Customer, catalogue: Catalogue) -> Iterator[Issue]:
    media = dict(checkout.conditions.media)
    for index, item in enumerate(checkout.items):
        if item.component is not None:
            continue
        product, _ = catalogue.variant(item.variant)
        if product.requires_medium and item.id not in media:
            message = f"item {item.id} needs a medium"
            yield Issue(("items", index, "medium"), message, IssueCode.MEDIUM_REQUIRED)
        yield from _person_issues(index, item, product, customer, catalogue)


def _person_issues(
    index: int, item: CheckoutItem, product: Product, customer: Customer, catalogue: Catalogue
) -> Iterator[Issue]:
    place = "items", index, "person"
    if item.person is None:
        if product.requires_personalization:
            yield Issue(place, f"item {item.id} needs a person", IssueCode.PERSON_REQUIRED)
        return
    answers = customer.persons.get(item.person)
    if answers is None:
        message = f"person {item.person} does not belong to the account of this checkout"
        yield Issue(place, message, IssueCode.UNKNOWN_PERSON)
        return
    for name in missing_fields(product, answers, base=catalogue.person_form):
        message = f"person {item.person} has not answered {name}"
        yield Issue((*place, name), message, IssueCode.PERSON_INCOMPLETE)
