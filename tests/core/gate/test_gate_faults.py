"""Invalid gate requests: all issues reported together, each with its field. Decisions §9."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.gate_ids import DTA_KINDS, SYSTEM_KINDS
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.errors import IssueCode
from faregate.gate.requests import GateRequest
from support.gate.faults import faults
from support.shops.gate_shop import asked, resort

HUGE = 10**5000  # more digits than Python prints

NO_IDS = {"dta_product_id": None, "dta_consumer_category": None}
REQUIRED, UNKNOWN = IssueCode.MAPPING_REQUIRED, IssueCode.UNKNOWN_MAPPING


@pytest.mark.parametrize(
    ("ids", "field", "code", "message"),
    [
        (
            NO_IDS,
            "dta_product_id",
            REQUIRED,
            f"expected {' with '.join(DTA_KINDS)}, or {' with '.join(SYSTEM_KINDS)}",
        ),
        (
            {"dta_product_id": None},
            "dta_product_id",
            REQUIRED,
            "is required together with dta_consumer_category",
        ),
        (
            {"system_product_id": "P1"},
            "system_consumer_category",
            REQUIRED,
            "is required together with system_product_id",
        ),
        (
            {"dta_product_id": 2},
            "dta_product_id",
            UNKNOWN,
            "no variant has 2 with dta_consumer_category 1",
        ),
        (
            {"dta_product_id": HUGE},
            "dta_product_id",
            UNKNOWN,
            "no variant has a number of 16610 bits with dta_consumer_category 1",
        ),
        (
            {**NO_IDS, "system_product_id": "P1", "system_consumer_category": "Z"},
            "system_product_id",
            UNKNOWN,
            "no variant has 'P1' with system_consumer_category 'Z'",
        ),
        (
            {"system_product_id": "P1", "system_consumer_category": "B"},
            "system_product_id",
            IssueCode.MAPPING_CONFLICT,
            "is variant 102, but dta_product_id is variant 101",
        ),
        (
            {"dta_product_id": True},
            "dta_product_id",
            IssueCode.INVALID,
            "expected a whole number, got bool",
        ),
        (
            {"system_product_id": 1, "system_consumer_category": "A"},
            "system_product_id",
            IssueCode.INVALID,
            "expected text, got int",
        ),
    ],
)
def test_unknown_ids_are_reported_with_their_field(
    ids: dict[str, Any], field: str, code: IssueCode, message: str
) -> None:
    assert faults(asked(**ids)) == [(field, code, message)]


@pytest.mark.parametrize(
    ("changes", "field", "code", "message"),
    [
        *(
            ({"quantity": number}, "quantity", IssueCode.INVALID, f"expected 1 to {MOST_UNITS}, got {shown}")
            for number, shown in (
                (0, "0"),
                (-1, "-1"),
                (1_000_001, "1000001"),
                (2**64 - 1, "18446744073709551615"),
                (HUGE, "a number of 16610 bits"),
                (-HUGE, "a number of 16610 bits"),
            )
        ),
        *(
            ({"quantity": value}, "quantity", IssueCode.INVALID, f"expected a whole number, got {kind}")
            for value, kind in (
                (True, "bool"),
                (1.0, "float"),
                ("1", "str"),
                (None, "NoneType"),
                ([], "list"),
            )
        ),
        *(
            (
                {"currency_code": code},
                "currency_code",
                IssueCode.CURRENCY_MISMATCH,
                f"expected CHF, got {code!r}",
            )
            for code in ("EUR", "chf", " CHF", "")
        ),
        (
            {"currency_code": 756},
            "currency_code",
            IssueCode.INVALID,
            "expected a currency code, got int",
        ),
        (
            {"depot_flag": True},
            "depot_flag",
            IssueCode.DEPOT_NOT_ALLOWED,
            "tickets of product 11 cannot be kept at the gate",
        ),
        (
            {"depot_flag": 1},
            "depot_flag",
            IssueCode.INVALID,
            "expected true, false or nothing, got int",
        ),
        (
            {"is_online_pos": {}},
            "is_online_pos",
            IssueCode.INVALID,
            "expected true, false or nothing, got dict",
        ),
    ],
)
def test_an_invalid_field_of_a_sale_is_reported(
    changes: dict[str, Any], field: str, code: IssueCode, message: str
) -> None:
    assert faults(asked(**changes)) == [(field, code, message)]


def test_all_issues_are_reported_in_the_order_of_the_fields() -> None:
    catalogue = resort(PriceRule(8000, when=DayPattern(weekdays=frozenset({1}))), model=PriceModel.CALENDAR)
    request = asked(
        quantity=0,
        currency_code="EUR",
        system_product_id="P1",
        depot_flag=True,
        is_online_pos=0,
    )

    assert [(field, code) for field, code, _ in faults(request, catalogue)] == [
        ("valid_from", IssueCode.NO_PRICE),
        ("quantity", IssueCode.INVALID),
        ("currency_code", IssueCode.CURRENCY_MISMATCH),
        ("system_consumer_category", REQUIRED),
        ("depot_flag", IssueCode.DEPOT_NOT_ALLOWED),
        ("is_online_pos", IssueCode.INVALID),
    ]


def test_issues_that_need_no_zone_are_reported_with_unknown_ids() -> None:
    request = GateRequest(
        valid_from="x",
        order_date="y",
        quantity=0,
        currency_code="XXX",
        valid_to="z",
        dta_product_id=7,
        dta_consumer_category=7,
        depot_flag=True,
    )

    assert [field for field, _, _ in faults(request)] == [
        "valid_from",
        "order_date",
        "quantity",
        "valid_to",
        "dta_product_id",
    ]
    assert [field for field, _, _ in faults(replace(request, dta_product_id=1, dta_consumer_category=1))] == [
        "valid_from",
        "order_date",
        "quantity",
        "currency_code",
        "valid_to",
        "depot_flag",
    ]
