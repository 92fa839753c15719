"""The compared part of a response, as predicted and as received; amounts as in the JSON."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from support.model.naive_baskets import Basket, Item, is_deletable
from support.model.naive_payments import Payment
from support.model.naive_prices import Bill, Json, Row
from support.model.tables import VARIANTS

STATUS_OF_ITEMS = {"OPEN": "RESERVED", "CLOSED": "SOLD", "EXPIRED": "RELEASED"}


def picture_of(basket: Basket, status: str, provider: str | None) -> Json:
    """Return the view of a checkout."""
    bill = basket.bill()
    rows = bill.rows
    donation = basket.donation
    gross, net = bill.total_gross - donation, bill.total_net - donation
    discounts = [sum(row.discount[side] for row in rows.values()) for side in (0, 1)]
    winners = [row.winner for _, row in sorted(rows.items()) if row.winner is not None]
    return {
        "status": status,
        "times": [_text(at) for at in (basket.started, basket.changed, basket.expires)],
        "hasReference": basket.is_closed,
        "provider": provider,
        "items": [_item(item_id, basket, rows[item_id], status) for item_id in basket.items],
        "listPrice": _major(gross + discounts[0], net + discounts[1]),
        "totalDiscount": _major(*discounts),
        "total": _major(bill.total_gross, bill.total_net),
        "promoCodeDiscount": sum(row.promo for row in rows.values()) / 100,
        "autoDiscountAmount": sum(row.automatic for row in rows.values()) / 100,
        "autoDiscounts": list(dict.fromkeys(winners)),
        "promoCodes": [_code(code, result) for code, result in bill.codes.items()],
        "vouchers": [[code, amount / 100] for code, amount in bill.vouchers.items()],
        "donation": donation / 100,
        "requiresShippingAddress": basket.is_sent,
        "weatherGuarantee": _guarantee(basket),
        "subscription": [0, 0],
    }


def _item(item_id: int, basket: Basket, row: Row, status: str) -> list[Any]:
    item = basket.items[item_id]
    wish, parent = item.asked.wish, item.asked.parent
    children = [key for key, other in basket.items.items() if other.asked.parent == item_id]
    prices = [total + discount for total, discount in zip(row.total, row.discount, strict=True)]
    return [
        item_id,
        parent,
        STATUS_OF_ITEMS[status],
        wish.variant,
        list(wish.period) if wish.period else None,
        children,
        VARIANTS[wish.variant].rate / 10_000,
        is_deletable(item),
        _is_guaranteed(children, basket.items),
        [row.winner, row.automatic / 100, row.promo / 100],
        [_major(*prices), _major(*row.discount), _major(*row.total)],
    ]


def _is_guaranteed(children: Iterable[int], items: dict[int, Item]) -> bool:
    components = [items[child].component for child in children]
    return any(component is not None and component[0] == "guarantee" for component in components)


def _code(code: str, result: Json) -> Json:
    if "amount" in result:
        return {"code": code, "valid": True, "totalAmount": result["amount"] / 100}
    return {"code": code, "valid": False, "totalAmount": 0, **result}


def _guarantee(basket: Basket) -> Json:
    variants = [VARIANTS[item.asked.wish.variant] for item in basket.items.values() if item.component is None]
    prices = [variant.guarantee for variant in variants if variant.guarantee]
    selected = bool(basket.values.get("weatherGuarantee"))
    return {"available": bool(prices), "selected": selected, "price": sum(prices) / 100}


def standing_of(payment: Payment | None, bill: Bill | None, now: datetime) -> Json:
    """Return the payment status; without a payment, the amount due."""
    if payment is None:
        total = 0 if bill is None else bill.total_gross
        return {"status": "PENDING", "totalAmount": total / 100, "errors": [], "primary": None}
    status, paid = payment.as_of(now), payment.vouchers
    amount = payment.amount
    if payment.provider == "ON_SITE":  # in cash, to five centimes
        amount = (amount + 2) // 5 * 5
    return {
        "status": status,
        "totalAmount": (payment.amount + sum(paid)) / 100,
        "errors": payment.errors,
        "primary": payment.provider and [payment.provider, status, amount / 100],
    } | ({"secondary": [["VOUCHER_B", status, amount / 100] for amount in paid]} if paid else {})


def _major(*cents: int) -> list[float]:
    return [amount / 100 for amount in cents]


def _text(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03}Z"


def seen(data: Json) -> Json:
    """Return the view of a received checkout."""
    return {
        "status": data["status"],
        "times": [data[name] for name in ("startedAt", "lastUpdateAt", "expiresAt")],
        "hasReference": data["referenceNumber"] is not None,
        "provider": data["paymentMethod"] and data["paymentMethod"]["provider"],
        "items": [_seen_item(item) for item in data["items"]],
        "listPrice": _sides(data, "listPrice"),
        "totalDiscount": _sides(data, "totalDiscount"),
        "total": _sides(data, "total"),
        "promoCodeDiscount": data["promoCodeDiscount"],
        "autoDiscountAmount": data["autoDiscountAmount"],
        "autoDiscounts": [discount["id"] for discount in data["autoDiscounts"]],
        "promoCodes": [
            {
                name: code[name]
                for name in ("code", "valid", "totalAmount", "reason", "missing")
                if name in code
            }
            for code in data["promoCodes"]
        ],
        "vouchers": [[voucher["code"], voucher["amount"]] for voucher in data["vouchers"]],
        "donation": data["donation"]["amount"] if data["donation"] else 0,
        "requiresShippingAddress": data["requiresShippingAddress"],
        "weatherGuarantee": data["metadata"]["weatherGuarantee"],
        "subscription": _sides(data, "totalSubscription"),
    }


def _seen_item(item: Json) -> list[Any]:
    period = item["validity"]
    winner = item["autoDiscount"]
    return [
        item["id"],
        item["parentItemId"],
        item["status"],
        item["productVariant"]["id"],
        [period["from"], period["to"]] if period else None,
        [child["id"] for child in item["childItems"]],
        item["vatRate"],
        item["isDeletable"],
        item["hasWeatherGuarantee"],
        [winner["id"] if winner else None, item["autoDiscountAmount"], item["promoCodeDiscount"]],
        [_sides(item, name) for name in ("listPrice", "totalDiscount", "total")],
    ]


def _sides(data: Json, name: str) -> list[float]:
    return [data[f"{name}Gross"], data[f"{name}Net"]]


def seen_standing(data: Json) -> Json:
    """Return the view of a received payment."""
    primary = data["primaryPaymentProvider"]
    standing = {
        "status": data["status"],
        "totalAmount": data["totalAmount"],
        "errors": data["errors"],
        "primary": primary and _provider(primary),
    }
    if "secondaryPaymentProviders" in data:
        standing["secondary"] = [_provider(provider) for provider in data["secondaryPaymentProviders"]]
    return standing


def _provider(provider: Json) -> list[Any]:
    return [provider["type"], provider["status"], provider["amount"]]
