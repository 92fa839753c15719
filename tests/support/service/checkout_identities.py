"""Identities that hold for every checkout in a response. Decisions §5, §1.2 and §11.3.

Written from the decisions alone, in decimal arithmetic on the numbers as sent.
"""

from collections import defaultdict
from decimal import Decimal
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_DECIMALS = {"CHF": 2, "EUR": 2, "JPY": 0, "KWD": 3}
_FIRST_SERVICE_ID = 2**31
_SUMMED = (
    "listPriceGross",
    "listPriceNet",
    "promoCodeDiscount",
    "autoDiscountAmount",
    "totalDiscountGross",
    "totalDiscountNet",
)
_AMOUNTS_OF_AN_ITEM = (*_SUMMED, "totalGross", "totalNet")
_AMOUNTS_OF_A_CHECKOUT = (*_AMOUNTS_OF_AN_ITEM, "totalSubscriptionGross", "totalSubscriptionNet")


def assert_identities(data: Json, *, net_prices: bool = False) -> None:
    """Check all identities of the checkout *data*; *net_prices*: its channel sets net prices."""
    _assert_amounts(data)
    _assert_tree(data["items"])
    _assert_sums(data)
    _assert_discounts(data, basis="Net" if net_prices else "Gross")
    _assert_vouchers(data)
    _assert_components(data)


def _assert_amounts(data: Json) -> None:
    decimals = _DECIMALS[data["currency"]]
    amounts = [data[name] for name in _AMOUNTS_OF_A_CHECKOUT]
    amounts += [item[name] for item in data["items"] for name in _AMOUNTS_OF_AN_ITEM]
    amounts += [code["totalAmount"] for code in data["promoCodes"]]
    amounts += [voucher["amount"] for voucher in data["vouchers"]]
    amounts += [data["donation"]["amount"]] if data["donation"] else []
    amounts += [data["metadata"]["weatherGuarantee"]["price"]]
    for amount in amounts:
        assert amount >= 0
        _assert_plain(amount, decimals)
    for item in data["items"]:
        _assert_plain(item["vatRate"], 4)


def _assert_plain(number: int | Decimal, decimals: int) -> None:
    """Check for at most *decimals* decimals, without float noise, trailing zeros or exponents."""
    if isinstance(number, Decimal):
        written = number.as_tuple()
        assert isinstance(written.exponent, int)
        assert -decimals <= written.exponent < 0
        assert written.digits[-1] != 0


def _assert_tree(items: list[Json]) -> None:
    references = {
        item["id"]: {"id": item["id"], "productVariantId": item["productVariant"]["id"]} for item in items
    }
    assert len(references) == len(items)
    seen: set[int] = set()
    children = defaultdict(list)
    for item in items:
        parent = item["parentItemId"]
        assert parent is None or parent in seen
        assert item["parentItem"] == (None if parent is None else references[parent])
        seen.add(item["id"])
        children[parent].append(references[item["id"]])
    for item in items:
        assert item["childItems"] == children[item["id"]]


def _assert_sums(data: Json) -> None:
    items = data["items"]
    for name in _SUMMED:
        assert data[name] == sum(item[name] for item in items), name
    donation = data["donation"]["amount"] if data["donation"] else 0
    for side in ("Gross", "Net"):
        list_price, discount, total = (f"{part}{side}" for part in ("listPrice", "totalDiscount", "total"))
        for item in items:
            assert item[total] == item[list_price] - item[discount]
        assert data[total] == data[list_price] - data[discount] + donation
        assert data[total] == sum(item[total] for item in items) + donation
        subscribed = [item[total] for item in items if item["productVariant"]["product"]["isSubscription"]]
        assert data[f"totalSubscription{side}"] == sum(subscribed)
    for item in items:
        assert 0 <= item["totalDiscountGross"] <= item["listPriceGross"]
        assert 0 <= item["totalNet"] <= item["totalGross"]
        if item["vatRate"] == 0:
            assert item["totalNet"] == item["totalGross"]
            assert item["listPriceNet"] == item["listPriceGross"]


def _assert_discounts(data: Json, *, basis: str) -> None:
    winners: dict[int, Json] = {}
    for item in sorted(data["items"], key=lambda item: int(item["id"])):
        assert (item["autoDiscount"] is None) == (item["autoDiscountAmount"] == 0)
        assert item[f"totalDiscount{basis}"] == item["promoCodeDiscount"] + item["autoDiscountAmount"]
        if item["autoDiscount"]:
            winners.setdefault(item["autoDiscount"]["id"], item["autoDiscount"])
    assert data["autoDiscounts"] == list(winners.values())
    valid = [code["totalAmount"] for code in data["promoCodes"] if code["valid"]]
    assert data["promoCodeDiscount"] == sum(valid)
    assert all(code["totalAmount"] == 0 for code in data["promoCodes"] if not code["valid"])
    codes = [code["code"] for code in data["promoCodes"]]
    assert len(codes) == len(set(codes))


def _assert_vouchers(data: Json) -> None:
    donation = data["donation"]["amount"] if data["donation"] else 0
    assert sum(voucher["amount"] for voucher in data["vouchers"]) <= data["totalGross"] - donation


def _assert_components(data: Json) -> None:
    """Check that automatic fees have a parent and a service-assigned id, and cannot be removed alone."""
    guarantee = data["metadata"]["weatherGuarantee"]
    guaranteed = [item for item in data["items"] if item["hasWeatherGuarantee"]]
    assert bool(guaranteed) <= guarantee["selected"]
    for item in guaranteed:
        assert item["supportsWeatherGuarantee"]
        assert any(child["id"] >= _FIRST_SERVICE_ID for child in item["childItems"])
    supporting = [item for item in data["items"] if item["supportsWeatherGuarantee"]]
    assert guarantee["available"] == bool(supporting)
    if guarantee["selected"]:
        assert len(guaranteed) == len(supporting)
