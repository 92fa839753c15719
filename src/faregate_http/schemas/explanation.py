"""Response with a price explanation, an extension that uses the specification's names for amounts."""

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
    """One of the signed amounts that add up to a figure; ``itemIds`` are the items that it comes from."""

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
    """Steps that add up to each figure of an item; a figure of 0 may have no steps."""

    total_gross: _Steps
    total_net: _Steps


class CheckoutFiguresView(_FiguresView):
    """Steps that add up to each figure of a checkout; ``amountDue`` is the amount left after vouchers."""

    total_subscription_gross: _Steps
    total_subscription_net: _Steps
    donation: _Steps
    total_gross: _Steps
    total_net: _Steps
    amount_due: _Steps


class ItemExplanationView(View):
    """Explanation of the prices of an item."""

    id: int
    figures: ItemFiguresView


class ExplanationView(View):
    """Explanation of the prices of a checkout. Amounts are in major units of ``currency``."""

    uuid: Uuid
    currency: str
    figures: CheckoutFiguresView
    items: list[ItemExplanationView]


class ExplanationEnvelope(Envelope[ExplanationView]):
    """Response with an explanation."""
