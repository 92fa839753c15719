"""Past orders under other rules: the same rows from every engine, for all forms of columns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
import pyarrow as pa
import pytest

from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import ContextRequired
from faregate.frames import Lines, reprice, totals
from faregate.money.rounding import RoundingMode
from support.frames.engines import Engine, arrow, every_engine, rows
from support.frames.past_orders import FIGURES, SUMS

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
FIVE = PromoCode(code="FIVE", kind=Absolute(500), lane=1)
EARLY = AutomaticDiscount(
    id=7, kind=Percentage.percent(20, level=DiscountLevel.LINE), scope=Scope(products=frozenset({11}))
)
RULES = PricingRules(automatic=(EARLY,), promo_codes=(TEN, FIVE))
ORDERS = pa.table(
    {
        "checkout": ["b", "a", "b", "c"],
        "key": [1, 5, 2, 1],
        "unit_price": [7900, 4900, 1250, 1000],
        "quantity": [2, 1, 1, 3],
        "rate": ["8.1", "8.1", "2.6", "0"],
        "product": [11, 12, 13, 11],
        "codes": ["ten", "NOPE, ten", "ten", ""],
    }
)
EXPECTED = [
    # By hand: 20 % off 158.00, then 10 % off the rest of both lines; VAT out of the gross amount.
    (15800, 14617, 7, 3160, 1264, 4424, 4093, 11376, 10524),
    (4900, 4533, None, 0, 490, 490, 453, 4410, 4080),
    (1250, 1218, None, 0, 125, 125, 122, 1125, 1096),
    (3000, 3000, 7, 600, 0, 600, 600, 2400, 2400),
]


def figures(frame: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names or FIGURES) for row in rows(frame)]


def names(frame: Any) -> list[str]:
    found: list[str] = nw.from_native(frame).collect_schema().names()
    return found


def by_key(frame: Any) -> list[tuple[Any, ...]]:
    """Return the figures in the order of the rows above, whatever the engine's order."""
    found = {(row["checkout"], row["key"]): tuple(row[name] for name in FIGURES) for row in rows(frame)}
    keys = zip(ORDERS["checkout"].to_pylist(), ORDERS["key"].to_pylist(), strict=True)
    return [found[key] for key in keys]


def total_of(table: dict[str, Any], rules: PricingRules = PricingRules(), **reading: Any) -> list[int]:  # noqa: B008
    return reprice(pa.table(table), rules, **reading)["total_gross"].to_pylist()  # type: ignore[no-any-return]


# ---------------------------------------------------------------- engines


@every_engine
def test_every_engine_gives_the_same_figures(engine: Engine) -> None:
    found = reprice(engine.take(ORDERS), RULES)

    assert engine.owns(found)
    assert by_key(found) == EXPECTED
    assert names(found) == [*ORDERS.schema.names, *FIGURES]


@every_engine
def test_figures_are_ints_of_64_bits(engine: Engine) -> None:
    types = arrow(reprice(engine.take(ORDERS), RULES)).schema

    assert {types.field(name).type for name in FIGURES} == {pa.int64()}


@every_engine
def test_every_engine_gives_the_same_checkouts(engine: Engine) -> None:
    found = totals(engine.take(ORDERS), rules=RULES)

    assert engine.owns(found)
    assert names(found) == ["checkout", *SUMS]
    assert sorted(figures(found, "checkout", "total_gross", "total_net", "auto_discount_amount")) == [
        ("a", 4410, 4080, 0),
        ("b", 12501, 11620, 3160),
        ("c", 2400, 2400, 600),
    ]


@every_engine
def test_an_empty_frame_has_all_columns(engine: Engine) -> None:
    empty = ORDERS.slice(0, 0)

    assert names(reprice(engine.take(empty), RULES)) == [*ORDERS.schema.names, *FIGURES]
    assert rows(reprice(engine.take(empty), RULES)) == []
    assert rows(totals(engine.take(empty), rules=RULES)) == []


@every_engine
def test_lines_together_need_no_key(engine: Engine) -> None:
    if engine.name in {"dask", "pyspark"}:
        pytest.skip("this engine may split the table anywhere")
    together = ORDERS.take(pa.array([1, 0, 2, 3])).drop_columns("key")

    found = reprice(engine.take(together), RULES, lines=Lines.TOGETHER)

    assert figures(found) == [EXPECTED[1], EXPECTED[0], *EXPECTED[2:]]


@every_engine
def test_columns_may_have_any_name(engine: Engine) -> None:
    own = {"checkout": "the order's `id`.x", "unit_price": "price in cents", "key": "select"}
    renamed = ORDERS.rename_columns([own.get(name, name) for name in ORDERS.schema.names])
    columns = {field: name for field, name in own.items() if field != "checkout"}

    found = reprice(engine.take(renamed), RULES, by=own["checkout"], prefix="new_", columns=columns)

    assert names(found) == [*renamed.schema.names, *(f"new_{name}" for name in FIGURES)]
    assert sorted(row["new_total_gross"] for row in rows(found)) == sorted(row[7] for row in EXPECTED)


@pytest.mark.slow
@pytest.mark.parametrize("npartitions", [1, 2, 5])
def test_dask_prices_whole_partitions_where_lines_are_together(npartitions: int) -> None:
    dd = pytest.importorskip("dask.dataframe")
    together = ORDERS.take(pa.array([1, 0, 2, 3])).drop_columns("key").to_pandas()
    frame = dd.concat([dd.from_pandas(own, npartitions=1) for _, own in together.groupby("checkout")])

    found = reprice(frame.repartition(npartitions=min(npartitions, 3)), RULES, lines=Lines.TOGETHER)

    assert figures(found) == [EXPECTED[1], EXPECTED[0], *EXPECTED[2:]]


def test_a_lazy_polars_frame_is_priced_before_it_is_filtered() -> None:
    pl = pytest.importorskip("polars")

    five = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Absolute(500)),))

    found = reprice(pl.from_arrow(ORDERS).lazy(), five).filter(pl.col("key") == 2).select("total_gross")

    # 12.50 of 170.50 bears 0.37 of the 5.00; alone it would bear all of it.
    assert found.collect().rows() == [(1213,)]


def test_pandas_keeps_its_index_and_its_columns() -> None:
    frame = ORDERS.to_pandas().set_index(pd.Index([9, 8, 8, 7]))
    before = frame.copy()

    found = reprice(frame, RULES)

    assert found.index.tolist() == [9, 8, 8, 7]
    pd.testing.assert_frame_equal(found[before.columns], before)
    pd.testing.assert_frame_equal(frame, before)
    assert found["auto_discount"].dtype == "Int64"


# ---------------------------------------------------------------- forms of columns

LINES: dict[str, Any] = {"checkout": ["a", "b"], "unit_price": [1000, 5], "quantity": [1, 2], "rate": [0, 0]}
CHF = {"currency": "CHF"}


@pytest.mark.parametrize(
    ("prices", "reading"),
    [
        (["10.00", "0.05"], CHF),
        (pa.array(["10", "0.05"]).dictionary_encode(), CHF),
        (pa.array(["10", "0.05"], pa.string_view()), CHF),
        (pa.array(["10", "0.05"], pa.large_string()), CHF),
        (pa.array([Decimal("10.00"), Decimal("0.05")]), CHF),
        (pa.array([Decimal("10.00"), Decimal("0.05")], pa.decimal64(10, 2)), CHF),
        (pa.array([Decimal("10.00"), Decimal("0.05")], pa.decimal256(60, 2)), CHF),
        ([10.0, 0.05], CHF | {"rounding": RoundingMode.HALF_UP}),
        (pa.array([1000, 5], pa.uint64()), {}),
        (pa.array([1000, 5], pa.int16()), {}),
        (pa.array([1000, 5]).dictionary_encode(), {}),
    ],
)
def test_amounts_are_read_exactly(prices: Any, reading: dict[str, Any]) -> None:
    assert total_of(LINES | {"unit_price": prices}, **reading) == [1000, 10]


@pytest.mark.parametrize(
    "rates",
    [
        [81_000, 26_000],
        pa.array([81_000, 26_000], pa.uint32()),
        ["8.1", " 2.60 "],
        pa.array(["8.1", "2.6"]).dictionary_encode(),
        [Decimal("8.1"), Decimal("2.6")],
    ],
)
def test_rates_are_parts_per_million_or_percent(rates: Any) -> None:
    found = reprice(pa.table(LINES | {"rate": rates, "unit_price": [10810, 10260]}), PricingRules())

    assert found["total_net"].to_pylist() == [10000, 20000]


@pytest.mark.parametrize(
    "ids",
    [
        [2, 1, 2],
        pa.array([2**64 - 1, 0, 2**64 - 1], pa.uint64()),
        [True, False, True],
        [date(2026, 1, 1), date(2025, 1, 1), date(2026, 1, 1)],
        [b"x", b"y", b"x"],
        [Decimal("1.5"), Decimal("2.5"), Decimal("1.5")],
        pa.array(["x", "y", "x"]).dictionary_encode(),
        pa.array([b"0" * 16, b"1" * 16, b"0" * 16], pa.binary(16)).cast(pa.uuid()),
        pa.chunked_array([["x", "y"], ["x"]]),
    ],
    ids=["ints", "unsigned", "booleans", "dates", "bytes", "decimals", "categories", "uuids", "chunks"],
)
def test_checkouts_have_ids_of_many_types(ids: Any) -> None:
    table = pa.table({"checkout": ids, "unit_price": [100, 100, 101], "quantity": [1] * 3, "rate": [0] * 3})

    assert totals(table)["total_gross"].to_pylist() == [201, 100]
    assert reprice(table, PricingRules())["total_gross"].to_pylist() == [100, 100, 101]


@pytest.mark.parametrize(
    "codes",
    [
        [" five  ten ", "five,ten"],
        [["five", "ten"], ["TEN", "five", "ten"]],
        pa.array([["five", "ten"], ["ten", "five"]], pa.large_list(pa.string())),
        pa.array([["five", "ten"], ["ten", "five"]], pa.list_(pa.string(), 2)),
        pa.array(["five\nten", "ten five ten"]).dictionary_encode(),
    ],
)
def test_codes_are_entered_in_any_form(codes: Any) -> None:
    columns = LINES | {"unit_price": [1000, 1000], "codes": codes}

    assert total_of(columns, replace(RULES, automatic=())) == [400, 1300]


def test_a_code_in_a_list_is_not_split() -> None:
    assert total_of(LINES | {"codes": [["NO TEN"], None]}, PricingRules(promo_codes=(TEN,))) == [1000, 10]


def test_without_codes_no_code_was_entered() -> None:
    assert total_of(LINES, PricingRules(promo_codes=(TEN,))) == [1000, 10]
    assert total_of(LINES | {"codes": pa.nulls(2)}, PricingRules(promo_codes=(TEN,))) == [1000, 10]


def conditional(**conditions: Any) -> PricingRules:
    return PricingRules(
        automatic=(AutomaticDiscount(id=1, kind=Percentage.percent(10), conditions=Conditions(**conditions)),)
    )


NOON = datetime(2026, 3, 25, 12, tzinfo=UTC)
LATE = datetime(2026, 3, 25, 23, 30, tzinfo=UTC)


UTC_US = pa.timestamp("us", "UTC")
BOTH = [NOON, LATE]


@pytest.mark.parametrize(
    ("instants", "conditions", "zone", "expected"),
    [
        (pa.array(BOTH, UTC_US), {"starts_at": LATE}, None, [1000, 9]),
        (pa.array(BOTH, pa.timestamp("ns", "Asia/Tokyo")), {"starts_at": LATE}, None, [1000, 9]),
        (pa.array(BOTH, UTC_US).cast(pa.timestamp("s")), {"ends_at": LATE}, None, [900, 10]),
        (pa.array(BOTH, UTC_US), {"weekdays": frozenset({4})}, "Europe/Zurich", [1000, 9]),
        (pa.array(BOTH, UTC_US), {"weekdays": frozenset({3}), "starts_at": LATE}, "UTC", [1000, 9]),
    ],
)
def test_instants_are_compared_in_utc_and_dates_are_local_to_the_zone(
    instants: Any, conditions: dict[str, Any], zone: str | None, expected: list[int]
) -> None:
    assert total_of(LINES | {"ordered_at": instants}, conditional(**conditions), zone=zone) == expected


@pytest.mark.parametrize(
    "days",
    [
        [date(2026, 3, 25), date(2026, 3, 26)],
        pa.array([date(2026, 3, 25), date(2026, 3, 26)]).cast(pa.timestamp("ns")),
        pa.array([date(2026, 3, 25), date(2026, 3, 26)], pa.date64()),
    ],
)
def test_local_dates_alone_determine_weekdays(days: Any) -> None:
    assert total_of(LINES | {"ordered_on": days}, conditional(weekdays=frozenset({4}))) == [1000, 9]


def test_rules_may_depend_on_lead_time() -> None:
    early = AutomaticDiscount(id=1, kind=Percentage.percent(10), scope=Scope(min_lead_days=7))
    table = LINES | {"first_day": [date(2026, 4, 1), None], "ordered_on": [date(2026, 3, 25)] * 2}

    assert total_of(table, PricingRules(automatic=(early,))) == [900, 10]


def test_rules_may_depend_on_channels_accounts_and_groups() -> None:
    columns = {"channel": ["WEB", "POS"], "account": [None, 4]}

    assert total_of(LINES | columns, conditional(channels=frozenset({"WEB"}))) == [900, 10]
    assert total_of(LINES | columns, conditional(accounts=frozenset({4}))) == [1000, 9]
    groups = conditional(customer_groups=frozenset({"member", "staff"}))
    assert total_of(LINES | columns | {"customer_group": [None, "staff"]}, groups) == [1000, 9]


def test_columns_that_no_rule_uses_are_not_read() -> None:
    unreadable = {"product": ["ski", "sled"], "codes": [1.5, 2.5], "channel": [1, 2]}

    assert total_of(LINES | unreadable) == [1000, 10]


def test_each_attribute_has_its_own_column() -> None:
    scope = Scope(attributes=frozenset({("age", "child"), ("zone", "valley")}))
    rules = PricingRules(automatic=(AutomaticDiscount(id=1, kind=Percentage.percent(10), scope=scope),))
    columns = {"attribute.age": ["child", None], "area": ["top", "top"]}

    assert total_of(LINES | columns, rules, columns={"attribute.zone": "area"}) == [900, 10]


def test_floors_and_flags_have_defaults_where_they_are_null() -> None:
    rules = PricingRules(promo_codes=(TEN,))
    columns = {
        "checkout": ["a", "b", "c"],
        "unit_price": [1000] * 3,
        "quantity": [1] * 3,
        "rate": [0] * 3,
        "codes": ["ten"] * 3,
        "floor_price": [950, None, None],
        "discountable": [None, None, False],
    }

    assert total_of(columns, rules) == [950, 900, 1000]


def test_subscriptions_and_donations_are_figures_of_checkouts() -> None:
    table = pa.table(
        LINES | {"donation": [50, None], "is_subscription": [True, None], "recurring_price": [800, None]}
    )

    found = totals(table)

    assert found["donation"].to_pylist() == [50, 0]
    assert found["total_gross"].to_pylist() == [1050, 10]
    assert found["total_subscription_gross"].to_pylist() == [1000, 0]


def test_rewards_and_thresholds_use_columns_too() -> None:
    sled = Scope(products=frozenset({12}))
    gift = AutomaticDiscount(id=1, kind=BuyXGetY(1, 1, rewards=Scope(variants=frozenset({5}))))
    spend = AutomaticDiscount(
        id=2, kind=Percentage.percent(50), conditions=Conditions(thresholds=(Threshold(10, counting=sled),))
    )
    columns = {"product": [11, 12], "variant": [5, 6]}

    assert total_of(LINES | columns, PricingRules(automatic=(gift, spend))) == [1000, 5]


def test_texts_beyond_two_gigabytes_are_repriced_correctly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faregate.frames.columns.encoded._MAX_TEXT", 5)

    assert by_key(reprice(ORDERS, RULES)) == EXPECTED


def test_rules_by_time_of_day_are_refused() -> None:
    with pytest.raises(ContextRequired, match="a discount by time of day needs local times"):
        total_of(LINES, conditional(time_of_day=TimeOfDay(time(17), time(19))))
