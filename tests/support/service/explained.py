"""Invariants of every explanation: its steps add up to the checkout's amounts, with matching sources."""

from collections.abc import Sequence
from typing import Any

from support.service.service import Json

OF_ITEMS = (
    *("listPriceGross", "listPriceNet", "promoCodeDiscount", "autoDiscountAmount"),
    *("totalDiscountGross", "totalDiscountNet", "totalGross", "totalNet"),
)
OF_CHECKOUTS = (*OF_ITEMS, "totalSubscriptionGross", "totalSubscriptionNet", "donation", "amountDue")


def assert_explained(explanation: Json, checkout: Json) -> None:
    """Check that *explanation* matches *checkout*, in the same language, to the last cent."""
    assert (explanation["uuid"], explanation["currency"]) == (checkout["uuid"], checkout["currency"])
    _assert_figures(explanation["figures"], _amounts(checkout), OF_CHECKOUTS)
    for told, item in zip(explanation["items"], checkout["items"], strict=True):
        assert told["id"] == item["id"]
        _assert_figures(told["figures"], item, OF_ITEMS)
    _assert_items(explanation["figures"], {item["id"]: item for item in checkout["items"]})
    _assert_sources(explanation["figures"], checkout)


def _amounts(checkout: Json) -> Json:
    """Return the figures of a checkout as numbers."""
    paid = sum(voucher["amount"] for voucher in checkout["vouchers"])
    donation = checkout["donation"]["amount"] if checkout["donation"] else 0
    return {**checkout, "donation": donation, "amountDue": checkout["totalGross"] - paid}


def _assert_figures(figures: Json, amounts: Json, names: Sequence[str]) -> None:
    assert figures.keys() == set(names)
    for name in names:
        assert sum(step["amount"] for step in figures[name]) == amounts[name], name
        for step in figures[name]:
            if step["rule"] == "CARRIED" and step["source"]:
                assert step["amount"] == amounts[step["source"]], (name, step)


def _assert_items(figures: Json, items: dict[int, Any]) -> None:
    """Check the amounts carried from items."""
    for name in OF_ITEMS:
        for step in figures[name]:
            if step["itemIds"]:
                assert step["rule"] == "CARRIED"
                assert step["amount"] == sum(items[item_id][name] for item_id in step["itemIds"])


def _assert_sources(figures: Json, checkout: Json) -> None:
    codes = {code["code"]: code["totalAmount"] for code in checkout["promoCodes"] if code["valid"]}
    names = {discount["displayName"] for discount in checkout["autoDiscounts"]}
    vouchers = {voucher["code"]: -voucher["amount"] for voucher in checkout["vouchers"]}
    told = {step["source"]: step["amount"] for step in figures["promoCodeDiscount"]}
    assert told == {code: amount for code, amount in codes.items() if amount}
    assert {step["source"] for step in figures["autoDiscountAmount"]} == names
    paid = {step["source"]: step["amount"] for step in figures["amountDue"] if step["rule"] == "VOUCHER"}
    assert paid == vouchers
