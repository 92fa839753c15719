"""Answer of the explanation of a checkout, an extension: the figures have the names of the specification."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from faregate.trace import StepKind
from faregate_http.schemas.base import Amount, Envelope, Uuid, View

_RULES = (
    *(
        StepKind.LIST_PRICE,
        StepKind.FIRST_PERIOD,
        StepKind.AUTOMATIC_DISCOUNT,
        StepKind.PROMO_CODE,
        StepKind.LARGEST_REMAINDER,
    ),
    *(StepKind.VAT, StepKind.GIVE_BACK, StepKind.DONATION, StepKind.VOUCHER, StepKind.CARRIED),
)
RuleName: TypeAlias = Annotated[
    str,
    Meta(extra_json_schema={"enum": [rule.name for rule in _RULES]}),
]


class StepView(View):
    """One signed amount of a figure; ``itemIds`` are the items that it comes from, where it is carried."""

    rule: RuleName
    source: str | None
    item_ids: tuple[int, ...]
    amount: Amount
    note: str | None


_Steps: TypeAlias = list[StepView]


class _FiguresView(View):
    list_price_gross: _Steps
    list_price_net: _Steps
    promo_code_discount: _Steps
    auto_discount_amount: _Steps
    total_discount_gross: _Steps
    total_discount_net: _Steps


class ItemFiguresView(_FiguresView):
    """The steps that add up to each figure of an item; of a figure that is 0 there may be none."""

    total_gross: _Steps
    total_net: _Steps


class CheckoutFiguresView(_FiguresView):
    """The steps that add up to each figure of a checkout; ``amountDue`` is what vouchers leave to pay."""

    total_subscription_gross: _Steps
    total_subscription_net: _Steps
    donation: _Steps
    total_gross: _Steps
    total_net: _Steps
    amount_due: _Steps


class ItemExplanationView(View):
    """Why an item costs what it costs."""

    id: int
    figures: ItemFiguresView


class ExplanationView(View):
    """Why a checkout costs what it costs. Money is in major units of ``currency``."""

    uuid: Uuid
    currency: str
    figures: CheckoutFiguresView
    items: list[ItemExplanationView]


class ExplanationEnvelope(Envelope[ExplanationView]):
    """What is answered with an explanation."""
