"""Operations on checkouts: each reads its body into a change of the core, and answers the whole checkout."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic import BaseModel

from faregate.checkout.changes import (
    add_code,
    add_items,
    change_quantity,
    remove_code,
    remove_items,
    set_conditions,
)
from faregate.checkout.item_requests import ItemRequest
from faregate.discounts.kinds import normalize_code
from faregate.errors import InvalidCheckout, Issue, IssueCode
from faregate_http.accounts.customers import customer_of
from faregate_http.checkouts.checkouts import Change, checkout_id_of
from faregate_http.operations import Operation
from faregate_http.protocol.parameters import Parameter, read_number
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import parsed
from faregate_http.schemas.checkout import CheckoutEnvelope
from faregate_http.schemas.checkout_bodies import (
    AddItemsBody,
    ConditionsBody,
    ItemEntry,
    QuantityBody,
    VoucherBody,
)
from faregate_http.schemas.explanation import ExplanationEnvelope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.channels import Channel
    from faregate.checkout.model import Checkout
    from faregate_http.checkouts.checkouts import Moment
    from faregate_http.protocol.idempotency import KeyedRequest
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Response
    from faregate_http.services import Services
    from faregate_http.store.records import AccountRow

_Body = TypeVar("_Body", bound=BaseModel)

_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)

_CHECKOUT = "/api/checkout/{checkoutId}"

# The wire's names of what a request for an item says.
_ITEM_FIELDS = {
    "variant": "productVariantId",
    "person": "personId",
    "parent": "parentItemId",
    "originated_from": "originatedItemId",
    "discount_card": "discountCardTypeId",
}


_REMOVED = Parameter(
    "itemId",
    {
        "type": "array",
        "minItems": 1,
        "items": {"type": "integer", "minimum": 1, "maximum": 2**53 - 1},
        "examples": [[2]],
    },
    "The items to remove.",
    read_number,
    is_required=True,
)


async def _show(request: Request, services: Services) -> Response:
    return (await services.checkouts.show(request, await services.accounts.of_request(request))).response


async def _explain(request: Request, services: Services) -> Response:
    return await services.explanations.show(request, await services.accounts.of_request(request))


_Asked: TypeAlias = "Callable[[_Body, Request, Services, AccountRow | None], Awaitable[Change]]"


async def _posted(
    request: Request, services: Services, model: type[_Body], change: _Asked[_Body]
) -> Response:
    """Make the change that a body asks for."""
    checkout_id_of(request)  # refused before its answer could be kept
    account = await services.accounts.of_request(request)
    body = await request.body()

    async def asked() -> Change:
        return await change(parsed(body, model), request, services, account)

    return await _changed(request, services, account, asked, question=body)


async def _deleted(
    request: Request, services: Services, change: Callable[[Request, Services], Change]
) -> Response:
    """Make the change that a path and a query ask for."""
    checkout_id_of(request)  # refused before its answer could be kept
    account = await services.accounts.of_request(request)

    async def asked() -> Change:
        return change(request, services)

    return await _changed(
        request, services, account, asked, question=repr(sorted(request.query.items())).encode()
    )


async def _changed(
    request: Request,
    services: Services,
    account: AccountRow | None,
    asked: Callable[[], Awaitable[Change]],
    *,
    question: bytes,
) -> Response:
    """Make the change *asked* for, once however often the same *question* is sent with its key."""

    async def run(keyed: KeyedRequest | None) -> Response:
        return (await services.checkouts.change(request, await asked(), keyed, account=account)).response

    return await services.once(request, question, run, account=account)


# ---------------------------------------------------------------- items


async def _adding(
    body: AddItemsBody, request: Request, services: Services, account: AccountRow | None
) -> Change:
    requests = [_item_request(entry) for entry in body.items]
    names_anyone = any(request.person is not None for request in requests)
    customer = await customer_of(account.id if account and names_anyone else None, services.store)

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        at, sold = moment
        return add_items(
            checkout, requests, catalogue=services.catalogue, at=at, sold=sold, persons=customer.persons
        )

    return Change(apply, _in_items, opens=True)


def _item_request(entry: ItemEntry) -> ItemRequest:
    return ItemRequest(
        id=entry.id,
        variant=entry.product_variant_id,
        validity=(entry.validity.start, entry.validity.end) if entry.validity else None,
        parent=entry.parent_item_id,
        originated_from=entry.originated_item_id,
        person=entry.person_id,
        discount_card=entry.discount_card_type_id,
    )


def _in_items(fault: Issue) -> ErrorView:
    place = [_ITEM_FIELDS.get(part, part) if isinstance(part, str) else part for part in fault.loc]
    return ErrorView(fault.message, pointer=pointer_to(tuple(place)), code=fault.code.value)


def _removing(request: Request, services: Services) -> Change:
    ids = request.values(_REMOVED)

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        return remove_items(checkout, ids, catalogue=services.catalogue)

    return Change(apply, _in_query)


def _in_query(fault: Issue) -> ErrorView:
    return ErrorView(fault.message, parameter="itemId", code=fault.code.value)


async def _changing_quantity(
    body: QuantityBody, request: Request, services: Services, _account: AccountRow | None
) -> Change:
    item_id = _item_id(request)

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        return change_quantity(
            checkout, item_id, body.delta, catalogue=services.catalogue, at=moment.at, sold=moment.sold
        )

    return Change(apply, lambda fault: ErrorView(fault.message, pointer="/delta", code=fault.code.value))


def _item_id(request: Request) -> int:
    text = request.parameters["itemId"]
    if not _NUMBER.fullmatch(text):
        raise Problem(404, "unknown-item", "There is no such item.")
    return int(text)


# ---------------------------------------------------------------- conditions and codes


async def _answering(
    body: ConditionsBody, request: Request, services: Services, _account: AccountRow | None
) -> Change:
    form = services.views.form(request.channel.uuid)

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        conditions = form.changed(checkout.conditions, body.form_values)
        return set_conditions(checkout, conditions, catalogue=services.catalogue, at=moment.at)

    return Change(apply, _in_form)


def _in_form(fault: Issue) -> ErrorView:
    return ErrorView(fault.message, pointer=pointer_to(("formValues", *fault.loc)), code=fault.code.value)


async def _entering(
    body: VoucherBody, request: Request, services: Services, _account: AccountRow | None
) -> Change:
    services.code_throttle.check(request)

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        try:
            _check_channel(body.voucher_code, request.channel, services.catalogue)
            return add_code(checkout, body.voucher_code, catalogue=services.catalogue)
        except InvalidCheckout as error:
            if error.located[0].code not in _OF_UNKNOWN_CODES:
                raise
            services.code_throttle.failed(request)
            raise _unknown_code() from None

    return Change(
        apply, lambda fault: ErrorView(fault.message, pointer="/voucherCode", code=fault.code.value)
    )


# The channel does not take it: whether there is such a code elsewhere is nobody's business.
_OF_UNKNOWN_CODES = frozenset(
    {IssueCode.UNKNOWN_CODE, IssueCode.PROMO_CODES_NOT_ACCEPTED, IssueCode.VOUCHERS_NOT_ACCEPTED}
)


def _check_channel(code: str, channel: Channel, catalogue: Catalogue) -> None:
    """Refuse a promo code of other channels like one that there is not."""
    promo_code = catalogue.promo_code(normalize_code(code))
    channels = frozenset() if promo_code is None else promo_code.conditions.channels
    if channels and channel.uuid not in channels:
        raise _unknown_code()


def _unknown_code() -> InvalidCheckout:
    return InvalidCheckout(Issue(("code",), "there is no such code", IssueCode.UNKNOWN_CODE))


def _dropping(request: Request, services: Services) -> Change:
    code = request.parameters["code"]

    def apply(checkout: Checkout, moment: Moment) -> Checkout:
        return remove_code(checkout, code)

    return Change(apply, _in_query)


OPERATIONS = (
    Operation(
        method="GET",
        path=_CHECKOUT,
        handler=_show,
        name="getCheckout",
        summary="The checkout as it stands.",
        answer=CheckoutEnvelope,
        is_extension=True,
    ),
    Operation(
        method="GET",
        path=f"{_CHECKOUT}/explanation",
        handler=_explain,
        name="explainCheckout",
        summary="Why the checkout costs what it costs.",
        answer=ExplanationEnvelope,
        is_extension=True,
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/items",
        handler=partial(_posted, model=AddItemsBody, change=_adding),
        name="addItems",
        summary="Add items; on an unused id, open the checkout.",
        answer=CheckoutEnvelope,
        body=AddItemsBody,
    ),
    Operation(
        method="DELETE",
        path=f"{_CHECKOUT}/items",
        handler=partial(_deleted, change=_removing),
        name="removeItems",
        summary="Remove items, with their children.",
        answer=CheckoutEnvelope,
        query=(_REMOVED,),
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/checkout-conditions",
        handler=partial(_posted, model=ConditionsBody, change=_answering),
        name="setConditions",
        summary="Answer questions of the form of the checkout.",
        answer=CheckoutEnvelope,
        body=ConditionsBody,
    ),
    Operation(
        method="PATCH",
        path=f"{_CHECKOUT}/items/{{itemId}}/quantity",
        handler=partial(_posted, model=QuantityBody, change=_changing_quantity),
        name="changeQuantity",
        summary="Add copies of an item, or remove some.",
        answer=CheckoutEnvelope,
        body=QuantityBody,
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/vouchers",
        handler=partial(_posted, model=VoucherBody, change=_entering),
        name="addCode",
        summary="Enter a promo code or a voucher.",
        answer=CheckoutEnvelope,
        body=VoucherBody,
    ),
    Operation(
        method="DELETE",
        path=f"{_CHECKOUT}/vouchers/{{code}}",
        handler=partial(_deleted, change=_dropping),
        name="dropCode",
        summary="Take a promo code or a voucher out again.",
        answer=CheckoutEnvelope,
        is_extension=True,
    ),
)
