"""Checkout operations: load a checkout, let the core change it, save it and show it."""

from collections.abc import Iterable, Mapping
from functools import partial

from faregate.checkout.changes import (
    add_items,
    change_quantity,
    enter_code,
    remove_code,
    remove_items,
    set_conditions,
)
from faregate.checkout.item_requests import ItemRequest
from faregate.errors import InvalidCheckout, Issue, IssueCode
from faregate_http.accounts.persons import customer_of
from faregate_http.aside import STEPS_PER_ITEM, aside
from faregate_http.operations import Operation
from faregate_http.protocol.parameters import numbers
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import Response
from faregate_http.schemas.checkout import CheckoutEnvelope
from faregate_http.schemas.checkout_bodies import (
    AddItemsBody,
    ConditionsBody,
    ItemEntry,
    QuantityBody,
    VoucherBody,
)
from faregate_http.schemas.explanation import ExplanationEnvelope
from faregate_http.services import Services
from faregate_http.store.records import AccountRow

_CHECKOUT = "/api/checkout/{checkoutId}"

# JSON names of the fields of an item request.
_ITEM_FIELDS = {
    "variant": "productVariantId",
    "person": "personId",
    "parent": "parentItemId",
    "originated_from": "originatedItemId",
    "discount_card": "discountCardTypeId",
}


_REMOVED = numbers("itemId", "Ids of the items to remove.", example=2, least=1)


async def _show(request: Request, services: Services) -> Response:
    return (await services.checkouts.show(request)).response


async def _explain(request: Request, services: Services) -> Response:
    return await services.explanations.show(request)


# ---------------------------------------------------------------- items


async def _add_items(request: Request, services: Services) -> Response:
    body = await request.model(AddItemsBody)
    edit = await services.checkouts.edit(request, opens=True)
    requests = [_item_request(entry) for entry in body.items]
    add = partial(
        add_items,
        edit.checkout,
        requests,
        catalogue=services.catalogue,
        at=edit.at,
        sold=await services.sold_counts.fresh(edit.checkout),
        persons=await _persons(requests, request.account, services),
    )
    steps = STEPS_PER_ITEM * (len(edit.checkout.items) + len(requests))
    return await edit.save(await aside(add, steps=steps))


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


async def _persons(
    requests: Iterable[ItemRequest], account: AccountRow | None, services: Services
) -> Mapping[int, Mapping[str, object]]:
    """Return the answers about the persons of *account*, keyed by person id; {} if no item names one."""
    names_anyone = any(request.person is not None for request in requests)
    return (await customer_of(account.id if account and names_anyone else None, services.store)).persons


def _in_items(issue: Issue) -> ErrorView:
    loc = [_ITEM_FIELDS.get(part, part) if isinstance(part, str) else part for part in issue.loc]
    return ErrorView.of(issue, pointer=pointer_to(tuple(loc)))


async def _remove_items(request: Request, services: Services) -> Response:
    edit = await services.checkouts.edit(request)
    checkout = remove_items(edit.checkout, request.values(_REMOVED), catalogue=services.catalogue)
    return await edit.save(checkout)


async def _change_quantity(request: Request, services: Services) -> Response:
    body = await request.model(QuantityBody)
    item_id = request.path_number("itemId")
    if item_id is None:
        raise Problem(404, "unknown-item")
    edit = await services.checkouts.edit(request)
    checkout = change_quantity(
        edit.checkout,
        item_id,
        body.delta,
        catalogue=services.catalogue,
        at=edit.at,
        sold=await services.sold_counts.fresh(edit.checkout),
    )
    return await edit.save(checkout)


# ---------------------------------------------------------------- conditions and codes


async def _set_conditions(request: Request, services: Services) -> Response:
    body = await request.model(ConditionsBody)
    edit = await services.checkouts.edit(request)
    form = services.views.form(request.channel.uuid)
    conditions = form.changed(edit.checkout.conditions, body.form_values)
    checkout = set_conditions(edit.checkout, conditions, catalogue=services.catalogue, at=edit.at)
    return await edit.save(checkout)


async def _add_code(request: Request, services: Services) -> Response:
    body = await request.model(VoucherBody)
    await services.code_throttle.check(request)
    edit = await services.checkouts.edit(request)
    found = await services.checkouts.codes.found([body.voucher_code])
    try:
        checkout = enter_code(edit.checkout, body.voucher_code, catalogue=services.catalogue, outside=found)
    except InvalidCheckout as error:
        if error.issues[0].code is IssueCode.UNKNOWN_CODE:
            await services.code_throttle.failed(request)
        raise
    return await edit.save(checkout)


async def _drop_code(request: Request, services: Services) -> Response:
    edit = await services.checkouts.edit(request)
    return await edit.save(remove_code(edit.checkout, request.parameters["code"]))


OPERATIONS = (
    Operation(
        method="GET",
        path=_CHECKOUT,
        handler=_show,
        name="getCheckout",
        summary="Get the checkout.",
        answer=CheckoutEnvelope,
        is_extension=True,
    ),
    Operation(
        method="GET",
        path=f"{_CHECKOUT}/explanation",
        handler=_explain,
        name="explainCheckout",
        summary="Explain the prices of the checkout.",
        answer=ExplanationEnvelope,
        is_extension=True,
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/items",
        handler=_add_items,
        name="addItems",
        summary="Add items. An unused id opens a new checkout.",
        answer=CheckoutEnvelope,
        body=AddItemsBody,
        locate=_in_items,
    ),
    Operation(
        method="DELETE",
        path=f"{_CHECKOUT}/items",
        handler=_remove_items,
        name="removeItems",
        summary="Remove items and their child items.",
        answer=CheckoutEnvelope,
        query=(_REMOVED,),
        locate=lambda issue: ErrorView.of(issue, parameter="itemId"),
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/checkout-conditions",
        handler=_set_conditions,
        name="setConditions",
        summary="Answer questions in the form of the checkout.",
        answer=CheckoutEnvelope,
        body=ConditionsBody,
        locate=lambda issue: ErrorView.of(issue, pointer=pointer_to(("formValues", *issue.loc))),
    ),
    Operation(
        method="PATCH",
        path=f"{_CHECKOUT}/items/{{itemId}}/quantity",
        handler=_change_quantity,
        name="changeQuantity",
        summary="Add or remove copies of an item.",
        answer=CheckoutEnvelope,
        body=QuantityBody,
        locate=lambda issue: ErrorView.of(issue, pointer="/delta"),
    ),
    Operation(
        method="POST",
        path=f"{_CHECKOUT}/vouchers",
        handler=_add_code,
        name="addCode",
        summary="Enter a promo code or a voucher.",
        answer=CheckoutEnvelope,
        body=VoucherBody,
        locate=lambda issue: ErrorView.of(issue, pointer="/voucherCode"),
    ),
    Operation(
        method="DELETE",
        path=f"{_CHECKOUT}/vouchers/{{code}}",
        handler=_drop_code,
        name="dropCode",
        summary="Remove a promo code or a voucher.",
        answer=CheckoutEnvelope,
        is_extension=True,
        locate=lambda issue: ErrorView.of(issue, parameter="itemId"),
    ),
)
