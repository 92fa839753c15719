"""Price explanations of stored checkouts, for clients that have access to the checkout. Decisions §11.1."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import msgspec
from pydantic.alias_generators import to_camel

from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.priced import PricedCheckout
from faregate.discounts.kinds import AutomaticDiscount, PromoCode
from faregate.explanations.explanation import checkout_trace, item_trace
from faregate.money.currency import currency
from faregate.trace import Step, StepKind, Trace
from faregate_http.aside import STEPS_PER_ITEM, aside
from faregate_http.checkouts.checkouts import Checkouts
from faregate_http.checkouts.records import record_of
from faregate_http.checkouts.responses import Audience
from faregate_http.checkouts.views import Particulars
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.protocol.responses import Response
from faregate_http.protocol.view_writer import ViewWriter
from faregate_http.schemas import explanation as wire

_MOST_BYTES = 16 << 20

_Figures = TypeVar("_Figures", wire.ItemFiguresView, wire.CheckoutFiguresView)

_encode = msgspec.json.Encoder().encode


@dataclass(eq=False)
class Explanations:
    """Price explanations of *checkouts*; each is computed once and cached."""

    checkouts: Checkouts
    cache: ResponseCache = field(default_factory=lambda: ResponseCache(_MOST_BYTES))

    async def show(self, request: Request) -> Response:
        """Return a response with the price explanation of the requested checkout and that checkout's ETag.

        Raises:
            Problem: 404, the checkout is unknown; 409, a paid checkout would have different prices today.
        """
        response, priced = await self.checkouts.show(request)
        if not response.body:  # 304
            return response
        question = request.checkout_id, request.language
        explained = self.cache.get(question, response.headers)
        if explained is None:
            if priced is None:
                response, priced = await self._priced(request)
            explain = partial(_explanation, priced, request.language, request.checkout_id)
            body = await aside(explain, steps=STEPS_PER_ITEM * len(priced.items))
            explained = response._replace(body=body)
            self.cache.put(question, response.headers, explained)
        return explained

    async def _priced(self, request: Request) -> tuple[Response, PricedCheckout]:
        """Return the response and price of a checkout; raise a 409 if a paid one has other prices today."""
        row, at = await self.checkouts.load(request), self.checkouts.clock()
        responses = self.checkouts.responses
        response, priced = await responses.stored(row, at, Audience.of(request, row.account))
        if priced is None:
            record = record_of(row, at, catalogue=self.checkouts.catalogue)
            priced = await responses.price(record)
            write = partial(responses.body, record, priced, request.language, Particulars())
            current = await aside(write, steps=STEPS_PER_ITEM * len(record.checkout.items))
            if record.status is CheckoutStatus.CLOSED and _amounts(response.body) != _amounts(current):
                raise Problem(409, "catalogue-changed")
        return response, priced


def _explanation(priced: PricedCheckout, language: str, uuid: str) -> bytes:
    return _encode(wire.ExplanationEnvelope(_Writer(priced, language).explanation(uuid)))


class _Writer(ViewWriter):
    def __init__(self, priced: PricedCheckout, language: str) -> None:
        super().__init__(language, priced.channel.currency)
        self.priced = priced
        self.unit = currency(priced.channel.currency)
        self.items_of = {f"line {ids[0]}": ids for ids in priced.members}

    def explanation(self, uuid: str) -> wire.ExplanationView:
        totals, members = self.priced.totals, self.priced.members
        whole = checkout_trace(totals, currency=self.unit, name=self.name)
        of_items = item_trace(totals, members, currency=self.unit, name=self.name)
        return wire.ExplanationView(
            uuid=uuid,
            currency=self.unit.code,
            figures=self.figures(wire.CheckoutFiguresView, whole, None),
            items=[
                wire.ItemExplanationView(item.id, self.figures(wire.ItemFiguresView, of_items, item.id))
                for item in self.priced.checkout.items
            ],
        )

    def name(self, discount: AutomaticDiscount | PromoCode) -> str:
        if isinstance(discount, PromoCode):
            return discount.code
        return discount.name.in_language(self.language) or str(discount.id)

    def figures(self, view: type[_Figures], trace: Trace, item: int | None) -> _Figures:
        return view(*[list(map(self.step, trace.of(name, line=item))) for name in view.__struct_fields__])

    def step(self, step: Step) -> wire.StepView:
        is_carried = step.rule is StepKind.CARRIED
        items = self.items_of.get(step.source, ()) if is_carried else ()
        source = to_camel(step.source) if is_carried else step.source
        return wire.StepView(
            rule=step.rule.name,
            source=None if items else source or None,
            item_ids=items,
            amount=self.amount(step.amount),
            note=step.note or None,
        )


def _amounts(response: bytes) -> list[Any]:
    checkout: Any = msgspec.json.decode(response)["data"]
    return [
        *(checkout.get(name) for name in wire.CheckoutFiguresView.__struct_encode_fields__),
        *(code["totalAmount"] for code in checkout["promoCodes"]),
        *(voucher["amount"] for voucher in checkout["vouchers"]),
        *(item[name] for item in checkout["items"] for name in wire.ItemFiguresView.__struct_encode_fields__),
    ]
