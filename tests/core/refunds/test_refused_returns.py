"""Returns, earlier quotes, orders and terms that are refused. Decisions §20."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from faregate.basket.lines import Line
from faregate.discounts.kinds import Absolute
from faregate.errors import InvalidRefund
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits, returned_items
from faregate.refunds.policy import FeeStep, RefundPolicy
from faregate.refunds.quoting import refund_quote
from faregate.totals.pipeline import checkout_totals
from support.refunds.box_office import AT, LUNCH, REDUCED, TICKETS, VAT, line, order_of, quote


def messages(error: pytest.ExceptionInfo[InvalidRefund]) -> tuple[str, ...]:
    return error.value.messages


def test_every_fault_of_a_return_is_listed() -> None:
    order = order_of(TICKETS, LUNCH)
    earlier = quote(order, line(2))
    returned = [line(9), line(2), line(1, 1, 2, 1)]

    with pytest.raises(InvalidRefund) as error:
        refund_quote(order, returned, at=datetime(2026, 11, 2), refunded=[earlier])  # noqa: DTZ001

    assert messages(error) == (
        "at: expected a datetime with a UTC offset, got 2026-11-02 00:00:00",
        "returned[0]: unknown line 9, expected one of [1, 2]",
        "returned[1]: unit 0 of line 2 is returned already",
        "returned[2]: line 1 has no unit 2, expected 0 to 1",
        "returned[2]: unit 1 of line 1 is returned already",
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"returned": [1]}, "returned contains 1, expected ReturnedUnits"),
        ({"refunded": [1]}, "refunded contains 1, expected RefundQuote"),
        ({"at": "2026-11-02"}, "at: expected a datetime with a UTC offset, got 2026-11-02"),
    ],
)
def test_arguments_of_the_wrong_kind_are_refused(given: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"returned": [], "at": AT} | given

    with pytest.raises(InvalidRefund) as error:
        refund_quote(order_of(TICKETS), **arguments)

    assert messages(error) == (message,)


def test_quotes_of_another_order_are_refused() -> None:
    other = quote(order_of(Line(7, 100, 1, VAT)), line(7))

    with pytest.raises(InvalidRefund) as error:
        quote(order_of(TICKETS), line(1), refunded=[other])

    assert messages(error) == ("refunded[0]: line 7 does not fit the order",)


@pytest.mark.parametrize(
    "changed",
    [
        {"rate": REDUCED},
        {"credited": (7900,)},
        {"units": (2,)},
        {"units": (0, 0), "paid": 15_800},
        {"paid": 7800},
        {"credited": (8000, 0), "gross": 8000},
        {"gross": 7899},
    ],
)
def test_a_quote_that_was_changed_is_refused(changed: dict[str, Any]) -> None:
    order = order_of(TICKETS)
    sound = quote(order, line(1, 0))

    with pytest.raises(InvalidRefund) as error:
        quote(order, line(1, 1), refunded=[replace(sound, lines=(replace(sound.lines[0], **changed),))])

    assert messages(error)[0] == "refunded[0]: line 1 does not fit the order"


@pytest.mark.parametrize(
    "changed", [{"amount": 7899}, {"donation": 1}, {"payments": ()}, {"vat_breakdown": ()}, {"lines": ()}]
)
def test_a_quote_whose_amounts_do_not_add_up_is_refused(changed: dict[str, Any]) -> None:
    order = order_of(TICKETS)

    with pytest.raises(InvalidRefund) as error:
        quote(order, line(1, 1), refunded=[replace(quote(order, line(1, 0)), **changed)])

    assert messages(error) == ("refunded[0]: its amounts do not add up",)


def test_a_quote_given_twice_and_one_paid_back_otherwise_are_refused() -> None:
    order = order_of(TICKETS)
    first = quote(order, line(1, 0))
    to_cash = replace(quote(order, line(1, 1)), payments=(Payment(name="cash", amount=7900),))

    with pytest.raises(InvalidRefund) as error:
        quote(order, refunded=[first, first, to_cash])

    assert messages(error) == (
        "refunded[1]: an earlier quote has units of line 1 that this one has too",
        "refunded[2]: the order was not paid with 'cash'",
    )


@pytest.mark.parametrize("amounts", [(), (15_799,), (15_801,), (15_800, 15_800)])
def test_payments_must_add_up_to_the_amount_due(amounts: tuple[int, ...]) -> None:
    payments = tuple(Payment(name=f"card {n}", amount=amount) for n, amount in enumerate(amounts))

    with pytest.raises(InvalidRefund, match=r"^payments: expected payments of 15800 in total, the amount"):
        PaidOrder(totals=checkout_totals([TICKETS]), payments=payments)


def test_payments_have_different_names() -> None:
    half = Payment(name="card", amount=7900)

    with pytest.raises(InvalidRefund, match=r"^payments: the name 'card' is used 2 times, expected"):
        PaidOrder(totals=checkout_totals([TICKETS]), payments=(half, half))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"notice": timedelta(days=-1)}, "expected a notice from 0 to 36525 days, got -1 day, 0:00:00"),
        ({"notice": timedelta(days=36_526)}, "expected a notice from 0 to 36525 days"),
        ({"fee": Absolute(500)}, "^the fee has no VAT rate: give rate"),
    ],
)
def test_impossible_fees_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRefund, match=message):
        FeeStep(**fields)


@pytest.mark.parametrize("days", [0, 36_525])
def test_a_notice_is_at_most_a_century(days: int) -> None:
    assert FeeStep(notice=timedelta(days=days)).notice == timedelta(days)


def test_fees_must_cover_late_returns_too() -> None:
    with pytest.raises(InvalidRefund, match=r"^the last fee step has a notice"):
        RefundPolicy(fees=(FeeStep(notice=timedelta(days=1)),))


def test_unknown_items_are_all_named() -> None:
    assert returned_items([(1, 4), (2,)], [4]) == (ReturnedUnits(line=1, units=(1,)),)
    with pytest.raises(InvalidRefund) as error:
        returned_items([(1, 4)], [4, 5, 6])

    assert messages(error) == ("unknown item 5", "unknown item 6")
