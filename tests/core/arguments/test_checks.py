"""Checks of arguments at the boundary."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, ClassVar

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.arguments.checks import Whole, _exact, checked, option
from faregate.arguments.fields import camel_case, field_names, fields_of
from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.catalogue.calendars import MonthDay, Season, Span
from faregate.checkout.requirements import Customer
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import DateRange, Interval
from faregate.dates.months import MonthEnd, add_months
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.errors import (
    InvalidAmount,
    InvalidDiscount,
    InvalidInput,
    InvalidLines,
    InvalidOption,
    InvalidPeriod,
    InvalidVoucher,
    InvalidWeights,
)
from faregate.explanations.differences import difference
from faregate.explanations.explanation import explain
from faregate.insights.distribution import PriceDistribution
from faregate.money.allocation import allocate
from faregate.money.amounts import Money
from faregate.money.currency import currency
from faregate.money.rounding import RoundingMode, divide_rounded
from faregate.refunds.orders import PaidOrder
from faregate.refunds.quoting import refund_quote
from faregate.subscriptions.changes import Plan, change_quote
from faregate.subscriptions.proration import proration
from faregate.subscriptions.rules import Monthly, Yearly
from faregate.subscriptions.schedule import billing_period, next_billing_date, renewal_date, renewal_dates
from faregate.subscriptions.terms import SubscriptionTerms
from faregate.tax.rates import Tie, net_from_gross
from faregate.totals.pipeline import checkout_totals
from faregate.validity.options import ValidityQuery
from support.shops.small_shop import VAT, ZURICH


@pytest.mark.parametrize("member", RoundingMode)
def test_an_option_is_a_member_or_exactly_its_value(member: RoundingMode) -> None:
    assert option(RoundingMode, member, "mode") is member
    assert option(RoundingMode, member.value, "mode") is member


@pytest.mark.parametrize("value", ["NET", " net", "", None, True, 0, b"net", Tie.NET, PriceBasis])
def test_anything_else_is_refused_with_the_choices(value: object) -> None:
    with pytest.raises(InvalidOption) as refused:
        option(PriceBasis, value, "price_basis")

    assert str(refused.value) == f"price_basis is {value!r}, expected 'gross' or 'net'"
    assert (refused.value.option, refused.value.value) == ("price_basis", value)
    assert refused.value.choices == ("gross", "net")


@dataclass(frozen=True, slots=True)
@checked(InvalidInput, size=Whole(1))
class Shelf:
    """A class whose annotations define its fields, except for ``size``."""

    places: ClassVar = 5
    name: str
    size: int
    basis: PriceBasis | None = None
    label: str = field(init=False, default="")


def test_fields_are_checked_against_their_annotations() -> None:
    assert Shelf("low", 3, None) == Shelf("low", 3)
    for fields, message in (
        ({"name": 3, "size": 3}, "name is 3, expected a str"),
        ({"name": "low", "size": 0}, "size is 0, expected an int of at least 1"),
        ({"name": "low", "size": 3, "basis": "high"}, "basis is 'high', expected 'gross' or 'net'"),
    ):
        with pytest.raises(InvalidInput) as refused:
            WRONG(Shelf, **fields)()
        assert str(refused.value) == message


WRONG: Any = lambda kind, /, **fields: lambda: kind(**fields)  # noqa: E731 - calls that no type checker lets pass


@pytest.mark.parametrize(
    ("made", "error", "message"),
    [
        (
            WRONG(Scope, categories=frozenset({"1"})),
            InvalidDiscount,
            "categories contains '1', expected an int",
        ),
        (
            WRONG(Scope, products=frozenset({True})),
            InvalidDiscount,
            "products contains True, expected an int",
        ),
        (
            WRONG(Scope, attributes={"a": "b"}),
            InvalidDiscount,
            "attributes is {'a': 'b'}, expected a frozenset",
        ),
        (WRONG(Scope, attributes=frozenset({("a",)})), InvalidDiscount, "expected a tuple of 2"),
        (WRONG(Scope, days="2026-12-01"), InvalidDiscount, "days is '2026-12-01', expected a DateRange"),
        (WRONG(Conditions, channels="WEB"), InvalidDiscount, "channels is 'WEB', expected a frozenset"),
        (
            WRONG(PromoCode, code="X", kind=10),
            InvalidDiscount,
            "kind is 10, expected an Absolute, Percentage",
        ),
        (WRONG(PromoCode, code=7, kind=PerUnit(1)), InvalidDiscount, "code is 7, expected a str"),
        (WRONG(Voucher, code="V", balance=1, single_purpose=7), InvalidVoucher, "expected a VatRate"),
        (
            WRONG(TotalsPolicy, price_basis="Net"),
            InvalidOption,
            "price_basis is 'Net', expected 'gross' or 'net'",
        ),
        (WRONG(TotalsPolicy, vouchers_pay_donation=1), InvalidInput, "expected a bool"),
        (
            WRONG(Percentage.percent, percent=10, level="row"),
            InvalidOption,
            "level is 'row', expected 'cart' or 'line'",
        ),
        (
            WRONG(SubscriptionTerms, rule="monthly"),
            InvalidPeriod,
            "rule is 'monthly', expected an EveryDays",
        ),
    ],
)
def test_a_value_checks_its_fields_on_construction(
    made: Callable[[], object], error: type[InvalidInput], message: str
) -> None:
    with pytest.raises(error) as refused:
        made()

    assert message in str(refused.value)


def test_options_are_kept_as_members_and_lists_as_tuples() -> None:
    assert TotalsPolicy(price_basis="net").price_basis is PriceBasis.NET  # type: ignore[arg-type]
    assert Percentage.percent(10, level="line").level is DiscountLevel.LINE  # type: ignore[arg-type]
    assert Conditions(thresholds=[Threshold(spend=1)]).thresholds == (Threshold(spend=1),)  # type: ignore[arg-type]
    assert Scope(products={11}).products == frozenset({11})  # type: ignore[arg-type]


MONTH = DateRange(date(2026, 4, 1), date(2026, 5, 1))


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: divide_rounded(4, 2, mode=wrong),
        lambda wrong: allocate(0, [1], mode=wrong),
        lambda wrong: net_from_gross(100, VAT, tie=wrong),
        lambda wrong: proration(part=MONTH, whole=MONTH, convention=wrong),
        lambda wrong: add_months(date(2026, 1, 1), 1, month_end=wrong),
        lambda wrong: renewal_date(Monthly(), anchor=date(2026, 1, 1), index=1, month_end=wrong),
        lambda wrong: validity_from(
            Duration(days=1), datetime(2026, 1, 1, tzinfo=UTC), ZURICH, last_day=wrong
        ),
        lambda wrong: PriceDistribution.from_prices([1]).percentile_rank(1, kind=wrong),
        lambda wrong: PriceDistribution.from_prices([1]).quantile(50, method=wrong),
    ],
)
@pytest.mark.parametrize("wrong", ["rubbish", None, False])
def test_a_function_refuses_an_option_that_does_not_exist(call: Callable[[Any], object], wrong: Any) -> None:
    with pytest.raises(InvalidOption, match="expected"):
        call(wrong)


def test_a_function_takes_an_option_as_text() -> None:
    assert divide_rounded(5, 2, mode="half_even") == 2  # type: ignore[arg-type]
    assert allocate(100, [2, 3, 1], mode="first") == (34, 50, 16)  # type: ignore[arg-type]
    assert add_months(date(2024, 1, 31), 1, month_end="forward") == date(2024, 3, 1)  # type: ignore[call-overload]
    assert renewal_date(Monthly(), anchor=date(2024, 1, 31), index=2, month_end="omit") == renewal_date(  # type: ignore[arg-type]
        Monthly(), anchor=date(2024, 1, 31), index=2, month_end=MonthEnd.OMIT
    )


TICKET: Any = Line(1, 1000, 1, VAT)
_context: Any = Context
TEN_OFF = Percentage.percent(10)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"promo_codes": [AutomaticDiscount(id=1, kind=TEN_OFF)]},
            InvalidDiscount,
            "expected PromoCode or Unk",
        ),
        ({"automatic": [PromoCode(code="X", kind=TEN_OFF)]}, InvalidDiscount, "expected AutomaticDiscount"),
        ({"promo_codes": ["X"]}, InvalidDiscount, "promo_codes contains 'X', expected PromoCode"),
        (
            {"promo_codes": PromoCode(code="X", kind=TEN_OFF)},
            InvalidDiscount,
            r"write \[PromoCode\(\.\.\.\)\]",
        ),
        ({"vouchers": Voucher(code="X", balance=1)}, InvalidVoucher, r"write \[Voucher\(\.\.\.\)\]"),
        ({"policy": {}}, InvalidInput, "policy is {}, expected a TotalsPolicy"),
        ({"context": {}}, InvalidInput, "context is {}, expected a Context"),
        ({"context": _context(account="7")}, InvalidInput, "context.account is '7', expected an int"),
        (
            {"context": _context(customer_groups="staff")},
            InvalidInput,
            "context.customer_groups is 'staff', expected a frozenset",
        ),
        ({"context": _context(channel=7)}, InvalidInput, "context.channel is 7, expected a str"),
        ({"context": Context(at=datetime(2026, 1, 1))}, InvalidPeriod, "has no UTC offset"),  # noqa: DTZ001
        ({"donation": True}, InvalidAmount, "donation is True, expected an int of at least 0"),
    ],
)
def test_a_checkout_refuses_invalid_arguments(
    arguments: dict[str, Any], error: type[InvalidInput], message: str
) -> None:
    with pytest.raises(error, match=message):
        checkout_totals([TICKET], **arguments)


WRONG_FIELDS = {
    "key": "1",
    "unit_price": True,
    "quantity": True,
    "rate": TEN_OFF,
    "product": "11",
    "variant": 1.0,
    "attributes": {"a": "b"},
    "discount_card": False,
    "validity": DateRange(date(2026, 1, 1), date(2026, 1, 2)),
    "floor_price": "0",
    "discountable": 0,
    "counted": None,
    "is_subscription": 1,
    "recurring_price": 1.5,
}


@pytest.mark.parametrize(("field", "wrong"), WRONG_FIELDS.items(), ids=list(WRONG_FIELDS))
@pytest.mark.parametrize("take", [checkout_totals, pricing_lines])
def test_a_line_with_a_field_of_the_wrong_type_is_refused(take: Any, field: str, wrong: object) -> None:
    with pytest.raises(InvalidLines, match=field):
        take([TICKET._replace(key=2), TICKET._replace(**{field: wrong})])


def test_every_wrong_field_of_every_line_is_listed() -> None:
    naive = Interval(datetime(2026, 1, 1), datetime(2026, 1, 2))  # noqa: DTZ001
    odd = frozenset({("age",)})

    with pytest.raises(InvalidLines) as refused:
        checkout_totals(
            [TICKET._replace(validity=naive, floor_price=-1), TICKET._replace(key=2, attributes=odd)]
        )

    assert refused.value.messages == (
        "line 1: validity contains 2026-01-01T00:00:00, which has no UTC offset",
        "line 1: floor_price is -1, expected at least 0",
        "line 2: attributes contain ('age',), expected pairs of strings",
    )


def test_lines_may_come_from_a_generator() -> None:
    assert checkout_totals(line for line in [TICKET]) == checkout_totals((TICKET,))


def test_a_value_of_the_wrong_type_is_named() -> None:
    with pytest.raises(InvalidLines, match=r"^lines is 'ab', expected a list"):
        checkout_totals("ab")  # type: ignore[arg-type]
    with pytest.raises(InvalidLines, match="line 0 of the basket is a dict, expected Line"):
        checkout_totals([{}])  # type: ignore[list-item]
    with pytest.raises(InvalidLines, match="validity contains 1, expected two datetimes"):
        checkout_totals([TICKET._replace(validity=Interval(1, 2))])  # type: ignore[arg-type]
    with pytest.raises(InvalidLines, match="zone is a int, expected a time zone or its name"):
        checkout_totals([TICKET._replace(zone=5)])
    with pytest.raises(InvalidDiscount, match="days is 1, expected a DateRange"):
        WRONG(Scope, days=1)()


NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)
FIRST = date(2026, 4, 1)
PLAN, DAY = Plan(price=1000, rule=Monthly()), {"anchor": FIRST, "on": FIRST}
ORDER = PaidOrder(totals=checkout_totals([]))


@pytest.mark.parametrize(
    ("function", "values", "named", "message"),
    [
        (change_quote, [1, PLAN], DAY, "old is 1, expected a Plan"),
        (change_quote, [PLAN, PLAN], DAY | {"policy": "now"}, "policy is 'now', expected a ChangePolicy"),
        (change_quote, [PLAN, PLAN], DAY | {"anchor": "2026"}, "anchor is '2026', expected a date"),
        (change_quote, [PLAN, PLAN], DAY | {"on": NOON}, "on is datetime.*, expected a date"),
        (next_billing_date, [Monthly()], {"anchor": NOON, "after": FIRST}, "anchor is datetime.*, expected"),
        (next_billing_date, [Monthly()], {"anchor": FIRST, "after": NOON}, "after is datetime.*, expected"),
        (billing_period, [Monthly()], {"anchor": FIRST, "day": NOON}, "day is datetime.*, expected a date"),
        (renewal_dates, [Yearly()], {"anchor": "2026-04-01", "count": 1}, "anchor is '2026-04-01', expect"),
        (renewal_dates, ["yearly"], {"anchor": FIRST, "count": 1}, "rule is 'yearly', expected a renewal"),
        (renewal_date, [Yearly], {"anchor": FIRST, "index": 1}, "rule is <class '.*Yearly'>, expected a"),
        (difference, [ORDER.totals, 2], {}, "old is a CheckoutTotals, expected an Explanation or Trace"),
        (ValidityQuery, [11, "2026-04-01"], {}, "first_day is '2026-04-01', expected a date"),
        (ValidityQuery, [11], {"durations": ["P1D"]}, "durations contains 'P1D', expected a Duration"),
        (ValidityQuery, [11], {"variants": 101}, "variants is 101, expected a tuple"),
        (checkout_totals, ["AB"], {}, r"lines is 'AB', expected a list: write \['AB'\] for a single value"),
        (difference, [1, 2], {}, "old is 1, expected an Explanation or Trace"),
        (refund_quote, [1, []], {"at": NOON}, "order is 1, expected a PaidOrder"),
        (refund_quote, [ORDER, []], {"at": NOON, "policy": "x"}, "policy is 'x', expected a RefundPolicy"),
    ],
)
def test_a_function_refuses_values_of_another_type(
    function: Any, values: list[Any], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        function(*values, **named)


def test_tiny_percentages_are_refused() -> None:
    with pytest.raises(InvalidDiscount, match=r"for 10 % write Percentage\.percent\(10\)$"):
        Percentage(parts_per_million=10)
    assert hash(explain(checkout_totals([TICKET])).trace)


@pytest.mark.parametrize("weights", [[None, 2], ["1", 2], [True, 2], [1.0, 2]])
def test_weights_are_ints(weights: Any) -> None:
    with pytest.raises(InvalidWeights):
        allocate(300, weights)


def test_a_result_does_not_keep_the_lists_of_its_caller() -> None:
    given, codes = [TICKET], [PromoCode(code="TEN", kind=TEN_OFF)]
    totals = checkout_totals(given, promo_codes=codes)

    given.append(TICKET)
    codes.clear()

    assert totals == checkout_totals((TICKET,), promo_codes=(PromoCode(code="TEN", kind=TEN_OFF),))


def test_dataclasses_and_named_tuples_both_have_fields() -> None:
    francs = currency("CHF")
    start, end = datetime(2027, 1, 2, tzinfo=UTC), datetime(2027, 1, 3, tzinfo=UTC)

    assert fields_of(Money(7900, francs)) == {"amount": 7900, "currency": francs}
    assert [*fields_of(Interval(start, end)).values()] == [start, end]
    assert field_names(Duration) == field_names(Duration(days=3)) == ("months", "days", "seconds")


def test_other_values_have_no_fields() -> None:
    assert field_names(7900) == field_names(int) == ()


def test_copies_leave_out_derived_fields() -> None:
    season = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 15)),))

    assert pickle.loads(pickle.dumps(season)) == season


def test_the_hash_of_a_customer_ignores_answers_because_they_may_be_lists() -> None:
    assert hash(Customer({1: {"sports": ["ski"]}})) == hash(Customer({1: {"sports": []}}))


def test_a_pair_has_no_exact_type_check() -> None:
    assert _exact(tuple[int, str]) == (frozenset(), None)


def test_a_field_is_written_in_camel_case() -> None:
    assert camel_case("list_price_gross") == "listPriceGross"
