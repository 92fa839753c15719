"""Definitions of discounts, valid and invalid. Decisions §3.2, §3.7."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    DiscountType,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
    normalize_code,
)
from faregate.errors import InvalidDiscount

TEN_PERCENT = Percentage(parts_per_million=100_000)

# ---------------------------------------------------------------- kinds


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Absolute(500), "ABSOLUTE"),
        (TEN_PERCENT, "PERCENTAGE"),
        (FixedPrice(9900), "FIXED_PRICE"),
        (FixedPrice(9900, 3), "FIXED_PRICE"),
        (PerUnit(100), "PER_UNIT"),
        (BuyXGetY(2, 1), "BUY_X_GET_Y"),
    ],
)
def test_every_kind_has_its_serialised_name(kind: DiscountKind, name: str) -> None:
    assert kind.type is DiscountType(name)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Absolute(0), "amount is 0, expected an int of at least 1"),
        (lambda: PerUnit(0), "amount is 0, expected an int of at least 1"),
        (
            lambda: Percentage(parts_per_million=1_000_001),
            "parts_per_million is 1000001, expected an int from 1 to 1000000",
        ),
        (lambda: FixedPrice(-1), "price is -1, expected an int of at least 0"),
        (lambda: FixedPrice(100, 0), "group_size is 0, expected an int of at least 1"),
        (lambda: BuyXGetY(0, 1), "buy is 0, expected an int of at least 1"),
        (lambda: BuyXGetY(1, 0), "get is 0, expected an int of at least 1"),
        (lambda: BuyXGetY(1, 1, 0), "parts_per_million is 0, expected an int from 1 to 1000000"),
        (lambda: BuyXGetY(1, 1, at_most=0), "at_most is 0, expected an int of at least 1"),
        (lambda: Threshold(spend=-1), "spend is -1, expected an int of at least 0"),
        (lambda: Threshold(quantity=-1), "quantity is -1, expected an int of at least 0"),
        (
            lambda: AutomaticDiscount(id=1, kind=TEN_PERCENT, max_amount=0),
            "max_amount is 0, expected an int of at least 1",
        ),
        (
            lambda: PromoCode(code="A", kind=TEN_PERCENT, max_amount=-1),
            "max_amount is -1, expected an int of at least 1",
        ),
        (
            lambda: PromoCode(code="A", kind=TEN_PERCENT, max_units=0),
            "max_units is 0, expected an int of at least 1",
        ),
    ],
)
def test_an_invalid_discount_is_refused_with_the_allowed_range(
    build: Callable[[], object], message: str
) -> None:
    with pytest.raises(InvalidDiscount) as raised:
        build()

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("percent", "parts"),
    [
        ("12.5", 125_000),
        (Decimal("0.0101"), 101),
        (Fraction(100, 1), 1_000_000),
    ],
)
def test_a_percentage_is_given_in_percent(percent: str | int | Decimal | Fraction, parts: int) -> None:
    assert Percentage.percent(percent, level=DiscountLevel.LINE) == Percentage(
        parts_per_million=parts, level=DiscountLevel.LINE
    )


@pytest.mark.parametrize(
    ("percent", "message"),
    [
        (12.5, "12.5 is not a percentage: a float is not exact, write '12.5'"),
        ("half", "'half' is not a percentage"),
        (Fraction(100, 3), "100/3 % is not a whole number of parts per million"),
    ],
)
def test_an_invalid_percentage_is_refused(percent: str, message: str) -> None:
    with pytest.raises(InvalidDiscount) as raised:
        Percentage.percent(percent)

    assert str(raised.value) == message


# ---------------------------------------------------------------- scopes and conditions


@pytest.mark.parametrize("limit", ["starts_at", "ends_at"])
def test_an_instant_must_have_an_offset(limit: str) -> None:
    naive = datetime(2026, 12, 27)  # noqa: DTZ001  the point of the test

    with pytest.raises(
        InvalidDiscount, match=r"^expected starts_at and ends_at with a UTC offset, got 2026-12-27 00:00:00$"
    ):
        Conditions(**{limit: naive})  # type: ignore[arg-type]

    assert getattr(Conditions(**{limit: naive.replace(tzinfo=UTC)}), limit).tzinfo is UTC  # type: ignore[arg-type]


# ---------------------------------------------------------------- automatic discounts and codes


@pytest.mark.parametrize(
    ("kind", "is_group_rule"),
    [
        (BuyXGetY(2, 1), True),
        (FixedPrice(9900, 2), True),
        (Absolute(500, DiscountLevel.CART), True),
        (Absolute(500, DiscountLevel.LINE), False),
        (Percentage(parts_per_million=101, level=DiscountLevel.CART), True),
        (Percentage(parts_per_million=101, level=DiscountLevel.LINE), False),
        (PerUnit(100), False),
    ],
)
def test_a_discount_across_lines_is_a_group_rule(kind: DiscountKind, *, is_group_rule: bool) -> None:
    assert AutomaticDiscount(id=1, kind=kind).is_group_rule is is_group_rule


@pytest.mark.parametrize("entered", ["SUMMER10", "summer10", " Summer10 ", "\tsummer10\n"])
def test_codes_compare_trimmed_and_upper_cased(entered: str) -> None:
    assert normalize_code(entered) == "SUMMER10"
    assert PromoCode(code=entered, kind=TEN_PERCENT).code == "SUMMER10"
    assert UnknownCode(entered) == UnknownCode("SUMMER10")


@pytest.mark.parametrize(
    ("entered", "code"),
    [
        pytest.param("\u00e9t\u00e9", "\u00c9T\u00c9", id="composed"),
        pytest.param("e\u0301te\u0301", "\u00c9T\u00c9", id="decomposed, as some keyboards type it"),
        pytest.param("SKI\u200b59", "SKI59", id="a zero-width space"),
        pytest.param("\ufeffSKI59\u200e", "SKI59", id="marks of order and direction"),
        pytest.param("e\u200d\u0301", "\u00c9", id="characters that compose without a joiner"),
        pytest.param("\uff33\uff2b\uff29\uff15\uff19", "SKI59", id="full width"),
        pytest.param("\u00a0ski\u2003", "SKI", id="blanks of other kinds"),
        pytest.param("\u0390", "\u03aa\u0301", id="composed again after the upper case"),
    ],
)
def test_codes_match_however_they_are_pasted(entered: str, code: str) -> None:
    assert normalize_code(entered) == normalize_code(code) == code
    assert PromoCode(code=entered, kind=TEN_PERCENT).code == code


def test_a_space_within_a_code_is_kept() -> None:
    assert normalize_code("two words") == "TWO WORDS"


@pytest.mark.parametrize("code", ["", " ", "\n", " \u200b\u2060"])
def test_an_empty_promo_code_is_refused(code: str) -> None:
    with pytest.raises(InvalidDiscount, match=r"^promo code is empty$"):
        PromoCode(code=code, kind=TEN_PERCENT)


@pytest.mark.parametrize("field", ["uses_left", "budget_left"])
def test_uses_and_budget_left_are_whole_numbers(field: str) -> None:
    broken: dict[str, Any] = {field: 4.5}

    with pytest.raises(InvalidDiscount, match=f"^{field} is 4.5, expected an int$"):
        PromoCode(code="TEN", kind=Absolute(100), **broken)


@pytest.mark.parametrize("make", [lambda days: Scope(weekdays=days), lambda days: Conditions(weekdays=days)])
def test_weekdays_are_1_to_7(make: Callable[[frozenset[int]], object]) -> None:
    assert make(frozenset(range(1, 8)))
    with pytest.raises(InvalidDiscount, match=r"^expected weekdays from 1 \(Monday\) to 7, got \[0, 8\]$"):
        make(frozenset({0, 3, 8}))
